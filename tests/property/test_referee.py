"""Whole deals, watched card by card by a referee who shares no code with the engine."""

from collections import Counter
from random import Random

import numpy as np
import pytest

from continental_sim.engine import play_block
from tests.oracle import biased_hand, fits
from tests.referee import Referee, audit, counts, told
from tests.tabletop import play_deal, replayed, rules_with, study_of, table_of

FIVE = ("seats=5",)
SMALL = ("seats=3", "hand_size=5", "patterns=3+2", "packs=1")
# Rules, and who plays under them.
TABLES = {
    "default": ((), ["fastest", "stock", "neighbours", "random"]),
    "five seats": (FIVE, ["fastest", "stock", "neighbours", "random", "fastest"]),
    "many recycles": (("seats=6",), ["random", "stock", *["neighbours"] * 4]),
    "turned": (("seats=6", "recycle_order=turned"), ["random", "stock", *["neighbours"] * 4]),
    "block": (("seats=6", "recycles=0"), ["neighbours"] * 6),
    "one recycle": (("seats=6", "recycles=1"), ["random", "stock", *["neighbours"] * 4]),
    "seven seats": (("seats=7", "max_rounds=20"), ["pile.py", *["fastest", "neighbours"] * 3]),
    "capped": (("max_rounds=3",), ["random"] * 4),
    "no return": (("return_taken=forbid",), ["pile.py", "random", "fastest", "neighbours"]),
    "no wild taken": (
        ("wild_discard_takeable=false",),
        ["pile.py", "highest.py", "random", "fastest"],
    ),
    "ace wraps": (("ace=wrap", "stack_first_turn=true"), ["fastest"] * 4),
    "no wild ranks": (
        ("hand_size=9", "patterns=3+3+3,5+4", "packs=1", "deuces_wild=false", "one_suit=physical"),
        ["fastest"] * 4,
    ),
    "groups": (("melds=groups",), ["fastest", "neighbours", "fastest", "random"]),
    "three packs": (
        ("packs=3", "seats=6", "jokers=3", "max_rounds=60"),
        ["fastest", "neighbours", *["fastest"] * 3, "stock"],
    ),
    "three cards": (
        ("seats=6", "hand_size=3", "patterns=3", "packs=1", "recycles=2", "pay_deuce=4"),
        ["fastest", "random", "stock", "neighbours", "pile.py", "fastest"],
    ),
    "small": ((*SMALL, "one_suit=physical", "jokers=1"), ["random", "stock", "fastest"]),
}


def watch(name, deals, seed):
    """Audit the first deals of a seed; count how they ended."""
    changes, specs = TABLES[name]
    rules = rules_with(*changes)
    seen = Counter()
    with table_of(rules, specs, seed=seed, fixed_order=False) as table:
        for deal in range(deals):
            played = replayed(table, rules, deal)
            referee = audit(played, seed, fixed_order=False)
            seen[played.end] += 1
            seen["recycles"] += referee.recycles
            seen["taken"] += sum(referee.taken.values())
    return seen


@pytest.mark.parametrize("name", TABLES)
def test_deals_are_what_the_referee_says(name):
    seen = watch(name, 20, seed=51)
    if name in ("many recycles", "turned", "one recycle"):
        assert seen["recycles"] > 10
    if name in ("block", "one recycle", "seven seats"):
        assert seen["drawn"] > 0
    if name == "capped":
        assert seen["capped"] > 0
    if "pile.py" in TABLES[name][1]:
        assert seen["taken"] > 12


@pytest.mark.full
@pytest.mark.parametrize("name", TABLES)
def test_many_deals_are_what_the_referee_says(name):
    watch(name, 300, seed=52)


def test_a_player_who_sees_everything_and_stays_at_times_moves_legally():
    # Its every draw and discard hangs on the whole view, and it declines exits.
    for changes in ((), ("return_taken=forbid", "wild_discard_takeable=false", "recycles=1")):
        rules = rules_with(*changes, "max_rounds=40")
        for deal in range(4):
            audit(play_deal(rules, "watchful.py", deal, seed=3), 3, all_go_out=False)


@pytest.mark.parametrize("name", ["default", "many recycles", "capped", "no return"])
def test_the_sums_of_a_block_are_those_of_its_deals(name):
    changes, specs = TABLES[name]
    rules, deals, seed = rules_with(*changes), 12, 53
    block = play_block(study_of(rules, specs, deals, seed=seed), 0, deals)
    faces, behaviour = np.zeros((53, 2), int), np.zeros((rules.seats, 5), int)
    with table_of(rules, specs, seed=seed, fixed_order=False) as table:
        for deal in range(deals):
            played = replayed(table, rules, deal)
            assert played.outcome.tolist() == block.outcomes[deal].tolist()
            assert told(played)["deal"] == deal
            referee = Referee(rules, seed, deal)
            referee.watch(played.moves)
            for turn, (source, _, thrown) in enumerate(played.moves):
                player = played.seated[turn % rules.seats]
                faces[thrown, 1] += 1
                behaviour[player, 2] += source == 1
                behaviour[player, 3] += rules.is_wild(thrown)
            for turn in range(int(played.outcome["turns"])):
                behaviour[played.seated[turn % rules.seats], 1] += 1
            behaviour[:, 0] += 1
            if played.end == "exit":
                faces[:, 0] += counts(referee.hands[int(played.outcome["seat"])])
    np.testing.assert_array_equal(block.faces, faces)
    np.testing.assert_array_equal(block.behaviour, behaviour)


@pytest.mark.parametrize("melds", ["runs", "groups"])
def test_the_referee_sees_each_hand_that_can_go_out(melds):
    # He counts the melds that a hand needs before he looks for a layout.
    rules = rules_with("packs=3", "seats=5", f"melds={melds}")
    referee, dice, seen = Referee(rules, 55, 0), Random(55), set()
    for _ in range(60):
        hand = biased_hand(rules, dice)
        referee.hands[0] = hand
        assert set(referee.goes_out(0)) == fits(rules, counts(hand))
        seen.add(bool(referee.goes_out(0)))
    assert seen == {True, False}


def test_openings_are_the_dealt_hands():
    rules = rules_with("seats=3")
    block = play_block(study_of(rules, "stock", 9, seed=54), 0, 9)
    assert block.openings.shape == (9, 3)
    for deal in range(9):
        referee = Referee(rules, 54, deal)
        for seat, hand in enumerate(referee.hands):
            opening = block.openings[deal, seat]
            assert (opening.deal, opening.seat) == (deal, seat)
            assert opening.deuces == sum(face % 13 == 1 and face != 52 for face in hand)
            assert opening.jokers == hand.count(52)
            assert (opening.distance == 0) == bool(referee.goes_out(seat))
