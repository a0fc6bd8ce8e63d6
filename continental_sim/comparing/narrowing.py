"""When differences are known well enough: the targets of `contsim whatif --until`.

As a study alone (`precision`), a comparison may end at planned looks only, and its width decides,
never the value.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from continental_sim.comparing.answers import Answer
from continental_sim.comparing.compared import find_figures
from continental_sim.comparing.contrasts import Difference
from continental_sim.errors import ContsimError
from continental_sim.figures.compared_figure import Figure
from continental_sim.figures.estimates import z_value
from continental_sim.figures.formats import percent
from continental_sim.figures.precision import (
    LEAST_EVENTS,
    Target,
    look_plan,
    parse_target,
    refuse_whole,
    short_width,
)
from continental_sim.figures.structural import impossible_events
from continental_sim.rules import GameRules

GROWTH = (2, 1)  # each look has twice the deals: a look costs, as every study is stored for it


def read_goals(
    texts: Iterable[str],
    rules: Sequence[GameRules],
    compared: Sequence[Figure],
) -> list[Target]:
    """Read how well differences are to be known, such as ``turns=0.05`` or ``turns=1%``.

    Parameters
    ----------
    texts : iterable of str
        Figure, ``=``, half width of the difference; with ``%`` it is a share of the baseline's
        figure.
    rules : sequence of GameRules
        The baseline's first.
    compared : sequence of Figure

    Raises
    ------
    ContsimError
        If the figure is not compared or settled by the rules, or the width makes no sense.
    """
    goals = []
    for text in texts:
        target = parse_target(text)
        (figure,) = find_figures([target.metric], rules[0].game)
        if figure not in compared:
            raise ContsimError(
                f"{text!r} is of a figure that is not compared: leave --metric out, or add "
                f"--metric {figure.name}"
            )
        why = [impossible_events(each).get(figure.event, "") for each in rules]
        if all(why):
            raise ContsimError(f"{text!r} is known without a deal, since {why[0]}: name another")
        if target.relative and why[0]:
            raise ContsimError(
                f"{text!r} cannot be relative, since {figure.name} is 0 in the baseline "
                f"({why[0]}): give a half width, such as {figure.name}=0.001"
            )
        refuse_whole(target, text)
        if not target.relative and figure.rate and target.width >= 1:
            raise ContsimError(
                f"{text!r} asks nothing, since a difference of rates lies between -1 and 1: write "
                f"less than 1, or {figure.name}=1% for 1 % of the baseline's rate"
            )
        goals.append(target)
    return goals


def looks(seed: int, session: int, most: int) -> tuple[int, ...]:
    """Plan after how many deals of each study to look: as `precision.look_plan`, but doubling."""
    return look_plan(seed, session, most, GROWTH)


@dataclass(frozen=True)
class Narrowness:
    """How well the differences are known, at a look.

    Attributes
    ----------
    met : bool
    needed : int or None
        Deals of each study that will probably do; None if nothing can be said.
    text : str
        Each target in words, without a full stop.
    """

    met: bool
    needed: int | None
    text: str


def judge(answers: Sequence[Answer], goals: Sequence[Target], level: float) -> Narrowness:
    """Compare the differences with what is wanted; the widest of all variants counts.

    Parameters
    ----------
    answers : sequence of Answer
    goals : sequence of Target
        As `read_goals` gives them.
    level : float
        Of the intervals.
    """
    met, factor, words = True, 1.0, []
    for goal in goals:
        found = [
            each
            for answer in answers
            for each in answer.differences
            if each.figure.name == goal.metric
        ]
        wanted = _wanted(goal, found[0], level)
        half = max(each.half for each in found)
        met = met and half <= wanted
        factor = max(factor, (half / wanted) ** 2) if wanted else float("inf")
        words.append(_words(goal, half, wanted))
    finite = factor < float("inf")
    needed = round(answers[0].deals * factor) if finite else None
    return Narrowness(met, needed, "; ".join(words))


def _wanted(goal: Target, found: Difference, level: float) -> float:
    """Return the half width that is wanted; 0 while the baseline tells too little of its figure."""
    if not goal.relative:
        return goal.width
    value, low, high = found.base.value, found.base.low, found.base.high
    if value is None or low is None or high is None:
        return 0.0
    error = max(value - low, high - value) / z_value(level)
    # For a rate this is to have seen so many events.
    enough = value > 0 and error <= value / LEAST_EVENTS**0.5
    return goal.width * value if enough else 0.0


def _words(goal: Target, half: float, wanted: float) -> str:
    if not wanted:
        return f"{goal.metric}: too few in the baseline to say what {goal.wanted} of it is"
    share = f" ({percent(goal.width)} of the baseline's)" if goal.relative else ""
    return (
        f"differences of {goal.metric} to ± {short_width(half)}, wanted ± "
        f"{short_width(wanted)}{share}"
    )
