"""The row of a suit, found by trying all places of all runs: see `search_plan`.

Places that hold the same cards of the suit are tried as one. A run that holds nothing more than
those before it do may lie anywhere, and is tried as such.
"""

import numpy as np

from continental_sim.kernels.jit import kernel
from continental_sim.kernels.meld_rules import RANKS_IN_SUIT as RANKS
from continental_sim.kernels.memory import apart, array32_at, lowest_bit
from continental_sim.kernels.records import MOST_RUNS

ALL_RANKS = (1 << RANKS) - 1
COPIES = 4  # of a card, at most
# Columns: of a group of places, and of a layout.
LENGTH, COUNTING, NATURALS, WILDS = range(4)
SELECTION, NEXT, N, D, FORCED = range(5)
NEVER = 1 << 20  # more wild cards than there are


@kernel
def search_suit(seat, rules, plan, suit, row):
    """Find a row: try runs together in all places, each time one more.

    Parameters
    ----------
    seat : record SEAT
    rules : record RULES
    plan : record SEARCH
    suit : int
    row : uint8[planes]
        In: 0. Out.
    """
    apart()
    groups, members, held = _grouped(seat, rules, plan, suit)
    windows = array32_at(plan.windows_at, 4 * plan.windows)
    longer = array32_at(plan.longer_at, plan.selections * plan.lengths)
    needs = array32_at(plan.needs_at, plan.lengths)
    first = array32_at(plan.first_at, plan.selections + 1)
    spans = array32_at(plan.spans_at, plan.selections)
    # By runs laid: the selection, the next place to try, N, D, and wild cards needed.
    at = np.zeros((MOST_RUNS + 1, 5), np.int64)
    # Copies of the naturals that no run has room for yet; of the cards that count and fill no need
    # yet; and of those in the pack that are in no place of a run, 0 if that is not known.
    left = np.zeros((MOST_RUNS + 1, 3, COPIES), np.int64)
    filled = np.zeros((MOST_RUNS + 1, MOST_RUNS), np.int64)  # ranks that fill a run's needs
    path = np.zeros((2, MOST_RUNS), np.int64)
    laid = np.zeros(MOST_RUNS, np.int64)
    for copies in range(COPIES):
        left[0, 0, copies], left[0, 1, copies] = held[0, copies], held[1, copies]
        if copies < rules.packs:
            left[0, 2, copies] = ALL_RANKS
    row[0] = 1
    runs = 0
    while runs >= 0:
        group = at[runs, NEXT]
        if group == groups.shape[0]:
            runs -= 1
            continue
        at[runs, NEXT] += 1
        number = groups[group, LENGTH]
        selection = np.int64(longer[at[runs, SELECTION] * plan.lengths + number])
        if selection == plan.selections:
            continue
        after = runs + 1
        laid[runs] = group
        for k in range(COPIES):
            for which in range(3):
                left[after, which, k] = left[runs, which, k]
        for run in range(runs):
            filled[after, run] = filled[runs, run]
        filled[after, runs] = 0
        need, met = np.int64(needs[number]), np.int64(0)
        while met < need and _fill_need(groups, laid, after, filled[after], left[after, 1], path):
            met += 1
        room = groups[group, NATURALS] & left[runs, 0, 0]
        if groups[group, COUNTING] and not room and not met:
            continue  # as good as a run that holds nothing, which may lie anywhere
        forced = at[runs, FORCED] + groups[group, WILDS]
        if not _find_room(windows, members[group], left[after, 2]):
            left[after, 2] = 0
            if after > rules.packs:  # of fewer runs each finds all its naturals
                forced = _least_forced(rules, plan, groups, members, laid, after)
        if forced >= spans[selection]:
            continue
        at[after, SELECTION], at[after, NEXT], at[after, FORCED] = selection, group, forced
        at[after, N] = at[runs, N] + _spend(left[after, 0], room)
        at[after, D] = at[runs, D] + need - met
        plane = np.int64(first[selection]) + at[after, D] * np.int64(spans[selection]) + forced
        row[plane] = max(np.int64(row[plane]), at[after, N] + 1)
        runs = after


@kernel
def _find_room(windows, places, copies):
    """Lay a run where no card of its ranks is missing in the pack; tell whether it can be."""
    apart()
    for k in range(1, places[0] + 1):
        window = places[k]
        ranks = np.int64(windows[4 * window + 1])
        if ranks & ~copies[0] == 0:
            _spend(copies, ranks)
            return True
    return False


@kernel
def _spend(copies, ranks):
    """Take a copy of each of some ranks, all there, out of masks of the ranks with 1, 2 ... of it.

    Return how many.
    """
    copies[0] = copies[0] & ~ranks | copies[1] & ranks
    copies[1] = copies[1] & ~ranks | copies[2] & ranks
    copies[2] = copies[2] & ~ranks | copies[3] & ranks
    copies[3] &= ~ranks
    number = np.int64(0)
    while ranks:
        ranks &= ranks - 1
        number += 1
    return number


