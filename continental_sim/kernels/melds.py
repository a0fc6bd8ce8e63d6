"""Meld tables: may these cards go out, and how far are they from it, by look-ups.

Runs never cross suits, so a hand is four suits plus a number of wilds. A *selection* is a multiset
of run lengths that fits inside a legal pattern, (), (3,), (4, 3) ... For one suit, a *row* says
for each selection how many of the suit's cards so many runs can use. Suits combine by (max, +)
over disjoint selections. Rows that no other cards can tell apart are one *class* (Myhill-Nerode),
and the answer for a hand is read off in four steps::

    suit vector -> class,  class x class -> pair class,  pair x pair -> naturals used,  + wilds

That the wilds come on top holds where a wild fits any place. Where a run takes few wilds only, a
row says what so many runs can use with 0, 1, 2 ... wilds, the wilds are shared out among the suits
too, and the last table has a level for each number of wilds, with nothing to come on top. A wild
card that counts as a natural in its own place is tried as both: as one of its suit, and as a wild.

Everything is built from the rules; no count in this file depends on them.
"""

from dataclasses import dataclass, fields
from math import comb

import numpy as np

from continental_sim.kernels.meld_classes import minimised, selection_joins
from continental_sim.kernels.meld_rows import (
    copies_held,
    distinct_rows,
    laid_selections,
    most_wild_cards,
    planes_of,
    vector_sums,
)
from continental_sim.kernels.meld_rules import RANKS_IN_SUIT, MeldRules

MOST_SELECTIONS = 64  # they are bits of a mask


@dataclass(frozen=True)
class MeldTables:
    """What the compiled code knows of the melds of one rules record.

    Attributes
    ----------
    weights : int32[13]
        What a card of each rank adds to its suit's vector number, 0 for a rank that is only wild.
    places : int32[13]
        Bit number of each rank in a mask of naturals, -1 for a wild rank.
    suits : uint16[vectors]
        Class of each suit vector. Frequent classes have low numbers, so that the part of the
        tables that is much used stays in the processor's cache (measured: 20 % less time a deal).
    dead : uint16[vectors of naturals]
        Mask of dead ranks of each suit vector without wild ranks: a copy of them can go without
        loss, whatever wilds and cards of other suits are held.
    pairs : uint16[classes * classes]
        Pair class of two suits.
    used : uint8[levels * pair classes * pair classes]
        By the number of wilds, the most cards that one legal layout can use, of four suits.
    wilds_add : bool[1]
        Whether the wilds still come on top of `used`; then there is one level.
    most_wild_cards : int64[1]
        Wild cards that the pack must have for the tables to hold.
    covers : uint16[vectors]
        Number of the set of selections whose runs can cover every card of the suit.
    cover_pairs : uint16[sets * sets]
        Number of what two suits can cover together.
    fits : uint8[pair sets * pair sets]
        Patterns (bit k: the k-th of the rules) that cover every card of four suits.
    """

    weights: np.ndarray
    places: np.ndarray
    suits: np.ndarray
    dead: np.ndarray
    pairs: np.ndarray
    used: np.ndarray
    wilds_add: np.ndarray
    most_wild_cards: np.ndarray
    covers: np.ndarray
    cover_pairs: np.ndarray
    fits: np.ndarray

    @property
    def classes(self) -> int:
        """Number of suit classes."""
        return round(len(self.pairs) ** 0.5)

    @property
    def pair_classes(self) -> int:
        """Number of pair classes."""
        return int(self.pairs.max()) + 1

    @property
    def levels(self) -> int:
        """Numbers of wilds told apart."""
        return len(self.used) // self.pair_classes**2

    @property
    def cover_sets(self) -> int:
        """Number of sets of selections that cover a suit."""
        return round(len(self.cover_pairs) ** 0.5)

    @property
    def cover_pair_sets(self) -> int:
        """Number of sets of selections that cover two suits."""
        return round(len(self.fits) ** 0.5)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the tables by name, for storage."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def build_tables(rules: MeldRules) -> MeldTables:
    """Build the tables of reduced rules.

    Raises
    ------
    TooManyRowsError
        If they would be too big.
    """
    weights = np.zeros(RANKS_IN_SUIT, np.int32)
    places = np.full(RANKS_IN_SUIT, -1, np.int32)
    for place, rank in enumerate(rules.ranks):
        weights[rank] = (rules.copies + 1) ** place
        if rank in rules.naturals:
            places[rank] = place

    planes, joins = planes_of(rules), selection_joins(rules)
    laid = laid_selections(rules)
    row_of, rows = distinct_rows(rules, planes, laid)
    row_class, pairs, used = minimised(rules, planes, rows, joins)
    suits, pairs, used = _frequent_first(row_class[row_of], pairs, used, _frequency(rules))
    covers, cover_pairs, fits = cover_tables(rules, laid, joins)
    needed = most_wild_cards(rules, laid, joins) if rules.limit is None else rules.limit
    return MeldTables(
        weights=weights,
        places=places,
        suits=suits,
        dead=_dead_ranks(rules, suits),
        pairs=pairs.ravel(),
        used=used.ravel(),
        wilds_add=np.array([rules.wilds_add]),
        most_wild_cards=np.array([needed]),
        covers=covers,
        cover_pairs=cover_pairs,
        fits=fits,
    )


