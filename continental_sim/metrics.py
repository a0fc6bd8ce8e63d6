"""The figures of a study that a user may name, such as `exits.first_turn` or `ledger[0]`."""

import difflib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from continental_sim import formats
from continental_sim.errors import ContsimError
from continental_sim.estimates import Estimate, Mean, proportion
from continental_sim.layouts import TIMINGS, exit_payment
from continental_sim.rules import ContinentalRules
from continental_sim.structural import impossible_events
from continental_sim.summary import Summary

_SHOWN = 60  # characters of a wrong name that a refusal repeats


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure, or one for each player, seat, payment ..., by the name that a user gives it.

    Attributes
    ----------
    name : str
        What stands before the brackets.
    index : str
        What stands in the brackets: a key of `_CHOICES`, or "" for a name without brackets.
    unit : str
        What is counted: "deals", "exits", "hands" or "sessions".
    meaning : str
        One sentence.
    get : callable
        From a `Summary` and the text in the brackets to the `Estimate` or `Mean`.
    bounds : callable or None
        From a `Summary` to the lowest and the highest single value of a mean; None for a rate.
    signed : bool
        Whether the mean may lie at or near 0, so that no width is relative to it.
    needs : str
        The event of `structural.impossible_events` without which it says nothing, or "".
    """

    name: str
    index: str
    unit: str
    meaning: str
    get: Callable[[Summary, str], Estimate | Mean]
    bounds: Callable[[Summary], tuple[float, float]] | None = None
    signed: bool = False
    needs: str = ""

    @property
    def pattern(self) -> str:
        """How it is written: `ledger[PLAYER]`."""
        return f"{self.name}[{self.index.upper()}]" if self.index else self.name


def find_metric(text: str, rules: ContinentalRules) -> tuple[Metric, str]:
    """Find the metric that a text names.

    Parameters
    ----------
    text : str
        ``one_suit`` or ``ledger[0]``.
    rules : ContinentalRules
        What is played: it says which players, seats, payments and patterns there are.

    Returns
    -------
    Metric
    str
        What stands in the brackets.

    Raises
    ------
    ContsimError
        If there is no such metric (the nearest is named), player, seat, payment, number of cards
        or pattern, or if the rules make the event impossible.
    """
    name, bracket, rest = (part.strip() for part in text.partition("["))
    key = rest.removesuffix("]").strip()
    metric = METRICS.get(name)
    shown = formats.plain(text, _SHOWN)
    if metric is None:
        near = difflib.get_close_matches(name, METRICS, n=1)
        hint = f"did you mean {METRICS[near[0]].pattern}?" if near else f"use {_one_of(METRICS)}"
        raise ContsimError(f"there is no metric {shown!r}: {hint}")
    if not metric.index and bracket:
        raise ContsimError(f"{shown!r} cannot have brackets: write {metric.name}")
    if metric.index:
        choices = _CHOICES[metric.index](rules)
        if not rest.endswith("]"):
            raise ContsimError(
                f"{shown!r} does not say which {metric.index}: write {metric.pattern}, "
                f"such as {metric.name}[{choices[0]}]"
            )
        if key not in choices:
            raise ContsimError(
                f"{shown!r} is out of bounds under these rules: {metric.index} is "
                f"{_one_of(choices)}"
            )
    reason = impossible_events(rules).get(metric.needs)
    if reason:
        raise ContsimError(
            f"{shown} is known without a deal, since {reason}: name another metric or other rules"
        )
    return metric, key


def _one_of(words: Sequence[str] | Mapping[str, Any]) -> str:
    """List words; numbers in a row by the first and the last."""
    names = list(words)
    if len(names) > 2 and names[0].isdigit():
        return f"{names[0]} to {names[-1]}"
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]


# -- What may stand in brackets --------------------------------------------------------------------


def _numbers(end: int) -> tuple[str, ...]:
    return tuple(str(number) for number in range(end))


def _seats(rules: ContinentalRules) -> tuple[str, ...]:
    return _numbers(rules.seats)


def _cards(rules: ContinentalRules) -> tuple[str, ...]:
    return _numbers(rules.hand_size + 1)


def _points(rules: ContinentalRules) -> tuple[str, ...]:
    return _numbers(_most_paid(rules) + 1)


def _patterns(rules: ContinentalRules) -> tuple[str, ...]:
    return rules.patterns


_CHOICES: Final[dict[str, Callable[[ContinentalRules], Sequence[str]]]] = {
    "player": _seats,
    "seat": _seats,
    "points": _points,
    "cards": _cards,
    "pattern": _patterns,
}


# -- The lowest and the highest single value -------------------------------------------------------


def _most_paid(rules: ContinentalRules) -> int:
    """Return a payment that no exit exceeds [points]."""
    deuces = min(rules.wilds - rules.jokers, rules.hand_size)
    jokers = min(rules.jokers, rules.hand_size)
    exposed = (
        (0, 0),
        (deuces, min(jokers, rules.hand_size - deuces)),
        (min(deuces, rules.hand_size - jokers), jokers),
    )
    return max(
        exit_payment(rules, *wild, one_suit=True, timing=timing)
        for wild in exposed
        for timing in TIMINGS
    )


def _paid(summary: Summary) -> tuple[float, float]:
    return 0, _most_paid(summary.rules)


def _won(summary: Summary) -> tuple[float, float]:
    most = _most_paid(summary.rules)
    return -most, (summary.rules.seats - 1) * most


def _won_in_a_session(summary: Summary) -> tuple[float, float]:
    least, most = _won(summary)
    return summary.rules.seats * least, summary.rules.seats * most


def _share(_: Summary) -> tuple[float, float]:
    return 0, 1


def _held(summary: Summary) -> tuple[float, float]:
    return 0, summary.rules.hand_size


def _longest(summary: Summary) -> int:
    """Return the turns of the longest deal seen: what the rules allow is out of all proportion."""
    rules = summary.rules
    if summary.ends["capped"].count:
        return rules.max_rounds * rules.seats
    exits = (turn for turns in summary.exits_by_turn.values() for turn in turns)
    return int(max([1, *exits, *summary.turns.quantiles.values()]))


def _turns(summary: Summary) -> tuple[float, float]:
    return 1, _longest(summary)


def _rounds(summary: Summary) -> tuple[float, float]:
    return 1, -(-_longest(summary) // summary.rules.seats)


def _recycles(summary: Summary) -> tuple[float, float]:
    # A stock lasts at least as many turns as it has cards, the recycled one too.
    return 0, max(1, _longest(summary) // max(1, summary.rules.stock_size))


# -- Getting a figure ------------------------------------------------------------------------------


def _figure(name: str) -> Callable[[Summary, str], Any]:
    return lambda summary, _: getattr(summary, name)


def _entry(table: str, name: str) -> Callable[[Summary, str], Any]:
    return lambda summary, _: getattr(summary, table)[name]


def _player(name: str) -> Callable[[Summary, str], Any]:
    return lambda summary, key: getattr(summary.players[int(key)], name)


def _seat(name: str) -> Callable[[Summary, str], Any]:
    return lambda summary, key: getattr(summary.seats[int(key)], name)


def _of_exits(name: str) -> Callable[[Summary, str], Estimate]:
    """Share of the exits; a value that has not occurred yet is not in the summary."""

    def get(summary: Summary, key: str) -> Estimate:
        found: Estimate | None = getattr(summary, name).get(int(key))
        return found or proportion(0, summary.ends["exit"].count, summary.level)

    return get


def _of_hands(summary: Summary, key: str) -> Estimate:
    openings = summary.openings
    found = openings.distances.get(int(key))
    # As the others are estimated: as if one hand a deal had been counted.
    return found or proportion(0, openings.distance.n, summary.level, summary.rules.seats)


# fmt: off
METRICS: Final = {metric.name: metric for metric in (
    Metric("ends.exit", "", "deals", "Deals in which a player went out.", _entry("ends", "exit")),
    Metric("ends.drawn", "", "deals", "Deals that ended without a card to draw.",
           _entry("ends", "drawn"), needs="drawn"),
    Metric("ends.capped", "", "deals", "Deals stopped at max_rounds.", _entry("ends", "capped")),
    Metric("exits.dealt", "", "deals", "Exits in the first turn without drawing.",
           _entry("exits", "dealt")),
    Metric("exits.first_turn", "", "deals", "Exits in the first turn after a draw.",
           _entry("exits", "first_turn")),
    Metric("exits.later", "", "deals", "Exits after the first turn.", _entry("exits", "later"),
           needs="later"),
    Metric("one_suit", "", "deals", "Exits all in one suit.", _figure("one_suit"),
           needs="one_suit"),
    Metric("natural", "", "deals", "Exits without wild cards.", _figure("natural"),
           needs="natural"),
    Metric("recycled", "", "deals", "Deals with a recycle.", _figure("recycled"),
           needs="recycled"),
    Metric("wins", "player", "deals", "Deals that a player won.", _player("wins")),
    Metric("wins_by_seat", "seat", "deals", "Exits from a seat.", _seat("wins")),
    Metric("dealt_by_seat", "seat", "deals", "Dealt exits from a seat.", _seat("dealt")),
    Metric("first_turn_by_seat", "seat", "deals", "First-turn exits from a seat.",
           _seat("first_turn")),
    Metric("by_first_turn_by_seat", "seat", "deals", "Dealt or first-turn exits from a seat.",
           _seat("by_first_turn")),
    Metric("later_by_seat", "seat", "deals", "Later exits from a seat.", _seat("later"),
           needs="later"),
    Metric("payments", "points", "exits", "Exits that paid so many points.",
           _of_exits("payments")),
    Metric("patterns", "pattern", "exits", "Exits that fit a pattern.",
           lambda summary, key: summary.patterns[key]),
    Metric("deuces_exposed", "cards", "exits", "Exits with so many wild cards but jokers.",
           _of_exits("deuces_exposed"), needs="deuces"),
    Metric("jokers_exposed", "cards", "exits", "Exits with so many jokers.",
           _of_exits("jokers_exposed"), needs="jokers"),
    Metric("distances", "cards", "hands", "Dealt hands so far from an exit.", _of_hands),
    Metric("payment", "", "exits", "Mean payment of an exit [points an opponent].",
           _figure("payment"), _paid),
    Metric("deuces", "", "exits", "Mean wild cards but jokers of an exit [cards].",
           _figure("deuces"), _held, needs="deuces"),
    Metric("jokers", "", "exits", "Mean jokers of an exit [cards].", _figure("jokers"), _held,
           needs="jokers"),
    Metric("turns", "", "deals", "Mean length of a deal [turns].", _figure("turns"), _turns),
    Metric("rounds", "", "deals", "Mean length of a deal [rounds].", _figure("rounds"), _rounds),
    Metric("recycles", "", "deals", "Mean recycles of a deal.", _figure("recycles"), _recycles,
           needs="recycled"),
    Metric("ledger", "player", "deals", "Mean ledger of a player [points a deal].",
           _player("ledger"), _won, signed=True),
    Metric("ledger_by_seat", "seat", "deals", "Mean ledger of a seat [points a deal].",
           _seat("ledger"), _won, signed=True),
    Metric("session_ledger", "player", "sessions", "Mean ledger of a player [points a session].",
           _player("session_ledger"), _won_in_a_session, signed=True),
    Metric("session_share", "player", "sessions", "Share of the sessions that a player won.",
           _player("session_share"), _share),
    Metric("distance", "", "hands", "Mean distance of a dealt hand from an exit [cards].",
           lambda summary, _: summary.openings.distance, _held),
)}
# fmt: on
