"""Groups of equal rank: verdicts, layouts, and layouts that are declared."""

import pytest

from continental_sim.cards import hand_counts, parse_hand
from continental_sim.errors import ContsimError
from continental_sim.layouts import find_layout, judge_layout, layout_payment, patterns_of, payment
from continental_sim.rules import load_rules, with_settings

GROUPS = load_rules("groups")
FOUR = "6S 6D 6H / 9H 9H 9C / QD QH QS / TC TD TH"  # and a group more
ALL_WILD = "2C 2C 2D 2D 2H 2H 2S 2S JK JK"


def hand(text):
    return hand_counts(parse_hand(text.replace("/", " ")))


def rules_with(*settings):
    return with_settings(GROUPS, settings)


def fitting(text, *settings):
    return patterns_of(rules_with(*settings), hand(text))


def laid(text, *settings):
    return str(find_layout(rules_with(*settings), hand(text)))


def judged(text, *settings):
    return judge_layout(rules_with(*settings), text)


# --- Verdicts of hands -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "patterns"),
    [
        pytest.param(f"3C 3D 3H / {FOUR}", ["3+3+3+3+3"], id="triples"),
        pytest.param(f"3C 3C 3D / {FOUR}", ["3+3+3+3+3"], id="identical cards share a group"),
        pytest.param("3C 3C 3C / " + FOUR, ["3+3+3+3+3"], id="three identical of three packs"),
        pytest.param(
            "3C 3D 3H 3S 3C 3D / 9H 9H 9C / QD QH QS / TC TD TH",
            ["3+3+3+3+3"],
            id="two groups of a rank",
        ),
        pytest.param(
            "3C 3D 3H 3S 3C 3D 3H / 9H 9H 9C 9S / QD QH QS QS", ["4+4+4+3"], id="7 = 4 + 3"
        ),
        pytest.param(
            "3C 3D 3H 3S 3C 3D 3H 3S / 9H 9H 9C 9S / QD QH QS", ["4+4+4+3", "5+4+3+3"], id="8"
        ),
        pytest.param("3C 3D 3H 3S 3C / 9H 9H 9C 9S 9S / QD QH QS QS QC", [], id="5+5+5"),
        pytest.param("3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 3D 4D 5D", [], id="runs are no groups"),
        pytest.param("KC KD KH AC AD AH / QD QH QS / TC TD TH / 9C 9D 9H", ["3+3+3+3+3"], id="A"),
    ],
)
def test_verdict(cards, patterns):
    assert fitting(cards, "packs=3", "jokers=3") == patterns


@pytest.mark.parametrize(
    ("cards", "settings", "valid"),
    [
        (f"JK JK 5C {FOUR}", [], True),
        (f"JK JK 5C {FOUR}", ["max_wilds_per_run=1", "patterns=3+3+3+3+3"], False),
        # In 4+4+4+3 three groups may hold a joker each, but nothing holds a single 5.
        (f"JK JK 5C {FOUR}", ["max_wilds_per_run=1"], False),
        (f"JK 5C 5D {FOUR}", ["max_wilds_per_run=1"], True),
        # Twos are wild among themselves too, and natural only under rules that say so.
        (f"2C 2D 2H {FOUR}", ["min_naturals_per_run=0"], True),
        (f"2C 2D 2H {FOUR}", ["max_wilds_per_run=0"], False),
        (f"2C 2D 2H {FOUR}", ["max_wilds_per_run=0", "deuces_wild=false"], True),
        (f"2C 3D 3H {FOUR}", ["max_wilds_per_run=0"], False),
        # Ten wild cards leave a natural to each of five groups; eleven do not.
        (f"{ALL_WILD} 3C 4C 5C 6C 7C", [], True),
        (f"{ALL_WILD} JK 4C 5C 6C 7C", ["jokers=3"], True),
        (f"{ALL_WILD} JK 4C 5C 6C 7C", ["jokers=3", "patterns=3+3+3+3+3"], False),
    ],
)
def test_constraints_on_groups(cards, settings, valid):
    assert bool(fitting(cards, *settings)) == valid


