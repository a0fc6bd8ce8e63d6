"""Classes of banks and of pairs of banks: what the rest of a hand can tell apart."""

import numpy as np

from continental_sim.kernels.jit import kernel
from continental_sim.kernels.meld_rows import IMPOSSIBLE, SPREAD, first_and_number, mix
from continental_sim.kernels.meld_rules import MeldRules

MOST_ROWS = 20_000  # of banks: time grows with the square; these take about a minute
MOST_JOINED = 40_000  # of pairs of banks
COLUMNS = 1024  # joined at a time: planes and sums then stay in the processor's cache
ROWS = 512  # told apart at a time


class TooManyRowsError(Exception):
    """Banks, or pairs of banks, are of too many kinds for tables: the message says how many."""


def check_rows(rows: int) -> None:
    """Refuse more rows than can be told apart in a reasonable time."""
    if rows > MOST_ROWS:
        raise TooManyRowsError(f"more than {MOST_ROWS} kinds of holdings")


def plane_joins(planes, joins):
    """List which two planes add up to which third: int32[., 3]."""
    number = {plane: k for k, plane in enumerate(planes)}
    found = [
        (a, b, number.get((joins[p.selection, q.selection], p.wilds + q.wilds, p.own + q.own)))
        for a, p in enumerate(planes)
        for b, q in enumerate(planes)
    ]
    return np.array([join for join in found if join[2] is not None], np.int32)


def completions(rules: MeldRules, planes, joins):
    """List which two planes make a pattern: int32[., 4], level, planes, and cards on top."""
    patterns = {rules.selections.index(pattern): k for k, pattern in enumerate(rules.patterns)}
    found = []
    for a, p in enumerate(planes):
        for b, q in enumerate(planes):
            number = patterns.get(int(joins[p.selection, q.selection]))
            wilds = p.wilds + q.wilds
            if number is None or (rules.limit is not None and wilds + p.own + q.own > rules.limit):
                continue
            most = rules.most_wilds(rules.patterns[number])
            for level in range(rules.levels):
                if rules.limit is not None:
                    found.append((level, a, b, min(wilds, level)))
                elif number in rules.tiers[level] if rules.wilds_add else wilds == min(level, most):
                    found.append((level, a, b, 0))
    return np.array(found, np.int32)


@kernel
def _mark(pair, row):
    """Return 64 bits that stand for the class of the join with a row."""
    mark = (pair << np.uint64(32) | np.uint64(row)) * SPREAD
    return (mark ^ mark >> np.uint64(32)) * SPREAD


@kernel
def join_rows(rows, joins, factors, keys, joined, classes, signatures, pairs):
    """Join all pairs of rows: (max, +) over the planes.

    Parameters
    ----------
    rows : int8[planes, rows]
    joins : int32[., 3]
        Two planes, and that of their sum.
    factors : uint32[2, planes]
        Odd random factors of the two halves of a join's key.
    keys : uint64[2**n], int32[2**n]
        In and out, a hash table: keys, and numbers of the joins plus 1.
    joined : int8[capacity, planes]
        Out. The distinct joins.
    classes : uint32[joins]
        Class of each join; empty while that is not known.
    signatures : uint64[rows]
        In: 0. Out, with classes: what tells the classes of a row's joins with all rows.
    pairs : uint32[rows, rows]
        Out, with classes: the class of the join of two rows; or empty.

    Returns
    -------
    int
        How many distinct joins there are, -1 if more than the capacity.
    """
    key_at, number_at = keys
    sums = np.zeros((rows.shape[0], COLUMNS), np.int8)
    halves = np.zeros((2, COLUMNS), np.uint32)
    count = 0
    for first in range(rows.shape[1]):
        for start in range(first, rows.shape[1], COLUMNS):
            size = min(COLUMNS, rows.shape[1] - start)
            for plane in range(rows.shape[0]):
                most = sums[plane]
                for column in range(size):
                    most[column] = IMPOSSIBLE
            for k in range(joins.shape[0]):
                mine = rows[joins[k, 0], first]
                if mine >= 0:
                    others, most = rows[joins[k, 1], start:], sums[joins[k, 2]]
                    for column in range(size):
                        most[column] = max(most[column], np.int8(mine + others[column]))
            for half in range(2):
                total = halves[half]
                for column in range(size):
                    total[column] = 0
                for plane in range(rows.shape[0]):
                    most, factor = sums[plane], factors[half, plane]
                    for column in range(size):
                        total[column] += np.uint32(np.uint8(most[column])) * factor
            for column in range(size):
                key = np.uint64(halves[0, column]) << np.uint64(32) | np.uint64(halves[1, column])
                slot = np.int64(key * SPREAD >> np.uint64(46))
                while number_at[slot] > 0 and key_at[slot] != key:
                    slot = (slot + 1) & (key_at.shape[0] - 1)
                if number_at[slot] == 0:
                    if count == joined.shape[0]:
                        return -1
                    for plane in range(rows.shape[0]):
                        joined[count, plane] = sums[plane, column]
                    count += 1
                    key_at[slot], number_at[slot] = key, count
                if classes.shape[0] > 0:
                    second, pair = start + column, np.uint64(classes[number_at[slot] - 1])
                    signatures[first] += _mark(pair, second)
                    if second > first:
                        signatures[second] += _mark(pair, first)
                    if pairs.shape[0] > 0:
                        pairs[first, second] = pair
                        pairs[second, first] = pair
    return count


