"""Play and payment: the turn, the exit, the stock, the cap, by the faults that there were."""

import numpy as np
import pytest

from continental_sim.cards import face_name, hand_counts, parse_face, parse_hand
from continental_sim.columns import OUTCOME
from continental_sim.engine import play_block
from continental_sim.errors import StudyFailed
from continental_sim.kernels import dealing, playing, turns
from continental_sim.study import make_study
from tests.tabletop import DEFAULT, lay, play_laid, rules_with, rummy_with, strategy, table_of

T = "6S 7S 8S 9H TH JH QD KD AD 9C TC JC"  # four natural runs
READY = f"3C 4C 5C {T}"  # the worked example of the guide
NEARLY = f"3C 4C KS {T}"  # waits for 5C, 2C (a deuce), ...
JUNK = "3C 3D 3H 6C 6D 6H 9C 9D 9H QC QD QH 4S 8S QS"
STAYS_ONCE = ["script_stays.py:STAYS=1", *["script.py"] * 3]  # seat 0 declines once
STOCK, PILE, RECYCLED = turns.FROM_STOCK, turns.FROM_PILE, turns.FROM_RECYCLE


def play(
    hands, scripts, upcard="KH", stock="4H 5H 7H 8H TS JS", *, rules=DEFAULT, specs="script.py"
):
    return play_laid(rules, specs, hands, upcard, stock, scripts=scripts)


def moves(played):
    """Put moves into words: (source, taken, thrown)."""
    return [(source, face_name(face), face_name(thrown)) for source, face, thrown in played.moves]


def is_exit(played, kind, seat, payment, turns):
    outcome = played.outcome
    assert played.stopped == ""
    assert (played.end, played.kind) == ("exit", kind)
    assert [outcome[name] for name in ("seat", "winner", "payment", "turns")] == [
        seat, seat, payment, turns,
    ]  # fmt: skip
    return outcome


# --- The first turn is each player's own ---------------------------------------------------------


def test_the_worked_example_by_seat_3_on_turn_4_pays_18():
    played = play([JUNK, JUNK, JUNK, NEARLY], ["-4H", "-5H", "-7H", "-KS"], stock="4H 5H 7H 5C")
    is_exit(played, "first_turn", 3, 18, 4)


def test_the_worked_example_by_seat_0_on_turn_5_pays_11():
    stock = "4H 5H 7H 8H 5C"
    played = play([NEARLY, JUNK, JUNK, JUNK], ["-4H -KS", "-5H", "-7H", "-8H"], stock=stock)
    is_exit(played, "later", 0, 11, 5)


def test_the_worked_example_with_the_drawn_deuce_thrown():
    # As the guide tells it: the hand is ready, 2D is drawn and thrown. Staying before, it may.
    stays = ["script.py"] * 3 + ["script_stays.py:STAYS=1"]
    played = play(
        [JUNK, JUNK, JUNK, READY], ["-4H", "-5H", "-7H", "-2D"], stock="4H 5H 7H 2D", specs=stays
    )
    is_exit(played, "first_turn", 3, 18, 4)
    assert played.memos[3][15] == 2  # asked before drawing, and after the discard
    stays = ["script_stays.py:STAYS=2"] + ["script.py"] * 3
    played = play(
        [READY, JUNK, JUNK, JUNK],
        ["-4H -2D", "-5H", "-7H", "-8H"],
        stock="4H 5H 7H 8H 2D",
        specs=stays,
    )
    is_exit(played, "later", 0, 11, 5)


@pytest.mark.parametrize("seat", range(4))
def test_a_dealt_exit_by_each_seat(seat):
    hands = [JUNK] * 4
    hands[seat] = READY
    played = play(hands, ["-4H", "-5H", "-7H", "-8H"])
    outcome = is_exit(played, "dealt", seat, 21, seat + 1)  # 21, not 28: 10 in place of the 7
    assert outcome["deuces"] == outcome["jokers"] == outcome["one_suit"] == 0
    assert len(played.moves) == seat
    assert played.after[seat].tolist() == hand_counts(parse_hand(READY)).tolist()


