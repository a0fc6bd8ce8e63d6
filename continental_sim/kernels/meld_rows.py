"""What melds in one bank can do with the cards of each vector: its row of the meld tables."""

from typing import NamedTuple

import numpy as np

from continental_sim.kernels.jit import kernel
from continental_sim.kernels.meld_rules import BANKS, MeldRules, run_windows

IMPOSSIBLE = np.int8(-60)  # a sum of two is still an int8, and of one and any cards below 0
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # an odd factor whose products look random
TOGETHER = 16  # planes worked out at a time: numpy adds as many bytes at once


class Plane(NamedTuple):
    """A question that is put to each vector of a bank; the answers are its row.

    With no limit on the wild cards of a layout: how many cards can the melds of a selection use,
    given so many wilds? With a limit: how many cards of their own, if they have so many wilds and
    so many cards of wild ranks of their own?
    """

    selection: int
    wilds: int
    own: int


class Judged(NamedTuple):
    """What melds can do with the cards of all vectors: of the same kind if the answers are.

    Attributes
    ----------
    ends : int[vectors]
        Kind of each vector that the tables know.
    row_of : int[kinds]
        Number of each kind's row.
    rows : int8[planes, rows]
        The answers to the planes' questions.
    laid : uint64[kinds]
        Selections that all its cards can be laid as, as a mask.
    layers : list of int32[states, copies + 1]
        Of an automaton that knows more vectors, by digit, the lowest first: where a state leads
        with so many cards, to a state of the next layer; in the last layer to a kind.
    """

    ends: np.ndarray
    row_of: np.ndarray
    rows: np.ndarray
    laid: np.ndarray
    layers: list[np.ndarray]


def planes_of(rules: MeldRules) -> list[Plane]:
    """List the planes, those of smaller selections first: of a bank, or of two together."""
    planes, most_own = [], 2 * rules.counted * len(rules.own)
    for number, lengths in enumerate(rules.selections):
        wilds = 0 if rules.wilds_add else min(rules.most_wilds(lengths), rules.levels - 1)
        own = 0 if rules.limit is None else min(sum(lengths), most_own)
        planes += [
            Plane(number, some, lying)
            for some in range(wilds + 1)
            for lying in range(own + 1)
            if rules.limit is None or some + lying <= rules.limit
        ]
    return planes


def vector_sums(gains, dtype=np.int8):
    """Sum, for every vector, what each digit gives by the cards held of it.

    Parameters
    ----------
    gains : sequence of sequences
        By digit, the lowest first, and by cards.
    dtype : dtype
        Of the sums.
    """
    sums = np.zeros(1, dtype)
    for gain in gains:
        sums = np.add.outer(np.array(gain, dtype), sums).ravel()
    return sums


def cards_held(rules: MeldRules, digits):
    """Count, for every vector, its cards of some digits: int8[vectors]."""
    counts = range(rules.counted + 1)
    return vector_sums([[held * (digit in digits) for held in counts] for digit in rules.digits])


@kernel
def lay_runs(rest, first, masks, weights, full, laid):
    """Find which selections can be laid with the cards of each suit vector, all of them, and wilds.

    Parameters
    ----------
    rest : int64[selections]
        Each selection without its longest run.
    first : int64[selections + 1]
        Where its choices begin: what its longest run may have of its own.
    masks, weights : int64[choices]
        The ranks of a choice as a mask, and what they add to a vector.
    full : int64[vectors]
        Ranks of which a vector has all copies.
    laid : uint64[vectors]
        In and out: masks of selections. In: 1 for the vector 0.
    """
    for selection in range(1, rest.shape[0]):
        bit = np.uint64(1) << np.uint64(selection)
        for vector in range(laid.shape[0]):
            if laid[vector] >> np.uint64(rest[selection]) & np.uint64(1):
                for k in range(first[selection], first[selection + 1]):
                    if full[vector] & masks[k] == 0:
                        laid[vector + weights[k]] |= bit


def laid_selections(rules: MeldRules):
    """Return, as a mask for each vector, the selections that all its cards can be laid as."""
    return _laid_groups(rules) if rules.groups else _laid_runs(rules)


