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

_NEARLY_ALL: Final = 0.99  # of the exits decide how wide bars are
_KINDS: Final = {  # title and colour, the commonest first
    "ordinary": ("ordinary exit", BLUE),
    "rummy": ("going rummy", VERMILION),
}


def rummy_charts(summary: RummySummary) -> list[Chart]:
    """Draw all charts of a study, in the order of a report."""
    hands = summary.hands
    exits = {
        "going rummy": summary.exits["rummy"],
        "ordinary exit": summary.exits["ordinary"],
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
            title="Pips left in hands that did not go out",
            axis="mean pips left [points a hand]",
            told="Mean pips left in a hand that did not go out",
        ),
        hands_chart(
            summary,
            hands.melds,
            title="Melds of dealt hands",
            axis="cards that the best melds of the hand hold",
            told="Share of dealt hands by the cards that their best melds hold",
        ),
        fates_chart(
            summary,
            hands.by_melded,
            axis="cards in melds when dealt",
            sort="with {} cards in melds".format,
        ),
        points_chart(
            summary,
            hands.by_melded,
            name="melds",
            title="What dealt melds are worth",
            axis="cards in melds when dealt",
            sort="{} cards in melds".format,
        ),
        ranks_chart(
            summary,
            summary.ranks_laid,
            axis="share of such cards, in a deal",
            told="Share of the cards of a rank that are laid in a deal",
        ),
    ]


def _scores_chart(summary: RummySummary, *, log: bool = False) -> Chart:
    told, scores = "", summary.payments
    width = bar_width(summary.payment.quantiles.get(_NEARLY_ALL, 0))
    if scores:
        first, *_, last = (*scores, *scores)
        told = (
            f"An exit scores {first} to {last} points, half of them at most "
            f"{formats.quantile_text(summary.payment, 0.5)}, on average "
            f"{formats.mean_text(summary.payment)}."
        )
    return payments_chart(
        summary,
        _in_bars(summary, width),
        title="Scores",
        axis=f"{summary.words.of_exit} [points]{bars_text(width)}",
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
