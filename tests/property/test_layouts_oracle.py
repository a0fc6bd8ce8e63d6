"""Verdicts against a brute force that shares no code with the program."""

from random import Random

import pytest

from continental_sim.cards import hand_counts, hand_faces, hand_text, parse_hand
from continental_sim.layouts import find_layout, patterns_of
from continental_sim.rules import ContinentalRules, with_settings
from tests import oracle

DEFAULT = ContinentalRules()
VARIANTS = [
    [],
    ["ace=wrap"],
    ["ace=low", "deuces_wild=false"],
    ["ace=high"],
    ["max_wilds_per_run=1"],
    ["max_wilds_per_run=2", "ace=wrap", "min_naturals_per_run=0"],
    ["min_naturals_per_run=2"],
    ["min_naturals_per_run=2", "natural_two_counts=false"],
    ["min_naturals_per_run=3", "patterns=5+5+5,6+5+4"],
    ["wild_ranks=2,3,4", "min_naturals_per_run=2"],
    ["wild_ranks=A,2,3,K", "ace=wrap", "max_wilds_per_run=1"],
    ["wild_ranks=A", "max_wilds_per_run=1"],
    ["jokers=12", "min_naturals_per_run=2"],
    ["jokers=12", "min_naturals_per_run=0", "max_wilds_per_run=3"],
    ["patterns=5+5+5,6+5+4,13+2,3+3+3+3+3"],
    ["packs=1", "seats=3"],
    ["packs=3", "jokers=3"],
    ["packs=4", "jokers=4", "ace=wrap", "max_wilds_per_run=1"],
    ["packs=3", "jokers=3", "min_naturals_per_run=2", "natural_two_counts=false"],
]
GROUPS = ["melds=groups"]
GROUP_VARIANTS = [
    GROUPS,
    [*GROUPS, "packs=1", "seats=3"],
    [*GROUPS, "packs=3", "jokers=3", "deuces_wild=false"],
    [*GROUPS, "packs=4", "jokers=4", "patterns=5+5+5,6+5+4,8+7,3+3+3+3+3"],
    [*GROUPS, "max_wilds_per_run=1"],
    [*GROUPS, "max_wilds_per_run=2", "min_naturals_per_run=0", "wild_ranks=2,K"],
    [*GROUPS, "min_naturals_per_run=2"],
    [*GROUPS, "min_naturals_per_run=2", "natural_two_counts=false"],
    [*GROUPS, "min_naturals_per_run=3", "wild_ranks=2,3,4", "packs=3"],
    [*GROUPS, "wild_ranks=A,2,3,4,5,6,7,8,9", "max_wilds_per_run=1", "packs=1", "seats=3"],
    [*GROUPS, "hand_size=12", "patterns=8+4,6+6", "packs=1", "seats=3", "jokers=12"],
]
# Hands that may hold more wild cards than leave a natural to each run or group.
ALL_WILD = [
    ["packs=3", "jokers=3"],
    ["packs=4", "jokers=9", "natural_two_counts=false"],
    ["packs=4", "jokers=4", "min_naturals_per_run=2"],
    [*GROUPS, "packs=3", "jokers=3"],
    [*GROUPS, "packs=4", "jokers=4", "natural_two_counts=false"],
    [*GROUPS, "packs=3", "jokers=3", "min_naturals_per_run=2"],
]
SMALL = ["seats=3", "hand_size=5", "patterns=3+2"]
SMALL_VARIANTS = [
    SMALL,
    [*SMALL, "ace=wrap", "deuces_wild=false"],
    [*SMALL, "max_wilds_per_run=1"],
    [*SMALL, "min_naturals_per_run=2", "wild_ranks=2,3"],
    [*SMALL, "min_naturals_per_run=0", "jokers=4"],
    [*SMALL, "natural_two_counts=false", "ace=low"],
    ["seats=3", "hand_size=5", "patterns=5,3+2", "ace=wrap", "packs=1"],
    [*SMALL, "packs=3", "jokers=3", "max_wilds_per_run=1"],
    [*SMALL, "packs=4", "jokers=4", "min_naturals_per_run=2", "ace=high"],
    [*GROUPS, *SMALL],
    [*GROUPS, *SMALL, "packs=1", "jokers=0", "deuces_wild=false"],
    [*GROUPS, *SMALL, "packs=3", "max_wilds_per_run=1"],
    [*GROUPS, *SMALL, "max_wilds_per_run=0"],
    [*GROUPS, *SMALL, "wild_ranks=A,2,3,4,5,6,7,8,9,T,J", "max_wilds_per_run=1", "packs=1"],
    [*GROUPS, *SMALL, "packs=4", "min_naturals_per_run=2", "wild_ranks=2,3"],
    [*GROUPS, *SMALL, "min_naturals_per_run=2", "natural_two_counts=false"],
    [*GROUPS, *SMALL, "min_naturals_per_run=0", "jokers=4", "packs=1"],
    [*GROUPS, "seats=3", "hand_size=6", "patterns=6,4+2,3+3", "packs=1", "max_wilds_per_run=2"],
]


def check(rules, count, seed, most_wilds=10):
    """Compare verdicts on biased hands; both answers must be among them."""
    dice = Random(seed)
    answers = set()
    for _ in range(count):
        counts = hand_counts(oracle.biased_hand(rules, dice, most_wilds=most_wilds))
        fitting = patterns_of(rules, counts)
        assert set(fitting) == oracle.fits(rules, counts), hand_text(hand_faces(counts))
        answers.add(bool(fitting))
    assert answers == {True, False}


