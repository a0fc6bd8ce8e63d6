"""What differs between two sets of deals: sums over the deals, differences with intervals.

Where both were dealt from the same packs, deal by deal, the differences are *paired*: what the
cards do to both cancels out. A figure is a ratio of two sums, for which the delta method gives the
error; where it is counted for each deal, that is the error of a mean.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from continental_sim.figures.compared_figure import Figure
from continental_sim.figures.estimates import chance_beyond, holm, proportion, z_value
from continental_sim.figures.game_figures import GAME_FIGURES
from continental_sim.figures.precision import LEAST_EVENTS
from continental_sim.figures.structural import impossible_events
from continental_sim.grouping import Rows
from continental_sim.rules import GameRules

Floats = npt.NDArray[np.float64]
BASE, OTHER = slice(0, 2), slice(2, 4)  # of the four numbers that are added up
FEW: Final = 1000  # deals that differ, below which a sign test is exact


@dataclass(frozen=True, slots=True)
class Side:
    """A figure of one set of deals.

    Attributes
    ----------
    value : float or None
        Rate, or mean; None if there was nothing that it could be counted for.
    low, high : float or None
        Its interval.
    impossible : str
        Why it is 0 by the rules, or "".
    """

    value: float | None
    low: float | None
    high: float | None
    impossible: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure of two sets of deals.

    Attributes
    ----------
    figure : Figure
    base, other : Side
    value : float or None
        Other minus base; None where a side has no value.
    low, high : float or None
        Its interval; None where there is none: it cannot differ, or all means were equal. Rates
        that are the same in every deal have one still, as other deals might differ.
    p : float
        Probability of such a difference, or a larger one, if there is none.
    adjusted : float
        The same after Holm's correction for all that were compared.
    paired : bool
    same : bool
        Whether every deal has the same number on both sides.
    half : float
        By how much the difference may be wrong: the larger side of the interval, or what it would
        be with `LEAST_EVENTS` events where fewer were seen; 0 where the rules settle it.
    """

    figure: Figure
    base: Side
    other: Side
    value: float | None
    low: float | None
    high: float | None
    p: float
    adjusted: float
    paired: bool
    same: bool
    half: float

    @property
    def settled(self) -> bool:
        """Whether there is nothing to compare."""
        both = bool(self.base.impossible and self.other.impossible)
        return both or self.same or self.value is None


@dataclass
class _Sums:
    """Sums over deals of four numbers: `of` and `per` of the baseline, and of the other.

    Attributes
    ----------
    deals : int
    totals : int object[4]
    products : int object[4, 4]
        Sums of the products of each two.
    largest : int
        The largest single number seen.
    """

    deals: int
    totals: Any
    products: Any
    largest: int = 0

    def add(self, numbers: npt.NDArray[np.int64]) -> None:
        """Add int64[4, deals]."""
        self.deals += numbers.shape[1]
        self.totals += numbers.sum(axis=1).astype(object)
        self.products += (numbers @ numbers.T).astype(object)
        self.largest = max(self.largest, int(numbers.max(initial=0)))

    def covariances(self, divisor: int) -> Floats:
        """Return float64[4, 4], of single deals."""
        n = self.deals
        exact = n * self.products - np.outer(self.totals, self.totals)
        found: Floats = exact.astype(float) / max(n * divisor, 1)
        return found

    def with_two_that_differ(self) -> "_Sums":
        """Add two deals that differ, in opposite ways: so few that differ tell little."""
        extra = np.array([[1, 1, 0, 1], [0, 1, 1, 1]], object)
        products = self.products + sum(np.outer(row, row) for row in extra)
        return _Sums(self.deals + 2, self.totals + extra.sum(axis=0), products)

    def apart(self, one: int, other: int) -> int:
        """Sum of the squares of the differences between two of the numbers."""
        p = self.products
        return int(p[one, one] + p[other, other] - 2 * p[one, other])


class Contrast:
    """Sums over deals of two sets, from which all differences come.

    Parameters
    ----------
    base, other : GameRules
        Under which they were played.
    figures : sequence of Figure
        All of the game if empty.
    """

    def __init__(
        self,
        base: GameRules,
        other: GameRules,
        figures: Sequence[Figure] = (),
    ) -> None:
        self.paired = same_pack(base, other)
        self._rules = base, other
        self._sums = {
            figure: _Sums(0, np.zeros(4, object), np.zeros((4, 4), object))
            for figure in figures or GAME_FIGURES[base.game].compared
        }

    def add(self, base: Rows, other: Rows) -> None:
        """Add the same number of deals of both, of the same indices."""
        for figure, sums in self._sums.items():
            parts = (part(rows) for rows in (base, other) for part in (figure.of, figure.per))
            sums.add(np.stack([np.asarray(part, np.int64) for part in parts]))

    def differences(self, level: float) -> list[Difference]:
        """Return all differences, their probabilities not yet adjusted.

        Parameters
        ----------
        level : float
            Of every interval.
        """
        return [self._difference(figure, level) for figure in self._sums]

    def _difference(self, figure: Figure, level: float) -> Difference:
        sums = self._sums[figure]
        why = [impossible_events(rules).get(figure.event, "") for rules in self._rules]
        base = _side(figure, sums, BASE, level, why[0])
        other = _side(figure, sums, OTHER, level, why[1])
        same = self.paired and not sums.apart(0, 2) and not sums.apart(1, 3)
        low = high = None
        value, p = None, 1.0
        if sums.totals[1] and sums.totals[3]:
            value, error = _estimate(sums, sums.deals - 1, paired=self.paired)
            low, high = value - z_value(level) * error, value + z_value(level) * error
            p = chance_beyond(value / error) if error else float(not value)
            if figure.rate and self.paired:
                low, high = _bonett_price(sums, level)
                p = _chance_paired(sums, p)
            elif figure.rate:
                low, high = _newcombe(base, other, value)
        half = 0.0 if all(why) else self._half(figure, level, value, low, high)
        if all(why) or (same and not figure.rate):
            low = high = None
        return Difference(figure, base, other, value, low, high, p, p, self.paired, same, half)

    def _half(
        self, figure: Figure, level: float, value: float | None, low: float | None,
        high: float | None,
    ) -> float:  # fmt: skip
        """Return by how much a difference may be wrong, few events not taken for narrowness."""
        sums = self._sums[figure]
        if value is None or low is None or high is None:
            return math.inf
        far = [1 if figure.rate else _largest(figure, rules, sums.largest) for rules in self._rules]
        each = [far[0] / sums.totals[1], far[1] / sums.totals[3]]
        least = max(each) if self.paired else math.hypot(*each)
        floor = z_value(level) * math.sqrt(LEAST_EVENTS) * least
        return max(floor, value - low, high - value)


