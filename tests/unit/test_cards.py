"""Cards: names, hands, and hands that no pack allows."""

import numpy as np
import pytest

from continental_sim.cards import (
    FACES,
    JOKER,
    check_copies,
    face_name,
    hand_counts,
    hand_faces,
    hand_text,
    parse_face,
    parse_hand,
)
from continental_sim.errors import ContsimError
from continental_sim.rules import ContinentalRules


def test_every_face_has_a_name_that_reads_back():
    names = [face_name(face) for face in range(FACES)]
    assert len(set(names)) == FACES
    assert [parse_face(name) for name in names] == list(range(FACES))


@pytest.mark.parametrize(
    ("text", "face"),
    [("AC", 0), ("2C", 1), ("KC", 12), ("AD", 13), ("AH", 26), ("AS", 39), ("KS", 51), ("JK", 52)],
)
def test_faces_are_numbered_suit_by_suit_ace_first(text, face):
    assert parse_face(text) == face


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("td", "TD"),
        ("10D", "TD"),
        ("10♦", "TD"),
        ("q♥", "QH"),
        ("A♤", "AS"),
        ("7♣\ufe0f", "7C"),
        (" 3c ", "3C"),
        ("joker", "JK"),
        ("jk", "JK"),
        ("*", "JK"),
        ("🃏", "JK"),
    ],
)
def test_other_spellings_are_understood(text, name):
    assert face_name(parse_face(text)) == name


@pytest.mark.parametrize(
    "text", ["", "1C", "11C", "XD", "T", "DT", "10", "3CC", "JKR", "3C=4C", "-"]
)
def test_an_unknown_card_is_named(text):
    with pytest.raises(ContsimError, match="unknown card") as caught:
        parse_face(text)
    assert repr(text) in str(caught.value)


def test_a_long_unknown_card_is_cut_short():
    with pytest.raises(ContsimError) as caught:
        parse_face("3C4C5C" * 1000)
    assert len(str(caught.value)) < 200


def test_a_hand_keeps_its_order_and_takes_spaces_and_commas():
    hand = parse_hand("KS, 3C\tJK,AD\n3C")
    assert hand_text(hand) == "KS 3C JK AD 3C"
    assert parse_hand("  ") == []


def test_a_hand_is_counted_by_face():
    counts = hand_counts(parse_hand("3C 3C JK KS"))
    assert counts.dtype == np.int8
    assert counts.shape == (FACES,)
    assert {face: int(count) for face, count in enumerate(counts) if count} == {2: 2, 51: 1, 52: 1}
    assert hand_text(hand_faces(counts)) == "3C 3C KS JK"
    assert hand_counts([]).sum() == 0


def test_more_cards_than_a_count_can_hold_are_refused():
    with pytest.raises(ContsimError, match="300 copies of 3C"):
        hand_counts([2] * 300)


@pytest.mark.parametrize(
    ("cards", "named"),
    [
        ("3C 3C 3C", "3 copies of 3C"),
        ("2D 2D 2D", "3 copies of 2D"),
        ("JK JK JK", "3 copies of JK"),
    ],
)
def test_more_copies_than_the_pack_holds_are_an_error(cards, named):
    with pytest.raises(ContsimError, match=f"{named}: the pack of these rules holds 2"):
        check_copies(hand_counts(parse_hand(cards)), ContinentalRules())


def test_copies_depend_on_the_rules():
    counts = hand_counts([JOKER] * 3 + [2, 2])
    check_copies(counts, ContinentalRules(jokers=3))
    with pytest.raises(ContsimError, match="2 copies of 3C"):
        check_copies(counts, ContinentalRules(jokers=3, packs=1, seats=3))
