"""Which runs can cover the naturals of one suit."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from continental_sim.layouts.ladder import Ladder
from continental_sim.layouts.search import Cells, Lengths, splits
from continental_sim.rules import ContinentalRules


class Run(NamedTuple):
    """A run on the ladder: where it lies, and while it is open what it lacks."""

    left: int  # cells to come
    need: int  # naturals to come
    start: int  # position on the ladder
    length: int
    filled: tuple[int, ...]  # positions that hold a natural


class SuitSearch:
    """Places runs in one suit.

    The search walks up the ladder. Its state is the position, what each open run lacks, the
    lengths of the runs not yet started, and the cards held back from a position for the same rank
    13 positions later. From equal states the same is possible, so a state that failed is not
    tried twice.

    Parameters
    ----------
    rules : ContinentalRules
        What may be laid.
    cards : sequence of 53 int
        The hand, as counts of faces. Those of the suit that are not wild must all be placed here.
    suit : int
        0..3.

    Attributes
    ----------
    naturals : int
        Cards that must be placed here [cards].
    """

    def __init__(self, rules: ContinentalRules, cards: Sequence[int], suit: int) -> None:
        ladder = Ladder(rules)
        self._faces = [13 * suit + rank for rank in ladder.ranks]
        self._repeats = len(self._faces) - 13
        self._wild = [rules.is_wild(face) for face in self._faces]
        # Cards that count as naturals at their own place.
        counted = [rules.counts_at_home or not wild for wild in self._wild]
        supply = [cards[face] * counts for face, counts in zip(self._faces, counted, strict=True)]
        self._supply = supply[:13] + [0] * self._repeats
        coming = list(zip(self._supply, self._wild, strict=True))
        self._naturals_from = _sums_from([0 if wild else supply for supply, wild in coming])
        self._supply_from = _sums_from(self._supply)
        self.naturals = self._naturals_from[0]
        self._starts = {length: ladder.starts(length) for length in rules.run_lengths}
        self._needed = {length: rules.naturals_needed(length) for length in rules.run_lengths}
        self._found: dict[Lengths, tuple[Cells, ...] | None] = {}
        self._failed: set[object] = set()

    def place(self, lengths: Lengths) -> tuple[Cells, ...] | None:
        """Place runs so that they hold every natural of the suit, as `Search` has it."""
        if lengths not in self._found:
            runs = self._climb(0, (), lengths, (0,) * self._repeats)
            self._found[lengths] = None if runs is None else tuple(map(self._cells, runs))
        return self._found[lengths]

    def _cells(self, run: Run) -> Cells:
        """Give a run its naturals; wild cards will take the other cells."""
        positions = range(run.start, run.start + run.length)
        places = [(position, self._faces[position]) for position in positions]
        return tuple((face if position in run.filled else None, face) for position, face in places)

    def _climb(
        self, position: int, runs: tuple[Run, ...], waiting: Lengths, held: tuple[int, ...]
    ) -> tuple[Run, ...] | None:
        """Finish the open runs and place those that wait, from a position upwards."""
        state = (position, tuple(run[:2] for run in runs), waiting, held)
        if state in self._failed:
            return None
        if self._is_hopeless(position, runs, waiting, held):
            self._failed.add(state)
            return None
        if not runs and not waiting:
            return ()
        for started, rest in splits(waiting):
            if any(position not in self._starts[length] for length in started):
                continue
            opened = runs + tuple(
                Run(length, self._needed[length], position, length, ()) for length in started
            )
            for used, kept in self._amounts(position, len(opened), held):
                for finished, still_open in _fill(opened, used, position):
                    above = self._climb(position + 1, still_open, rest, kept)
                    if above is not None:
                        return finished + above
        self._failed.add(state)
        return None

    def _is_hopeless(
        self, position: int, runs: tuple[Run, ...], waiting: Lengths, held: tuple[int, ...]
    ) -> bool:
        """Tell whether a run comes too late, or the cards to come are too few or too many."""
        if waiting and position > self._starts[waiting[0]][-1]:
            return True
        naturals, supply = self._naturals_from[position], self._supply_from[position]
        for count, wild in zip(held, self._wild, strict=False):
            supply += count
            naturals += 0 if wild else count
        cells = sum(run.left for run in runs) + sum(waiting)
        need = sum(run.need for run in runs) + sum(self._needed[length] for length in waiting)
        spare = cells - naturals
        return need > supply or self._wilds_forced(position, runs, held) > spare

    def _wilds_forced(self, position: int, runs: tuple[Run, ...], held: tuple[int, ...]) -> int:
        """Count the cells of the open runs that no natural can fill: it prunes most of the tree."""
        forced = 0
        for step in range(max((run.left for run in runs), default=0)):
            at = position + step
            naturals = 0 if self._wild[at] else self._there(at, held)
            forced += max(0, sum(run.left > step for run in runs) - naturals)
        return forced

    def _there(self, position: int, held: tuple[int, ...]) -> int:
        """Count the cards that count as naturals at a position."""
        return held[position - 13] if position >= 13 else self._supply[position]

    def _amounts(
        self, position: int, cells: int, held: tuple[int, ...]
    ) -> Iterator[tuple[int, tuple[int, ...]]]:
        """Yield how many naturals may lie at a position, and what is held back then."""
        supply = self._there(position, held)
        most = min(supply, cells)
        if position < self._repeats:
            for used in range(most, -1, -1):
                yield used, _replaced(held, position, supply - used)
        elif most == supply or self._wild[position]:
            yield most, held if position < 13 else _replaced(held, position - 13, 0)


def _sums_from(values: Sequence[int]) -> list[int]:
    return [sum(values[position:]) for position in range(len(values) + 1)]


def _replaced(values: tuple[int, ...], index: int, value: int) -> tuple[int, ...]:
    return (*values[:index], value, *values[index + 1 :])


def _fill(
    runs: tuple[Run, ...], naturals: int, position: int
) -> Iterator[tuple[tuple[Run, ...], tuple[Run, ...]]]:
    """Give a cell to each open run, some of them with a natural, in all ways that differ.

    Yields
    ------
    tuple of (tuple of Run, tuple of Run)
        The runs that are finished now, and those still open.
    """
    seen = set()
    for lucky in combinations(range(len(runs)), naturals):
        after = []
        for index, (left, need, start, length, filled) in enumerate(runs):
            if index in lucky:
                after.append(Run(left - 1, max(0, need - 1), start, length, (*filled, position)))
            elif left > need:
                after.append(Run(left - 1, need, start, length, filled))
        after.sort()
        lacking = tuple(run[:2] for run in after)
        if len(after) == len(runs) and lacking not in seen:
            seen.add(lacking)
            finished = sum(not run.left for run in after)
            yield tuple(after[:finished]), tuple(after[finished:])
