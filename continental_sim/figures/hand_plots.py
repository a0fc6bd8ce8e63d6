"""Charts of dealt hands, and of cards, that all games have; intervals are always drawn.

matplotlib takes a second to import: import this module where it is used.
"""

from collections.abc import Callable, Mapping, Sequence

from matplotlib.ticker import MaxNLocator

from continental_sim.figures import formats
from continental_sim.figures.estimates import Estimate
from continental_sim.figures.plot_style import (
    BLUE,
    GREY,
    NO_EXITS,
    VERMILION,
    Chart,
    draw_intervals,
    draw_level,
    house_style,
    in_percent,
    new_figure,
    say_instead,
)
from continental_sim.figures.shared_plots import rate_words, sample
from continental_sim.figures.summary import Fate, Summary
from continental_sim.figures.tabular import Table, fate_cells, fates_head, table_of_rates
from continental_sim.language import tr


def hands_chart(
    summary: Summary, shares: Mapping[int, Estimate], *, title: str, axis: str, told: str
) -> Chart:
    """Draw the distribution of something that is counted of dealt hands.

    Parameters
    ----------
    summary : Summary
    shares : mapping of int to Estimate
        Of the hands.
    title, axis : str
        What is counted, and the label of the axis.
    told : str
        What the chart tells, before the numbers.
    """
    with house_style():
        figure, axes = new_figure(title, sample(summary))
        axes.bar(list(shares), [share.rate or 0.0 for share in shares.values()], color=BLUE)
        draw_intervals(axes, list(shares), list(shares.values()))
        axes.yaxis.set_major_formatter(in_percent())
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(axis)
        axes.set_ylabel(tr("share of dealt hands"))
    words = "; ".join(f"{each}: {rate_words(share)}" for each, share in shares.items())
    most = max(shares, key=lambda each: shares[each].rate or 0.0, default=None)
    finding = told
    if most is not None:
        finding = tr(
            "{told}: most are at {most}, {share}.",
            told=told,
            most=most,
            share=rate_words(shares[most]),
        )
    return Chart(
        "openings",
        title,
        finding,
        f"{told}. {words}.",
        figure,
        table_of_rates(told, axis, shares, summary.level),
    )


def fates_chart(
    summary: Summary, fates: Mapping[int, Fate], *, axis: str, sort: Callable[[int], str]
) -> Chart:
    """Draw how many of the hands of each sort went out, and after how many own turns.

    Parameters
    ----------
    summary : Summary
    fates : mapping of int to Fate
    axis : str
        What the number of a sort is.
    sort : callable
        Names a sort by its number, as in "at distance 3".
    """
    title = tr("What becomes of a dealt hand")
    wins = [fate.wins for fate in fates.values()]
    with house_style():
        figure, axes = new_figure(title, sample(summary))
        draw_level(axes, (summary.ends["exit"].rate or 0.0) / len(summary.seats), tr("any hand"))
        draw_intervals(axes, list(fates), wins, color=BLUE, linewidth=2.5)
        axes.plot(list(fates), [win.rate or 0.0 for win in wins], "o", color=BLUE)
        axes.set_xticks(list(fates))
        axes.set_ylim(-0.03, 1.04)
        axes.yaxis.set_major_formatter(in_percent())
        axes.set_xlabel(axis)
        axes.set_ylabel(tr("hands that went out"))
    words = "; ".join(_fate(sort(cards), fate) for cards, fate in fates.items())
    finding = tr(NO_EXITS)
    if fates:
        (low, first), *_, (high, last) = (*fates.items(), *fates.items())
        finding = tr(
            "Of the hands {low} a share of {first} goes out, of those {high} {last}.",
            low=sort(low),
            first=rate_words(first.wins),
            high=sort(high),
            last=rate_words(last.wins),
        )
    return Chart(
        "fates",
        title,
        finding,
        tr("Of the dealt hands: {words}.", words=words),
        figure,
        _fates_table(summary, title, axis, fates),
    )


def _fate(hands: str, fate: Fate) -> str:
    share = rate_words(fate.wins)
    if not fate.wins.count:
        return tr("{hands} a share of {share} goes out", hands=hands, share=share)
    return tr(
        "{hands} a share of {share} goes out, in {turns} own turns",
        hands=hands,
        share=share,
        turns=formats.mean_text(fate.own_turns),
    )


def _fates_table(summary: Summary, title: str, axis: str, fates: Mapping[int, Fate]) -> Table:
    rows = [(str(sort), *fate_cells(fate)) for sort, fate in fates.items()]
    return Table(title, fates_head(axis, summary.level), rows)


