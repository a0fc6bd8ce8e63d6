"""Charts of dealt hands, and of cards, that all games have; intervals are always drawn.

matplotlib takes a second to import: import this module where it is used.
"""

from collections.abc import Mapping, Sequence

from matplotlib.ticker import MaxNLocator

from continental_sim.figures import formats
from continental_sim.figures.estimates import Estimate
from continental_sim.figures.plot_style import (
    BLUE,
    GREY,
    ORANGE,
    Chart,
    draw_intervals,
    house_style,
    in_percent,
    new_figure,
    say_instead,
)
from continental_sim.figures.shared_plots import NO_EXITS, rate_words, sample
from continental_sim.figures.summary import Fate, Summary
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
    return Chart("openings", title, f"{told}. {words}.", figure)


def fates_chart(summary: Summary, fates: Mapping[int, Fate], *, axis: str, sort: str) -> Chart:
    """Draw how many of the hands of each sort went out, and after how many own turns.

    Parameters
    ----------
    summary : Summary
    fates : mapping of int to Fate
    axis : str
        What the number of a sort is.
    sort : str
        Names a sort by its number, as in "at distance {}".
    """
    title = tr("What becomes of a dealt hand")
    wins = [fate.wins for fate in fates.values()]
    with house_style():
        figure, axes = new_figure(title, sample(summary))
        axes.axhline(
            (summary.ends["exit"].rate or 0.0) / len(summary.seats),
            color=GREY,
            linestyle="--",
            linewidth=1,
            label=tr("any hand"),
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
        axes.set_xlabel(tr("{axis}; below, own turns of those that went out", axis=axis))
        axes.set_ylabel(tr("hands that went out"))
        axes.legend()
    words = "; ".join(_fate(sort.format(cards), fate) for cards, fate in fates.items())
    return Chart("fates", title, tr("Of the dealt hands: {words}.", words=words), figure)


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


def points_chart(
    summary: Summary, fates: Mapping[int, Fate], *, name: str, title: str, axis: str, sort: str
) -> Chart:
    """Draw what hands of each sort are worth in points.

    Parameters
    ----------
    summary : Summary
    fates : mapping of int to Fate
    name, title : str
    axis : str
        What the number of a sort is.
    sort : str
        Names a sort by its number, as in "{} wild cards".
    """
    with house_style():
        figure, axes = new_figure(title, sample(summary))
        axes.axhline(0, color=GREY, linewidth=1)
        for cards, fate in fates.items():
            points = fate.points
            if points.low is not None and points.high is not None:
                axes.vlines(cards, points.low, points.high, color=BLUE, linewidth=2)
                axes.plot(cards, points.mean or 0.0, "o", color=BLUE)
        axes.set_xticks(list(fates))
        axes.set_xlabel(axis)
        axes.set_ylabel(tr("points of its player in the deal"))
    words = "; ".join(
        f"{sort.format(cards)} {formats.mean_text(fate.points)}" for cards, fate in fates.items()
    )
    told = tr("Points of a hand's player in the deal: {words}.", words=words)
    return Chart(name, title, told, figure)


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
                color=[ORANGE if each else BLUE for each in marked],
                hatch=["////" if each else "" for each in marked],
                edgecolor="white",
                linewidth=0,
            )
            draw_intervals(axes, places, shares)
            axes.set_xticks(places, [f"{name}\n{tr('wild')}" if w else name for name, w in zip(
                ranks, marked, strict=True)])  # fmt: skip
            axes.yaxis.set_major_formatter(in_percent())
            axes.grid(visible=False, axis="x")
            axes.set_xlabel(tr("rank"))
            axes.set_ylabel(axis)
    words = "; ".join(f"{name} {rate_words(share)}" for name, share in ranks.items())
    return Chart("ranks", title, f"{told}: {words}.", figure)
