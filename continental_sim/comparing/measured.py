"""Numbers of a comparison with their errors, which come from as many packs as were dealt.

The packs of each table are its own, so that tables are independent. Few packs say little of how
much they differ: intervals and chances are those of Student's t. A mean over several tables has the
degrees of freedom of Welch and Satterthwaite: those of the smallest table alone would give far too
wide intervals, as all tables have the same number of packs.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from continental_sim.figures.student import shared_freedom, t_chance_beyond, t_value


@dataclass(frozen=True, slots=True)
class Measured:
    """A number with its interval.

    Attributes
    ----------
    value : float or None
        None if there was nothing to count it for.
    low, high : float or None
        None if it was the same in every session, or there was one session; a share that is 0 or
        all there is may have an interval even so.
    """

    value: float | None
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class Estimated:
    """A number and how well it is known.

    Attributes
    ----------
    value : float
    error : float
        Its standard error; 0 if it was the same in every session, or there was one session.
    freedom : float
        Degrees of freedom of the error.
    """

    value: float
    error: float
    freedom: float

    def measured(self, level: float) -> Measured:
        """Give it its interval of a level."""
        if not self.error:
            return Measured(self.value)
        half = self.half(level)
        return Measured(self.value, self.value - half, self.value + half)

    def half(self, level: float) -> float:
        """Return half the width of its interval of a level, 0 if it has none."""
        return t_value(level, self.freedom) * self.error if self.error else 0.0

    @property
    def p(self) -> float:
        """Probability of a value so far from 0, or farther, if 0 is the truth."""
        return t_chance_beyond(self.value / self.error, self.freedom) if self.error else 1.0

    def __sub__(self, other: "Estimated") -> "Estimated":
        """Return the difference from an independent number."""
        return _sum(self.value - other.value, [self, other])

    def times(self, factor: float) -> "Estimated":
        """Return a multiple of the number, the factor being positive."""
        return Estimated(self.value * factor, self.error * factor, self.freedom)

    @classmethod
    def mean(cls, parts: "Sequence[Estimated]") -> "Estimated":
        """Return the mean of independent numbers."""
        whole = _sum(sum(each.value for each in parts), parts)
        return cls(whole.value / len(parts), whole.error / len(parts), whole.freedom)


def _sum(value: float, parts: Sequence[Estimated]) -> Estimated:
    variances = [each.error**2 for each in parts]
    freedom = shared_freedom(variances, [each.freedom for each in parts])
    return Estimated(value, math.sqrt(sum(variances)), freedom)
