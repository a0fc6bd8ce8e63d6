"""Charts of a comparison of strategies.

matplotlib takes a second to import: import this module where it is used.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from continental_sim.columns import EXIT
from continental_sim.comparing.duels import Duels
from continental_sim.comparing.duels_table import (
    ahead_cell,
    ahead_text,
    measured_cell,
    measured_text,
)
from continental_sim.comparing.measured import Estimated, Measured
from continental_sim.comparing.metagame import POINTS, Metagame
from continental_sim.comparing.table import rounds_of
from continental_sim.figures import formats
from continental_sim.figures.estimates import Estimate, mean_of, proportion
from continental_sim.figures.plot_style import (
    BLUE,
    DASHES,
    GREY,
    NO_EXITS,
    SERIES,
    VERMILION,
    WIDTH,
    Chart,
    Interval,
    bar_width,
    bars_text,
    draw_band,
    draw_intervals,
    draw_rows,
    head_with,
    house_style,
    in_percent,
    label_ends,
    mark_zero,
    new_figure,
    range_text,
    rows_height,
)
from continental_sim.figures.table_parts import RATE, interval_title
from continental_sim.figures.tabular import Number, Table, rate_cells, whole
from continental_sim.language import tr
from continental_sim.words import counted

_NAME: Final = 28  # letters of a strategy's name that a chart shows
_NAME_IN_PAIR: Final = 14
_NAME_AT_END: Final = 15
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
    title = tr("Points a deal by strategy")
    standings = found.standings
    names = formats.short_names(found.comparison.compared, _NAME)
    rows = [
        Interval(
            names[each.strategy], measured_text(each.ledger),
            each.ledger.value, each.ledger.low, each.ledger.high,
        )
        for each in standings
    ]  # fmt: skip
    cells = [(each.strategy, measured_cell(each.ledger)) for each in standings]
    finding = tr(
        "{first} earns most, {most} points a deal, and {last} least, {least}.",
        first=names[standings[0].strategy],
        most=rows[0].words,
        last=names[standings[-1].strategy],
        least=rows[-1].words,
    )
    head = (tr("strategy"), tr("points a deal ({interval})", interval=_level(found)))
    return _rows_chart("points", found, rows, finding, Table(title, head, cells))


def leads_chart(found: Duels) -> Chart:
    """Draw by how much each strategy is ahead of another."""
    title = tr("Points a deal by which one is ahead of another")
    rows = []
    names = formats.short_names(found.comparison.compared, _NAME_IN_PAIR)
    for each in found.pairs:
        ahead, clear = each.ahead, each.adjusted < 1 - found.level
        name = f"{names[each.one]} - {names[each.other]}"
        rows.append(Interval(name, ahead_text(each), ahead.value, ahead.low, ahead.high, clear))
    cells = [(f"{each.one} - {each.other}", ahead_cell(each)) for each in found.pairs]
    apart = sum(row.full for row in rows)
    pairs = counted(len(rows), "pair")
    finding = tr("Of {pairs} of strategies none are separated.", pairs=pairs)
    if apart == 1:
        finding = tr("Of {pairs} of strategies 1 is separated.", pairs=pairs)
    elif apart:
        finding = tr("Of {pairs} of strategies {apart} are separated.", pairs=pairs, apart=apart)
    head = (tr("pair"), tr("points ahead a deal ({interval})", interval=_level(found)))
    numbers = Table(title, head, cells)
    return _rows_chart("leads", found, rows, finding, numbers, tr("full marks: separated"))


def _level(found: Duels) -> str:
    return interval_title(round(found.level, 4))


def _rows_chart(
    name: str,
    found: Duels,
    rows: Sequence[Interval],
    finding: str,
    numbers: Table,
    marks: str = "",
) -> Chart:
    title = numbers.title
    with house_style():
        figure, axes = new_figure(
            title, _sample(found), height=rows_height(len(rows)) + 0.15 * bool(marks)
        )
        draw_rows(axes, rows)
        mark_zero(axes)
        axes.set_xlabel("\n".join(filter(None, (tr("points a deal"), marks))))
    told = "; ".join(f"{row.name} {row.words}" for row in rows)
    return Chart(name, title, finding, f"{title}: {told}.", figure, numbers)


def payments_chart(found: Duels) -> Chart:
    """Draw what the exits of each strategy bring, one below the other.

    Intervals are bounds: as if all exits with one pack brought the same.
    """
    words = found.words
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
    shares = {name: _payments(found, name, bar) for name in names}
    with house_style():
        figure = Figure(figsize=(WIDTH, 1.25 * len(names) + 1.5), layout="constrained")
        panels = figure.subplots(len(names), sharex=True, sharey=True, squeeze=False)[:, 0]
        head_with(panels[0], title, _sample(found))
        for axes, (name, share) in zip(panels, shares.items(), strict=True):
            places = [first + (bar - 1) / 2 for first in share]
            axes.bar(places, [each.rate or 0.0 for each in share.values()], 0.8 * bar, color=BLUE)
            draw_intervals(axes, places, list(share.values()))
            axes.annotate(
                labels[name], (1, 1), (0, -2), xycoords="axes fraction", va="top", ha="right",
                textcoords="offset points", weight="bold",
            )  # fmt: skip
            axes.yaxis.set_major_formatter(in_percent())
        panels[-1].set_xlabel(f"{tr('{what} [points]', what=tr(words.of_exit))}{bars_text(bar)}")
        panels[len(names) // 2].set_ylabel(tr("share of its exits"))
    means = {each.strategy: measured_text(each.payment) for each in found.standings}
    on_average = (
        tr("{strategy} {mean} on average", strategy=name, mean=mean) for name, mean in means.items()
    )
    told = f"{title}: {'; '.join(on_average)}."
    known = [each for each in found.standings if each.payment.value is not None]
    most, least = (
        choose(known, key=lambda each: each.payment.value or 0.0, default=None)
        for choose in (max, min)
    )
    finding = tr(NO_EXITS)
    if most and least:
        finding = tr(
            "Exits of {first} bring most, {most} points, those of {last} least, {least}.",
            first=labels[most.strategy],
            most=means[most.strategy],
            last=labels[least.strategy],
            least=means[least.strategy],
        )
    numbers = _payments_table(found, title, shares, bar)
    return Chart(f"{words.paid}s", title, finding, told, figure, numbers)


def _payments(found: Duels, name: str, bar: int) -> dict[int, Estimate]:
    """Return the shares of a strategy's exits by the lowest payment of each bar, the rarest not."""
    here = [table for table in found.tables if table.has(name)]
    exits = np.concatenate([table.exits(name) for table in here])
    exits = exits[exits["end"] == EXIT]
    counts = np.bincount(exits["payment"].astype(np.int64) // bar, exits["count"]).astype(np.int64)
    total = int(counts.sum())
    effect = max(1.0, sum(table.squared_wins(name) for table in here) / max(total, 1))
    shown = np.flatnonzero(counts)
    shown = shown[: np.searchsorted(np.cumsum(counts[shown]), _MOST_PAYMENT * total) + 1]
    return {
        bar * int(place): proportion(int(counts[place]), total, found.level, effect)
        for place in shown
    }


def _payments_table(
    found: Duels, title: str, shares: Mapping[str, Mapping[int, Estimate]], bar: int
) -> Table:
    rows = [
        (
            name,
            Number(range_text(first, bar), first),
            *rate_cells(share),
        )
        for name, each in shares.items()
        for first, share in each.items()
    ]
    head = (
        *(tr("strategy"), tr("{what} [points]", what=tr(found.words.paid))),
        *(tr("count"), tr(RATE), interval_title(found.level)),
    )
    return Table(title, head, rows)


def lengths_chart(found: Duels) -> Chart:
    """Draw the share of deals that a player of each strategy has won by the end of each round.

    The wins of a pack are kept as they are in the end, not by round, so that the bands are bounds.
    """
    title, told = tr("Deals won by round"), []
    rounds = _last_round(found)
    shown = range(1, rounds + 1)
    labels = formats.short_names(found.comparison.compared, _NAME_AT_END)
    curves = {each.strategy: _won(found, each.strategy, rounds) for each in found.standings}
    with house_style():
        figure, axes = new_figure(title, _sample(found), height=4.1)
        ends = []
        for place, (name, curve) in enumerate(curves.items()):
            colour, values = SERIES[place % len(SERIES)], [each.value for each in curve]
            halves = [each.half(found.level) for each in curve]
            bounds = (
                [value - half for value, half in zip(values, halves, strict=True)],
                [value + half for value, half in zip(values, halves, strict=True)],
            )
            dashes = DASHES[place // len(SERIES) % len(DASHES)]
            draw_band(axes, shown, values, bounds, color=colour, linestyle=dashes)
            ends.append((values[-1], labels[name], colour))
            told.append(f"{name} {formats.percent(round(values[-1], 4))}")
        axes.set_ylim(bottom=0)
        axes.set_xlim(1, max(rounds, 2))
        label_ends(axes, ends)
        axes.yaxis.set_major_formatter(in_percent())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        bands = tr("bands: at most so wide are the intervals")
        axes.set_xlabel(f"{tr('round of the deal')}\n{bands}")
        axes.set_ylabel(tr("won by a player of it"))
    best = max(curves, key=lambda name: curves[name][-1].value)
    finding = tr(
        "By round {round} a player of {strategy} has won most deals, a share of {share}.",
        round=rounds,
        strategy=labels[best],
        share=measured_text(curves[best][-1].measured(found.level)),
    )
    told_all = tr(
        "{title}: by round {round} a player of {shares}.",
        title=title,
        round=rounds,
        shares=tr("; of ").join(told),
    )
    rows = [
        (
            whole(place),
            *(measured_cell(curve[place - 1].measured(found.level)) for curve in curves.values()),
        )
        for place in shown
    ]
    level = _level(found)
    at_most = (
        tr("{strategy} ({interval} at most)", strategy=name, interval=level) for name in curves
    )
    head = (tr("round"), *at_most)
    return Chart("lengths", title, finding, told_all, figure, Table(title, head, rows))


def _won(found: Duels, strategy: str, rounds: int) -> list[Estimated]:
    """Return the share of deals that a player of a strategy has won by the end of each round."""
    here = [table for table in found.tables if table.has(strategy)]
    each = zip(*(table.won_by(strategy, rounds) for table in here), strict=True)
    return [Estimated.mean(parts) for parts in each]


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
    names = formats.distinct(game.strategies, _NAME_AT_END)
    with house_style():
        height = 0.55 * len(names) + 2.6
        figure, axes = new_figure(title, _sample(found), height=height)
        most = max(float(np.abs(values).max()), 1e-9)
        for (row, column), value in np.ndenumerate(values):
            # The more, the stronger: letters stay readable, on white and on black.
            shade = 0.45 * abs(float(value)) / most
            colour = BLUE if value > 0 else VERMILION
            axes.add_patch(
                Rectangle(
                    (column - 0.5, row - 0.5), 1, 1, facecolor=colour, alpha=shade, linewidth=0
                )
            )
            axes.text(
                column, row, _in_cell(game.alone[row][column]), ha="center", va="center", size=9
            )
        axes.set_xlim(-0.5, len(names) - 0.5)
        axes.set_ylim(len(names) - 0.5, -0.5)
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
    apart = values - np.diag(np.full(len(names), np.inf))
    one, other = np.unravel_index(int(apart.argmax()), apart.shape)
    finding = tr(
        "Most earns one {one} among {other}, {most} {points}.",
        one=names[one],
        other=names[other],
        most=measured_text(game.alone[one][other]),
        points=tr(game.points),
    )
    rows = [
        (name, *map(measured_cell, row))
        for name, row in zip(game.strategies, game.alone, strict=True)
    ]
    among = (tr("among {strategy}", strategy=name) for name in game.strategies)
    head = (tr("the one"), *among)
    return Chart(
        "company",
        title,
        finding,
        f"{title}: {told}.",
        figure,
        Table(f"{title}, {_level(found)}", head, rows),
    )


def _in_cell(measured: Measured) -> str:
    return measured_text(measured).replace(" ±", "\n±")
