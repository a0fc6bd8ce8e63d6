"""Charts of a study: small functions from a `Summary` to a `Chart`; intervals are always drawn.

matplotlib takes a second to import: import this module where it is used.
"""

import math
from collections import Counter
from dataclasses import dataclass
from typing import Final

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from continental_sim.figures import formats
from continental_sim.figures.estimates import STRUCTURAL, Estimate, proportion
from continental_sim.figures.plot_style import (
    BLACK,
    BLUE,
    GREY,
    ORANGE,
    SKY,
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
from continental_sim.words import counted

_KINDS: Final = {  # title, colour and hatch, from the lowest part of a bar to the highest
    "later": ("later exit", SKY, ""),
    "first_turn": ("first-turn exit (after a draw)", ORANGE, "////"),
    "dealt": ("dealt exit (without drawing)", BLACK, ""),
}
_NO_EXITS: Final = "No deal ended in an exit."
_MOST_BARS: Final = 100
_TAIL: Final = 0.001  # share of the exits that may be left out at the right end


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure and the words that go with it.

    Attributes
    ----------
    name : str
        File name without its ending.
    title : str
        What it shows.
    alt : str
        What it tells, for those who cannot see it.
    figure : Figure
        The chart.
    """

    name: str
    title: str
    alt: str
    figure: Figure


def charts(summary: Summary) -> list[Chart]:
    """Draw all charts of a study, in the order of a report."""
    return [
        ends_chart(summary),
        exits_by_turn_chart(summary),
        payments_chart(summary),
        payments_chart(summary, log=True),
        ledger_chart(summary),
        seats_chart(summary),
        openings_chart(summary),
        fates_chart(summary),
        wilds_chart(summary),
        ranks_chart(summary),
    ]


def ends_chart(summary: Summary) -> Chart:
    """Draw the rates of the ends and of the kinds of exit on a logarithmic scale."""
    rates: dict[str, Estimate] = {
        **{f"end: {name}": end for name, end in summary.ends.items()},
        "dealt exit": summary.exits["dealt"],
        "first-turn exit": summary.exits["first_turn"],
        "later exit": summary.exits["later"],
        "all in one suit": summary.one_suit,
        "natural exit": summary.natural,
    }
    title = "How deals end"
    bounds = [bound for rate in rates.values() for bound in (rate.low, rate.high) if bound]
    left = 10 ** math.floor(math.log10(min(bounds, default=0.1)) - 0.2)
    with house_style():
        figure, axes = new_figure(title, _sample(summary), height=4.1)
        axes.set_xscale("log")
        axes.set_xlim(left, 1.5)
        axes.xaxis.set_major_formatter(in_percent())
        for place, rate in enumerate(rates.values()):
            if rate.low is not None and rate.high is not None:
                axes.hlines(place, max(rate.low, left), rate.high, color=BLUE, linewidth=2)
                # Pointing left: no event was seen, the rate is somewhere below this bound.
                marker = "o" if rate.count else "<"
                axes.plot(rate.rate or rate.high, place, marker, color=BLUE)
            words = _rate_words(rate)
            axes.text(1.02, place, words, transform=axes.get_yaxis_transform(), va="center")
        axes.set_yticks(range(len(rates)), list(rates))
        axes.set_ylim(len(rates) - 0.5, -0.5)
        axes.grid(visible=False, axis="y")
        axes.axhline(len(summary.ends) - 0.5, color=GREY, linewidth=0.8)
        axes.set_xlabel("share of all deals (logarithmic)")
    words = "; ".join(f"{name} {_rate_words(rate)}" for name, rate in rates.items())
    return Chart("ends", title, f"Shares of all deals. {words}.", figure)


def exits_by_turn_chart(summary: Summary) -> Chart:
    """Draw stacked bars: on which turn of the deal exits come, by kind."""
    title = "Exits by turn"
    totals = Counter[int]()
    for counts in summary.exits_by_turn.values():
        totals.update(counts)
    last = _last_shown(totals)
    seats = len(summary.seats)
    width = 1 if last <= _MOST_BARS else seats * math.ceil(last / (seats * _MOST_BARS))
    left_out = sum(count for turn, count in totals.items() if turn > last)
    note = f"; {left_out:,} later ones not shown" if left_out else ""
    with house_style():
        figure, axes = new_figure(title, _sample(summary) + note)
        heights = Counter[int]()
        for kind, (label, colour, hatch) in _KINDS.items():
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
                label=label,
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
            say_instead(axes, _NO_EXITS)
        axes.yaxis.set_major_formatter(in_percent())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_ylabel("share of all deals")
        bars = "" if width == 1 else f" (bars of {width} turns)"
        axes.set_xlabel(f"turn of the deal, the turns of all seats counted{bars}")
    alt = _NO_EXITS
    if totals:
        alt = (
            f"The share of the deals that end in an exit is highest on turn "
            f"{max(totals, key=totals.__getitem__)}; half of all deals last at most "
            f"{formats.quantile_text(summary.turns, 0.5)} turns, 95 % at most "
            f"{formats.quantile_text(summary.turns, 0.95)}."
        )
    return Chart("exits-by-turn", title, alt, figure)


def payments_chart(summary: Summary, *, log: bool = False) -> Chart:
    """Draw the distribution of payments: bars, or points on a logarithmic scale."""
    title = "Payments, the rare ones too" if log else "Payments"
    payments = list(summary.payments)
    shares = list(summary.payments.values())
    rates = [share.rate or 0.0 for share in shares]
    with house_style():
        figure, axes = new_figure(title, _sample(summary))
        if not payments:
            say_instead(axes, _NO_EXITS)
        elif log:
            axes.set_yscale("log")
            axes.plot(payments, rates, "o", color=BLUE, markersize=5)
            draw_intervals(axes, payments, shares, color=BLUE)
        else:
            axes.bar(payments, rates, color=BLUE, width=0.8)
            draw_intervals(axes, payments, shares)
        axes.yaxis.set_major_formatter(in_percent())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=20))
        axes.set_xlabel("payment by each opponent [points]")
        axes.set_ylabel("share of exits" + (" (logarithmic)" if log else ""))
    alt = _NO_EXITS
    if payments:
        most = max(payments, key=lambda paid: summary.payments[paid].count)
        alt = "On a logarithmic scale: each" if log else "Each"
        alt += (
            f" opponent pays {payments[0]} to {payments[-1]} points, most often {most} "
            f"({_rate_words(summary.payments[most])} of the exits), on average "
            f"{formats.mean_text(summary.payment)}."
        )
    return Chart("payments-log" if log else "payments", title, alt, figure)


def ledger_chart(summary: Summary) -> Chart:
    """Draw the mean ledger of each player with its interval."""
    title = "Ledger by player"
    players = summary.players
    with house_style():
        figure, axes = new_figure(title, _sample(summary), height=0.42 * len(players) + 2.1)
        rows = [
            Interval(
                formats.player_label(player.strategy, player.number, 32),
                player.ledger.mean,
                player.ledger.low,
                player.ledger.high,
                True,
            )
            for player in players
        ]
        draw_rows(axes, rows, [formats.mean_text(player.ledger) for player in players])
        capped = formats.capped_text(summary.ends)
        axes.set_xlabel(f"mean ledger [points a deal]\n({capped}; they pay nothing)")
    words = "; ".join(f"{p.label} {formats.mean_text(p.ledger)}" for p in players)
    return Chart("ledger", title, f"Mean ledger in points a deal: {words}.", figure)


def seats_chart(summary: Summary) -> Chart:
    """Draw the share of the deals won from each seat, against equal shares."""
    title = "Wins by seat"
    seats = summary.seats
    wins = [seat.wins for seat in seats]
    numbers = [seat.number for seat in seats]
    equal = (summary.ends["exit"].rate or 0.0) / len(seats)
    with house_style():
        figure, axes = new_figure(title, _sample(summary))
        axes.axhline(equal, color=GREY, linestyle="--", linewidth=1, label="equal shares")
        draw_intervals(axes, numbers, wins, color=BLUE, linewidth=2)
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
        axes.legend(loc="lower right", bbox_to_anchor=(1, 1))
    words = "; ".join(f"seat {seat.number} {_rate_words(seat.wins)}" for seat in seats)
    return Chart("seats", title, f"Share of all deals won: {words}.", figure)


def openings_chart(summary: Summary) -> Chart:
    """Draw how far dealt hands are from going out."""
    title = "Distance of dealt hands"
    shares = summary.openings.distances
    with house_style():
        figure, axes = new_figure(title, _sample(summary))
        axes.bar(list(shares), [share.rate or 0.0 for share in shares.values()], color=BLUE)
        draw_intervals(axes, list(shares), list(shares.values()))
        axes.yaxis.set_major_formatter(in_percent())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel("cards to replace before the hand can go out")
        axes.set_ylabel("share of dealt hands")
    words = "; ".join(f"{distance}: {_rate_words(share)}" for distance, share in shares.items())
    return Chart("openings", title, f"Share of dealt hands at each distance. {words}.", figure)


def fates_chart(summary: Summary) -> Chart:
    """Draw how many of the hands at each distance went out, and after how many own turns."""
    title = "What becomes of a dealt hand"
    fates = summary.openings.by_distance
    wins = [fate.wins for fate in fates.values()]
    with house_style():
        figure, axes = new_figure(title, _sample(summary))
        axes.axhline(
            (summary.ends["exit"].rate or 0.0) / len(summary.seats),
            color=GREY,
            linestyle="--",
            linewidth=1,
            label="any hand",
        )
        draw_intervals(axes, list(fates), wins, color=BLUE, linewidth=2)
        axes.plot(list(fates), [win.rate or 0.0 for win in wins], "o", color=BLUE)
        turns = [
            "-" if fate.own_turns.mean is None else formats.number(fate.own_turns.mean, 1)
            for fate in fates.values()
        ]
        labels = [f"{cards}\n{each}" for cards, each in zip(fates, turns, strict=True)]
        axes.set_xticks(list(fates), labels)
        axes.set_ylim(-0.03, 1.04)
        axes.yaxis.set_major_formatter(in_percent())
        axes.set_xlabel("cards to replace when dealt; below, own turns of those that went out")
        axes.set_ylabel("hands that went out")
        axes.legend()
    words = "; ".join(
        f"at distance {cards} a share of {_rate_words(fate.wins)} goes out"
        + (f", in {formats.mean_text(fate.own_turns)} own turns" if fate.wins.count else "")
        for cards, fate in fates.items()
    )
    return Chart("fates", title, f"Of the dealt hands: {words}.", figure)


def wilds_chart(summary: Summary) -> Chart:
    """Draw what the wild cards of a dealt hand are worth in points."""
    title = "What dealt wild cards are worth"
    fates = summary.openings.by_wilds
    with house_style():
        figure, axes = new_figure(title, _sample(summary))
        axes.axhline(0, color=GREY, linewidth=1)
        for cards, fate in fates.items():
            points = fate.points
            if points.low is not None and points.high is not None:
                axes.vlines(cards, points.low, points.high, color=BLUE, linewidth=2)
                axes.plot(cards, points.mean or 0.0, "o", color=BLUE)
        axes.set_xticks(list(fates))
        axes.set_xlabel("wild cards dealt to a hand")
        axes.set_ylabel("points of its player in the deal")
    words = "; ".join(
        f"{cards} wild cards {formats.mean_text(fate.points)}" for cards, fate in fates.items()
    )
    return Chart("wilds", title, f"Points of a hand's player in the deal: {words}.", figure)


def ranks_chart(summary: Summary) -> Chart:
    """Draw how often the cards of each rank are laid down."""
    title = "Cards that are laid down"
    ranks = {
        ("jokers" if rank == "JK" else rank): share for rank, share in summary.ranks_exposed.items()
    }
    shares, places = list(ranks.values()), list(range(len(ranks)))
    wild = [name in (*summary.rules.wild_ranks, "jokers") for name in ranks]
    with house_style():
        figure, axes = new_figure(title, _sample(summary))
        if not summary.ends["exit"].count:
            say_instead(axes, _NO_EXITS)
        else:
            axes.bar(
                places,
                [share.rate or 0.0 for share in shares],
                color=[ORANGE if each else BLUE for each in wild],
                hatch=["////" if each else "" for each in wild],
                edgecolor="white",
                linewidth=0,
            )
            draw_intervals(axes, places, shares)
            axes.set_xticks(places, [f"{name}\nwild" if w else name for name, w in zip(
                ranks, wild, strict=True)])  # fmt: skip
            axes.yaxis.set_major_formatter(in_percent())
            axes.grid(visible=False, axis="x")
            axes.set_xlabel("rank")
            axes.set_ylabel("share of such cards, in an exit")
    words = "; ".join(f"{name} {_rate_words(share)}" for name, share in ranks.items())
    return Chart("ranks", title, f"Share of the cards of a rank that an exit has: {words}.", figure)


def _sample(summary: Summary) -> str:
    level = formats.percent(summary.level)
    return f"{counted(summary.deals, 'deal')}, {len(summary.seats)} seats, {level} intervals"


def _rate_words(rate: Estimate) -> str:
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
