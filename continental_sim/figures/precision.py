"""When a study is precise enough: targets, the deals at which it is looked at, and the verdict.

A study may end early only at a planned look, where every target is met. What keeps the intervals
honest is told in docs/method.md and shown by tests/statistical/test_stopping.py.
"""

import hashlib
import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, DecimalException
from typing import Final

from continental_sim.errors import ContsimError
from continental_sim.figures import formats
from continental_sim.figures.estimates import Estimate, Mean
from continental_sim.figures.metric import Metric
from continental_sim.figures.metrics import find_metric
from continental_sim.figures.summary import Summary
from continental_sim.rules import GameRules
from continental_sim.words import counted, in_number

FIRST_LOOK: Final = 10_000  # [deals] before which no study ends; the seed adds up to a third
GROWTH: Final = (4, 3)  # each look has 4/3 of the deals of the one before
LEAST_EVENTS: Final = 100  # and as many trials that are no event
NARROWEST: Final = 1e-15  # a width that the longest study, 1e15 deals, does not reach either

_EXAMPLES = "ledger[0]=0.01 for a half width, or exits.first_turn=1% for one relative to the rate"
_SHOWN = 60  # characters of a wrong target that a refusal repeats


@dataclass(frozen=True, slots=True)
class Target:
    """How precisely a user wants to know a figure; `str` gives the text that reads back.

    Attributes
    ----------
    metric : str
        As `metrics.find_metric` reads it.
    width : float
        Wanted half width of the interval: in the unit of the figure, or as a share of it.
    relative : bool
        Whether it is a share.
    """

    metric: str
    width: float
    relative: bool

    def __str__(self) -> str:
        """Write it as `read_target` reads it."""
        return f"{self.metric}={self.wanted}"

    @property
    def wanted(self) -> str:
        """The width as a user writes it: `1%` or `0.01`, without loss."""
        width = Decimal(repr(self.width))
        return f"{width.scaleb(2):f}%" if self.relative else f"{width:f}"


def read_target(text: str, rules: GameRules) -> Target:
    """Read a target such as ``exits.first_turn=1%`` or ``ledger[0]=0.01``.

    Parameters
    ----------
    text : str
        Metric, ``=``, half width; with ``%`` it is relative to the figure.
    rules : GameRules
        What is played.

    Returns
    -------
    Target

    Raises
    ------
    ContsimError
        If the metric or the width makes no sense, also under these rules.
    """
    given = parse_target(text)
    metric, key = find_metric(given.metric, rules)
    name = f"{metric.name}[{key}]" if metric.index else metric.name
    target = Target(name, given.width, given.relative)
    _check_width(target, metric, rules, formats.plain(text, _SHOWN))
    return target


def parse_target(text: str) -> Target:
    """Take a target apart, whatever its metric is.

    Parameters
    ----------
    text : str
        Metric, ``=``, half width; with ``%`` it is relative.

    Raises
    ------
    ContsimError
        If it is not so written, or no width.
    """
    name, equals, wanted = (part.strip() for part in text.partition("="))
    shown = formats.plain(text, _SHOWN)
    if not equals or not name or not wanted:
        raise ContsimError(f"{shown!r} is no target: write METRIC=WIDTH, such as {_EXAMPLES}")
    relative = wanted.endswith("%")
    try:
        width = Decimal(wanted.removesuffix("%").strip())
        share = float(width / 100 if relative else width)
    except (DecimalException, ValueError):  # no number, or one beyond all limits
        share = math.nan
    if not math.isfinite(share):  # 1e400 is a number, but not as a float
        raise ContsimError(f"the width in {shown!r} is not a finite number: write {_EXAMPLES}")
    if share < NARROWEST:
        raise ContsimError(
            f"the width in {shown!r} is too small: it must be positive and at least "
            f"{NARROWEST:g}, such as {_EXAMPLES}"
        )
    return Target(name, share, relative)


def refuse_whole(target: Target, shown: str) -> None:
    """Refuse a half width that is a share of the figure, and all of it or more."""
    if target.relative and target.width >= 1:
        raise ContsimError(
            f"the width in {shown!r} is as large as the figure itself: write less than 100 %"
        )


