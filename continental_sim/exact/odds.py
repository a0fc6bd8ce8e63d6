"""Exact odds: what can be counted, as whole numbers of equally likely hands."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, Final

from continental_sim.cards import SUITS
from continental_sim.exact.distance_counts import DistanceCounter
from continental_sim.exact.hand_counts import ExitCounter, UseCounter
from continental_sim.kernels.meld_rules import MeldRules, scarce
from continental_sim.layouts import exit_payment
from continental_sim.rules import ContinentalRules
from continental_sim.tables import load_melds

SEARCHED: Final = (
    "where runs of three packs or four need two naturals, limit their wilds or have few of them in "
    "the pack, suits differ in too many ways"
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
    tables = load_melds(rules)
    counter = ExitCounter(rules)
    total = comb(rules.cards, rules.hand_size)
    by_patterns = _by_patterns(rules, counter)
    exits = sum((found for mask, found in by_patterns.items() if mask), Counter())
    distances, one_more = None, None
    if not tables.searched:
        away, more = _distances(rules, counter)
        distances = tuple(Odds(away[cards], total) for cards in range(max(away) + 1))
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
        uncounted=SEARCHED if tables.searched else "",
    )


def _distances(rules: ContinentalRules, counter: ExitCounter) -> tuple[Counter[int], int]:
    """Count dealt hands by their distance, and the hands of a card more that can go out."""
    if counter.counts_own:
        distances = DistanceCounter(rules)
        return distances.dealt(), distances.one_more()
    size = rules.hand_size
    uses = UseCounter(rules, size + 1)
    dealt = {size - used: hands for used, hands in _by_use(rules, uses, size).items()}
    return Counter(dealt), _by_use(rules, uses, size + 1)[size]


def _by_use(rules: ContinentalRules, counter: UseCounter, size: int) -> Counter[int]:
    """Count hands of a size by the most cards of them that one layout can use."""
    found: Counter[int] = Counter()
    for deuces, jokers, wild in _wild_cards(rules, size):
        for used, ways in counter.by_use(size - deuces - jokers, deuces, jokers).items():
            found[used] += ways * wild
    return +found  # without what cannot be


def _wild_cards(rules: ContinentalRules, most: int) -> Iterator[tuple[int, int, int]]:
    """Yield how many deuces and jokers there may be in a hand, and the ways to hold them."""
    for deuces in range(min(most, rules.deuces) + 1):
        for jokers in range(min(most - deuces, rules.jokers) + 1):
            yield deuces, jokers, comb(rules.deuces, deuces) * comb(rules.jokers, jokers)


def _by_patterns(rules: ContinentalRules, counter: ExitCounter) -> dict[int, Exposed]:
    """Count hands by the patterns that they fit: a mask in the order of the rules."""
    found: dict[int, Exposed] = defaultdict(Counter)
    needs = _Needs(rules, counter.melds)
    for mask, holdings in counter.by_patterns().items():
        for (naturals, own), ways in holdings.items():
            missing = rules.hand_size - naturals - own
            for deuces in [0] if counter.counts_own else range(min(missing, rules.deuces) + 1):
                jokers = missing - deuces
                fitted = mask & needs.met(naturals + deuces * needs.own)
                wild = comb(rules.deuces, deuces) * comb(rules.jokers, jokers)
                found[fitted][own + deuces, jokers] += ways * wild
    return {mask: +exposed for mask, exposed in found.items()}


class _Needs:
    """Which patterns lack no natural, where a meld needs one and the counters do not ask.

    Attributes
    ----------
    own : bool
        Whether a card of a wild rank can serve as one, in its own place.
    """

    def __init__(self, rules: ContinentalRules, melds: MeldRules) -> None:
        self.own = rules.counts_at_home
        self._needing = scarce(rules).needing if melds.wilds_add else (0,) * len(rules.patterns)

    @property
    def fewest(self) -> int:
        """Naturals without which no pattern can be laid."""
        return min(self._needing)

    def met(self, naturals: int) -> int:
        """Return the patterns for which so many naturals are enough, as a mask."""
        return sum(1 << k for k, needed in enumerate(self._needing) if needed <= naturals)


def _one_suit(rules: ContinentalRules, counter: ExitCounter) -> Exposed:
    """Count exits that earn the points for one suit."""
    suits, in_suit = len(SUITS), rules.deuces // len(SUITS)
    needs, found = _Needs(rules, counter.melds), Counter[tuple[int, int]]()
    physical = rules.one_suit == "physical"
    for mask, holdings in counter.in_one_suit().items():
        for (naturals, own), ways in holdings.items():
            if not physical and naturals == 0:
                continue  # they are of no suit: counted below
            missing = rules.hand_size - naturals - own
            # Deuces of the suit, which may serve as naturals, and of the other suits.
            for mine in [0] if counter.counts_own else range(min(missing, in_suit) + 1):
                if not mask & needs.met(naturals + mine * needs.own):
                    continue
                for others in range(0 if physical else min(missing - mine, 3 * in_suit) + 1):
                    jokers = missing - mine - others
                    wild = comb(in_suit, mine) * comb(3 * in_suit, others)
                    wild *= comb(rules.jokers, jokers)
                    found[own + mine + others, jokers] += suits * ways * wild
                if physical and mine == missing:
                    found[own + mine, 0] += suits * ways * comb(in_suit, mine)
    if not physical:
        found.update(_all_wild(rules, counter, needs))
    return +found


def _all_wild(rules: ContinentalRules, counter: ExitCounter, needs: _Needs) -> Exposed:
    """Count exits of wild cards alone: they can lie in any suit."""
    found: Exposed = Counter()
    if counter.counts_own:
        for (_, own), ways in counter.of_wilds_in_one_suit().items():
            jokers = rules.hand_size - own
            found[own, jokers] += ways * comb(rules.jokers, jokers)
        return found
    in_suit, few = rules.deuces // len(SUITS), needs.fewest if needs.own else 0
    for deuces, jokers, ways in _wild_cards(rules, rules.hand_size):
        if deuces + jokers == rules.hand_size and (needs.own or needs.fewest <= 0):
            lacking = _spread(in_suit, few - 1)[deuces] * comb(rules.jokers, jokers)
            found[deuces, jokers] += ways - lacking
    return found


def _spread(in_suit: int, most: int) -> Counter[int]:
    """Count ways to hold deuces of four suits, at most so many of each, by their number."""
    ways = Counter({0: 1})
    for _ in SUITS:
        more: Counter[int] = Counter()
        for held in range(min(most, in_suit) + 1):
            for others, count in ways.items():
                more[held + others] += count * comb(in_suit, held)
        ways = more
    return ways


def _exits(
    rules: ContinentalRules, all_exits: Exposed, one_suit: Exposed, total: int
) -> Iterator[Exits]:
    for wild, count in sorted(all_exits.items()):
        for suited, hands in ((False, count - one_suit[wild]), (True, one_suit[wild])):
            if hands:
                payment = exit_payment(rules, *wild, one_suit=suited, timing="dealt")
                yield Exits(*wild, suited, payment, Odds(hands, total))
