"""Suits that hold a card three times or more: found by an automaton over the ranks.

With three packs or four a table of all suit vectors is too large. The tables of `melds` know the
vectors with at most `MOST_COUNTED` copies of a card, which is what nearly all suits are. For the
others an automaton reads the copies of one rank after the other, and ends in the suit's class. It
is minimal: after a rank there is one state for all that the ranks to come cannot tell apart.

To build it all vectors are judged once. A suit is cut into two halves of its ranks. Runs that cross
the cut are chosen first; the others lie in one half, where the best that they can do beside those
is known for each half vector. So a row is a maximum of sums of two numbers. What has been judged is
folded into states at once, so that the vectors, a billion with four packs, are never kept.
"""

from collections import Counter
from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from continental_sim.kernels.jit import kernel
from continental_sim.kernels.meld_classes import check_rows
from continental_sim.kernels.meld_rows import (
    IMPOSSIBLE,
    SPREAD,
    Judged,
    first_and_number,
    row_keys,
    runs_over_digits,
)
from continental_sim.kernels.meld_rules import MeldRules
from continental_sim.kernels.numbering import Numbers

MOST_MORE = 2  # cards beyond a layout that are ever asked about: one drawn, and one that might be


class _Runs(NamedTuple):
    """Runs together: their lengths, longest first, and how many lie over each digit of a half."""

    lengths: tuple[int, ...]
    low: tuple[int, ...]
    high: tuple[int, ...]


def all_suits(rules: MeldRules) -> Judged:
    """Judge all suit vectors of rules whose wilds come on top.

    Those that the tables know are told in `ends`; all are known to the automaton of `layers`. Of a
    suit of more cards than a hand can have, cards of the highest ranks are overlooked.
    """
    places, cut = len(rules.digits), len(rules.digits) // 2
    inside, crossing = _runs_by_half(rules, cut)
    parts, asked_low, asked_high = _parts(rules, crossing, cut)
    low, high = _half_vectors(rules, cut), _FewFirst(rules, places - cut)
    high_profile = np.ascontiguousarray(_profile(rules, asked_high, inside[1], high.vectors).T)
    most = sum(rules.patterns[0]) + MOST_MORE

    best = np.zeros((len(rules.selections), len(high.vectors)), np.int8)
    keys, masks = np.zeros(len(high.vectors), np.uint64), np.zeros(len(high.vectors), np.uint64)
    number = np.zeros(len(high.vectors), np.int32)
    kinds, different, rows, laid = Numbers(), Numbers(), [], []
    folded = _Folded(places, rules.copies + 1)
    reached = np.zeros(len(low), np.int32)
    for k, profile in enumerate(_profile(rules, asked_low, inside[0], low)):
        held = int(low[k].sum())
        asked = high.up_to(most - held)
        judge(profile, high_profile, parts, held, high.cards, best, keys[:asked], masks)
        number[:asked], new = kinds.of(keys[:asked])
        rows.append(best[:, new])
        laid.append(masks[new])
        different.of(row_keys(best[:, new].T))
        check_rows(len(different))
        high.overlook_cards(number, most - held)
        reached[k] = folded.fold(number[high.in_order], range(cut, places))
    folded.fold(reached, range(cut))
    layers = folded.layers()
    ends = np.zeros(1, np.int32)
    for layer in layers:
        ends = layer[ends, : rules.counted + 1].T.ravel()
    of_kinds = np.concatenate(rows, axis=1)
    first, row_of = first_and_number(row_keys(of_kinds.T))
    rows_apart = np.ascontiguousarray(of_kinds[:, first])
    return Judged(ends, row_of, rows_apart, np.concatenate(laid), layers)


class _FewFirst:
    """The vectors of a half, those of few cards first.

    Attributes
    ----------
    vectors : int8[vectors, digits]
    cards : int8[vectors]
        Of each.
    in_order : int64[vectors]
        Where each is, by its number.
    """

    def __init__(self, rules, size):
        plain = _half_vectors(rules, size)
        order = np.argsort(plain.sum(axis=1), kind="stable")
        self.vectors, self.in_order = plain[order], np.argsort(order)
        self.cards = self.vectors.sum(axis=1, dtype=np.int8)
        self._most = int(self.cards[-1])
        self._first = np.searchsorted(self.cards, range(self._most + 2))  # of so many cards
        weights = (rules.copies + 1) ** np.arange(size)
        highest = np.where(self.vectors > 0, weights, 0).max(axis=1, initial=0)
        self._card_less = self.in_order[order - highest]  # without one of the highest rank

    def up_to(self, cards):
        """Count the vectors of so many cards at most, which come first."""
        return int(self._first[min(max(cards + 1, 0), self._most + 1)])

    def overlook_cards(self, numbers, cards):
        """Give vectors of more cards the number of that with so many, of the lowest ranks."""
        for more in range(max(cards + 1, 0), self._most + 1):
            those = slice(self._first[more], self._first[more + 1])
            numbers[those] = numbers[self._card_less[those]] if more else 0


