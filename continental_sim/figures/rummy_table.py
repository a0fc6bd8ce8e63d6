"""The blocks of the text table of a study of Basic Rummy."""

from collections.abc import Iterable, Iterator
from typing import Final

from continental_sim.figures import table_blocks as blocks
from continental_sim.figures.rummy_summary import RummySummary
from continental_sim.figures.table_blocks import (
    LABEL,
    NAME,
    heading,
    means_lines,
    name_of,
    rate_lines,
    rates_lines,
    strategy_names,
    wrapped,
)
from continental_sim.words import counted

_BEHAVIOUR: Final = {
    "turns": "turns",
    "upcards_taken": "upcards taken",
    "cards_laid": "cards laid",
    "layings_declined": "declined",
}


def rummy_blocks(summary: RummySummary) -> Iterable[Iterable[str]]:
    """Return the blocks between the header and the footer."""
    return (
        blocks.ends(summary),
        _exits(summary),
        _shares_of_exits(summary),
        _exits_by_seat(summary),
        _scores(summary),
        blocks.ledgers(summary),
        blocks.wins(summary),
        blocks.lengths(summary),
        _left(summary),
        _matches(summary),
        _hands(summary),
        blocks.fates_lines(
            summary,
            {"melded": summary.hands.by_melded, "deadwood": summary.hands.by_deadwood},
        ),
        _ranks(summary),
        blocks.behaviour(summary, _BEHAVIOUR),
    )


def _exits(summary: RummySummary) -> Iterator[str]:
    yield heading("Exits", "of deals", summary)
    yield from rates_lines(
        {"going rummy": summary.exits["rummy"], "ordinary": summary.exits["ordinary"]}
    )


def _shares_of_exits(summary: RummySummary) -> Iterator[str]:
    yield heading("How exits come", "of exits", summary)
    yield from rates_lines(
        {
            "going rummy": summary.going_rummy,
            "last card thrown": summary.last_card["thrown"],
            "last card laid": summary.last_card["laid"],
        }
    )


def _exits_by_seat(summary: RummySummary) -> Iterator[str]:
    yield heading("Exits by seat (0 is first)", "of deals", summary)
    for title, name in (("going rummy", "rummy"), ("ordinary", "ordinary"), ("any", "wins")):
        for seat in summary.seats:
            yield from rate_lines(f"{title}, seat {seat.number}", getattr(seat, name))


def _scores(summary: RummySummary) -> Iterator[str]:
    yield heading("Score of an exit", "of exits", summary)
    yield from rates_lines({f"{name} points": share for name, share in summary.scores.items()})
    yield from means_lines(
        summary,
        {
            "score [points]": summary.payment,
            "going rummy": summary.score_by_kind["rummy"],
            "ordinary": summary.score_by_kind["ordinary"],
        },
    )


def _left(summary: RummySummary) -> Iterator[str]:
    left = summary.left
    yield from wrapped(
        "Pips left in a hand that did not go out, deals without an exit too [points]"
    )
    yield from means_lines(summary, {"any hand": left.any_hand})
    players = zip(summary.players, left.by_player, strict=True)
    yield from means_lines(summary, {name_of(player, NAME): mean for player, mean in players}, "")
    names = strategy_names(summary, NAME)
    shared = {name: left.by_strategy[strategy] for strategy, name in names.items()}
    yield from means_lines(summary, shared, "")
    yield from means_lines(summary, {"all others, deals won": left.when_won}, "")


def _matches(summary: RummySummary) -> Iterator[str]:
    matches, names = summary.matches, strategy_names(summary, LABEL)
    yield heading(f"Matches to {counted(summary.rules.target, 'point')}", "of matches", summary)
    players = zip(summary.players, matches.won, strict=True)
    yield from rates_lines({name_of(player, LABEL): won for player, won in players})
    shared = {name: matches.won_by_strategy[strategy] for strategy, name in names.items()}
    yield from rates_lines(shared)
    yield from rate_lines("undecided", matches.undecided)
    yield from means_lines(summary, {"deals of a match": matches.deals})


def _hands(summary: RummySummary) -> Iterator[str]:
    yield heading("Dealt hands", "of hands", summary)
    for cards, share in summary.hands.melds.items():
        yield from rate_lines(f"{cards} cards in melds", share)
    yield from means_lines(
        summary,
        {"cards in melds": summary.hands.melded, "deadwood [points]": summary.hands.deadwood},
    )


def _ranks(summary: RummySummary) -> Iterator[str]:
    yield heading("Cards laid, of all", "cards", summary)
    yield from rates_lines(summary.ranks_laid)
