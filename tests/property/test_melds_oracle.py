"""Verdict, distance, patterns and payment of the tables against a brute force, and their laws."""

import json
from itertools import permutations
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from continental_sim import hands
from continental_sim.cards import JOKER, hand_counts, hand_faces, hand_text, parse_face, parse_hand
from continental_sim.columns import DEALT, FIRST_TURN, LATER
from continental_sim.errors import ContsimError
from continental_sim.hands import check_hand, looked_up
from continental_sim.kernels import choices
from continental_sim.layouts import exit_payment, find_layout, patterns_of, payment
from continental_sim.rules import with_settings
from tests import oracle
from tests.tabletop import DEFAULT, rules_with

TIMINGS = {"later": LATER, "first_turn": FIRST_TURN, "dealt": DEALT}
WITH_555 = "patterns=3+3+3+3+3,4+4+4+3,5+4+3+3,5+5+5"
NINE = ("hand_size=9", "patterns=3+3+3,5+4")
VARIANTS = [
    (),
    ("melds=groups",),
    ("melds=groups", "packs=4", "jokers=4", "patterns=5+5+5,8+7,3+3+3+3+3"),
    ("packs=3", "jokers=3"),
    ("ace=low",),
    ("ace=high",),
    ("ace=wrap",),
    ("packs=1", "seats=3"),
    NINE,
    ("hand_size=13", "patterns=13,4+3+3+3", "ace=low"),
    ("hand_size=9", "patterns=3+3+3", "packs=1", "jokers=5", "deuces_wild=false"),
]
MORE_VARIANTS = [  # their tables take long to build
    ("packs=4", "jokers=4"),
    ("packs=3", "ace=wrap", "wild_ranks=K", "jokers=2"),
    ("packs=3", "ace=low", "patterns=5+5+5,6+5+4", "jokers=0", "wild_ranks=A"),
    ("melds=groups", "hand_size=12", "patterns=8+4,6+6", "packs=1", "seats=3", "jokers=12"),
    ("deuces_wild=false",),
    (WITH_555,),
    ("wild_ranks=A", "jokers=1"),
    ("wild_ranks=K", "ace=wrap", "jokers=0"),
    ("packs=1", "seats=3", "jokers=0", "wild_ranks=T,J"),
]
SMALL = ("seats=3", "hand_size=5", "patterns=3+2")
SMALL_VARIANTS = [
    SMALL,
    (*SMALL, "ace=wrap", "deuces_wild=false"),
    (*SMALL, "ace=low", "wild_ranks=2,3"),
    ("seats=3", "hand_size=5", "patterns=5,3+2", "ace=high", "packs=1"),
    ("seats=3", "hand_size=3", "patterns=3"),
]


def compare(rules, number, seed):
    """Compare verdict, distance and patterns on biased hands; count those that can go out."""
    dice = Random(seed)
    complete = 0
    for _ in range(number):
        size = rules.hand_size + (dice.random() < 0.3)
        counts = hand_counts(oracle.biased_hand(rules, dice, size=size))
        text = hand_text(hand_faces(counts))
        away = oracle.distance(rules, counts)
        with looked_up(rules, counts) as hand:
            assert hand.distance == away, text
            if size > rules.hand_size:
                discard = hand.discard
                assert (discard >= 0) == (away == 0), text
                if discard >= 0:
                    compare_discard(rules, counts, discard, text)
                continue
            fitting = oracle.fits(rules, counts)
            assert (away == 0) == bool(fitting), text
            if fitting:
                complete += 1
                mask = int(choices.patterns_fitted(hand._seat, hand._record))
                assert {p for k, p in enumerate(rules.patterns) if mask >> k & 1} == fitting, text
                assert set(patterns_of(rules, counts)) == fitting, text
                for timing, kind in TIMINGS.items():
                    paid = int(choices.exit_payment(hand._seat, hand._record, kind))
                    assert paid == payment(rules, counts, timing), text
    return complete


def compare_discard(rules, counts, discard, text):
    """The discard lets the hand go out, and none pays more."""
    paid = {}
    for face in set(hand_faces(counts)):
        rest = counts.copy()
        rest[face] -= 1
        if oracle.fits(rules, rest):
            paid[face] = payment(rules, rest)
    assert paid[discard] == max(paid.values()), text


@pytest.mark.parametrize("changes", VARIANTS, ids=", ".join)
def test_tables_agree_with_the_oracle(changes):
    assert compare(rules_with(*changes), 40, seed=31) > 0


@pytest.mark.full
@pytest.mark.parametrize("changes", VARIANTS + MORE_VARIANTS, ids=", ".join)
def test_tables_agree_with_the_oracle_on_many_hands(changes):
    assert compare(rules_with(*changes), 1000, seed=32) > 20


