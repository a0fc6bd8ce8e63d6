"""Pile: takes the upcard whenever it may, throws the lowest face that it may.

Uses: own hand.   Ignores: everything else.
"""

from continental_sim.api import first_held

GAMES = ("continental", "basic-rummy")


def take_discard(view):
    """Take it."""
    return True


def choose_discard(view):
    """Throw the lowest face, the one just taken among them."""
    return first_held(view)
