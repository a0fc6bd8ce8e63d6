"""Neighbours: the textbook advice of a human, without tables.

Keeps wild cards and takes them. Takes a natural upcard if at least WANTED naturals within two
ranks of it in its suit are held and it is no copy of a card held. Throws the natural with the
fewest neighbours, a copy before a single card, among equals the first going round the suits from
one of its seat; wilds only if nothing else is held. Uses: own hand, upcard.   Ignores: opponents,
cards seen, whole layouts. Provenance: the advice of rummy manuals to collect sequences and to
throw loose cards first.
"""

from continental_sim.api import JOKER, first_held, is_wild, neighbours

WANTED = 2  # [cards] neighbours that make an upcard worth taking
PAIR = 3  # [half neighbours] what a copy of a card already held is worth less than a single card


def take_discard(view):
    """Take a wild card, or a natural with company that is not held yet."""
    if is_wild(view, view.upcard):
        return True
    return view.hand[view.upcard] == 0 and neighbours(view, view.upcard) >= WANTED


def choose_discard(view):
    """Throw the loosest natural."""
    choice, least = first_held(view), 99
    for step in range(JOKER):
        face = (13 * view.seat + step) % JOKER
        if view.hand[face] > 0 and face != view.barred and not is_wild(view, face):
            company = 2 * neighbours(view, face) - PAIR * (view.hand[face] - 1)
            if company < least:
                choice, least = face, company
    return choice
