"""Fastest: lays all that can be laid, and keeps what soon may be.

Lays down as soon as it can, to the least deadwood. Takes the upcard if it is laid at once. Throws
the card with the fewest chances of a meld, unseen cards that would make one with another that it
holds; of equal ones the card that counts most.
Uses: own hand, the table, the pile, cards seen taken.   Ignores: what others may want.
Provenance: our own.
"""

from continental_sim.api import lays, loose_discard

GAMES = ("basic-rummy",)


def take_discard(view):
    """Take the upcard if it is laid at once."""
    return lays(view, view.upcard)


def choose_discard(view):
    """Throw the card with the fewest chances."""
    return loose_discard(view)
