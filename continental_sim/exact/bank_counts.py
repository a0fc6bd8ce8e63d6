"""Ways to hold the cards of banks: every hand, none drawn at random.

A bank is a suit, or where melds are groups a quarter of the ranks. No meld crosses banks. So the
ways to hold one are counted, by what matters of it to the rest of a hand, its *kind*, and by the
number of cards; two banks are joined, then two pairs.
"""

from collections import defaultdict
from collections.abc import Sequence
from math import comb
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from continental_sim.exact.polynomials import Polynomials
from continental_sim.kernels.meld_rows import cards_held
from continental_sim.kernels.meld_rules import BANKS, MeldRules

Kinds = npt.NDArray[np.integer]  # by vector, or by two kinds
Ways = list[int]  # a polynomial for each kind: the ways to hold it, by the cards


class Held(NamedTuple):
    """How many cards of the banks are held.

    Attributes
    ----------
    naturals : int
    own : int
        Cards of wild ranks, where those count as naturals in their own place.
    """

    naturals: int
    own: int


class Automaton(NamedTuple):
    """What reads a bank card by card, and ends in its kind.

    Attributes
    ----------
    steps : sequence of int[states, copies + 1]
        By rank: the state that so many cards lead to, from state 0 at first.
    own : sequence of bool
        By rank: whether it is wild.
    """

    steps: Sequence[Kinds]
    own: Sequence[bool]


def ways_to_hold(melds: MeldRules, copies: int) -> npt.NDArray[np.int64]:
    """Count the ways to hold each vector, with so many copies of each card: int64[vectors]."""
    ways = np.ones(1, np.int64)
    of_digit = np.array([comb(copies, held) for held in range(melds.counted + 1)])
    for _ in melds.digits:
        ways = np.multiply.outer(of_digit, ways).ravel()
    return ways