def test_the_first_turn_bonuses_stack_if_the_rules_say_so():
    rules = rules_with("stack_first_turn=true")
    is_exit(play([READY, JUNK, JUNK, JUNK], [""] * 4, rules=rules), "dealt", 0, 28, 1)
    drawn = play([NEARLY, JUNK, JUNK, JUNK], ["-KS", "", "", ""], stock="5C", rules=rules)
    is_exit(drawn, "first_turn", 0, 18, 1)


def test_the_best_hand_pays_33_and_its_winner_gets_132_of_five():
    # EDGE_CASES: a ledger in int8.
    rules = rules_with("seats=5")
    best = "2C 2C 2D 2D 2H 2H 2S 2S JK JK 5C 7C 9C JC KC"
    outcome = is_exit(play([best, *[JUNK] * 4], [""] * 5, rules=rules), "dealt", 0, 33, 1)
    assert (outcome["deuces"], outcome["jokers"], outcome["one_suit"]) == (8, 2, 1)


@pytest.mark.parametrize("thrown", ["JK", "2S"])
def test_a_wild_card_that_is_thrown_pays_nothing_and_spoils_nothing(thrown):
    hands = [f"3C 4C {thrown} {T}", JUNK, JUNK, JUNK]
    outcome = is_exit(
        play(hands, [f"-{thrown}", "", "", ""], stock="5C", specs=STAYS_ONCE),
        "first_turn",
        0,
        18,
        1,
    )
    assert outcome["deuces"] == outcome["jokers"] == 0


def test_a_wild_card_that_stays_pays():
    hands = [f"3C 4C 2D {T}", JUNK, JUNK, JUNK]
    played = play(hands, ["-5C", "", "", ""], stock="5C", specs=STAYS_ONCE)
    assert is_exit(played, "first_turn", 0, 1 + 1 + 7, 1)["deuces"] == 1


def test_patterns_that_the_exit_fits():
    played = play([READY, JUNK, JUNK, JUNK], [""] * 4)
    assert played.outcome["patterns"] == 1  # 3+3+3+3+3 alone
    many = "3C 4C 5C 6C 7C 8C 9C TC JC QC KC AC 2D 2S JK"
    assert play([many, JUNK, JUNK, JUNK], [""] * 4).outcome["patterns"] == 0b111


# --- Whether to go out ---------------------------------------------------------------------------


def test_after_its_first_turn_a_seat_draws_before_it_goes_out():
    rules = rules_with("max_rounds=3")
    stays = ["script_stays.py:STAYS=99"] + ["script.py"] * 3
    scripts = ["-4H -4H -4H", "-5H -5H -5H", "-7H -7H -7H", "-8H -8H -8H"]
    stock = "4H 5H 7H 8H " * 3
    played = play([READY, JUNK, JUNK, JUNK], scripts, stock=stock, rules=rules, specs=stays)
    assert played.end == "capped"
    assert played.memos[0][15] == 1 + 3  # before the first draw, and after each of three discards


def test_a_player_is_asked_only_when_its_cards_fit():
    rules = rules_with("max_rounds=2")
    stays = ["script_stays.py:STAYS=99"] + ["script.py"] * 3
    played = play(
        [NEARLY, JUNK, JUNK, JUNK],
        ["-KS -5C", "-5H -5H", "-7H -7H", "-8H -8H"],
        stock="5C 5H 7H 8H TS 5H 7H 8H",
        rules=rules,
        specs=stays,
    )
    assert played.end == "capped"
    assert played.memos[0][15] == 1  # with 5C; not with TS in its place


def test_exit_mandatory_does_not_ask():
    rules = rules_with("exit_mandatory=true")
    stays = ["script_stays.py:STAYS=99"] + ["script.py"] * 3
    played = play([READY, JUNK, JUNK, JUNK], [""] * 4, rules=rules, specs=stays)
    is_exit(played, "dealt", 0, 21, 1)
    assert played.memos[0][15] == 0
    played = play([NEARLY, JUNK, JUNK, JUNK], ["-KS"] * 4, stock="5C", rules=rules, specs=stays)
    is_exit(played, "first_turn", 0, 18, 1)