def test_long_groups_need_packs_or_wild_cards():
    rules = ["packs=1", "seats=3", "patterns=6+6+3", "deuces_wild=false", "jokers=4"]
    assert fitting("3C 3D 3H 3S JK JK / QC QD QH QS JK JK / AC AD AH", *rules) == ["6+6+3"]
    assert fitting("3C 3D 3H 3S JK JK / QC QD QH QS JK 4C / AC AD AH", *rules) == []


# --- What is laid ------------------------------------------------------------------------------


def test_wild_cards_are_declared_in_the_one_suit_of_the_naturals():
    cards = "3S 3S JK 6S 6S JK 9S 9S 2C QS QS 2D TS TS 2H"
    assert laid(cards, "patterns=3+3+3+3+3") == (
        "3S 3S 2C=3S / 6S 6S 2D=6S / 9S 9S 2H=9S / TS TS JK=TS / QS QS JK=QS"
    )
    assert payment(GROUPS, hand(cards)) == 1 + 3 + 4 + 10
    assert payment(rules_with("one_suit=physical"), hand(cards)) == 1 + 3 + 4


def test_all_wild_cards_lie_in_one_suit():
    rules = rules_with("packs=4", "jokers=4", "min_naturals_per_run=0")
    layout = find_layout(rules, hand("2C " * 4 + "2D " * 4 + "2H 2S 2S JK JK JK JK"))
    assert layout.in_one_suit(GROUPS)
    assert layout_payment(GROUPS, layout) == 1 + 11 + 8 + 10


def test_a_layout_is_accepted_again():
    counts = hand(f"2C 3D JK {FOUR}")
    layout = find_layout(GROUPS, counts)
    verdict = judge_layout(GROUPS, str(layout), counts)
    assert (verdict.valid, verdict.layout) == (True, layout)


# --- Declared layouts --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("group", "text"),
    [
        ("3C JK 3D", "3C JK=3C 3D"),
        ("JK=3H 3C 3D", "JK=3H 3C 3D"),
        ("JK JK=3S 3C", "JK=3C JK=3S 3C"),
        ("2D=3S JK 3H", "2D=3S JK=3C 3H"),
    ],
)
def test_an_undeclared_wild_takes_the_rank_of_its_group(group, text):
    assert str(judged(f"{group} / {FOUR}").layout).partition(" / ")[0] == text


def test_undeclared_wilds_take_the_suit_that_all_others_share():
    alike = "3S 3S JK / 6S 6S JK / 9S 9S 2C / QS QS 2D / TS 2C 2D"
    verdict = judged(alike)
    assert str(verdict.layout).endswith("/ TS 2C=TS 2D=TS")
    assert verdict.layout.in_one_suit(GROUPS)
    assert not judged(alike.replace("JK", "JK=3H", 1)).layout.in_one_suit(GROUPS)


def test_a_two_in_a_group_of_twos_is_wild():
    group = f"2D 2H JK / {FOUR}"
    assert not judged(group).valid
    assert judged(group, "min_naturals_per_run=0").valid
    assert judged(group, "deuces_wild=false").valid


@pytest.mark.parametrize(
    ("group", "settings", "reason"),
    [
        ("3C 3D 4H", [], "in group 1 (3C 3D 4H), 4H is not of the rank of 3C"),
        ("3C JK=4C 3D", [], "in group 1 (3C JK=4C 3D), JK=4C is not of the rank of 3C"),
        ("3C 3D=3C 3H", [], "in group 1 (3C 3D=3C 3H), 3D is natural: it stands for itself"),
        ("JK JK 2C=3C", [], "group 1 (JK JK 2C=3C) holds 0 natural cards and needs 1"),
        (
            "JK JK 3C",
            ["max_wilds_per_run=1"],
            "group 1 (JK JK 3C) holds 2 wild cards and may hold 1",
        ),
    ],
)
def test_a_refusal_names_the_group_and_the_card(group, settings, reason):
    verdict = judged(f"{group} / {FOUR}", *settings)
    assert (verdict.valid, verdict.reason) == (False, reason)


def test_other_refusals_speak_of_groups():
    lengths = "3C 3D 3H 3S / 9H 9H 9C 9S / QD QH QS QS / TC TD / 5C"
    assert judged(lengths).reason.startswith("groups of 4+4+4+2+1 cards are none of the patterns")
    with pytest.raises(ContsimError, match="group 2 of the layout is empty: write groups as 3C 3D"):
        judged("3C 3D 3H /")
