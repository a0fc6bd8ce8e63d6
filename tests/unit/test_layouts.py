"""Verdicts and layouts: the kinds of faults that programs like this one have had."""

import re

import numpy as np
import pytest

from continental_sim.cards import hand_counts, parse_hand
from continental_sim.errors import ContsimError
from continental_sim.layouts import (
    Layout,
    exit_payment,
    find_layout,
    judge_layout,
    patterns_of,
    payment,
)
from continental_sim.rules import ContinentalRules, load_rules, with_settings

DEFAULT = ContinentalRules()
TRIPLES = "6S 7S 8S / 9H TH JH / QD KD AD / 9C TC JC"
WORKED_EXAMPLE = f"3C 4C 5C / {TRIPLES}"


def hand(text):
    return hand_counts(parse_hand(text.replace("/", " ")))


def pays(text, *settings, timing="later"):
    rules = with_settings(DEFAULT, settings)
    counts = hand(text)
    return None if find_layout(rules, counts) is None else payment(rules, counts, timing)


def is_valid(text, *settings):
    return judge_layout(with_settings(DEFAULT, settings), text).valid


def reason(text, *settings):
    verdict = judge_layout(with_settings(DEFAULT, settings), text)
    assert not verdict.valid
    return verdict.reason


# --- Verdicts of hands -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "paid"),
    [
        pytest.param("AC 2C 3C QD KD AD 6S 7S 8S 9H TH JH 4D 5D 6D", 2, id="ace-low run missed"),
        pytest.param("QC KC AC 2C 3C 6D 7D 8D 9D JH QH KH 4S 5S 6S", None, id="ace wraps"),
        pytest.param("KC AC 2C 4D 5D 6D 7H 8H 9H TS JS QS 5C 6C 7C", 2, id="K A and a wild 2"),
        pytest.param("3C 4C 4C 5C 5C 6C 7D 8D 9D TH JH QH QS KS AS", 11, id="longest first"),
        pytest.param("3C 3C 4C JK 5D 6D 7D 8H 9H TH JS QS KS 6H 7S", None, id="joker helps all"),
        pytest.param("3C 4C 5C 6C 7C 3D 4D 5D 6D 7D 9H TH JH QH KH", None, id="5+5+5 by its sum"),
        pytest.param("3C 4C 5C 6C 7C 8C 9C TC JC QC 3D 4D 5D 6D 7D", 11, id="10+5 is not 5+5+5"),
        pytest.param("3C 3D 3H 6C 6D 6H 9C 9D 9H QC QD QH 4S 8S QS", None, id="sets pass"),
        pytest.param("2C 2C 2D 2D 2H 2H 2S 2S JK JK 5C 7D 9H JS KS", 13, id="rich in wilds"),
    ],
)
def test_verdict(cards, paid):
    assert pays(cards) == paid


def test_the_best_discard_is_searched_not_the_first_layout():
    sixteen = "2C 3C 4C 5C 7D 8D 9D TD JH QH KH AH 5S 6S 7S 8S"
    cards = sixteen.split()
    paid = {card: pays(" ".join(other for other in cards if other != card)) for card in cards}
    assert paid["2C"] == 11
    assert paid["TD"] == 2


def test_a_circle_is_a_rule():
    cards = "QC KC AC 2C 3C 6D 7D 8D 9D JH QH KH 4S 5S 6S"
    assert pays(cards, "ace=wrap") == 2
    assert pays(cards, "ace=wrap", "deuces_wild=false") == 11
    assert str(find_layout(load_rules("circular-ace"), hand(cards))) == (
        "QC KC AC 2C=2C 3C / 6D 7D 8D 9D / JH QH KH / 4S 5S 6S"
    )


def test_patterns_are_a_rule():
    fives = "3C 4C 5C 6C 7C 3D 4D 5D 6D 7D 9H TH JH QH KH"
    rules = with_settings(DEFAULT, ["patterns=5+5+5,3+3+3+3+3"])
    assert patterns_of(rules, hand(fives)) == ["5+5+5"]
    assert find_layout(rules, hand(fives), "3+3+3+3+3") is None
    long = with_settings(DEFAULT, ["patterns=13+2"])
    suit = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    assert patterns_of(long, hand(f"{suit} 6D 7D")) == ["13+2"]
    assert patterns_of(long, hand(f"{suit} 6D 8D")) == []


