"""Exact odds: what can be counted, as whole numbers of equally likely hands."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, Final

from continental_sim.cards import SUITS
from continental_sim.exact.hand_counts import ExitCounter, UseCounter
from continental_sim.exact.suit_counts import Held
from continental_sim.layouts import exit_payment
from continental_sim.rules import ContinentalRules
from continental_sim.tables import load_melds

UNCOUNTED: Final = (
    "cards of wild ranks count as naturals in their own place, and runs need naturals: what such a "
    "card is best for depends on the whole hand"
)

Exposed = Counter[tuple[int, int]]  # hands, by their deuces (of any wild rank) and jokers


@dataclass(frozen=True, slots=True)
class Odds:
    """How many of equally likely hands there are.

    Attributes
    ----------
    count, total : int
        Hands that are meant, and all hands.
    """

    count: int
    total: int

    @property
    def p(self) -> float:
        """The probability."""
        return float(self.fraction)

    @property
    def fraction(self) -> Fraction:
        """The probability, exactly."""
        return Fraction(self.count, self.total)

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data."""
        fraction = str(self.fraction)
        return {"count": self.count, "total": self.total, "p": self.p, "fraction": fraction}


@dataclass(frozen=True, slots=True)
class Exits:
    """Dealt hands that can go out, of one kind to the payment.

    Attributes
    ----------
    deuces, jokers : int
        Wild cards of a rank, and jokers, in the hand.
    one_suit : bool
    payment : int
        Of each opponent, for going out without drawing [points].
    odds : Odds
    """

    deuces: int
    jokers: int
    one_suit: bool
    payment: int
    odds: Odds


@dataclass(frozen=True)
class HandOdds:
    """What can be counted of the hands that rules deal.

    Attributes
    ----------
    rules : ContinentalRules
    total : int
        Dealt hands, all equally likely.
    exits : tuple of Exits
        Those that can go out, by what decides their payment.
    patterns : mapping of str to Odds
        Those that fit each pattern; many fit more than one.
    distances : tuple of Odds, or None
        By distance, from 0; None where distances are not counted.
    one_more : Odds or None
        Hands of a card more, of which some card can be thrown so that the rest can go out.
    uncounted : str
        Why distances are not counted, or "".
    """

    rules: ContinentalRules
    total: int
    exits: tuple[Exits, ...]
    patterns: Mapping[str, Odds]
    distances: tuple[Odds, ...] | None
    one_more: Odds | None
    uncounted: str = ""

    @property
    def dealt_exit(self) -> Odds:
        """A dealt hand that can go out."""
        return self._sum(each.odds for each in self.exits)

    @property
    def dealt_one_suit(self) -> Odds:
        """A dealt hand that can go out and earns the points for one suit."""
        return self._sum(each.odds for each in self.exits if each.one_suit)

    @property
    def payments(self) -> dict[int, Odds]:
        """Dealt hands that can go out, by what each opponent pays [points]."""
        return {
            amount: self._sum(each.odds for each in self.exits if each.payment == amount)
            for amount in sorted({each.payment for each in self.exits})
        }

    @property
    def mean_payment(self) -> Fraction | None:
        """What each opponent pays for a dealt exit, on average [points]; None if there is none."""
        exits = self.dealt_exit.count
        paid = sum(each.payment * each.odds.count for each in self.exits)
        return Fraction(paid, exits) if exits else None

    @property
    def mean_distance(self) -> Fraction | None:
        """Of a dealt hand [cards]."""
        if self.distances is None:
            return None
        return sum((away * odds.fraction for away, odds in enumerate(self.distances)), Fraction())

    @property
    def wilds(self) -> dict[tuple[int, int], Odds]:
        """Dealt hands by their deuces (cards of any wild rank) and jokers."""
        rules = self.rules
        return {
            (deuce, joker): Odds(ways, self.total)
            for deuce in range(rules.deuces + 1)
            for joker in range(rules.jokers + 1)
            if deuce + joker <= rules.hand_size
            and (
                ways := comb(rules.deuces, deuce)
                * comb(rules.jokers, joker)
                * comb(rules.cards - rules.wilds, rules.hand_size - deuce - joker)
            )
        }

    def _sum(self, parts: Iterable[Odds]) -> Odds:
        return Odds(sum(each.count for each in parts), self.total)