def _laid_groups(rules):
    """Digits are ranks, of which no meld has two: so what is laid of each is put together."""
    least = {length: length - cap for length, cap in rules.caps}
    one = np.zeros(rules.counted + 1, np.uint64)
    for k, lengths in enumerate(rules.selections):
        fewest = sum(least[length] for length in lengths)
        one[fewest : sum(lengths) + 1] |= np.uint64(1 << k)
    joins = selection_joins(rules)
    laid = one[:1]  # groups that need none of the digits
    for _ in rules.digits:
        both = np.zeros((len(one), len(laid)), np.uint64)
        for first, second in np.argwhere(joins >= 0):
            chosen = np.outer(bits(one, first), bits(laid, second))
            both |= chosen << np.uint64(joins[first, second])
        laid = both.ravel()
    return laid


def selection_joins(rules: MeldRules):
    """Return, for each two selections, the number of both together, -1 if in no pattern."""
    number = {selection: k for k, selection in enumerate(rules.selections)}
    joins = np.full((len(number), len(number)), -1, np.int16)
    for a, first in enumerate(rules.selections):
        for b, second in enumerate(rules.selections):
            joins[a, b] = number.get(tuple(sorted(first + second, reverse=True)), -1)
    return joins


def bits(masks, number):
    """Return a bit of each of uint64 masks."""
    return masks >> np.uint64(number) & np.uint64(1)


def _laid_runs(rules):
    base, places = rules.counted + 1, rules.digits
    full = vector_sums([[0] * rules.counted + [1 << place] for place in places], np.int64)
    weights = vector_sums([[0, base**place] for place in places], np.int64)
    choices = {length: _choices(rules, length) for length, _ in rules.caps}
    mine = [choices[selection[0]] if selection else [] for selection in rules.selections]
    number = {selection: k for k, selection in enumerate(rules.selections)}
    rest = np.array([number[selection[1:]] for selection in rules.selections])
    first = np.cumsum([0, *map(len, mine)])
    masks = np.array([mask for choice in mine for mask in choice], np.int64)
    laid = np.zeros(len(full), np.uint64)
    laid[0] = 1
    lay_runs(rest, first, masks, weights[masks], full, laid)
    return laid


def runs_over_digits(rules: MeldRules, length):
    """List the runs of a length, each as a 1 for every digit that it lies over, else a 0."""
    ranks = rules.naturals + rules.own
    windows = run_windows(length, rules.ace)
    return [tuple(window >> rank & 1 for rank in ranks) for window in windows]


def _choices(rules, length):
    """List the sets of digits, as masks, of which a run may have a card of its own."""
    least = length - dict(rules.caps)[length]
    found = set()
    for run in runs_over_digits(rules, length):
        mask = sum(1 << digit for digit, lies_over in enumerate(run) if lies_over)
        part = mask
        while part:
            found.add(part)
            part = (part - 1) & mask
        found.add(0)
    return sorted(part for part in found if part.bit_count() >= least)


def most_wild_cards(rules: MeldRules, in_banks, joins):
    """Bound the wild cards of the layouts that distances are about.

    Parameters
    ----------
    rules : MeldRules
        Without a limit.
    in_banks : list of int8[selections]
        By bank and selection, the most wild cards where no natural more can be laid.
    joins : int16[selections, selections]

    Returns
    -------
    int
        If the pack has as many wild cards, a limit changes no distance.

    Notes
    -----
    Of the layouts that use most cards of a hand, take one with the fewest wild cards, more than
    the pack has. Leave out its cards of wild ranks in their own places that are not held: those
    left are more than the wild cards held, since those in hand and those left out are all in the
    pack. So they hold every wild of the hand, and would with one less. Hence in no bank can the
    same melds be laid with one natural more: that would use no card less and be a wild card less.
    """
    most = in_banks[0]
    for bank in in_banks[1:]:
        fewer, most = most, np.full_like(most, IMPOSSIBLE)
        for first, second in np.argwhere(joins >= 0):
            joined = joins[first, second]
            most[joined] = max(most[joined], fewer[first] + bank[second])
    return max(int(most[rules.selections.index(pattern)]) for pattern in rules.patterns)