def points_chart(
    summary: Summary,
    fates: Mapping[int, Fate],
    *,
    name: str,
    title: str,
    axis: str,
    sort: Callable[[int], str],
) -> Chart:
    """Draw what hands of each sort are worth in points.

    Parameters
    ----------
    summary : Summary
    fates : mapping of int to Fate
    name, title : str
    axis : str
        What the number of a sort is.
    sort : callable
        Names a sort by its number, as in "at distance 3".
    """
    with house_style():
        figure, axes = new_figure(title, sample(summary))
        axes.axhline(0, color=GREY, linewidth=1)
        for cards, fate in fates.items():
            points = fate.points
            if points.low is not None and points.high is not None:
                axes.vlines(cards, points.low, points.high, color=BLUE, linewidth=2.5)
                axes.plot(cards, points.mean or 0.0, "o", color=BLUE)
        axes.set_xticks(list(fates))
        axes.set_xlabel(axis)
        axes.set_ylabel(tr("points of its player in the deal"))
    words = "; ".join(
        f"{sort(cards)} {formats.mean_text(fate.points)}" for cards, fate in fates.items()
    )
    return Chart(
        name,
        title,
        _worth(fates, sort),
        tr("Points of a hand's player in the deal: {words}.", words=words),
        figure,
        _fates_table(summary, title, axis, fates),
    )


def _worth(fates: Mapping[int, Fate], sort: Callable[[int], str]) -> str:
    """Say from which number on a hand earns points, and what the fewest bring."""
    known = [(cards, fate.points) for cards, fate in fates.items() if fate.points.low is not None]
    if not known:
        return tr("No points changed hands.")
    cards, points = known[0]
    few, fewest = sort(cards), formats.mean_text(points)
    gains = [each for each in known if (each[1].low or 0.0) > 0]
    if gains and gains[0][0] != cards:
        more, brought = gains[0]
        return tr(
            "A hand with {few} brings its player {points} points, with {more} {brought}.",
            few=few,
            points=fewest,
            more=sort(more),
            brought=formats.mean_text(brought),
        )
    return tr("A hand with {few} brings its player {points} points.", few=few, points=fewest)


def ranks_chart(
    summary: Summary,
    ranks: Mapping[str, Estimate],
    *,
    axis: str,
    told: str,
    wild: Sequence[str] = (),
) -> Chart:
    """Draw how often the cards of each rank are laid down.

    Parameters
    ----------
    summary : Summary
    ranks : mapping of str to Estimate
    axis : str
        What the shares are of.
    told : str
        What the chart tells, before the numbers.
    wild : sequence of str
        Ranks that are drawn as wild.
    """
    title = tr("Cards that are laid down")
    shares, places = list(ranks.values()), list(range(len(ranks)))
    marked = [name in wild for name in ranks]
    with house_style():
        figure, axes = new_figure(title, sample(summary))
        if not any(share.trials for share in shares):
            say_instead(axes, tr(NO_EXITS))
        else:
            axes.bar(
                places,
                [share.rate or 0.0 for share in shares],
                color=[VERMILION if each else BLUE for each in marked],
                hatch=["////" if each else "" for each in marked],
                edgecolor="white",
                linewidth=0,
            )
            draw_intervals(axes, places, shares)
            short = ["JK" if name == tr("jokers") else name for name in ranks]
            axes.set_xticks(places, short)
            for place, share, each in zip(places, shares, marked, strict=True):
                if each:
                    axes.annotate(
                        tr("wild"), (place, share.high or 0.0), (0, 3), textcoords="offset points",
                        ha="center",
                    )  # fmt: skip
            axes.margins(y=0.1)
            axes.yaxis.set_major_formatter(in_percent())
            axes.grid(visible=False, axis="x")
            axes.set_xlabel(tr("rank"))
            axes.set_ylabel(axis)
    words = "; ".join(f"{name} {rate_words(share)}" for name, share in ranks.items())
    finding = tr(NO_EXITS)
    if any(share.count for share in shares):
        most, fewest = (
            choose(ranks, key=lambda name: ranks[name].rate or 0.0) for choose in (max, min)
        )
        finding = tr(
            "{told}: the largest is that of {most}, {largest}, the smallest that of {fewest}, "
            "{smallest}.",
            told=told,
            most=most,
            largest=rate_words(ranks[most]),
            fewest=fewest,
            smallest=rate_words(ranks[fewest]),
        )
    return Chart(
        "ranks",
        title,
        finding,
        f"{told}: {words}.",
        figure,
        table_of_rates(told, tr("rank"), ranks, summary.level),
    )