def hand_odds(rules: ContinentalRules) -> HandOdds:
    """Count the hands that rules deal.

    Parameters
    ----------
    rules : ContinentalRules

    Raises
    ------
    ContsimError
        If the rules have too many patterns to be played.
    """
    load_melds(rules)
    counter = ExitCounter(rules)
    total = comb(rules.cards, rules.hand_size)
    deuces = 0 if counter.counts_own else rules.deuces
    by_patterns = {
        mask: _with_wilds(rules, held, deuces) for mask, held in counter.by_patterns().items()
    }
    exits = sum((found for mask, found in by_patterns.items() if mask), Counter())
    distances, one_more = None, None
    if not counter.counts_own:
        uses = UseCounter(rules, rules.hand_size + 1)
        use = _by_use(rules, uses, rules.hand_size)
        distances = tuple(
            Odds(use[used], total) for used in range(rules.hand_size, min(use) - 1, -1)
        )
        more = _by_use(rules, uses, rules.hand_size + 1)[rules.hand_size]
        one_more = Odds(more, comb(rules.cards, rules.hand_size + 1))
    return HandOdds(
        rules=rules,
        total=total,
        exits=tuple(_exits(rules, exits, _one_suit(rules, counter), total)),
        patterns={
            pattern: Odds(
                sum(found.total() for mask, found in by_patterns.items() if mask >> number & 1),
                total,
            )
            for number, pattern in enumerate(rules.patterns)
        },
        distances=distances,
        one_more=one_more,
        uncounted=UNCOUNTED if counter.counts_own else "",
    )


def _by_use(rules: ContinentalRules, counter: UseCounter, size: int) -> Counter[int]:
    """Count hands of a size by the most cards of them that one layout can use."""
    found: Counter[int] = Counter()
    for wilds in range(min(size, rules.wilds) + 1):
        for used, ways in counter.by_use(size - wilds, wilds).items():
            found[used] += ways * comb(rules.wilds, wilds)
    return +found  # without what cannot be


def _with_wilds(rules: ContinentalRules, held: Mapping[Held, int], deuces: int) -> Exposed:
    """Fill holdings up to a hand with jokers, and with deuces that are only wild."""
    found: Exposed = Counter()
    for (naturals, own), ways in held.items():
        missing = rules.hand_size - naturals - own
        for jokers in range(min(missing, rules.jokers) + 1):
            wild = comb(deuces, missing - jokers) * comb(rules.jokers, jokers)
            found[own + missing - jokers, jokers] += ways * wild
    return +found


def _one_suit(rules: ContinentalRules, counter: ExitCounter) -> Exposed:
    """Count exits that earn the points for one suit."""
    suits, deuces = len(SUITS), rules.deuces
    alone = {held: suits * ways for held, ways in counter.in_one_suit().items()}
    # Deuces that may lie in their own place are counted where they are held.
    apart = counter.counts_own
    if rules.one_suit == "physical":
        found = _with_wilds(rules, alone, 0 if apart else deuces // suits)
        return Counter({wild: ways for wild, ways in found.items() if not wild[1]})
    some = {held: ways for held, ways in alone.items() if held.naturals}
    others = deuces - deuces // suits if apart else deuces
    none = counter.of_wilds_in_one_suit()
    return _with_wilds(rules, some, others) + _with_wilds(rules, none, 0 if apart else deuces)


def _exits(
    rules: ContinentalRules, all_exits: Exposed, one_suit: Exposed, total: int
) -> Iterator[Exits]:
    for wild, count in sorted(all_exits.items()):
        for suited, hands in ((False, count - one_suit[wild]), (True, one_suit[wild])):
            if hands:
                payment = exit_payment(rules, *wild, one_suit=suited, timing="dealt")
                yield Exits(*wild, suited, payment, Odds(hands, total))
