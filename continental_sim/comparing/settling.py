"""When strategies are told apart well enough: the goals of `contsim compare --until`.

A width is known before the value is, so it may end a comparison at any planned look. That all are
*separated* is the value itself: whoever looks often enough finds a difference where there is none.
So each look may only spend a part of the chance of error, 6 / (pi k)**2 of it at the k-th, which
adds up to all of it; the intervals are of that level, too, and hold at all looks together.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from continental_sim.comparing.duels import Duels
from continental_sim.errors import ContsimError
from continental_sim.figures.precision import short_width
from continental_sim.words import are, counted

SEPARATED: Final = "separated"


@dataclass(frozen=True)
class Goal:
    """When a comparison may end.

    Attributes
    ----------
    width : float or None
        Half width of all differences [points a deal]; None if all are to be separated.
    """

    width: float | None

    @property
    def given(self) -> str:
        """What gives this goal: a width as it is typed, without loss."""
        return SEPARATED if self.width is None else f"{self.width:.15g}"

    def level(self, level: float, look: int) -> float:
        """Return the level of the intervals of a look, the first being 1."""
        if self.width is not None:
            return level
        return 1 - (1 - level) * 6 / (math.pi * look) ** 2

    def met(self, found: Duels) -> bool:
        """Tell whether a planned look, made at its level, meets the goal."""
        if self.width is not None:
            half = self._half(found)
            return half is not None and half <= self.width
        return all(each.adjusted < 1 - found.level or each.identical for each in found.pairs)

    def text(self, found: Duels) -> str:
        """Say how far it was at a look, without a full stop."""
        if self.width is not None:
            half = self._half(found)
            if half == 0:
                return "all are identical in every deal"
            known = f"to ± {short_width(half)}" if half < math.inf else "without an interval"
            return f"differences {known}, wanted ± {self.given}"
        apart = sum(each.adjusted < 1 - found.level for each in found.pairs)
        return f"{apart} of {counted(pairs := len(found.pairs), 'pair')} {are(pairs)} separated"

    @staticmethod
    def _half(found: Duels) -> float:
        """Return the widest half width: 0 of what is identical, infinite where nothing is known."""
        widest = 0.0
        for each in found.pairs:
            low, high = each.ahead.low, each.ahead.high
            if low is not None and high is not None:
                widest = max(widest, (high - low) / 2)
            elif not each.identical:
                return math.inf
        return widest


def read_goal(text: str) -> Goal:
    """Read what a comparison is played until: a half width, or ``separated``.

    Raises
    ------
    ContsimError
        If it is neither.
    """
    if text == SEPARATED:
        return Goal(None)
    try:
        width = float(text)
    except ValueError:
        width = math.nan
    if not 0 < width < math.inf:
        raise ContsimError(
            f"--until {text} is no goal: give a half width in points a deal, such as 0.05, or "
            f"{SEPARATED}"
        )
    return Goal(width)


def one_goal(texts: Sequence[str]) -> str | None:
    """Return the goal of a comparison as it is kept: ``9`` and ``9.0`` are one; None of none.

    Raises
    ------
    ContsimError
        If two are given, or one is no goal.
    """
    given = {read_goal(text).given: text for text in texts}
    if len(given) > 1:
        first, second, *_ = given.values()
        raise ContsimError(
            f"--until {first} and --until {second}: a comparison is played until one goal, give "
            "one of them"
        )
    return next(iter(given), None)
