"""How far hands are from an exit by what their suits lack and have to spare, against the tables."""

from random import Random

import numpy as np
import pytest

from continental_sim.cards import hand_counts, hand_faces, hand_text
from continental_sim.exact.distance_counts import DistanceCounter
from continental_sim.hands import looked_up
from continental_sim.kernels.exit_rows import FAR, count_distances, join_spares, spare_rows
from tests import oracle
from tests.tabletop import rules_with

ONE_PACK = ("packs=1", "seats=2", "min_naturals_per_run=2")
# The pack has four wild cards: too few for two runs of 9 in one suit, and some of six runs of 3.
FEW_WILDS = [
    (*ONE_PACK, "jokers=0", "hand_size=18", "patterns=9+9"),
    (*ONE_PACK, "jokers=0", "hand_size=18", "patterns=3+3+3+3+3+3"),
]


class Rows:
    """The rows of all suits of some rules."""

    def __init__(self, rules):
        self.size = rules.hand_size
        self.counter = DistanceCounter(rules)
        self.melds = self.counter._melds
        self.spare = spare_rows(self.melds, self.counter._planes, self.counter._laid, self.size)

    def away(self, counts):
        """Return how far one hand is from an exit."""
        suits = [self.of_suit(counts[13 * suit : 13 * suit + 13]) for suit in range(4)]
        first, second = self.joined(suits[0], suits[1]), self.joined(suits[2], suits[3])
        found, once = np.zeros((1, self.size + 2), np.int64), np.ones(1, np.int64)
        free = int(counts.sum()) - self.size
        others = np.ascontiguousarray(second.transpose(1, 2, 0))
        count_distances(first, others, self.counter._exits, free, once, found)
        return int(found[0].argmax())

    def of_suit(self, held):
        ranks = self.melds.naturals + self.melds.own
        base = self.melds.counted + 1
        vector = sum(int(held[rank]) * base**digit for digit, rank in enumerate(ranks))
        return np.ascontiguousarray(self.spare[:, vector].T[None])

    def joined(self, one, two):
        both = np.full(one.shape, FAR)
        join_spares(one, two, self.counter._joins, both)
        return both


@pytest.mark.parametrize("changes", [*FEW_WILDS, ONE_PACK], ids=" ".join)
def test_rows_and_tables_tell_the_same_distance(changes):
    rules, dice = rules_with(*changes), Random(20)
    rows, seen = Rows(rules), set()
    for _ in range(400):
        size = rules.hand_size + dice.choice((0, 0, 1))
        if dice.random() < 0.8:
            faces = oracle.biased_hand(rules, dice, size=size)
        else:  # a whole suit, which would like to be all of the exit
            faces = [*range(13), *dice.sample(range(13, 52), size - 13)]
        counts = hand_counts(faces)
        with looked_up(rules, counts) as hand:
            assert rows.away(counts) == hand.distance, hand_text(hand_faces(counts))
        seen.add(hand.distance)
    assert len(seen) > 4
