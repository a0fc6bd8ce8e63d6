"""One hand: verdicts, layouts and advice by the tables."""

import pytest

from continental_sim import hands
from continental_sim.cards import face_name, hand_counts, parse_face, parse_hand
from continental_sim.errors import ContsimError
from continental_sim.hands import advise, advise_text, check_hand, check_layout, check_text
from continental_sim.layouts import judge_layout
from tests import oracle
from tests.tabletop import DEFAULT, rules_with

T = "6S 7S 8S 9H TH JH QD KD AD 9C TC JC"
JUNK = "3C 3D 3H 6C 6D 6H 9C 9D 9H QC QD QH 4S 8S QS"


# --- Hands that lack a suit ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 3C 4C 5C",
        "AS 2S 3S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS AS",
        "KS KS QS JS TS 3D 3D 5D 5D 7D 7D 9D 9D JD JD",
        "2C 2C 2D 2D 2H 2H 2S 2S JK JK 3H 3H 9H 9H KH",
        "3C 3C 9C 9C KC KC 5C 5C 7C 7C JC JC 2C JK 4C",
    ],
)
def test_empty_suits_are_looked_up_right(text):
    # An empty suit has a class of its own, which is not 0.
    for rules in (DEFAULT, rules_with("ace=low"), rules_with("ace=wrap")):
        counts = hand_counts(parse_hand(text))
        assert hands.distance(rules, counts) == oracle.distance(rules, counts)


# --- check ---------------------------------------------------------------------------------------


def test_a_complete_hand():
    verdict = check_hand(DEFAULT, f"3C 4C 5C {T}")
    assert verdict["valid"] is True
    assert verdict["distance"] == 0
    assert verdict["payments"] == {"later": 11, "first_turn": 18, "dealt": 21}
    assert verdict["discard"] is None
    assert judge_layout(DEFAULT, verdict["layout"]).valid
    assert "each opponent pays" in check_text(verdict)


def test_sixteen_cards_name_the_best_discard():
    # EDGE_CASES: a first layout scored, not the best.
    verdict = check_hand(DEFAULT, "2C 3C 4C 5C 7D 8D 9D TD JH QH KH AH 5S 6S 7S 8S")
    assert (verdict["discard"], verdict["payments"]["later"]) == ("2C", 11)
    assert verdict["payments"]["dealt"] is None  # it was drawn
    assert parse_face("2C") not in hand_counts(parse_hand("JK")).nonzero()[0]
    assert "2C" not in verdict["layout"]
    assert "after throwing 2C" in verdict["reason"]


def test_the_best_discard_may_be_a_joker_or_the_last_face():
    assert check_hand(DEFAULT, f"3C 4C 5C JK {T}")["discard"] == "JK"
    assert check_hand(DEFAULT, f"3C 4C 5C KS {T}")["discard"] == "KS"


def test_a_hand_that_cannot_go_out():
    verdict = check_hand(DEFAULT, JUNK)
    assert verdict["valid"] is False
    assert verdict["distance"] == oracle.distance(DEFAULT, hand_counts(parse_hand(JUNK))) == 8
    assert verdict["layout"] is verdict["discard"] is None
    assert set(verdict["payments"].values()) == {None}
    assert verdict["reason"] == "at most 7 of the cards fit one layout"
    assert check_text(verdict).startswith("cannot go out")


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("3C 4C", "15 or 16 cards, and here are 2"),
        (f"3C 4C 5C KH QH {T}", "here are 17"),
        (f"3C 4C XX {T}", "'XX'"),
        (f"6S 6S 5C {T}", "3 copies of 6S: the pack of these rules holds 2"),
        (f"JK JK JK {T}", "3 copies of JK"),
    ],
)
def test_no_hand_is_an_error_and_not_a_no(text, part):
    with pytest.raises(ContsimError, match=part.replace("(", r"\(")):
        check_hand(DEFAULT, text)


def test_other_hand_sizes():
    rules = rules_with("seats=3", "hand_size=5", "patterns=3+2")
    assert check_hand(rules, "3C 4C 5C 9D TD")["valid"]
    assert check_hand(rules, "3C 4C 5C 9D TD KH")["discard"] == "KH"
    with pytest.raises(ContsimError, match="5 or 6 cards"):
        check_hand(rules, JUNK)


def test_a_declared_layout_against_a_hand():
    layout = "3C 4C 5C / 6S 7S 8S / 9H TH JH / QD KD AD / 9C TC JC"
    verdict = check_layout(DEFAULT, layout, f"3C 4C 5C 2D {T}")
    assert verdict["valid"]
    assert verdict["discard"] == "2D"
    assert verdict["payments"]["later"] == 11
    wrong = check_layout(DEFAULT, layout.replace("3C 4C", "4C 3C"))
    assert not wrong["valid"]
    assert wrong["distance"] == 0  # the cards would fit otherwise
    assert wrong["reason"]


# --- advise --------------------------------------------------------------------------------------


def test_advice_is_what_a_count_by_hand_gives():
    text = f"3C 4C KS {T} 4H"
    rows = {row["discard"]: row for row in advise(DEFAULT, text, upcard="KH", seen="5C 2D")}
    assert next(iter(rows)) in ("KS", "4H")
    row = rows["KS"]
    counts = hand_counts(parse_hand(text)) - hand_counts([parse_face("KS")])
    assert row["distance"] == oracle.distance(DEFAULT, counts)
    outs = 0
    for face in range(53):
        gone = hand_counts(parse_hand(f"{text} KH 5C 2D"))[face]
        left = DEFAULT.copies(face) - gone
        if left > 0:
            counts[face] += 1
            if oracle.distance(DEFAULT, counts) < row["distance"]:
                outs += left
                assert face_name(face) in row["out_faces"]
            counts[face] -= 1
    assert row["outs"] == outs > 0


def test_advice_is_sorted_by_distance_then_outs():
    rows = advise(DEFAULT, f"3C 4C KS {T} 4H")
    keys = [(row["distance"], -row["outs"], -row["payment"]) for row in rows]
    assert keys == sorted(keys)
    assert len(rows) == len(set(parse_hand(f"3C 4C KS {T} 4H")))
    assert all(len(line) <= 80 for line in advise_text(rows).splitlines())


def test_advice_for_a_complete_hand_goes_for_the_best_payment():
    rows = advise(DEFAULT, "2C 3C 4C 5C 7D 8D 9D TD JH QH KH AH 5S 6S 7S 8S")
    assert rows[0]["distance"] == 0
    best = max((row for row in rows if row["distance"] == 0), key=lambda row: row["payment"])
    assert (best["discard"], best["payment"]) == ("2C", 11)


@pytest.mark.parametrize(
    ("text", "options", "part"),
    [
        (JUNK, {}, "16 cards, and here are 15"),
        (f"3C 4C 5C KS {T}", {"upcard": "KX"}, "'KX'"),
        (f"3C 4C KS KS {T}", {"upcard": "KS"}, "3 copies of KS"),
        (f"3C 4C 5C KS {T}", {"seen": "KS KS"}, "3 copies of KS"),
    ],
)
def test_impossible_advice_is_refused(text, options, part):
    with pytest.raises(ContsimError, match=part):
        advise(DEFAULT, text, **options)
