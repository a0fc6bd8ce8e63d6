"""Hands, stock and pile: each card is somewhere, and goes where it was sent."""

from collections import Counter

import numpy as np
import pytest

from continental_sim.cards import JOKER, hand_counts, parse_face, parse_hand
from continental_sim.hands import looked_up
from continental_sim.kernels import dealing, holding, table
from tests.reference import RECYCLE, Stream, pack_order
from tests.tabletop import DEFAULT, lay, rules_with, table_of

QUIET = "3C 3D 3H 6C 6D 6H 9C 9D 9H QC QD QH 4S 8S QS"  # a hand that fits nothing
KS = parse_face("KS")


@pytest.fixture(autouse=True)
def wrapping():
    """Let uint64 wrap without a word, as compiled code does and interpreted numpy does not."""
    with np.errstate(over="ignore"):
        yield


@pytest.fixture
def memory():
    with table_of(DEFAULT, "stock", seed=6) as memory:
        lay(memory, DEFAULT, [QUIET] * 4, "KS", "4H 5H JK 2C 4H")
        yield memory


def pile(memory):
    return memory.public.pile[: memory.public.pile_size].tolist()


def draw(memory):
    return int(table.draw_stock(memory.game, memory.public, memory.rules))


def throw(memory, cards, seat=0):
    for face in parse_hand(cards):
        table.throw(memory.public, face, seat)


# --- Dealing -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes", [(), ("seats=5",), ("seats=7",), ("packs=1", "seats=3", "jokers=0")]
)
def test_a_deal_is_the_pack_in_order(changes):
    rules = rules_with(*changes)
    with table_of(rules, "stock", seed=9) as memory:
        for deal in (0, 1, 77, 10**12):
            dealing.deal_cards(memory.game, memory.rules, memory.public, deal)
            pack = pack_order(rules, 9, deal)
            assert Counter(pack) == Counter(
                {face: rules.copies(face) for face in range(53) if rules.copies(face)}
            )
            for seat in memory.seats:
                first = 15 * int(seat.seat)
                assert seat.hand.tolist() == hand_counts(pack[first : first + 15]).tolist()
            upcard = 15 * rules.seats
            assert pile(memory) == [pack[upcard]] == [memory.public.upcard]
            assert memory.public.thrower[0] == -1
            assert memory.public.stock_size == rules.stock_size
            assert [draw(memory) for _ in range(rules.stock_size)] == pack[upcard + 1 :]
            assert memory.public.stock_size == 0


@pytest.mark.parametrize("changes", [(), ("packs=3", "seats=6", "jokers=3"), ("melds=groups",)])
def test_a_hand_that_is_dealt_is_as_one_that_is_given_card_by_card(changes):
    rules, beyond = rules_with(*changes), 0
    names = ("wilds", "code", "beyond", "held", "kind", "pair")
    with table_of(rules, "stock", seed=12) as memory:
        for deal in range(40):
            dealing.deal_cards(memory.game, memory.rules, memory.public, deal)
            for seat in memory.seats:
                beyond += int(seat.beyond.sum())
                with looked_up(rules, seat.hand.copy()) as hand:
                    assert [seat[name].tolist() for name in names] == [
                        hand._seat[name].tolist() for name in names
                    ]
    assert (beyond > 0) == ("packs=3" in changes)


def test_every_face_is_dealt_the_last_index_too():
    with table_of(DEFAULT, "stock", seed=9) as memory:
        for deal in range(12):
            dealing.deal_cards(memory.game, memory.rules, memory.public, deal)
            faces = [face for seat in memory.seats for face in range(53) if seat.hand[face]]
            faces += [int(memory.public.upcard), *(draw(memory) for _ in range(45))]
            assert set(faces) == set(range(53))


def test_a_deal_leaves_nothing_of_the_one_before(memory):
    throw(memory, "QS KS", seat=2)
    table.take_upcard(memory.public, 1)
    table.recycle(memory.game, memory.public, 0)
    throw(memory, "QS KS", seat=2)
    memory.seats[0].memo[3] = 8
    memory.seats[0].barred = memory.seats[0].taken = 4
    dealing.deal_cards(memory.game, memory.rules, memory.public, 5)
    with table_of(DEFAULT, "stock", seed=6) as fresh:
        dealing.deal_cards(fresh.game, fresh.rules, fresh.public, 5)
        for mine, new in zip(memory.seats, fresh.seats, strict=True):
            for name in set(new.dtype.names) - {"player"}:  # it is set for each deal before
                np.testing.assert_array_equal(mine[name], new[name], err_msg=name)
        for name in fresh.public.dtype.names:
            np.testing.assert_array_equal(memory.public[name], fresh.public[name], err_msg=name)


# --- Drawing, taking, throwing -------------------------------------------------------------------


def test_the_stock_is_drawn_in_the_order_of_the_shuffle(memory):
    assert [draw(memory) for _ in range(5)] == parse_hand("4H 5H JK 2C 4H")


