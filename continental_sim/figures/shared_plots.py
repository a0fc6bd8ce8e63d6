"""Charts of deals, players and seats that all games have; intervals are always drawn.

matplotlib takes a second to import: import this module where it is used.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from matplotlib.ticker import MaxNLocator

from continental_sim.figures import formats
from continental_sim.figures.estimates import STRUCTURAL, Estimate, Mean, proportion
from continental_sim.figures.plot_style import (
    BLUE,
    GREY,
    Chart,
    Interval,
    draw_intervals,
    draw_rows,
    house_style,
    in_percent,
    new_figure,
    say_instead,
    tally,
)
from continental_sim.figures.summary import Summary
from continental_sim.figures.table_blocks import ends_of
from continental_sim.language import marked, tr
from continental_sim.words import counted

NO_EXITS: Final = marked("No deal ended in an exit.")
_MOST_BARS: Final = 100
_TAIL: Final = 0.001  # share of the exits that may be left out at the right end


def ends_chart(summary: Summary, exits: Mapping[str, Estimate]) -> Chart:
    """Draw the rates of the ends, and of sorts of exit, on a logarithmic scale."""
    rates = {tr("end: {end}", end=name): end for name, end in ends_of(summary).items()}
    rates |= exits
    title = tr("How deals end")
    bounds = [bound for rate in rates.values() for bound in (rate.low, rate.high) if bound]
    left = 10 ** math.floor(math.log10(min(bounds, default=0.1)) - 0.2)
    with house_style():
        figure, axes = new_figure(title, sample(summary), height=4.1)
        axes.set_xscale("log")
        axes.set_xlim(left, 1.5)
        axes.xaxis.set_major_formatter(in_percent())
        for place, rate in enumerate(rates.values()):
            if rate.low is not None and rate.high is not None:
                axes.hlines(place, max(rate.low, left), rate.high, color=BLUE, linewidth=2)
                # Pointing left: no event was seen, the rate is somewhere below this bound.
                marker = "o" if rate.count else "<"
                axes.plot(rate.rate or rate.high, place, marker, color=BLUE)
            axes.text(
                1.02, place, rate_words(rate), transform=axes.get_yaxis_transform(), va="center"
            )
        axes.set_yticks(range(len(rates)), list(rates))
        axes.set_ylim(len(rates) - 0.5, -0.5)
        axes.grid(visible=False, axis="y")
        axes.axhline(len(summary.ends) - 0.5, color=GREY, linewidth=0.8)
        axes.set_xlabel(tr("share of all deals (logarithmic)"))
    told = "; ".join(f"{name} {rate_words(rate)}" for name, rate in rates.items())
    return Chart("ends", title, tr("Shares of all deals. {told}.", told=told), figure)


def exits_by_turn_chart(summary: Summary, kinds: Mapping[str, tuple[str, str, str]]) -> Chart:
    """Draw stacked bars: on which turn of the deal exits come, by kind.

    Parameters
    ----------
    summary : Summary
    kinds : mapping of str to (str, str, str)
        Title, colour and hatch of each kind, from the lowest part of a bar to the highest.
    """
    title = tr("Exits by turn")
    totals = Counter[int]()
    for counts in summary.exits_by_turn.values():
        totals.update(counts)
    last = _last_shown(totals)
    seats = len(summary.seats)
    width = 1 if last <= _MOST_BARS else seats * math.ceil(last / (seats * _MOST_BARS))
    left_out = sum(count for turn, count in totals.items() if turn > last)
    note = ""
    if left_out:
        note = tr("; {exits} later ones not shown", exits=formats.count(left_out))
    with house_style():
        figure, axes = new_figure(title, sample(summary) + note)
        heights = Counter[int]()
        for kind, (label, colour, hatch) in kinds.items():
            counts = summary.exits_by_turn[kind]
            bins = tally({turn: counts[turn] for turn in counts if turn <= last}, width)
            axes.bar(
                [first + (width - 1) / 2 for first in bins],
                [count / summary.deals for count in bins.values()],
                bottom=[heights[first] / summary.deals for first in bins],
                width=0.85 * width,
                color=colour,
                hatch=hatch,
                edgecolor="white",
                linewidth=0,
                label=tr(label),
            )
            heights.update(bins)
        draw_intervals(
            axes,
            [first + (width - 1) / 2 for first in heights],
            [proportion(n, summary.deals, summary.level) for n in heights.values()],
        )
        if totals:
            axes.legend()
        else:
            say_instead(axes, tr(NO_EXITS))
        axes.yaxis.set_major_formatter(in_percent())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_ylabel(tr("share of all deals"))
        bars = "" if width == 1 else tr(" (bars of {width} turns)", width=width)
        axes.set_xlabel(f"{tr('turn of the deal, the turns of all seats counted')}{bars}")
    alt = tr(NO_EXITS)
    if totals:
        alt = tr(
            "The share of the deals that end in an exit is highest on turn {turn}; half of all "
            "deals last at most {half} turns, 95 % at most {most}.",
            turn=max(totals, key=totals.__getitem__),
            half=formats.quantile_text(summary.turns, 0.5),
            most=formats.quantile_text(summary.turns, 0.95),
        )
    return Chart("exits-by-turn", title, alt, figure)


def ledger_chart(summary: Summary) -> Chart:
    """Draw the mean ledger of each player with its interval."""
    capped, pay = formats.capped_text(summary.ends), tr(summary.words.pay)
    note = tr("({capped}; they {pay} nothing)", capped=capped, pay=pay)
    return players_chart(
        summary,
        [player.ledger for player in summary.players],
        name="ledger",
        title=tr("Ledger by player"),
        axis=f"{tr('mean ledger [points a deal]')}\n{note}",
        told=tr("Mean ledger in points a deal"),
    )


def players_chart(
    summary: Summary, means: Sequence[Mean], *, name: str, title: str, axis: str, told: str
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
    """
    players, texts = summary.players, [formats.mean_text(mean) for mean in means]
    with house_style():
        figure, axes = new_figure(title, sample(summary), height=0.42 * len(players) + 2.1)
        rows = [
            Interval(
                formats.player_label(player.strategy, player.number, 32),
                mean.mean,
                mean.low,
                mean.high,
                True,
            )
            for player, mean in zip(players, means, strict=True)
        ]
        draw_rows(axes, rows, texts)
        axes.set_xlabel(axis)
    words = "; ".join(f"{p.label} {text}" for p, text in zip(players, texts, strict=True))
    return Chart(name, title, f"{told}: {words}.", figure)


