"""Defender: as outs, but throws what helps the next player least.

Takes the upcard if it shortens the distance. Of the discards that leave the least distance, and at
most SLACK outs fewer than the best, it throws the one with least danger: how likely the next player
holds its company, cards within two ranks in its suit. A card of the company that nobody has shown
counts 1, one that the next player took from the pile and kept counts KNOWN, and one that it threw
itself, or a copy of the card, counts -THROWN. Goes out when it can, with the discard that is paid
most. Uses: own hand, upcard, the meld tables, cards seen, known cards of others, throws of the next
player. Ignores: payments until the exit, all players but the next. Provenance: the usual advice for
rummy, to watch what the left neighbour takes and throws.
"""

from continental_sim.api import (
    JOKER,
    can_go_out,
    company,
    distance,
    distance_with,
    first_face,
    most_outs_discard,
    near_discards,
    unseen,
)

SLACK = 0  # [outs] what a safer card may cost
KNOWN = 4  # [cards] weight of a card that the next player is known to hold
THROWN = 2  # [cards] weight of a card that it threw


def take_discard(view):
    """Take the upcard if it shortens the distance."""
    return distance_with(view, view.upcard) < distance(view)


def choose_discard(view):
    """Throw the best-paying card of an exit, else the safest of those with most outs."""
    if can_go_out(view):
        return most_outs_discard(view)
    near = near_discards(view, SLACK)
    if near & (near - 1) == 0:  # only one
        return most_outs_discard(view)
    choice, least = -1, 1 << 30
    for step in range(JOKER):
        face = (13 * (view.seat + view.turn) + step) % JOKER
        if near >> face & 1:
            risk = danger(view, face)
            if risk < least:
                choice, least = face, risk
    return choice


def danger(view, face):
    """Weigh the company of a card that the next player may hold."""
    after = (view.seat + 1) % view.seats
    left, risk = company(view, face), 0
    near = left | 1 << face
    while left:
        other = first_face(left)
        left &= left - 1
        risk += unseen(view, other) + KNOWN * view.known[after, other]
    for k in range(view.pile_size):
        if view.thrower[k] == after and near >> view.pile[k] & 1:
            risk -= THROWN
    return risk
