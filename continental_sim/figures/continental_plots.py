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
from continental_sim.language import marked, tr
from continental_sim.words import counted

_KINDS: Final = {  # title and colour, the commonest first
    "later": (marked("later exit"), BLUE),
    "first_turn": (marked("first-turn exit"), VERMILION),
    "dealt": (marked("dealt exit"), GREEN),
}


def continental_charts(summary: ContinentalSummary) -> list[Chart]:
    """Draw all charts of a study, in the order of a report."""
    openings = summary.openings
    exits = {
        tr("dealt exit"): summary.exits["dealt"],
        tr("first-turn exit"): summary.exits["first_turn"],
        tr("later exit"): summary.exits["later"],
        tr("all in one suit"): summary.one_suit,
        tr("natural exit"): summary.natural,
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
            title=tr("Distance of dealt hands"),
            axis=tr("cards to replace before the hand can go out"),
            told=tr("Share of dealt hands at each distance"),
        ),
        fates_chart(
            summary,
            openings.by_distance,
            axis=tr("cards to replace when dealt"),
            sort=lambda cards: tr("at distance {cards}", cards=cards),
        ),
        points_chart(
            summary,
            openings.by_wilds,
            name="wilds",
            title=tr("What dealt wild cards are worth"),
            axis=tr("wild cards dealt to a hand"),
            sort=lambda cards: counted(cards, "wild card"),
        ),
        _ranks_chart(summary),
    ]


def _payments_chart(summary: ContinentalSummary, *, log: bool = False) -> Chart:
    told, payments = "", summary.payments
    if payments:
        first, *_, last = (*payments, *payments)
        most = max(payments, key=lambda paid: payments[paid].count)
        told = tr(
            "Each opponent pays {first} to {last} points, most often {most} ({share} of the "
            "exits), on average {mean}.",
            first=first,
            last=last,
            most=most,
            share=rate_words(payments[most]),
            mean=formats.mean_text(summary.payment),
        )
    return payments_chart(
        summary,
        payments,
        name="payments",
        title=tr("Payments"),
        axis=tr("payment by each opponent [points]"),
        told=told,
        log=log,
    )


def _ranks_chart(summary: ContinentalSummary) -> Chart:
    names = {"JK": tr("jokers")}
    ranks = {names.get(rank, rank): share for rank, share in summary.ranks_exposed.items()}
    return ranks_chart(
        summary,
        ranks,
        axis=tr("share of such cards, in an exit"),
        told=tr("Share of the cards of a rank that an exit has"),
        wild=(*summary.rules.wild_ranks, tr("jokers")),
    )
