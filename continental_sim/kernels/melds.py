"""Meld tables: may these cards go out, and how far are they from it, by look-ups.

Runs never cross suits, so a hand is four suits plus a number of wilds. A *selection* is a multiset of run
lengths that fits inside a legal pattern, (), (3,), (4, 3) ... For one suit, a *row* says for each selection how
many of the suit's naturals so many runs can cover. Suits combine by (max, +) over disjoint selections; the
wilds come on top, since a wild fits any place. Rows that no other cards can tell apart are one *class*
(Myhill-Nerode), and the answer for a hand is read off in four steps::

    suit vector -> class,  class x class -> pair class,  pair x pair -> naturals used,  + wilds

Everything is built from the rules; no count in this file depends on them.
"""

from dataclasses import dataclass, fields
from itertools import combinations
from math import comb

import numpy as np

from continental_sim.kernels.jit import kernel

RANKS_IN_SUIT = 13
LADDER = {"low": 13, "high": 13, "both": 14, "wrap": 13}  # places for a run's cards, by `ace`
MOST_SELECTIONS = 64  # they are bits of a mask


@dataclass(frozen=True)
class MeldTables:
    """What the compiled code knows of the melds of one rules record.

    Attributes
    ----------
    weights : int32[13]
        What a natural of each rank adds to its suit's vector number, 0 for a wild rank.
    places : int32[13]
        Bit number of each rank in a mask of naturals, -1 for a wild rank.
    suits : uint16[vectors]
        Class of each suit vector. Frequent classes have low numbers, so that the part of the tables that
        is much used stays in the processor's cache (measured: 20 % less time a deal).
    dead : uint16[vectors]
        Mask of dead ranks of each suit vector: a copy of them can go without loss, whatever the rest of
        the hand is.
    pairs : uint16[classes * classes]
        Pair class of two suits.
    used : uint8[pair classes * pair classes]
        Most naturals that one legal layout can use, of four suits.
    covers : uint16[vectors]
        Number of the set of selections whose runs can cover every natural of the suit.
    cover_pairs : uint16[sets * sets]
        Number of what two suits can cover together.
    fits : uint32[pair sets * pair sets]
        Patterns (bit k: the k-th of the rules) that cover every natural of four suits.
    """

    weights: np.ndarray
    places: np.ndarray
    suits: np.ndarray
    dead: np.ndarray
    pairs: np.ndarray
    used: np.ndarray
    covers: np.ndarray
    cover_pairs: np.ndarray
    fits: np.ndarray

    @property
    def classes(self) -> int:
        """Number of suit classes."""
        return int(round(len(self.pairs) ** 0.5))

    @property
    def pair_classes(self) -> int:
        """Number of pair classes."""
        return int(round(len(self.used) ** 0.5))

    @property
    def cover_sets(self) -> int:
        """Number of sets of selections that cover a suit."""
        return int(round(len(self.cover_pairs) ** 0.5))

    @property
    def cover_pair_sets(self) -> int:
        """Number of sets of selections that cover two suits."""
        return int(round(len(self.fits) ** 0.5))

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the tables by name, for storage."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


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

    With ``ace = both`` the ladder is A 2 ... K A; a run of all 14 places still holds one natural ace.
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


