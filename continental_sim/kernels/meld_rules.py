"""What of a rules record the meld tables depend on, and what of it need not be watched.

A place of a meld holds a card *of its own*, that is there by its rank and counts as a natural, or a
*wild*, which could be anywhere. Of each card there are so many copies, a meld of a length may have
at most its *cap* of wilds, and a layout no more wild cards than the pack. Where the last two can
change no answer they are left out of `MeldRules`, and rules that differ only there share tables.

A *bank* is what the tables look up together: a suit, since runs never cross suits; or, where melds
are groups of equal rank, a quarter of the ranks. The number of each of its cards is a *digit* of
its vector.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from math import comb, prod
from typing import NamedTuple

BANKS = 4
RANKS_IN_SUIT = 13
MOST_COUNTED = 2  # copies of a card that the tables of all suit vectors tell apart
RANKS = "A23456789TJQK"
LADDER = {"low": 13, "high": 13, "both": 14, "wrap": 13}  # places for a run's cards, by `ace`


@dataclass(frozen=True)
class MeldRules:
    """All that the meld tables depend on.

    Attributes
    ----------
    groups : bool
        Whether melds are groups of equal rank; else they are runs.
    patterns : tuple of tuple of int
        Lengths of the melds of each pattern, longest first.
    ace : str
        ``both``, ``low``, ``high`` or ``wrap``; the same for all groups.
    naturals : tuple of int
        Ranks that are not wild, ace = 0.
    own : tuple of int
        Wild ranks whose cards count as naturals in their own place, where that matters.
    copies : int
        Cards in the pack of each digit.
    caps : tuple of (int, int)
        For each length of a meld, the most wilds in it.
    tiers : tuple of tuple of int
        For each tier of the tables the numbers of the patterns that it is about, all of them in
        the first.
    limit : int or None
        Most wild cards in a layout, None if that need not be watched.
    """

    groups: bool
    patterns: tuple[tuple[int, ...], ...]
    ace: str
    naturals: tuple[int, ...]
    own: tuple[int, ...]
    copies: int
    caps: tuple[tuple[int, int], ...]
    tiers: tuple[tuple[int, ...], ...]
    limit: int | None = None

    @property
    def counted(self) -> int:
        """Cards of each digit that a vector counts; of more copies see `meld_copies`.

        0 if hands are searched: then there are none.
        """
        if self.searched:
            return 0
        return self.copies if self.groups else min(self.copies, MOST_COUNTED)

    @property
    def layouts(self) -> int:
        """Number of ways to place the runs of a selection in a suit, of all selections together.

        What is found of a suit of more than `MOST_COUNTED` copies is found by trying them.
        """
        counting = sum(1 << rank for rank in self.naturals + self.own)
        masks = {
            length: {window & counting for window in run_windows(length, self.ace)}
            for length, _ in self.caps
        }
        places = {
            length: sum(mask.bit_count() >= length - cap for mask in masks[length])
            for length, cap in self.caps
        }
        return sum(
            prod(
                comb(places[length] + number - 1, number)
                for length, number in Counter(selection).items()
            )
            for selection in self.selections
        )

    @property
    def searched(self) -> bool:
        """Whether hands are searched for layouts: tables would be too large. See `search`."""
        return not self.groups and self.copies > MOST_COUNTED and not self.wilds_add

    @cached_property
    def natural_digits(self) -> range:
        """Digits of a vector, the lowest first, that count naturals."""
        ranks = len(self.naturals)
        return range(-(-ranks // BANKS) if self.groups else ranks)

    @cached_property
    def own_digits(self) -> range:
        """Digits after those, that count cards of wild ranks."""
        after = self.natural_digits.stop
        return range(after, after + len(self.own))

    @property
    def digits(self) -> range:
        """All digits of a vector."""
        return range(self.own_digits.stop)

    def place_of(self, rank: int, suit: int) -> tuple[int, int] | None:
        """Say in which bank and digit a card is counted; None if it is only wild."""
        if rank not in self.naturals + self.own:
            return None
        number = (self.naturals + self.own).index(rank)
        return (number % BANKS, number // BANKS) if self.groups else (suit, number)

    def bank_digits(self, bank: int) -> set[int]:
        """Return the digits that a bank has: of groups, the last may be missing."""
        return {
            digit
            for rank in self.naturals + self.own
            for where, digit in [self.place_of(rank, bank)]
            if where == bank
        }

    @cached_property
    def selections(self) -> list[tuple[int, ...]]:
        """Multisets of lengths inside one of the patterns."""
        return selections_of(self.patterns)

    @cached_property
    def wilds_add(self) -> bool:
        """Whether each wild is one card more that can be used, up to a whole hand."""
        return self.limit is None and all(length == cap for length, cap in self.caps)

    @cached_property
    def levels(self) -> int:
        """Levels of the tables: tiers, or numbers of wilds; more are as good as the last."""
        if self.wilds_add:
            return len(self.tiers)
        most = sum(self.patterns[0]) if self.limit is None else self.limit
        return 1 + min(most, max(map(self.most_wilds, self.patterns)))

    def most_wilds(self, lengths) -> int:
        """Count the most wilds that melds of these lengths can hold."""
        return sum(dict(self.caps)[length] for length in lengths)


def meld_rules(rules, limit: int | None = None) -> MeldRules:
    """Reduce a rules record to what its meld tables depend on.

    Parameters
    ----------
    rules : ContinentalRules
    limit : int, optional
        Most wild cards of a layout, where that must be watched.

    Notes
    -----
    Where no meld needs more than one natural, caps are left out: see `scarce`.
    """
    wild = tuple(RANKS.index(rank) for rank in rules.wild_ranks)
    naturals = tuple(rank for rank in range(RANKS_IN_SUIT) if rank not in wild)
    needs = {length: rules.naturals_needed(length) for length in rules.run_lengths}
    capped = max(needs.values()) > (1 if limit is None else 0)
    own = wild if capped and rules.counts_at_home else ()
    groups = rules.melds == "groups"
    return MeldRules(
        groups=groups,
        patterns=rules.pattern_lengths,
        ace="" if groups else rules.ace,
        naturals=naturals,
        own=own,
        copies=rules.packs * (BANKS if groups else 1),
        caps=tuple(
            (length, length - max(need, 0) if capped else length) for length, need in needs.items()
        ),
        tiers=((*range(len(rules.patterns)),),) if capped else scarce(rules).tiers,
        limit=limit,
    )


class Scarce(NamedTuple):
    """What a hand of many wild cards lacks: naturals, one for each meld that needs one.

    Attributes
    ----------
    tiers : tuple of tuple of int
        Sets of patterns, the first of all; see `MeldRules`.
    tier : tuple of int
        By wild cards held: the number of the tier of the patterns that lack none; -1 if there are
        none, or the tables need not be asked.
    melds : tuple of int
        By wild cards held: the fewest melds in need of a pattern that lacks naturals, 0 if all
        cards can be used, -1 if no pattern lacks any.
    needing : tuple of int
        Melds of each pattern that need a natural.
    plain_wilds : int
        Most wild cards held with which no pattern lacks any.
    """

    tiers: tuple[tuple[int, ...], ...]
    tier: tuple[int, ...]
    melds: tuple[int, ...]
    needing: tuple[int, ...]
    plain_wilds: int


def scarce(rules) -> Scarce:
    """Say where naturals can be too few, if no meld needs more than one.

    Notes
    -----
    Let H be the cards of a layout, w the wild cards of a hand, r the melds of a pattern that need a
    natural.

    If w <= H - r, the need changes nothing. For take a layout that may lack naturals; at least r of
    its cells hold naturals of the hand, or cards that the hand does not have. While a meld in need
    holds wild cards alone, there is another with more such cells than it needs: exchange a wild
    card and a card that the hand does not have; or move the meld to where it covers a natural of
    the other, and exchange these two.

    If besides w >= H - m for a pattern of m melds, as many naturals as a layout has room for can
    lie in a meld of their own each, and wild cards fill the rest: all cards can be used, up to H.

    Otherwise the hand has at most r naturals, if it has at most H + 1 cards. Each can lie in a meld
    of its own, and so can each card of a wild rank, where that counts as a natural in its own
    place. Each meld in need that is left wants one card that the hand does not have, and wild cards
    fill the rest: so ``min(cards, H - max(0, r - naturals - cards of wild ranks))`` can be used.
    """
    need = [
        sum(rules.naturals_needed(length) > 0 for length in lengths)
        for lengths in rules.pattern_lengths
    ]
    tiers, tier, melds = [(*range(len(need)),)], [], []
    for wilds in range(rules.hand_size + 2):
        naturals = rules.hand_size - wilds  # in a layout with all wilds
        enough = tuple(k for k, r in enumerate(need) if r == 0 or r <= naturals)
        lacking = [r for k, r in enumerate(need) if k not in enough]
        if lacking and any(len(rules.pattern_lengths[k]) >= naturals for k in enough):
            enough, lacking = (), [0]
        if enough and enough not in tiers and wilds <= rules.wilds:
            tiers.append(enough)
        tier.append(tiers.index(enough) if enough in tiers else -1)
        melds.append(min(lacking, default=-1))
    plain = max((wilds for wilds, r in enumerate(melds) if r < 0), default=-1)
    return Scarce(tuple(tiers), tuple(tier), tuple(melds), tuple(need), plain)


def selections_of(patterns):
    """List every multiset of lengths inside one of the patterns, small ones first, () at 0."""
    found = {
        tuple(sorted(part, reverse=True))
        for pattern in patterns
        for size in range(len(pattern) + 1)
        for part in combinations(pattern, size)
    }
    return sorted(found, key=lambda selection: (sum(selection), selection))


def run_windows(length, ace):
    """List the rank masks (bit 0: ace) of the runs of a length, one for each lowest place.

    With ``ace = both`` the ladder is A 2 ... K A; a run of all 14 places still holds one natural
    ace.
    """
    places = LADDER[ace]
    first = 1 if ace == "high" else 0
    starts = range(places) if ace == "wrap" else range(first, first + places - length + 1)
    if ace == "wrap" and length > places:
        return []
    return [
        sum({1 << (place % RANKS_IN_SUIT) for place in range(start, start + length)})
        for start in starts
    ]
