"""Rules under which the wilds and naturals of a run must be watched: when, and plain cases."""

import numpy as np
import pytest

from continental_sim import tables
from continental_sim.cards import hand_counts, parse_hand
from continental_sim.errors import ContsimError
from continental_sim.hands import advise, check_hand, distance, looked_up
from continental_sim.kernels import choices, holding, meld_classes
from continental_sim.kernels.meld_rules import meld_rules, scarce
from continental_sim.layouts import payment
from continental_sim.tables import load_melds, meld_key
from tests.tabletop import DEFAULT, rules_with

SMALL = ("seats=3", "hand_size=5", "patterns=3+2")
ALONE = ("packs=1", "seats=3", "deuces_wild=false")  # one copy of a card, and only jokers wild
MANY = ("jokers=20", "natural_two_counts=false")
FOUR = "6S 7S 8S 9H TH JH QD KD AD"  # and 9C TC JC: four triples


def away(cards, *changes):
    return distance(rules_with(*changes), hand_counts(parse_hand(cards)))


# --- When they must be watched ------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "caps"),
    [
        ((), {3: 3, 4: 4, 5: 5}),
        (("jokers=30",), {3: 3, 4: 4, 5: 5}),  # one natural in a run: told from the hand
        (("jokers=3", "min_naturals_per_run=0"), {3: 3, 4: 4, 5: 5}),
        (("jokers=4", "patterns=5+5+5"), {5: 5}),
        (("wild_ranks=2,3",), {3: 3, 4: 4, 5: 5}),
        (("max_wilds_per_run=0",), {3: 0, 4: 0, 5: 0}),
        (("max_wilds_per_run=1",), {3: 1, 4: 1, 5: 1}),
        (("max_wilds_per_run=3",), {3: 2, 4: 3, 5: 3}),
        (("max_wilds_per_run=4",), {3: 3, 4: 4, 5: 5}),  # the run of 5 needs one natural, as ever
        (("max_wilds_per_run=5", "min_naturals_per_run=0"), {3: 3, 4: 4, 5: 5}),
        (("min_naturals_per_run=2",), {3: 1, 4: 2, 5: 3}),
        (("min_naturals_per_run=2", "max_wilds_per_run=1"), {3: 1, 4: 1, 5: 1}),
        (("min_naturals_per_run=3",), {3: 0, 4: 1, 5: 2}),
    ],
    ids=str,
)
def test_caps_are_there_where_they_matter(changes, caps):
    reduced = meld_rules(rules_with(*changes))
    assert dict(reduced.caps) == caps
    free = all(length == cap for length, cap in caps.items())
    assert reduced.wilds_add == free
    assert (reduced.levels == len(reduced.tiers)) == (free or not any(caps.values()))


def test_tiers_are_there_where_a_hand_may_lack_naturals():
    assert meld_rules(DEFAULT).tiers == ((0, 1, 2),)
    assert meld_rules(rules_with("jokers=30", "min_naturals_per_run=0")).tiers == ((0, 1, 2),)
    # With 11 wilds 4 cards are left for 15: each in one of four runs, with no need of tables.
    few = scarce(rules_with("jokers=30"))
    assert few.tiers == ((0, 1, 2),)
    assert few.plain_wilds == 10
    assert few.tier == (0,) * 11 + (-1,) * 6
    assert few.melds == (-1,) * 11 + (0,) + (4,) * 5
    # Seven runs of 2 lack naturals with 8 wilds; two runs of 7 do not, and ask for tables.
    two = scarce(rules_with("jokers=30", "hand_size=14", "patterns=2+2+2+2+2+2+2,7+7"))
    assert two.tiers == ((0, 1), (1,))
    assert two.tier == (0,) * 8 + (1,) * 4 + (-1,) * 4
    assert two.melds == (-1,) * 8 + (7,) * 4 + (0,) + (2,) * 3


def test_wild_ranks_are_of_their_suit_only_where_that_matters():
    for changes in ((), ("natural_two_counts=false",), ("min_naturals_per_run=0",)):
        assert meld_rules(rules_with(*changes)).own == ()
    watched = ("max_wilds_per_run=1", "wild_ranks=2,K")
    assert meld_rules(rules_with(*watched)).own == (1, 12)
    assert meld_rules(rules_with(*watched, "natural_two_counts=false")).own == ()


