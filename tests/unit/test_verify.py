"""The simulation against exact numbers: all is well, and what is made wrong is seen."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from continental_sim.engine import dealt_packs
from continental_sim.errors import ContsimError
from continental_sim.exact.expected import ContinentalExpected
from continental_sim.exact.odds import hand_odds
from continental_sim.exact.tally import Row, Tally
from continental_sim.exact.verify import faults, shuffle_rows, verify
from tests.tabletop import DEFAULT, rules_with

DEALS = 60_000


@pytest.fixture(scope="module")
def odds():
    return hand_odds(DEFAULT)


@pytest.fixture(scope="module")
def rows(odds):
    return verify(DEFAULT, DEALS, 5, ContinentalExpected(odds))


def names(rows):
    return {row.name for row in rows}


def test_play_agrees_with_what_is_counted(rows):
    assert not faults(rows)
    assert max(abs(row.z) for row in rows) < 4
    assert names(rows) >= {
        "dealt hands of distance 0", "dealt hands of distance 5", "deuces dealt",
        "exits of seat 0 in its first turn", "faces by place in the pack",
        "cards followed by their suit", "cards at the place of the deal before",
    }  # fmt: skip


@pytest.mark.parametrize(
    "settings",
    [
        ("ace=wrap",),
        ("packs=1", "seats=3"),
        ("wild_ranks=none",),
        ("packs=1", "seats=3", "max_wilds_per_run=1"),
    ],
)
def test_other_rules_agree_as_well(settings):
    rows = verify(rules_with(*settings), 20_000, 6)
    assert len(rows) > 8
    assert not faults(rows)


def test_a_wrong_verdict_is_seen(odds):
    # Hands are judged as if an ace were low alone.
    wrong = replace(odds, rules=rules_with("ace=low"))
    found = names(faults(verify(wrong.rules, DEALS, 5, ContinentalExpected(odds))))
    assert "dealt hands of distance 3" in found
    assert not found & {"deuces dealt", "faces by place in the pack"}


def test_a_wrong_payment_is_seen():
    # Many exits make the payments visible in few deals.
    many = rules_with("jokers=40", "min_naturals_per_run=0")
    odds = hand_odds(many)
    assert not faults(verify(many, 5_000, 5, ContinentalExpected(odds)))
    dear = replace(many, pay_joker=3)
    assert names(faults(verify(dear, 5_000, 5, ContinentalExpected(odds)))) == {
        "payments of dealt exits of seat 0"
    }


def swapped_with_any(packs, dice):
    """The classic fault of a shuffle."""
    packs = np.sort(packs, axis=1)
    for place in range(packs.shape[1]):
        other = dice.integers(packs.shape[1], size=len(packs))
        rows = np.arange(len(packs))
        packs[rows, place], packs[rows, other] = packs[rows, other], packs[rows, place].copy()
    return packs


def cut_once(packs, dice):
    """Each pack is the sorted one, cut somewhere: every card is anywhere equally often."""
    whole = np.sort(packs[0])
    return np.array([np.roll(whole, place) for place in dice.integers(len(whole), size=len(packs))])


def repeated(packs, _):
    """Each pack is dealt twice."""
    return packs[np.arange(len(packs)) // 2]


@pytest.mark.parametrize(
    ("shuffle", "found"),
    [
        (swapped_with_any, "faces by place in the pack"),
        (cut_once, "cards followed by their suit"),
        (repeated, "cards at the place of the deal before"),
    ],
)
def test_a_wrong_shuffle_is_seen(shuffle, found):
    packs = dealt_packs(DEFAULT, 7, 20_000)
    assert not faults(list(shuffle_rows(DEFAULT, packs)))
    wrong = shuffle(packs.copy(), np.random.default_rng(8))
    assert found in names(faults(list(shuffle_rows(DEFAULT, wrong))))


def test_dealt_packs_hold_every_card():
    packs = dealt_packs(DEFAULT, 7, 10)
    for pack in packs:
        assert Counter(pack.tolist()) == {face: DEFAULT.copies(face) for face in range(53)}


def test_of_many_rows_some_are_far_off_by_chance():
    rows = [Row("one", 0, 0, 4.2), *(Row("other", 0, 0, 0.5) for _ in range(99))]
    assert faults(rows[:1]) == rows[:1]
    assert not faults(rows)
    assert faults([Row("one", 0, 0, 5.5), *rows[1:]])


def test_what_should_not_be_is_seen_even_if_it_was_not_expected():
    tally = Tally()
    tally.add("impossible", 0.0, np.ones(30))
    tally.add("rare", 1e-3, np.zeros(1000))  # too few to tell
    (row,) = tally.rows()
    assert row.name == "impossible"
    assert faults([row])


def test_rare_events_are_judged_as_such():
    tally = Tally()
    tally.add("few", 0.001, np.repeat([0, 1], [24_991, 9]))  # 25 expected: a chance of 2e-4
    (row,) = tally.rows()
    assert -4 < row.z < -3.5


def test_too_few_deals_are_refused(odds):
    with pytest.raises(ContsimError, match=r"^deals = 999 are too few to judge by: play 1,000 or"):
        verify(DEFAULT, 999, 1, ContinentalExpected(odds))


def test_an_empty_stock_is_not_drawn_from():
    rows = verify(rules_with("seats=7"), 5000, 1)
    assert "exits of seat 0 in its first turn" not in names(rows)
    assert not faults(rows)
