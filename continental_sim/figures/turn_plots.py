"""The chart of the turns on which exits come, that all games have.

matplotlib takes a second to import: import this module where it is used.
"""

import math
from collections import Counter
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from continental_sim.figures import formats
from continental_sim.figures.estimates import Estimate, proportion
from continental_sim.figures.plot_style import (
    NO_EXITS,
    Chart,
    draw_band,
    draw_intervals,
    house_style,
    in_percent,
    new_figure,
    range_text,
    say_instead,
    tally,
)
from continental_sim.figures.shared_plots import rate_words, sample
from continental_sim.figures.summary import Summary
from continental_sim.figures.table_parts import interval_title
from continental_sim.figures.tabular import Number, Table, rate_cells
from continental_sim.language import tr

_MOST_PLACES: Final = 100  # of a curve
_FEW: Final = 12  # turns whose marks have room
_TAIL: Final = 0.001  # share of the exits that may be left out at the right end


def exits_by_turn_chart(summary: Summary, kinds: Mapping[str, tuple[str, str]]) -> Chart:
    """Draw curves in the bands of their intervals: on which turn of the deal exits come, by kind.

    Parameters
    ----------
    summary : Summary
    kinds : mapping of str to (str, str)
        Title and colour of each kind, the commonest first.
    """
    title = tr("Exits by turn")
    totals = Counter[int]()
    for counts in summary.exits_by_turn.values():
        totals.update(counts)
    last = _last_shown(totals)
    seats = len(summary.seats)
    width = 1 if last <= _MOST_PLACES else seats * math.ceil(last / (seats * _MOST_PLACES))
    left_out = sum(count for turn, count in totals.items() if turn > last)
    note = ""
    if left_out:
        note = tr("; {exits} later ones not shown", exits=formats.count(left_out))
    curves = {
        tr(label): _by_turn(summary, tally(_until(summary.exits_by_turn[kind], last), width))
        for kind, (label, _) in kinds.items()
    }
    with house_style():
        figure, axes = new_figure(title, sample(summary) + note, height=4.1)
        if totals:
            axes.set_ylim(0, 1.3 * _highest(curves))
            for place, (label, colour) in enumerate(kinds.values()):
                _draw_kind(axes, place, tr(label), colour, curves[tr(label)], width)
        else:
            say_instead(axes, tr(NO_EXITS))
        axes.yaxis.set_major_formatter(in_percent())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_ylabel(tr("share of all deals"))
        bars = "" if width == 1 else tr(", {width} together", width=width)
        axes.set_xlabel(f"{tr('turn of the deal, of all seats')}{bars}")
    finding = alt = tr(NO_EXITS)
    if totals:
        most, half = max(totals, key=totals.__getitem__), formats.quantile_text(summary.turns, 0.5)
        peak = proportion(totals[most], summary.deals, summary.level)
        finding = tr(
            "Most exits come on turn {turn}, in a share of {share} of the deals; half of all "
            "deals last at most {half} turns.",
            turn=most,
            share=rate_words(peak),
            half=half,
        )
        alt = tr(
            "The share of the deals that end in an exit is highest on turn {turn}; half of all "
            "deals last at most {half} turns, 95 % at most {most}.",
            turn=most,
            half=half,
            most=formats.quantile_text(summary.turns, 0.95),
        )
    return Chart("exits-by-turn", title, finding, alt, figure, _turns_table(summary, curves, width))


def _highest(curves: Mapping[str, Mapping[int, Estimate]]) -> float:
    return max(share.high or 0.0 for each in curves.values() for share in each.values())


def _until(counts: Mapping[int, int], last: int) -> dict[int, int]:
    return {turn: count for turn, count in counts.items() if turn <= last}


def _by_turn(summary: Summary, bins: Mapping[int, int]) -> dict[int, Estimate]:
    """Return shares of the deals, between the first and the last turn on which there are any."""
    if not bins:
        return {}
    step = min((b - a for a, b in pairwise(bins)), default=1)
    return {
        turn: proportion(bins.get(turn, 0), summary.deals, summary.level)
        for turn in range(min(bins), max(bins) + 1, step)
    }


def _draw_kind(
    axes: Axes, place: int, label: str, colour: str, shares: Mapping[int, Estimate], width: int
) -> None:
    """Draw the curve of a kind, and its name: at the peak of the commonest, above the others."""
    if not shares:
        return
    turns = [turn + (width - 1) / 2 for turn in shares]
    rates = [share.rate or 0.0 for share in shares.values()]
    low, high = ([bound or 0.0 for bound in each] for each in zip(
        *((share.low, share.high) for share in shares.values()), strict=True))  # fmt: skip
    marker = "o" if len(turns) <= _FEW else ""
    draw_band(axes, turns, rates, (low, high), color=colour, marker=marker, markersize=4)
    draw_intervals(axes, turns, list(shares.values()), color=colour, linewidth=1)
    peak = rates.index(max(rates))
    if place and marker:
        # Above the curve of the commonest, which is low where few turns have been.
        at = 0 if place == 1 else -1
        axes.annotate(
            label,
            (turns[at], rates[at]),
            (turns[at], 1 - 0.085 * place),
            textcoords=axes.get_xaxis_transform(),
            ha="left",
            va="center",
            arrowprops={
                "arrowstyle": "-",
                "color": colour,
                "linewidth": 1.2,
                "shrinkA": 2,
                "shrinkB": 3,
                "relpos": (0, 0),
            },
        )
        return
    # Curves that run alike have their names on both sides of their peaks.
    right = place % 2 == 0
    axes.annotate(
        label,
        (turns[peak], rates[peak]),
        (18 if right else -18, 22),
        textcoords="offset points",
        ha="left" if right else "right",
        va="center",
        arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 1.2, "shrinkB": 3},
    )


def _turns_table(
    summary: Summary, curves: Mapping[str, Mapping[int, Estimate]], width: int
) -> Table:
    """Return what `exits_by_turn_chart` draws, turn by turn."""
    turns = sorted({turn for each in curves.values() for turn in each})
    interval = interval_title(summary.level)
    head = [tr("turn"), *(words for label in curves for words in (label, interval))]
    rows = [
        (
            Number(range_text(turn, width), turn),
            *(
                cell
                for each in curves.values()
                for cell in (rate_cells(each[turn])[1:] if turn in each else ("-", "-"))
            ),
        )
        for turn in turns
    ]
    return Table(tr("Exits by turn: shares of all deals"), head, rows)


def _last_shown(totals: Counter[int]) -> int:
    """Return the turn up to which all exits come but the rarest."""
    left = _TAIL * totals.total()
    for turn in sorted(totals, reverse=True):
        left -= totals[turn]
        if left < 0:
            return turn
    return 1
