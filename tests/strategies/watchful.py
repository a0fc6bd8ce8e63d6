"""Watchful: every draw and discard hangs on all that its view holds.

Adds up the whole view, weighted by place, and lets the sum choose. Two views that differ anywhere
give other play, so that it notices cards that it ought not to see, and what another deal left.
Uses: everything in the view.
"""

from continental_sim.api import FACES, MEMO, first_held, roll

SEATS = 4


def digest(view):
    """Add up the view."""
    total = view.seat + 3 * view.turn + 5 * view.taken + 7 * view.barred + 11 * view.wilds
    total += (
        13 * view.upcard
        + 17 * view.pile_size
        + 19 * view.stock_size
        + 23 * view.recycles
        + 29 * view.round
    )
    for face in range(FACES):
        total += (
            (31 + face) * view.hand[face]
            + (97 + face) * view.in_pile[face]
            + (151 + face) * view.recycled[face]
        )
        for seat in range(SEATS):
            total += (211 + face + 53 * seat) * view.known[seat, face]
    for place in range(120):  # all of the pile, what lies beyond its top too
        total += (503 + place) * view.pile[place] + (701 + place) * view.thrower[place]
    for place in range(MEMO):
        total += (907 + place) * view.memo[place]
    return total


def take_discard(view):
    """Let the sum and a coin decide."""
    return (digest(view) // 3 + roll(view, 2)) % 2


def choose_discard(view):
    """Throw the card at a place that the sum names, and remember the sum."""
    total = digest(view)
    view.memo[view.turn % MEMO] = total % 1000
    place = total % 13
    for face in range(FACES):
        if view.hand[face] > 0 and face != view.barred:
            if place == 0:
                return face
            place -= 1
    return first_held(view)


def go_out(view):
    """Stay now and then."""
    return digest(view) % 3 > 0
