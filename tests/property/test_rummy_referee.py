"""Whole deals of Basic Rummy, watched turn by turn by a referee who shares no code with it."""

from collections import Counter

import numpy as np
import pytest

from continental_sim.columns import GAME_FILES
from continental_sim.engine import play_block
from continental_sim.kernels import dealing, playing, turns
from tests.referee import counts, told
from tests.rummy_oracle import Table, deadwood, lines, points
from tests.rummy_referee import RummyReferee, read
from tests.tabletop import Played, moves_of, replayed, rummy_with, seen_on, study_of, table_of

ALL_LAY = {"fastest", "pile.py"}  # strategies that lay whatever they can
FOUR = ["fastest", "erratic.py", "fastest", "pile.py"]
EVERY = ("one_meld_per_turn=true", "layoff_needs_meld=true", "must_discard_to_go_out=true")
TABLES = {
    "default": ((), FOUR),
    "two seats": (("seats=2",), ["erratic.py", "fastest"]),
    "three seats": (("seats=3", "going_rummy=5"), ["fastest"] * 3),
    "six seats": (("seats=6", "recycles=3", "recycle_order=turned"), ["erratic.py"] * 6),
    "ace high or low": (("ace=both", "ace_points=15"), FOUR),
    "aces for nothing": (("ace=both", "ace_points=0", "dealt=9"), FOUR),
    "one meld": (("one_meld_per_turn=true", "ace=both"), FOUR),
    "own meld first": (("layoff_needs_meld=true",), FOUR),
    "thrown last": (("must_discard_to_go_out=true", "return_taken=allow"), FOUR),
    "every switch": ((*EVERY, "ace=both"), FOUR),
    "block": (("recycles=0",), ["erratic.py"] * 4),
    "all recycles": (("recycles=unlimited", "seats=5", "max_rounds=60"), ["erratic.py"] * 5),
    "capped": (("max_rounds=3",), FOUR),
    "three cards": (("dealt=3", "seats=6"), [*FOUR, *FOUR[:2]]),
}

SHOWS = {  # of what there is some in a few deals
    "six seats": "recycles",
    "block": "drawn",
    "all recycles": "recycles",
    "capped": "capped",
    "three cards": "rummy",
}


def watch(name, deals, seed, *, best=0.0):
    """Watch deals turn by turn; count what they showed.

    The `best` share of turns of who lays all that it can is compared with all that it could lay.
    """
    changes, specs = TABLES[name]
    rules, seen = rummy_with(*changes), Counter()
    dice = np.random.default_rng(seed)
    with table_of(rules, specs, seed=seed) as table:
        for deal in range(deals):
            referee = RummyReferee(rules, seed, deal, fixed_order=True)
            outcome = np.zeros(1, GAME_FILES[rules.game].outcome_dtype).view(np.recarray)[0]
            dealing.seat_as_in_study(table.game, table.rules, deal)
            dealing.deal_cards(table.game, table.rules, table.public, deal)
            went, seat = turns.GOES_ON, None
            while went == turns.GOES_ON:
                before = len(moves_of(table)[0])
                went = playing.next_turn(table.game, table.rules, table.public, outcome)
                moves, laid = moves_of(table)
                if len(moves) == before:
                    break
                assert went >= 0
                seat = before % rules.seats
                lays = specs[referee.seated[seat]] in ALL_LAY and dice.random() < best
                referee.turn(seat, moves[-1], laid[-1], lays_best=lays)
                compare(table, rules, referee)
                seen["taken"] += moves[-1][0] == turns.FROM_PILE
                seen["laid"] += laid[-1] != (0, 0)
                seen["compared"] += lays
            told_now = {**told(outcome_of(rules, outcome)), "dealer": referee.dealer, "deal": deal}
            assert told_now == referee.expected(moves, seat)
            seen[told_now["end"]] += 1
            seen[told_now["kind"]] += 1
            seen["recycles"] += referee.recycles
            seen["thrown"] += told_now["thrown"] == 1
    return seen