# --- The discard pile ----------------------------------------------------------------------------


def test_the_upcard_is_taken_and_the_next_one_below_stays():
    played = play(
        [JUNK] * 4, ["<3C", "<4S", "-5H", "-7H"], stock="5H 7H", rules=rules_with("max_rounds=1")
    )
    assert moves(played) == [
        (PILE, "KH", "3C"), (PILE, "3C", "4S"), (STOCK, "5H", "5H"), (STOCK, "7H", "7H"),
    ]  # fmt: skip
    assert played.pile == parse_hand("4S 5H 7H")


def test_the_card_just_taken_may_be_thrown_back():
    played = play([JUNK] * 4, ["<KH"] * 4, rules=rules_with("max_rounds=1"))
    assert moves(played) == [(PILE, "KH", "KH")] * 4
    assert played.pile == parse_hand("KH")


def test_return_taken_can_be_forbidden():
    rules = rules_with("return_taken=forbid", "max_rounds=1")
    played = play([JUNK] * 4, ["<KH"] * 4, rules=rules)
    assert "threw KH, which it had just taken (return_taken = forbid)" in played.stopped
    assert "seat 0, turn 1" in played.stopped
    drawn = play([JUNK] * 4, ["-4H", "-5H", "-7H", "-8H"], rules=rules)
    assert drawn.stopped == ""  # a card from the stock may go at once


def test_a_forbidden_card_is_free_again_in_the_next_turn():
    rules = rules_with("return_taken=forbid", "max_rounds=2")
    played = play([JUNK] * 4, ["<3C -KH", "-4H -TS", "-5H -JS", "-7H -8H"],
                  stock="4H 5H 7H 9S TS JS 8H", rules=rules)  # fmt: skip
    assert played.stopped == ""
    assert moves(played)[4] == (STOCK, "9S", "KH")


def test_a_copy_held_before_may_be_thrown_even_then():
    # Copies are alike: the one that was in the hand may go.
    rules = rules_with("return_taken=forbid", "max_rounds=1")
    played = play([JUNK] * 4, ["<QH", "-4H", "-5H", "-7H"], upcard="QH", rules=rules)
    assert played.stopped == ""
    assert moves(played)[0] == (PILE, "QH", "QH")


@pytest.mark.parametrize("wild", ["2D", "JK"])
def test_a_wild_upcard_may_be_taken_or_not_by_the_rules(wild):
    scripts = ["<3C", "-4H", "-5H", "-7H"]
    one = rules_with("max_rounds=1")
    assert moves(play([JUNK] * 4, scripts, upcard=wild, rules=one))[0] == (PILE, wild, "3C")
    bound = rules_with("max_rounds=1", "wild_discard_takeable=false")
    played = play([JUNK] * 4, scripts, upcard=wild, stock="9S 4H 5H 7H", rules=bound)
    assert moves(played)[0] == (STOCK, "9S", "3C")
    assert [memo[14] for memo in played.memos] == [0, 1, 1, 1]  # nor was seat 0 asked


def test_a_deuce_that_is_not_wild_may_be_taken():
    rules = rules_with("max_rounds=1", "wild_discard_takeable=false", "wild_ranks=3")
    played = play([JUNK] * 4, ["<4S", "-4H", "-5H", "-7H"], upcard="2D", rules=rules)
    assert moves(played)[0] == (PILE, "2D", "4S")


@pytest.mark.parametrize("face", ["KS", "JK", "2H"])
def test_one_of_two_copies_is_thrown_and_the_other_stays(face):
    # EDGE_CASES: a discard that removes both copies; the last index, 52, never discarded.
    hand = f"{face} {face} 3D 3H 6C 6D 6H 9C 9D 9H QC QD QH 4S 8S"
    rules = rules_with("max_rounds=1")
    played = play([hand, JUNK, JUNK, JUNK], [f"-{face}", "-5H", "-7H", "-8H"], rules=rules)
    assert played.after[0][parse_face(face)] == 1
    assert played.after[0].sum() == 15
    assert played.pile[1] == parse_face(face)


