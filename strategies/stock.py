"""Stock: never takes the upcard, discards by distance.

Its draws are as good as random cards, so its first-turn exits can be counted exactly.
Uses: own hand, the meld tables.   Ignores: the upcard, opponents, cards seen.
Provenance: the yardstick against which taking from the pile is measured.
"""

from continental_sim.api import best_discard


def take_discard(view):
    """Draw from the stock, always."""
    return False


def choose_discard(view):
    """Throw the best-paying card of an exit, else what leaves the least distance."""
    return best_discard(view)
