"""The figures of a study of Basic Rummy that a user may name."""

from typing import Final

from continental_sim.cards import RANKS, SUITS
from continental_sim.figures.estimates import Estimate, proportion
from continental_sim.figures.metric import (
    ENDS,
    LENGTHS,
    WINS,
    Metric,
    entry,
    figure,
    ledgers,
    of_seat,
    seats_of,
    texts,
)
from continental_sim.figures.rummy_summary import RummySummary
from continental_sim.rules import BasicRummyRules

_COURT: Final = 10  # [points]


def _pips(rules: BasicRummyRules) -> list[int]:
    """Return what each card of the pack counts, ascending [points]."""
    by_rank = [rules.ace_points, *(min(number, _COURT) for number in range(2, len(RANKS) + 1))]
    return sorted(by_rank * len(SUITS))


def _most_left(rules: BasicRummyRules, hands: int) -> int:
    return sum(_pips(rules)[-hands * rules.hand_size :])


def _most_scored(rules: BasicRummyRules) -> int:
    return rules.going_rummy * _most_left(rules, rules.seats - 1)


# -- The lowest and the highest single value -------------------------------------------------------


def _scored(rules: BasicRummyRules, _: int) -> tuple[float, float]:
    # Each other hand has a card at least.
    return sum(_pips(rules)[: rules.seats - 1]), _most_scored(rules)


def _left(rules: BasicRummyRules, _: int) -> tuple[float, float]:
    return _pips(rules)[0], _most_left(rules, 1)


def _deadwood(rules: BasicRummyRules, _: int) -> tuple[float, float]:
    return 0, _most_left(rules, 1)


def _melded(rules: BasicRummyRules, _: int) -> tuple[float, float]:
    return 0, rules.hand_size


def _deals_of_a_match(_: BasicRummyRules, longest: int) -> tuple[float, float]:
    return 1, longest


def _longest_match(rules: BasicRummyRules, seen: RummySummary | None) -> int:
    return rules.match_deals if seen is None else seen.matches.longest


def _cards_melded(rules: BasicRummyRules) -> tuple[str, ...]:
    return texts((0, *range(3, rules.hand_size + 1)))


def _of_hands(summary: RummySummary, key: str) -> Estimate:
    hands = summary.hands
    found = hands.melds.get(int(key))
    # As the others are estimated: as if one hand a deal had been counted.
    return found or proportion(0, hands.melded.n, summary.level, hands.melded.design_effect)


# fmt: off
RUMMY_METRICS: Final = {metric.name: metric for metric in (
    *ENDS,
    Metric("exits.rummy", "", "deals", "Exits that lay the whole hand in one turn (going rummy).",
           entry("exits", "rummy")),
    Metric("exits.ordinary", "", "deals", "All other exits.", entry("exits", "ordinary"),
           needs="ordinary"),
    *WINS,
    Metric("rummy_by_seat", "seat", "deals", "Exits from a seat by going rummy.",
           of_seat("rummy"), seats_of),
    Metric("going_rummy", "", "exits", "Exits by going rummy.", figure("going_rummy"),
           needs="ordinary"),
    Metric("last_card_laid", "", "exits", "Exits whose last card is laid, not thrown.",
           entry("last_card", "laid"), needs="last_card_laid"),
    Metric("melds", "cards", "hands", "Dealt hands with so many cards in their best melds.",
           _of_hands, _cards_melded),
    Metric("score", "", "exits", "Mean score of an exit [points].", figure("payment"),
           bounds=_scored),
    *LENGTHS,
    *ledgers(_most_scored),
    Metric("matches", "player", "matches", "Matches to the target that a player won.",
           lambda summary, key: summary.matches.won[int(key)], seats_of),
    Metric("match_deals", "", "matches", "Mean deals of a match that was decided [deals].",
           lambda summary, _: summary.matches.deals, bounds=_deals_of_a_match,
           longest=_longest_match),
    Metric("left", "player", "hands", "Mean pips left in a player's hands that did not go out "
           "[points].", lambda summary, key: summary.left.by_player[int(key)], seats_of, _left),
    Metric("melded", "", "hands", "Mean cards of a dealt hand in its best melds [cards].",
           lambda summary, _: summary.hands.melded, bounds=_melded),
    Metric("deadwood", "", "hands", "Mean deadwood of a dealt hand [points].",
           lambda summary, _: summary.hands.deadwood, bounds=_deadwood),
)}
# fmt: on
