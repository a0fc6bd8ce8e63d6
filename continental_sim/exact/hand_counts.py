"""What the cards of the four banks can do in a hand, counted: exits, and cards that are used."""

from collections import Counter, defaultdict
from functools import cached_property

import numpy as np
import numpy.typing as npt

from continental_sim.exact.bank_counts import Automaton, BankCounter, Held, Kinds, Ways
from continental_sim.exact.cover_states import cover_states
from continental_sim.kernels.meld_rows import bits, laid_selections, selection_joins
from continental_sim.kernels.meld_rules import BANKS, MeldRules, meld_rules, scarce
from continental_sim.kernels.melds import MeldTables, cover_tables
from continental_sim.rules import ContinentalRules
from continental_sim.tables import load_melds

Holdings = dict[int, dict[Held, int]]  # ways to hold so many cards, by a mask of patterns


class ExitCounter:
    """Counts what can be laid as a whole hand, if cards that are only wild fill the rest of it.

    As many cells are left for those as there are of them: so they need no bookkeeping. That a meld
    may lack naturals is not asked where `meld_rules` leaves it out.

    Parameters
    ----------
    rules : ContinentalRules
    """

    def __init__(self, rules: ContinentalRules) -> None:
        tables = load_melds(rules)
        self.melds = meld_rules(rules, rules.wilds if tables.searched else None)
        self._counter = BankCounter(self.melds, rules.hand_size)
        self._size, self._packs = rules.hand_size, rules.packs
        self._covers: Kinds | Automaton
        if tables.searched:
            self._covers, self._masks = cover_states(rules, self.melds)
        elif self.melds.own:
            self._covers, self._masks = _with_wilds_laid(self.melds)
        else:
            self._covers = _kinds(tables, "cover", self.melds)
            self._masks = np.asarray(tables.cover_masks)

    @property
    def counts_own(self) -> bool:
        """Whether cards of wild ranks are held in their suits: they may count as naturals there."""
        return bool(self.melds.own)

    def by_patterns(self) -> Holdings:
        """Count holdings of all banks by the patterns that they fit, in the order of the rules."""
        return self._of_four(self._counter)

    def in_one_suit(self) -> Holdings:
        """Count holdings of one given suit, and of none else, by the patterns that they fit."""
        if self.melds.groups:
            return self._of_four(BankCounter(self.melds, self._size, self._packs))
        ways: dict[int, int] = defaultdict(int)
        one = self._counter.of_banks(self._covers, len(self._masks))[0]
        for kind, mask in enumerate(self._alone.tolist()):
            ways[mask] += one[kind]
        return {mask: self._counter.counts(each) for mask, each in ways.items()}

    def of_wilds_in_one_suit(self) -> dict[Held, int]:
        """Count holdings without naturals that fit some pattern in one suit: in any of the four."""
        unfit, fit = 0, 0
        for kind, ways in enumerate(self._counter.of_banks(self._covers, len(self._masks))[0]):
            if self._alone[kind]:
                fit += self._counter.without_naturals(ways)
            else:
                unfit += self._counter.without_naturals(ways)
        both = np.zeros((1, 1), np.int64)  # all are of one kind
        four = [
            self._counter.of_four([[ways]] * BANKS, both, both)[0] for ways in (unfit + fit, unfit)
        ]
        return self._counter.counts(four[0] - four[1])

    @cached_property
    def _alone(self) -> Kinds:
        """The patterns that each cover set has without others, as a mask."""
        found = np.zeros(len(self._masks), np.int64)
        for k, pattern in enumerate(self.melds.patterns):
            number = self.melds.selections.index(pattern)
            has = bits(self._masks, number)  # type: ignore[no-untyped-call]
            found |= has.astype(np.int64) << k
        return found

    @cached_property
    def _tables(self) -> tuple[Kinds, Kinds]:
        joins = selection_joins(self.melds)
        pairs, fits = cover_tables(self.melds, self._masks, joins)  # type: ignore[no-untyped-call]
        return pairs, fits

    def _of_four(self, counter: BankCounter) -> Holdings:
        four = counter.of_four(counter.of_banks(self._covers, len(self._masks)), *self._tables)
        return {mask: counter.counts(ways) for mask, ways in enumerate(four)}


