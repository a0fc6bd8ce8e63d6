"""The figures of a study that a user may name, such as `exits.first_turn` or `ledger[0]`."""

import difflib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from continental_sim.cards import RANKS
from continental_sim.errors import ContsimError
from continental_sim.figures import formats
from continental_sim.figures.estimates import Estimate, Mean, proportion
from continental_sim.figures.structural import impossible_events
from continental_sim.figures.summary import Summary
from continental_sim.layouts import TIMINGS, exit_payment
from continental_sim.rules import ContinentalRules, GameRules, continental

_SHOWN = 60  # characters of a wrong name that a refusal repeats


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
        What is counted: "deals", "exits", "hands" or "sessions".
    meaning : str
        One sentence.
    get : callable
        From a `Summary` and the text in the brackets to the `Estimate` or `Mean`.
    keys : callable or None
        From the rules to all that may stand in the brackets; None for a name without brackets.
    bounds : callable or None
        From the rules and the turns of the longest deal to the lowest and the highest single value
        of a mean; None for a rate.
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
    keys: Callable[[ContinentalRules], Sequence[str]] | None = None
    bounds: Callable[[ContinentalRules, int], tuple[float, float]] | None = None
    signed: bool = False
    needs: str = ""

    @property
    def pattern(self) -> str:
        """How it is written: `ledger[PLAYER]`."""
        return f"{self.name}[{self.index.upper()}]" if self.index else self.name

    def allowed(self, rules: GameRules) -> tuple[float, float]:
        """Return between which values it lies by the rules, whatever happens."""
        return self._bounds(continental(rules, "a metric"), rules.max_rounds * rules.seats)

    def within(self, summary: Summary) -> tuple[float, float]:
        """Return between which values it lies, a deal being no longer than the longest seen."""
        return self._bounds(summary.rules, _longest(summary))

    def _bounds(self, rules: ContinentalRules, longest: int) -> tuple[float, float]:
        return self.bounds(rules, longest) if self.bounds else (0, 1)

    def settled(self, rules: ContinentalRules) -> str:
        """Say why the rules leave nothing to find out, or ""."""
        if self.needs in (impossible := impossible_events(rules)):
            return impossible[self.needs]
        low, high = self.allowed(rules)
        if low == high or (self.keys and len(self.keys(rules)) < 2):
            return "the rules allow only one value"
        return ""


def find_metric(text: str, game_rules: GameRules) -> tuple[Metric, str]:
    """Find the metric that a text names.

    Parameters
    ----------
    text : str
        ``one_suit`` or ``ledger[0]``.
    game_rules : GameRules
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
        or pattern, or if the rules settle the figure.
    """
    rules = continental(game_rules, "a metric")
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
    if reason := metric.settled(rules):
        raise ContsimError(
            f"{shown} is known without a deal, since {reason}: name another metric or other rules"
        )
    if metric.keys:
        keys = metric.keys(rules)
        if not rest.endswith("]"):
            raise ContsimError(
                f"{shown!r} does not say which {metric.index}: write {metric.pattern}, "
                f"such as {metric.name}[{keys[0]}]"
            )
        if key not in keys:
            raise ContsimError(
                f"{shown!r} is out of bounds under these rules, where {metric.index} is "
                f"{_one_of(keys)}: name one of these"
            )
    return metric, key


def _one_of(words: Sequence[str] | Mapping[str, Any]) -> str:
    """List words; numbers in a row by the first and the last."""
    names: list[str] = []
    for word in words:
        first, _, last = names[-1].partition(" to ") if names else ("", "", "")
        if word.isdigit() and (last or first) == str(int(word) - 1):
            names[-1] = f"{first} to {word}"
        else:
            names.append(word)
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]


# -- What an exit may expose and pay ---------------------------------------------------------------


def exposures(rules: ContinentalRules) -> list[tuple[int, int]]:
    """List numbers of deuces and of jokers of an exit; others cannot be [cards].

    Not each of them need be possible: nothing is laid.
    """
    naturals = rules.cards - rules.wilds
    own = _most_at_home(rules)
    return [
        (deuces, jokers)
        for deuces in range(rules.deuces + 1)
        for jokers in range(rules.jokers + 1)
        if rules.hand_size - naturals <= deuces + jokers <= rules.hand_size
        and jokers <= _most_wilds(rules, 0)
        and deuces + jokers <= _most_wilds(rules, own)
    ]


