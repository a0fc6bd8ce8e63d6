"""Suits that hold a card three times or more: found by an automaton over the ranks.

With three packs or four a table of all suit vectors is too large. The tables of `melds` know the
vectors with at most `COUNTED` copies of a card, which is what nearly all suits are. For the others
an automaton reads the copies of one rank after the other, and ends in the suit's class. It is
minimal: after a rank there is one state for all that the ranks to come cannot tell apart.

To build it all vectors are judged once. A suit is cut into two halves of its ranks. Runs that cross
the cut are chosen first; the others lie in one half, where the best that they can do beside those
is known for each half vector. So a row is a maximum of sums of two numbers.
"""

from collections import Counter
from itertools import combinations
from typing import NamedTuple

import numpy as np

from continental_sim.kernels.jit import kernel
from continental_sim.kernels.meld_rows import IMPOSSIBLE, SPREAD, Judged
from continental_sim.kernels.meld_rules import MeldRules, run_windows

MOST_KINDS = 1 << 16  # numbers of rows are 16 bits, and 0 stands for none yet


class _Runs(NamedTuple):
    """Runs together: their lengths, longest first, and how many lie over each digit of the halves.

    For one half the other's part is ().
    """

    lengths: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]


def all_suits(rules: MeldRules) -> Judged:
    """Judge all suit vectors of rules whose wilds come on top, the lowest digit first."""
    places = len(rules.digits)
    cut = places // 2
    inside, crossing = _runs_by_half(rules, cut)
    parts, low, high = _parts(rules, crossing)
    low_vectors, high_vectors = _half_vectors(rules, cut), _half_vectors(rules, places - cut)
    shape = (len(high_vectors), len(low_vectors))  # the high half is the slow index
    row_of, laid_of = np.zeros(shape, np.uint16), np.zeros(shape, np.uint16)
    rows = np.zeros((MOST_KINDS, len(rules.selections)), np.int8)
    laid = np.zeros(MOST_KINDS, np.uint64)
    slots = 2, 2 * MOST_KINDS
    found = judge(
        np.ascontiguousarray(_profile(rules, high, inside[1], high_vectors).T),
        _profile(rules, low, inside[0], low_vectors),
        parts,
        high_vectors.sum(axis=1, dtype=np.int8),
        low_vectors.sum(axis=1, dtype=np.int8),
        (np.zeros(slots, np.uint64), np.zeros(slots, np.int32)),
        (rows, laid),
        (row_of, laid_of),
    )
    return Judged(
        row_of.ravel(), np.ascontiguousarray(rows[: found[0]].T), laid_of.ravel(), laid[: found[1]]
    )


def _runs_by_half(rules, cut):
    """List the runs by where they lie: by length those inside each half, and those that cross."""
    inside, crossing = ({}, {}), []
    ranks = rules.naturals + rules.own
    for length, _ in rules.caps:
        within = set(), set()
        for window in run_windows(length, rules.ace):
            over = tuple(window >> rank & 1 for rank in ranks)
            low, high = over[:cut], over[cut:]
            if any(low) and any(high):
                crossing.append(_Runs((length,), low, high))
            else:
                within[any(high)].add(high if any(high) else low)
        for half in range(2):
            inside[half][length] = sorted(within[half])
    return inside, sorted(set(crossing))