def test_tables_depend_on_what_is_watched_and_on_nothing_else():
    plain = [
        (), ("natural_two_counts=false",), ("min_naturals_per_run=0",), ("max_wilds_per_run=4",),
        ("jokers=0",), ("jokers=30", "min_naturals_per_run=0"),
    ]  # fmt: skip
    assert len({meld_key(rules_with(*changes)) for changes in plain}) == 1
    for alike in (
        [("max_wilds_per_run=1",), ("max_wilds_per_run=1", "jokers=9")],
        [
            ("patterns=3+3+3+3+3", "max_wilds_per_run=1"),
            ("patterns=3+3+3+3+3", "min_naturals_per_run=2"),
        ],
    ):
        assert len({meld_key(rules_with(*changes)) for changes in alike}) == 1
    apart = [
        (), ("max_wilds_per_run=0",), ("max_wilds_per_run=1",), ("max_wilds_per_run=2",),
        ("max_wilds_per_run=1", "natural_two_counts=false"), ("min_naturals_per_run=2",),
        ("min_naturals_per_run=3",), ("packs=3",), ("melds=groups",),
        ("melds=groups", "wild_ranks=3"),
    ]  # fmt: skip
    assert len({meld_key(rules_with(*changes)) for changes in apart}) == len(apart)


def test_two_packs_never_run_out_of_wilds_and_one_pack_may():
    assert load_melds(DEFAULT).most_wild_cards[0] <= 8
    assert load_melds(rules_with("deuces_wild=false")).most_wild_cards[0] == 0
    # Two runs of 7 in one suit take 14 places, and the pack has 13 of its cards.
    suit = "AC 2C 3C 4C 5C 6C 7C 8C 9C TC JC QC KC 7D"
    sevens = (*ALONE, "hand_size=14", "patterns=7+7")
    assert away(suit, *sevens, "jokers=1") == 1
    assert away(suit, *sevens, "jokers=0") == 14 - 7 - 1
    assert away(suit.replace("7D", "JK"), *sevens, "jokers=1") == 0
    assert tables.tables_are_ready(rules_with(*sevens, "jokers=0"))


def test_deuces_at_home_in_two_suits_are_few_wild_cards_as_well():
    # The pack has four wild cards, and both deuces of a pair of suits are wanted as naturals.
    rules = ("packs=1", "seats=2", "jokers=0", "hand_size=18", "patterns=3+3+3+3+3+3",
             "min_naturals_per_run=2")  # fmt: skip
    for other in "DHS":
        hand = "AC 2C 5C 6C 7C 9C TC JC AX 2X 5X 6X 7X 9X TX JX".replace("X", other)
        wilds = " ".join(f"2{suit}" for suit in "DHS" if suit != other)
        assert away(f"{hand} {wilds}", *rules) == 0


# --- Plain cases --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "changes", "distance"),
    [
        (f"JK 4C 5C JK TC JC {FOUR}", ("max_wilds_per_run=1",), 0),
        (f"JK JK 5C 9C TC JC {FOUR}", ("max_wilds_per_run=2", "natural_two_counts=false"), 0),
        (f"JK JK 5C 9C TC JC {FOUR}", ("max_wilds_per_run=1",), 1),
        (f"JK JK 5C 9C TC JC {FOUR}", ("max_wilds_per_run=0",), 2),
        (f"JK JK 5C 9C TC JC {FOUR}", ("min_naturals_per_run=2",), 1),
        # A deuce in its own place is a natural, if it counts as one; else a wild.
        (f"AC 2C 3C 9C TC JC {FOUR}", ("max_wilds_per_run=0",), 0),
        (f"AC 2C 3C 9C TC JC {FOUR}", ("max_wilds_per_run=0", "natural_two_counts=false"), 2),
        (f"AC 2C JK 9C TC JC {FOUR}", ("min_naturals_per_run=2",), 0),
        (f"AC 2D JK 9C TC JC {FOUR}", ("min_naturals_per_run=2",), 1),
        # One of the two deuces of diamonds is needed as a natural of the run A 2 3 or 2 3 4.
        ("2D 2D 3D 2C 4C 5C 6S 7S 8S 9H TH JH QS KS AS", ("max_wilds_per_run=1",), 0),
        ("2D 2H 3D 2C 4C 5C 6S 7S 8S 9H TH JH QS KS AS", ("max_wilds_per_run=1",), 0),
        ("2H 2H 3D 2C 4C 5C 6S 7S 8S 9H TH JH QS KS AS", ("max_wilds_per_run=1",), 1),
        # Three wilds fit the runs of 4 of 4+4+4+3, but no run of 3.
        (f"2H 2H JK 9C TC JC {FOUR}", ("max_wilds_per_run=1",), 0),
        # Not enough naturals for each run to have one: the pattern of four runs takes fewest.
        ("JK " * 13 + "5C 9D", MANY, 2),
        ("JK " * 13 + "5C 9D", (*MANY, "patterns=3+3+3+3+3"), 3),
        ("JK " * 13 + "5C 9D", ("jokers=20", "min_naturals_per_run=0"), 0),
        ("JK " * 10 + "5C 9D 5H 7H 7S", MANY, 0),
        ("2C 2C 2D 2D 2H 2H 2S 2S " + "JK " * 7, MANY, 4),
    ],
)
def test_distance(cards, changes, distance):
    assert away(cards, *changes) == distance