def _most_at_home(rules: ContinentalRules) -> int:
    """Count the cards of wild ranks that may be naturals of one run or group."""
    if not (rules.counts_at_home and rules.wild_ranks):
        return 0
    # A run has a rank's place once, and the ace's perhaps twice.
    return len(rules.wild_ranks) + ("A" in rules.wild_ranks)


def _most_wilds(rules: ContinentalRules, own: int) -> int:
    """Count the wild cards that fit into a pattern, `own` of each meld as naturals of it."""
    return max(
        sum(min(length, length - rules.naturals_needed(length) + own) for length in lengths)
        for lengths in rules.pattern_lengths
    )


def may_be_in_one_suit(rules: ContinentalRules, deuces: int, jokers: int) -> bool:
    """Tell whether an exit with so many wild cards may be in one suit, as far as cards go."""
    wild_ranks = len(rules.wild_ranks)
    if rules.one_suit == "physical" and (jokers or deuces > rules.packs * wild_ranks):
        return False
    naturals = rules.hand_size - deuces - jokers
    return naturals <= rules.packs * (len(RANKS) - wild_ranks)


def _payments(rules: ContinentalRules) -> list[int]:
    """List what an exit may pay, ascending; it pays nothing else [points an opponent]."""
    settled = impossible_events(rules)  # "later", which is also a timing, may be among them
    found = {
        exit_payment(rules, *wild, one_suit=one_suit, timing=timing)
        for wild in exposures(rules)
        for one_suit in {False, may_be_in_one_suit(rules, *wild)}
        for timing in TIMINGS
        if timing not in settled
    }
    return sorted(found)


# -- What may stand in brackets --------------------------------------------------------------------


def _texts(numbers: Iterable[int]) -> tuple[str, ...]:
    return tuple(str(number) for number in sorted(set(numbers)))


def _seats(rules: ContinentalRules) -> tuple[str, ...]:
    return _texts(range(rules.seats))


def _points(rules: ContinentalRules) -> tuple[str, ...]:
    return _texts(_payments(rules))


def _deuces(rules: ContinentalRules) -> tuple[str, ...]:
    return _texts(deuces for deuces, _ in exposures(rules))


def _jokers(rules: ContinentalRules) -> tuple[str, ...]:
    return _texts(jokers for _, jokers in exposures(rules))


def _distances(rules: ContinentalRules) -> tuple[str, ...]:
    # How far a hand can be at most is not told by any sum: it depends on where its cards lie.
    return _texts(range(rules.hand_size + 1))


def _patterns(rules: ContinentalRules) -> tuple[str, ...]:
    return rules.patterns


# -- The lowest and the highest single value -------------------------------------------------------


def _ends(numbers: Iterable[int]) -> tuple[int, int]:
    """Return the least and the greatest number; 0 if no exit is possible."""
    found = list(numbers)
    return min(found, default=0), max(found, default=0)


def _paid(rules: ContinentalRules, _: int) -> tuple[float, float]:
    return _ends(_payments(rules))


def _won(rules: ContinentalRules, _: int) -> tuple[float, float]:
    _, most = _ends(_payments(rules))
    return -most, (rules.seats - 1) * most


def _won_in_a_session(rules: ContinentalRules, longest: int) -> tuple[float, float]:
    least, most = _won(rules, longest)
    return rules.seats * least, rules.seats * most


def _share(_: ContinentalRules, __: int) -> tuple[float, float]:
    return 0, 1


def _with_deuces(rules: ContinentalRules, _: int) -> tuple[float, float]:
    return _ends(deuces for deuces, _ in exposures(rules))


def _with_jokers(rules: ContinentalRules, _: int) -> tuple[float, float]:
    return _ends(jokers for _, jokers in exposures(rules))