def test_the_upcard_is_taken_from_the_top(memory):
    throw(memory, "4C 5C", seat=2)
    assert table.take_upcard(memory.public, 1) == parse_face("5C")
    assert memory.public.upcard == parse_face("4C")
    assert table.take_upcard(memory.public, 1) == parse_face("4C")
    assert table.take_upcard(memory.public, 1) == KS
    assert memory.public.upcard == -1
    assert memory.public.pile_size == 0
    assert memory.public.in_pile.sum() == 0
    assert memory.public.known[1].sum() == 3


def test_who_threw_each_card_is_public(memory):
    throw(memory, "4C 5C", seat=2)
    throw(memory, "KS", seat=3)
    assert memory.public.thrower[:4].tolist() == [-1, 2, 2, 3]
    assert memory.public.in_pile[KS] == 2
    assert pile(memory) == parse_hand("KS 4C 5C KS")


def test_a_card_taken_is_known_until_it_is_thrown(memory):
    table.take_upcard(memory.public, 1)
    assert memory.public.known[1, KS] == 1
    assert memory.public.known[[0, 2, 3]].sum() == 0
    throw(memory, "KS", seat=1)
    assert memory.public.known.sum() == 0
    throw(memory, "KS", seat=1)  # the other copy, of which nobody knew
    assert memory.public.known.sum() == 0


@pytest.mark.parametrize("face", ["KS", "JK", "2D", "AC", "QH"])
def test_one_copy_goes_and_the_other_stays(memory, face):
    # EDGE_CASES: a discard that removes both copies; the last index never discarded.
    face, seat = parse_face(face), memory.seats[2]
    had = int(seat.hand[face])
    before = [int(seat.code.sum()), int(seat.wilds), holding.cards_used(seat, memory.rules)]
    while seat.hand[face] < 2:
        holding.give(seat, memory.rules, face)
    holding.take_away(seat, memory.rules, face)
    assert seat.hand[face] == 1
    if not DEFAULT.is_wild(face):
        assert int(seat.held[face // 13]) >> int(memory.rules.place[face]) & 1
    holding.take_away(seat, memory.rules, face)
    assert seat.hand[face] == 0
    if not DEFAULT.is_wild(face):
        assert not int(seat.held[face // 13]) >> int(memory.rules.place[face]) & 1
    if had:
        holding.give(seat, memory.rules, face)
    assert [int(seat.code.sum()), int(seat.wilds), holding.cards_used(seat, memory.rules)] == before
    assert seat.hand.sum() == 15


def test_wilds_are_counted_and_not_coded(memory):
    seat = memory.seats[0]
    code = seat.code.tolist()
    for face in (JOKER, JOKER, parse_face("2C"), parse_face("2S")):
        holding.give(seat, memory.rules, face)
    assert seat.wilds == 4
    assert seat.code.tolist() == code


# --- Recycling -----------------------------------------------------------------------------------


def test_recycling_makes_the_pile_but_its_top_the_stock(memory):
    for _ in range(5):
        draw(memory)
    throw(memory, "KS 4C JK 2C")  # on the upcard, KS
    table.recycle(memory.game, memory.public, 0)
    assert pile(memory) == [parse_face("2C")] == [memory.public.upcard]
    assert memory.public.thrower[0] == 0
    assert memory.public.in_pile.sum() == memory.public.in_pile[parse_face("2C")] == 1
    assert memory.game.position == 0
    assert Counter(memory.game.stock[:4].tolist()) == Counter(parse_hand("KS KS 4C JK"))
    assert memory.public.recycled.tolist() == hand_counts(parse_hand("KS KS 4C JK")).tolist()
    assert memory.public.recycles == 1
    assert table.take_upcard(memory.public, 0) == parse_face("2C")  # the top can still be taken


def test_each_recycle_is_shuffled_by_a_stream_of_its_own(memory):
    discards = parse_hand("4C 5C 6C 7C 8C 9C TC JC")
    for number in range(3):
        memory.public.pile_size = 0
        for face in discards:
            table.throw(memory.public, face, 0)
        table.recycle(memory.game, memory.public, 41)
        drawn = [draw(memory) for _ in range(7)]
        assert drawn == list(Stream(6, RECYCLE, 41, number).shuffled(discards[:-1]))
        assert memory.public.stock_size == 0


def test_recycled_cards_that_are_only_turned_come_from_the_bottom_of_the_pile():
    rules = rules_with("recycle_order=turned")
    with table_of(rules, "stock") as memory:
        lay(memory, rules, [QUIET] * 4, "KS", "")
        throw(memory, "4C 5C 6C")
        table.recycle(memory.game, memory.public, 0)
        assert [draw(memory) for _ in range(3)] == parse_hand("KS 4C 5C")


def test_the_first_stock_is_shuffled_also_where_recycles_are_only_turned():
    rules = rules_with("recycle_order=turned")
    with table_of(rules, "stock", seed=9) as memory:
        dealing.deal_cards(memory.game, memory.rules, memory.public, 3)
        assert [draw(memory) for _ in range(45)] == pack_order(rules, 9, 3)[61:]