@pytest.mark.parametrize("changes", VARIANTS + GROUP_VARIANTS, ids=", ".join)
def test_verdicts_agree_with_the_oracle(changes):
    check(with_settings(DEFAULT, changes), 40, seed=1)


@pytest.mark.full
@pytest.mark.parametrize("changes", VARIANTS + GROUP_VARIANTS, ids=", ".join)
def test_verdicts_agree_with_the_oracle_on_many_hands(changes):
    check(with_settings(DEFAULT, changes), 600, seed=2)


@pytest.mark.parametrize("changes", ALL_WILD, ids=", ".join)
def test_verdicts_agree_with_the_oracle_on_hands_of_wild_cards(changes):
    check(with_settings(DEFAULT, changes), 40, seed=5, most_wilds=15)


@pytest.mark.full
@pytest.mark.parametrize("changes", ALL_WILD, ids=", ".join)
def test_verdicts_agree_with_the_oracle_on_many_hands_of_wild_cards(changes):
    check(with_settings(DEFAULT, changes), 600, seed=6, most_wilds=15)


@pytest.mark.parametrize("changes", SMALL_VARIANTS, ids=", ".join)
def test_verdicts_agree_with_all_legal_layouts_of_small_rules(changes):
    rules = with_settings(DEFAULT, changes)
    dice = Random(3)
    answers = set()
    for _ in range(150):
        counts = hand_counts(oracle.biased_hand(rules, dice))
        goes_out = oracle.small_distance(rules, counts) == 0
        assert goes_out == bool(oracle.fits(rules, counts)), hand_text(hand_faces(counts))
        assert goes_out == (find_layout(rules, counts) is not None), hand_text(hand_faces(counts))
        answers.add(goes_out)
    assert answers == {True, False}


# --- The oracle against itself, and against what is plain to see --------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        SMALL,
        [*SMALL, "ace=wrap"],
        [*SMALL, "deuces_wild=false"],
        [*GROUPS, *SMALL],
        [*GROUPS, *SMALL, "packs=1", "jokers=0", "deuces_wild=false"],
        [*GROUPS, *SMALL, "packs=3", "wild_ranks=2,3"],
        [*GROUPS, "seats=3", "hand_size=5", "patterns=5", "packs=1", "jokers=1", "wild_ranks=none"],
    ],
    ids=", ".join,
)
def test_both_distances_of_the_oracle_agree_where_both_hold(changes):
    # Under rules without limits on a run, and with as many naturals as runs: then an all-wild run
    # can always be given a natural.
    rules = with_settings(DEFAULT, changes)
    dice = Random(4)
    for _ in range(300):
        faces = oracle.biased_hand(rules, dice, size=dice.choice((5, 6)))
        if sum(not rules.is_wild(face) for face in faces) >= 2:
            counts = hand_counts(faces)
            assert oracle.distance(rules, counts) == oracle.small_distance(rules, counts)


@pytest.mark.parametrize(
    ("cards", "distance"),
    [
        ("3C 4C 5C 6S 7S 8S 9H TH JH QD KD AD 9C TC JC", 0),
        ("3C 4C 5C 6S 7S 8S 9H TH JH QD KD AD 9C TC 4H", 1),
        ("3C 4C 5C 6S 7S 8S 9H TH JH QD KD AD 9C 5H 4H", 1),
        ("3C 4C 5C 6C 7C 3D 4D 5D 6D 7D 9H TH JH QH KH", 1),
        # Three 4-runs use two cards each, such as 6C and 9C, and a 3-run one.
        ("3C 3D 3H 6C 6D 6H 9C 9D 9H QC QD QH 4S 8S QS", 8),
        ("3C 4C 5C 6S 7S 8S 9H TH JH QD KD AD 9C TC JC JK", 0),
    ],
)
def test_distances_of_the_oracle(cards, distance):
    assert oracle.distance(DEFAULT, hand_counts(parse_hand(cards))) == distance


@pytest.mark.parametrize(
    ("cards", "distance"),
    [
        ("3C 3D 3H 6C 6D 6H 9C 9D 9H QC QD QH 4S 8S 8S", 1),
        ("3C 3C 3D 6C 6D 6H 9C 9D 9H QC QD QH 4S 4S JK", 0),
        # The fourth queen lies in 4+4+4+3; the 4 and the 8 lie nowhere.
        ("3C 3D 3H 6C 6D 6H 9C 9D 9H QC QD QH QS 4S 8S", 2),
        ("3C 4C 5C 6S 7S 8S 9H TH JH QD KD AD 9C TC JC", 7),
    ],
)
def test_distances_of_groups_of_the_oracle(cards, distance):
    rules = with_settings(DEFAULT, GROUPS)
    assert oracle.distance(rules, hand_counts(parse_hand(cards))) == distance


def test_the_oracle_lays_no_more_cards_of_a_rank_than_the_pack_has():
    # Nine cells of kings would use all eight of the hand, but there is no ninth and no wild card.
    rules = with_settings(
        DEFAULT,
        [*GROUPS, "seats=3", "hand_size=9", "patterns=5+4", "jokers=0", "deuces_wild=false"],
    )
    counts = hand_counts(parse_hand("KC KC KD KD KH KH KS KS QC"))
    assert oracle.distance(rules, counts) == oracle.small_distance(rules, counts) == 3
    with_a_joker = with_settings(rules, ["jokers=1"])
    assert oracle.distance(with_a_joker, counts) == 1
