"""What covers the cards of a suit, of any number of copies: found by reading it rank by rank.

Where hands are searched for layouts there are no tables to look this up in. Here a reader goes up
the ladder of a suit and keeps all ways at once in which runs can lie so far: which are open, how
many cells and naturals each lacks, and which were begun. What was read is one *state* for all
suits with the same ways. A suit ends in the selections of those ways that leave no run open.
"""

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from continental_sim.exact.bank_counts import Automaton
from continental_sim.kernels.meld_rows import selection_joins
from continental_sim.kernels.meld_rules import MeldRules
from continental_sim.layouts.ladder import Ladder
from continental_sim.rules import ContinentalRules

Open = tuple[tuple[int, int], ...]  # runs: cells and naturals that each lacks


class Way(NamedTuple):
    """A way to lay runs on the lower part of the ladder."""

    open: Open
    begun: int  # number of the selection of all runs
    held: tuple[int, ...]  # cards kept for the same rank 13 positions higher


def cover_states(
    rules: ContinentalRules, melds: MeldRules
) -> tuple[Automaton, npt.NDArray[np.uint64]]:
    """Build the automaton that reads the cards of a suit.

    Parameters
    ----------
    rules : ContinentalRules
        Whose melds are runs.
    melds : MeldRules
        Of those: its selections number the bits of the masks.

    Returns
    -------
    Automaton, uint64[kinds]
        It ends in kinds; selections that cover all naturals of a suit of each kind, as a mask.
    """
    climb = _Climb(rules, melds)
    states, steps, own = {frozenset([climb.number(climb.start)]): 0}, [], []
    for position in range(len(climb.ranks)):
        following: dict[frozenset[int], int] = {}
        counts = range(rules.packs + 1 if climb.is_read(position) else 1)
        step = np.zeros((len(states), len(counts)), np.int64)
        for ways, state in states.items():
            for held in counts:
                after = frozenset().union(*(climb.after(way, position, held) for way in ways))
                step[state, held] = following.setdefault(after, len(following))
        states = following
        if len(counts) > 1:
            steps.append(step)
            own.append(climb.is_wild(position))
        elif steps:  # the step belongs to the card before
            steps[-1] = step[steps[-1], 0]
    ends = np.array([climb.selections(ways) for ways in states], np.uint64)
    masks, kinds = np.unique(ends, return_inverse=True)
    if steps:
        steps[-1] = kinds[steps[-1]]
    return Automaton(steps, own), masks


class _Climb:
    """Goes up the ladder with runs.

    Ways have numbers: what comes after one is asked for many suits.
    """

    def __init__(self, rules: ContinentalRules, melds: MeldRules) -> None:
        ladder = Ladder(rules)
        self.ranks = ladder.ranks
        self._repeats = len(self.ranks) - 13
        self.start = Way((), 0, (0,) * self._repeats)
        self._wild = [rules.is_wild(rank) for rank in self.ranks]
        self._counts = [rules.counts_at_home or not wild for wild in self._wild]
        self._runs = [
            (length, need, ladder.starts(length), melds.selections.index((length,)))
            for length in rules.run_lengths
            for need in [max(0, rules.naturals_needed(length))]
        ]
        self._joins = selection_joins(melds)
        self._ways: list[Way] = []
        self._numbers: dict[Way, int] = {}
        self.after = cache(self._after)
        self._begun = cache(self._beginnings)

    def number(self, way: Way) -> int:
        """Give a way its number."""
        number = self._numbers.setdefault(way, len(self._ways))
        if number == len(self._ways):
            self._ways.append(way)
        return number

    def is_wild(self, position: int) -> bool:
        """Tell whether the cards at a position are of a wild rank."""
        return self._wild[position]

    def is_read(self, position: int) -> bool:
        """Tell whether cards of a rank are met here for the first time, and count."""
        return position < 13 and self._counts[position]

    def selections(self, ways: frozenset[int]) -> int:
        """Return the selections of ways that leave no run open, as a mask."""
        found = (self._ways[way] for way in ways)
        return sum({1 << way.begun for way in found if not way.open})

    def _after(self, number: int, position: int, read: int) -> frozenset[int]:
        """Return the ways that a way becomes at a position, where so many cards are read."""
        way, found = self._ways[number], set()
        there = way.held[position - 13] if position >= 13 else read
        for begun, more in self._begun(way.begun, position):
            runs = way.open + more
            for used, kept in self._amounts(position, len(runs), there):
                held = list(way.held)
                if position >= 13 or position < self._repeats:
                    held[position % 13] = kept
                for after in _filled(runs, used):
                    found.add(self.number(Way(after, begun, tuple(held))))
        return frozenset(found)

    def _amounts(self, position: int, cells: int, there: int) -> Iterator[tuple[int, int]]:
        """Yield how many of the cards at a position may lie in runs, and how many are kept.

        Naturals must lie somewhere; cards of wild ranks may be wild instead.
        """
        if not self._counts[position]:
            there = 0
        for used in range(min(there, cells) + 1):
            left = there - used
            most = left if position < self._repeats else 0
            for kept in range(most + 1):
                if kept == left or self._wild[position]:
                    yield used, kept

    def _beginnings(self, begun: int, position: int) -> list[tuple[int, Open]]:
        """List the runs that may begin together at a position: all selections then, and they."""
        latest: list[tuple[int, Open, int]] = [(begun, (), 0)]
        found = latest
        while latest:
            latest = [
                (int(self._joins[selection, single]), (*runs, (length, need)), k)
                for selection, runs, first in latest
                for k, (length, need, starts, single) in list(enumerate(self._runs))[first:]
                if position in starts and self._joins[selection, single] >= 0
            ]
            found = found + latest
        return [(selection, runs) for selection, runs, _ in found]


@cache
def _filled(runs: Open, naturals: int) -> frozenset[Open]:
    """Give a cell to each open run, some with a natural, in all ways; return what is still open."""
    found = set()
    for lucky in combinations(range(len(runs)), naturals):
        after = [(cells - 1, max(0, need - (k in lucky))) for k, (cells, need) in enumerate(runs)]
        if all(need <= cells for cells, need in after):
            found.add(tuple(sorted(run for run in after if run[0])))
    return frozenset(found)
