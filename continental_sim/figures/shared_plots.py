"""Charts of deals, players and seats that all games have; intervals are always drawn.

matplotlib takes a second to import: import this module where it is used.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Final

from matplotlib.axes import Axes
from matplotlib.ticker import LogLocator, MaxNLocator

from continental_sim.figures import formats
from continental_sim.figures.estimates import STRUCTURAL, Estimate, Mean, proportion
from continental_sim.figures.plot_style import (
    BLUE,
    GREY,
    NO_EXITS,
    Chart,
    Interval,
    draw_band,
    draw_intervals,
    draw_level,
    draw_rows,
    house_style,
    in_percent,
    mark_zero,
    new_figure,
    rows_height,
    say_instead,
    tally,
)
from continental_sim.figures.summary import Summary
from continental_sim.figures.table_parts import interval_title
from continental_sim.figures.tabular import (
    Number,
    Table,
    rate_cells,
    table_of_means,
    table_of_rates,
    whole,
)
from continental_sim.words import counted

_MOST_PLACES: Final = 100  # of a curve
_FEW: Final = 12  # turns whose marks have room
_TAIL: Final = 0.001  # share of the exits that may be left out at the right end


def ends_chart(summary: Summary, exits: Mapping[str, Estimate]) -> Chart:
    """Draw the rates of the ends, and of sorts of exit, on a logarithmic scale."""
    words = {"drawn": summary.words.drawn}
    rates = {words.get(name, name): end for name, end in summary.ends.items()}
    rates |= exits
    title = "How deals end"
    bounds = [bound for rate in rates.values() for bound in (rate.low, rate.high) if bound]
    left = 10 ** math.floor(math.log10(min(bounds, default=0.1)) - 0.2)
    with house_style():
        figure, axes = new_figure(title, sample(summary), height=rows_height(len(rates)))
        axes.set_xscale("log")
        axes.set_xlim(left, 1.5)
        axes.xaxis.set_major_formatter(in_percent())
        axes.xaxis.set_major_locator(LogLocator(numticks=6))
        draw_rows(axes, [_row_on_log(name, rate, left) for name, rate in rates.items()])
        axes.axhline(len(summary.ends) - 0.72, color=GREY, linewidth=0.8)
        axes.set_xlabel("share of all deals (logarithmic)")
    told = "; ".join(f"{name} {rate_words(rate)}" for name, rate in rates.items())
    return Chart(
        "ends",
        title,
        f"A share of {rate_words(summary.ends['exit'])} of the deals ends in an exit.",
        f"Shares of all deals. {told}.",
        figure,
        table_of_rates(f"{title}: shares of all deals", "what", rates, summary.level),
    )


def _row_on_log(name: str, rate: Estimate, left: float) -> Interval:
    """Return a row; where no event was seen, its mark points left from the bound of the rate."""
    words = rate_words(rate)
    if rate.low is None or rate.high is None:
        return Interval(name, words, None, None, None)
    low = max(rate.low, left)
    if rate.count:
        return Interval(name, words, rate.rate, low, rate.high)
    return Interval(name, words, rate.high, low, rate.high, marker="<")


def exits_by_turn_chart(summary: Summary, kinds: Mapping[str, tuple[str, str]]) -> Chart:
    """Draw curves in the bands of their intervals: on which turn of the deal exits come, by kind.

    Parameters
    ----------
    summary : Summary
    kinds : mapping of str to (str, str)
        Title and colour of each kind, the commonest first.
    """
    title = "Exits by turn"
    totals = Counter[int]()
    for counts in summary.exits_by_turn.values():
        totals.update(counts)
    last = _last_shown(totals)
    seats = len(summary.seats)
    width = 1 if last <= _MOST_PLACES else seats * math.ceil(last / (seats * _MOST_PLACES))
    left_out = sum(count for turn, count in totals.items() if turn > last)
    note = f"; {left_out:,} later ones not shown" if left_out else ""
    curves = {
        label: _by_turn(summary, tally(_until(summary.exits_by_turn[kind], last), width))
        for kind, (label, _) in kinds.items()
    }
    with house_style():
        figure, axes = new_figure(title, sample(summary) + note, height=4.1)
        if totals:
            axes.set_ylim(0, 1.3 * _highest(curves))
            for place, (label, colour) in enumerate(kinds.values()):
                _draw_kind(axes, place, label, colour, curves[label], width)
        else:
            say_instead(axes, NO_EXITS)
        axes.yaxis.set_major_formatter(in_percent())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_ylabel("share of all deals")
        bars = "" if width == 1 else f", {width} together"
        axes.set_xlabel(f"turn of the deal, of all seats{bars}")
    finding = NO_EXITS
    alt = NO_EXITS
    if totals:
        most, half = max(totals, key=totals.__getitem__), formats.quantile_text(summary.turns, 0.5)
        peak = proportion(totals[most], summary.deals, summary.level)
        finding = (
            f"Most exits come on turn {most}, in a share of {rate_words(peak)} of the deals; half "
            f"of all deals last at most {half} turns."
        )
        alt = (
            f"The share of the deals that end in an exit is highest on turn {most}; half of all "
            f"deals last at most {half} turns, 95 % at most "
            f"{formats.quantile_text(summary.turns, 0.95)}."
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
    head = ["turn", *(words for label in curves for words in (label, interval))]
    rows = [
        (
            whole(turn) if width == 1 else Number(f"{turn} to {turn + width - 1}", turn),
            *(
                cell
                for each in curves.values()
                for cell in (rate_cells(each[turn])[1:] if turn in each else ("-", "-"))
            ),
        )
        for turn in turns
    ]
    return Table("Exits by turn: shares of all deals", head, rows)


def ledger_chart(summary: Summary) -> Chart:
    """Draw the mean ledger of each player with its interval."""
    capped = formats.capped_text(summary.ends)
    return players_chart(
        summary,
        [player.ledger for player in summary.players],
        name="ledger",
        title="Ledger by player",
        axis=f"mean ledger [points a deal]\n({capped}; they {summary.words.pay} nothing)",
        told="Mean ledger in points a deal",
        zero=True,
    )


def players_chart(
    summary: Summary,
    means: Sequence[Mean],
    *,
    name: str,
    title: str,
    axis: str,
    told: str,
    zero: bool = False,
) -> Chart:
    """Draw a mean of each player with its interval.

    Parameters
    ----------
    summary : Summary
    means : sequence of Mean
        In the order of the line-up.
    name, title, axis : str
    told : str
        What the chart tells, before the numbers.
    zero : bool
        Whether the means are differences, drawn around zero.
    """
    players, texts = summary.players, [formats.mean_text(mean) for mean in means]
    with house_style():
        figure, axes = new_figure(title, sample(summary), height=rows_height(len(players)))
        rows = [
            Interval(
                formats.player_label(player.strategy, player.number, 28),
                text,
                mean.mean,
                mean.low,
                mean.high,
            )
            for player, mean, text in zip(players, means, texts, strict=True)
        ]
        draw_rows(axes, rows)
        if zero:
            mark_zero(axes)
        axes.set_xlabel(axis)
    words = "; ".join(f"{p.label} {text}" for p, text in zip(players, texts, strict=True))
    return Chart(
        name,
        title,
        _extremes(summary, means, told),
        f"{told}: {words}.",
        figure,
        table_of_means(
            told, "player", zip((p.label for p in players), means, strict=True), summary.level
        ),
    )


def _extremes(summary: Summary, means: Sequence[Mean], told: str) -> str:
    """Say who has the highest and who the lowest mean, and whether they are apart."""
    known = [
        (mean, player.label)
        for mean, player in zip(means, summary.players, strict=True)
        if mean.low is not None
    ]
    if not known:
        return f"{told}: no player has an interval."
    (least, last), (most, first) = (
        choose(known, key=lambda each: each[0].mean or 0.0) for choose in (min, max)
    )
    overlap = "do not overlap" if (most.low or 0.0) > (least.high or 0.0) else "overlap"
    return (
        f"{told}: {first} has most, {formats.mean_text(most)}, and {last} least, "
        f"{formats.mean_text(least)}; their intervals {overlap}."
    )


def seats_chart(summary: Summary) -> Chart:
    """Draw the share of the deals won from each seat, against equal shares."""
    title = "Wins by seat"
    seats = summary.seats
    wins = [seat.wins for seat in seats]
    numbers = [seat.number for seat in seats]
    equal = (summary.ends["exit"].rate or 0.0) / len(seats)
    with house_style():
        figure, axes = new_figure(title, sample(summary))
        draw_level(axes, equal, "equal shares")
        draw_intervals(axes, numbers, wins, color=BLUE, linewidth=2.5)
        axes.plot(numbers, [win.rate or 0.0 for win in wins], "o", color=BLUE)
        names = [str(number) for number in numbers]
        names[0] += "\nacts first"
        names[-1] += "\ndealer"
        axes.set_xticks(numbers, names)
        axes.set_xlim(-0.5, len(seats) - 0.5)
        axes.margins(y=0.15)
        axes.grid(visible=False, axis="x")
        axes.yaxis.set_major_formatter(in_percent())
        axes.set_xlabel("seat")
        axes.set_ylabel("share of all deals won")
    words = "; ".join(f"seat {seat.number} {rate_words(seat.wins)}" for seat in seats)
    most, fewest = (choose(seats, key=lambda seat: seat.wins.rate or 0.0) for choose in (max, min))
    finding = NO_EXITS
    if most.wins.count:
        finding = (
            f"Seat {most.number} wins most deals, {rate_words(most.wins)}, and seat "
            f"{fewest.number} fewest, {rate_words(fewest.wins)}."
        )
    rates = {f"seat {seat.number}": seat.wins for seat in seats}
    return Chart(
        "seats",
        title,
        finding,
        f"Share of all deals won: {words}.",
        figure,
        table_of_rates("Wins by seat: shares of all deals", "seat", rates, summary.level),
    )


def sample(summary: Summary) -> str:
    """Say of how many deals a chart is."""
    level = formats.percent(summary.level)
    return f"{counted(summary.deals, 'deal')}, {len(summary.seats)} seats, {level} intervals"


def rate_words(rate: Estimate) -> str:
    """Write a rate with its interval."""
    if rate.method == STRUCTURAL:
        return "impossible"
    return f"{formats.rate_text(rate)} ({formats.interval_text(rate)})"


def _last_shown(totals: Counter[int]) -> int:
    """Return the turn up to which all exits come but the rarest."""
    left = _TAIL * totals.total()
    for turn in sorted(totals, reverse=True):
        left -= totals[turn]
        if left < 0:
            return turn
    return 1


def payments_chart(
    summary: Summary,
    shares: Mapping[int, Estimate],
    *,
    title: str,
    axis: str,
    told: str,
    width: int = 1,
    log: bool = False,
) -> Chart:
    """Draw the distribution of what exits bring: bars, or points on a logarithmic scale.

    Parameters
    ----------
    summary : Summary
    shares : mapping of int to Estimate
        Of the exits, by the lowest payment of each bar [points].
    title, axis : str
        What exits bring, and the label of the axis.
    told : str
        What the chart tells.
    width : int
        Payments of a bar [points].
    log : bool
    """
    name = title.lower()
    title = f"{title}, the rare ones too" if log else title
    places = [first + (width - 1) / 2 for first in shares]
    estimates = list(shares.values())
    rates = [share.rate or 0.0 for share in estimates]
    with house_style():
        figure, axes = new_figure(title, sample(summary))
        if not places:
            say_instead(axes, NO_EXITS)
        elif log:
            axes.set_yscale("log")
            axes.plot(places, rates, "o", color=BLUE, markersize=4)
            draw_intervals(axes, places, estimates, color=BLUE)
        else:
            axes.bar(places, rates, color=BLUE, width=0.8 * width)
            draw_intervals(axes, places, estimates)
        axes.yaxis.set_major_formatter(in_percent())
        axes.xaxis.set_major_locator(MaxNLocator(nbins="auto", integer=True, steps=[1, 2, 5, 10]))
        axes.set_xlabel(axis)
        axes.set_ylabel("share of exits" + (" (logarithmic)" if log else ""))
    alt = finding = NO_EXITS
    if places:
        alt = f"On a logarithmic scale: {told[0].lower()}{told[1:]}" if log else told
        finding = _rarest(estimates, places, width) if log else told
    names = (f"{first}" if width == 1 else f"{first} to {first + width - 1}" for first in shares)
    return Chart(
        f"{name}-log" if log else name,
        title,
        finding,
        alt,
        figure,
        table_of_rates(
            f"{title}: shares of the exits",
            axis,
            dict(zip(names, estimates, strict=True)),
            summary.level,
        ),
    )


def _rarest(shares: Sequence[Estimate], places: Sequence[float], width: int) -> str:
    """Say how rare the rarest is that was seen."""
    share, place = min(
        (each for each in zip(shares, places, strict=True) if each[0].count),
        key=lambda each: each[0].rate or 0.0,
    )
    points = f"{place:g}" if width == 1 else f"about {place:g}"
    return f"The rarest that was seen are {points} points, in {rate_words(share)} of the exits."