def test_the_first_layout_in_one_suit_is_found():
    # All naturals are clubs, and the deuces of hearts could lie as hearts.
    cards = "2H 2H JK JK 3C 4C 5C 6C 7C 8C 9C TC JC QC KC"
    layout = find_layout(DEFAULT, hand(cards))
    assert layout.in_one_suit(DEFAULT)
    assert pays(cards) == 1 + 2 + 4 + 10
    assert pays(cards, "one_suit=physical") == 1 + 2 + 4


def test_one_suit_needs_a_layout_in_that_suit():
    # The naturals are clubs; 2H 3H 4H, wild, make three naturals only at their own places.
    cards = "5C 6C 7C 5C 6C 7C 8C 9C TC JC QC KC 2H 3H 4H"
    triples = ["wild_ranks=2,3,4", "patterns=3+3+3+3+3"]
    assert pays(cards, *triples) == 1 + 3 + 10
    assert pays(cards, *triples, "min_naturals_per_run=3") == 1 + 3


# --- Constraints on runs -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "settings", "valid"),
    [
        ("JK 4C 5C JK 7S 8S 9H TH JH QD KD AD 9C TC JC", ["max_wilds_per_run=1"], True),
        ("JK JK 5C 9S TS JS 9H TH JH QD KD AD 9C TC JC", ["max_wilds_per_run=2"], True),
        ("JK JK 5C 9S TS JS 9H TH JH QD KD AD 9C TC JC", ["max_wilds_per_run=1"], False),
        ("JK JK 5C 3S 4S 5S 3H 4H 5H QD KD AD AC KC QC", ["max_wilds_per_run=0"], False),
        # A 2 at its own place is a natural of the run, unless the rules say otherwise.
        ("AC 2C JK 7S 8S 9S 9H TH JH QD KD AD 9C TC JC", ["min_naturals_per_run=2"], True),
        (
            "AC 2C JK 7S 8S 9S 9H TH JH QD KD AD 9C TC JC",
            ["min_naturals_per_run=2", "ace=low", "patterns=3+3+3+3+3"],
            False,
        ),
        ("AC 2C 3C 7S 8S 9S 9H TH JH QD KD AD 9C TC JC", ["min_naturals_per_run=3"], True),
        (
            "AC 2C 3C 7S 8S 9S 9H TH JH QD KD AD 9C TC JC",
            ["min_naturals_per_run=3", "natural_two_counts=false"],
            False,
        ),
        ("AC 2C 3C 7S 8S 9S 9H TH JH QD KD AD 9C TC JC", ["max_wilds_per_run=0"], True),
        (
            "AC 2C 3C 7S 8S 9S 9H TH JH QD KD AD 9C TC JC",
            ["max_wilds_per_run=0", "natural_two_counts=false"],
            False,
        ),
        # The same copy cannot be the natural of two runs.
        (
            "2C JK JK 2C 3C JK 7S 8S 9S 9H TH JH 9C TC JC",
            ["jokers=3", "max_wilds_per_run=2", "patterns=3+3+3+3+3"],
            True,
        ),
    ],
)
def test_constraints_on_runs(cards, settings, valid):
    assert (pays(cards, *settings) is not None) == valid


def test_a_hand_of_wild_cards_goes_out_if_each_run_has_a_deuce_at_home():
    # With three packs there are fifteen wild cards.
    cards = hand("2C 2D 2H 2S " * 3 + "JK JK JK")
    rules = load_rules("three-packs")
    assert patterns_of(rules, cards) == list(rules.patterns)
    layout = find_layout(rules, cards)
    assert all(any(card == place for card, place in run) for run in layout.melds)
    assert patterns_of(with_settings(rules, ["natural_two_counts=false"]), cards) == []
    assert patterns_of(with_settings(rules, ["ace=high", "max_wilds_per_run=2"]), cards) == [
        "3+3+3+3+3"
    ]


# --- What is laid ------------------------------------------------------------------------------


def test_a_layout_declares_every_wild_card_and_is_accepted_again():
    counts = hand("2C 2D JK 3C 4C 5C 6S 8S 9H JH TH QD AD 9C TC")
    layout = find_layout(DEFAULT, counts)
    assert all("=" in word for word in str(layout).split() if word[0] in "2J" and word != "JH")
    verdict = judge_layout(DEFAULT, str(layout), counts)
    assert verdict.valid
    assert verdict.layout == layout
    assert layout.pattern in patterns_of(DEFAULT, counts)
    assert (hand_counts(layout.cards) == counts).all()
    assert (layout.deuces, layout.jokers) == (2, 1)


