"""What differs between two sets of deals: figures by deal, differences with intervals.

Where both were dealt from the same packs, deal by deal, the differences are *paired*: what the
cards do to both cancels out.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from continental_sim.columns import CAPPED, DEALT, DRAWN, EXIT, FIRST_TURN, LATER
from continental_sim.cubes import Rows
from continental_sim.errors import ContsimError
from continental_sim.figures.estimates import chance_beyond, holm, proportion, z_value
from continental_sim.figures.structural import impossible_events
from continental_sim.rules import ContinentalRules

Values = npt.NDArray[np.int64]
FEW: Final = 1000  # deals that differ, below which a sign test is exact


@dataclass(frozen=True)
class Figure:
    """A figure that each deal has a whole number of.

    Attributes
    ----------
    name : str
        As `metrics.find_metric` names it, where there is one.
    label : str
    rate : bool
        Whether the number is 0 or 1.
    event : str
        As `impossible_events` names it, or "".
    of : callable
        From records OUTCOME[deals] to int64[deals].
    """

    name: str
    label: str
    rate: bool
    event: str
    of: Callable[[Rows], Any]


FIGURES: Final = (
    Figure("exits.dealt", "dealt exits", True, "", lambda rows: rows["kind"] == DEALT),
    Figure("exits.first_turn", "first-turn exits", True, "",
           lambda rows: rows["kind"] == FIRST_TURN),
    Figure("exits.later", "later exits", True, "later", lambda rows: rows["kind"] == LATER),
    Figure("ends.drawn", "drawn deals", True, "drawn", lambda rows: rows["end"] == DRAWN),
    Figure("ends.capped", "capped deals", True, "", lambda rows: rows["end"] == CAPPED),
    Figure("one_suit", "exits all in one suit", True, "one_suit",
           lambda rows: rows["one_suit"] == 1),
    Figure("natural", "natural exits", True, "natural",
           lambda rows: (rows["end"] == EXIT) & (rows["deuces"] == 0) & (rows["jokers"] == 0)),
    Figure("recycled", "deals with a recycle", True, "recycled", lambda rows: rows["recycles"] > 0),
    Figure("wins_by_seat[0]", "exits from seat 0", True, "", lambda rows: rows["seat"] == 0),
    Figure("turns", "turns of a deal", False, "", lambda rows: rows["turns"]),
    Figure("paid", "payment of a deal", False, "", lambda rows: rows["payment"]),
)  # fmt: skip


def find_figures(names: Iterable[str]) -> list[Figure]:
    """Find figures by name, in the order of `FIGURES`; all of them if none is named.

    Raises
    ------
    ContsimError
        If there is no such figure.
    """
    wanted = list(names)
    known = [figure.name for figure in FIGURES]
    for name in wanted:
        if name not in known:
            raise ContsimError(f"metric {name!r} is not compared: choose {', '.join(known)}")
    return [figure for figure in FIGURES if not wanted or figure.name in wanted]


@dataclass(frozen=True, slots=True)
class Side:
    """A figure of one set of deals.

    Attributes
    ----------
    value : float
        Rate, or mean of a deal.
    low, high : float
        Its interval.
    impossible : str
        Why it is 0 by the rules, or "".
    """

    value: float
    low: float
    high: float
    impossible: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure of two sets of deals.

    Attributes
    ----------
    figure : Figure
    base, other : Side
    value : float
        Other minus base.
    low, high : float or None
        Its interval; None where there is none: it cannot differ, or all means were equal.
    p : float
        Probability of such a difference, or a larger one, if there is none.
    adjusted : float
        The same after Holm's correction for all that were compared.
    paired : bool
    same : bool
        Whether every deal has the same number on both sides.
    """

    figure: Figure
    base: Side
    other: Side
    value: float
    low: float | None
    high: float | None
    p: float
    adjusted: float
    paired: bool
    same: bool


