"""Fastest: lay all that can be laid, and keep what may soon be.

Lays down as soon as it can, to the least deadwood. Takes the upcard if it is laid at once. Throws
the card with the fewest chances of a meld, unseen cards that would make one with another that it
holds; of equal ones the card that counts most.
Uses: own hand, the table, the pile, cards seen taken.   Ignores: what others may want.
Provenance: our own.
"""

from continental_sim.api import chances, deadwood_without, first_face, lays, pips, throwable

GAMES = ("basic-rummy",)


def take_discard(view):
    return lays(view, view.upcard)


def choose_discard(view):
    choice, best = -1, 0
    cards = throwable(view)
    while cards:
        face = first_face(cards)
        cards &= cards - 1
        worth = 1000 * deadwood_without(view, face) + 20 * chances(view, face) - pips(view, face)
        if choice < 0 or worth < best:
            choice, best = face, worth
    return choice