def _far(rules: ContinentalRules, _: int) -> tuple[float, float]:
    return 0, rules.hand_size


def _turns(_: ContinentalRules, longest: int) -> tuple[float, float]:
    return 1, longest


def _rounds(rules: ContinentalRules, longest: int) -> tuple[float, float]:
    return 1, -(-longest // rules.seats)


def _recycles(rules: ContinentalRules, longest: int) -> tuple[float, float]:
    # A stock lasts at least as many turns as it has cards, the recycled one too.
    return 0, max(1, longest // max(1, rules.stock_size))


def _longest(summary: Summary) -> int:
    """Return the turns of the longest deal seen: what the rules allow is out of all proportion."""
    rules = summary.rules
    if summary.ends["capped"].count:
        return rules.max_rounds * rules.seats
    exits = (turn for turns in summary.exits_by_turn.values() for turn in turns)
    return int(max([1, *exits, *summary.turns.quantiles.values()]))


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
    hands = openings.distance
    return found or proportion(0, hands.n, summary.level, hands.design_effect)


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
    Metric("wins", "player", "deals", "Deals that a player won.", _player("wins"), _seats),
    Metric("wins_by_seat", "seat", "deals", "Exits from a seat.", _seat("wins"), _seats),
    Metric("dealt_by_seat", "seat", "deals", "Dealt exits from a seat.", _seat("dealt"), _seats),
    Metric("first_turn_by_seat", "seat", "deals", "First-turn exits from a seat.",
           _seat("first_turn"), _seats),
    Metric("by_first_turn_by_seat", "seat", "deals", "Dealt or first-turn exits from a seat.",
           _seat("by_first_turn"), _seats),
    Metric("later_by_seat", "seat", "deals", "Later exits from a seat.", _seat("later"), _seats,
           needs="later"),
    Metric("payments", "points", "exits", "Exits that paid so many points.",
           _of_exits("payments"), _points),
    Metric("patterns", "pattern", "exits", "Exits that fit a pattern.",
           lambda summary, key: summary.patterns[key], _patterns),
    Metric("deuces_exposed", "cards", "exits", "Exits with so many wild cards but jokers.",
           _of_exits("deuces_exposed"), _deuces, needs="deuces"),
    Metric("jokers_exposed", "cards", "exits", "Exits with so many jokers.",
           _of_exits("jokers_exposed"), _jokers, needs="jokers"),
    Metric("distances", "cards", "hands", "Dealt hands so far from an exit.", _of_hands,
           _distances),
    Metric("payment", "", "exits", "Mean payment of an exit [points an opponent].",
           _figure("payment"), bounds=_paid),
    Metric("deuces", "", "exits", "Mean wild cards but jokers of an exit [cards].",
           _figure("deuces"), bounds=_with_deuces, needs="deuces"),
    Metric("jokers", "", "exits", "Mean jokers of an exit [cards].", _figure("jokers"),
           bounds=_with_jokers, needs="jokers"),
    Metric("turns", "", "deals", "Mean length of a deal [turns].", _figure("turns"),
           bounds=_turns),
    Metric("rounds", "", "deals", "Mean length of a deal [rounds].", _figure("rounds"),
           bounds=_rounds),
    Metric("recycles", "", "deals", "Mean recycles of a deal.", _figure("recycles"),
           bounds=_recycles, needs="recycled"),
    Metric("ledger", "player", "deals", "Mean ledger of a player [points a deal].",
           _player("ledger"), _seats, _won, signed=True),
    Metric("ledger_by_seat", "seat", "deals", "Mean ledger of a seat [points a deal].",
           _seat("ledger"), _seats, _won, signed=True),
    Metric("session_ledger", "player", "sessions", "Mean ledger of a player [points a session].",
           _player("session_ledger"), _seats, _won_in_a_session, signed=True),
    Metric("session_share", "player", "sessions", "Share of the sessions that a player won.",
           _player("session_share"), _seats, _share),
    Metric("distance", "", "hands", "Mean distance of a dealt hand from an exit [cards].",
           lambda summary, _: summary.openings.distance, bounds=_far),
)}
# fmt: on
