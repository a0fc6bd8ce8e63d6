"""Hands of rules that have no tables: layouts are searched for when a hand is asked about.

What is found of a suit, its row (see `search_plan`), is kept in memory for the next hand with that
suit. Entries of a row are stored one higher, so that 0 says that there is no layout.
"""

import numpy as np
from numba import int64, uint64

from continental_sim.kernels.holding import ALIKE, CARDS, ONE_SUIT, PATTERNS
from continental_sim.kernels.jit import entry, kernel
from continental_sim.kernels.meld_rows import SPREAD
from continental_sim.kernels.meld_rules import RANKS_IN_SUIT as RANKS
from continental_sim.kernels.memory import apart, array8_at, array32_at, array64_at
from continental_sim.kernels.records import rules_record, search_record, seat_record
from continental_sim.kernels.suit_search import search_suit


@kernel
def _cards(seat, rules, plan):
    """Return the most cards of a hand that one legal layout can use [cards]."""
    low, high = _pair_rows(seat, rules, plan)
    ends = array32_at(plan.ends_at, 4 * plan.ends)
    wilds, most = np.int64(seat.wilds), np.int64(0)
    for k in range(plan.ends):
        first, second = np.int64(low[ends[4 * k]]), np.int64(high[ends[4 * k + 1]])
        if first > 0 and second > 0:
            naturals = first + second - 2
            used = min(naturals + wilds, np.int64(rules.hand_size) - np.int64(ends[4 * k + 3]))
            most = max(most, used)
    return most


@kernel
def _patterns(seat, rules, plan):
    """Return the patterns that a whole hand can be laid as, as a mask in the order of the rules."""
    low, high = _pair_rows(seat, rules, plan)
    ends = array32_at(plan.ends_at, 4 * plan.ends)
    naturals, found = np.int64(rules.hand_size) - seat.wilds, np.int64(0)
    for k in range(plan.ends):
        first, second = np.int64(low[ends[4 * k]]), np.int64(high[ends[4 * k + 1]])
        if ends[4 * k + 3] == 0 and first > 0 and first + second - 2 == naturals:
            found |= np.int64(1) << np.int64(ends[4 * k + 2])
    return found


@kernel
def _in_one_suit(seat, rules, plan):
    """Tell whether a whole hand can be laid in one suit."""
    ends = array32_at(plan.ends_at, 4 * plan.ends)
    naturals = np.int64(rules.hand_size) - seat.wilds
    for suit in range(4):
        if naturals == _naturals(seat, rules, suit):
            row = _suit_row(seat, rules, plan, np.int64(suit))
            for k in range(plan.ends):
                alone = ends[4 * k + 1] == 0 and ends[4 * k + 3] == 0  # the other suits lay nothing
                if alone and np.int64(row[ends[4 * k]]) - 1 == naturals:
                    return 1
    return 0


@kernel
def _alike(seat, rules, plan, face):
    """Tell whether a suit can do as much without a copy of a face that is held."""
    with_it = _suit_row(seat, rules, plan, face // RANKS)
    seat.hand[face] -= 1
    without = _suit_row(seat, rules, plan, face // RANKS)
    seat.hand[face] += 1
    for plane in range(plan.planes):
        if with_it[plane] != without[plane]:
            return 0
    return 1


@kernel
def _naturals(seat, rules, suit):
    """Count the cards of a suit that are not wild."""
    found = np.int64(0)
    for face in range(RANKS * suit, RANKS * (suit + 1)):
        if not rules.wild[face]:
            found += seat.hand[face]
    return found


@kernel
def _pair_rows(seat, rules, plan):
    """Return what the first two suits can do together, and what the last two can."""
    apart()
    rows = [_suit_row(seat, rules, plan, np.int64(suit)) for suit in range(4)]
    return _joined(plan, rows[0], rows[1]), _joined(plan, rows[2], rows[3])


@kernel
def _joined(plan, first, second):
    """Join two rows: (max, +) over the planes."""
    apart()
    starts = array32_at(plan.starts_at, plan.planes + 1)
    joins = array32_at(plan.joins_at, 2 * plan.joins)
    both = np.zeros(plan.planes, np.uint8)
    for plane in range(plan.planes):
        if first[plane] > 0:
            mine = np.int64(first[plane]) - 1
            for k in range(np.int64(starts[plane]), np.int64(starts[plane + 1])):
                other = np.int64(second[joins[2 * k]])
                if other > 0:
                    total = joins[2 * k + 1]
                    both[total] = max(np.int64(both[total]), mine + other)
    return both


@kernel
def _suit_row(seat, rules, plan, suit):
    """Return the row of a suit: uint8[planes]; from memory, if it was met not long ago."""
    apart()
    key = np.uint64(0)
    for face in range(RANKS * suit, RANKS * (suit + 1)):
        held = np.uint64(0)
        if rules.two_counts or not rules.wild[face]:
            held = np.uint64(seat.hand[face])
        key = key << np.uint64(3) | held
    key += np.uint64(1)  # 0 is where nothing is kept yet
    slot = np.int64(key * SPREAD >> np.uint64(32)) % plan.kept
    keys = array64_at(plan.keys_at, plan.kept)
    kept = array8_at(plan.rows_at, plan.kept * plan.planes)
    row = np.zeros(plan.planes, np.uint8)
    start = slot * plan.planes
    if keys[slot] != key:
        search_suit(seat, rules, plan, suit, row)
        for plane in range(plan.planes):
            kept[start + plane] = row[plane]
        keys[slot] = key
    else:
        for plane in range(plan.planes):
            row[plane] = kept[start + plane]
    return row


@entry(int64(uint64, uint64, uint64))
def answer(seat_at, question, rules_at):
    """Answer a question of `table` about a hand."""
    seat, rules = seat_record(seat_at), rules_record(rules_at)
    plan = search_record(rules.search_at)
    if question == CARDS:
        return _cards(seat, rules, plan)
    if question == PATTERNS:
        return _patterns(seat, rules, plan)
    if question == ONE_SUIT:
        return _in_one_suit(seat, rules, plan)
    return _alike(seat, rules, plan, np.int64(question) - ALIKE)
