"""Answers to what-if questions: as a table, in sentences, and as plain data."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from continental_sim.comparing.answers import Answer
from continental_sim.comparing.contrasts import Difference, Side
from continental_sim.figures.formats import decimals_for, listed, number, percent, short
from continental_sim.figures.game_figures import GAME_FIGURES
from continental_sim.figures.tabular import Number
from continental_sim.language import numeral, tr

_OF = re.compile(" of an? ")
_SMALL = 1e-4  # below which a number has an exponent


def answer_text(answers: Sequence[Answer], level: float) -> str:
    """Write answers as lines of text: for each variant a sentence and a table.

    Parameters
    ----------
    answers : sequence of Answer
    level : float
        Of the intervals; also what a difference must reach to be told.
    """
    return "\n".join(_lines(answers, level))


def sentence(answer: Answer, level: float) -> str:
    """Say in words what a variant changes, beyond error.

    Parameters
    ----------
    answer : Answer
    level : float
    """
    told = [_told(each) for each in answer.differences if is_clear(each, level)]
    nothing, nothing_else = (
        tr("nothing changes beyond error"),
        tr("nothing else changes beyond error"),
    )
    changes = "; ".join([*told, nothing_else if told else nothing])
    return tr("With {variant}: {changes}.", variant=answer.name, changes=changes)


def is_clear(difference: Difference, level: float) -> bool:
    """Tell whether a difference is more than error, after the correction for all of them."""
    return not difference.same and difference.adjusted < 1 - level


def answer_to_json(answer: Answer, level: float) -> dict[str, Any]:
    """Return an answer as plain data.

    Parameters
    ----------
    answer : Answer
    level : float
    """
    return {
        "variant": answer.name,
        "directory": str(answer.study.directory),
        "deals": answer.deals,
        "paired": answer.paired,
        "sentence": sentence(answer, level),
        "notes": answer.notes,
        "figures": [_to_json(each, level) for each in answer.differences],
    }


def _to_json(each: Difference, level: float) -> dict[str, Any]:
    return {
        "name": each.figure.name,
        "baseline": _side_to_json(each.base),
        "variant": _side_to_json(each.other),
        "difference": {"value": each.value, "low": each.low, "high": each.high},
        "p": each.p,
        "p_adjusted": each.adjusted,
        "clear": is_clear(each, level),
        "same_in_every_deal": each.same,
    }


def _side_to_json(side: Side) -> dict[str, Any]:
    return {
        "value": side.value,
        "low": side.low,
        "high": side.high,
        "impossible": side.impossible or None,
    }


def _lines(answers: Sequence[Answer], level: float) -> Iterator[str]:
    for answer in answers:
        yield ""
        yield sentence(answer, level)
        yield from (f"({note}.)" for note in answer.notes)
        yield ""
        heading = f"difference ({percent(level)})"
        yield f"{'':<24} {'baseline':>12} {'variant':>12} {heading:>26}"
        for each in answer.differences:
            mark = " *" if is_clear(each, level) else ""
            sides = f"{value_text(each.base):>12} {value_text(each.other):>12}"
            yield f"  {each.figure.label:<22} {sides} {difference_text(each):>26}{mark}"
    yield ""
    yield (
        f"* beyond error: p below {1 - level:.3g} after Holm's correction for all comparisons. "
        f"Rates are of deals; {_of_exits(answers[0].study.rules.game)} of exits."
    )


def _of_exits(game: str) -> str:
    labels = [
        f"the {each.label}"
        for each in GAME_FIGURES[game].compared
        if each.rate and each.unit == "exits"
    ]
    return f"{listed(labels)} {'are' if labels[1:] else 'is'}"


def _told(each: Difference) -> str:
    """Say one difference in words."""
    label = each.figure.label
    if each.other.impossible:
        return tr(
            "{what} are impossible (before: {value})", what=tr(label), value=_interval(each.base)
        )
    if each.base.impossible:
        return tr(
            "{what}, impossible before, are {value}", what=tr(label), value=_interval(each.other)
        )
    return _compared(label, less=(each.value or 0.0) < 0).format(
        what=_OF.sub(lambda of: of[0][3:], tr(label)),
        variant=value_text(each.other),
        baseline=value_text(each.base),
        difference=difference_text(each),
    )


def _compared(label: str, *, less: bool) -> str:
    """Return the words for a difference in what a label names."""
    match label.partition(" ")[0], less:
        case (("payment" | "score"), False):
            return tr("higher {what}, {variant} against {baseline} ({difference})")
        case (("payment" | "score"), True):
            return tr("lower {what}, {variant} against {baseline} ({difference})")
        case "share", False:
            return tr("larger {what}, {variant} against {baseline} ({difference})")
        case "share", True:
            return tr("smaller {what}, {variant} against {baseline} ({difference})")
        case _, False:
            return tr("more {what}, {variant} against {baseline} ({difference})")
    return tr("fewer {what}, {variant} against {baseline} ({difference})")


def _interval(side: Side) -> str:
    if side.low is None or side.high is None or side.low == side.high:
        return tr("{value} (in every deal)", value=value_text(side))
    decimals = decimals_for((side.high - side.low) / 2)
    low, high = (_number(bound, decimals) for bound in (side.low, side.high))
    return tr("{value} ({low} to {high})", value=value_text(side), low=low, high=high)


def value_text(side: Side) -> str:
    """Write a figure to two digits of its error."""
    if side.impossible:
        return tr("impossible")
    if side.value is None or side.low is None or side.high is None:
        return "-"
    half = (side.high - side.low) / 2
    return _number(side.value, decimals_for(half)) if half and side.value else short(side.value)


def difference_text(each: Difference) -> str:
    """Write the interval of a difference, or why there is none to tell."""
    if (each.base.impossible and each.other.impossible) or each.value is None:
        return "-"
    if each.same or each.low is None or each.high is None:
        return tr("same in every deal")
    if each.low == each.high:
        return tr("{value} in every deal", value=numeral(f"{each.value:+g}"))
    decimals = decimals_for((each.high - each.low) / 2)
    return f"{_number(each.low, decimals)} .. {_number(each.high, decimals)}"


def side_cell(side: Side) -> Number:
    """Return a figure of one set of deals."""
    return Number(value_text(side), side.value, side.low, side.high)


def difference_cell(each: Difference) -> Number:
    """Return a difference with its interval."""
    return Number(difference_text(each), each.value, each.low, each.high)


def _number(value: float, decimals: int) -> str:
    if value and abs(value) < _SMALL:
        return numeral(f"{value:.2e}")
    return number(value, decimals)
