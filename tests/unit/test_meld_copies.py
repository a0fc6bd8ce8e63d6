"""Suits of three copies and more: the automaton, and what it is built from."""

from dataclasses import replace

import numpy as np
import pytest

from continental_sim.cards import hand_counts
from continental_sim.hands import distance, looked_up
from continental_sim.kernels import meld_copies
from continental_sim.kernels.meld_copies import all_suits, automaton
from continental_sim.kernels.meld_rows import (
    all_vectors,
    cards_held,
    most_wild_cards,
    most_wilds_laid,
    planes_of,
    selection_joins,
)
from continental_sim.kernels.meld_rules import BANKS, meld_rules
from continental_sim.kernels.numbering import Numbers
from continental_sim.tables import load_melds
from tests import oracle
from tests.tabletop import DEFAULT, rules_with

SMALL = ("hand_size=7", "patterns=4+3,3+2+2")


def walked(steps, base, vector):
    """Follow an automaton."""
    state = 0
    for held in vector:
        state = int(steps[state * base + held])
    return state


def judged_alike(rules):
    """With two copies both ways can be gone: whole suits, and halves put together."""
    melds = meld_rules(rules)
    whole, halves = all_vectors(melds, planes_of(melds)), all_suits(melds)
    met = cards_held(melds, melds.digits) <= rules.hand_size + 2
    of_whole, of_halves = whole.row_of[met], halves.row_of[halves.ends[met]]
    assert (halves.rows[:, of_halves] == whole.rows[:, of_whole]).all()
    assert (halves.laid[halves.ends[met]] == whole.laid[met]).all()
    return melds, whole


@pytest.mark.parametrize(
    "changes", [SMALL, (*SMALL, "ace=wrap"), (*SMALL, "wild_ranks=A,7,8", "ace=low")], ids=", ".join
)
def test_halves_put_together_say_what_is_said_of_whole_suits(changes):
    judged_alike(rules_with(*changes))


def test_the_default_rules_are_judged_the_same_in_halves():
    melds, whole = judged_alike(DEFAULT)
    joins = selection_joins(melds)
    assert most_wild_cards(melds, most_wilds_laid(melds, whole.laid), joins) == most_wild_cards(
        melds, [meld_copies.most_wilds_in_suit(melds)] * BANKS, joins
    )


def test_the_automaton_ends_where_the_vector_does():
    melds = replace(meld_rules(rules_with(*SMALL)), copies=3)
    held = all_suits(melds)
    kinds = held.row_of.astype(np.uint16)
    steps = automaton(held.layers, kinds)
    dice = np.random.default_rng(7)
    for vector in dice.integers(0, 4, (300, len(melds.digits))):
        state = 0
        for layer, count in zip(held.layers, vector, strict=True):
            state = layer[state, count]
        assert walked(steps, 4, vector) == kinds[state]


def test_the_automaton_is_minimal():
    layers = [np.array([[0, 1]]), np.array([[0, 1], [2, 3]])]
    assert automaton(layers, np.array([5, 6, 5, 6])).tolist() == [1, 1, 5, 6]
    assert automaton(layers, np.array([5, 6, 7, 6])).tolist() == [1, 2, 5, 6, 7, 6]
    assert automaton([], np.array([5, 6])).size == 0


def test_numbers_are_given_in_order_however_many_there_are():
    numbers = Numbers()
    keys = np.random.default_rng(8).integers(1, 2**63, 30_000, dtype=np.uint64)
    for part in (keys[:20_000], keys[10_000:], keys):
        got, new = numbers.of(part)
        assert (got == np.flatnonzero(np.isin(keys, part))).all()
        assert (keys[got] == part).all()
    assert len(new) == 0


def test_a_third_copy_counts():
    rules = rules_with("packs=3", "jokers=3")
    three_runs = hand_counts([*range(2, 5)] * 3 + [20, 21, 22, 33, 34, 35])
    assert distance(rules, three_runs) == 0
    with looked_up(rules, three_runs) as hand:
        assert hand._seat.beyond.tolist() == [3, 0, 0, 0]
        assert hand.distance_with(2, -1) == 1


@pytest.mark.parametrize("wild", ["A,2,3,4,5,6,7,8,9,T,J,Q", "A,2,3,4,5,6,7,8,9,T,J,Q,K"])
def test_suits_of_one_rank_or_none(wild):
    rules = rules_with("packs=3", "seats=3", *SMALL, f"wild_ranks={wild}")
    assert distance(rules, hand_counts([1, 14, 27, 40, 2, 15, 28])) == 0
    assert distance(rules, hand_counts([12, 12, 12, 25, 25, 25, 38])) == (0 if "K" in wild else 4)


@pytest.mark.full
def test_four_packs_without_wild_ranks_have_tables():
    # Bicycle's own text for 9 to 12 players: jokers alone are wild.
    rules = rules_with("packs=4", "jokers=4", "seats=9", "deuces_wild=false")
    melds = load_melds(rules)
    assert sum(array.nbytes for array in melds.arrays().values()) < 60e6
    counts = hand_counts([7] * 4 + [8] * 4 + [9] * 4 + [52] * 3)
    assert distance(rules, counts) == oracle.distance(rules, counts)


@pytest.mark.parametrize("change", ["min_naturals_per_run=2", "max_wilds_per_run=1"])
def test_groups_of_many_packs_have_room_for_limits(change):
    assert load_melds(rules_with("packs=3", change)).searched
    assert not load_melds(rules_with("packs=3", "melds=groups", change)).searched
