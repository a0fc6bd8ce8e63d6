"""What a seat may know, and what the api says of it."""

from random import Random

import numpy as np
import pytest

from continental_sim import api
from continental_sim.cards import JOKER, hand_counts, parse_face
from continental_sim.columns import OUTCOME
from continental_sim.kernels import dealing, holding, playing, table, turns
from continental_sim.kernels.fields import VIEW_FIELDS
from continental_sim.kernels.view import VIEW_AT
from tests import oracle
from tests.strategy_files import source
from tests.tabletop import (
    DEFAULT,
    lay,
    play_deal,
    replayed,
    rules_with,
    table_of,
)

JUNK = "3C 3D 3H 6C 6D 6H 9C 9D 9H QC QD QH 4S 8S QS"


# --- The view holds what a seat may know ---------------------------------------------------------


def view_of(memory_of_table, seat):
    """Make the interpreted view of a seat."""
    game = memory_of_table.game
    return VIEW_AT["continental"](int(game.seat_at[seat]), int(game.public_at), int(game.rules_at))


def seen_by(view):
    """List all that a view tells."""
    names = VIEW_FIELDS["continental"].names
    return {name: np.array(getattr(view, name)).tolist() for name in names}


def swap_hidden(memory_of_table, seat, dice):
    """Deal the hidden cards anew: the stock, and the other hands but for what is known of them."""
    game, public = memory_of_table.game, memory_of_table.public
    first, left = int(game.position), int(public.stock_size)
    stock = game.stock[first : first + left].tolist()
    loose = {}
    for other in memory_of_table.seats:
        if other.seat != seat:
            unknown = other.hand - public.known[int(other.seat)]
            loose[int(other.seat)] = np.repeat(np.arange(53), unknown).tolist()
    cards = stock + [face for faces in loose.values() for face in faces]
    dice.shuffle(cards)
    for number, faces in loose.items():
        other = memory_of_table.seats[number]
        for face in faces:
            holding.take_away(other, memory_of_table.rules, face)
        for _ in faces:
            holding.give(other, memory_of_table.rules, cards.pop())
    game.stock[first : first + left] = cards


@pytest.mark.parametrize("spec", ["watchful.py", "fastest", "neighbours"])
def test_hidden_cards_cannot_be_reached(spec):
    # Play some rounds, then deal all that the seat does not know anew: same view, same answers.
    dice = np.random.default_rng(61)
    rules = rules_with("max_rounds=4", "seats=5")
    for deal in range(12):
        specs = [spec, "neighbours", "pile.py", "random", "highest.py"]
        with table_of(rules, specs, seed=62) as here:
            dealing.deal_cards(here.game, here.rules, here.public, deal)
            for number, seat in enumerate(here.seats):
                seat.player = number
            outcome = np.zeros(1, OUTCOME).view(np.recarray)[0]
            playing.play_deal(here.game, here.rules, here.public, outcome)
            seat = here.seats[0]
            before = seen_by(view_of(here, 0))
            answers = [all_answers(here, seat)]
            for _ in range(3):
                swap_hidden(here, 0, dice)
                assert seen_by(view_of(here, 0)) == before
                answers.append(all_answers(here, seat))
            assert answers[1:] == answers[:1] * 3


def all_answers(memory_of_table, seat):
    """Ask each question, without leaving a trace in the memo or the dice."""
    kept = seat.memo.copy(), seat.dice.copy(), int(seat.dice_ready)
    game = memory_of_table.game
    answers = []
    for question in (turns.TAKE, turns.THROW, turns.GO_OUT):
        if game.entries[seat.player, question]:
            answers.append(int(turns.ask(game, seat, question)))
        seat.memo[:], seat.dice[:], seat.dice_ready = kept
    return answers


def test_a_view_tells_no_more_than_its_documented_fields():
    secrets = (
        "stock",
        "seed",
        "dice",
        "dice_key",
        "player",
        "deal",
        "state",
        "order",
        "entries",
        "code",
    )
    with table_of(DEFAULT, "stock") as here:
        dealing.deal_cards(here.game, here.rules, here.public, 0)
        view = view_of(here, 0)
        for name in secrets:
            with pytest.raises(AttributeError):
                getattr(view, name)
        with pytest.raises(AttributeError):
            view.turn = 3
        for name in VIEW_FIELDS["continental"].names:
            value = getattr(view, name)
            assert isinstance(value, int | tuple) or name == "memo", name


def test_the_view_tells_the_table_as_it_is():
    with table_of(DEFAULT, "stock") as here:
        lay(here, DEFAULT, [JUNK] * 4, "KH", "4H 5H")
        table.throw(here.public, parse_face("2D"), 2)
        view = view_of(here, 1)
        assert (view.seat, view.upcard, view.pile_size, view.stock_size) == (
            1,
            parse_face("2D"),
            2,
            2,
        )
        assert view.pile[:2] == (parse_face("KH"), parse_face("2D"))
        assert view.thrower[:2] == (-1, 2)
        assert view.in_pile[parse_face("KH")] == 1
        assert (view.seats, view.hand_size, view.cards) == (4, 15, 106)
        assert [face for face in range(53) if view.wild[face]] == [1, 14, 27, 40, JOKER]
        assert view.copies == (2,) * 53
        assert sum(view.hand) == 15


