"""Verified hands, layouts and payments, each under rules of their own and where it differs."""

import csv
import json
from pathlib import Path

import pytest

from continental_sim.cards import face_name, hand_counts, parse_hand
from continental_sim.layouts import (
    exit_payment,
    find_layout,
    judge_layout,
    layout_payment,
    patterns_of,
    payment,
)
from continental_sim.rules import ContinentalRules, load_rules, with_settings
from tests import oracle

DATA = Path(__file__).parents[1] / "data"
DEFAULT = ContinentalRules()
RULES = {"": DEFAULT, "group_": load_rules("groups")}  # by the first word of the files' names


def read(name):
    """Read the cases of all rules, each with its rules; the name of a case is its note."""
    return [
        pytest.param(rules, case, id=case["note"])
        for word, rules in RULES.items()
        for case in json.loads((DATA / f"{word}{name}.json").read_text(encoding="utf-8"))
    ]


EXITS = read("exit_cases")
LAYOUTS = read("layout_cases")
PAYMENTS = list(csv.DictReader((DATA / "payments.csv").read_text(encoding="utf-8").splitlines()))

VARIANTS = {
    "ace_low_only": ["ace=low"],
    "ace_high_only": ["ace=high"],
    "deuces_not_wild": ["deuces_wild=false"],
    "allow_555": ["patterns=3+3+3+3+3,4+4+4+3,5+4+3+3,5+5+5"],
    "one_suit_physical": ["one_suit=physical"],
}


def candidates(faces):
    """Give the 15 cards that a hand may expose, by the face thrown (None if none is)."""
    if len(faces) == 15:
        return {None: hand_counts(faces)}
    hands = {}
    for face in sorted(set(faces)):
        hands[face] = hand_counts(faces)
        hands[face][face] -= 1
    return hands


def best_exit(rules, faces, timing):
    """Give the best payment, or None, and the discards that earn it."""
    paid = {
        face: payment(rules, counts, timing)
        for face, counts in candidates(faces).items()
        if find_layout(rules, counts) is not None
    }
    best = max(paid.values(), default=None)
    discards = [face for face, value in paid.items() if value == best and face is not None]
    return best, sorted(map(face_name, discards))


@pytest.mark.parametrize(("rules", "case"), EXITS)
def test_exit_case(rules, case):
    faces = parse_hand(case["hand"])
    for timing in ("later", "first_turn") if len(faces) == 16 else ("later", "first_turn", "dealt"):
        best, discards = best_exit(rules, faces, timing)
        assert best == case["payments"][timing]
        assert discards == (case["best_discards"] or [])
    fitting = {
        pattern for counts in candidates(faces).values() for pattern in patterns_of(rules, counts)
    }
    assert fitting == set(case["patterns"])
    assert case["valid"] == bool(fitting)


@pytest.mark.parametrize(("rules", "case"), [row for row in EXITS if row.values[1]["valid"]])
def test_exit_case_lies_in_one_suit(rules, case):
    faces = parse_hand(case["hand"])
    hands = [counts for counts in candidates(faces).values() if find_layout(rules, counts)]
    best = max(hands, key=lambda counts: payment(rules, counts, "later"))
    assert find_layout(rules, best).in_one_suit(rules) == case["one_suit"]


@pytest.mark.parametrize(
    ("rules", "case", "variant"),
    [
        pytest.param(*row.values, variant, id=f"{row.id}-{variant}")
        for row in EXITS
        for variant in row.values[1]["differs_under"]
    ],
)
def test_exit_case_under_other_rules(rules, case, variant):
    rules = with_settings(rules, VARIANTS[variant])
    best, _ = best_exit(rules, parse_hand(case["hand"]), "later")
    assert best == case["differs_under"][variant]


@pytest.mark.parametrize("variant", VARIANTS)
def test_exit_cases_that_do_not_differ_are_the_same_under_other_rules(variant):
    # A case lists every variant that changes its payment: so the others must not.
    for rules, case in (row.values for row in EXITS):
        if variant not in case["differs_under"]:
            changed = with_settings(rules, VARIANTS[variant])
            best, _ = best_exit(changed, parse_hand(case["hand"]), "later")
            assert best == case["payments"]["later"], case["note"]


def test_exit_cases_agree_with_the_oracle():
    for rules, case in (row.values for row in EXITS):
        faces = parse_hand(case["hand"])
        fitting = [oracle.fits(rules, counts) for counts in candidates(faces).values()]
        assert set().union(*fitting) == set(case["patterns"]), case["note"]
        assert (oracle.distance(rules, hand_counts(faces)) == 0) == case["valid"], case["note"]


@pytest.mark.parametrize(("rules", "case"), LAYOUTS)
def test_layout_case(rules, case):
    verdict = judge_layout(rules, case["layout"])
    assert verdict.valid == case["valid"]
    assert (verdict.reason is None) == verdict.valid
    assert (verdict.layout is not None) == verdict.valid
    for setting, valid in case["valid_with"].items():
        assert judge_layout(with_settings(rules, [setting]), case["layout"]).valid == valid


@pytest.mark.parametrize("row", PAYMENTS, ids=lambda row: "-".join(row.values()))
def test_payment_case(row):
    paid = exit_payment(
        DEFAULT,
        int(row["deuces"]),
        int(row["jokers"]),
        one_suit=row["one_suit"] == "1",
        timing=row["timing"],
    )
    assert paid == int(row["per_opponent"])
    assert 3 * paid == int(row["winner_4p"])
    assert 4 * paid == int(row["winner_5p"])


def test_payment_cases_run_from_2_to_33():
    assert len(PAYMENTS) == 9 * 3 * 3 * 2
    assert {int(row["per_opponent"]) for row in PAYMENTS} >= {2, 33}


def test_a_layout_pays_as_its_hand():
    for rules, case in (row.values for row in LAYOUTS):
        verdict = judge_layout(rules, case["layout"])
        if verdict.valid:
            counts = hand_counts(verdict.layout.cards)
            assert layout_payment(rules, verdict.layout) == payment(rules, counts)