def _check_width(target: Target, metric: Metric, rules: GameRules, shown: str) -> None:
    """Refuse widths that cannot be reached, or say nothing about their metric."""
    if target.relative and metric.signed:
        raise ContsimError(
            f"{shown!r} cannot be relative, since {metric.name} may be 0: give a half width in "
            f"points, such as {target.metric}=0.01"
        )
    refuse_whole(target, shown)
    low, high = metric.allowed(rules)
    widest = (high - low) / 2
    if not target.relative and target.width >= widest:
        what = metric.name if metric.bounds else "a rate"
        other = "" if metric.signed else f", or {target.metric}=1% for 1 % of it"
        raise ContsimError(
            f"{shown!r} asks nothing, since {what} lies between {low:g} and {high:g}: write less "
            f"than {widest:g}{other}"
        )


def look_plan(
    seed: int, session: int, most: int, growth: tuple[int, int] = GROWTH
) -> tuple[int, ...]:
    """Plan after how many deals a study is looked at.

    The plan is made from these three numbers before the first deal, so it knows nothing of the
    outcomes, the workers or an interruption.

    Parameters
    ----------
    seed : int
        Of the study. It draws where the first look lies: were it the same in all studies, a rate
        whose target is met just about at a look would be covered too seldom.
    session : int
        Deals of a session; all looks but the last are whole sessions.
    most : int
        Deals at which the study ends anyway: the last look.
    growth : (int, int)
        Over how many deals of the one before each look has how many.

    Returns
    -------
    tuple of int
        Deals played at each look, ascending.
    """
    grow, over = growth
    digest = hashlib.blake2b(f"looks {seed}".encode(), digest_size=8).digest()
    place = FIRST_LOOK + int.from_bytes(digest) % (FIRST_LOOK * (grow - over) // over + 1)
    looks = []
    while (look := -(-place // session) * session) < most:
        looks.append(look)
        place = place * grow // over
    return (*looks, most)


@dataclass(frozen=True, slots=True)
class Reading:
    """How far a study has come with one target.

    Attributes
    ----------
    target : Target
    unit : str
        What is counted: "deals", "exits", "hands" or "sessions".
    figure : Estimate or Mean
        As it is now.
    half : float or None
        Half width now: the larger side of the interval; None without events or without spread.
    wanted : float or None
        Half width wanted, in the unit of the figure; None where nothing is known of it yet.
    told : float
        What must reach `LEAST_EVENTS`: events or other trials, whichever are fewer; for a mean
        the square of its standard error over what one extreme value can move it. Of values that
        depend on each other as many count as tell as much if independent.
    needed : int or None
        Deals after which it will be met, estimated; None if nothing can be said.
    """

    target: Target
    unit: str
    figure: Estimate | Mean
    half: float | None
    wanted: float | None
    told: float
    needed: int | None

    @property
    def met(self) -> bool:
        """Whether the target is met; never without events, or without spread."""
        if self.half is None or self.wanted is None or self.told < LEAST_EVENTS:
            return False
        return self.half <= self.wanted

    @property
    def text(self) -> str:
        """The state in words, without a full stop."""
        if self.half is None:
            return f"{self.target.metric}: {self._nothing()}"
        error = short_width(self.half)
        if self.target.relative and self.wanted:
            error = f"{short_width(100 * self.target.width * self.half / self.wanted)} %"
        wanted = self.target.wanted.replace("%", " %")
        shown = _value_text(self.figure, self.half)
        return f"{self.target.metric} = {shown} ± {error}, wanted ± {wanted}{self._short_of()}"

    def _nothing(self) -> str:
        """Say why there is no interval that could be narrow enough."""
        figure = self.figure
        if isinstance(figure, Mean):
            return f"no two different values in {self._units(figure.n)} yet"
        if not figure.trials:
            return f"no {self.unit} yet"
        if not figure.count:
            rate = formats.interval_text(figure)
            return f"no event in {self._units(figure.trials)} yet, rate {rate}"
        return f"nothing but events in {self._units(figure.trials)} yet"

    def _units(self, count: int, *, bare: bool = False) -> str:
        """Count what the figure is of; bare, the word alone."""
        one = "match" if self.unit == "matches" else self.unit.removesuffix("s")
        return in_number(count, one, self.unit) if bare else counted(count, one, self.unit)

    def _short_of(self) -> str:
        if self.told >= LEAST_EVENTS:
            return ""
        if isinstance(self.figure, Estimate):
            others = 2 * self.figure.count > self.figure.trials
            # Of those that depend on each other fewer count than a table of the study shows.
            worth = "independent " if self.figure.design_effect > 1 else ""
            told = math.floor(self.told)
            kind = f"other {self._units(told, bare=True)}" if others else in_number(told, "event")
            return f", and only {told:,} {worth}{kind} of at least {LEAST_EVENTS}"
        return ", and a single extreme value can still move it too much"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether a study may end, and how far it has come.

    Attributes
    ----------
    readings : tuple of Reading
        One for each target.
    """

    readings: tuple[Reading, ...]

    @property
    def met(self) -> bool:
        """Whether there are targets, and all are met."""
        return bool(self.readings) and all(reading.met for reading in self.readings)

    @property
    def needed(self) -> int | None:
        """Deals after which all targets will be met, estimated; None if nothing can be said."""
        needed = [reading.needed for reading in self.readings if reading.needed is not None]
        return max(needed) if needed and len(needed) == len(self.readings) else None

    @property
    def text(self) -> str:
        """The state of all targets in words, without a full stop."""
        return "; ".join(reading.text for reading in self.readings)


def judge(summary: Summary, targets: Iterable[Target]) -> Verdict:
    """Compare the figures of a study with its targets.

    Parameters
    ----------
    summary : Summary
        At a planned look; its level is that of the intervals.
    targets : iterable of Target
        Read under the rules of the summary.

    Returns
    -------
    Verdict
    """
    readings = []
    for target in targets:
        metric, key = find_metric(target.metric, summary.rules)
        figure = metric.get(summary, key)
        readings.append(weigh(target, figure, metric.within(summary), summary.deals, metric.unit))
    return Verdict(tuple(readings))


def weigh(
    target: Target,
    figure: Estimate | Mean,
    bounds: tuple[float, float],
    deals: int,
    unit: str = "deals",
) -> Reading:
    """Compare one figure with its target.

    Parameters
    ----------
    target : Target
    figure : Estimate or Mean
    bounds : (float, float)
        The lowest and the highest single value, for a mean.
    deals : int
        Deals played.
    unit : str
        What is counted.

    Returns
    -------
    Reading
    """
    value = figure.rate if isinstance(figure, Estimate) else figure.mean
    told = _told(figure, bounds)
    if value is None or figure.low is None or figure.high is None or not told:
        return Reading(target, unit, figure, None, None, told, None)
    # The larger side: Wilson's interval is not centred at the rate that is printed with it.
    half = max(value - figure.low, figure.high - value)
    wanted = target.width * abs(value) if target.relative else target.width
    needed = None
    if wanted:
        factor = max((half / wanted) * (half / wanted), LEAST_EVENTS / told)
        needed = math.ceil(deals * factor)
    return Reading(target, unit, figure, half, wanted, told, needed)


def _told(figure: Estimate | Mean, bounds: tuple[float, float]) -> float:
    """Return how many independent events an estimate rests on, or what is like it for a mean.

    One value at the far end moves a mean by `far` / n; its standard error is sd / sqrt(n). The
    square of their ratio is, for a rate, the number of events, but for a factor near 1.
    """
    if isinstance(figure, Estimate):
        return min(figure.count, figure.trials - figure.count) / figure.design_effect
    if not figure.sd or figure.mean is None:
        return 0.0
    far = max(bounds[1] - figure.mean, figure.mean - bounds[0])
    return figure.n / figure.design_effect * (figure.sd / far) ** 2


def _value_text(figure: Estimate | Mean, half: float) -> str:
    if isinstance(figure, Estimate):
        return formats.rate_text(figure)
    return formats.number(figure.mean or 0.0, formats.decimals_for(half))


def short_width(width: float) -> str:
    """Write a width with three digits."""
    return formats.number(width, formats.decimals_for(width) + 1)