@kernel
def complete_rows(joined, ways, first, used):
    """Find the most cards that two pairs of banks use in a whole layout.

    Parameters
    ----------
    joined : int8[planes, pairs]
    ways : int32[., 4]
        Level, plane of each of the two, and what comes on top.
    first : int
        The pairs that begin here are completed, as many as fit `used`.
    used : int8[levels, ., pairs]
        In: 0. Out.
    """
    for row in range(used.shape[1]):
        for k in range(ways.shape[0]):
            mine = joined[ways[k, 1], first + row] + ways[k, 3]
            if mine >= 0:
                others, most = joined[ways[k, 2]], used[ways[k, 0], row]
                for column in range(joined.shape[1]):
                    most[column] = max(most[column], np.int8(mine + others[column]))


def minimised(rules: MeldRules, planes, rows, joins):
    """Merge rows that no other three banks and wilds can tell apart, and so for pairs of banks.

    Two pairs are one class if they agree beside every pair, two rows if their joins with every row
    are. Both contexts are complete, so nothing is merged wrongly.

    Parameters
    ----------
    rules : MeldRules
    planes : list of Plane
    rows : int8[planes, rows]
    joins : int16[selections, selections]

    Returns
    -------
    uint32[rows], uint32[classes, classes], int8[levels, pair classes, pair classes]
        Class of each row, pair class of two classes, cards used by two pair classes.
    """
    check_rows(rows.shape[1])
    adding = plane_joins(planes, joins)
    factors = np.random.default_rng(20).integers(2**32, size=(2, len(planes)), dtype=np.uint32) | 1
    keys = np.zeros(1 << 18, np.uint64), np.zeros(1 << 18, np.int32)
    joined = np.zeros((MOST_JOINED, len(planes)), np.int8)
    signatures, unknown = np.zeros(rows.shape[1], np.uint64), np.zeros(0, np.uint32)
    nowhere = np.zeros((0, 0), np.uint32)
    count = join_rows(rows, adding, factors, keys, joined, unknown, signatures, nowhere)
    if count < 0:
        raise TooManyRowsError(f"more than {MOST_JOINED} kinds of pairs of holdings")
    joined = np.ascontiguousarray(joined[:count].T)
    ways = completions(rules, planes, joins)
    pair_class, used = _pair_classes(joined, ways, rules.levels)
    join_rows(rows, adding, factors, keys, joined, pair_class, signatures, nowhere)
    kept, row_class = first_and_number(signatures)
    rows = np.ascontiguousarray(rows[:, kept])
    pairs = np.zeros((len(kept), len(kept)), np.uint32)
    join_rows(rows, adding, factors, keys, joined, pair_class, signatures, pairs)
    return row_class, pairs, used


def _pair_classes(joined, ways, levels):
    """Merge joins that agree beside every join: (class of each, cards used by two classes)."""
    count = joined.shape[1]
    signatures = np.zeros(count, np.uint64)
    for start in range(0, count, ROWS):
        part = signatures[start : start + ROWS]
        used = np.zeros((levels, len(part), -(-count // 8) * 8), np.int8)
        complete_rows(joined, ways, start, used)
        for level in used:
            mix(part, level)
    kept, pair_class = first_and_number(signatures)
    used = np.zeros((levels, len(kept), len(kept)), np.int8)
    complete_rows(np.ascontiguousarray(joined[:, kept]), ways, 0, used)
    return pair_class, used
