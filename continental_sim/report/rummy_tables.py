"""The tables of the figures of a study of Basic Rummy."""

from continental_sim.figures.rummy_summary import RummySummary
from continental_sim.report import study_tables as tables
from continental_sim.report.study_tables import fates_table, means_table, rates_table
from continental_sim.report.tables import Table
from continental_sim.words import counted

_BY_SEAT = {"rummy": "going rummy", "ordinary": "ordinary", "wins": "any exit"}


def rummy_tables(summary: RummySummary) -> list[Table]:
    """Return all figures of a study, in the order of the table on the screen."""
    left, hands, matches = summary.left, summary.hands, summary.matches
    players = zip(summary.players, left.by_player, strict=True)
    return [
        tables.ends_table(summary),
        rates_table(
            summary,
            "Exits, of all deals",
            {"going rummy": summary.exits["rummy"], "ordinary": summary.exits["ordinary"]},
        ),
        rates_table(
            summary,
            "How exits come, of the exits",
            {
                "going rummy": summary.going_rummy,
                "last card thrown": summary.last_card["thrown"],
                "last card laid": summary.last_card["laid"],
            },
        ),
        tables.by_seat_table(summary, _BY_SEAT),
        rates_table(
            summary,
            "Score of an exit, of the exits",
            {f"{name} points": share for name, share in summary.scores.items()},
        ),
        means_table(
            summary,
            "Score of an exit by its kind, points",
            {
                "going rummy": summary.score_by_kind["rummy"],
                "ordinary": summary.score_by_kind["ordinary"],
            },
        ),
        tables.ledgers_table(summary),
        tables.wins_table(summary),
        tables.lengths_table(summary),
        tables.recycling_table(summary),
        means_table(
            summary,
            "Pips left in a hand that did not go out, deals without an exit too",
            {"any hand": left.any_hand}
            | {player.label: mean for player, mean in players}
            | {f"all {name}": left.by_strategy[name] for name in summary.shared_strategies}
            | {"all other hands together, deals that were won": left.when_won},
        ),
        rates_table(
            summary,
            f"Matches to {counted(summary.rules.target, 'point')}, of all matches",
            {player.label: won for player, won in zip(summary.players, matches.won, strict=True)}
            | {f"all {name}": matches.won_by_strategy[name] for name in summary.shared_strategies}
            | {"undecided": matches.undecided},
        ),
        means_table(
            summary, "Length of a match that was decided", {"deals of a match": matches.deals}
        ),
        rates_table(
            summary,
            "Dealt hands by the cards that their best melds hold, of all hands",
            {f"{cards} cards in melds": share for cards, share in hands.melds.items()},
        ),
        means_table(
            summary,
            "Dealt hands",
            {"cards in melds": hands.melded, "deadwood [points]": hands.deadwood},
        ),
        fates_table(summary, {"cards in melds:": hands.by_melded, "deadwood": hands.by_deadwood}),
        rates_table(
            summary, "Cards laid, of all cards of the rank in all deals", summary.ranks_laid
        ),
        tables.behaviour_table(summary),
    ]
