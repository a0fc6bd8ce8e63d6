"""Outs: comes nearer, and stays open to as many cards as it can.

Takes the upcard if it shortens the distance. Throws what leaves the least distance; of several the
card that leaves most outs: unseen cards that shorten the distance, where its own cards, the pile
and what others took from it count as seen. Goes out when it can, with the discard that is paid
most. Uses: own hand, upcard, the meld tables, cards seen, known cards of others. Ignores: who needs
what it throws, payments until the exit. Provenance: the acceptance count of mahjong players, and
the outs of poker.
"""

from continental_sim.api import distance, distance_with, most_outs_discard


def take_discard(view):
    """Take the upcard if it shortens the distance."""
    return distance_with(view, view.upcard) < distance(view)


def choose_discard(view):
    """Throw the best-paying card of an exit, else what keeps most outs at the least distance."""
    return most_outs_discard(view)