def build_tables(patterns, ace, wild_ranks, copies):
    """Build the tables of a rules record.

    Parameters
    ----------
    patterns : sequence of tuple of int
        Run lengths of each pattern.
    ace : str
        ``both``, ``low``, ``high`` or ``wrap``.
    wild_ranks : set of int
        Ranks that are wild, ace = 0.
    copies : int
        Copies of a natural in the pack.

    Returns
    -------
    MeldTables

    Notes
    -----
    Trusts that the number of naturals or wilds a run needs not be watched (RULES.md proves when).
    """
    selections = selections_of(patterns)
    number = {selection: k for k, selection in enumerate(selections)}
    naturals = [rank for rank in range(RANKS_IN_SUIT) if rank not in wild_ranks]
    base = copies + 1
    weights = np.zeros(RANKS_IN_SUIT, np.int32)
    places = np.full(RANKS_IN_SUIT, -1, np.int32)
    for place, rank in enumerate(naturals):
        weights[rank] = base**place
        places[rank] = place

    longest = [selection[0] if selection else 0 for selection in selections]
    rest = np.array([number[selection[1:]] for selection in selections], np.int32)
    masks = [_natural_masks(length, ace, places) for length in longest]
    windows = np.zeros((len(selections), 1 + max(map(len, masks))), np.int32)
    for k, row in enumerate(masks):
        windows[k, 0] = len(row)
        windows[k, 1 : len(row) + 1] = row
    subsets = np.arange(1 << len(naturals))
    bits = (subsets[:, None] >> np.arange(len(naturals))) & 1
    mask_number = (bits * base ** np.arange(len(naturals))).sum(axis=1).astype(np.int32)
    mask_size = bits.sum(axis=1).astype(np.int8)

    rows = np.zeros((len(selections), base ** len(naturals)), np.int8)
    sizes = np.zeros(rows.shape[1], np.int8)
    fill_rows(base, len(naturals), rest, windows, mask_number, mask_size, rows, sizes)

    joins = np.full((len(selections), len(selections)), -1, np.int16)
    for a, first in enumerate(selections):
        for b, second in enumerate(selections):
            joins[a, b] = number.get(tuple(sorted(first + second, reverse=True)), -1)
    pattern_numbers = np.array([number[tuple(sorted(p, reverse=True))] for p in patterns], np.int16)

    row_of, distinct = _unique_columns(rows)
    classes, pairs, used = _minimise(distinct, joins, pattern_numbers)
    suits, pairs, used = _frequent_first(classes[row_of], pairs, used, _frequency(base, len(naturals), sizes))
    dead = np.zeros(len(suits), np.uint16)
    mark_dead(base, len(naturals), suits, dead)
    covers, cover_pairs, fits = _cover_tables(rows, sizes, joins, pattern_numbers)
    return MeldTables(
        weights, places, suits, dead, pairs.ravel(), used.ravel(), covers, cover_pairs, fits
    )


def _frequency(base, ranks, sizes):
    """Return how often each suit vector is met in hands, up to a factor: by its copies and its size."""
    digits = np.arange(len(sizes))[:, None] // base ** np.arange(ranks) % base
    ways = np.array([comb(base - 1, held) for held in range(base)], float)
    hand = 15  # of the usual size among a hundred cards: the order of the classes asks for no more
    rest = np.array([comb(80, max(hand - size, 0)) for size in range(int(sizes.max()) + 1)], float)
    return ways[digits].prod(axis=1) * rest[sizes]


def _frequent_first(suits, pairs, used, frequency):
    """Renumber classes and pair classes so that the most frequent come first."""
    weight = np.bincount(suits, frequency, len(pairs))
    order = np.argsort(-weight, kind="stable")
    pair_weight = np.bincount(pairs.ravel(), np.outer(weight, weight).ravel(), len(used))
    pair_order = np.argsort(-pair_weight, kind="stable")
    rank, pair_rank = np.argsort(order), np.argsort(pair_order)
    return (
        rank[suits].astype(np.uint16),
        pair_rank[pairs[np.ix_(order, order)]].astype(np.uint16),
        np.ascontiguousarray(used[np.ix_(pair_order, pair_order)]),
    )


def _natural_masks(length, ace, places):
    """List the distinct masks of natural places of the runs of a length, without those inside another."""
    if length == 0:
        return []
    found = {
        sum(1 << places[rank] for rank in range(RANKS_IN_SUIT) if window >> rank & 1 and places[rank] >= 0)
        for window in run_windows(length, ace)
    }
    return sorted(m for m in found if not any(m != other and m & other == m for other in found))


