"""Grouping: the same cube whatever the order of the deals and the size of the blocks."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from continental_sim.columns import CONTINENTAL, SESSIONS
from continental_sim.cubes import Block, StudyCubes, group_openings, group_sessions, session_results
from continental_sim.grouping import group, merge
from continental_sim.rules import ContinentalRules
from tests.fakes import fake_cubes, fake_openings, fake_outcomes, fake_sums

RULES = ContinentalRules()
OUTCOMES = fake_outcomes(RULES, 6000)
OPENING_HANDS = fake_openings(RULES, OUTCOMES).reshape(-1)
PARTS = {"cube": (OUTCOMES, CONTINENTAL.cube), "openings": (OPENING_HANDS, CONTINENTAL.openings)}


def sums_of(records, file):
    """Numbers to add up, for each of the sums of a file others."""
    return [(records["deal"] + place) % (place + 3) - 1 for place in range(len(file.sums))]


def grouped(records, file):
    return group(records, file, sums_of(records, file))


def direct(records, file):
    """Group with a dictionary, one record after the other."""
    found = {}
    for record, *sums in zip(records, *sums_of(records, file), strict=True):
        key = tuple(int(record[name]) for name in file.keys)
        count, *before, first = found.get(key, (0, *(0 for _ in sums), record["deal"]))
        added = [one + other for one, other in zip(before, sums, strict=True)]
        found[key] = (count + 1, *added, min(first, record["deal"]))
    return [(*key, *found[key]) for key in sorted(found)]


@pytest.mark.parametrize(("records", "file"), PARTS.values(), ids=PARTS)
def test_group_agrees_with_a_dictionary(records, file):
    assert [tuple(map(int, row)) for row in grouped(records, file)] == direct(records, file)


@pytest.mark.parametrize(("records", "file"), PARTS.values(), ids=PARTS)
def test_order_of_the_records_does_not_matter(records, file):
    shuffled = np.random.default_rng(3).permutation(records)
    assert np.array_equal(grouped(shuffled, file), grouped(records, file))


@pytest.mark.parametrize(("records", "file"), PARTS.values(), ids=PARTS)
@given(cuts=st.lists(st.integers(0, 6000), max_size=6))
def test_split_into_blocks_does_not_matter(records, file, cuts):
    parts = [grouped(part, file) for part in np.split(records, sorted(cuts))]
    assert np.array_equal(merge(parts, file), grouped(records, file))
    assert np.array_equal(merge(parts[::-1], file), grouped(records, file))


@pytest.mark.parametrize("spread", [1, 10**4, 2**31 - 1], ids=["packed", "argsort", "lexsort"])
def test_every_way_of_sorting_gives_the_same_rows(spread):
    dice = np.random.default_rng(5)
    records = OUTCOMES[:500].copy()
    for name in ("payment", "turns", "recycles"):
        records[name] = dice.integers(0, 3, len(records)) * (spread // 2)
    assert [tuple(map(int, row)) for row in group(records, CONTINENTAL.cube)] == direct(
        records, CONTINENTAL.cube
    )


def test_nothing_groups_to_nothing():
    assert len(group(OUTCOMES[:0], CONTINENTAL.cube)) == 0
    assert len(merge([], CONTINENTAL.cube)) == 0
    assert StudyCubes.merge([StudyCubes.empty(CONTINENTAL, 4)]).deals == 0


def test_ledgers_of_a_session_sum_to_zero_and_follow_the_payments():
    ledgers, wins = session_results(OUTCOMES, 4, 4, RULES.stakes)
    assert ledgers.shape == wins.shape == (1500, 4)
    assert not ledgers.sum(axis=1).any()
    for session in (0, 1, 77):
        expected = [0, 0, 0, 0]
        for deal in OUTCOMES[4 * session : 4 * session + 4]:
            for player in range(4):
                share = 3 if player == deal["winner"] else -1
                expected[player] += share * int(deal["payment"])
        assert ledgers[session].tolist() == expected
    assert wins.sum() == (OUTCOMES["winner"] >= 0).sum()


def test_a_large_ledger_does_not_overflow():
    outcomes = OUTCOMES[:4].copy()
    outcomes["end"], outcomes["winner"], outcomes["payment"] = 0, 2, 33
    ledgers, _ = session_results(outcomes, 4, 4, RULES.stakes)
    assert ledgers.tolist() == [[-132, -132, 396, -132]]


def test_an_incomplete_session_is_no_session():
    ledgers, _ = session_results(OUTCOMES[:11], 4, 4, RULES.stakes)
    assert len(ledgers) == 2


def test_tied_leaders_share_the_lead():
    ledgers = np.array([[5, 5, -10, 0], [3, -1, -1, -1], [0, 0, 0, 0]])
    rows = group_sessions(ledgers, np.zeros_like(ledgers), first_session=10)
    leads = {(row["player"], row["first_session"]): row["leaders"] for row in rows}
    assert [leads[player, 10] for player in range(4)] == [2, 2, 0, 0]
    assert [leads[player, 11] for player in range(4)] == [1, 0, 0, 0]
    assert [leads[player, 12] for player in range(4)] == [4, 4, 4, 4]
    assert rows.dtype == SESSIONS.dtype


def test_wins_of_long_sessions_are_counted_and_what_does_not_fit_is_refused():
    wins = np.array([[180, 0, 0, 0]])  # a pack dealt again in as many seatings, and won in each
    rows = group_sessions(np.zeros_like(wins), wins, first_session=0)
    assert sorted(rows["wins"].tolist()) == [0, 0, 0, 180]
    with pytest.raises(OverflowError, match="does not fit int16"):
        group_sessions(np.zeros_like(wins), np.array([[40_000, 0, 0, 0]]), first_session=0)


def test_what_became_of_a_hand_is_added_up_by_hand():
    hands = OPENING_HANDS.reshape(-1, 4)
    rows = group_openings(hands[:500], OUTCOMES[:500], CONTINENTAL.openings, RULES.stakes)
    found = {}
    for deal, outcome in zip(hands[:500], OUTCOMES[:500], strict=True):
        for hand in deal:
            won = hand["seat"] == outcome["seat"]
            turns = -(-int(outcome["turns"]) // 4) if won else 0
            points = int(outcome["payment"]) * (3 if won else -1)
            sums = np.array([1, won, turns, turns**2, points, points**2], int)
            key = tuple(int(hand[name]) for name in CONTINENTAL.openings.keys)
            found[key] = found.get(key, 0) + sums
    got = {tuple(row[list(CONTINENTAL.openings.keys)]): row for row in rows}
    assert set(got) == set(found)
    for key, sums in found.items():
        assert [
            int(got[key][name]) for name in ("count", *CONTINENTAL.openings.sums)
        ] == sums.tolist()
    assert rows["wins"].sum() == (OUTCOMES["end"][:500] == 0).sum()
    assert rows["points"].sum() == 0


@pytest.mark.parametrize("block", [4, 28, 1000, 6000])
def test_block_size_changes_no_cube(block):
    openings = OPENING_HANDS.reshape(-1, 4)
    parts = [
        StudyCubes.of_block(
            RULES,
            Block(
                OUTCOMES[begin : begin + block],
                openings[begin : begin + block],
                *fake_sums(RULES, OUTCOMES[begin : begin + block]),
            ),
        )
        for begin in range(0, 6000, block)
    ]
    merged, whole = StudyCubes.merge(parts[::-1]), fake_cubes(RULES, OUTCOMES)
    for name in ("cube", "sessions", "duels", "openings"):
        assert np.array_equal(getattr(merged, name), getattr(whole, name)), name
    assert merged.behaviour[0, 0] == 6000
