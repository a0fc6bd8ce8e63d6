"""Charts of a study of Continental.

matplotlib takes a second to import: import this module where it is used.
"""

from typing import Final

from continental_sim.figures import formats
from continental_sim.figures.continental_summary import ContinentalSummary
from continental_sim.figures.hand_plots import (
    fates_chart,
    hands_chart,
    points_chart,
    ranks_chart,
)
from continental_sim.figures.plot_style import BLUE, GREEN, VERMILION, Chart
from continental_sim.figures.shared_plots import (
    ends_chart,
    ledger_chart,
    payments_chart,
    rate_words,
    seats_chart,
)
from continental_sim.figures.turn_plots import exits_by_turn_chart
from continental_sim.words import counted

_KINDS: Final = {  # title and colour, the commonest first
    "later": ("later exit", BLUE),
    "first_turn": ("first-turn exit", VERMILION),
    "dealt": ("dealt exit", GREEN),
}


def continental_charts(summary: ContinentalSummary) -> list[Chart]:
    """Draw all charts of a study, in the order of a report."""
    openings = summary.openings
    exits = {
        "dealt exit": summary.exits["dealt"],
        "first-turn exit": summary.exits["first_turn"],
        "later exit": summary.exits["later"],
        "all in one suit": summary.one_suit,
        "natural exit": summary.natural,
    }
    return [
        ends_chart(summary, exits),
        exits_by_turn_chart(summary, _KINDS),
        _payments_chart(summary),
        _payments_chart(summary, log=True),
        ledger_chart(summary),
        seats_chart(summary),
        hands_chart(
            summary,
            openings.distances,
            title="Distance of dealt hands",
            axis="cards to replace before the hand can go out",
            told="Share of dealt hands at each distance",
        ),
        fates_chart(
            summary,
            openings.by_distance,
            axis="cards to replace when dealt",
            sort="at distance {}".format,
        ),
        points_chart(
            summary,
            openings.by_wilds,
            name="wilds",
            title="What dealt wild cards are worth",
            axis="wild cards dealt to a hand",
            sort=lambda cards: counted(cards, "wild card"),
        ),
        _ranks_chart(summary),
    ]


def _payments_chart(summary: ContinentalSummary, *, log: bool = False) -> Chart:
    told, payments = "", summary.payments
    if payments:
        first, *_, last = (*payments, *payments)
        most = max(payments, key=lambda paid: payments[paid].count)
        told = (
            f"Each opponent pays {first} to {last} points, most often {most} "
            f"({rate_words(payments[most])} of the exits), on average "
            f"{formats.mean_text(summary.payment)}."
        )
    return payments_chart(
        summary,
        payments,
        title="Payments",
        axis="payment by each opponent [points]",
        told=told,
        log=log,
    )


def _ranks_chart(summary: ContinentalSummary) -> Chart:
    ranks = {
        ("jokers" if rank == "JK" else rank): share for rank, share in summary.ranks_exposed.items()
    }
    return ranks_chart(
        summary,
        ranks,
        axis="share of such cards, in an exit",
        told="Share of the cards of a rank that an exit has",
        wild=(*summary.rules.wild_ranks, "jokers"),
    )
