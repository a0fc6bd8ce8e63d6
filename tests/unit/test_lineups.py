"""Which line-ups settle which strategy is better."""

from collections import Counter

import pytest

from continental_sim.comparing import lineups
from continental_sim.comparing.lineups import lineups_of
from continental_sim.errors import ContsimError
from continental_sim.strategy import find_strategy


def found(strategies, seats=4, *, field=None, every=False):
    return lineups_of(strategies, seats, field=field, every=every)


def test_strategies_that_share_the_seats_evenly_sit_at_one_table():
    assert found("ABCD") == [("A", "B", "C", "D")]
    assert found("AB") == [("A", "B", "A", "B")]
    assert found("ABC", 3) == [("A", "B", "C")]


@pytest.mark.parametrize(("strategies", "seats"), [("ABC", 4), ("ABCDE", 4), ("AB", 5), ("ABC", 5)])
def test_others_meet_two_at_a_time_each_as_often(strategies, seats):
    tables = found(strategies, seats)
    assert all(len(set(table)) == 2 and len(table) == seats for table in tables)
    met = Counter(frozenset(table) for table in tables)
    assert len(met) == len(strategies) * (len(strategies) - 1) // 2
    assert len(set(met.values())) == 1
    players = Counter(player for table in tables for player in table)
    assert len(set(players.values())) == 1


def test_each_strategy_sits_alone_in_a_field():
    assert found("AB", field="F") == [("A", "F", "F", "F"), ("B", "F", "F", "F")]
    assert found("A", 3, field="F") == [("A", "F", "F")]


def test_all_tables_but_those_where_all_play_alike():
    tables = found("ABC", every=True)
    assert len(tables) == len(set(tables)) == 12  # 15 multisets of four, and three of one alone
    assert all(len(set(table)) > 1 for table in tables)


@pytest.mark.parametrize(
    ("strategies", "options", "words"),
    [
        ("A", {}, "1 strategy is too few"),
        ("ABA", {}, "strategy A is named twice"),
        ("AB", {"field": "B"}, "strategy B is the field itself"),
        ("ABCDEFGHIJ", {"every": True}, "705 line-ups, and 500 can be played"),
    ],
)
def test_what_cannot_be_compared_is_refused(strategies, options, words):
    with pytest.raises(ContsimError, match=words):
        found(list(strategies), **options)
    assert lineups.MOST_LINEUPS == 500


KNOBBED = """
from continental_sim.api import first_held

SLACK = 0  # points


def take_discard(view):
    return False


def choose_discard(view):
    return first_held(view)
"""


@pytest.mark.parametrize(
    "pair",
    [
        ("mine", "./strategies/mine.py"),
        ("strategies/mine.py", "./strategies/mine.py"),
        ("mine", "mine:SLACK=0"),
        ("mine:SLACK=5", "strategies/mine.py:SLACK=5"),
    ],
)
def test_one_strategy_in_two_spellings_is_refused(pair, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "strategies").mkdir()
    for name in ("mine", "copy"):
        (tmp_path / "strategies" / f"{name}.py").write_text(KNOBBED, encoding="utf-8")
    one, other = pair
    with pytest.raises(ContsimError, match=f"^{one} and {other} are one strategy: "):
        lineups.refuse_alike([find_strategy(spec) for spec in pair])
    others = ("mine", "mine:SLACK=5", "copy")
    lineups.refuse_alike([find_strategy(spec) for spec in others])


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("neighbours:", "sets no knob"),
        ("neighbours:WANTED=99999999999999999999", "whole number of 64 bits"),
    ],
)
def test_a_spec_with_a_bad_knob_is_refused(spec, words):
    with pytest.raises(ContsimError, match=words):
        find_strategy(spec)
