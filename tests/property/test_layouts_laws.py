"""Laws that layouts obey, on hands of the kind that goes wrong."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continental_sim.cards import RANKS, hand_counts
from continental_sim.layouts import (
    exit_payment,
    find_layout,
    judge_layout,
    layout_payment,
    patterns_of,
    payment,
)
from continental_sim.rules import ContinentalRules, with_settings
from tests.oracle import biased_hand

DEFAULT = ContinentalRules()
VARIANTS = {
    "default": [],
    "circle": ["ace=wrap"],
    "low": ["ace=low"],
    "high, no deuces": ["ace=high", "deuces_wild=false"],
    "one wild a run": ["max_wilds_per_run=1"],
    "two naturals a run": ["min_naturals_per_run=2"],
    "two naturals, no deuce among them": ["min_naturals_per_run=2", "natural_two_counts=false"],
    "no natural needed, many jokers": ["min_naturals_per_run=0", "jokers=12"],
    "many wild ranks": ["wild_ranks=A,2,K", "ace=wrap", "max_wilds_per_run=2"],
    "other patterns": ["patterns=5+5+5,6+5+4,7+6+2,8+7"],
    "one suit by the cards": ["one_suit=physical"],
    "four packs": ["packs=4", "jokers=4", "min_naturals_per_run=2"],
    "groups": ["melds=groups"],
    "groups, three packs": ["melds=groups", "packs=3", "jokers=3", "natural_two_counts=false"],
    "groups, few wilds": ["melds=groups", "max_wilds_per_run=1", "wild_ranks=2,K"],
    "groups, one suit by the cards": ["melds=groups", "one_suit=physical", "wild_ranks=2,3"],
}

seeds = st.integers(0, 2**32 - 1)
every_rule = pytest.mark.parametrize("changes", VARIANTS.values(), ids=VARIANTS.keys())


def examples(count):
    return settings(max_examples=count, deadline=None, derandomize=True, database=None)


def natural_suits(rules, faces):
    return {face // 13 for face in faces if not rules.is_wild(face)}


@every_rule
@examples(25)
@given(seed=seeds)
def test_a_layout_that_is_found_is_legal_and_lays_the_hand(changes, seed):
    rules = with_settings(DEFAULT, changes)
    counts = hand_counts(biased_hand(rules, Random(seed)))
    layout = find_layout(rules, counts)
    patterns = patterns_of(rules, counts)
    if layout is None:
        assert patterns == []
        return
    verdict = judge_layout(rules, str(layout), counts)
    assert verdict.reason is None
    assert verdict.layout == layout
    assert (hand_counts(layout.cards) == counts).all()
    assert layout.pattern in patterns
    for pattern in rules.patterns:
        other = find_layout(rules, counts, pattern)
        assert (other is not None) == (pattern in patterns)
        if other is not None:
            assert other.pattern == pattern
            assert layout_payment(rules, other) <= layout_payment(rules, layout)


@every_rule
@examples(8)
@given(seed=seeds, order=st.sampled_from(list(permutations(range(4)))))
def test_relabelled_suits_change_nothing(changes, seed, order):
    rules = with_settings(DEFAULT, changes)
    faces = biased_hand(rules, Random(seed))
    relabelled = [face if face == 52 else order[face // 13] * 13 + face % 13 for face in faces]
    one, other = hand_counts(faces), hand_counts(relabelled)
    assert patterns_of(rules, one) == patterns_of(rules, other)
    if find_layout(rules, one) is not None:
        assert payment(rules, one) == payment(rules, other)


@examples(60)
@given(seed=seeds)
def test_a_wild_in_place_of_a_natural_never_spoils_a_hand(seed):
    dice = Random(seed)
    faces = biased_hand(DEFAULT, dice)
    naturals = [face for face in faces if not DEFAULT.is_wild(face)]
    spare = [face for face in range(53) if DEFAULT.is_wild(face) and faces.count(face) < 2]
    if not naturals or not spare:
        return
    changed = list(faces)
    changed[faces.index(dice.choice(naturals))] = dice.choice(spare)
    before = patterns_of(DEFAULT, hand_counts(faces))
    assert set(before) <= set(patterns_of(DEFAULT, hand_counts(changed)))


@examples(60)
@given(seed=seeds)
def test_the_natural_requirement_changes_no_hand_by_default(seed):
    counts = hand_counts(biased_hand(DEFAULT, Random(seed)))
    expected = patterns_of(DEFAULT, counts)
    for change in ("min_naturals_per_run=0", "natural_two_counts=false"):
        rules = with_settings(DEFAULT, [change])
        assert patterns_of(rules, counts) == expected
        if expected:
            assert payment(rules, counts) == payment(DEFAULT, counts)


@examples(60)
@given(seed=seeds)
def test_by_default_a_payment_depends_on_counts_alone(seed):
    faces = biased_hand(DEFAULT, Random(seed))
    counts = hand_counts(faces)
    if find_layout(DEFAULT, counts) is None:
        return
    deuces = sum(face % 13 == 1 for face in faces if face < 52)
    one_suit = len(natural_suits(DEFAULT, faces)) == 1
    for timing in ("later", "first_turn", "dealt"):
        expected = exit_payment(DEFAULT, deuces, faces.count(52), one_suit=one_suit, timing=timing)
        assert payment(DEFAULT, counts, timing) == expected


@examples(60)
@given(seed=seeds)
def test_groups_lie_in_one_suit_if_their_naturals_do(seed):
    dice = Random(seed)
    for change in ("packs=2", "packs=3", "max_wilds_per_run=2", "wild_ranks=2,3,4"):
        rules = with_settings(DEFAULT, ["melds=groups", change])
        faces = biased_hand(rules, dice)
        layout = find_layout(rules, hand_counts(faces))
        if layout is not None:
            assert layout.in_one_suit(rules) == (len(natural_suits(rules, faces)) == 1)


@examples(40)
@given(seed=seeds, order=st.permutations(range(13)))
def test_relabelled_ranks_change_nothing_for_groups(seed, order):
    rules = with_settings(DEFAULT, ["melds=groups", "max_wilds_per_run=2", "wild_ranks=2,K"])
    wild = [order.index(rank) for rank in (1, 12)]
    relabelled = with_settings(rules, [f"wild_ranks={RANKS[wild[0]]},{RANKS[wild[1]]}"])
    faces = biased_hand(rules, Random(seed))
    others = [face if face == 52 else face // 13 * 13 + order.index(face % 13) for face in faces]
    one, other = hand_counts(faces), hand_counts(others)
    assert patterns_of(rules, one) == patterns_of(relabelled, other)
    if find_layout(rules, one) is not None:
        assert payment(rules, one) == payment(relabelled, other)


def partitions(total, most):
    """List the ways to write a total as lengths from 3 to `most`, longest first."""
    if total == 0:
        return [()]
    return [
        (length, *rest)
        for length in range(min(total, most), 2, -1)
        for rest in partitions(total - length, length)
    ]


def test_the_patterns_are_all_partitions_into_3_4_and_5_but_one():
    assert set(partitions(15, 5)) == {*DEFAULT.pattern_lengths, (5, 5, 5)}


@examples(60)
@given(seed=seeds)
def test_longer_runs_can_be_cut(seed):
    # A hand that lies as runs of any length can go out, unless it lies as 5+5+5 alone.
    counts = hand_counts(biased_hand(DEFAULT, Random(seed)))
    goes_out = find_layout(DEFAULT, counts) is not None
    for lengths in partitions(15, 12):
        if lengths != (5, 5, 5):
            pattern = "+".join(map(str, lengths))
            rules = with_settings(DEFAULT, [f"patterns={pattern}"])
            assert goes_out or patterns_of(rules, counts) == []
