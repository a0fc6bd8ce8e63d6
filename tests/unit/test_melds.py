"""The meld tables: what they are built from, what they say, and that rules keep them apart."""

from dataclasses import fields
from random import Random

import numpy as np
import pytest

from continental_sim import tables
from continental_sim.cards import JOKER, RANKS, hand_counts, parse_hand
from continental_sim.game_tables import game_tables
from continental_sim.hands import distance, looked_up
from continental_sim.kernels import choices, holding
from continental_sim.kernels.meld_rules import run_windows, selections_of
from continental_sim.tables import load_melds, meld_key
from tests import oracle
from tests.tabletop import DEFAULT, rules_with

SMALL = ("seats=3", "hand_size=5", "patterns=3+2")
TINY = ("seats=3", "hand_size=3", "patterns=3", "packs=1")
WRAP_SMALL = ("seats=3", "hand_size=7", "patterns=4+3", "ace=wrap", "wild_ranks=A,7")
RULES = [DEFAULT, rules_with("ace=wrap"), rules_with(*SMALL), rules_with(*WRAP_SMALL)]


def ranks(text):
    return sum(1 << RANKS.index(rank) for rank in text)


# --- What they are built from --------------------------------------------------------------------


def test_selections_of_the_default_rules():
    # SPEED: 19 multisets of run lengths fit inside one of the three patterns.
    selections = selections_of(DEFAULT.pattern_lengths)
    assert len(selections) == 19
    assert selections[0] == ()
    assert {(3,) * 5, (4, 4, 4, 3), (5, 4, 3, 3), (5, 4), (4, 4)} < set(selections)
    assert (5, 5) not in selections


def test_windows_of_each_ace():
    assert run_windows(3, "both")[0] == ranks("A23")
    assert run_windows(3, "both")[-1] == ranks("QKA")
    assert len(run_windows(3, "both")) == 12
    assert run_windows(3, "low") == [ranks("A23456789TJQK"[low : low + 3]) for low in range(11)]
    assert run_windows(3, "high")[0] == ranks("234")
    assert run_windows(3, "high")[-1] == ranks("QKA")
    assert len(run_windows(3, "high")) == 11
    assert ranks("KA2") not in run_windows(3, "both")
    assert ranks("KA2") in run_windows(3, "wrap")
    assert len(run_windows(3, "wrap")) == 13
    assert run_windows(14, "both") == [ranks("A23456789TJQK")]
    assert run_windows(14, "wrap") == run_windows(14, "low") == []


def test_classes_of_the_default_rules():
    # SPEED: 3**12 suits of naturals collapse to 509 classes, here of pairs; all are met. What runs
    # can cover a suit is fewer sets than the 64 there: a run may lie on wilds alone, so that a
    # selection that covers a suit still does so with a run more.
    melds = load_melds(DEFAULT)
    assert len(melds.kinds) == 3**12
    assert len(np.unique(melds.kinds)) == melds.classes == 507
    assert len(np.unique(melds.pairs)) == melds.pair_classes == 509
    assert len(np.unique(melds.covers)) == melds.cover_sets == 35
    assert sum(array.nbytes for array in melds.arrays().values()) < 8e6


# --- Symmetry, and no two classes alike ----------------------------------------------------------


@pytest.mark.parametrize("rules", RULES)
def test_joining_is_symmetric(rules):
    melds = load_melds(rules)
    for name, size in (
        ("pairs", melds.classes),
        ("used", melds.pair_classes),
        ("cover_pairs", melds.cover_sets),
        ("fits", melds.cover_pair_sets),
    ):
        squares = getattr(melds, name).reshape(-1, size, size)  # `used` has one for each level
        assert (squares == squares.transpose(0, 2, 1)).all(), name


@pytest.mark.parametrize("rules", RULES)
def test_every_class_is_told_apart_from_every_other(rules):
    melds = load_melds(rules)
    used = melds.used.reshape(melds.levels, melds.pair_classes, -1).transpose(1, 0, 2)
    for square in (
        melds.pairs.reshape(melds.classes, -1),
        used.reshape(melds.pair_classes, -1),
    ):
        assert len(np.unique(square, axis=0)) == len(square)


