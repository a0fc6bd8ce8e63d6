"""Hands counted by their distance, where cards of wild ranks may be laid as naturals.

Say that an exit of H cards has some cards in their own places, and wild cards in its other cells.
If a hand of H cards lacks L of the former, and has S naturals that are not among them, it is
max(L, S) cards away from this exit: each card that is lacking must come, each spare natural must
go, and all else that is held are wild cards, which fit in any other cell. Of a hand of H + 1 cards
one is thrown, a spare one if there is any. The distance of a hand is the least of all exits.

So nobody need say of a card of a wild rank whether it is better as a natural or as a wild: the
exits tell. Of a suit there matters only what it lacks and has to spare beside each part of an exit
that may lie there; few kinds of suits differ in that, and fewer if they have few cards.
"""

from collections import Counter
from functools import cached_property
from itertools import combinations_with_replacement, permutations
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from continental_sim.exact.bank_counts import ways_to_hold
from continental_sim.kernels.exit_rows import (
    FAR,
    count_distances,
    exit_planes,
    join_spares,
    spare_rows,
)
from continental_sim.kernels.meld_classes import completions, plane_joins
from continental_sim.kernels.meld_rows import (
    cards_held,
    first_and_number,
    laid_selections,
    mix,
    most_wild_cards,
    most_wilds_laid,
    selection_joins,
)
from continental_sim.kernels.meld_rules import BANKS, meld_rules
from continental_sim.rules import ContinentalRules


class Rows(NamedTuple):
    """What suits, or pairs of suits, of so many cards are beside all parts of exits.

    Attributes
    ----------
    spare : int8[rows, planes, lacking]
        Fewest spare cards, if at most so many may be lacking.
    ways : int64[rows]
        To hold them.
    """

    spare: npt.NDArray[np.int8]
    ways: npt.NDArray[np.int64]


class DistanceCounter:
    """Counts hands by their distance, where a bank is a suit whose cards vectors count.

    Parameters
    ----------
    rules : ContinentalRules
        With packs of which a vector counts all copies.
    """

    def __init__(self, rules: ContinentalRules) -> None:
        self._rules, self._pairs = rules, dict[tuple[int, int], Rows]()
        melds = meld_rules(rules)
        laid, joins = laid_selections(melds), selection_joins(melds)
        if rules.wilds < most_wild_cards(melds, most_wilds_laid(melds, laid), joins):
            melds = meld_rules(rules, rules.wilds)
        planes = exit_planes(melds)
        self._melds, self._planes, self._laid = melds, planes, laid
        self._joins = plane_joins(planes, joins)  # type: ignore[no-untyped-call]
        # All exits: how many wild cards a hand has does not matter.
        self._exits = np.unique(completions(melds, planes, joins)[:, 1:3], axis=0)

    def dealt(self) -> Counter[int]:
        """Count dealt hands by the cards to be replaced."""
        return self._count(self._rules.hand_size, self._rules.hand_size)

    def one_more(self) -> int:
        """Count hands of a card more, of which some card can be thrown to go out."""
        return self._count(self._rules.hand_size + 1, 0)[0]

    def _count(self, size: int, most: int) -> Counter[int]:
        """Count hands of a size by their distance, as far as it is `most` or less."""
        jokers, found = self._rules.jokers, Counter[int]()
        for cards in combinations_with_replacement(range(len(self._suits)), BANKS):
            if 0 <= (missing := size - sum(cards)) <= jokers:
                ways = comb(jokers, missing) * len(set(permutations(cards)))
                for away, hands in enumerate(self._of_suits(cards, size, most)):
                    found[away] += ways * hands
        return +found  # without what cannot be

    def _of_suits(self, cards: tuple[int, ...], size: int, most: int) -> list[int]:
        """Count hands of four suits of so many cards each, fewest first, by their distance."""
        fewest, few, many, greatest = cards
        # A small suit beside a large one: so neither pair has many kinds of rows.
        pairs = self._pair(fewest, greatest), self._pair(few, many)
        one, two = sorted(pairs, key=lambda pair: len(pair.ways))
        mine = np.ascontiguousarray(one.spare[..., : most + 1])
        others = np.ascontiguousarray(two.spare[..., : most + 1].transpose(1, 2, 0))
        found = np.zeros((len(mine), most + 2), np.int64)
        free = size - self._rules.hand_size
        count_distances(mine, others, self._exits, free, two.ways, found)
        # A pair is held in fewer ways than an int64 counts, a hand perhaps in more.
        hands = one.ways.astype(object) @ found.astype(object)
        return [int(count) for count in hands[: most + 1]]

    def _pair(self, few: int, many: int) -> Rows:
        if (few, many) not in self._pairs:
            one, two = self._suits[few], self._suits[many]
            joined = np.full((len(one.ways) * len(two.ways), *one.spare.shape[1:]), FAR)
            join_spares(one.spare, two.spare, self._joins, joined)
            self._pairs[few, many] = _distinct(joined, np.outer(one.ways, two.ways).ravel())
        return self._pairs[few, many]

    @cached_property
    def _suits(self) -> list[Rows]:
        """The rows of a suit, by its cards."""
        melds = self._melds
        least = [
            sum(length - dict(melds.caps)[length] for length in lengths)
            for lengths in melds.patterns
        ]
        # What an exit need not have is no use to a hand that lacks it, unless wild cards are few.
        most = max(least) if melds.limit is None else self._rules.hand_size
        spare = spare_rows(melds, self._planes, self._laid, most)
        ways, held = ways_to_hold(melds, melds.copies), cards_held(melds, melds.digits)
        return [
            _distinct(np.ascontiguousarray(spare[:, there].transpose(1, 2, 0)), ways[there])
            for cards in range(min(self._rules.hand_size + 1, int(held.max())) + 1)
            for there in [held == cards]
        ]


def _distinct(spare: npt.NDArray[np.int8], ways: npt.NDArray[np.int64]) -> Rows:
    """Put equal rows together."""
    flat, signatures = spare.reshape(len(spare), -1), np.zeros(len(spare), np.uint64)
    words = np.pad(flat, ((0, 0), (0, -flat.shape[1] % 8)))
    mix(signatures, words)  # type: ignore[no-untyped-call]
    first, number = first_and_number(signatures)  # type: ignore[no-untyped-call]
    counts = np.zeros(len(first), np.int64)
    np.add.at(counts, number, ways)
    return Rows(spare[first], counts)