def adjusted(families: Iterable[Sequence[Difference]]) -> list[list[Difference]]:
    """Adjust the probabilities of all differences together.

    Parameters
    ----------
    families : iterable of sequence of Difference
        Of each variant. What cannot differ is not counted.
    """
    kept = [list(family) for family in families]
    open_ones = [each for family in kept for each in family if not each.settled]
    chances = iter(holm([each.p for each in open_ones]))
    return [
        [each if each.settled else replace(each, adjusted=next(chances)) for each in family]
        for family in kept
    ]


def same_pack(one: GameRules, other: GameRules) -> bool:
    """Tell whether deals of one seed and index come from the same pack in the same order."""
    return pack_of(one) == pack_of(other)


def pack_of(rules: GameRules) -> str:
    """Name a pack: what is dealt of one seed is the same of each pack of the name."""
    return f"{rules.copies_of_card} {rules.copies_of_joker}"


def _largest(figure: Figure, rules: GameRules, seen: int) -> float:
    """Return how large a single value of a mean may be."""
    return (
        GAME_FIGURES[rules.game].metrics[figure.metric].allowed(rules)[1] if figure.metric else seen
    )


def _ratio(sums: _Sums, side: slice) -> tuple[float, Floats]:
    """Return the figure of a side, and what a deal's two numbers add to its error."""
    total, trials = map(int, sums.totals[side])
    value = total / trials
    return value, np.array([1, -value]) * (sums.deals / trials)


def _estimate(sums: _Sums, divisor: int, *, paired: bool) -> tuple[float, float]:
    """Return the difference and its standard error, by the delta method.

    A ratio of two means differs from the truth by about the mean of what each deal adds to it.
    """
    (one, minus), (other, plus) = _ratio(sums, BASE), _ratio(sums, OTHER)
    weights = np.concatenate([-minus, plus])
    covariances = sums.covariances(divisor)
    if not paired:
        covariances[BASE, OTHER] = covariances[OTHER, BASE] = 0.0
    variance = float(weights @ covariances @ weights)
    return other - one, math.sqrt(max(variance, 0.0) / sums.deals)


def _side(figure: Figure, sums: _Sums, mine: slice, level: float, impossible: str) -> Side:
    total, trials = map(int, sums.totals[mine])
    if impossible:
        return Side(0.0, 0.0, 0.0, impossible)
    if not trials:
        return Side(None, None, None)
    if figure.rate:
        rate = proportion(total, trials, level)
        return Side(rate.rate, rate.low, rate.high)
    value, weights = _ratio(sums, mine)
    variance = float(weights @ sums.covariances(sums.deals - 1)[mine, mine] @ weights)
    half = z_value(level) * math.sqrt(max(variance, 0.0) / sums.deals)
    return Side(value, value - half, value + half)


def _bonett_price(sums: _Sums, level: float) -> tuple[float, float]:
    """Return the interval of a paired difference of rates (Bonett and Price 2012).

    It holds with few deals that differ, too, where the normal one is too narrow. Of rates that are
    not of all deals the error is that of ratios, with the same two deals more.
    """
    more = sums.with_two_that_differ()
    centre, error = _estimate(more, more.deals, paired=True)
    half = z_value(level) * error
    return max(centre - half, -1.0), min(centre + half, 1.0)


def _newcombe(base: Side, other: Side, value: float) -> tuple[float, float]:
    """Return the interval of an unpaired difference of rates (Newcombe 1998, method 10)."""
    (b, b_low, b_high), (o, o_low, o_high) = (
        (side.value or 0.0, side.low or 0.0, 1.0 if side.high is None else side.high)
        for side in (base, other)
    )
    return value - math.hypot(o - o_low, b_high - b), value + math.hypot(o_high - o, b - b_low)


def _chance_paired(sums: _Sums, normal: float) -> float:
    """Return the chance of a paired difference of rates: few that differ make it a sign test."""
    number, more = sums.apart(0, 2), int(sums.totals[0] - sums.totals[2])
    if number >= FEW:
        return normal
    if sums.apart(1, 3):  # what the rates are of differs too: no test is exact
        with_more = sums.with_two_that_differ()
        centre, error = _estimate(with_more, with_more.deals, paired=True)
        return chance_beyond(centre / error)
    return _sign_test((number + more) // 2, (number - more) // 2)


def _sign_test(more: int, fewer: int) -> float:
    """Return how probable so uneven a split is, or a more uneven one, if both are as likely."""
    number, least = more + fewer, min(more, fewer)
    tail = sum(math.comb(number, count) for count in range(least + 1))
    return min(1.0, tail / 2 ** (number - 1)) if number else 1.0
