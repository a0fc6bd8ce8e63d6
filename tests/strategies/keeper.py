"""Keeper: hold all melds back, and throw the first card that may be thrown.

Lays down only what ends the deal.
Uses: own hand.   Ignores: everything else.
Provenance: our own, for the tests.
"""

from continental_sim.api import FACES, deadwood

GAMES = ("basic-rummy",)


def take_discard(view):
    return False


def lay_down(view):
    return deadwood(view) == 0


def choose_discard(view):
    for face in range(FACES - 1):
        if view.hand[face] > 0 and face != view.barred:
            return face
    return -1