def most_wilds_laid(rules: MeldRules, laid):
    """Return, by bank and selection, the most wild cards where no natural more can be laid.

    Parameters
    ----------
    rules : MeldRules
    laid : uint64[vectors]
        Masks of selections.
    """
    return [_most_in_bank(rules, laid, rules.bank_digits(bank)) for bank in range(BANKS)]


def _most_in_bank(rules, laid, digits):
    base = rules.counted + 1
    growing = np.zeros_like(laid)
    for digit in digits & set(rules.natural_digits):
        more = laid.reshape(-1, base, base**digit)[:, 1:]
        growing.reshape(-1, base, base**digit)[:, :-1] |= more
    there = cards_held(rules, set(rules.digits) - digits) == 0
    naturals = cards_held(rules, rules.natural_digits)
    most = np.full(len(rules.selections), IMPOSSIBLE)
    for selection, lengths in enumerate(rules.selections):
        at = (laid & ~growing) >> np.uint64(selection) & np.uint64(1) != 0
        if (at & there).any():
            most[selection] = sum(lengths) - naturals[at & there].min()
    return most


def all_vectors(rules: MeldRules, planes) -> Judged:
    """Judge all vectors, each as a kind of its own; rows are numbered by appearance."""
    laid = laid_selections(rules)
    signatures = np.zeros(len(laid), np.uint64)
    for values in _plane_values(rules, planes, laid):
        mix(signatures, values)
    first, number = first_and_number(signatures)
    batches = [values[first] for values in _plane_values(rules, planes, laid)]
    rows = np.concatenate(batches, axis=1)[:, : len(planes)]
    return Judged(np.arange(len(laid)), number, np.ascontiguousarray(rows.T), laid, [])


def mix(signatures, rows):
    """Work the rows of an array, of a multiple of 8 bytes each, into their uint64 signatures.

    Among a million different rows two are confused with p < 1e-7.
    """
    words = rows.view(np.uint64)
    for column in range(words.shape[1]):
        signatures ^= words[:, column]
        signatures *= SPREAD
        signatures ^= signatures >> np.uint64(32)


def row_keys(rows):
    """Return 64 bits that stand for each row of whole numbers."""
    keys = np.zeros(len(rows), np.uint64)
    mix(keys, rows.astype(np.uint64))
    return keys


def first_and_number(signatures):
    """Give signatures numbers by appearance: (where each number is first, the numbers)."""
    _, first, number = np.unique(signatures, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.uint32)
    rank[order] = np.arange(len(order), dtype=np.uint32)
    return first[order], rank[number]


def _plane_values(rules, planes, laid):
    """Yield planes as columns of int8[vectors, TOGETHER]; the last columns may be empty."""
    base = rules.counted + 1
    sizes, own = cards_held(rules, rules.digits), cards_held(rules, rules.own_digits)
    laid_as = [
        np.flatnonzero(laid >> np.uint64(selection) & np.uint64(1))
        for selection in range(len(rules.selections))
    ]
    for start in range(0, len(planes), TOGETHER):
        values = np.full((len(laid), TOGETHER), IMPOSSIBLE)
        for column, plane in enumerate(planes[start : start + TOGETHER]):
            at = laid_as[plane.selection]
            wilds = np.int8(sum(rules.selections[plane.selection])) - sizes[at]
            if rules.limit is None:
                values[at, column] = np.minimum(wilds, plane.wilds)
            else:
                values[at[(wilds == plane.wilds) & (own[at] == plane.own)], column] = 0
        for place in rules.digits:
            _from_laid_to_held(values.reshape(-1, base, base**place * TOGETHER))
        values[values < 0] = IMPOSSIBLE
        yield values


def _from_laid_to_held(values):
    """Turn what is laid of a rank, int8[., copies + 1, .], into what is held, in place.

    The best for each number held: the cards that are both laid and held are used.
    """
    most = values.shape[1] - 1
    for copies in range(most - 1, -1, -1):  # more may be laid
        np.maximum(values[:, copies], values[:, copies + 1], out=values[:, copies])
    for copies in range(1, most + 1):  # or more be held
        values[:, copies] += np.int8(copies)
        np.maximum(values[:, copies], values[:, copies - 1], out=values[:, copies])
