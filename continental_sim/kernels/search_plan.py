"""What a search for layouts goes by, under rules that have no tables.

Where runs of three packs or four need two naturals, limit their wilds, or have so few in the pack
that this matters, more suits must be told apart than tables can hold. There a hand is looked at
when it is asked about: see `search`.

Notes
-----
Take a layout of one suit, and give each run as many naturals as it needs. Let N be the naturals of
the hand that it has room for, and D the cards that the runs need and the hand does not have: the
needs less the largest matching of cards held, each in one run, where a card of a wild rank may be
the natural of its own place. Both are the best at once, since a natural more in a run takes nothing
from what others need. In the other cells wild cards may lie. So of a hand of H cards with w wild
ones a layout in four suits uses ``min(sum N + w, H - sum D)``.

A *plane* is a selection, a number D, and the wild cards that such a layout cannot do without, where
the pack has so few that this matters. A suit's row says for each plane the most that N can be.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from continental_sim.kernels.meld_rows import selection_joins
from continental_sim.kernels.meld_rules import MeldRules, run_windows


class Asked(NamedTuple):
    """A plane: what a row tells of."""

    selection: int
    lack: int
    forced: int


@dataclass(frozen=True)
class SearchPlan:
    """The lists that the search goes by.

    Attributes
    ----------
    windows : int32[windows, 4]
        Of each place of a run: number of its length, its ranks whose cards can count as naturals
        as a mask, those of them that are not wild, and what it needs of wild cards.
    longer : int32[selections, lengths]
        Each selection with a run more; as many as there are selections if it is in no pattern.
    needs : int32[lengths]
        Naturals that a run needs.
    first : int32[selections + 1]
        Where the planes of a selection begin.
    spans : int32[selections]
        Numbers of forced wild cards told apart; for each D so many planes lie side by side.
    starts : int32[planes + 1]
        Where the joins of a plane begin.
    joins : int32[., 2]
        A second plane, and that of both together.
    ends : int32[., 4]
        Two planes that make a pattern, the pattern, and their D together.
    watched : bool
        Whether the pack has so few wild cards that layouts may ask for more.
    """

    windows: np.ndarray
    longer: np.ndarray
    needs: np.ndarray
    first: np.ndarray
    spans: np.ndarray
    starts: np.ndarray
    joins: np.ndarray
    ends: np.ndarray
    watched: bool


def search_plan(rules: MeldRules, wilds: int) -> SearchPlan:
    """List what the search goes by.

    Parameters
    ----------
    rules : MeldRules
    wilds : int
        Wild cards in the pack.
    """
    joins = selection_joins(rules)
    needs = {length: length - cap for length, cap in rules.caps}
    windows = _windows(rules, needs)
    most = _most_forced(rules, windows)
    watched = max(most[rules.selections.index(pattern)] for pattern in rules.patterns) > wilds
    spans = [1 + min(forced, wilds) * watched for forced in most]
    planes = [
        Asked(number, lack, forced)
        for number, lengths in enumerate(rules.selections)
        for lack in range(sum(needs[length] for length in lengths) + 1)
        for forced in range(spans[number])
    ]
    of_selection = np.array([plane.selection for plane in planes])
    singles = [rules.selections.index((length,)) for length in needs]
    longer = joins[:, singles].astype(np.int32)
    pairs = _pairs(rules, planes, joins)
    return SearchPlan(
        windows=np.array(windows, np.int32),
        longer=np.ascontiguousarray(np.where(longer < 0, len(joins), longer)),
        needs=np.array(list(needs.values()), np.int32),
        first=np.searchsorted(of_selection, range(len(joins) + 1)).astype(np.int32),
        spans=np.array(spans, np.int32),
        starts=np.searchsorted(pairs.joins[:, 0], range(len(planes) + 1)).astype(np.int32),
        joins=np.ascontiguousarray(pairs.joins[:, 1:]),
        ends=pairs.ends,
        watched=watched,
    )


def _windows(rules, needs):
    """List the places of runs that hold the naturals that these need."""
    naturals = sum(1 << rank for rank in rules.naturals)
    counting = naturals | sum(1 << rank for rank in rules.own)
    return sorted(
        {
            (number, mask & counting, mask & naturals, length - (mask & naturals).bit_count())
            for number, (length, need) in enumerate(needs.items())
            for mask in run_windows(length, rules.ace)
            if (mask & counting).bit_count() >= need
        }
    )


def _most_forced(rules, windows):
    """Bound, by selection, the wild cards that a layout cannot do without.

    Those are cells over ranks that are wild, and cells beyond the copies of a card: not more than
    the cells of the shortest runs, of which so many are left out as there are copies.
    """
    lengths = [length for length, _ in rules.caps]
    in_one = {lengths[number]: 0 for number in range(len(lengths))}
    for number, _, _, forced in windows:
        in_one[lengths[number]] = max(in_one[lengths[number]], forced)
    return [
        min(
            sum(selection),
            sum(in_one[length] for length in selection) + sum(selection[rules.copies :]),
        )
        for selection in rules.selections
    ]


class _Pairs(NamedTuple):
    """Pairs of planes: what they add up to."""

    joins: np.ndarray
    ends: np.ndarray


def _pairs(rules, planes, joins):
    """List which planes add up to which, and to what patterns."""
    number = {plane: k for k, plane in enumerate(planes)}
    patterns = {rules.selections.index(pattern): k for k, pattern in enumerate(rules.patterns)}
    by_selection = [[] for _ in rules.selections]
    for k, plane in enumerate(planes):
        by_selection[plane.selection].append((k, plane))
    joined, ends = [], []
    for first, second in np.argwhere(joins >= 0).tolist():
        both = int(joins[first, second])
        for a, one in by_selection[first]:
            for b, other in by_selection[second]:
                lack, forced = one.lack + other.lack, one.forced + other.forced
                plane = number.get(Asked(both, lack, forced))
                if plane is not None:
                    joined.append((a, b, plane))
                    if both in patterns:
                        ends.append((a, b, patterns[both], lack))
    return _Pairs(np.array(sorted(joined), np.int32), np.array(ends, np.int32))