# --- The stock and the recycling -----------------------------------------------------------------


def test_the_pile_is_recycled_only_when_a_card_is_wanted():
    scripts = ["-4H", "<3C", "-5H", "<3D"]
    played = play([JUNK] * 4, scripts, stock="4H", rules=rules_with("max_rounds=1"))
    sources = [source for source, _, _ in played.moves]
    assert played.stopped != ""  # seat 2 gets the only card that was recycled, KH, and has no 5H
    assert sources == [STOCK, PILE]
    scripts = ["-4H", "<3C", "-KH", "<3D"]
    played = play([JUNK] * 4, scripts, stock="4H", rules=rules_with("max_rounds=1"))
    # The stock is empty after seat 0; seat 1 takes the upcard and nothing is recycled; then it is.
    assert moves(played) == [
        (STOCK, "4H", "4H"), (PILE, "4H", "3C"), (RECYCLED, "KH", "KH"), (PILE, "KH", "3D"),
    ]  # fmt: skip
    assert played.pile == parse_hand("3C 3D")  # the top of then, 3C, has stayed
    assert played.outcome["recycles"] == 1


def test_the_top_that_stays_can_still_be_taken_and_the_seat_is_not_asked_again():
    scripts = ["-4H", "-KH", "<3C", "<4S"]
    played = play([JUNK] * 4, scripts, stock="4H", rules=rules_with("max_rounds=1"))
    assert moves(played)[1] == (RECYCLED, "KH", "KH")  # 4H stays below KH
    assert moves(played)[2:] == [(PILE, "KH", "3C"), (PILE, "3C", "4S")]
    assert played.pile == parse_hand("4H 4S")
    assert [memo[14] for memo in played.memos] == [1, 1, 1, 1]


def test_nothing_is_recycled_when_the_stock_becomes_empty():
    rules = rules_with("max_rounds=1")
    played = play([JUNK] * 4, ["-4H", "-5H", "-7H", "-8H"], stock="4H 5H 7H 8H", rules=rules)
    assert played.end == "capped"
    assert played.outcome["recycles"] == 0
    assert played.pile == parse_hand("KH 4H 5H 7H 8H")


@pytest.mark.parametrize("limit", [0, 1, 2])
def test_a_deal_is_drawn_when_nothing_may_be_recycled_and_the_top_is_declined(limit):
    rules = rules_with(f"recycles={limit}", "seats=2", "packs=1", "jokers=0")
    with table_of(rules, "highest.py", seed=8) as memory:
        outcome = np.zeros(1, OUTCOME).view(np.recarray)[0]
        dealing.deal_cards(memory.game, memory.rules, memory.public, 0)
        assert playing.play_deal(memory.game, memory.rules, memory.public, outcome) == turns.DONE
        assert outcome.end == 1
        assert outcome.recycles == limit
        # 21 cards lie in the stock, and each recycling leaves one out that stays.
        assert outcome.turns == 21 + 21 * limit + 1
        assert [outcome[name] for name in ("kind", "winner", "seat", "payment")] == [-1, -1, -1, 0]
        assert outcome.patterns == 0
        assert memory.public.stock_size == 0


def test_the_upcard_goes_on_when_the_stock_is_gone_and_none_may_be_recycled():
    rules = rules_with("recycles=0", "max_rounds=2")
    scripts = ["-4H <3C", "<3C -QC", "<3D", "<3H"]
    played = play([JUNK] * 4, scripts, stock="4H", rules=rules)
    assert [source for source, _, _ in played.moves] == [STOCK, PILE, PILE, PILE, PILE]
    assert (played.end, played.outcome["turns"]) == ("drawn", 6)  # seat 1 declines
    assert played.outcome["seat"] == played.outcome["winner"] == -1


