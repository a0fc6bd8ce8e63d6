"""Holder: as fastest, but keeps its melds in its hand to go rummy with all of them at once.

Lays nothing before its whole hand goes, which counts `going_rummy` times as much. It gives up,
and lays as fastest does, after some turns of its own, or when another hand is small, or once it
has laid anything. Uses: own hand, turn, the table, the pile, cards seen taken, sizes of other
hands.   Ignores: what others may want, the factor. Provenance: the advice to hold melds back for
a rummy, with a limit.
"""

from continental_sim.api import FACES, can_go_out, chances, deadwood_without, lays, pips

GAMES = ("basic-rummy",)
PATIENCE = 3  # [turns] of its own after which it gives up
SMALL = 4  # [cards] of another hand at which it gives up


def take_discard(view):
    return lays(view, view.upcard)


def choose_discard(view):
    choice, best = -1, 0
    for face in range(FACES - 1):
        if view.hand[face] > 0 and face != view.barred:
            worth = (
                1000 * deadwood_without(view, face) + 20 * chances(view, face) - pips(view, face)
            )
            if choice < 0 or worth < best:
                choice, best = face, worth
    return choice


def lay_down(view):
    if view.laid > 0 or view.turn > PATIENCE or can_go_out(view):
        return True
    for seat in range(view.seats):
        if seat != view.seat and view.hand_sizes[seat] <= SMALL:
            return True
    return False