class Contrast:
    """Sums over deals of two sets, from which all differences come.

    Parameters
    ----------
    base, other : ContinentalRules
        Under which they were played.
    figures : sequence of Figure
    """

    def __init__(
        self,
        base: ContinentalRules,
        other: ContinentalRules,
        figures: Sequence[Figure] = FIGURES,
    ) -> None:
        self._figures = figures
        self.paired = same_pack(base, other)
        self._rules = base, other
        self._deals = 0
        # For each figure: sums of x, y, x*x, y*y, x*y, and deals with x > y, x < y.
        self._sums = {figure.name: np.zeros(7, object) for figure in figures}

    def add(self, base: Rows, other: Rows) -> None:
        """Add the same number of deals of both, of the same indices."""
        self._deals += len(base)
        for figure in self._figures:
            x, y = (figure.of(rows).astype(np.int64) for rows in (base, other))
            parts = (x.sum(), y.sum(), x @ x, y @ y, x @ y, (x > y).sum(), (x < y).sum())
            self._sums[figure.name] += np.array([int(part) for part in parts], object)

    def differences(self, level: float) -> list[Difference]:
        """Return all differences, their probabilities not yet adjusted.

        Parameters
        ----------
        level : float
            Of every interval.
        """
        impossible = [impossible_events(rules) for rules in self._rules]
        return [self._difference(figure, level, impossible) for figure in self._figures]

    def _difference(
        self, figure: Figure, level: float, impossible: Sequence[dict[str, str]]
    ) -> Difference:
        n, (x, y, xx, yy, xy, more, fewer) = self._deals, self._sums[figure.name]
        why = [events.get(figure.event, "") for events in impossible]
        base = _side(figure, x, xx, n, level, why[0])
        other = _side(figure, y, yy, n, level, why[1])
        variance = _variance(x, xx, n) + _variance(y, yy, n)
        if self.paired:
            variance -= 2 * (n * xy - x * y) / (n * (n - 1)) if n > 1 else 0.0
        value = (y - x) / n
        error = math.sqrt(max(variance, 0.0) / n)
        low, high = value - z_value(level) * error, value + z_value(level) * error
        p = chance_beyond(value / error) if error else float(not value)
        if figure.rate and self.paired:
            low, high = _bonett_price(more, fewer, n, level)
            p = _sign_test(more, fewer) if more + fewer < FEW else p
        elif figure.rate:
            low, high = _newcombe(base, other, value)
        same = self.paired and not more and not fewer
        settled = all(why) or (same and not figure.rate)
        return Difference(
            figure=figure,
            base=base,
            other=other,
            value=value,
            low=None if settled else low,
            high=None if settled else high,
            p=p,
            adjusted=p,
            paired=self.paired,
            same=same,
        )


def adjusted(families: Iterable[Sequence[Difference]]) -> list[list[Difference]]:
    """Adjust the probabilities of all differences together.

    Parameters
    ----------
    families : iterable of sequence of Difference
        Of each variant. What cannot differ is not counted.
    """
    kept = [list(family) for family in families]
    open_ones = [each for family in kept for each in family if not _settled(each)]
    chances = iter(holm([each.p for each in open_ones]))
    return [
        [each if _settled(each) else replace(each, adjusted=next(chances)) for each in family]
        for family in kept
    ]


def _settled(difference: Difference) -> bool:
    return bool(difference.base.impossible and difference.other.impossible) or difference.same


def same_pack(one: ContinentalRules, other: ContinentalRules) -> bool:
    """Tell whether deals of one seed and index come from the same pack in the same order."""
    return (one.packs, one.jokers) == (other.packs, other.jokers)


def _variance(total: int, squares: int, n: int) -> float:
    return (n * squares - total * total) / (n * (n - 1)) if n > 1 else 0.0


def _side(figure: Figure, total: int, squares: int, n: int, level: float, impossible: str) -> Side:
    if impossible:
        return Side(0.0, 0.0, 0.0, impossible)
    if figure.rate:
        rate = proportion(total, n, level)
        return Side(total / n, rate.low or 0.0, 1.0 if rate.high is None else rate.high)
    half = z_value(level) * math.sqrt(_variance(total, squares, n) / n)
    return Side(total / n, total / n - half, total / n + half)


def _bonett_price(more: int, fewer: int, n: int, level: float) -> tuple[float, float]:
    """Return the interval of a paired difference of rates (Bonett and Price 2012).

    It holds with few deals that differ, too, where the normal one is too narrow.
    """
    up, down = (fewer + 1) / (n + 2), (more + 1) / (n + 2)
    half = z_value(level) * math.sqrt((up + down - (up - down) ** 2) / (n + 2))
    return max(up - down - half, -1.0), min(up - down + half, 1.0)


def _newcombe(base: Side, other: Side, value: float) -> tuple[float, float]:
    """Return the interval of an unpaired difference of rates (Newcombe 1998, method 10)."""
    down = math.hypot(other.value - other.low, base.high - base.value)
    up = math.hypot(other.high - other.value, base.value - base.low)
    return value - down, value + up


def _sign_test(more: int, fewer: int) -> float:
    """Return how probable so uneven a split is, or a more uneven one, if both are as likely."""
    number, least = more + fewer, min(more, fewer)
    tail = sum(math.comb(number, count) for count in range(least + 1))
    return min(1.0, tail / 2 ** (number - 1)) if number else 1.0
