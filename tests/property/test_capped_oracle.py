"""The tables where wilds or naturals of a run are watched, against the solver and brute force."""

from random import Random

import numpy as np
import pytest

from continental_sim.cards import hand_counts, hand_faces, hand_text
from continental_sim.columns import EXIT, KINDS, LATER
from continental_sim.engine import play_block, table_for
from continental_sim.hands import check_hand, looked_up
from continental_sim.kernels import choices, continental
from continental_sim.layouts import find_layout, patterns_of, payment
from continental_sim.players import load_player
from continental_sim.strategy import find_strategy
from continental_sim.study import make_study
from tests import oracle
from tests.tabletop import rules_with

SMALL = ("seats=3", "hand_size=5", "patterns=3+2")
WIDE = ("seats=3", "hand_size=7")
SMALL_RULES = [
    (*SMALL, "max_wilds_per_run=1"),
    (*SMALL, "min_naturals_per_run=2", "wild_ranks=2,3"),
    (*SMALL, "max_wilds_per_run=0"),
    (*SMALL, "min_naturals_per_run=0", "jokers=4"),
    (*SMALL, "natural_two_counts=false", "max_wilds_per_run=1"),
    ("seats=3", "hand_size=5", "patterns=5,3+2", "ace=wrap", "packs=1", "max_wilds_per_run=1"),
    ("seats=3", "hand_size=5", "patterns=3+2,5", "jokers=30"),
    ("seats=3", "hand_size=5", "patterns=3+2,5", "jokers=30", "natural_two_counts=false"),
    ("seats=2", "hand_size=6", "patterns=2+2+2", "max_wilds_per_run=1"),
    (*WIDE, "patterns=4+3", "min_naturals_per_run=2"),
    (*WIDE, "patterns=4+3,7", "max_wilds_per_run=2", "ace=high"),
    (*WIDE, "patterns=4+3", "min_naturals_per_run=3", "jokers=8"),
]
WHOLE_RULES = [
    ("max_wilds_per_run=1",),
    ("min_naturals_per_run=3",),
    ("max_wilds_per_run=2", "natural_two_counts=false"),
    ("jokers=20",),
]


def quick_first(cases, quick):
    """Leave all but the first cases, whose tables take seconds each, to the full tier."""
    marks = [()] * quick + [pytest.mark.full] * (len(cases) - quick)
    return [
        pytest.param(case, marks=mark, id=" ".join(case))
        for case, mark in zip(cases, marks, strict=True)
    ]


def hands(rules, number, seed, sizes=(0, 0, 1)):
    """Deal hands with many wilds and few suits."""
    dice = Random(seed)
    for _ in range(number):
        size = rules.hand_size + dice.choice(sizes)
        yield hand_counts(oracle.biased_hand(rules, dice, size=size))


def check_complete(rules, hand, counts):
    """Compare patterns and payment of a hand of `hand_size` cards with the solver's."""
    fitted = int(choices.patterns_fitted(hand._seat, hand._record))
    named = [name for k, name in enumerate(rules.patterns) if fitted >> k & 1]
    assert named == patterns_of(rules, counts)
    assert int(choices.exit_payment(hand._seat, hand._record, LATER)) == payment(rules, counts)


@pytest.mark.parametrize("changes", quick_first(SMALL_RULES, 2))
def test_distance_is_that_of_the_brute_force(changes):
    rules = rules_with(*changes)
    complete = 0
    for counts in hands(rules, 80, seed=5):
        text = hand_text(hand_faces(counts))
        with looked_up(rules, counts) as hand:
            assert hand.distance == oracle.small_distance(rules, counts), text
            if counts.sum() == rules.hand_size and hand.distance == 0:
                complete += 1
                check_complete(rules, hand, counts)
    assert complete or "max_wilds_per_run=0" in changes


@pytest.mark.parametrize("changes", quick_first(WHOLE_RULES, 1))
def test_verdict_patterns_and_payment_are_the_solvers(changes):
    rules = rules_with(*changes)
    for counts in hands(rules, 150, seed=6, sizes=(0,)):
        layout = find_layout(rules, counts)
        with looked_up(rules, counts) as hand:
            assert (hand.distance == 0) == (layout is not None), hand_text(hand_faces(counts))
            if layout is not None:
                check_complete(rules, hand, counts)


@pytest.mark.parametrize("changes", quick_first(WHOLE_RULES, 1))
def test_a_dead_card_can_go_without_loss(changes):
    rules = rules_with(*changes)
    for counts in hands(rules, 150, seed=7, sizes=(1,)):
        with looked_up(rules, counts) as hand:
            thrown = int(choices.nearest_discard(hand._seat, hand._record))
            left = hand.distance_with(thrown, -1)
            faces = np.flatnonzero(counts)
            assert left == min(hand.distance_with(int(face), -1) for face in faces)


@pytest.mark.parametrize("changes", quick_first(WHOLE_RULES, 1))
def test_every_exit_in_play_has_a_layout_that_pays_as_much(changes):
    rules = rules_with(*changes, "max_rounds=60")
    deals = 8 * rules.seats
    study = make_study(rules, ["fastest"], 3, deals)
    block = play_block(study, 0, deals)
    player = load_player(find_strategy("fastest"))
    exits = 0
    for outcome in block.outcomes[block.outcomes.end == EXIT]:
        with table_for(rules, [player] * rules.seats, study.seed) as table:
            alone = block.outcomes[:1].copy()
            opening = block.openings[:1].copy()
            continental.play_block(
                table.game, table.rules, table.public, int(outcome.deal), alone, opening
            )
            assert alone[0] == outcome
            counts = table.seats[outcome.seat].hand
            layout = find_layout(rules, counts)
            assert layout is not None
            assert payment(rules, counts, KINDS[outcome.kind]) == outcome.payment
            exits += 1
    assert exits > 0


def test_a_run_with_too_many_wilds_is_no_exit():
    hand = "3C JK JK 6S 7S 8S 9H TH JH QD KD AD 9C TC JC"
    assert check_hand(rules_with(), hand)["valid"]
    assert check_hand(rules_with("max_wilds_per_run=1"), hand)["distance"] == 1