@kernel
def _fill_need(groups, laid, runs, filled, free, path):
    """Let a card more fill a need of the last run, others changing theirs; tell whether one can.

    A matching grows along a path from the run to a card that is free.
    """
    apart()
    last = runs - 1
    reached, front = np.int64(1) << last, np.int64(1) << last
    while front and free[0]:
        run = lowest_bit(front)
        front &= front - 1
        wanted = groups[laid[run], COUNTING] & ~filled[run]
        rank = wanted & free[0]
        if rank:
            rank &= -rank
            _spend(free, rank)
            while run != last:
                filled[run] = filled[run] & ~path[1, run] | rank
                rank, run = path[1, run], path[0, run]
            filled[last] |= rank
            return True
        for other in range(runs):
            given = wanted & filled[other]
            if given and not reached >> other & 1:
                reached |= np.int64(1) << other
                front |= np.int64(1) << other
                path[0, other], path[1, other] = run, given & -given
    return False


@kernel
def _grouped(seat, rules, plan, suit):
    """Put the places of runs together that hold the same cards of a suit.

    Returns
    -------
    int64[groups, 4], int64[groups, places + 1], int64[2, 4]
        Number of the length, ranks held that count, those of them that are natural, and wild cards
        needed; how many places a group has, and which; ranks of which 1, 2 ... naturals are held,
        and cards that count, as masks.
    """
    apart()
    windows = array32_at(plan.windows_at, 4 * plan.windows)
    held = np.zeros((2, COPIES), np.int64)
    for rank in range(RANKS):
        face = RANKS * suit + rank
        for copies in range(seat.hand[face]):
            if not rules.wild[face]:
                held[0, copies] |= np.int64(1) << rank
            if rules.two_counts or not rules.wild[face]:
                held[1, copies] |= np.int64(1) << rank
    groups = np.zeros((2 * plan.windows, 4), np.int64)
    members = np.zeros((2 * plan.windows, plan.windows + 1), np.int64)
    number = 0
    for holding in (True, False):
        for k in range(plan.windows):
            length, counting = np.int64(windows[4 * k]), np.int64(0)
            if holding:
                counting = np.int64(windows[4 * k + 1]) & held[1, 0]
            wilds = plan.watched * np.int64(windows[4 * k + 3])
            if holding and counting == 0:
                continue
            group = 0
            while group < number and not (
                groups[group, LENGTH] == length
                and groups[group, COUNTING] == counting
                and groups[group, WILDS] == wilds
            ):
                group += 1
            groups[group, LENGTH], groups[group, COUNTING] = length, counting
            groups[group, NATURALS] = np.int64(windows[4 * k + 2]) & counting
            groups[group, WILDS] = wilds
            members[group, 0] += 1
            members[group, members[group, 0]] = k
            number = max(number, group + 1)
    return groups[:number], members, held


@kernel
def _least_forced(rules, plan, groups, members, laid, runs):
    """Return the fewest wild cards that runs together cannot do without, where that is watched.

    A high number if their needs cannot be met, whatever cards come. All places are tried.
    """
    apart()
    least, wanted = np.int64(NEVER), np.int64(0)
    for run in range(runs):
        wanted += groups[laid[run], WILDS]
    chosen = np.zeros(runs, np.int64)
    while True:
        least = min(least, _forced(rules, plan, groups, members, laid, chosen))
        run = 0
        while run < runs:
            chosen[run] = (chosen[run] + 1) % members[laid[run], 0]
            if chosen[run] > 0:
                break
            run += 1
        if run == runs or least == wanted:
            return least


@kernel
def _forced(rules, plan, groups, members, laid, chosen):
    """Return what `_least_forced` does, of runs in given places."""
    apart()
    windows = array32_at(plan.windows_at, 4 * plan.windows)
    needs = array32_at(plan.needs_at, plan.lengths)
    runs = chosen.shape[0]
    cells, order = np.zeros((runs, 4), np.int64), np.arange(runs)
    forced, over = np.int64(0), False
    naturals, counting = np.zeros(RANKS, np.int64), np.zeros(RANKS, np.int64)
    for run in range(runs):
        window = members[laid[run], 1 + chosen[run]]
        cells[run, COUNTING] = np.int64(windows[4 * window + 1])
        forced += groups[laid[run], WILDS]
        for rank in range(RANKS):
            naturals[rank] += windows[4 * window + 2] >> np.uint32(rank) & np.uint32(1)
            counting[rank] += windows[4 * window + 1] >> np.uint32(rank) & np.uint32(1)
    for rank in range(RANKS):
        forced += plan.watched * max(np.int64(0), naturals[rank] - rules.packs)
        over |= counting[rank] > rules.packs
    if not over:
        return forced
    filled, free = np.zeros(runs, np.int64), np.zeros(COPIES, np.int64)
    path = np.zeros((2, runs), np.int64)
    for copies in range(rules.packs):
        free[copies] = ALL_RANKS
    for run in range(runs):
        for _ in range(np.int64(needs[groups[laid[run], LENGTH]])):
            if not _fill_need(cells, order, run + 1, filled, free, path):
                return np.int64(NEVER)
    return forced
