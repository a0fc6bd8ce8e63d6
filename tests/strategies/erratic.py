"""Erratic: takes, lays and throws as its dice fall.

Uses: own hand, dice.   Ignores: everything else.
"""

from continental_sim.api import first_face, roll, throwable

GAMES = ("basic-rummy",)


def take_discard(view):
    """Take the upcard once in three."""
    return roll(view, 3) == 0


def lay_down(view):
    """Lay twice in three."""
    return roll(view, 3) > 0


def choose_discard(view):
    """Throw any card."""
    cards = throwable(view)
    number = 0
    for face in range(52):
        number += cards >> face & 1
    for _ in range(roll(view, number)):
        cards &= cards - 1
    return first_face(cards)