def test_the_worked_example_is_laid_as_in_the_guide():
    layout = find_layout(DEFAULT, hand(WORKED_EXAMPLE))
    assert sorted(str(layout).split(" / ")) == sorted(WORKED_EXAMPLE.split(" / "))
    paid = [
        payment(DEFAULT, hand(WORKED_EXAMPLE), when) for when in ("later", "first_turn", "dealt")
    ]
    assert paid == [11, 18, 21]


def test_rules_are_not_forgotten_between_hands():
    counts = hand("QC KC AC 2C 3C 6D 7D 8D 9D JH QH KH 4S 5S 6S")
    for name, valid in 2 * [("continental", False), ("circular-ace", True), ("block", False)]:
        assert (find_layout(load_rules(name), counts) is not None) == valid


def test_counts_may_be_narrow_integers():
    counts = hand(WORKED_EXAMPLE)
    assert counts.dtype == np.int8
    assert find_layout(DEFAULT, counts) == find_layout(DEFAULT, [int(count) for count in counts])


@pytest.mark.parametrize(
    ("cards", "message"),
    [
        ("3C 4C 5C", "lays exactly 15 cards, and here are 3"),
        (f"{WORKED_EXAMPLE} JK", "lays exactly 15 cards, and here are 16"),
        ("3C 3C 3C 4C 5C 6S 7S 8S 9H TH JH QD KD AD JK", "3 copies of 3C"),
        ("JK JK JK 4C 5C 6S 7S 8S 9H TH JH QD KD AD 9C", "3 copies of JK"),
    ],
)
def test_an_impossible_hand_is_an_error(cards, message):
    for ask in (find_layout, patterns_of, payment):
        with pytest.raises(ContsimError, match=message):
            ask(DEFAULT, hand(cards))


def test_other_bad_questions_are_errors():
    with pytest.raises(ContsimError, match="cannot go out"):
        payment(DEFAULT, hand("3C 3D 3H 6C 6D 6H 9C 9D 9H QC QD QH 4S 8S QS"))
    with pytest.raises(ContsimError, match="timing 'first' is unknown: choose later"):
        payment(DEFAULT, hand(WORKED_EXAMPLE), "first")
    with pytest.raises(ContsimError, match=r"pattern '5[+]5[+]5' is none of these rules"):
        find_layout(DEFAULT, hand(WORKED_EXAMPLE), "5+5+5")


# --- Payments ----------------------------------------------------------------------------------


def test_bonuses_of_the_first_turn_exclude_each_other_unless_stacked():
    assert exit_payment(DEFAULT, 0, 0, one_suit=False, timing="dealt") == 21
    stacked = with_settings(DEFAULT, ["stack_first_turn=true"])
    assert exit_payment(stacked, 0, 0, one_suit=False, timing="dealt") == 28
    assert exit_payment(stacked, 0, 0, one_suit=False, timing="first_turn") == 18
    assert exit_payment(stacked, 0, 0, one_suit=False, timing="later") == 11


def test_every_amount_is_a_parameter():
    amounts = ["pay_exit=3", "pay_deuce=5", "pay_joker=7", "pay_no_wild=11", "pay_first_turn=13"]
    rules = with_settings(DEFAULT, [*amounts, "pay_dealt=17", "pay_one_suit=19"])
    assert exit_payment(rules, 2, 1, one_suit=True, timing="later") == 3 + 10 + 7 + 19
    assert exit_payment(rules, 0, 0, one_suit=False, timing="first_turn") == 3 + 11 + 13
    assert exit_payment(rules, 0, 1, one_suit=True, timing="dealt") == 3 + 7 + 17 + 19


def test_a_deuce_that_is_not_wild_pays_nothing_and_spoils_nothing():
    cards = "AC 2C 3C QD KD AD 6S 7S 8S 9H TH JH 4D 5D 6D"
    assert pays(cards) == 2
    assert pays(cards, "deuces_wild=false") == 11


def test_another_wild_rank_pays_as_a_deuce():
    assert pays(WORKED_EXAMPLE, "wild_ranks=3") == 2
    assert pays(WORKED_EXAMPLE, "wild_ranks=3,9") == 4
    assert pays(WORKED_EXAMPLE, "wild_ranks=2") == 11


# --- Declared layouts --------------------------------------------------------------------------