def test_seven_seats_start_with_an_empty_stock():
    rules = rules_with("seats=7", "max_rounds=2")
    hands = [JUNK] * 7
    drawn = play(hands, ["-3C", *[""] * 6], stock="", rules=rules)
    assert (drawn.end, drawn.outcome["turns"], drawn.outcome["recycles"]) == ("drawn", 1, 0)
    assert drawn.moves == []
    # One who takes the upcard keeps the deal alive; there is nothing to recycle below it.
    alive = play(hands, ["<KH", "<3C", "-3C", *[""] * 4], stock="", rules=rules)
    assert (alive.end, alive.outcome["turns"]) == ("drawn", 3)
    assert alive.pile == parse_hand("3C")
    back = play(hands, ["<KH <KH"] * 7, stock="", rules=rules)
    assert (back.end, back.outcome["turns"]) == ("capped", 14)


@pytest.mark.parametrize("rounds", [1, 2, 7])
@pytest.mark.parametrize("seats", [2, 4, 5])
def test_the_cap_falls_after_full_rounds(rounds, seats):
    rules = rules_with(f"max_rounds={rounds}", f"seats={seats}")
    with table_of(rules, "highest.py", seed=8) as memory:
        lay(memory, rules, [JUNK] * seats, "KH", "4H " * rounds * seats)
        outcome = np.zeros(1, OUTCOME).view(np.recarray)[0]
        playing.play_deal(memory.game, memory.rules, memory.public, outcome)
        assert (outcome.end, outcome.turns) == (2, rounds * seats)
        assert [outcome[name] for name in ("kind", "winner", "payment", "deuces")] == [
            -1,
            -1,
            0,
            -1,
        ]
        assert memory.game.sums[:seats, turns.TURNS].tolist() == [rounds] * seats


# --- Illegal cards -------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [DEFAULT, rules_with("jokers=0"), rummy_with()], ids=str)
def test_a_face_that_the_pack_does_not_have_is_none(rules):
    last = 52 if rules.copies(52) else 51
    text = (
        "GAMES = ('continental', 'basic-rummy')\n\n\n"
        "def take_discard(view):\n    return False\n\n\n"
        "def choose_discard(view):\n    return 52\n"
    )
    told = "threw JK, which it does not hold|" if last == 52 else ""
    told += f"threw card {last + 1}, which is no face: 0 to {last}, in deal 0"
    for card in (last + 1, 52):
        with pytest.raises(StudyFailed, match=told):
            play_block(make_study(rules, [strategy(text.replace("52", str(card)))], 1, 4), 0, 4)


@pytest.mark.parametrize("asked", ["pips", "deadwood_with", "deadwood_without", "lays", "chances"])
def test_basic_rummy_is_not_asked_about_a_joker(asked):
    text = (
        f"from continental_sim.api import {asked}, first_held\n\nGAMES = ('basic-rummy',)\n\n\n"
        "def take_discard(view):\n    return False\n\n\n"
        f"def choose_discard(view):\n    return first_held(view) + 0 * {asked}(view, 52)\n"
    )
    with pytest.raises(StudyFailed, match="from 0 to 51: it has no joker"):
        play_block(make_study(rummy_with(), [strategy(text)], 1, 4), 0, 4)


@pytest.mark.parametrize(
    ("card", "part"),
    [
        ("return 7", "threw 8C, which it does not hold"),
        ("return 53", "threw card 53, which is no face: 0 to 52"),
        ("return -1", "threw card -1, which is no face: 0 to 52"),
        ("return 1 << 40", f"threw card {1 << 40}, which is no face"),
        ("return view.hand[200]", "raised IndexError"),
        ("return 1 // (view.seat - view.seat)", "raised ZeroDivisionError"),
    ],
)
def test_an_illegal_card_stops_the_deal_at_its_place(card, part):
    spec = f"def take_discard(view):\n    return False\n\n\ndef choose_discard(view):\n    {card}\n"
    played = play([JUNK] * 4, ["-4H"] * 4, specs=["script.py", spec, "script.py", "script.py"])
    assert part in played.stopped
    assert played.stopped.startswith("strategy inline (player 1) ")
    assert played.stopped.endswith(", in deal 0, seat 1, turn 2")
    assert len(played.moves) == 1
