"""Hands of Basic Rummy: the best melds, beside all ways to part a hand tried one by one."""

from functools import cache
from itertools import combinations

import numpy as np
import pytest

from continental_sim.cards import hand_text, parse_hand
from continental_sim.kernels.laying import card_of
from continental_sim.rummy_hands import best_melds, check_hand, check_text, laid_together, points_of
from continental_sim.telling import telling
from tests.tabletop import RUMMY, rules_with, rummy_with

ACE_BOTH = rules_with("ace=both", base=RUMMY)


@cache
def all_melds(ace):
    """List every set and run, as sets of faces."""
    sets = [
        frozenset(13 * suit + rank for suit in suits)
        for rank in range(13)
        for size in (3, 4)
        for suits in combinations(range(4), size)
    ]
    runs = [
        frozenset(13 * suit + place % 13 for place in range(first, first + length))
        for suit in range(4)
        for length in range(3, 14)
        for first in range((14 if ace == "both" else 13) - length + 1)
    ]
    return sets + runs


def least_left(rules, faces):
    """Try all ways to lay melds; return the points left of each."""

    def ways(left, fit):
        yield sum(rules.ace_points if face % 13 == 0 else min(face % 13 + 1, 10) for face in left)
        for number, meld in enumerate(fit):
            if meld <= left:
                yield from ways(left - meld, fit[number + 1 :])

    held = frozenset(faces)
    return min(ways(held, [meld for meld in all_melds(rules.ace) if meld <= held]))


@pytest.mark.parametrize("rules", [RUMMY, ACE_BOTH, rules_with("ace_points=15", base=ACE_BOTH)])
def test_no_other_melds_leave_fewer_points(rules):
    dice = np.random.default_rng(8)
    found_sets = found_runs = 0
    for _ in range(700):
        # Few ranks or few suits, so that melds are frequent and compete for cards.
        some = dice.permutation(13)[:5] if dice.random() < 0.5 else np.arange(13)
        suits = 4 if len(some) < 13 else 2
        pool = [13 * suit + rank for suit in range(suits) for rank in some]
        faces = dice.permutation(pool)[: dice.integers(3, 9)].tolist()
        found = best_melds(rules, faces)
        laid = [face for meld in found.melds for face in meld.faces]
        assert sorted([*laid, *found.left]) == sorted(faces)
        assert all(frozenset(meld.faces) in all_melds(rules.ace) for meld in found.melds)
        assert all(meld.new for meld in found.melds)
        assert found.deadwood == points_of(rules, found.left)
        if found.goes_out:
            assert len(found.left) < 2
        else:
            assert found.deadwood == least_left(rules, faces)
            assert all(least_left(rules, set(faces) - {face}) for face in faces)
        found_sets += sum(meld.kind == "set" for meld in found.melds)
        found_runs += sum(meld.kind == "run" for meld in found.melds)
    assert min(found_sets, found_runs) > 50


@pytest.mark.parametrize(
    ("changes", "hand", "melds", "left", "goes_out"),
    [
        ((), "5H 6H 7H 9C 9D KS QS", ["5H 6H 7H"], "9C 9D QS KS", False),
        ((), "AC AD AH 2C 3C", ["AC 2C 3C"], "AD AH", False),
        ((), "QH KH AH", [], "AH QH KH", False),
        (("ace=both",), "QH KH AH", ["QH KH AH"], "", True),
        (("one_meld_per_turn=true",), "5H 6H 7H KC KD KS", ["KC KD KS"], "5H 6H 7H", False),
        (("must_discard_to_go_out=true",), "5H 6H 7H", ["5H 6H 7H"], "", False),
        (("must_discard_to_go_out=true",), "5H 6H 7H 8H", ["6H 7H 8H"], "5H", True),
        ((), "KS", [], "KS", True),
    ],
)
def test_hands_as_the_rules_have_it(changes, hand, melds, left, goes_out):
    found = best_melds(rules_with(*changes, base=RUMMY), parse_hand(hand))
    assert [hand_text(meld.faces) for meld in found.melds] == melds
    assert hand_text(found.left) == left
    assert found.goes_out == goes_out


def test_a_whole_hand_that_must_keep_a_card_cannot_go_out():
    verdict = check_hand(rules_with("must_discard_to_go_out=true", base=RUMMY), "5H 6H 7H")
    assert (verdict["valid"], verdict["whole"], verdict["deadwood"]) == (False, True, 0)
    assert check_text(verdict).startswith("cannot go out: all can be laid, and the last card must")


def test_lay_offs_are_told_from_melds():
    def mask(text):
        return sum(int(card_of(face)) for face in parse_hand(text))

    laid = list(laid_together(mask("9C 9D 9S KH"), mask("4H 8H 2S 3S 4S"), mask("5H 6H 7H")))
    assert [(each.kind, hand_text(each.faces), each.new) for each in laid] == [
        ("set", "9C 9D 9S", True),
        ("set", "KH", False),
        ("run", "4H", False),
        ("run", "8H", False),
        ("run", "2S 3S 4S", True),
    ]


@pytest.mark.parametrize("melds_first", [False, True])
def test_where_lay_offs_need_a_meld_three_in_a_row_are_one(melds_first):
    def mask(text):
        return sum(int(card_of(face)) for face in parse_hand(text))

    laid = laid_together(0, mask("8H 9H TH 4H"), mask("5H 6H 7H"), melds_first=melds_first)
    assert [(hand_text(each.faces), each.new) for each in laid] == [
        ("4H", False),
        ("8H 9H TH", melds_first),
    ]


def mask(text):
    """Return cards as `log_laid` has them."""
    return sum(int(card_of(face)) for face in parse_hand(text))


@pytest.mark.parametrize(
    ("settings", "first", "later"),
    [
        ([], "lays off 8H 9H TH", "lays off 8S 9S TS"),
        (["one_meld_per_turn=true"], "lays off 8H 9H TH", "lays off 8S 9S TS"),
        (["layoff_needs_meld=true"], "lays 8H 9H TH", "lays 8S 9S TS"),
        # In a turn of one meld the first must be that; once there is one, it would be lost.
        (
            ["layoff_needs_meld=true", "one_meld_per_turn=true"],
            "lays 8H 9H TH",
            "lays off 8S 9S TS",
        ),
    ],
)
def test_the_first_meld_is_told_as_one_where_lay_offs_need_it(settings, first, later):
    teller = telling(rummy_with("seats=2", *settings))
    assert teller.laid(0, mask("5H 6H 7H")) == ["lays 5H 6H 7H"]
    assert teller.laid(0, mask("8H 9H TH")) == [first]
    assert teller.laid(0, mask("5S 6S 7S")) == ["lays 5S 6S 7S"]
    told = teller.laid(mask("2C 2D 2H"), mask("8S 9S TS"))
    assert told == sorted(["lays 2C 2D 2H", later], key=lambda each: "off" in each)
