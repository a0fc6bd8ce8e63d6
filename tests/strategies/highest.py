"""Highest: draws from the stock and throws the highest face that it holds.

Uses: own hand.   Ignores: everything else.
"""

from continental_sim.api import FACES


def take_discard(view):
    """Never take the upcard."""
    return False


def choose_discard(view):
    """Throw a joker, else the king of spades, and so on down."""
    face = FACES - 1
    while view.hand[face] == 0 or face == view.barred:
        face -= 1
    return face
