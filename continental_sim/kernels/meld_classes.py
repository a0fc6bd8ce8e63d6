"""Classes of suits and of pairs of suits: what the rest of a hand can tell apart."""

import numpy as np

from continental_sim.kernels.jit import kernel
from continental_sim.kernels.meld_rows import IMPOSSIBLE, first_and_number, mix
from continental_sim.kernels.meld_rules import MeldRules

MOST_ROWS = 12_000  # so that the joins of all pairs, a square, stay below 300 MB
MOST_JOINED = 1 << 16  # they are numbered with 16 bits
COLUMNS = 1024  # joined at a time: planes and sums then stay in the processor's cache
ROWS = 512  # told apart at a time


class TooManyRowsError(Exception):
    """The suits of some rules are of too many kinds for tables."""


def selection_joins(rules: MeldRules):
    """Return, for each two selections, the number of both together, -1 if in no pattern."""
    number = {selection: k for k, selection in enumerate(rules.selections)}
    joins = np.full((len(number), len(number)), -1, np.int16)
    for a, first in enumerate(rules.selections):
        for b, second in enumerate(rules.selections):
            joins[a, b] = number.get(tuple(sorted(first + second, reverse=True)), -1)
    return joins


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
    patterns = {
        rules.selections.index(pattern): rules.most_wilds(pattern) for pattern in rules.patterns
    }
    found = []
    for a, p in enumerate(planes):
        for b, q in enumerate(planes):
            most = patterns.get(int(joins[p.selection, q.selection]))
            wilds = p.wilds + q.wilds
            if most is None or (rules.limit is not None and wilds + p.own + q.own > rules.limit):
                continue
            for level in range(rules.levels):
                if rules.limit is not None:
                    found.append((level, a, b, min(wilds, level)))
                elif wilds == min(level, most):
                    found.append((level, a, b, 0))
    return np.array(found, np.int32)


@kernel
def join_rows(rows, joins, factors, numbers, joined):
    """Give the distinct joins of all pairs of rows numbers: (max, +) over the planes.

    Parameters
    ----------
    rows : int8[planes, rows]
    joins : int32[., 3]
        Two planes, and that of their sum.
    factors : uint32[2, planes]
        Odd random factors of the two halves of a signature.
    numbers : uint16[rows, rows]
        Out. The number of the join of two rows.
    joined : int8[capacity, planes]
        Out. The distinct joins.

    Returns
    -------
    int
        How many there are, -1 if more than the capacity.
    """
    slots = 1 << 18
    keys, ids = np.zeros(slots, np.uint64), np.zeros(slots, np.int32)  # an id is 1 more
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
                slot = np.int64(key * np.uint64(0x9E3779B97F4A7C15) >> np.uint64(46))
                while ids[slot] > 0 and keys[slot] != key:
                    slot = (slot + 1) & (slots - 1)
                if ids[slot] == 0:
                    if count == joined.shape[0]:
                        return -1
                    for plane in range(rows.shape[0]):
                        joined[count, plane] = sums[plane, column]
                    count += 1
                    keys[slot], ids[slot] = key, count
                numbers[first, start + column] = ids[slot] - 1
                numbers[start + column, first] = ids[slot] - 1
    return count


@kernel
def complete_rows(joined, ways, first, used):
    """Find the most cards that two pairs of suits use in a whole layout.

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
    """Merge rows that no other three suits and wilds can tell apart, and so for pairs of suits.

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
    if rows.shape[1] > MOST_ROWS:
        raise TooManyRowsError(rows.shape[1])
    numbers = np.zeros((rows.shape[1], rows.shape[1]), np.uint16)
    joined = np.zeros((MOST_JOINED, len(planes)), np.int8)
    factors = np.random.default_rng(20).integers(2**32, size=(2, len(planes)), dtype=np.uint32) | 1
    count = join_rows(rows, plane_joins(planes, joins), factors, numbers, joined)
    if count < 0:
        raise TooManyRowsError(MOST_JOINED)
    joined = np.ascontiguousarray(joined[:count].T)
    ways = completions(rules, planes, joins)

    signatures = np.zeros(count, np.uint64)
    for start in range(0, count, ROWS):
        part = signatures[start : start + ROWS]
        used = np.zeros((rules.levels, len(part), -(-count // 8) * 8), np.int8)
        complete_rows(joined, ways, start, used)
        for level in used:
            mix(part, level)
    kept, pair_class = first_and_number(signatures)
    joined = np.ascontiguousarray(joined[:, kept])
    used = np.zeros((rules.levels, len(kept), len(kept)), np.int8)
    complete_rows(joined, ways, 0, used)

    signatures = np.zeros(rows.shape[1], np.uint64)
    for start in range(0, len(numbers), ROWS):
        part = numbers[start : start + ROWS]
        pairs = np.zeros((len(part), -(-len(numbers) // 4) * 4), np.uint16)
        pairs[:, : len(numbers)] = pair_class[part]
        mix(signatures[start : start + ROWS], pairs)
    kept, row_class = first_and_number(signatures)
    return row_class, pair_class[numbers[np.ix_(kept, kept)]], used
