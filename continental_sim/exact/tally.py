"""Numbers of events beside those that are expected, in standard errors."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from continental_sim.figures.estimates import chance_beyond

LEAST = 25.0  # events expected of a row, so that its error is close to normal
RARE = 0.05  # events of a deal, below which they are counted as single ones
LEAST_IN_CELL = 5.0  # events expected of a cell of a chi-square


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison.

    Attributes
    ----------
    name : str
    expected, observed : float
        Events; of a chi-square its mean and its value.
    z : float
        Their distance in standard errors.
    """

    name: str
    expected: float
    observed: float
    z: float

    @property
    def p(self) -> float:
        """Probability of such a distance, or a larger one, if all is well."""
        return chance_beyond(self.z)


class Tally:
    """Sums over deals of what is counted in each: a mean and its error need no more."""

    def __init__(self) -> None:
        self._sums: dict[str, tuple[float, int, float, float]] = {}

    def add(self, name: str, expected: float, seen: npt.ArrayLike) -> None:
        """Add deals.

        Parameters
        ----------
        name : str
        expected : float
            Events of a deal.
        seen : array[deals]
            Events in each.
        """
        numbers = np.asarray(seen, float)
        _, deals, total, squares = self._sums.get(name, (expected, 0, 0.0, 0.0))
        total, squares = total + float(numbers.sum()), squares + float((numbers**2).sum())
        self._sums[name] = (expected, deals + len(numbers), total, squares)

    def rows(self) -> Iterator[Row]:
        """Yield a row for each name of which enough events were expected, or seen."""
        for name, (expected, deals, total, squares) in self._sums.items():
            if max(expected * deals, total) < LEAST:
                continue
            whole = deals * expected
            if (
                expected < RARE
            ):  # nearly Poisson; the square root of such a number is close to normal
                z = 2 * (math.sqrt(total + 3 / 8) - math.sqrt(whole + 3 / 8))
            else:
                variance = (squares - total * total / deals) / (deals - 1)
                z = (total - whole) / math.sqrt(deals * (variance or expected))
            yield Row(name, whole, total, z)


def distribution(
    name: str, expected: Sequence[tuple[int, int]], seen: Counter[int]
) -> Iterator[Row]:
    """Compare a distribution by chi-square; cells of which too little is expected are pooled."""
    number, whole = seen.total(), sum(ways for _, ways in expected)
    cells, here, pooled = [], 0, 0.0
    for value, ways in expected:
        here, pooled = here + seen[value], pooled + number * ways / whole
        if pooled >= LEAST_IN_CELL:
            cells.append((here, pooled))
            here, pooled = 0, 0.0
    if len(cells) < 2:
        return
    last, more = cells[-1]
    cells[-1] = (last + here, more + pooled)
    stray = number - sum(count for count, _ in cells)  # values that cannot be
    chi_square = sum((count - mean) ** 2 / mean for count, mean in cells) + stray * number
    yield chi_square_row(name, chi_square, len(cells) - 1)


def chi_square_row(name: str, value: float, freedom: int) -> Row:
    """Judge a chi-square: its cube root is close to normal (Wilson and Hilferty 1931)."""
    spread = 2 / (9 * freedom)
    z = ((value / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return Row(name, freedom, value, z)
