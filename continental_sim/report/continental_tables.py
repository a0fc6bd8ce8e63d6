"""The tables of the figures of a study of Continental."""

from continental_sim.figures.continental_summary import ContinentalSummary
from continental_sim.report import study_tables as tables
from continental_sim.report.study_tables import fates_table, means_table, rates_table
from continental_sim.report.tables import Table
from continental_sim.words import counted

_BY_SEAT = {
    "dealt": "dealt",
    "first_turn": "first turn",
    "by_first_turn": "dealt or first turn",
    "later": "later",
    "wins": "any exit",
}


def continental_tables(summary: ContinentalSummary) -> list[Table]:
    """Return all figures of a study, in the order of the table on the screen."""
    wild = "deuces" if summary.rules.wild_ranks == ("2",) else "cards of wild ranks"
    openings = summary.openings
    return [
        tables.ends_table(summary),
        rates_table(
            summary,
            "Exits, of all deals",
            {
                "dealt": summary.exits["dealt"],
                "first turn": summary.exits["first_turn"],
                "later": summary.exits["later"],
                "all in one suit": summary.one_suit,
                "natural (no wild card)": summary.natural,
            },
        ),
        tables.by_seat_table(summary, _BY_SEAT),
        rates_table(
            summary,
            "Payment by each opponent, of the exits",
            {counted(paid, "point"): share for paid, share in summary.payments.items()},
        ),
        tables.ledgers_table(summary),
        tables.wins_table(summary),
        tables.lengths_table(summary),
        tables.recycling_table(summary),
        rates_table(
            summary,
            "Exposed hands, of the exits",
            {f"fit {pattern}": share for pattern, share in summary.patterns.items()}
            | {f"{wild}: {cards}": share for cards, share in summary.deuces_exposed.items()}
            | {f"jokers: {cards}": share for cards, share in summary.jokers_exposed.items()},
        ),
        tables.sessions_table(summary),
        rates_table(
            summary,
            "Dealt hands by distance, of all hands",
            {f"distance {cards}": share for cards, share in openings.distances.items()},
        ),
        means_table(
            summary,
            "Dealt hands",
            {
                "distance": openings.distance,
                f"{wild} dealt": openings.deuces,
                "jokers dealt": openings.jokers,
            },
        ),
        fates_table(summary, {"distance": openings.by_distance, "wild cards:": openings.by_wilds}),
        rates_table(
            summary,
            "Cards laid down, of all cards of the rank in all exits",
            {
                ("jokers" if rank == "JK" else rank): share
                for rank, share in summary.ranks_exposed.items()
            },
        ),
        tables.behaviour_table(summary),
    ]
