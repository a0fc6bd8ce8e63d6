"""Exact odds of Basic Rummy, against all hands of five cards and against a plain search."""

import math
from functools import cache
from itertools import combinations

import numba
import numpy as np
import pytest

from continental_sim.cards import parse_hand
from continental_sim.exact import rummy_odds as counting
from continental_sim.exact.rummy_odds import hands_without_meld, melds, rummy_odds, whole_hands
from continental_sim.exact.verify import faults, verify
from continental_sim.game_tables import game_tables
from continental_sim.kernels.laying import card_of, cards_in, most_laid
from continental_sim.kernels.memory import bits_set
from continental_sim.rules import BasicRummyRules

LOW, BOTH = BasicRummyRules(), BasicRummyRules(ace="both")


@numba.njit
def tally_of_hands(rules, size):
    """Count all hands of so many cards by how many of them melds hold, by the engine's search."""
    tally = np.zeros(size + 1, np.int64)
    chosen = np.arange(size)
    zero = np.int64(0)
    while True:
        cards = zero
        for face in chosen:
            cards |= card_of(np.int64(face))
        in_sets, in_runs, _ = most_laid(rules, cards, zero, zero, False)
        tally[bits_set(in_sets | cards_in(in_runs))] += 1
        place = size - 1
        while place >= 0 and chosen[place] == 52 - size + place:
            place -= 1
        if place < 0:
            return tally
        chosen[place] += 1
        for after in range(place + 1, size):
            chosen[after] = chosen[after - 1] + 1


@pytest.mark.parametrize("rules", [LOW, BOTH], ids=["low", "both"])
@pytest.mark.parametrize("size", [3, 4, 5, pytest.param(7, marks=pytest.mark.full)])
def test_all_hands_tried_one_by_one_give_the_same_counts(rules, size):
    tally = tally_of_hands(game_tables(rules).record, size)
    assert tally.sum() == math.comb(52, size)
    assert tally[size] == len(whole_hands(rules, size))
    assert tally[0] == hands_without_meld(rules, size)


def test_few_cards_are_counted_by_hand():
    assert len(whole_hands(LOW, 3)) == 13 * 4 + 4 * 11
    assert len(whole_hands(BOTH, 3)) == 13 * 4 + 4 * 12
    assert len(whole_hands(LOW, 4)) == 13 + 4 * 10
    assert len(whole_hands(BOTH, 5)) == 4 * 10
    assert hands_without_meld(LOW, 2) == math.comb(52, 2)
    assert hands_without_meld(LOW, 3) == math.comb(52, 3) - len(whole_hands(LOW, 3))


@cache
def is_whole(cards, ace):
    """Tell whether cards are melds, by taking the lowest card's melds away, one after the other."""
    if not cards:
        return True
    first = min(cards)
    suit, rank = divmod(first, 13)
    same = [card for card in cards if card % 13 == rank]
    options = [set(some) for size in (3, 4) for some in combinations(same, size) if first in some]
    ladder = [*range(13), *([0] if ace == "both" else [])]
    for length in range(3, 14):
        for begin in range(len(ladder) - length + 1):
            run = {suit * 13 + place for place in ladder[begin : begin + length]}
            if first in run and len(run) == length:
                options.append(run)
    return any(is_whole(cards - meld, ace) for meld in options if meld <= cards)


def mask_of(cards):
    return sum(1 << card for card in cards)


@pytest.mark.parametrize("rules", [LOW, BOTH], ids=["low", "both"])
def test_a_plain_search_agrees_on_hands_of_ten_cards(rules):
    rng = np.random.default_rng(5)
    known = set(whole_hands(rules, 10).tolist())
    some = [mask for mask, size in melds(rules) if size < 5]
    found = {True: 0, False: 0}
    for _ in range(3000):
        # Melds picked at random, cut or filled up to ten cards: many hands are whole, or nearly.
        cards = {face for meld in rng.choice(some, 3) for face in range(52) if meld >> face & 1}
        others = [face for face in range(52) if face not in cards]
        cards = frozenset([*rng.permutation(sorted(cards)), *rng.permutation(others)][:10])
        whole = is_whole(cards, rules.ace)
        assert (mask_of(map(int, cards)) in known) == whole, sorted(cards)
        found[whole] += 1
    assert min(found.values()) > 100


@pytest.mark.parametrize(
    ("hand", "ace", "whole"),
    [
        ("AC 2C 3C QC KC 7D 7H", "both", False),
        ("AC QC KC 7D 7H 7S", "both", True),
        ("AC QC KC 7D 7H 7S", "low", False),
        ("7C 7D 7H 8H 9H", "low", False),
        ("7C 7D 7H 7S 8H 9H TH", "low", True),
    ],
)
def test_the_ace_and_cards_of_two_melds(hand, ace, whole):
    cards = parse_hand(hand)
    rules = BasicRummyRules(ace=ace)
    assert (mask_of(cards) in set(whole_hands(rules, len(cards)).tolist())) == whole
    assert is_whole(frozenset(cards), ace) == whole


def test_the_last_card_may_have_to_be_thrown():
    free = rummy_odds(BasicRummyRules(dealt=8)).first_turn
    bound = rummy_odds(BasicRummyRules(dealt=8, must_discard_to_go_out=True)).first_turn
    eight = set(whole_hands(LOW, 8).tolist())
    only_whole = [
        mask
        for mask in whole_hands(LOW, 9).tolist()
        if not any(mask >> face & 1 and mask ^ 1 << face in eight for face in range(52))
    ]
    assert free.count - bound.count == len(only_whole) > 0
    assert free.total == bound.total == math.comb(52, 9)
    assert rummy_odds(BasicRummyRules(one_meld_per_turn=True)).first_turn is None


def test_hands_that_are_too_many_are_not_listed(monkeypatch):
    monkeypatch.setattr(counting, "MOST_TRIED", 300_000)
    whole_hands.cache_clear()
    odds = rummy_odds(BasicRummyRules(seats=2, dealt=20))
    assert odds.whole is None
    assert odds.first_turn is None
    assert 0 <= odds.no_meld.p < 1
    whole_hands.cache_clear()


def test_play_agrees_with_what_is_counted():
    rows = verify(LOW, 100_000, 3)
    assert not faults(rows)
    assert "dealt hands without a meld" in {row.name for row in rows}


def test_play_that_is_counted_wrongly_is_a_fault(monkeypatch):
    real = counting.hands_without_meld
    monkeypatch.setattr(counting, "hands_without_meld", lambda *given: real(*given) * 101 // 100)
    wrong = faults(verify(LOW, 20_000, 3))
    assert [row.name for row in wrong] == ["dealt hands without a meld"]
