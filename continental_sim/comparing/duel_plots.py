"""Charts of a comparison of strategies.

matplotlib takes a second to import: import this module where it is used.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from matplotlib.ticker import MaxNLocator

from continental_sim.columns import EXIT
from continental_sim.comparing.duels import Duels
from continental_sim.comparing.duels_table import ahead_text, measured_text
from continental_sim.comparing.measured import Estimated
from continental_sim.comparing.metagame import POINTS, Metagame
from continental_sim.comparing.table import rounds_of
from continental_sim.figures import formats
from continental_sim.figures.estimates import mean_of
from continental_sim.figures.plot_style import (
    BLACK,
    BLUE,
    GREY,
    Chart,
    Interval,
    bar_width,
    bars_text,
    draw_rows,
    house_style,
    in_percent,
    new_figure,
)
from continental_sim.language import numeral, tr
from continental_sim.words import counted

_NAME: Final = 24  # letters of a strategy's name that a chart shows
_NAME_IN_PAIR: Final = 14
_ROW: Final = 0.42  # [inches]
_LINES: Final = ("-", "--", "-.", ":")
_MOST_ROUNDS: Final = 0.999  # of all exits are drawn
_MOST_IN_BARS: Final = 0.99  # of all exits decide how wide bars are
_MOST_PAYMENT: Final = 0.999  # of the exits of each strategy are drawn


def duel_charts(found: Duels, game: Metagame | None) -> list[Chart]:
    """Draw a comparison.

    Parameters
    ----------
    found : Duels
    game : Metagame or None
        The game of choosing strategies, if all tables were played.
    """
    charts = [
        points_chart(found), leads_chart(found), payments_chart(found), lengths_chart(found),
    ]  # fmt: skip
    return charts if game is None else [*charts, company_chart(found, game)]


def _sample(found: Duels) -> str:
    level = formats.percent(round(found.level, 4))
    return tr(
        "{deals}, each pack in balanced seatings, {level} intervals",
        deals=counted(found.deals, "deal"),
        level=level,
    )


def points_chart(found: Duels) -> Chart:
    """Draw what each strategy earns, the best first."""
    rows = [
        Interval(each.strategy, each.ledger.value, each.ledger.low, each.ledger.high, True)
        for each in found.standings
    ]
    words = [measured_text(each.ledger) for each in found.standings]
    return _rows_chart("points", tr("Points a deal by strategy"), found, rows, words)


def leads_chart(found: Duels) -> Chart:
    """Draw by how much each strategy is ahead of another."""
    rows, words = [], []
    names = formats.short_names(found.comparison.compared, _NAME_IN_PAIR)
    for each in found.pairs:
        ahead, clear = each.ahead, each.adjusted < 1 - found.level
        name = f"{names[each.one]} - {names[each.other]}"
        rows.append(Interval(name, ahead.value, ahead.low, ahead.high, clear))
        words.append(ahead_text(each))
    title = tr("Points a deal by which one is ahead of another")
    return _rows_chart("leads", title, found, rows, words, tr("full marks: separated"))


def _rows_chart(
    name: str,
    title: str,
    found: Duels,
    rows: Sequence[Interval],
    words: Sequence[str],
    marks: str = "",
) -> Chart:
    with house_style():
        figure, axes = new_figure(title, _sample(found), height=_ROW * len(rows) + 2.0)
        draw_rows(axes, rows, words)
        axes.set_xlabel("\n".join(filter(None, (tr("points a deal"), marks))))
    told = "; ".join(f"{row.name} {word}" for row, word in zip(rows, words, strict=True))
    return Chart(name, title, f"{title}: {told}.", figure)


def payments_chart(found: Duels) -> Chart:
    """Draw what the exits of each strategy bring, side by side."""
    words, told = found.words, []
    title = (
        tr("Payments of exits by strategy")
        if words.paid == "payment"
        else tr("Scores of exits by strategy")
    )
    names = [each.strategy for each in found.standings]
    labels = formats.short_names(names, _NAME)
    everybody = np.concatenate(
        [table.exits(name) for table in found.tables for name in table.players]
    )
    paid = mean_of(everybody["payment"], everybody["count"], found.level)
    bar = bar_width(paid.quantiles.get(_MOST_IN_BARS, 0))
    with house_style():
        figure, axes = new_figure(title, counted(found.deals, "deal"), height=3.8)
        width = 0.8 / len(names)
        for place, name in enumerate(names):
            exits = np.concatenate([table.exits(name) for table in found.tables if table.has(name)])
            exits = exits[exits["end"] == EXIT]
            payments = exits["payment"].astype(np.int64)
            counts = np.bincount(payments // bar, exits["count"])
            if not counts.any():
                continue
            shares = counts / counts.sum()
            shown = np.flatnonzero(shares)
            shown = shown[: np.searchsorted(np.cumsum(shares[shown]), _MOST_PAYMENT) + 1]
            shade = str(0.75 * place / max(len(names) - 1, 1))
            axes.bar(
                bar * (shown + width * (place - (len(names) - 1) / 2)) + (bar - 1) / 2,
                shares[shown], bar * width,
                color=BLUE if place == 0 else shade, label=labels[name],
            )  # fmt: skip
            mean = float((payments * exits["count"]).sum() / counts.sum())
            average = numeral(f"{mean:.2f}")
            told.append(tr("{strategy} {mean} on average", strategy=name, mean=average))
        axes.yaxis.set_major_formatter(in_percent())
        axes.set_xlabel(f"{tr('{what} [points]', what=tr(words.of_exit))}{bars_text(bar)}")
        axes.set_ylabel(tr("share of its exits"))
        axes.legend()
    return Chart(f"{words.paid}s", title, f"{title}: {'; '.join(told)}.", figure)


def lengths_chart(found: Duels) -> Chart:
    """Draw the share of deals that a player of each strategy has won by the end of each round.

    The wins of a pack are kept as they are in the end, not by round, so that the bands are bounds.
    """
    title, told = tr("Deals won by round"), []
    rounds = _last_round(found)
    shown = np.arange(1, rounds + 1)
    labels = formats.short_names(found.comparison.compared, _NAME)
    with house_style():
        figure, axes = new_figure(title, _sample(found), height=3.8)
        last = max(len(found.standings) - 1, 1)
        for place, standing in enumerate(found.standings):
            here = [table for table in found.tables if table.has(standing.strategy)]
            parts = zip(*(table.won_by(standing.strategy, rounds) for table in here), strict=True)
            means = [Estimated.mean(each) for each in parts]
            share = np.array([each.value for each in means])
            half = np.array([each.half(found.level) for each in means])
            colour = BLUE if place == 0 else str(0.75 * place / last)
            axes.fill_between(shown, share - half, share + half, color=colour, alpha=0.3)
            axes.plot(
                shown, share, color=colour, linestyle=_LINES[place % len(_LINES)],
                label=labels[standing.strategy],
            )  # fmt: skip
            told.append(f"{standing.strategy} {formats.percent(round(float(share[-1]), 4))}")
        axes.set_ylim(bottom=0)
        axes.yaxis.set_major_formatter(in_percent())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        bands = tr("bands: at most so wide are the intervals")
        axes.set_xlabel(f"{tr('round of the deal')}\n{bands}")
        axes.set_ylabel(tr("won by a player of it"))
        axes.legend()
    told_all = tr(
        "{title}: by round {round} a player of {shares}.",
        title=title,
        round=rounds,
        shares=tr("; of ").join(told),
    )
    return Chart("lengths", title, told_all, figure)


def _last_round(found: Duels) -> int:
    """Return the round by which nearly all exits have come."""
    counts = np.zeros(1)
    for table in found.tables:
        exits = np.concatenate([table.exits(name) for name in table.players])
        more = np.bincount(rounds_of(exits, table.seats), exits["count"])
        counts = np.pad(counts, (0, max(len(more) - len(counts), 0)))
        counts[: len(more)] += more
    total = np.cumsum(counts)
    return max(int(np.searchsorted(total, _MOST_ROUNDS * total[-1])), 1)


def company_chart(found: Duels, game: Metagame) -> Chart:
    """Draw what one player of a strategy earns among players of another."""
    title = tr("Points a deal of one among others")
    what = "" if game.points == POINTS else f"\n({tr(game.points)})"
    values = np.array([[each.value or 0.0 for each in row] for row in game.alone])
    names = formats.distinct(game.strategies, _NAME)
    with house_style():
        height = 0.5 * len(names) + 2.6
        figure, axes = new_figure(title, _sample(found), height=height)
        most = max(float(np.abs(values).max()), 1e-9)
        axes.imshow(values, cmap="RdBu", vmin=-most, vmax=most, aspect="auto")
        for (row, column), value in np.ndenumerate(values):
            dark = abs(value) > 0.6 * most
            axes.text(
                column, row, formats.number(float(value), 2), ha="center", va="center",
                color="white" if dark else BLACK,
            )  # fmt: skip
        axes.set_xticks(range(len(names)), names, rotation=20, ha="right")
        axes.set_yticks(range(len(names)), names)
        axes.set_xlabel(f"{tr('strategy of all the others')}{what}")
        axes.set_ylabel(tr("strategy of the one"))
        axes.grid(visible=False)
        axes.tick_params(color=GREY)
    told = "; ".join(
        tr(
            "{one} among {other} {points}",
            one=one,
            other=other,
            points=formats.number(float(value), 2),
        )
        for one, row in zip(game.strategies, values, strict=True)
        for other, value in zip(game.strategies, row, strict=True)
        if one != other
    )
    return Chart("company", title, f"{title}: {told}.", figure)
