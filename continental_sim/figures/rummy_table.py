"""The blocks of the tables of a study of Basic Rummy."""

from collections.abc import Mapping, Sequence
from typing import Final

from continental_sim.figures import table_blocks as blocks
from continental_sim.figures.rummy_summary import RummySummary
from continental_sim.figures.table_parts import (
    OF_DEALS,
    OF_EXITS,
    OF_HANDS,
    Block,
    Fates,
    Means,
    Rates,
    Row,
    Title,
    Wording,
    rows_of,
)
from continental_sim.words import counted

_BY_SEAT: Final[Mapping[str, Title]] = {
    "rummy": "going rummy",
    "ordinary": "ordinary",
    "wins": Wording("any exit", "any"),
}
_BEHAVIOUR: Final[Mapping[str, Title]] = {
    "cards_laid": "cards laid",
    "layings_declined": Wording("layings declined", "declined"),
}


def rummy_blocks(summary: RummySummary) -> Sequence[Block]:
    """Return the blocks of all figures of a study, in their order."""
    by_melded = (Wording("cards in melds:", "melded"), summary.hands.by_melded)
    return (
        blocks.ends(summary),
        _exits(summary),
        _shares_of_exits(summary),
        blocks.exits_by_seat(summary, _BY_SEAT),
        _scores(summary),
        blocks.ledgers(summary),
        blocks.wins(summary),
        blocks.lengths(summary),
        _left(summary),
        _matches(summary),
        _hands(summary),
        (Fates((by_melded, ("deadwood", summary.hands.by_deadwood))),),
        _ranks(summary),
        blocks.behaviour(_BEHAVIOUR),
    )


def _exits(summary: RummySummary) -> Block:
    exits = {"going rummy": summary.exits["rummy"], "ordinary": summary.exits["ordinary"]}
    return (Rates("Exits", OF_DEALS, rows_of(exits)),)


def _shares_of_exits(summary: RummySummary) -> Block:
    shares = {
        "going rummy": summary.going_rummy,
        "last card thrown": summary.last_card["thrown"],
        "last card laid": summary.last_card["laid"],
    }
    return (Rates("How exits come", OF_EXITS, rows_of(shares)),)


def _scores(summary: RummySummary) -> Block:
    shares = {f"{name} points": share for name, share in summary.scores.items()}
    by_kind = {
        "going rummy": summary.score_by_kind["rummy"],
        "ordinary": summary.score_by_kind["ordinary"],
    }
    # Pages have the score of any exit with the lengths of deals.
    any_exit = Row("score [points]", summary.payment, "line")
    return (
        Rates("Score of an exit", OF_EXITS, rows_of(shares)),
        Means(Wording("Score of an exit by its kind, points", ""), [any_exit, *rows_of(by_kind)]),
    )


def _left(summary: RummySummary) -> Block:
    left = summary.left
    title = "Pips left in a hand that did not go out, deals without an exit too"
    players = zip(summary.players, left.by_player, strict=True)
    others = Wording("all other hands together, deals that were won", "all others, deals won")
    rows = [
        Row("any hand", left.any_hand),
        *(Row(player, mean) for player, mean in players),
        *blocks.teams(summary, left.by_strategy),
        Row(others, left.when_won),
    ]
    return (Means(Wording(title, f"{title} [points]"), rows),)


def _matches(summary: RummySummary) -> Block:
    matches = summary.matches
    players = zip(summary.players, matches.won, strict=True)
    rows = [
        *(Row(player, won) for player, won in players),
        *blocks.teams(summary, matches.won_by_strategy),
        Row("undecided", matches.undecided),
    ]
    of_matches = Wording("of all matches", "of matches")
    length = Wording("Length of a match that was decided", "")
    return (
        Rates(f"Matches to {counted(summary.rules.target, 'point')}", of_matches, rows),
        Means(length, rows_of({"deals of a match": matches.deals})),
    )


def _hands(summary: RummySummary) -> Block:
    hands = summary.hands
    title = Wording("Dealt hands by the cards that their best melds hold", "Dealt hands")
    shares = {f"{cards} cards in melds": share for cards, share in hands.melds.items()}
    means = {"cards in melds": hands.melded, "deadwood [points]": hands.deadwood}
    return (
        Rates(title, OF_HANDS, rows_of(shares)),
        Means(Wording("Dealt hands", ""), rows_of(means)),
    )


def _ranks(summary: RummySummary) -> Block:
    title = Wording("Cards laid", "Cards laid, of all")
    of_cards = Wording("of all cards of the rank in all deals", "cards")
    return (Rates(title, of_cards, rows_of(summary.ranks_laid)),)
