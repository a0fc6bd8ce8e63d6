"""Ways to hold the cards of suits: every hand, none drawn at random.

Runs never cross suits. So the ways to hold one suit are counted, by what matters of it to the rest
of a hand, its *kind*, and by the number of cards; two suits are joined, then two pairs.
"""

from collections import defaultdict
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from continental_sim.cards import SUITS
from continental_sim.exact.polynomials import Polynomials
from continental_sim.kernels.meld_rows import copies_held, vector_sums
from continental_sim.kernels.meld_rules import MeldRules

Kinds = npt.NDArray[np.integer]
Ways = list[int]  # a polynomial for each kind: the ways to hold it, by the cards


class Held(NamedTuple):
    """How many cards of the suits are held.

    Attributes
    ----------
    naturals : int
    own : int
        Cards of wild ranks, where those count as naturals in their own place.
    """

    naturals: int
    own: int


class SuitCounter:
    """Counts the ways to hold the cards of one suit, of two, and of all four.

    Parameters
    ----------
    melds : MeldRules
    size : int
        Most cards of all suits together.
    """

    def __init__(self, melds: MeldRules, size: int) -> None:
        self.size = size
        own = copies_held(melds, melds.own).astype(np.int64)
        naturals = copies_held(melds, melds.naturals).astype(np.int64)
        # Two numbers in one power: naturals + own * stride.
        self._stride = len(SUITS) * size + 1
        self._most_own = min(size, len(SUITS) * int(own.max()))
        self._power = np.where(naturals + own <= size, naturals + own * self._stride, -1)
        logs = np.log2([comb(melds.copies, held) for held in range(melds.copies + 1)])
        powers = vector_sums([logs] * len(melds.ranks), float)  # type: ignore[no-untyped-call]
        self._ways = np.rint(np.exp2(powers))
        cards = len(SUITS) * len(melds.ranks) * melds.copies
        self._polynomials = Polynomials(
            self._stride * (self._most_own + 1) - 1, comb(cards, cards // 2).bit_length()
        )

    def of_one(self, kinds: Kinds, number: int) -> Ways:
        """Count the ways to hold one suit.

        Parameters
        ----------
        kinds : int[vectors]
            Kind of each suit vector.
        number : int
            Of kinds.
        """
        found = [0] * number
        for power in np.unique(self._power[self._power >= 0]).tolist():
            there = self._power == power
            counts = np.bincount(kinds[there], self._ways[there], number)
            for kind in np.flatnonzero(counts).tolist():
                found[kind] += self._polynomials.term(int(counts[kind]), power)
        return found

    def of_both(self, ways: Ways, table: Kinds) -> Ways:
        """Count the ways to hold two that are counted alike.

        Parameters
        ----------
        ways : list of int
            By kind.
        table : int[kinds, kinds]
            Symmetric: the kind of two together.
        """
        found: dict[int, int] = defaultdict(int)
        for first, (mine, joined) in enumerate(zip(ways, table.tolist(), strict=True)):
            # What comes to the same kind is added up first: so there are few products.
            sums: dict[int, int] = defaultdict(int)
            for other, kind in zip(ways[:first], joined, strict=False):
                sums[kind] += other
            for kind, others in sums.items():
                found[kind] += 2 * mine * others
            found[joined[first]] += mine * mine
        return [self._polynomials.cut(found[kind]) for kind in range(int(table.max()) + 1)]

    def counts(self, ways: int) -> dict[Held, int]:
        """Read the ways off a polynomial; what cannot be is left out."""
        return {
            Held(naturals, own): count
            for own in range(self._most_own + 1)
            for naturals in range(self.size - own + 1)
            if (count := self._polynomials.coefficient(ways, naturals + own * self._stride))
        }