def test_one_suit_needs_a_layout_in_that_suit():
    # The naturals are clubs; 2H 3H 4H, wild, make three naturals only in their own places.
    cards = "5C 6C 7C 5C 6C 7C 8C 9C TC JC QC KC 2H 3H 4H"
    triples = ("wild_ranks=2,3,4", "patterns=3+3+3+3+3")
    for changes, one_suit in ((triples, 10), ((*triples, "min_naturals_per_run=3"), 0)):
        rules = rules_with(*changes)
        assert check_hand(rules, cards)["payments"]["later"] == 1 + 3 + one_suit
        with looked_up(rules, hand_counts(parse_hand(cards))) as hand:
            assert hand.distance == 0
            assert hand.payment == 1 + 3 + one_suit
        advice = {row["discard"]: row for row in advise(rules, f"{cards} KD")}
        assert advice["KD"]["distance"] == 0
        assert advice["KD"]["payment"] == 1 + 3 + one_suit


def test_the_best_discard_leaves_the_layout_that_pays():
    # Without 2C there is no wild, and 11 to get; but a run of three naturals needs a card there.
    cards = f"2C 3C 4C 5C 9C TC JC {FOUR}"
    assert check_hand(rules_with("max_wilds_per_run=0"), cards)["discard"] == "2C"
    # Of AC 2C 3C the deuce is needed.
    kept = check_hand(rules_with("max_wilds_per_run=0"), f"AC 2C 3C 5C 9C TC JC {FOUR}")
    assert (kept["discard"], kept["payments"]["later"]) == ("5C", 2)


@pytest.mark.parametrize("changes", [("max_wilds_per_run=1",), ("wild_ranks=2,3", "jokers=9")])
def test_a_hand_is_as_it_was_after_all_its_readings(changes):
    rules = rules_with(*changes)
    counts = hand_counts(parse_hand("2C 2C 3C 2D 2H JK 3H 4H 5S 6S 7S 9D TD JD QD"))
    with looked_up(rules, counts) as hand:
        seat, record = hand._seat, hand._record
        names = ("kind", "code", "held", "pair", "hand", "wilds", "read_own")
        before = {name: seat[name].copy() for name in names}
        holding.cards_used(seat, record)
        choices.patterns_fitted(seat, record)
        choices.exit_payment(seat, record, 0)
        choices.nearest_discard(seat, record)
        choices.best_paying_discard(seat, record)
        for face in range(53):
            if counts[face] < rules.copies(face):
                holding.used_if(seat, record, face, 1)
        for name in names:
            assert (seat[name] == before[name]).all(), name


# --- What is refused ----------------------------------------------------------------------------


def test_too_many_selections_are_refused():
    rules = rules_with("seats=3", "hand_size=25", "patterns=7+6+5+4+3,9+7+4+3+2,8+6+5+4+2,9+8+5+3")
    with pytest.raises(ContsimError, match=r"\d+ different parts, and the meld tables hold 64"):
        load_melds(rules)


@pytest.mark.parametrize(
    ("limit", "words"),
    [
        ("MOST_ROWS", "have more than 5 kinds of holdings"),
        ("MOST_JOINED", "more than 5 kinds"),
    ],
)
def test_too_many_kinds_of_holdings_are_refused(monkeypatch, tmp_path, limit, words):
    monkeypatch.setattr(tables, "cache_root", lambda: tmp_path)
    monkeypatch.setattr(meld_classes, limit, 5)
    with pytest.raises(ContsimError, match=words):
        load_melds(rules_with(*SMALL))
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("cards", "one_suit"),
    [("5C 9C 2C 2C", True), ("5C 9C 2D 2D", False), ("5C 2D 2D 3D 3D", False)],
)
def test_wild_cards_that_serve_as_naturals_have_a_suit(cards, one_suit):
    # More wild cards than leave a natural to each of four runs: those without one need a wild card
    # at home, and all of a suit must then be of the suit of the naturals.
    rules = rules_with("jokers=30", "wild_ranks=2,3")
    jokers = 15 - len(cards.split())
    counts = hand_counts(parse_hand(f"{cards} {'JK ' * jokers}"))
    wilds = int(counts[np.array(rules.wild_faces)].sum()) - jokers
    with looked_up(rules, counts) as hand:
        assert hand.distance == 0
        paid = 1 + wilds + 2 * jokers + 10 * one_suit
        assert hand.payment == payment(rules, counts) == paid
