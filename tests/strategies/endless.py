"""Endless: as `highest`, but at one place it never answers.

Uses: own hand, turn, upcard.   Ignores: everything else.
"""

from continental_sim.api import FACES

TURN = 3
UPCARD = 20


def take_discard(view):
    """Never take the upcard."""
    return False


def choose_discard(view):
    """Throw the highest face, or think for ever."""
    while view.turn == TURN and view.upcard == UPCARD:
        pass
    face = FACES - 1
    while view.hand[face] == 0 or face == view.barred:
        face -= 1
    return face