class BankCounter:
    """Counts the ways to hold the cards of one bank, of two, and of all four.

    Parameters
    ----------
    melds : MeldRules
    size : int
        Most cards of all banks together.
    copies : int, optional
        Of each digit that may be held; all by default.
    """

    def __init__(self, melds: MeldRules, size: int, copies: int | None = None) -> None:
        self.size = size
        self._melds = melds
        self.copies = melds.copies if copies is None else copies
        # Two numbers in one power: naturals + own * stride.
        self._stride = BANKS * size + 1
        self._most_own = min(size, BANKS * len(melds.own_digits) * melds.copies)
        cards = BANKS * len(melds.digits) * melds.copies
        self._polynomials = Polynomials(
            self._stride * (self._most_own + 1) - 1, comb(cards, cards // 2).bit_length()
        )

    def of_banks(self, kinds: Kinds | Automaton, number: int) -> list[Ways]:
        """Count the ways to hold each bank.

        Parameters
        ----------
        kinds : int[vectors] or Automaton
        number : int
            Of kinds.

        Returns
        -------
        list of list of int
            By bank; banks of the same digits share theirs.
        """
        found: dict[frozenset[int], Ways] = {}
        banks = []
        for bank in range(BANKS):
            digits = frozenset(self._melds.bank_digits(bank))
            if digits not in found:
                if isinstance(kinds, Automaton):
                    found[digits] = self._of_states(kinds, number)
                else:
                    found[digits] = self._of_vectors(kinds, number, digits)
            banks.append(found[digits])
        return banks

    def _of_vectors(self, kinds: Kinds, number: int, digits: frozenset[int]) -> Ways:
        melds = self._melds
        own = cards_held(melds, melds.own_digits).astype(np.int64)
        naturals = cards_held(melds, melds.natural_digits).astype(np.int64)
        missing = cards_held(melds, set(melds.digits) - digits) > 0
        there = (naturals + own <= self.size) & ~missing
        ways = ways_to_hold(melds, self.copies)
        counts = np.zeros((number, self._polynomials.degree + 1), np.int64)
        power = (naturals + own * self._stride)[there]
        np.add.at(counts, (kinds[there], power), ways[there])
        return [self._polynomial(each) for each in counts]

    def _polynomial(self, counts: npt.NDArray[np.int64]) -> int:
        term = self._polynomials.term
        return sum(term(int(counts[power]), power) for power in np.flatnonzero(counts).tolist())

    def _of_states(self, read: Automaton, number: int) -> Ways:
        """Let all vectors at once through an automaton."""
        reached: Kinds = np.zeros(1, np.int64)
        most = min(self.size, sum(read.own) * self.copies)
        ways = np.zeros((1, most + 1, self.size + 1), np.int64)
        ways[0, 0, 0] = 1
        for steps, own in zip(read.steps, read.own, strict=True):
            after = steps[reached]
            following, place = np.unique(after, return_inverse=True)
            place = place.reshape(after.shape)
            more = np.zeros((len(following), *ways.shape[1:]), np.int64)
            for held in range(min(self.copies, self.size) + 1):
                axis = 1 if own else 2
                if (fewer := ways.shape[axis] - held) > 0:
                    shifted = comb(self.copies, held) * np.take(ways, range(fewer), axis)
                    target = more[:, held:] if own else more[:, :, held:]
                    np.add.at(target, place[:, held], shifted)
            reached, ways = following, more
        found = [0] * number
        power = np.add.outer(np.arange(most + 1) * self._stride, np.arange(self.size + 1))
        for kind, counts in zip(reached.tolist(), ways, strict=True):
            there = counts > 0
            terms = zip(counts[there].tolist(), power[there].tolist(), strict=True)
            found[kind] = sum(self._polynomials.term(count, at) for count, at in terms)
        return found

    def of_four(self, banks: list[Ways], pairs: Kinds, fours: Kinds) -> Ways:
        """Count the ways to hold all four banks.

        Parameters
        ----------
        banks : list of list of int
            By bank and kind.
        pairs : int[kinds, kinds]
            Symmetric: the kind of two banks together.
        fours : int[., .]
            Symmetric: the kind of two pairs.
        """
        return self.of_both(self.of_pairs(banks, pairs), fours)

    def of_pairs(self, banks: list[Ways], pairs: Kinds) -> tuple[Ways, Ways]:
        """Count the ways to hold the first two banks, and the last two."""
        first, second, third, fourth = banks
        low = self.of_both((first, second), pairs)
        if first is third and second is fourth:
            return low, low
        return low, self.of_both((third, fourth), pairs)

    def of_both(self, ways: tuple[Ways, Ways], table: Kinds) -> Ways:
        """Count the ways to hold two.

        Parameters
        ----------
        ways : pair of list of int
            Of each, by kind.
        table : int[kinds, kinds]
            Symmetric: the kind of two together.
        """
        first, second = ways
        alike = first is second
        found: dict[int, int] = defaultdict(int)
        for number, (mine, joined) in enumerate(zip(first, table.tolist(), strict=True)):
            if not mine:
                continue
            # What comes to the same kind is added up first: so there are few products.
            sums: dict[int, int] = defaultdict(int)
            for other, kind in zip(second[: number if alike else None], joined, strict=False):
                sums[kind] += other
            for kind, others in sums.items():
                found[kind] += (2 if alike else 1) * mine * others
            if alike:
                found[joined[number]] += mine * mine
        return [self._polynomials.cut(found[kind]) for kind in range(int(table.max()) + 1)]

    def without_naturals(self, ways: int) -> int:
        """Leave out of a polynomial the ways with naturals."""
        term, coefficient = self._polynomials.term, self._polynomials.coefficient
        powers = range(0, self._stride * (self._most_own + 1), self._stride)
        return sum(term(coefficient(ways, power), power) for power in powers)

    def counts(self, ways: int) -> dict[Held, int]:
        """Read the ways off a polynomial; what cannot be is left out."""
        return {
            Held(naturals, own): count
            for own in range(self._most_own + 1)
            for naturals in range(self.size - own + 1)
            if (count := self._polynomials.coefficient(ways, naturals + own * self._stride))
        }
