"""What the cards of the four suits can do in a hand, counted: exits, and cards that are used."""

from collections import Counter
from functools import cached_property

import numpy as np
import numpy.typing as npt

from continental_sim.exact.suit_counts import Held, Kinds, SuitCounter
from continental_sim.kernels.meld_classes import selection_joins
from continental_sim.kernels.meld_rows import copies_held, laid_selections
from continental_sim.kernels.meld_rules import meld_rules
from continental_sim.kernels.melds import cover_tables
from continental_sim.rules import ContinentalRules
from continental_sim.tables import load_melds


class ExitCounter:
    """Counts what can be laid as a whole hand, if cards that are only wild fill the rest of it.

    As many cells are left for those as there are of them: so they need no bookkeeping.

    Parameters
    ----------
    rules : ContinentalRules
    """

    def __init__(self, rules: ContinentalRules) -> None:
        self._melds = meld_rules(rules)
        self._counter = SuitCounter(self._melds, rules.hand_size)
        self._laid = laid_selections(self._melds)
        # A wild card that counts as a natural in its own place may lie there, or be wild.
        base = self._melds.copies + 1
        for place, rank in enumerate(self._melds.ranks):
            if rank in self._melds.own:
                digit = self._laid.reshape(-1, base, base**place)
                np.bitwise_or.accumulate(digit, axis=1, out=digit)

    @property
    def counts_own(self) -> bool:
        """Whether cards of wild ranks are held in their suits: they may count as naturals there."""
        return bool(self._melds.own)

    def by_patterns(self) -> dict[int, dict[Held, int]]:
        """Count holdings of all suits by the patterns that they fit.

        Returns
        -------
        dict of int to dict
            By a mask of patterns, in the order of the rules: the ways by the cards held.
        """
        joins = selection_joins(self._melds)
        covers, pairs, fits = cover_tables(self._melds, self._laid, joins)  # type: ignore[no-untyped-call]
        one = self._counter.of_one(covers, int(covers.max()) + 1)
        two = self._counter.of_both(one, _square(pairs))
        four = self._counter.of_both(two, _square(fits))
        return {mask: self._counter.counts(ways) for mask, ways in enumerate(four)}

    def in_one_suit(self) -> dict[Held, int]:
        """Count holdings of one given suit, and of none else, that fit some pattern."""
        return self._counter.counts(self._counter.of_one(self._alone, 2)[1])

    def of_wilds_in_one_suit(self) -> dict[Held, int]:
        """Count holdings without naturals that fit some pattern in one suit: in any of the four."""
        none = copies_held(self._melds, self._melds.naturals) == 0
        unfit, fit = self._counter.of_one(np.where(none, self._alone, 2), 3)[:2]
        both = np.zeros((1, 1), np.int64)  # all are of one kind
        four = [
            self._counter.of_both(self._counter.of_both([ways], both), both)[0]
            for ways in (unfit + fit, unfit)
        ]
        return self._counter.counts(four[0] - four[1])

    @cached_property
    def _alone(self) -> Kinds:
        """Whether each suit vector fits some pattern without other suits: 0 or 1."""
        numbers = [self._melds.selections.index(pattern) for pattern in self._melds.patterns]
        masks = np.uint64(sum(1 << number for number in numbers))
        fits: Kinds = (self._laid & masks != 0).astype(np.int64)
        return fits


class UseCounter:
    """Counts holdings of all suits by the most cards of a hand that one layout can use.

    Parameters
    ----------
    rules : ContinentalRules
        Where cards of wild ranks do not count as naturals, or it does not matter: what they do
        otherwise depends on the whole hand, and not on the classes of its suits.
    size : int
        Most cards of a hand.
    """

    def __init__(self, rules: ContinentalRules, size: int) -> None:
        self._hand_size = rules.hand_size
        self._tables = load_melds(rules)
        self._counter = SuitCounter(meld_rules(rules), size)

    def by_use(self, naturals: int, wilds: int) -> Counter[int]:
        """Count the holdings of so many naturals, beside so many wild cards.

        Returns
        -------
        Counter of int
            By the cards used of all, the wild ones included [cards].
        """
        on_top = wilds if self._tables.wilds_add[0] else 0
        found: Counter[int] = Counter()
        for used, counts in enumerate(self._levels[min(wilds, len(self._levels) - 1)]):
            ways = counts.get(Held(naturals, 0), 0)
            found[min(used + on_top, self._hand_size)] += ways
        return found

    @cached_property
    def _levels(self) -> list[list[dict[Held, int]]]:
        """By number of wild cards and cards used: the ways by the cards held."""
        tables, counter = self._tables, self._counter
        one = counter.of_one(np.asarray(tables.suits), tables.classes)
        two = counter.of_both(one, _square(tables.pairs))
        used = np.asarray(tables.used).reshape(tables.levels, -1)
        return [
            [counter.counts(ways) for ways in counter.of_both(two, _square(level))]
            for level in used
        ]


def _square(table: npt.ArrayLike) -> Kinds:
    flat = np.asarray(table)
    size = round(flat.size**0.5)
    return flat.reshape(size, size)
