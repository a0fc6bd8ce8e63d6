"""Balanced seatings."""

from collections import Counter

import pytest

from continental_sim.seating import balanced_seatings, seatings_of


def meetings(seatings):
    """Count how often one sits right behind another, that is, plays after it."""
    return Counter(
        (seating[seat], seating[seat - 1]) for seating in seatings for seat in range(len(seating))
    )


@pytest.mark.parametrize("players", range(2, 13))
def test_everybody_sits_everywhere_and_behind_everybody_equally_often(players):
    seatings = balanced_seatings(players)
    assert all(sorted(seating) == list(range(players)) for seating in seatings)
    seats = Counter((seat, who) for seating in seatings for seat, who in enumerate(seating))
    assert len(seats) == players**2
    assert len(set(seats.values())) == 1
    behind = meetings(seatings)
    assert len(behind) == players * (players - 1)
    assert len(set(behind.values())) == 1


def test_four_players_need_all_seatings():
    assert sorted(map(len, map(set, [balanced_seatings(4)]))) == [24]
    assert [len(balanced_seatings(players)) for players in (2, 3, 4, 5, 6, 7)] == [
        4, 6, 24, 20, 60, 42
    ]  # fmt: skip


@pytest.mark.parametrize("lineup", ["AABB", "AAAB", "AABC", "ABCD", "AAAA", "AAABB", "AABBCC"])
def test_alike_seatings_of_a_lineup_are_one(lineup):
    seatings = [tuple(lineup[player] for player in each) for each in seatings_of(lineup)]
    assert all(sorted(seating) == sorted(lineup) for seating in seatings)
    for strategy in set(lineup):
        seats = Counter(
            seat for seating in seatings for seat, who in enumerate(seating) if who == strategy
        )
        assert len(seats) == len(lineup)
        assert len(set(seats.values())) == 1
    # Of two strategies, each as often behind the other as its numbers say.
    behind, number = meetings(seatings), Counter(lineup)
    shares = {
        pair: times / (number[pair[0]] * (number[pair[1]] - (pair[0] == pair[1])))
        for pair, times in behind.items()
    }
    assert max(shares.values()) == pytest.approx(min(shares.values()))


def test_two_and_two_sit_in_six_ways():
    assert len(seatings_of("AABB")) == 6
    assert len(seatings_of("AAAB")) == 4
    assert len(seatings_of("AAAA")) == 1
    assert len(seatings_of("AB")) == 2
