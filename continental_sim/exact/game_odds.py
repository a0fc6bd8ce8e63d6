"""What can be counted of each game: the only place here that names the games."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from continental_sim.exact.expected import ContinentalExpected, Expected, RummyExpected
from continental_sim.exact.odds import hand_odds
from continental_sim.exact.odds_table import (
    odds_table,
    odds_to_json,
    rummy_odds_table,
    rummy_odds_to_json,
)
from continental_sim.exact.rummy_odds import rummy_odds
from continental_sim.rules import BasicRummyRules, ContinentalRules, GameRules


@dataclass(frozen=True, slots=True)
class GameOdds:
    """The exact odds of a game.

    Attributes
    ----------
    count : callable
        From its rules to its odds.
    table, to_json : callable
        From its odds to text of 80 columns, and to plain data.
    expected : callable
        From its odds to what is expected of deals.
    """

    count: Callable[[Any], Any]
    table: Callable[[Any], str]
    to_json: Callable[[Any], dict[str, Any]]
    expected: Callable[[Any], Expected]


GAME_ODDS: Final[Mapping[str, GameOdds]] = {
    ContinentalRules.game: GameOdds(hand_odds, odds_table, odds_to_json, ContinentalExpected),
    BasicRummyRules.game: GameOdds(rummy_odds, rummy_odds_table, rummy_odds_to_json, RummyExpected),
}


def expected_of(rules: GameRules) -> Expected:
    """Count what can be counted of the first cards of a deal under some rules."""
    game = GAME_ODDS[rules.game]
    return game.expected(game.count(rules))
