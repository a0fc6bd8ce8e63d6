"""Verified hands, layouts and payments, each under the default rules and where it differs."""

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
from continental_sim.rules import ContinentalRules, with_settings
from tests import oracle

DATA = Path(__file__).parents[1] / "data"
EXITS = json.loads((DATA / "exit_cases.json").read_text(encoding="utf-8"))
LAYOUTS = json.loads((DATA / "layout_cases.json").read_text(encoding="utf-8"))
PAYMENTS = list(csv.DictReader((DATA / "payments.csv").read_text(encoding="utf-8").splitlines()))

DEFAULT = ContinentalRules()
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


@pytest.mark.parametrize("case", EXITS, ids=lambda case: case["note"])
def test_exit_case(case):
    faces = parse_hand(case["hand"])
    for timing in ("later", "first_turn") if len(faces) == 16 else ("later", "first_turn", "dealt"):
        best, discards = best_exit(DEFAULT, faces, timing)
        assert best == case["payments"][timing]
        assert discards == (case["best_discards"] or [])
    fitting = {
        pattern for counts in candidates(faces).values() for pattern in patterns_of(DEFAULT, counts)
    }
    assert fitting == set(case["patterns"])
    assert case["valid"] == bool(fitting)


@pytest.mark.parametrize("case", [case for case in EXITS if case["valid"]], ids=lambda c: c["note"])
def test_exit_case_lies_in_one_suit(case):
    faces = parse_hand(case["hand"])
    hands = [counts for counts in candidates(faces).values() if find_layout(DEFAULT, counts)]
    best = max(hands, key=lambda counts: payment(DEFAULT, counts, "later"))
    assert find_layout(DEFAULT, best).in_one_suit(DEFAULT) == case["one_suit"]


@pytest.mark.parametrize(
    ("case", "variant"),
    [(case, variant) for case in EXITS for variant in case["differs_under"]],
    ids=lambda value: value if isinstance(value, str) else value["note"],
)
def test_exit_case_under_other_rules(case, variant):
    rules = with_settings(DEFAULT, VARIANTS[variant])
    best, _ = best_exit(rules, parse_hand(case["hand"]), "later")
    assert best == case["differs_under"][variant]


@pytest.mark.parametrize("variant", VARIANTS)
def test_exit_cases_that_do_not_differ_are_the_same_under_other_rules(variant):
    # A case lists every variant that changes its payment: so the others must not.
    rules = with_settings(DEFAULT, VARIANTS[variant])
    for case in EXITS:
        if variant not in case["differs_under"]:
            best, _ = best_exit(rules, parse_hand(case["hand"]), "later")
            assert best == case["payments"]["later"], case["note"]


def test_exit_cases_agree_with_the_oracle():
    for case in EXITS:
        faces = parse_hand(case["hand"])
        fitting = [oracle.fits(DEFAULT, counts) for counts in candidates(faces).values()]
        assert set().union(*fitting) == set(case["patterns"]), case["note"]
        assert (oracle.distance(DEFAULT, hand_counts(faces)) == 0) == case["valid"], case["note"]


@pytest.mark.parametrize("case", LAYOUTS, ids=lambda case: case["note"])
def test_layout_case(case):
    verdict = judge_layout(DEFAULT, case["layout"])
    assert verdict.valid == case["valid"]
    assert (verdict.reason is None) == verdict.valid
    assert (verdict.layout is not None) == verdict.valid
    for setting, valid in case["valid_with"].items():
        assert judge_layout(with_settings(DEFAULT, [setting]), case["layout"]).valid == valid


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
    for case in LAYOUTS:
        verdict = judge_layout(DEFAULT, case["layout"])
        if verdict.valid:
            counts = hand_counts(verdict.layout.cards)
            assert layout_payment(DEFAULT, verdict.layout) == payment(DEFAULT, counts)