def seats_chart(summary: Summary) -> Chart:
    """Draw the share of the deals won from each seat, against equal shares."""
    title = tr("Wins by seat")
    seats = summary.seats
    wins = [seat.wins for seat in seats]
    numbers = [seat.number for seat in seats]
    equal = (summary.ends["exit"].rate or 0.0) / len(seats)
    with house_style():
        figure, axes = new_figure(title, sample(summary))
        axes.axhline(equal, color=GREY, linestyle="--", linewidth=1, label=tr("equal shares"))
        draw_intervals(axes, numbers, wins, color=BLUE, linewidth=2)
        axes.plot(numbers, [win.rate or 0.0 for win in wins], "o", color=BLUE)
        names = [str(number) for number in numbers]
        names[0] += f"\n{tr('acts first')}"
        names[-1] += f"\n{tr('dealer')}"
        axes.set_xticks(numbers, names)
        axes.set_xlim(-0.5, len(seats) - 0.5)
        axes.margins(y=0.15)
        axes.grid(visible=False, axis="x")
        axes.yaxis.set_major_formatter(in_percent())
        axes.set_xlabel(tr("seat"))
        axes.set_ylabel(tr("share of all deals won"))
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1))
    words = "; ".join(
        f"{tr('seat {number}', number=seat.number)} {rate_words(seat.wins)}" for seat in seats
    )
    return Chart("seats", title, tr("Share of all deals won: {words}.", words=words), figure)


def sample(summary: Summary) -> str:
    """Say of how many deals a chart is."""
    level = formats.percent(summary.level)
    return tr(
        "{deals}, {seats} seats, {level} intervals",
        deals=counted(summary.deals, "deal"),
        seats=len(summary.seats),
        level=level,
    )


def rate_words(rate: Estimate) -> str:
    """Write a rate with its interval."""
    if rate.method == STRUCTURAL:
        return tr("impossible")
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
    name: str,
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
    name, title, axis : str
        Of the file; what exits bring, and the label of the axis.
    told : str
        What the chart tells.
    width : int
        Payments of a bar [points].
    log : bool
    """
    title = tr("{title}, the rare ones too", title=title) if log else title
    places = [first + (width - 1) / 2 for first in shares]
    estimates = list(shares.values())
    rates = [share.rate or 0.0 for share in estimates]
    with house_style():
        figure, axes = new_figure(title, sample(summary))
        if not places:
            say_instead(axes, tr(NO_EXITS))
        elif log:
            axes.set_yscale("log")
            axes.plot(places, rates, "o", color=BLUE, markersize=5)
            draw_intervals(axes, places, estimates, color=BLUE)
        else:
            axes.bar(places, rates, color=BLUE, width=0.8 * width)
            draw_intervals(axes, places, estimates)
        axes.yaxis.set_major_formatter(in_percent())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=20))
        axes.set_xlabel(axis)
        axes.set_ylabel(tr("share of exits (logarithmic)") if log else tr("share of exits"))
    alt = tr(NO_EXITS)
    if places:
        alt = told
        if log:
            alt = tr("On a logarithmic scale: {told}", told=f"{told[0].lower()}{told[1:]}")
    return Chart(f"{name}-log" if log else name, title, alt, figure)