def test_an_undeclared_wild_passes_if_some_declaration_does():
    verdict = judge_layout(DEFAULT, f"3C JK 5C / {TRIPLES}")
    assert str(verdict.layout) == f"3C JK=4C 5C / {TRIPLES}"
    assert is_valid(f"JK QC KC / {TRIPLES}")
    assert is_valid(f"JK JK AC / {TRIPLES}")  # as Q K A
    assert is_valid(f"AC JK JK / {TRIPLES}")  # as A 2 3
    assert not is_valid(f"KC AC JK / {TRIPLES}")
    assert is_valid(f"KC AC JK / {TRIPLES}", "ace=wrap")
    # 2C at its own place is the natural of its run: of all declarations the one that passes.
    assert str(judge_layout(DEFAULT, f"2C JK JK / {TRIPLES}").layout).startswith("2C=2C JK=3C")
    assert not is_valid(f"2C JK JK / {TRIPLES}", "natural_two_counts=false")


def test_the_order_of_the_cards_is_kept():
    assert not is_valid(f"JK 3C 5C / {TRIPLES}")
    assert str(judge_layout(DEFAULT, f"{TRIPLES} / 3C 4C 5C").layout) == f"{TRIPLES} / 3C 4C 5C"


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ("3C 5C 4C", r"in run 1 \(3C 5C 4C\), 5C lies where 4C belongs"),
        ("3C 4D 5C", "4D lies where 4C belongs"),
        ("3C JK=5C 5C", "JK=5C lies where 4C belongs"),
        ("3C 3C 5C", "3C lies where 4C belongs"),
        ("3C 4C=5C 5C", "4C is natural: it stands for itself"),
        ("KC AC JK=2C", r"run 1 \(KC AC JK=2C\) leaves the ladder A 2 3 ... Q K A"),
        ("KC AC 2C", r"run 1 \(KC AC 2C\) leaves the ladder"),
        ("JK JK 2C=QC", "holds 0 natural cards and needs 1"),
        ("2D 2H 2S=3S", "holds 0 natural cards and needs 1"),
    ],
)
def test_a_refusal_names_the_run_and_the_card(run, message):
    assert re.search(message, reason(f"{run} / {TRIPLES}"))


def test_other_refusals():
    assert "runs of 5+4+4+2 cards are none of the patterns" in reason(
        "3C 4C 5C 6C 7C / 8D 9D TD JD / 3H 4H 5H 6H / QS KS"
    )
    assert "holds 2 wild cards and may hold 1" in reason(
        f"JK 4C JK / {TRIPLES}", "max_wilds_per_run=1"
    )
    assert "leaves the ladder 2 3 4 ... Q K A" in reason(f"AC JK 3C / {TRIPLES}", "ace=high")
    assert "leaves the ladder A 2 3 ... Q K" in reason(WORKED_EXAMPLE, "ace=low")


def test_a_layout_of_cards_that_are_not_held_is_refused():
    counts = hand(f"{WORKED_EXAMPLE} JK")
    assert judge_layout(DEFAULT, WORKED_EXAMPLE, counts).valid
    verdict = judge_layout(DEFAULT, f"3D 4D 5D / {TRIPLES}", counts)
    assert verdict.reason == "3D is laid 1 time, but the hand holds 0"
    twice = "3C 4C 5C / 3C 4C 5C / 6S 7S 8S / 9H TH JH / QD KD AD"
    assert "3C is laid 2 times, but the hand holds 1" in judge_layout(DEFAULT, twice, counts).reason


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "run 1 of the layout is empty"),
        ("3C 4C 5C /", "run 2 of the layout is empty"),
        (f"3C XX 5C / {TRIPLES}", "unknown card 'XX'"),
        (f"3C 5C JK= / {TRIPLES}", "unknown card ''"),
        (f"3C JK=JK 5C / {TRIPLES}", "'JK=JK' declares no place"),
        (f"3C JK=4C=5C 5C / {TRIPLES}", "declares more than one place"),
        (TRIPLES, "lays exactly 15 cards, and here are 12"),
        (f"3C 4C 5C 6C / {TRIPLES}", "lays exactly 15 cards, and here are 16"),
        ("3C 4C 5C / 3C 4C 5C / 3C 4C 5C / 9H TH JH / QD KD AD", "3 copies of 3C"),
    ],
)
def test_a_text_that_is_no_layout_is_an_error(text, message):
    with pytest.raises(ContsimError, match=message):
        judge_layout(DEFAULT, text)


def test_spaces_round_the_equals_sign_do_not_matter():
    assert is_valid(f"3C, 2D = 4C, 5C/{TRIPLES}")


def test_layouts_compare_by_their_cards():
    layout = find_layout(DEFAULT, hand(WORKED_EXAMPLE))
    assert layout == Layout(layout.melds, DEFAULT.wild_faces)
    assert hash(layout) == hash(Layout(layout.melds, DEFAULT.wild_faces))