def compare(table, rules, referee):
    """Compare what the engine keeps after a turn with what the referee has seen."""
    public = table.public
    for mine, hand in zip(table.seats, referee.hands, strict=True):
        assert mine.hand.tolist() == counts(hand)
        assert {13 * suit + rank for suit, rank in read(int(mine.cards))} == set(hand)
    assert public.pile[: public.pile_size].tolist() == referee.pile
    assert seen_on(table, rules) == referee.public()
    seen = {13 * suit + rank for suit, rank in read(int(public.seen))} | {int(public.upcard)}
    known = [face for known in referee.known for face in known.elements()]
    assert seen - {-1} == {*referee.pile, *referee.on_table, *known}


def outcome_of(rules, outcome):
    """Put an outcome where `told` reads it."""
    return Played(rules, outcome, [], -1, [], [], [], [], "")


@pytest.mark.parametrize("name", TABLES)
def test_deals_are_what_the_referee_says(name):
    seen = watch(name, 14, seed=71, best=0.1)
    assert seen["laid"] > 10
    assert seen[SHOWS.get(name, "exit")] > 2
    assert seen["thrown"] <= seen["exit"] - (name in ("default", "one meld"))


@pytest.mark.full
@pytest.mark.parametrize("name", TABLES)
def test_many_deals_are_what_the_referee_says(name):
    watch(name, 300, seed=72, best=0.5)


@pytest.mark.parametrize("name", ["default", "six seats", "one meld"])
def test_the_sums_of_a_block_are_those_of_its_deals(name):
    changes, specs = TABLES[name]
    rules, deals, seed = rummy_with(*changes), 12, 73
    block = play_block(study_of(rules, specs, deals, seed=seed), 0, deals)
    faces, behaviour = np.zeros((53, 2), int), np.zeros((rules.seats, 4), int)
    with table_of(rules, specs, seed=seed, fixed_order=False) as table:
        for deal in range(deals):
            played = replayed(table, rules, deal)
            assert played.outcome.tolist() == block.outcomes[deal].tolist()
            referee = RummyReferee(rules, seed, deal)
            behaviour[:, 0] += 1
            for turn in range(int(played.outcome["turns"])):
                behaviour[played.seated[turn % rules.seats], 1] += 1
            for turn, (move, laid) in enumerate(zip(played.moves, played.laid, strict=True)):
                referee.turn(turn % rules.seats, move, laid)
                player = played.seated[turn % rules.seats]
                behaviour[player, 2] += move[0] == turns.FROM_PILE
                if move[2] != turns.NOTHING:
                    faces[move[2], 1] += 1
            faces[:, 0] += counts(referee.on_table)
            for seat, player in enumerate(played.seated):
                behaviour[player, 3] += referee.laid[seat]
            assert [hand.tolist() for hand in played.after] == list(map(counts, referee.hands))
            assert (played.pile, played.public) == (referee.pile, referee.public())
    np.testing.assert_array_equal(block.faces, faces)
    np.testing.assert_array_equal(block.behaviour[:, :4], behaviour)


@pytest.mark.parametrize("changes", [(), ("seats=2", "ace=both"), EVERY])
def test_openings_are_the_dealt_hands_and_what_is_left_of_them(changes):
    rules = rummy_with(*changes)
    block = play_block(study_of(rules, "fastest", 9, seed=74, fixed_order=True), 0, 9)
    assert block.openings.shape == (9, rules.seats)
    with table_of(rules, "fastest", seed=74) as table:
        for deal in range(9):
            referee = RummyReferee(rules, 74, deal, fixed_order=True)
            after = replayed(table, rules, deal).after
            for seat, hand in enumerate(referee.hands):
                opening = block.openings[deal, seat]
                most = deadwood(rules, lines(rules, hand, Table(), False))
                assert (opening.deal, opening.seat) == (deal, seat)
                assert opening.player == referee.seated[seat]
                assert (opening.deadwood, len(hand) - opening.melded) == most
                assert opening.left == points(rules, np.flatnonzero(after[seat]))