@kernel
def fill_rows(base, ranks, rest, windows, mask_number, mask_size, rows, sizes):
    """Fill for each selection and suit vector the most naturals its runs can cover.

    Parameters
    ----------
    base, ranks : int
        A vector number has `ranks` digits of this base, copies held.
    rest : int32[selections]
        The selection without its longest run.
    windows : int32[selections, 1 + most]
        Number of places of the longest run, then its mask of natural ranks at each.
    mask_number, mask_size : int32[masks], int8[masks]
        Vector number and size of a set of ranks held once.
    rows : int8[selections, vectors]
        Out. Row 0, the empty selection, is 0.
    sizes : int8[vectors]
        Out. Naturals in the vector.

    Notes
    -----
    The longest run lies somewhere; it takes one of every natural in its window, which is optimal because a
    rank is covered min(copies, runs over it) times; the rest is a smaller selection's row.
    """
    vectors = rows.shape[1]
    held = np.zeros(vectors, np.int32)
    for vector in range(vectors):
        number, mask, size = vector, 0, 0
        for place in range(ranks):
            digit = number % base
            size += digit
            if digit > 0:
                mask |= 1 << place
            number //= base
        held[vector] = mask
        sizes[vector] = size
    for selection in range(1, rows.shape[0]):
        for vector in range(vectors):
            best = 0
            for k in range(1, windows[selection, 0] + 1):
                taken = held[vector] & windows[selection, k]
                covered = mask_size[taken] + rows[rest[selection], vector - mask_number[taken]]
                best = max(best, covered)
            rows[selection, vector] = best


@kernel
def mark_dead(base, ranks, suits, dead):
    """Fill uint16[vectors] with the ranks whose loss leaves the class, uint16[vectors], as it is."""
    for vector in range(suits.shape[0]):
        number, weight = vector, 1
        for place in range(ranks):
            if number % base > 0 and suits[vector - weight] == suits[vector]:
                dead[vector] |= np.uint16(1 << place)
            number //= base
            weight *= base


@kernel
def join_rows(row, table, joins, out):
    """Combine one row with many: (max, +) over the disjoint selections.

    Parameters
    ----------
    row : int8[selections]
    table : int8[selections, columns]
        The other rows, one a column.
    joins : int16[selections, selections]
    out : int8[selections, columns]
        Out.
    """
    out[:] = 0
    for a in range(joins.shape[0]):
        for b in range(joins.shape[0]):
            joined = joins[a, b]
            if joined >= 0:
                for column in range(table.shape[1]):
                    total = np.int8(row[a] + table[b, column])
                    if total > out[joined, column]:
                        out[joined, column] = total