# --- One card more or less -----------------------------------------------------------------------


def hands(rules, number, seed, size=None):
    dice = Random(seed)
    for _ in range(number):
        wanted = size or rules.hand_size + dice.randint(0, 1)
        yield hand_counts(oracle.biased_hand(rules, dice, size=wanted))


@pytest.mark.parametrize("rules", RULES)
def test_used_if_says_what_giving_and_taking_does(rules):
    for counts in hands(rules, 40, seed=21):
        with looked_up(rules, counts) as hand:
            seat, record = hand._seat, hand._record
            before = [
                getattr(seat, name).copy() for name in ("kind", "code", "held", "pair", "hand")
            ]
            wilds = int(seat.wilds)
            for face in range(53):
                for change, move, back in (
                    (1, holding.give, holding.take_away),
                    (-1, holding.take_away, holding.give),
                ):
                    if not 0 <= counts[face] + change <= rules.copies(face):
                        continue
                    said = holding.used_if(seat, record, face, change)
                    move(seat, record, face)
                    assert holding.cards_used(seat, record) == said
                    back(seat, record, face)
            after = [getattr(seat, name) for name in ("kind", "code", "held", "pair", "hand")]
            assert all((a == b).all() for a, b in zip(before, after, strict=True))
            assert seat.wilds == wilds


@pytest.mark.parametrize("rules", RULES)
def test_cards_given_in_any_order_are_the_same_hand(rules):
    dice = Random(22)
    for counts in hands(rules, 10, seed=22):
        faces = [face for face in range(53) for _ in range(counts[face])]
        states = []
        for _ in range(3):
            dice.shuffle(faces)
            with looked_up(rules, np.zeros(53, np.int8)) as hand:
                for face in faces:
                    holding.give(hand._seat, hand._record, face)
                states.append(
                    [hand._seat[name].tolist() for name in ("kind", "code", "held", "pair")]
                )
        assert states[0] == states[1] == states[2]


# --- Dead ranks ----------------------------------------------------------------------------------


def dead_faces(rules, counts):
    """List the faces of a hand that the tables call dead."""
    record, melds = game_tables(rules).record, load_melds(rules)
    with looked_up(rules, counts) as hand:
        codes = hand._seat.code.tolist()
    return [
        int(record.face_at[suit, place])
        for suit in range(4)
        for place in range(16)
        if int(melds.dead[codes[suit]]) >> place & 1
    ]