def _parts(rules, crossing):
    """Say which selection a choice of crossing runs, and of lengths for the halves, makes.

    Returns
    -------
    int32[., 3], dict, dict
        Selection, and the numbers of what is asked of the low half and of the high half; what is
        asked: lengths inside, and how many crossing runs lie over each digit.
    """
    number = {selection: k for k, selection in enumerate(rules.selections)}
    none = _Runs((), (0,) * len(crossing[0].low), (0,) * len(crossing[0].high))
    chosen, latest = {none}, [(none, 0)]
    while latest:
        longer = []
        for runs, first in latest:
            for k in range(first, len(crossing)):
                lengths = tuple(sorted(runs.lengths + crossing[k].lengths, reverse=True))
                if lengths in number:
                    low = _added(runs.low, crossing[k].low)
                    longer.append((_Runs(lengths, low, _added(runs.high, crossing[k].high)), k))
        latest = longer
        chosen.update(runs for runs, _ in latest)
    low, high, parts = {}, {}, set()
    for runs in chosen:
        for selection in rules.selections:
            rest = Counter(selection)
            rest.subtract(runs.lengths)
            if min(rest.values(), default=0) < 0:
                continue
            others = tuple(sorted(rest.elements(), reverse=True))
            for size in range(len(others) + 1):
                for mine in set(combinations(others, size)):
                    left = tuple(sorted((Counter(others) - Counter(mine)).elements(), reverse=True))
                    asked_low = low.setdefault((mine, runs.low), len(low))
                    asked_high = high.setdefault((left, runs.high), len(high))
                    parts.add((number[selection], asked_low, asked_high))
    return np.array(sorted(parts), np.int32), low, high


def _added(first, second):
    return tuple(a + b for a, b in zip(first, second, strict=True))


def _half_vectors(rules, size):
    """List the vectors of a half: int8[vectors, size], the lowest digit first."""
    digits = np.indices((rules.copies + 1,) * size, np.int8).reshape(size, -1)
    return np.ascontiguousarray(digits[::-1].T)


def _profile(rules, asked, inside, vectors):
    """Say how many cards of a half runs use: int8[vectors, asked]; less than 0: they do not fit."""
    size = vectors.shape[1]
    ways = {(): {(0,) * size}}

    def over(lengths):
        if lengths not in ways:
            ways[lengths] = {
                _added(others, run) for others in over(lengths[1:]) for run in inside[lengths[0]]
            }
        return ways[lengths]

    most = (rules.copies,) * size
    profile = np.full((len(vectors), len(asked)), IMPOSSIBLE, np.int8)
    used = {}
    for (lengths, crossing), number in asked.items():
        for runs in over(lengths):
            cover = tuple(map(min, _added(crossing, runs), most))
            if cover not in used:
                used[cover] = np.minimum(vectors, np.array(cover, np.int8)).sum(
                    axis=1, dtype=np.int8
                )
            np.maximum(profile[:, number], used[cover], out=profile[:, number])
    return profile


@kernel
def judge(firsts, seconds, parts, first_sizes, second_sizes, tables, kinds, numbers):
    """Put the halves of all suit vectors together.

    Parameters
    ----------
    firsts : int8[asked, vectors]
        Profile of the halves that are the slow index.
    seconds : int8[vectors, asked]
        Profile of the other halves.
    parts : int32[., 3]
        Selection, what is asked of the second and of the first half.
    first_sizes, second_sizes : int8[vectors]
        Cards of each half vector.
    tables : uint64[2, 2**n], int32[2, 2**n]
        In and out, hash tables of rows and of masks: keys, and numbers plus 1.
    kinds : int8[MOST_KINDS, selections], uint64[MOST_KINDS]
        Out: the different rows, and masks.
    numbers : uint16[firsts, seconds], uint16[firsts, seconds]
        Out: the number of each vector's row, and of its mask.

    Returns
    -------
    int, int
        How many rows and masks there are.
    """
    count = kinds[0].shape[1]
    size = firsts.shape[1]
    best = np.zeros((count, size), np.int8)
    key, mask = np.zeros(size, np.uint64), np.zeros(size, np.uint64)
    rows, masks = 0, 0
    for second in range(seconds.shape[0]):
        best[:] = IMPOSSIBLE
        for k in range(parts.shape[0]):
            mine = seconds[second, parts[k, 1]]
            if mine >= 0:
                others, most = firsts[parts[k, 2]], best[parts[k, 0]]
                for first in range(size):
                    most[first] = max(most[first], np.int8(mine + others[first]))
        key[:] = 0
        mask[:] = 0
        for selection in range(count):
            most, bit = best[selection], np.uint64(1) << np.uint64(selection)
            for first in range(size):
                mixed = (key[first] ^ np.uint64(np.uint8(most[first]))) * SPREAD
                key[first] = mixed ^ mixed >> np.uint64(32)
                if most[first] == first_sizes[first] + second_sizes[second]:
                    mask[first] |= bit
        for first in range(size):
            number = _numbered(key[first], tables[0][0], tables[1][0], rows)
            if number == rows:
                for selection in range(count):
                    kinds[0][rows, selection] = best[selection, first]
                rows += 1
            numbers[0][first, second] = number
            number = _numbered(mask[first], tables[0][1], tables[1][1], masks)
            if number == masks:
                kinds[1][masks] = mask[first]
                masks += 1
            numbers[1][first, second] = number
    return rows, masks


