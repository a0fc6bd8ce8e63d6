"""Charts of the answers to a what-if question: each difference with its interval around zero.

matplotlib takes a second to import: import this module where it is used.
"""

import re
from collections.abc import Sequence
from typing import Final

from matplotlib.ticker import MaxNLocator

from continental_sim.comparing.answers import Answer
from continental_sim.comparing.contrasts import Difference
from continental_sim.comparing.whatif_table import (
    difference_cell,
    difference_text,
    is_clear,
    side_cell,
    value_text,
)
from continental_sim.figures import formats
from continental_sim.figures.plot_style import (
    Chart,
    Interval,
    draw_rows,
    house_style,
    mark_zero,
    new_figure,
    rows_height,
)
from continental_sim.figures.tabular import Table
from continental_sim.language import tr
from continental_sim.words import counted

_NAME: Final = 28  # letters of a variant's name that a chart shows


def difference_charts(answers: Sequence[Answer], level: float) -> list[Chart]:
    """Draw a chart for each figure in which any variant may differ.

    Parameters
    ----------
    answers : sequence of Answer
    level : float
        Of the intervals; also what tells a difference from error.
    """
    return [
        difference_chart(answers, place, level)
        for place in range(len(answers[0].differences))
        if any(not answer.differences[place].settled for answer in answers)
    ]


def difference_chart(answers: Sequence[Answer], place: int, level: float) -> Chart:
    """Draw the differences of one figure, a row for each variant.

    Parameters
    ----------
    answers : sequence of Answer
    place : int
        Of the figure among the differences of an answer.
    level : float
    """
    found = [answer.differences[place] for answer in answers]
    compared = found[0].figure
    names = formats.distinct([answer.name for answer in answers], _NAME)
    title = tr("Difference in {figure}", figure=tr(compared.label))
    sample = tr(
        "{deals} of each, {level} intervals",
        deals=counted(answers[0].deals, "deal"),
        level=formats.percent(level),
    )
    marks = tr("full marks: beyond error")
    if not all(each.paired for each in found):
        marks += tr("; squares: another pack, unpaired")
    with house_style():
        figure, axes = new_figure(title, sample, height=rows_height(len(answers)) + 0.15)
        rows = [
            Interval(
                name,
                difference_text(each),
                None if each.low is None else each.value,
                each.low,
                each.high,
                is_clear(each, level),
                "o" if each.paired else "s",
            )
            for name, each in zip(names, found, strict=True)
        ]
        draw_rows(axes, rows)
        mark_zero(axes)
        what = tr("share of {unit}", unit=tr(compared.unit)) if compared.rate else tr("mean")
        axes.xaxis.set_major_locator(MaxNLocator(nbins=5))
        baseline = value_text(found[0].base)
        axis = tr("variant minus baseline, {what} (baseline: {value})", what=what, value=baseline)
        axes.set_xlabel(f"{axis}\n{marks}")
    words = "; ".join(
        f"{name} {_words(each, level)}" for name, each in zip(names, found, strict=True)
    )
    alt = tr(
        "{difference} from the baseline ({value}): {words}.",
        difference=title,
        value=value_text(found[0].base),
        words=words,
    )
    return Chart(
        "difference-" + re.sub(r"\W+", "-", compared.name).strip("-"),
        title,
        _finding(names, found, level),
        alt,
        figure,
        _numbers(answers, found, title, level),
    )


def _finding(names: Sequence[str], found: Sequence[Difference], level: float) -> str:
    """Say which variants differ beyond error, and by how much."""
    base = value_text(found[0].base)
    clear = [
        tr("{variant} by {difference}", variant=name, difference=difference_text(each))
        for name, each in zip(names, found, strict=True)
        if is_clear(each, level)
    ]
    if not clear:
        return tr("No variant differs beyond error from the baseline, {base}.", base=base)
    return tr(
        "Beyond error differ from the baseline, {base}: {variants}.",
        base=base,
        variants=formats.listed(clear),
    )


def _numbers(
    answers: Sequence[Answer], found: Sequence[Difference], title: str, level: float
) -> Table:
    rows = [
        (answer.name, side_cell(each.base), side_cell(each.other), difference_cell(each))
        for answer, each in zip(answers, found, strict=True)
    ]
    head = (
        *(tr("variant"), tr("baseline"), tr("variant has")),
        tr("difference ({level})", level=formats.percent(level)),
    )
    return Table(title, head, rows)


def _words(each: Difference, level: float) -> str:
    if each.settled:
        return difference_text(each)
    told = difference_text(each)
    if is_clear(each, level):
        return tr("{difference} (beyond error)", difference=told)
    return tr("{difference} (within error)", difference=told)
