"""A figure that a user may name, and those of them that all games have."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from continental_sim.figures.estimates import Estimate, Mean
from continental_sim.figures.structural import impossible_events
from continental_sim.figures.summary import Summary
from continental_sim.rules import GameRules


def longest_deal(rules: GameRules, seen: Summary | None) -> int:
    """Return the turns of the longest deal, of those seen, or of all that the rules allow."""
    if seen is None or seen.ends["capped"].count:
        return rules.max_rounds * rules.seats
    # What the rules allow is out of all proportion.
    exits = (turn for turns in seen.exits_by_turn.values() for turn in turns)
    return int(max([1, *exits, *seen.turns.quantiles.values()]))


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure, or one for each player, seat, payment ..., by the name that a user gives it.

    Attributes
    ----------
    name : str
        What stands before the brackets.
    index : str
        What stands in the brackets, or "" for a name without brackets.
    unit : str
        What is counted: "deals", "exits", "hands", "sessions" or "matches".
    meaning : str
        One sentence.
    get : callable
        From a `Summary` and the text in the brackets to the `Estimate` or `Mean`.
    keys : callable or None
        From the rules to all that may stand in the brackets; None for a name without brackets.
    bounds : callable or None
        From the rules and the longest length to the lowest and the highest single value of a mean;
        None for a rate.
    longest : callable
        From the rules, and a `Summary` or None, to that length: of what was seen, or may be.
    signed : bool
        Whether the mean may lie at or near 0, so that no width is relative to it.
    needs : str
        The event of `structural.impossible_events` without which it says nothing, or "".
    """

    name: str
    index: str
    unit: str
    meaning: str
    get: Callable[[Any, str], Estimate | Mean]
    keys: Callable[[Any], Sequence[str]] | None = None
    bounds: Callable[[Any, int], tuple[float, float]] | None = None
    longest: Callable[[Any, Any], int] = longest_deal
    signed: bool = False
    needs: str = ""

    @property
    def pattern(self) -> str:
        """How it is written: `ledger[PLAYER]`."""
        return f"{self.name}[{self.index.upper()}]" if self.index else self.name

    def allowed(self, rules: GameRules) -> tuple[float, float]:
        """Return between which values it lies by the rules, whatever happens."""
        return self._bounds(rules, None)

    def within(self, summary: Summary) -> tuple[float, float]:
        """Return between which values it lies, nothing being longer than the longest seen."""
        return self._bounds(summary.rules, summary)

    def _bounds(self, rules: GameRules, seen: Summary | None) -> tuple[float, float]:
        return self.bounds(rules, self.longest(rules, seen)) if self.bounds else (0, 1)

    def settled(self, rules: GameRules) -> str:
        """Say why the rules leave nothing to find out, or ""."""
        if self.needs in (impossible := impossible_events(rules)):
            return impossible[self.needs]
        low, high = self.allowed(rules)
        if low == high or (self.keys and len(self.keys(rules)) < 2):
            return "the rules allow only one value"
        return ""


def texts(numbers: Iterable[int]) -> tuple[str, ...]:
    """Write numbers that may stand in brackets, ascending."""
    return tuple(str(number) for number in sorted(set(numbers)))


def seats_of(rules: GameRules) -> tuple[str, ...]:
    """Return the players, or seats, that may stand in brackets."""
    return texts(range(rules.seats))


# -- The lowest and the highest single value -------------------------------------------------------


def _share(_: GameRules, __: int) -> tuple[float, float]:
    return 0, 1


def _turns(_: GameRules, longest: int) -> tuple[float, float]:
    return 1, longest


def _rounds(rules: GameRules, longest: int) -> tuple[float, float]:
    return 1, -(-longest // rules.seats)


def _recycles(rules: GameRules, longest: int) -> tuple[float, float]:
    # A stock lasts at least as many turns as it has cards, the recycled one too.
    return 0, max(1, longest // max(1, rules.stock_size))


# -- Getting a figure ------------------------------------------------------------------------------


def figure(name: str) -> Callable[[Any, str], Any]:
    """Take a field of the summary."""
    return lambda summary, _: getattr(summary, name)


def entry(table: str, name: str) -> Callable[[Any, str], Any]:
    """Take an entry of a field of the summary."""
    return lambda summary, _: getattr(summary, table)[name]


def of_player(name: str) -> Callable[[Any, str], Any]:
    """Take a field of the player in the brackets."""
    return lambda summary, key: getattr(summary.players[int(key)], name)


def of_seat(name: str) -> Callable[[Any, str], Any]:
    """Take a field of the seat in the brackets."""
    return lambda summary, key: getattr(summary.seats[int(key)], name)


# fmt: off
ENDS: Final = (
    Metric("ends.exit", "", "deals", "Deals in which a player went out.", entry("ends", "exit")),
    Metric("ends.drawn", "", "deals", "Deals that ended without a card to draw.",
           entry("ends", "drawn"), needs="drawn"),
    Metric("ends.capped", "", "deals", "Deals stopped at max_rounds.", entry("ends", "capped")),
)
WINS: Final = (
    Metric("recycled", "", "deals", "Deals with a recycle.", figure("recycled"),
           needs="recycled"),
    Metric("wins", "player", "deals", "Deals that a player won.", of_player("wins"), seats_of),
    Metric("wins_by_seat", "seat", "deals", "Exits from a seat.", of_seat("wins"), seats_of),
)
LENGTHS: Final = (
    Metric("turns", "", "deals", "Mean length of a deal [turns].", figure("turns"),
           bounds=_turns),
    Metric("rounds", "", "deals", "Mean length of a deal [rounds].", figure("rounds"),
           bounds=_rounds),
    Metric("recycles", "", "deals", "Mean recycles of a deal.", figure("recycles"),
           bounds=_recycles, needs="recycled"),
)
# fmt: on


def ledgers(most: Callable[[Any], int]) -> tuple[Metric, ...]:
    """Make the metrics of what players and seats have.

    Parameters
    ----------
    most : callable
        From the rules to the most that an exit brings [points, as in the column `payment`].
    """

    def won(rules: GameRules, _: int) -> tuple[float, float]:
        return rules.stakes.other * most(rules), rules.stakes.winner * most(rules)

    def won_in_a_session(rules: GameRules, longest: int) -> tuple[float, float]:
        low, high = won(rules, longest)
        return rules.session_deals * low, rules.session_deals * high

    # fmt: off
    return (
        Metric("ledger", "player", "deals", "Mean ledger of a player [points a deal].",
               of_player("ledger"), seats_of, won, signed=True),
        Metric("ledger_by_seat", "seat", "deals", "Mean ledger of a seat [points a deal].",
               of_seat("ledger"), seats_of, won, signed=True),
        Metric("session_ledger", "player", "sessions",
               "Mean ledger of a player [points a session].", of_player("session_ledger"),
               seats_of, won_in_a_session, signed=True),
        Metric("session_share", "player", "sessions",
               "Share of the sessions that a player won.", of_player("session_share"), seats_of,
               _share),
    )
    # fmt: on
