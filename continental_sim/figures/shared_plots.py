"""Charts of deals, players and seats that all games have; intervals are always drawn.

matplotlib takes a second to import: import this module where it is used.
"""

import math
from collections.abc import Mapping, Sequence

from matplotlib.ticker import LogLocator, MaxNLocator

from continental_sim.figures import formats
from continental_sim.figures.estimates import STRUCTURAL, Estimate, Mean
from continental_sim.figures.plot_style import (
    BLUE,
    GREY,
    NO_EXITS,
    Chart,
    Interval,
    draw_intervals,
    draw_level,
    draw_rows,
    house_style,
    in_percent,
    mark_zero,
    new_figure,
    range_text,
    rows_height,
    say_instead,
)
from continental_sim.figures.summary import Summary
from continental_sim.figures.tabular import (
    table_of_means,
    table_of_rates,
)
from continental_sim.language import tr
from continental_sim.words import counted


def ends_chart(summary: Summary, exits: Mapping[str, Estimate]) -> Chart:
    """Draw the rates of the ends, and of sorts of exit, on a logarithmic scale."""
    words = {"drawn": summary.words.drawn}
    rates = {tr(words.get(name, name)): end for name, end in summary.ends.items()}
    rates |= exits
    title = tr("How deals end")
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
        axes.set_xlabel(tr("share of all deals (logarithmic)"))
    told = "; ".join(f"{name} {rate_words(rate)}" for name, rate in rates.items())
    return Chart(
        "ends",
        title,
        tr(
            "A share of {share} of the deals ends in an exit.",
            share=rate_words(summary.ends["exit"]),
        ),
        tr("Shares of all deals. {words}.", words=told),
        figure,
        table_of_rates(
            tr("{title}: shares of all deals", title=title), tr("what"), rates, summary.level
        ),
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
            told, tr("player"), zip((p.label for p in players), means, strict=True), summary.level
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
        return tr("{told}: no player has an interval.", told=told)
    (least, last), (most, first) = (
        choose(known, key=lambda each: each[0].mean or 0.0) for choose in (min, max)
    )
    apart = (most.low or 0.0) > (least.high or 0.0)
    return tr(
        "{told}: {first} has most, {most}, and {last} least, {least}; their intervals {overlap}.",
        told=told,
        first=first,
        most=formats.mean_text(most),
        last=last,
        least=formats.mean_text(least),
        overlap=tr("do not overlap") if apart else tr("overlap"),
    )


def seats_chart(summary: Summary) -> Chart:
    """Draw the share of the deals won from each seat, against equal shares."""
    title = tr("Wins by seat")
    seats = summary.seats
    wins = [seat.wins for seat in seats]
    numbers = [seat.number for seat in seats]
    equal = (summary.ends["exit"].rate or 0.0) / len(seats)
    with house_style():
        figure, axes = new_figure(title, sample(summary))
        draw_level(axes, equal, tr("equal shares"))
        draw_intervals(axes, numbers, wins, color=BLUE, linewidth=2.5)
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
    words = "; ".join(
        f"{tr('seat {number}', number=seat.number)} {rate_words(seat.wins)}" for seat in seats
    )
    most, fewest = (choose(seats, key=lambda seat: seat.wins.rate or 0.0) for choose in (max, min))
    finding = tr(NO_EXITS)
    if most.wins.count:
        finding = tr(
            "Seat {most} wins most deals, {largest}, and seat {fewest} fewest, {smallest}.",
            most=most.number,
            largest=rate_words(most.wins),
            fewest=fewest.number,
            smallest=rate_words(fewest.wins),
        )
    rates = {tr("seat {number}", number=seat.number): seat.wins for seat in seats}
    return Chart(
        "seats",
        title,
        finding,
        tr("Share of all deals won: {words}.", words=words),
        figure,
        table_of_rates(
            tr("{title}: shares of all deals", title=title), tr("seat"), rates, summary.level
        ),
    )


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
        Of the files; what exits bring, and the label of the axis.
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
            axes.plot(places, rates, "o", color=BLUE, markersize=4)
            draw_intervals(axes, places, estimates, color=BLUE)
        else:
            axes.bar(places, rates, color=BLUE, width=0.8 * width)
            draw_intervals(axes, places, estimates)
        axes.yaxis.set_major_formatter(in_percent())
        axes.xaxis.set_major_locator(MaxNLocator(nbins="auto", integer=True, steps=[1, 2, 5, 10]))
        axes.set_xlabel(axis)
        axes.set_ylabel(tr("share of exits (logarithmic)") if log else tr("share of exits"))
    alt = finding = tr(NO_EXITS)
    if places:
        alt = finding = told
        if log:
            alt = tr("On a logarithmic scale: {told}", told=f"{told[0].lower()}{told[1:]}")
            finding = _rarest(shares, width)
    names = (range_text(first, width) for first in shares)
    return Chart(
        f"{name}-log" if log else name,
        title,
        finding,
        alt,
        figure,
        table_of_rates(
            tr("{title}: shares of the exits", title=title),
            axis,
            dict(zip(names, estimates, strict=True)),
            summary.level,
        ),
    )


def _rarest(shares: Mapping[int, Estimate], width: int) -> str:
    """Say how rare the rarest is that was seen."""
    seen = {first: share for first, share in shares.items() if share.count}
    first = min(seen, key=lambda each: seen[each].rate or 0.0)
    return tr(
        "The rarest that was seen are {points} points, in {share} of the exits.",
        points=range_text(first, width),
        share=rate_words(seen[first]),
    )
