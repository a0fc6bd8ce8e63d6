"""Fastest: comes as near to an exit as it can, turn by turn.

Takes the upcard if it shortens the distance. Throws what leaves the least distance; among equals
a dead natural (one that no layout can need, whatever else comes), then another natural, going
round the suits from one that depends on its seat and turn, from the ace up; wilds last. Goes out
when it can, with the discard that is paid most. Uses: own hand, upcard, the meld tables.
Ignores: opponents, cards seen, payments until the exit. Provenance: greedy reduction of the
distance, the usual first bot for draw-and-discard games.
"""

from continental_sim.api import best_discard, distance, distance_with


def take_discard(view):
    """Take the upcard if it shortens the distance."""
    return distance_with(view, view.upcard) < distance(view)


def choose_discard(view):
    """Throw the best-paying card of an exit, else what leaves the least distance."""
    return best_discard(view)