@pytest.mark.parametrize("changes", SMALL_VARIANTS, ids=", ".join)
def test_distance_agrees_with_all_legal_layouts_of_small_rules(changes):
    # Here every layout of the game is listed; hands with fewer naturals than runs are left out.
    rules = rules_with(*changes)
    dice = Random(33)
    runs = max(len(lengths) for lengths in rules.pattern_lengths)
    for _ in range(150):
        faces = oracle.biased_hand(rules, dice, size=rules.hand_size + dice.randint(0, 1))
        if sum(not rules.is_wild(face) for face in faces) >= runs:
            counts = hand_counts(faces)
            away = oracle.small_distance(rules, counts)
            assert hands.distance(rules, counts) == away, hand_text(faces)


@pytest.mark.parametrize(
    "changes",
    [
        ("jokers=12",),
        ("wild_ranks=2,3", "natural_two_counts=false"),
        ("min_naturals_per_run=2",),
        ("min_naturals_per_run=2", "natural_two_counts=false"),
        ("max_wilds_per_run=1",),
        ("max_wilds_per_run=0",),
        (*NINE, "ace=high", "wild_ranks=T,J,Q"),
        (*SMALL, "jokers=6"),
        (*SMALL, "wild_ranks=2,3,4", "natural_two_counts=false"),
        (*SMALL, "max_wilds_per_run=1"),
        (*SMALL, "min_naturals_per_run=2"),
    ],
    ids=", ".join,
)
def test_rules_beyond_the_shortcuts_are_played_right_or_refused(changes):
    # RULES: where a hand may hold fewer naturals than runs, or a run needs more of them, or may
    # hold fewer wilds, the shortcuts of the tables do not hold.
    rules = rules_with(*changes)
    dice = Random(34)
    pack = [face for face in range(53) for _ in range(rules.copies(face))]
    wilds = [face for face in pack if rules.is_wild(face)]
    refusal = ""
    for turn in range(150):
        faces = oracle.biased_hand(rules, dice)
        if turn % 2:  # few naturals
            most = min(len(wilds), rules.hand_size)
            faces = dice.sample(wilds, dice.randint(most - 2, most))
            own = [face for face in pack if not rules.is_wild(face)]
            faces += dice.sample(own, rules.hand_size - len(faces))
        counts, text = hand_counts(faces), hand_text(faces)
        try:
            verdict = check_hand(rules, text)
            away = hands.distance(rules, counts)
        except ContsimError as error:
            refusal = str(error)
            break
        assert verdict["distance"] == away, text
        assert verdict["valid"] == (away == 0) == bool(oracle.fits(rules, counts)), text
        if rules.hand_size == 5:
            assert away == oracle.small_distance(rules, counts), text
        if away == 0:
            with looked_up(rules, counts) as hand:
                paid = choices.exit_payment(hand._seat, hand._record, LATER)
            assert paid == payment(rules, counts), text
    if refusal:
        assert any(change.partition("=")[0] in refusal for change in changes)


# --- Laws ----------------------------------------------------------------------------------------

PACK = [face for face in range(53) for _ in range(2)]
LAW_RULES = [DEFAULT, rules_with("ace=wrap")]


@st.composite
def held(draw, sizes=(15, 16)):
    """Draw a hand, half of them biased."""
    dice = Random(draw(st.integers(0, 2**32)))
    size = dice.choice(sizes)
    if draw(st.booleans()):
        return oracle.biased_hand(DEFAULT, dice, size=size)
    return dice.sample(PACK, size)