# --- What the api says ---------------------------------------------------------------------------


@pytest.fixture
def hand_view():
    """Set up views of hands."""
    with table_of(DEFAULT, "stock") as here:

        def view(hand, upcard="KH", rules=DEFAULT):
            lay(here, rules, [hand, JUNK, JUNK, JUNK], upcard)
            return view_of(here, 0)

        yield view


def test_api_distances_agree_with_the_oracle(hand_view):
    dice = Random(63)
    for _ in range(15):
        faces = oracle.biased_hand(DEFAULT, dice, size=dice.choice((15, 16)))
        view = hand_view(faces)
        counts = hand_counts(faces)
        away = oracle.distance(DEFAULT, counts)
        assert api.distance(view) == away
        assert api.can_go_out(view) == (away == 0)
        thrown = counts.copy()
        thrown[faces[0]] -= 1
        assert api.distance_without(view, faces[0]) == oracle.distance(DEFAULT, thrown)
        face = dice.randrange(53)
        if counts[face] < 2:
            counts[face] += 1
            assert api.distance_with(view, face) == oracle.distance(DEFAULT, counts)


def test_api_discards_leave_the_least_distance(hand_view):
    dice = Random(64)
    for _ in range(40):
        faces = oracle.biased_hand(DEFAULT, dice, size=16)
        view = hand_view(faces)
        least = min(api.distance_without(view, face) for face in set(faces))
        near, best = api.nearest_discard(view), api.best_discard(view)
        assert api.distance_without(view, near) == api.distance_without(view, best) == least
        assert (api.paying_discard(view) >= 0) == (least == 0)


def test_distance_with_a_card_that_cannot_come():
    # Both kings of spades are held: a third would be looked up beyond the tables.
    with table_of(DEFAULT, "stock") as memory:
        hand = "KS KS JK JK 3C 3D 3H 6C 6D 6H 9C 9D 9H QC QD"
        lay(memory, DEFAULT, [hand, JUNK, JUNK, JUNK], "KH")
        view = view_of(memory, 0)
        for face in ("KS", "JK"):
            assert api.distance_with(view, parse_face(face)) == api.distance(view)


@pytest.mark.parametrize(
    ("hand", "face", "ace", "expected"),
    [
        ("3C 5C 6C", "4C", "both", 3),
        ("3C 3C 6C", "4C", "both", 2),  # copies count once
        ("4C 4C", "4C", "both", 0),  # nor is the face its own neighbour
        ("3D 5D", "4C", "both", 0),
        ("QC KC 3C", "AC", "both", 3),
        ("QC KC 3C", "AC", "low", 1),
        ("QC KC 3C", "AC", "high", 2),
        ("QC AC", "KC", "both", 2),
        ("QC AC", "KC", "low", 1),
        ("AC 3C", "KC", "wrap", 1),
        ("2C JK", "AC", "both", 0),  # wilds are no neighbours
        ("3C 4C", "2C", "both", 0),  # and have none
        ("AC 3C", "KC", "both", 1),
    ],
)
def test_neighbours(hand, face, ace, expected):
    rules = rules_with(f"ace={ace}")
    with table_of(rules, "stock") as here:
        lay(here, rules, [hand, JUNK, JUNK, JUNK], "KH")
        assert api.neighbours(view_of(here, 0), parse_face(face)) == expected


def test_faces_have_rank_and_suit():
    assert [(api.rank(face), api.suit(face)) for face in (0, 12, 13, 51, 52)] == [
        (0, 0), (12, 0), (0, 1), (12, 3), (0, 4),
    ]  # fmt: skip


def test_dice_are_fair_and_keyed_by_deal_and_player():
    text = source(
        "if view.turn == 1:", "    view.memo[0] = roll(view, 6) * 6 + roll(view, 6)",
        "return first_held(view)",
    )  # fmt: skip
    rules = rules_with("max_rounds=1")
    counts = np.zeros(36)
    rolls = {}
    with table_of(rules, text, seed=65, fixed_order=False) as here:
        for deal in range(450):
            played = replayed(here, rules, deal)
            for seat, player in enumerate(played.seated):
                if played.memos[seat][0] or played.end == "capped":
                    counts[played.memos[seat][0]] += 1
                    rolls[deal, player] = played.memos[seat][0]
    chi_square = ((counts - counts.mean()) ** 2 / counts.mean()).sum()
    assert abs(chi_square - 35) < 4 * (2 * 35) ** 0.5  # 4 sigma, fixed seed
    # In a fixed order the same players sit elsewhere, and throw the same.
    for deal in range(8):
        again = play_deal(rules, text, deal, seed=65, fixed_order=True)
        for seat, player in enumerate(again.seated):
            if (deal, player) in rolls and (again.memos[seat][0] or again.end == "capped"):
                assert again.memos[seat][0] == rolls[deal, player]
