"""Holder: as fastest, but keeps its melds in its hand to go rummy with all of them at once.

Lays nothing before its whole hand goes, which counts `going_rummy` times as much, and others have
nothing of its to lay off on. It gives up, and lays as fastest does, when another hand is small.
Uses: own hand, the table, the pile, cards seen taken, sizes of other hands.   Ignores: what
others may want, the factor. Provenance: the advice to hold melds back for a rummy; who loses a
deal loses no points by what is left in its hand, but at a table of two the other one wins them.
"""

from continental_sim.api import can_go_out, lays, loose_discard

GAMES = ("basic-rummy",)
SMALL = 0  # [cards] of another hand at which it gives up; 0 for never
DUEL = 3  # [cards] the same at a table of two


def take_discard(view):
    """Take the upcard if it could be laid at once."""
    return lays(view, view.upcard)


def choose_discard(view):
    """Throw the card with the fewest chances."""
    return loose_discard(view)


def lay_down(view):
    """Lay all if that is the whole hand, or if another one is small."""
    if view.laid > 0 or can_go_out(view):
        return True
    small = DUEL if view.seats == 2 else SMALL
    for seat in range(view.seats):
        if seat != view.seat and view.hand_sizes[seat] <= small:
            return True
    return False