def _with_wilds_laid(melds: MeldRules) -> tuple[Kinds, npt.NDArray[np.uint64]]:
    """Say what covers vectors whose cards of wild ranks may lie there as naturals, or be wild."""
    laid = laid_selections(melds)
    base = melds.counted + 1
    for place in melds.own_digits:
        digit = laid.reshape(-1, base, base**place)
        np.bitwise_or.accumulate(digit, axis=1, out=digit)
    masks, covers = np.unique(laid, return_inverse=True)
    return covers, masks


class UseCounter:
    """Counts holdings of all banks by the most cards of a hand that one layout can use.

    Parameters
    ----------
    rules : ContinentalRules
        Where cards of wild ranks do not count as naturals, or only where naturals are scarce: what
        they do otherwise depends on the whole hand, and not on the classes of its banks: see
        `distance_counts`.
    size : int
        Most cards of a hand.
    """

    def __init__(self, rules: ContinentalRules, size: int) -> None:
        self._rules = rules
        self._tables = load_melds(rules)
        self._scarce = scarce(rules)
        self._melds = meld_rules(rules)
        self._counter = BankCounter(self._melds, size)

    def by_use(self, naturals: int, deuces: int, jokers: int) -> Counter[int]:
        """Count the holdings of so many naturals, beside so many wild cards.

        Returns
        -------
        Counter of int
            By the cards used of all, the wild ones included [cards].
        """
        size, wilds = self._rules.hand_size, deuces + jokers
        level, on_top, least = min(wilds, len(self._levels) - 1), 0, 0
        if self._tables.wilds_add[0]:
            level, on_top = self._scarce.tier[wilds], wilds
            melds = self._scarce.melds[wilds]
            if melds >= 0:
                own = deuces if self._rules.counts_at_home else 0
                least = min(naturals + wilds, size - max(0, melds - naturals - own))
        found: Counter[int] = Counter()
        for used, counts in enumerate(self._levels[level] if level >= 0 else [self._any]):
            ways = counts.get(Held(naturals, 0), 0)
            found[max(least, min(used + on_top, size) if level >= 0 else 0)] += ways
        return found

    @cached_property
    def _pairs(self) -> tuple[Ways, Ways]:
        tables, counter = self._tables, self._counter
        banks = counter.of_banks(_kinds(tables, "kind", self._melds), tables.classes)
        return counter.of_pairs(banks, _square(tables.pairs))

    @cached_property
    def _levels(self) -> list[list[dict[Held, int]]]:
        """By number of wild cards, or tier, and cards used: the ways by the cards held."""
        used = np.asarray(self._tables.used).reshape(self._tables.levels, -1)
        return [
            [
                self._counter.counts(ways)
                for ways in self._counter.of_both(self._pairs, _square(level))
            ]
            for level in used
        ]

    @cached_property
    def _any(self) -> dict[Held, int]:
        """Return the ways to hold so many naturals."""
        found: Counter[Held] = Counter()
        for counts in self._levels[0]:
            found.update(counts)
        return found


def _kinds(tables: MeldTables, what: str, melds: MeldRules) -> Kinds | Automaton:
    """Return the kinds of all vectors, or the automaton where those do not count all copies."""
    states = np.asarray(getattr(tables, f"{what}_states"))
    if len(states):
        digits = len(melds.digits)
        return Automaton([states.reshape(-1, melds.copies + 1)] * digits, [False] * digits)
    return np.asarray(getattr(tables, f"{what}s"))


def _square(table: npt.ArrayLike) -> Kinds:
    flat = np.asarray(table)
    size = round(flat.size**0.5)
    return flat.reshape(size, size)
