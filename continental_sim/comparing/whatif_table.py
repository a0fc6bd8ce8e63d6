"""Answers to what-if questions: as a table, in sentences, and as plain data."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from continental_sim.comparing.answers import Answer
from continental_sim.comparing.contrasts import Difference, Side
from continental_sim.figures.formats import decimals_for, listed, number, percent
from continental_sim.figures.game_figures import GAME_FIGURES

_COMPARED = {
    "payment": ("higher", "lower"),
    "score": ("higher", "lower"),
    "share": ("larger", "smaller"),
}
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
    rest = "nothing else changes beyond error" if told else "nothing changes beyond error"
    return f"With {answer.name}: {'; '.join([*told, rest])}."


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
        return f"{label} are impossible (before: {_interval(each.base)})"
    if each.base.impossible:
        return f"{label}, impossible before, are {_interval(each.other)}"
    words = _COMPARED.get(label.partition(" ")[0], ("more", "fewer"))
    start = f"{words[(each.value or 0.0) < 0]} {_OF.sub(lambda of: of[0][3:], label)}"
    return (
        f"{start}, {value_text(each.other)} against {value_text(each.base)} "
        f"({difference_text(each)})"
    )


def _interval(side: Side) -> str:
    if side.low is None or side.high is None or side.low == side.high:
        return f"{value_text(side)} (in every deal)"
    decimals = decimals_for((side.high - side.low) / 2)
    low, high = (_number(bound, decimals) for bound in (side.low, side.high))
    return f"{value_text(side)} ({low} to {high})"


def value_text(side: Side) -> str:
    """Write a figure to two digits of its error."""
    if side.impossible:
        return "impossible"
    if side.value is None or side.low is None or side.high is None:
        return "-"
    half = (side.high - side.low) / 2
    return _number(side.value, decimals_for(half)) if half and side.value else f"{side.value:g}"


def difference_text(each: Difference) -> str:
    """Write the interval of a difference, or why there is none to tell."""
    if (each.base.impossible and each.other.impossible) or each.value is None:
        return "-"
    if each.same or each.low is None or each.high is None:
        return "same in every deal"
    if each.low == each.high:
        return f"{each.value:+g} in every deal"
    decimals = decimals_for((each.high - each.low) / 2)
    return f"{_number(each.low, decimals)} .. {_number(each.high, decimals)}"


def _number(value: float, decimals: int) -> str:
    if value and abs(value) < _SMALL:
        return f"{value:.2e}"
    return number(value, decimals)