def _frequency(rules):
    """Return how often each suit vector is met in hands, up to a factor."""
    ways = [float(np.log(comb(rules.copies, held))) for held in range(rules.copies + 1)]
    sizes = copies_held(rules, rules.ranks)
    hand = 15  # of the usual size among a hundred cards: the order of the classes asks for no more
    rest = np.array([comb(80, max(hand - size, 0)) for size in range(int(sizes.max()) + 1)], float)
    return np.exp(vector_sums([ways] * len(rules.ranks), float)) * rest[sizes]


def _frequent_first(suits, pairs, used, frequency):
    """Renumber classes and pair classes so that the most frequent come first."""
    weight = np.bincount(suits, frequency, len(pairs))
    order = np.argsort(-weight, kind="stable")
    pair_weight = np.bincount(pairs.ravel(), np.outer(weight, weight).ravel(), used.shape[1])
    pair_order = np.argsort(-pair_weight, kind="stable")
    rank, pair_rank = np.argsort(order), np.argsort(pair_order)
    return (
        rank[suits].astype(np.uint16),
        pair_rank[pairs[np.ix_(order, order)]].astype(np.uint16),
        np.ascontiguousarray(used[:, pair_order[:, None], pair_order]).view(np.uint8),
    )


def _dead_ranks(rules, suits):
    """Return, for vectors of naturals, the ranks whose loss leaves the class as it is.

    Whatever cards of wild ranks lie beside them in the suit.
    """
    base, places = rules.copies + 1, len(rules.naturals)
    beside = suits.reshape(-1, base**places)
    dead = np.zeros(base**places, np.uint16)
    for place in range(places):
        kinds = beside.reshape(len(beside), -1, base, base**place)
        same = (kinds[:, :, 1:] == kinds[:, :, :-1]).all(axis=0)
        dead.reshape(-1, base, base**place)[:, 1:] |= same.astype(np.uint16) << np.uint16(place)
    return dead


def cover_tables(rules, laid, joins):
    """Build what tells the patterns of a complete hand: covers, cover_pairs, fits."""
    singles, covers = np.unique(laid, return_inverse=True)
    joined = np.zeros((len(singles), len(singles)), np.uint64)
    for first, second in np.argwhere(joins >= 0):
        both = _bit(singles, first)[:, None] & _bit(singles, second)
        joined |= both << np.uint64(joins[first, second])
    pairs, cover_pairs = np.unique(joined, return_inverse=True)
    fits = np.zeros((len(pairs), len(pairs)), np.uint8)
    for k, pattern in enumerate(rules.patterns):
        for first, second in np.argwhere(joins == rules.selections.index(pattern)):
            both = _bit(pairs, first)[:, None] & _bit(pairs, second)
            fits |= both.astype(np.uint8) << np.uint8(k)
    return covers.astype(np.uint16), cover_pairs.ravel().astype(np.uint16), fits.ravel()


def _bit(masks, number):
    return masks >> np.uint64(number) & np.uint64(1)