@pytest.mark.parametrize("rules", LAW_RULES)
@given(held(), st.sampled_from(list(permutations(range(4)))))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_relabelled_suits_change_nothing(rules, faces, suits):
    relabelled = [face if face == JOKER else 13 * suits[face // 13] + face % 13 for face in faces]
    first, second = hand_counts(faces), hand_counts(relabelled)
    with looked_up(rules, first) as one:
        seen = [one.distance, int(choices.patterns_fitted(one._seat, one._record))]
    with looked_up(rules, second) as other:
        assert [other.distance, int(choices.patterns_fitted(other._seat, other._record))] == seen


@pytest.mark.parametrize("rules", LAW_RULES)
@given(held(), st.integers(0, 15), st.data())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_natural_replaced_by_a_wild_never_lengthens_the_distance(rules, faces, place, data):
    place %= len(faces)
    wilds = [
        face for face in range(53) if rules.is_wild(face) and faces.count(face) < rules.copies(face)
    ]
    if rules.is_wild(faces[place]) or not wilds:
        return
    replaced = [*faces[:place], data.draw(st.sampled_from(wilds)), *faces[place + 1 :]]
    before = hands.distance(rules, hand_counts(faces))
    assert hands.distance(rules, hand_counts(replaced)) <= before


@given(held(sizes=(15,)), st.integers(0, 52))
@settings(max_examples=80, deadline=None, derandomize=True)
def test_one_card_changes_the_distance_by_at_most_one(faces, face):
    if faces.count(face) == DEFAULT.copies(face):
        return
    with looked_up(DEFAULT, hand_counts(faces)) as hand:
        away = hand.distance
        assert away - 1 <= hand.distance_with(face) <= away
        for mine in set(faces):
            assert away <= hand.distance_with(mine, -1) <= away + 1
        assert 0 <= away <= 15


@given(held(sizes=(15,)))
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_distance_is_reached_by_replacing_as_many_cards(faces):
    # Walk: replace one card at a time by the best one, until the hand can go out.
    counts = hand_counts(faces)
    away = hands.distance(DEFAULT, counts)
    for left in range(away, 0, -1):
        with looked_up(DEFAULT, counts) as hand:
            outs = [
                face
                for face in range(53)
                if counts[face] < DEFAULT.copies(face) and hand.distance_with(face) == left - 1
            ]
        if not outs:
            return  # the cards that are missing are held already, twice
        counts[outs[0]] += 1
        with looked_up(DEFAULT, counts) as hand:
            throw = [f for f in set(hand_faces(counts)) if hand.distance_with(f, -1) == left - 1]
        assert throw
        counts[throw[0]] -= 1
    assert find_layout(DEFAULT, counts) is not None


# --- The verified cases, through the tables ------------------------------------------------------

DATA = Path(__file__).parents[1] / "data"
CASES = json.loads((DATA / "exit_cases.json").read_text(encoding="utf-8"))
CHANGED = {
    "ace_low_only": "ace=low",
    "ace_high_only": "ace=high",
    "deuces_not_wild": "deuces_wild=false",
    "allow_555": WITH_555,
    "one_suit_physical": "one_suit=physical",
}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["note"])
def test_case_is_checked_right(case):
    verdict = check_hand(DEFAULT, case["hand"])
    assert verdict["valid"] == case["valid"]
    assert (verdict["distance"] == 0) == case["valid"]
    for timing, paid in case["payments"].items():
        if len(parse_hand(case["hand"])) == 15 or timing != "dealt":
            assert verdict["payments"][timing] == paid
        else:
            assert verdict["payments"][timing] is None
    if case["best_discards"]:
        assert verdict["discard"] in case["best_discards"]
    else:
        assert verdict["discard"] is None
    assert verdict["reason"]
    if case["valid"]:
        check_patterns_and_suit(case, verdict)


def check_patterns_and_suit(case, verdict):
    counts = hand_counts(parse_hand(case["hand"]))
    if verdict["discard"]:
        counts[parse_face(verdict["discard"])] -= 1
    with looked_up(DEFAULT, counts) as hand:
        assert bool(choices.in_one_suit(hand._seat, hand._record)) == case["one_suit"]
        mask = int(choices.patterns_fitted(hand._seat, hand._record))
    named = {pattern for k, pattern in enumerate(DEFAULT.patterns) if mask >> k & 1}
    assert named == set(patterns_of(DEFAULT, counts)) <= set(case["patterns"])


@pytest.mark.parametrize(
    "variant",
    [
        "ace_low_only",
        "ace_high_only",
        "one_suit_physical",
        pytest.param("deuces_not_wild", marks=pytest.mark.full),
        pytest.param("allow_555", marks=pytest.mark.full),
    ],
)
def test_cases_under_other_rules(variant):
    rules = with_settings(DEFAULT, [CHANGED[variant]])
    for case in CASES:
        paid = case["differs_under"].get(variant, case["payments"]["later"])
        assert check_hand(rules, case["hand"])["payments"]["later"] == paid, case["note"]


@pytest.mark.parametrize("one_suit", [False, True])
@pytest.mark.parametrize("settings", [(), ("stack_first_turn=true", "pay_deuce=3", "pay_joker=5")])
def test_payments_of_the_engine_are_those_of_the_layouts(one_suit, settings):
    # All numbers of wilds that a hand can hold, in one suit and in two.
    rules = rules_with(*settings)
    deuces_held = "2C 2C 2D 2D 2H 2H 2S 2S".split()
    naturals = "3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC".split()
    naturals += ["KC", "QC", "3C"] if one_suit else ["KD", "QD", "3D"]
    for deuces in range(9):
        for jokers in range(3):
            own = naturals[deuces + jokers :] if not one_suit else naturals[: 15 - deuces - jokers]
            faces = parse_hand(" ".join([*own, *deuces_held[:deuces], *["JK"] * jokers]))
            with looked_up(rules, hand_counts(faces)) as hand:
                alone = len({face // 13 for face in faces if not rules.is_wild(face)}) == 1
                for timing, kind in TIMINGS.items():
                    assert choices.exit_payment(hand._seat, hand._record, kind) == exit_payment(
                        rules, deuces, jokers, one_suit=alone, timing=timing
                    )
