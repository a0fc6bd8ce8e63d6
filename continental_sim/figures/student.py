"""Student's t: how far a mean of few values may be off, whose spread is known from them alone."""

import math
from functools import lru_cache
from typing import Final

from continental_sim.figures.estimates import chance_beyond, z_value

_AS_NORMAL: Final = 1e6  # degrees of freedom from which on the two differ by less than is printed
_CLOSE: Final = 1e-14  # relative
_TINY: Final = 1e-300


def t_chance_beyond(t: float, freedom: float) -> float:
    """Return how likely a value of Student's t is at least so far off, on either side.

    Parameters
    ----------
    t : float
    freedom : float
        Degrees of freedom, above 0; not necessarily whole.
    """
    if freedom >= _AS_NORMAL:
        return chance_beyond(t)
    return _incomplete_beta(
        freedom / 2, 0.5, freedom / (freedom + t * t), t * t / (freedom + t * t)
    )


@lru_cache(1000)
def t_value(level: float, freedom: float) -> float:
    """Return how many standard errors the two-sided interval of a level reaches.

    Parameters
    ----------
    level : float
        Between 0 and 1.
    freedom : float
        As for `t_chance_beyond`.
    """
    t = z_value(level)
    if freedom >= _AS_NORMAL:
        return t
    log_scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)
    scale = 2 * math.exp(log_scale) / math.sqrt(freedom * math.pi)
    # The chance falls ever slower and is too large at the normal value: Newton comes from below.
    while True:
        slope = scale * (1 + t * t / freedom) ** (-(freedom + 1) / 2)
        step = (t_chance_beyond(t, freedom) - (1 - level)) / slope
        t = float(t + step)
        if step <= 1e-12 * t:
            return t


def shared_freedom(variances: list[float], freedoms: list[float]) -> float:
    """Return the degrees of freedom of a sum of independent values (Welch and Satterthwaite).

    Parameters
    ----------
    variances : list of float
        Of the values, as each was estimated.
    freedoms : list of float
        Of those estimates; of a variance of 0 it does not count.
    """
    parts = [(v, f) for v, f in zip(variances, freedoms, strict=True) if v > 0]
    if not parts:
        return 0.0
    return sum(v for v, _ in parts) ** 2 / sum(v * v / f for v, f in parts)


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """Return the regularised incomplete beta function at x, of which 1 - x is known as exactly."""
    if x <= 0 or rest <= 0:
        return float(rest <= 0)
    if x > (a + 1) / (a + b + 2):
        return 1 - _incomplete_beta(b, a, rest, x)
    front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front += a * (math.log(x) if x < 0.5 else math.log1p(-rest))
    front += b * (math.log(rest) if rest < 0.5 else math.log1p(-x))
    # Its continued fraction, by Lentz's method (Numerical Recipes, 6.4).
    over, under = 1.0, 1 / _not_zero(1 - (a + b) * x / (a + 1))
    value, step = under, 0
    while True:
        step += 1
        for part in (
            step * (b - step) * x / ((a + 2 * step - 1) * (a + 2 * step)),
            -(a + step) * (a + b + step) * x / ((a + 2 * step) * (a + 2 * step + 1)),
        ):
            under = 1 / _not_zero(1 + part * under)
            over = _not_zero(1 + part / over)
            value *= under * over
        if abs(under * over - 1) < _CLOSE:
            return math.exp(front) * value / a


def _not_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
