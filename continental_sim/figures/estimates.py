"""Estimates that travel with their error: rates of events, and means of whole numbers.

Rates have Wilson's score interval; where no trial or every trial was an event, the two-sided exact
(Clopper-Pearson) one. Means have the normal interval. Each interval says what it is.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from continental_sim.language import marked

QUANTILES: Final = (0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99)

WILSON: Final = "Wilson"
GAMMA: Final = "gamma (Fay and Feuer)"
EXACT: Final = "Clopper-Pearson"
NORMAL: Final = "normal"
STRUCTURAL: Final = "structural zero"
NO_TRIALS: Final = marked("no trials")
NO_SPREAD: Final = "no interval: all values equal"


@dataclass(frozen=True, slots=True)
class Estimate:
    """A rate with its interval.

    Attributes
    ----------
    count, trials : int
        Events, and in how many trials.
    rate : float or None
        count / trials; None without a trial.
    low, high : float or None
        Bounds of the rate; None where there is no interval.
    method : str
        Which interval, or why there is none.
    reason : str
        Why the event cannot happen, for a structural zero.
    design_effect : float
        How many of the trials tell as much as one independent trial.
    """

    count: int
    trials: int
    rate: float | None
    low: float | None
    high: float | None
    method: str
    reason: str = ""
    design_effect: float = 1.0

    def to_json(self) -> dict[str, int | float | None]:
        """Return the numbers as plain data."""
        return {
            "count": self.count,
            "trials": self.trials,
            "rate": self.rate,
            "low": self.low,
            "high": self.high,
        }


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean of whole numbers with its interval and its distribution.

    Attributes
    ----------
    n : int
        Values.
    mean : float or None
        None without a value.
    low, high : float or None
        Bounds of the mean; None where there is no interval.
    sd : float or None
        Standard deviation of one value (divisor n - 1).
    quantiles : mapping of float to int or float
        For each of `QUANTILES` the smallest value that at least this share does not exceed.
    method : str
        Which interval, or why there is none.
    design_effect : float
        How many of the values tell as much as one independent value.
    """

    n: int
    mean: float | None
    low: float | None
    high: float | None
    sd: float | None
    quantiles: Mapping[float, float] = field(default_factory=dict)
    method: str = NORMAL
    design_effect: float = 1.0

    def to_json(self) -> dict[str, Any]:
        """Return mean, bounds, standard deviation and quantiles as plain data."""
        return {
            "mean": self.mean,
            "low": self.low,
            "high": self.high,
            "sd": self.sd,
            "quantiles": {str(share): value for share, value in self.quantiles.items()},
        }


def z_value(level: float) -> float:
    """Return how many standard errors the two-sided interval of a level reaches."""
    # From the lower tail: 1 - level keeps its digits where (1 + level) / 2 would round to 1.
    return -NormalDist().inv_cdf((1 - level) / 2)


def chance_beyond(z: float) -> float:
    """Return how likely a normal value is at least so many standard errors off, on either side."""
    return math.erfc(abs(z) / math.sqrt(2))


def holm(chances: Sequence[float]) -> list[float]:
    """Adjust the chances of several comparisons for their number (Holm 1979), in their order."""
    adjusted, reached = [1.0] * len(chances), 0.0
    order = sorted(range(len(chances)), key=chances.__getitem__)
    for rank, place in enumerate(order):
        reached = max(reached, min(1.0, chances[place] * (len(chances) - rank)))
        adjusted[place] = reached
    return adjusted


def proportion(count: int, trials: int, level: float, design_effect: float = 1.0) -> Estimate:
    """Estimate the rate of an event.

    Parameters
    ----------
    count, trials : int
        Events, and in how many trials.
    level : float
        Confidence level, between 0 and 1.
    design_effect : float
        How many dependent trials tell as much as one independent trial: the interval is that of
        trials / design_effect.

    Returns
    -------
    Estimate
    """
    if trials == 0:
        return Estimate(count, trials, None, None, None, NO_TRIALS, design_effect=design_effect)
    rate, size = count / trials, trials / design_effect
    if count in (0, trials):
        # (1 - bound) ** size = alpha / 2, in a form that keeps the digits of a small bound
        bound = -math.expm1(math.log((1 - level) / 2) / size)
        low, high = (0.0, bound) if count == 0 else (1 - bound, 1.0)
        return Estimate(count, trials, rate, low, high, EXACT, design_effect=design_effect)
    z = z_value(level)
    shrunk = 1 / (1 + z * z / size)
    centre = (rate + z * z / (2 * size)) * shrunk
    half = z * math.sqrt(rate * (1 - rate) / size + (z / (2 * size)) ** 2) * shrunk
    low, high = max(0.0, centre - half), min(1.0, centre + half)
    return Estimate(count, trials, rate, low, high, WILSON, design_effect=design_effect)