@kernel
def _numbered(key, keys, numbers, next_number):
    """Look up the number of a key in a hash table; a key that is new gets the next number."""
    slot = np.int64(key * SPREAD >> np.uint64(32)) & keys.shape[0] - 1
    while numbers[slot] > 0 and keys[slot] != key:
        slot = (slot + 1) & keys.shape[0] - 1
    if numbers[slot] == 0:
        keys[slot], numbers[slot] = key, next_number + 1
    return np.int64(numbers[slot] - 1)


def most_wilds_laid(rules: MeldRules):
    """Return, by selection, the most wild cards of a suit where no natural more can be laid.

    That is where no other places of the same runs hold all the naturals that these can, and more.
    """
    ranks = rules.naturals + rules.own
    over = {
        length: [tuple(run >> rank & 1 for rank in ranks) for run in run_windows(length, rules.ace)]
        for length, _ in rules.caps
    }
    covers = {(): {(0,) * len(ranks)}}
    most = np.zeros(len(rules.selections), np.int8)
    for k, lengths in enumerate(rules.selections):
        if lengths:
            rest = covers[lengths[1:]]
            covers[lengths] = {_added(cover, run) for cover in rest for run in over[lengths[0]]}
        laid = np.unique(np.minimum(sorted(covers[lengths]), rules.copies), axis=0)
        cards = laid.sum(axis=1)
        most[k] = sum(lengths) - min(
            count
            for naturals, count in zip(laid, cards.tolist(), strict=True)
            if not ((laid >= naturals).all(axis=1) & (cards > count)).any()
        )
    return most


def automaton(kinds, base):
    """Turn the kinds of all vectors into a minimal automaton over their digits.

    Parameters
    ----------
    kinds : uint16[base**digits]
        By vector, the lowest digit first.
    base : int
        Different digits.

    Returns
    -------
    int32[., base]
        States, from the one that the first digit is read in. For each digit the state that comes
        next; after the last digit, the kind.
    """
    layers, states = [], kinds
    while len(states) > 1:
        steps = states.reshape(base, -1).T
        states, kept = _alike(steps)
        layers.append(steps[kept].astype(np.int32))
    layers.reverse()
    after = np.cumsum([len(layer) for layer in layers[:-1]], dtype=np.int32)
    later = [layer + offset for layer, offset in zip(layers[:-1], after, strict=True)]
    return np.concatenate([*later, layers[-1]])


def _alike(steps):
    """Give the rows of an array numbers by appearance: (number of each, where each is first)."""
    number, first = _numbers(steps[:, 0].astype(np.uint64))
    for column in steps.T[1:]:
        values = np.uint64(int(column.max()) + 1)
        number, first = _numbers(number.astype(np.uint64) * values + column.astype(np.uint64))
    return number, first


def _numbers(values):
    """Give uint64 values numbers by appearance: (number of each, where each is first)."""
    size = 1 << 16
    while True:
        keys, numbers = np.zeros(size, np.uint64), np.zeros(size, np.int32)
        number, first = np.zeros(len(values), np.int32), np.zeros(size // 2, np.int64)
        count = number_values(values, keys, numbers, number, first)
        if count >= 0:
            return number, first[:count]
        size *= 8


@kernel
def number_values(values, keys, numbers, number, first):
    """Give values numbers by appearance; return how many differ, -1 if too many."""
    count = 0
    for k in range(values.shape[0]):
        number[k] = _numbered(values[k], keys, numbers, count)
        if number[k] == count:
            if count == first.shape[0]:
                return -1
            first[count] = k
            count += 1
    return count