def automaton(layers, numbers):
    """Return the minimal automaton that ends in the numbers of kinds.

    Parameters
    ----------
    layers : list of int32[states, base]
        Of `Judged`.
    numbers : int[kinds]

    Returns
    -------
    int32[states * base]
        Where each state leads with 0, 1, ... copies. It begins in state 0, and ends in a number.
    """
    minimal, ends = [], numbers
    for layer in reversed(layers):
        steps = ends[layer]
        kept, ends = first_and_number(row_keys(steps))
        minimal.insert(0, steps[kept].astype(np.int32))
    after = np.cumsum([len(layer) for layer in minimal[:-1]], dtype=np.int32)
    later = [layer + offset for layer, offset in zip(minimal[:-1], after, strict=True)]
    return np.concatenate([*later, *minimal[-1:], np.zeros((0, 1), np.int32)], axis=None)


class _Folded:
    """Vectors folded into states of a layer for each digit, the highest digit first."""

    def __init__(self, digits, base):
        self._base = base
        self._numbers = [Numbers() for _ in range(digits)]
        self._steps = [[] for _ in range(digits)]

    def fold(self, ends, digits):
        """Fold where all vectors of some digits lead to, the lowest first; return their state."""
        for digit in reversed(digits):
            steps = ends.reshape(self._base, -1).T
            ends, new = self._numbers[digit].of(row_keys(steps))
            self._steps[digit].append(steps[new])
        return ends[0]

    def layers(self):
        """Return the steps by digit: int32[states, base]."""
        return [np.concatenate(steps).astype(np.int32) for steps in self._steps]


def _runs_by_half(rules, cut):
    """List the runs by where they lie: by length those inside each half, and those that cross."""
    inside, crossing = ({}, {}), []
    for length, _ in rules.caps:
        within = set(), set()
        for run in runs_over_digits(rules, length):
            low, high = run[:cut], run[cut:]
            if any(low) and any(high):
                crossing.append(_Runs((length,), low, high))
            else:
                within[any(high)].add(high if any(high) else low)
        for half in range(2):
            inside[half][length] = sorted(within[half])
    return inside, sorted(set(crossing))


def _parts(rules, crossing, cut):
    """Say which selection a choice of crossing runs, and of lengths for the halves, makes.

    Returns
    -------
    int32[., 3], dict, dict
        Selection, and the numbers of what is asked of the low half and of the high half; what is
        asked: lengths inside, and how many crossing runs lie over each digit.
    """
    number = {selection: k for k, selection in enumerate(rules.selections)}
    none = _Runs((), (0,) * cut, (0,) * (len(rules.digits) - cut))
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
    numbers = np.arange((rules.copies + 1) ** size)
    weights = (rules.copies + 1) ** np.arange(size)
    return (numbers[:, None] // weights % (rules.copies + 1)).astype(np.int8)


def _covers_of(runs, digits):
    """Return what says of lengths, longest first, how so many runs can lie over each digit."""

    @cache
    def covers(lengths):
        if not lengths:
            return {(0,) * digits}
        return {_added(cover, run) for cover in covers(lengths[1:]) for run in runs[lengths[0]]}

    return covers


def _profile(rules, asked, inside, vectors):
    """Say how many cards of a half runs use: int8[vectors, asked]; less than 0: they do not fit."""
    size = vectors.shape[1]
    over = _covers_of(inside, size)
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
def judge(mine, others, parts, cards, other_cards, best, keys, masks):
    """Put a half vector together with vectors of the other half.

    Parameters
    ----------
    mine : int8[asked]
        What runs use of the half vector.
    others : int8[asked, vectors]
        What they use of the others.
    parts : int32[., 3]
        Selection, what is asked of this half and of the other.
    cards : int
        Of the half vector.
    other_cards : int8[vectors]
    best : int8[selections, vectors]
        Out: the most cards that runs of each selection can use of both.
    keys : uint64[.]
        Out, and as many vectors as are asked about: what stands for that, and for the masks.
    masks : uint64[vectors]
        Out: selections that all cards can be laid as.
    """
    vectors = keys.shape[0]
    best[:] = IMPOSSIBLE
    for k in range(parts.shape[0]):
        used = mine[parts[k, 1]]
        if used >= 0:
            more, most = others[parts[k, 2]], best[parts[k, 0]]
            for vector in range(vectors):
                most[vector] = max(most[vector], np.int8(used + more[vector]))
    keys[:] = 0
    masks[:] = 0
    for selection in range(best.shape[0]):
        most, bit = best[selection], np.uint64(1) << np.uint64(selection)
        for vector in range(vectors):
            key = (keys[vector] ^ np.uint64(np.uint8(most[vector]))) * SPREAD
            keys[vector] = key ^ key >> np.uint64(32)
            if most[vector] == cards + other_cards[vector]:
                masks[vector] |= bit
    for vector in range(vectors):
        key = (keys[vector] ^ masks[vector]) * SPREAD
        keys[vector] = key ^ key >> np.uint64(32)


def most_wilds_in_suit(rules: MeldRules):
    """Return, by selection, the most wild cards of a suit where no natural more can be laid.

    That is where no other places of the same runs hold all the naturals that these can, and more.
    """
    runs = {length: runs_over_digits(rules, length) for length, _ in rules.caps}
    covers = _covers_of(runs, len(rules.digits))
    most = np.zeros(len(rules.selections), np.int8)
    for k, lengths in enumerate(rules.selections):
        laid = np.unique(np.minimum(sorted(covers(lengths)), rules.copies), axis=0)
        cards = laid.sum(axis=1)
        most[k] = sum(lengths) - min(
            count
            for naturals, count in zip(laid, cards.tolist(), strict=True)
            if not ((laid >= naturals).all(axis=1) & (cards > count)).any()
        )
    return most