@pytest.mark.parametrize("rules", [DEFAULT, rules_with("ace=wrap"), rules_with(*SMALL)])
def test_a_dead_card_can_go_without_loss(rules):
    # By the brute force: whatever other cards come, the hand without it is as near to an exit.
    dice = Random(23)
    found = 0
    for counts in hands(
        rules, 300, seed=23, size=15
    ):  # such hands are rare: in a suit that is full
        dead = dead_faces(rules, counts)
        if not dead:
            continue
        found += 1
        face = dice.choice(dead)
        assert counts[face] > 0
        for _ in range(4):
            without = counts.copy()
            without[face] -= 1
            # Change the rest of the hand in the other suits and in wilds.
            rest = [f for f in range(53) if rules.is_wild(f) or f // 13 != face // 13]
            for other in rest:
                without[other] = 0
            for other in dice.sample(rest, dice.randint(0, 8)):
                without[other] = dice.randint(0, rules.copies(other))
            with_it = without.copy()
            with_it[face] += 1
            assert oracle.distance(rules, with_it) == oracle.distance(rules, without)
        if found == 15:
            return
    pytest.fail(f"only {found} hands with a dead card")


def test_a_card_that_a_layout_needs_is_not_dead():
    counts = hand_counts(parse_hand("3C 4C 5C 6S 7S 8S 9H TH JH QD KD AD 9C TC JC"))
    assert dead_faces(DEFAULT, counts) == []


# --- On disk -------------------------------------------------------------------------------------


@pytest.fixture
def cache(monkeypatch, tmp_path):
    """A cache directory of its own for tables."""
    monkeypatch.setattr(tables, "cache_root", lambda: tmp_path)
    return tmp_path


def test_tables_are_stored_and_read_again(cache):
    rules = rules_with(*TINY)
    assert not tables.tables_are_ready(rules)
    built = load_melds(rules)
    assert tables.tables_are_ready(rules)
    read = load_melds(rules)
    for name, array in built.arrays().items():
        assert isinstance(getattr(read, name), np.memmap)
        np.testing.assert_array_equal(getattr(read, name), array)
    assert [path.name for path in cache.iterdir()] == [f"melds-{meld_key(rules)}"]


def damage(path, kind):
    if kind == "missing":
        path.unlink()
    else:
        path.write_bytes(
            {"empty": b"", "text": b"no table", "short": path.read_bytes()[:-50]}[kind]
        )


@pytest.mark.parametrize("kind", ["missing", "empty", "text", "short"])
def test_damaged_tables_are_built_again(cache, kind):
    rules = rules_with(*TINY)
    built = load_melds(rules).arrays()
    damage(cache / f"melds-{meld_key(rules)}" / "used.npy", kind)
    for name, array in load_melds(rules).arrays().items():
        np.testing.assert_array_equal(array, built[name])
    assert isinstance(load_melds(rules).used, np.memmap)  # and they are whole on disk again


def test_tables_that_cannot_be_stored_serve_from_memory(cache):
    rules = rules_with(*TINY)
    (cache / f"melds-{meld_key(rules)}").write_text("in the way")
    assert load_melds(rules).classes > 1


def test_tables_are_kept_apart_by_all_that_they_depend_on():
    apart = [
        (), ("ace=low",), ("ace=high",), ("ace=wrap",), ("deuces_wild=false",), ("wild_ranks=3",),
        ("wild_ranks=2,3",), ("packs=1", "seats=3"), ("patterns=3+3+3+3+3",),
        ("patterns=4+4+4+3,3+3+3+3+3,5+4+3+3",), SMALL,
    ]  # fmt: skip
    keys = {meld_key(rules_with(*changes)) for changes in apart}
    assert len(keys) == len(apart)
    together = [
        (),
        ("seats=5",),
        ("jokers=1",),
        ("pay_exit=3",),
        ("recycles=0",),
        ("max_rounds=9",),
    ]
    assert len({meld_key(rules_with(*changes)) for changes in together}) == 1


def test_one_process_answers_by_the_rules_that_are_asked():
    # EDGE_CASES: a cache that forgets the rules it was built under.
    wrapped = hand_counts(parse_hand("KC AC 3C 4C 4D"))
    by_ace = {
        ace: distance(rules_with("seats=3", "hand_size=5", "patterns=5", f"ace={ace}"), wrapped)
        for ace in ("both", "wrap", "low", "high", "both", "wrap")
    }
    assert by_ace == {"both": 2, "wrap": 1, "low": 2, "high": 3}


def test_the_record_of_the_rules_tells_every_face():
    for rules in RULES:
        record = game_tables(rules).record
        assert [bool(wild) for wild in record.wild] == list(rules.wild_faces)
        assert record.copies.tolist() == [rules.copies(face) for face in range(53)]
        assert sorted(record.pack[: rules.cards].tolist()) == [
            face for face in range(53) for _ in range(rules.copies(face))
        ]
        for face in range(JOKER):
            if rules.is_wild(face):
                own = record.own_face[: record.own_faces]
                assert (record.weight[face] > 0) == (face in own)
            else:
                assert record.face_at[face // 13, record.place[face]] == face
        assert record.copies[51] == rules.packs  # the last natural, and the last index of all:
        assert record.copies[JOKER] == rules.jokers
    assert {field.name for field in fields(load_melds(DEFAULT))} >= {
        "kinds",
        "dead",
        "pairs",
        "used",
    }


def test_of_groups_two_of_a_card_are_company_as_two_suits_are():
    # Which pair is broken up is left to the place of the player.
    counts = hand_counts(parse_hand("6S 6D 6H 9H 9H 9C QD QH QS TC TD TH 5D 5D 3C 3H"))
    thrown = set()
    for seat in range(4):
        with looked_up(rules_with("melds=groups"), counts) as hand:
            hand._seat.seat = seat
            thrown.add(int(choices.nearest_discard(hand._seat, hand._record)))
    assert thrown == set(parse_hand("3C 5D"))