def weighted_proportion(
    total: float, squares: float, largest: float, trials: int, level: float
) -> Estimate:
    """Estimate the rate of a rare event from independent trials that each tell a share of it.

    The interval is the gamma interval of Fay and Feuer (1997) for sums of unequal weights, which
    counts on one more trial with the largest share. It reaches farther up than down.

    Parameters
    ----------
    total, squares, largest : float
        Sum and sum of squares of the shares of all trials, each from 0 to 1, and the largest.
    trials : int
    level : float
        Confidence level, between 0 and 1.

    Returns
    -------
    Estimate
        Its count is the number of plain events that would tell as much.
    """
    if total == squares:  # whole shares; without any, the bound is that of as many plain trials
        return proportion(round(total), trials, level)
    z = z_value(level)
    low = squares / total / 2 * _chi_square(2 * total**2 / squares, -z) / trials
    more, wider = total + largest, squares + largest**2
    high = wider / more / 2 * _chi_square(2 * more**2 / wider, z) / trials
    rate, count = total / trials, round(total**2 / squares)
    effect = squares / total / (1 - rate)
    return Estimate(count, trials, rate, low, min(1.0, high), GAMMA, design_effect=effect)


def _chi_square(freedom: float, z: float) -> float:
    """Return the quantile of a chi-square that lies as a normal value does (Wilson, Hilferty)."""
    spread = 2 / (9 * freedom)
    return float(freedom * max(0.0, 1 - spread + z * math.sqrt(spread)) ** 3)


def impossible(trials: int, reason: str) -> Estimate:
    """Return the rate of an event that the rules make impossible: zero, without an interval."""
    return Estimate(0, trials, 0.0, None, None, STRUCTURAL, reason)


def mean_of(
    values: NDArray[Any],
    counts: NDArray[np.int64],
    level: float,
    design_effect: float = 1.0,
    scale: int = 1,
) -> Mean:
    """Estimate the mean of whole numbers from how often each occurred.

    Parameters
    ----------
    values : integer array, shape (n,)
        Not necessarily sorted or distinct.
    counts : int64[n]
        How often each occurred.
    level : float
        Confidence level, between 0 and 1.
    design_effect : float
        How many dependent values tell as much as one independent value: the variance of the mean,
        over what it would be if all were independent.
    scale : int
        The quantity is value / scale.

    Returns
    -------
    Mean
    """
    n, mean, variance = moments(values, counts)
    if mean is None:
        return Mean(n, None, None, None, None, {}, NO_TRIALS, design_effect)
    mean /= scale
    order = np.argsort(values, kind="stable")
    ordered, reached = values[order], np.cumsum(counts[order])
    quantiles = {
        share: _unscaled(int(ordered[np.searchsorted(reached, _rank(share, n))]), scale)
        for share in QUANTILES
    }
    sd = None if variance is None else math.sqrt(variance) / scale
    return _mean(n, mean, sd, quantiles, level, design_effect)


def mean_of_sums(
    n: int, total: int, squares: int, level: float, design_effect: float = 1.0
) -> Mean:
    """Estimate the mean of whole numbers of which only the sums are known; it has no quantiles.

    Parameters
    ----------
    n : int
        How many numbers.
    total, squares : int
        Their sum, and that of their squares.
    level : float
        Confidence level, between 0 and 1.
    design_effect : float
        As `mean_of` takes it.

    Returns
    -------
    Mean
    """
    if n == 0:
        return Mean(n, None, None, None, None, {}, NO_TRIALS, design_effect)
    variance = _variance(n, total, squares)
    sd = None if variance is None else math.sqrt(variance)
    return _mean(n, total / n, sd, {}, level, design_effect)


def _mean(
    n: int,
    mean: float,
    sd: float | None,
    quantiles: Mapping[float, float],
    level: float,
    design_effect: float,
) -> Mean:
    if not sd:
        method = NO_SPREAD if n > 1 else "no interval: one value"
        return Mean(n, mean, None, None, sd, quantiles, method, design_effect)
    half = z_value(level) * sd * math.sqrt(design_effect / n)
    return Mean(n, mean, mean - half, mean + half, sd, quantiles, NORMAL, design_effect)


def _variance(n: int, total: int, squares: int) -> float | None:
    return (n * squares - total * total) / (n * (n - 1)) if n > 1 else None


def moments(
    values: NDArray[Any], counts: NDArray[np.int64]
) -> tuple[int, float | None, float | None]:
    """Return size, mean and variance (divisor n - 1); None where too few values give none."""
    # Python's integers: exact, and no overflow however many deals there are.
    weights = counts.astype(object)
    numbers = values.astype(object)
    n = int(weights.sum())
    total = int((weights * numbers).sum())
    squares = int((weights * numbers * numbers).sum())
    if n == 0:
        return 0, None, None
    return n, total / n, _variance(n, total, squares)


def _rank(share: float, n: int) -> int:
    # In per cent: share * n could fall just above a whole number.
    return -(-n * round(100 * share) // 100)


def _unscaled(value: int, scale: int) -> float:
    return value if scale == 1 else value / scale