@kernel
def all_joins(table, joins, factors, numbers, found):
    """Number the distinct joins of all pairs of rows.

    Parameters
    ----------
    table : int8[selections, rows]
    joins : int16[selections, selections]
    factors : uint64[selections]
        Odd random factors of the 64-bit signature of a row (20,000 distinct rows collide with p < 2e-11).
    numbers : int32[rows, rows]
        Out. The number of the join of two rows.
    found : int8[capacity, selections]
        Out. The distinct joins.

    Returns
    -------
    int
        How many distinct joins there are, -1 if more than the capacity.
    """
    slots = 1 << 20
    keys = np.zeros(slots, np.uint64)
    ids = np.full(slots, -1, np.int32)
    out = np.zeros(table.shape, np.int8)
    signatures = np.zeros(table.shape[1], np.uint64)
    count = 0
    for first in range(table.shape[1]):
        rest = table[:, first:]
        join_rows(table[:, first].copy(), rest, joins, out[:, first:])
        signatures[:] = 0
        for selection in range(table.shape[0]):
            for column in range(first, table.shape[1]):
                signatures[column] += np.uint64(out[selection, column]) * factors[selection]
        for column in range(first, table.shape[1]):
            key = signatures[column]
            slot = np.int64((key * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(44))
            while ids[slot] >= 0 and keys[slot] != key:
                slot = (slot + 1) & (slots - 1)
            if ids[slot] < 0:
                if count == found.shape[0]:
                    return -1
                keys[slot] = key
                ids[slot] = count
                found[count] = out[:, column]
                count += 1
            numbers[first, column] = ids[slot]
            numbers[column, first] = ids[slot]
    return count


@kernel
def complete_rows(found, splits, used):
    """Fill uint8[pairs, pairs]: the most naturals two pair rows use in one whole pattern.

    Parameters
    ----------
    found : int8[selections, pairs]
    splits : int32[k, 2]
        The ways to split a pattern into two selections.
    used : uint8[pairs, pairs]
        Out.
    """
    for first in range(found.shape[1]):
        for k in range(splits.shape[0]):
            mine = found[splits[k, 0], first]
            for other in range(found.shape[1]):
                total = np.uint8(mine + found[splits[k, 1], other])
                if total > used[first, other]:
                    used[first, other] = total


def _factors(count):
    return np.random.default_rng(20).integers(1, 2**63, count, dtype=np.uint64) | np.uint64(1)


def _unique_columns(table):
    """Number equal columns: (number of each column, one column of each number as a row)."""
    factors = _factors(table.shape[0])
    signature = np.zeros(table.shape[1], np.uint64)
    for row, factor in zip(table, factors, strict=True):
        signature += row.astype(np.uint64) * factor
    _, first, number = np.unique(signature, return_index=True, return_inverse=True)
    order = np.argsort(first, kind="stable")  # by first appearance, so that small hands lie close together
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank[number], np.ascontiguousarray(table[:, first[order]].T)


def _minimise(distinct, joins, patterns):
    """Merge rows that no other three suits can tell apart.

    Two pair rows are one class if they agree beside every pair row; two rows are one class if their joins with
    every row are. Both contexts are complete, so nothing is merged wrongly.
    """
    table = np.ascontiguousarray(distinct.T)
    numbers = np.zeros((len(distinct), len(distinct)), np.int32)
    capacity = 1 << 13
    while True:
        found = np.zeros((capacity, len(joins)), np.int8)
        count = all_joins(table, joins, _factors(len(joins)), numbers, found)
        if count >= 0:
            break
        capacity *= 2
    splits = np.argwhere(np.isin(joins, patterns)).astype(np.int32)
    used = np.zeros((count, count), np.uint8)
    complete_rows(np.ascontiguousarray(found[:count].T), splits, used)
    pair_class, kept_pairs = _unique_columns(used)
    first_of_pair = _first_positions(pair_class, len(kept_pairs))
    used = np.ascontiguousarray(used[np.ix_(first_of_pair, first_of_pair)])
    pair_numbers = pair_class[numbers]
    row_class, kept_rows = _unique_columns(pair_numbers)
    first_of_row = _first_positions(row_class, len(kept_rows))
    return row_class, pair_numbers[np.ix_(first_of_row, first_of_row)], used


def _first_positions(numbers, count):
    first = np.full(count, len(numbers), np.int64)
    np.minimum.at(first, numbers, np.arange(len(numbers)))
    return first


def _cover_tables(rows, sizes, joins, patterns):
    """Build what tells the patterns of a complete hand: covers, cover_pairs, fits."""
    sets = np.zeros(rows.shape[1], np.uint64)
    for selection, row in enumerate(rows):
        sets |= (row == sizes).astype(np.uint64) << np.uint64(selection)
    singles, covers = np.unique(sets, return_inverse=True)
    members = [[k for k in range(len(joins)) if int(mask) >> k & 1] for mask in singles]
    joined = [
        sum({1 << int(joins[a, b]) for a in first for b in second if joins[a, b] >= 0})
        for first in members
        for second in members
    ]
    pairs, cover_pairs = np.unique(np.array(joined, np.uint64), return_inverse=True)
    splits = [np.argwhere(joins == pattern) for pattern in patterns]
    member = (pairs[:, None] >> np.arange(len(joins), dtype=np.uint64)) & np.uint64(1)
    fits = np.zeros((len(pairs), len(pairs)), np.uint32)
    for k, split in enumerate(splits):
        ways = member[:, split[:, 0]].astype(np.int32) @ member[:, split[:, 1]].astype(np.int32).T
        fits |= (ways > 0).astype(np.uint32) << np.uint32(k)
    return covers.astype(np.uint16), cover_pairs.astype(np.uint16), fits.ravel()
