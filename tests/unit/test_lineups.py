"""Which line-ups settle which strategy is better."""

from collections import Counter

import pytest

from continental_sim.comparing import lineups
from continental_sim.comparing.lineups import lineups_of
from continental_sim.errors import ContsimError


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
