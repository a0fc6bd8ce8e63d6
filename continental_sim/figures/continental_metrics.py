"""The figures of a study of Continental that a user may name."""

from collections.abc import Callable, Iterable
from typing import Final

from continental_sim.cards import RANKS
from continental_sim.figures.continental_summary import ContinentalSummary
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
from continental_sim.figures.structural import impossible_events
from continental_sim.layouts import TIMINGS, exit_payment
from continental_sim.rules import ContinentalRules

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


def _points(rules: ContinentalRules) -> tuple[str, ...]:
    return texts(_payments(rules))


def _deuces(rules: ContinentalRules) -> tuple[str, ...]:
    return texts(deuces for deuces, _ in exposures(rules))


def _jokers(rules: ContinentalRules) -> tuple[str, ...]:
    return texts(jokers for _, jokers in exposures(rules))


def _distances(rules: ContinentalRules) -> tuple[str, ...]:
    # How far a hand can be at most is not told by any sum: it depends on where its cards lie.
    return texts(range(rules.hand_size + 1))


def _patterns(rules: ContinentalRules) -> tuple[str, ...]:
    return rules.patterns


# -- The lowest and the highest single value -------------------------------------------------------


def _ends(numbers: Iterable[int]) -> tuple[int, int]:
    """Return the least and the greatest number; 0 if no exit is possible."""
    found = list(numbers)
    return min(found, default=0), max(found, default=0)


def _paid(rules: ContinentalRules, _: int) -> tuple[float, float]:
    return _ends(_payments(rules))


def _most_paid(rules: ContinentalRules) -> int:
    return _ends(_payments(rules))[1]


def _with_deuces(rules: ContinentalRules, _: int) -> tuple[float, float]:
    return _ends(deuces for deuces, _ in exposures(rules))


def _with_jokers(rules: ContinentalRules, _: int) -> tuple[float, float]:
    return _ends(jokers for _, jokers in exposures(rules))


def _far(rules: ContinentalRules, _: int) -> tuple[float, float]:
    return 0, rules.hand_size


# -- Getting a figure ------------------------------------------------------------------------------


def _of_exits(name: str) -> Callable[[ContinentalSummary, str], Estimate]:
    """Share of the exits; a value that has not occurred yet is not in the summary."""

    def get(summary: ContinentalSummary, key: str) -> Estimate:
        found: Estimate | None = getattr(summary, name).get(int(key))
        return found or proportion(0, summary.ends["exit"].count, summary.level)

    return get


def _of_hands(summary: ContinentalSummary, key: str) -> Estimate:
    openings = summary.openings
    found = openings.distances.get(int(key))
    # As the others are estimated: as if one hand a deal had been counted.
    hands = openings.distance
    return found or proportion(0, hands.n, summary.level, hands.design_effect)


# fmt: off
CONTINENTAL_METRICS: Final = {metric.name: metric for metric in (
    *ENDS,
    Metric("exits.dealt", "", "deals", "Exits in the first turn without drawing.",
           entry("exits", "dealt")),
    Metric("exits.first_turn", "", "deals", "Exits in the first turn after a draw.",
           entry("exits", "first_turn")),
    Metric("exits.later", "", "deals", "Exits after the first turn.", entry("exits", "later"),
           needs="later"),
    Metric("one_suit", "", "deals", "Exits all in one suit.", figure("one_suit"),
           needs="one_suit"),
    Metric("natural", "", "deals", "Exits without wild cards.", figure("natural"),
           needs="natural"),
    *WINS,
    Metric("dealt_by_seat", "seat", "deals", "Dealt exits from a seat.", of_seat("dealt"),
           seats_of),
    Metric("first_turn_by_seat", "seat", "deals", "First-turn exits from a seat.",
           of_seat("first_turn"), seats_of),
    Metric("by_first_turn_by_seat", "seat", "deals", "Dealt or first-turn exits from a seat.",
           of_seat("by_first_turn"), seats_of),
    Metric("later_by_seat", "seat", "deals", "Later exits from a seat.", of_seat("later"), seats_of,
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
           figure("payment"), bounds=_paid),
    Metric("deuces", "", "exits", "Mean wild cards but jokers of an exit [cards].",
           figure("deuces"), bounds=_with_deuces, needs="deuces"),
    Metric("jokers", "", "exits", "Mean jokers of an exit [cards].", figure("jokers"),
           bounds=_with_jokers, needs="jokers"),
    *LENGTHS,
    *ledgers(_most_paid),
    Metric("distance", "", "hands", "Mean distance of a dealt hand from an exit [cards].",
           lambda summary, _: summary.openings.distance, bounds=_far),
)}
# fmt: on
