"""Charts of a study of Basic Rummy.

matplotlib takes a second to import: import this module where it is used.
"""

from collections import Counter
from typing import Final

from continental_sim.figures import formats
from continental_sim.figures.estimates import Estimate, proportion
from continental_sim.figures.hand_plots import (
    fates_chart,
    hands_chart,
    points_chart,
    ranks_chart,
)
from continental_sim.figures.plot_style import (
    BLUE,
    VERMILION,
    Chart,
    bar_width,
    bars_text,
)
from continental_sim.figures.rummy_summary import RummySummary
from continental_sim.figures.shared_plots import (
    ends_chart,
    ledger_chart,
    payments_chart,
    players_chart,
    seats_chart,
)
from continental_sim.figures.turn_plots import exits_by_turn_chart
from continental_sim.language import marked, tr

_NEARLY_ALL: Final = 0.99  # of the exits decide how wide bars are
_KINDS: Final = {  # title and colour, the commonest first
    "ordinary": (marked("ordinary exit"), BLUE),
    "rummy": (marked("going rummy"), VERMILION),
}


def rummy_charts(summary: RummySummary) -> list[Chart]:
    """Draw all charts of a study, in the order of a report."""
    hands = summary.hands
    exits = {
        tr("going rummy"): summary.exits["rummy"],
        tr("ordinary exit"): summary.exits["ordinary"],
    }
    return [
        ends_chart(summary, exits),
        exits_by_turn_chart(summary, _KINDS),
        _scores_chart(summary),
        _scores_chart(summary, log=True),
        ledger_chart(summary),
        seats_chart(summary),
        players_chart(
            summary,
            summary.left.by_player,
            name="left",
            title=tr("Pips left in hands that did not go out"),
            axis=tr("mean pips left [points a hand]"),
            told=tr("Mean pips left in a hand that did not go out"),
        ),
        hands_chart(
            summary,
            hands.melds,
            title=tr("Melds of dealt hands"),
            axis=tr("cards that the best melds of the hand hold"),
            told=tr("Share of dealt hands by the cards that their best melds hold"),
        ),
        fates_chart(
            summary,
            hands.by_melded,
            axis=tr("cards in melds when dealt"),
            sort=lambda cards: tr("with {cards} cards in melds", cards=cards),
        ),
        points_chart(
            summary,
            hands.by_melded,
            name="melds",
            title=tr("What dealt melds are worth"),
            axis=tr("cards in melds when dealt"),
            sort=lambda cards: tr("{cards} cards in melds", cards=cards),
        ),
        ranks_chart(
            summary,
            summary.ranks_laid,
            axis=tr("share of such cards, in a deal"),
            told=tr("Share of the cards of a rank that are laid in a deal"),
        ),
    ]


def _scores_chart(summary: RummySummary, *, log: bool = False) -> Chart:
    told, scores = "", summary.payments
    width = bar_width(summary.payment.quantiles.get(_NEARLY_ALL, 0))
    if scores:
        first, *_, last = (*scores, *scores)
        told = tr(
            "An exit scores {first} to {last} points, half of them at most {half}, on average "
            "{mean}.",
            first=first,
            last=last,
            half=formats.quantile_text(summary.payment, 0.5),
            mean=formats.mean_text(summary.payment),
        )
    return payments_chart(
        summary,
        _in_bars(summary, width),
        name="scores",
        title=tr("Scores"),
        axis=f"{tr('{what} [points]', what=tr(summary.words.of_exit))}{bars_text(width)}",
        told=told,
        width=width,
        log=log,
    )


def _in_bars(summary: RummySummary, width: int) -> dict[int, Estimate]:
    """Return the share of the exits in each bar, by its lowest score [points]."""
    counts = Counter[int]()
    for score, share in summary.payments.items():
        counts[score - score % width] += share.count
    effect = max((share.design_effect for share in summary.payments.values()), default=1.0)
    return {
        first: proportion(count, counts.total(), summary.level, effect)
        for first, count in sorted(counts.items())
    }
