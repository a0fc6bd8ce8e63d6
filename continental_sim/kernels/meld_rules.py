"""What of a rules record the meld tables depend on, and what of it need not be watched.

A place of a run holds a card *of its own*, that is there by its rank and counts as a natural, or a
*wild*, which could be anywhere. Of each card there are so many copies, a run of a length may have
at most its *cap* of wilds, and a layout no more wild cards than the pack. Where the last two can
change no answer they are left out of `MeldRules`, and rules that differ only there share tables.
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

RANKS_IN_SUIT = 13
RANKS = "A23456789TJQK"
LADDER = {"low": 13, "high": 13, "both": 14, "wrap": 13}  # places for a run's cards, by `ace`


@dataclass(frozen=True)
class MeldRules:
    """All that the meld tables depend on.

    Attributes
    ----------
    patterns : tuple of tuple of int
        Run lengths of each pattern, longest first.
    ace : str
        ``both``, ``low``, ``high`` or ``wrap``.
    naturals : tuple of int
        Ranks that are not wild, ace = 0.
    own : tuple of int
        Wild ranks whose cards count as naturals in their own place, where that matters.
    copies : int
        Of a card of these ranks in the pack.
    caps : tuple of (int, int)
        For each length of a run, the most wilds in it.
    limit : int or None
        Most wild cards in a layout, None if that need not be watched.
    """

    patterns: tuple[tuple[int, ...], ...]
    ace: str
    naturals: tuple[int, ...]
    own: tuple[int, ...]
    copies: int
    caps: tuple[tuple[int, int], ...]
    limit: int | None = None

    @cached_property
    def ranks(self) -> tuple[int, ...]:
        """Ranks of the digits of a suit vector, the lowest digit first."""
        return self.naturals + self.own

    @cached_property
    def selections(self) -> list[tuple[int, ...]]:
        """Multisets of run lengths inside one of the patterns."""
        return selections_of(self.patterns)

    @cached_property
    def wilds_add(self) -> bool:
        """Whether each wild is one card more that can be used, up to a whole hand."""
        return self.limit is None and all(length == cap for length, cap in self.caps)

    @cached_property
    def levels(self) -> int:
        """Numbers of wilds that are told apart: 0 .. levels - 1; more are as good as the last."""
        if self.wilds_add:
            return 1
        most = sum(self.patterns[0]) if self.limit is None else self.limit
        return 1 + min(most, max(map(self.most_wilds, self.patterns)))

    def most_wilds(self, lengths) -> int:
        """Count the most wilds that runs of these lengths can hold."""
        return sum(dict(self.caps)[length] for length in lengths)


def meld_rules(rules) -> MeldRules:
    """Reduce a rules record to what its meld tables depend on, the pack's wilds not limited.

    Notes
    -----
    Let H be the cards of a hand, W the wild cards of the pack. The caps change no answer if no run
    needs a natural, or if each needs at most one and H - W is not less than the runs of any
    pattern. For take a layout that breaks the caps only. It has at most W wild cards, so at least
    as many naturals as runs. While a run has none, another has two: move the first to where it
    covers the place of one of the two, and let that card and a wild of it change places.
    """
    wild = tuple(RANKS.index(rank) for rank in rules.wild_ranks)
    most = RANKS_IN_SUIT if rules.max_wilds_per_run is None else rules.max_wilds_per_run
    needs = {length: max(rules.min_naturals_per_run, length - most) for length in rules.run_lengths}
    needed = max(needs.values())
    naturals, runs = rules.hand_size - rules.wilds, max(map(len, rules.pattern_lengths))
    capped = needed > 1 or (needed == 1 and naturals < runs)
    return MeldRules(
        patterns=rules.pattern_lengths,
        ace=rules.ace,
        naturals=tuple(rank for rank in range(RANKS_IN_SUIT) if rank not in wild),
        own=wild if capped and rules.natural_two_counts else (),
        copies=rules.packs,
        caps=tuple(
            (length, length - max(need, 0) if capped else length) for length, need in needs.items()
        ),
    )


def selections_of(patterns):
    """List every multiset of run lengths inside one of the patterns, small ones first, () at 0."""
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
