"""The blocks of the tables of a study of Basic Rummy."""

from collections.abc import Mapping, Sequence

from continental_sim.figures import table_blocks as blocks
from continental_sim.figures.rummy_summary import RummySummary
from continental_sim.figures.table_parts import (
    Block,
    Fates,
    Means,
    Rates,
    Row,
    Title,
    Wording,
    of_deals,
    of_exits,
    of_hands,
    rows_of,
)
from continental_sim.language import tr
from continental_sim.words import counted


def rummy_blocks(summary: RummySummary) -> Sequence[Block]:
    """Return the blocks of all figures of a study, in their order."""
    by_melded = (Wording(tr("cards in melds:"), "melded"), summary.hands.by_melded)
    by_seat: Mapping[str, Title] = {
        "rummy": tr("going rummy"),
        "ordinary": tr("ordinary"),
        "wins": Wording(tr("any exit"), "any"),
    }
    behaviour: Mapping[str, Title] = {
        "cards_laid": tr("cards laid"),
        "layings_declined": Wording(tr("layings declined"), "declined"),
    }
    return (
        blocks.ends(summary),
        _exits(summary),
        _shares_of_exits(summary),
        blocks.exits_by_seat(summary, by_seat),
        _scores(summary),
        blocks.ledgers(summary),
        blocks.wins(summary),
        blocks.lengths(summary),
        _left(summary),
        _matches(summary),
        _hands(summary),
        (Fates((by_melded, (tr("deadwood"), summary.hands.by_deadwood))),),
        _ranks(summary),
        blocks.behaviour(behaviour),
    )


def _exits(summary: RummySummary) -> Block:
    exits = {
        tr("going rummy"): summary.exits["rummy"],
        tr("ordinary"): summary.exits["ordinary"],
    }
    return (Rates(tr("Exits"), of_deals(), rows_of(exits)),)


def _shares_of_exits(summary: RummySummary) -> Block:
    shares = {
        tr("going rummy"): summary.going_rummy,
        tr("last card thrown"): summary.last_card["thrown"],
        tr("last card laid"): summary.last_card["laid"],
    }
    return (Rates(tr("How exits come"), of_exits(), rows_of(shares)),)


def _scores(summary: RummySummary) -> Block:
    shares = {tr("{range} points", range=name): share for name, share in summary.scores.items()}
    by_kind = {
        tr("going rummy"): summary.score_by_kind["rummy"],
        tr("ordinary"): summary.score_by_kind["ordinary"],
    }
    # Pages have the score of any exit with the lengths of deals.
    title = Wording(tr("Score of an exit by its kind, points"), "")
    any_exit = Row("score [points]", summary.payment, "line")
    return (
        Rates(tr("Score of an exit"), of_exits(), rows_of(shares)),
        Means(title, [any_exit, *rows_of(by_kind)]),
    )


def _left(summary: RummySummary) -> Block:
    left = summary.left
    title = tr("Pips left in a hand that did not go out, deals without an exit too")
    players = zip(summary.players, left.by_player, strict=True)
    others = Wording(tr("all other hands together, deals that were won"), "all others, deals won")
    rows = [
        Row(tr("any hand"), left.any_hand),
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
        Row(tr("undecided"), matches.undecided),
    ]
    of_matches = Wording(tr("of all matches"), "of matches")
    length = Wording(tr("Length of a match that was decided"), "")
    return (
        Rates(
            tr("Matches to {target}", target=counted(summary.rules.target, "point")),
            of_matches,
            rows,
        ),
        Means(length, rows_of({tr("deals of a match"): matches.deals})),
    )


def _hands(summary: RummySummary) -> Block:
    hands = summary.hands
    title = Wording(tr("Dealt hands by the cards that their best melds hold"), "Dealt hands")
    shares = {
        tr("{cards} cards in melds", cards=cards): share for cards, share in hands.melds.items()
    }
    means = {tr("cards in melds"): hands.melded, tr("deadwood [points]"): hands.deadwood}
    return (
        Rates(title, of_hands(), rows_of(shares)),
        Means(Wording(tr("Dealt hands"), ""), rows_of(means)),
    )


def _ranks(summary: RummySummary) -> Block:
    title = Wording(tr("Cards laid"), "Cards laid, of all")
    of_cards = Wording(tr("of all cards of the rank in all deals"), "cards")
    return (Rates(title, of_cards, rows_of(summary.ranks_laid)),)
