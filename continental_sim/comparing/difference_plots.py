"""Charts of the answers to a what-if question: each difference with its interval around zero.

matplotlib takes a second to import: import this module where it is used.
"""

import re
from collections.abc import Sequence
from typing import Final

from matplotlib.ticker import MaxNLocator

from continental_sim.comparing.answers import Answer
from continental_sim.comparing.contrasts import Difference
from continental_sim.comparing.whatif_table import difference_text, is_clear, value_text
from continental_sim.figures import formats
from continental_sim.figures.plot_style import BLACK, BLUE, GREY, Chart, house_style, new_figure
from continental_sim.language import tr
from continental_sim.words import counted

_NAME: Final = 28  # letters of a variant's name that a chart shows
_ROW: Final = 0.36  # [inches] for each variant


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
        figure, axes = new_figure(title, sample, height=_ROW * len(answers) + 1.9)
        axes.axvline(0, color=BLACK, linewidth=1)
        for row, each in enumerate(found):
            colour = BLUE if is_clear(each, level) else GREY
            if each.low is not None and each.high is not None and each.value is not None:
                axes.hlines(row, each.low, each.high, color=colour, linewidth=2)
                axes.plot(
                    each.value,
                    row,
                    "o" if each.paired else "s",
                    color=colour,
                    markerfacecolor=colour if is_clear(each, level) else "white",
                    markersize=6,
                )
            axes.text(
                1.02, row, difference_text(each), transform=axes.get_yaxis_transform(), va="center"
            )
        axes.set_yticks(range(len(names)), names)
        axes.set_ylim(len(names) - 0.5, -0.5)
        axes.margins(x=0.08)
        axes.grid(visible=False, axis="y")
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
    return Chart("difference-" + re.sub(r"\W+", "-", compared.name).strip("-"), title, alt, figure)


def _words(each: Difference, level: float) -> str:
    if each.settled:
        return difference_text(each)
    told = difference_text(each)
    if is_clear(each, level):
        return tr("{difference} (beyond error)", difference=told)
    return tr("{difference} (within error)", difference=told)
