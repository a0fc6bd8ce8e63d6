"""Basic Rummy: the turn, the melds, the end of the stock and the score, laid by hand."""

import pytest

from continental_sim.cards import face_name, hand_faces, hand_text, parse_face
from continental_sim.kernels import turns
from continental_sim.kernels.laying import LANE
from tests.tabletop import play_deal, play_laid, rummy_with

STOCK, PILE, RECYCLED = turns.FROM_STOCK, turns.FROM_PILE, turns.FROM_RECYCLE
JUNK = "2D 8H TS QC"  # fits nothing here


def play(hands, scripts, stock, *changes, upcard="KH", specs="script_rummy.py"):
    """Play a deal of as many seats and cards as the hands have."""
    size = len(hands[0].split())
    rules = rummy_with(f"seats={len(hands)}", f"dealt={size}", "max_rounds=5", *changes)
    return play_laid(rules, specs, hands, upcard, stock, scripts=scripts)


def laid_in(in_sets, in_runs):
    """Name the cards that a turn has laid."""
    faces = {
        13 * suit + bit % 13
        for mask in (in_sets, in_runs)
        for suit in range(4)
        for bit in range(LANE)
        if mask >> LANE * suit + bit & 1
    }
    return hand_text(sorted(faces))


def told(played):
    """Put turns into words: what is taken, laid and thrown; nothing thrown is ``.``."""
    return [
        (
            face_name(taken),
            laid_in(*laid),
            face_name(thrown) if thrown >= 0 else ".",
        )
        for (_, taken, thrown), laid in zip(played.moves, played.laid, strict=True)
    ]


def sources(played):
    return [source for source, _, _ in played.moves]


def held(played, seat):
    return hand_text(hand_faces(played.after[seat]))


def is_exit(played, kind, seat, payment, turns, *, thrown):
    outcome = played.outcome
    assert played.stopped == ""
    assert (played.end, played.kind) == ("exit", kind)
    assert [outcome[name] for name in ("seat", "winner", "payment", "turns", "thrown")] == [
        seat, seat, payment, turns, thrown,
    ]  # fmt: skip
    assert played.after[seat].sum() == 0


def is_nobodys(played, end, turns):
    outcome = played.outcome
    assert played.stopped == ""
    assert (played.end, played.kind) == (end, None)
    assert [outcome[name] for name in ("seat", "winner", "payment", "turns", "thrown")] == [
        -1, -1, 0, turns, -1,
    ]  # fmt: skip


# --- The deal ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "size"), [(2, 10), (3, 7), (4, 7), (6, 7)])
def test_two_seats_are_dealt_ten_cards_and_more_seats_seven(seats, size):
    played = play_deal(rummy_with(f"seats={seats}"), "fastest", 0)
    assert [hand.sum() for hand in played.hands] == [size] * seats
    assert len(played.stock) == 52 - seats * size - 1


# --- Going out -----------------------------------------------------------------------------------


def test_a_hand_laid_whole_in_one_turn_goes_rummy_and_scores_double():
    # The only card left is thrown.
    played = play(["5C 6C 7C 9S 9H 9D", "2D 3H TS QC 4S AS"], ["-KD", ""], "KD")
    assert told(played) == [("KD", "5C 6C 7C 9D 9H 9S", "KD")]
    is_exit(played, "rummy", 0, 2 * (2 + 3 + 10 + 10 + 4 + 1), 1, thrown=1)


def test_the_last_card_may_be_laid_and_none_is_thrown():
    played = play(["5C 6C 7C", "2D 3H TS"], ["-.", ""], "8C")
    assert told(played) == [("8C", "5C 6C 7C 8C", ".")]
    is_exit(played, "rummy", 0, 30, 1, thrown=0)
    assert played.pile == [parse_face("KH")]


def test_the_last_card_is_laid_off_on_anothers_meld():
    played = play(["5C 6C 7C KD", "8C 9C QH QD"], ["-2H", "-."], "2H QS", "going_rummy=3")
    assert told(played) == [("2H", "5C 6C 7C", "2H"), ("QS", "8C 9C QD QH QS", ".")]
    is_exit(played, "rummy", 1, 3 * 10, 2, thrown=0)


def test_the_last_cards_are_laid_off_and_thrown():
    played = play(["5C 6C 7C KD", JUNK], ["-KD -2H", "-JS"], "2H JS 8C")
    assert told(played)[2] == ("8C", "8C", "2H")
    is_exit(played, "ordinary", 0, 2 + 8 + 10 + 10, 3, thrown=1)


def test_who_has_laid_off_before_does_not_go_rummy():
    # Seat 1 lays off one card, and later all others at once.
    hands = ["5C 6C 7C KD", "8C JH JD JS"]
    played = play(hands, ["-2H -3H", "-4S~ -2S"], "2H 4S 3H 2S")
    assert told(played)[3] == ("2S", "8C JD JH JS", "2S")
    is_exit(played, "rummy", 1, 2 * 10, 4, thrown=1)
    hands = ["5C 6C 7C KD", "8C JH JD 2S"]
    played = play(hands, ["-2H -3H", "-4S -2S"], "2H 4S 3H JS")
    assert told(played)[1::2] == [("4S", "8C", "4S"), ("JS", "JD JH JS", "2S")]
    is_exit(played, "ordinary", 1, 10, 4, thrown=1)


def test_who_has_only_laid_off_before_does_not_go_rummy_either():
    hands = ["5C 6C 7C KD", "4C 8C TC 2S"]
    played = play(hands, ["-2H -3H", "-4S -2S"], "2H 4S 3H 9C")
    assert told(played)[1::2] == [("4S", "4C 8C", "4S"), ("9C", "9C TC", "2S")]
    is_exit(played, "ordinary", 1, 10, 4, thrown=1)
    assert played.public["melded"] == [True, False]


def test_the_last_card_must_be_thrown_if_the_rules_say_so():
    # All five cards fit: one of them is kept and thrown.
    hands, scripts = ["5C 6C 7C KD", "8C 9C QH QD"], ["-2H", "-9C"]
    played = play(hands, scripts, "2H QS", "must_discard_to_go_out=true")
    assert told(played)[1] == ("QS", "8C QD QH QS", "9C")
    is_exit(played, "rummy", 1, 20, 2, thrown=1)


def test_a_hand_that_can_only_be_laid_whole_stays_if_the_last_card_must_be_thrown():
    hands, scripts = ["5C 6C 7C QD QH", "2D 8H TS 3C AS"], ["-KD -QS", "-JC", ""]
    stock = "KD JC QS"
    freed = play(hands, ["-KD -.", "-JC"], stock)
    assert told(freed)[2] == ("QS", "QD QH QS", ".")
    is_exit(freed, "ordinary", 0, 2 + 8 + 10 + 3 + 1, 3, thrown=0)
    bound = play(hands, scripts[:2], stock, "must_discard_to_go_out=true")
    assert told(bound)[2] == ("QS", "", "QS")
    assert held(bound, 0) == "QD QH"


# --- The card taken from the pile ----------------------------------------------------------------


def test_a_line_of_play_that_leaves_only_the_card_taken_is_not_entered():
    hands = ["5C 6C 7C", "2D 3H TS"]
    played = play(hands, ["<7C", "-4S"], "4S", "max_rounds=1")
    assert told(played)[0] == ("KH", "", "7C")
    assert held(played, 0) == "5C 6C KH"
    # With a card more, a meld is laid and a card kept to throw.
    played = play(["4C 5C 6C 7C", JUNK], ["<4C", "-4S"], "4S", "max_rounds=1")
    assert told(played)[0] == ("KH", "5C 6C 7C", "4C")
    assert held(played, 0) == "KH"


def test_the_card_taken_may_be_laid_and_another_be_the_last():
    played = play(["5C 6C KD", "2D 3H TS"], ["<KD", ""], "4S", upcard="7C")
    assert told(played) == [("7C", "5C 6C 7C", "KD")]
    is_exit(played, "rummy", 0, 2 * 15, 1, thrown=1)


def test_from_the_stock_the_same_card_is_thrown():
    played = play(["5C 6C 7C", "2D 3H TS"], ["-KD", ""], "KD")
    is_exit(played, "rummy", 0, 30, 1, thrown=1)


def test_the_card_taken_goes_back_only_if_the_rules_allow_it():
    hands = ["5C 6C 7C", "2D 3H TS"]
    played = play(hands, ["<KH~", ""], "4S")
    assert "threw KH, which it had just taken (return_taken = forbid)" in played.stopped
    assert "seat 0, turn 1" in played.stopped
    played = play(hands, ["<KH", ""], "4S", "return_taken=allow")
    assert told(played) == [("KH", "5C 6C 7C", "KH")]
    is_exit(played, "rummy", 0, 30, 1, thrown=1)


def test_two_players_swap_discards_until_the_cap():
    played = play([JUNK, "3C 5D 7H JS"], ["<2D <KH <3C <2D <KH", "<3C <2D <KH <3C <2D"], "4S 6S")
    assert sources(played) == [PILE] * 10
    is_nobodys(played, "capped", 10)
    assert played.outcome["recycles"] == 0
    # So do two who always take the upcard and throw the lowest card.
    played = play([JUNK, "3C 5D 7H JS"], None, "4S 6S", specs="pile.py")
    assert sources(played) == [PILE] * 10
    is_nobodys(played, "capped", 10)


# --- Melds and lay-offs --------------------------------------------------------------------------


def test_a_card_that_fits_a_set_and_a_run_lies_where_fewer_pips_are_left():
    played = play(["7C 8C 9C 7D 7H 2S", "3C 5D JH JS KD AS"], ["-QS", ""], "QS")
    assert told(played)[0] == ("QS", "7C 8C 9C", "QS")  # 7 7 2 are left, not 8 9 2
    played = play(["7C 6C 5C 7D 7H 2S", "3C 4D JH JS KD AS"], ["-QS", ""], "QS")
    assert told(played)[0] == ("QS", "7C 7D 7H", "QS")  # 5 6 2 are left, not 7 7 2
    played = play(["7C 8C 9C 7D 7H 7S", "3C 5D JH JS KD AS"], ["-QS", ""], "QS")
    is_exit(played, "rummy", 0, 2 * (3 + 5 + 10 + 10 + 10 + 1), 1, thrown=1)


def test_a_lay_off_makes_room_for_another():
    hands = ["5C 6C 7C KD", "3C 4C 8C 9C"]
    played = play(hands, ["-2H", "-QS"], "2H QS")
    assert told(played)[1] == ("QS", "3C 4C 8C 9C", "QS")
    is_exit(played, "rummy", 1, 20, 2, thrown=1)


def test_several_lay_offs_in_one_turn():
    # On both ends of a run, and the fourth card of a set; one was taken from the pile.
    hands = ["5C 6C 7C 9D 9H 9S KD", "4C 8C 9C JS QD AH 2S"]
    played = play(hands, ["-2H", "<QD"], "2H QS", upcard="KS")
    assert told(played)[1] == ("2H", "4C 8C 9C", "QD")
    assert sorted(held(played, 1).split()) == ["2H", "2S", "AH", "JS"]
    assert sources(played)[1] == PILE


def test_an_ace_is_low_or_by_the_rules_high_but_no_run_goes_round_it():
    hands, scripts, stock = ["QS KS AS 5D", JUNK], ["-4C", "-6H"], "4C 6H"
    assert told(play(hands, scripts, stock))[0] == ("4C", "", "4C")
    both = play(hands, scripts, stock, "ace=both")
    assert told(both)[0] == ("4C", "AS QS KS", "4C")
    for ace in ("low", "both"):
        around = play(["KS AS 2S 5D", JUNK], scripts, stock, f"ace={ace}")
        assert told(around)[0] == ("4C", "", "4C")


def test_one_meld_a_turn_leaves_the_other_for_the_next():
    hands, scripts = ["5C 6C 7C 9D 9H 9S", "2D 8H TS QC 3H AC"], ["-KD -KS", "-JS"]
    played = play(hands, scripts, "KD JS KS", "one_meld_per_turn=true")
    assert [laid for _, laid, _ in told(played)] == ["9D 9H 9S", "", "5C 6C 7C"]
    is_exit(played, "ordinary", 0, 2 + 8 + 10 + 10 + 3 + 1, 3, thrown=1)


def test_lay_offs_are_no_melds_of_the_turn():
    hands = ["5C 6C 7C KD", "8C 9C TC JC"]
    played = play(hands, ["-2H", "-QS"], "2H QS", "one_meld_per_turn=true")
    assert told(played)[1] == ("QS", "8C 9C TC JC", "QS")


def test_who_has_no_meld_of_its_own_lays_nothing_off_if_the_rules_say_so():
    hands, scripts = ["5C 6C 7C KD", "8C JH JD 2S"], ["-2H -3H", "-4S -2S"]
    played = play(hands, scripts, "2H 4S 3H JS", "layoff_needs_meld=true")
    # In the turn of its first meld it lays off as well, and then it has laid all at once.
    assert told(played)[1::2] == [("4S", "", "4S"), ("JS", "8C JD JH JS", "2S")]
    is_exit(played, "rummy", 1, 20, 4, thrown=1)
    assert [memo[15] for memo in played.memos] == [1, 1]


def test_three_cards_beside_a_run_are_a_meld_of_ones_own_too():
    hands = ["5C 6C 7C KD", "8C 9C TC 4S"]
    played = play(hands, ["-2H", "-QS"], "2H QS", "layoff_needs_meld=true")
    assert told(played)[1] == ("QS", "8C 9C TC", "QS")
    assert played.public["melded"] == [True, True]
    hands = ["5C 6C 7C KD", "8C 9C 3S 4S"]
    played = play(hands, ["-2H", "-QS"], "2H QS")
    assert told(played)[1] == ("QS", "8C 9C", "QS")
    assert played.public["melded"] == [True, False]


# --- Whether to lay ------------------------------------------------------------------------------


def test_a_player_is_asked_only_when_something_can_be_laid_and_may_decline():
    hands, scripts = ["5C 6C 7C KD", JUNK], ["-2H~ -3H~ -4H", "-6S -7S -8S"]
    played = play(hands, scripts, "2H 6S 3H 7S 4H 8S", "max_rounds=3")
    assert [laid for _, laid, _ in told(played)] == ["", "", "", "", "5C 6C 7C", ""]
    assert [memo[15] for memo in played.memos] == [3, 0]
    is_nobodys(played, "capped", 6)


def test_without_lay_down_the_answer_is_yes():
    played = play(["5C 6C 7C KD", JUNK], None, "2H 4S 3H 6D", specs="fastest")
    assert told(played)[0][1] == "5C 6C 7C"


# --- The stock and the recycling -----------------------------------------------------------------

DULL = ["2C 5D 9H", "3C 7D JH"]


def test_the_pile_is_recycled_when_a_card_is_wanted_and_its_top_stays():
    played = play(DULL, ["-4S -KH", "-6S"], "4S 6S", "recycle_order=turned", "max_rounds=2")
    # The stock was empty after seat 1's turn. Turned over, the first card thrown comes first.
    assert sources(played)[:3] == [STOCK, STOCK, RECYCLED]
    assert told(played)[2] == ("KH", "", "KH")
    assert [memo[14] for memo in played.memos] == [2, 2]  # who recycles is not asked again


def test_the_upcard_is_taken_from_an_empty_stock_and_nothing_is_recycled():
    played = play(DULL, ["-4S <2C", "-6S -KH"], "4S 6S", "recycle_order=turned", "max_rounds=2")
    assert sources(played)[:3] == [STOCK, STOCK, PILE]
    assert sources(played)[3] == RECYCLED  # from KH and 4S below the 2C that was thrown


@pytest.mark.parametrize(
    ("recycles", "end", "turns"),
    [("0", "drawn", 3), ("1", "drawn", 5), ("2", "drawn", 7), ("unlimited", "capped", 10)],
)
def test_when_the_stock_is_empty_once_too_often_nobody_scores(recycles, end, turns):
    # Two cards each time: what was thrown, but for the top.
    scripts = ["-4S -KH -6S -4S -KH", "-6S -4S -KH -6S -4S"]
    played = play(DULL, scripts, "4S 6S", f"recycles={recycles}", "recycle_order=turned")
    is_nobodys(played, end, turns)
    assert played.outcome["recycles"] == (4 if recycles == "unlimited" else int(recycles))


def test_a_shuffled_stock_holds_what_was_thrown_but_for_the_top():
    scripts = ["-4S -2C -5D", "-6S -3C"]
    played = play(DULL, scripts, "4S 6S")
    drawn = [taken for taken, _, _ in told(played)[2:4]]
    assert sorted(drawn) == ["4S", "KH"]
    is_nobodys(played, "drawn", 5)
    assert sorted(played.pile) == sorted(map(parse_face, ["6S", "2C", "3C"]))


def test_cards_on_the_table_are_not_recycled():
    hands = ["5C 6C 7C KD", "2D 8H TS QC"]
    played = play(hands, ["-4S -KH -3S", "-6S -4S -3D"], "4S 6S", "recycle_order=turned")
    assert told(played)[0][1] == "5C 6C 7C"
    assert told(played)[2:4] == [("KH", "", "KH"), ("4S", "", "4S")]
    is_nobodys(played, "drawn", 5)


def test_a_stock_that_is_empty_from_the_first_goes_on_with_the_pile():
    played = play(DULL, ["<2C -5D", "<3C"], "")
    assert sources(played)[:2] == [PILE, PILE]
    is_nobodys(played, "drawn", 3)  # only one card lies in the pile


# --- The score -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("ace_points", "score"), [(1, 42), (15, 70), (0, 40)])
def test_the_winner_scores_the_pips_of_all_other_hands(ace_points, score):
    hands = ["5C 6C 7C 2H", "AS KD QD 3S", "AH JD 5H 2S"]
    played = play(hands, ["-KC -2H", "-KS", "-QS"], "KC KS QS 8C", f"ace_points={ace_points}")
    is_exit(played, "ordinary", 0, score, 4, thrown=1)


# --- What all see --------------------------------------------------------------------------------


def test_a_card_taken_is_known_until_it_is_laid_or_thrown():
    hands = ["5C 6C 9S QD", JUNK]
    upcard = parse_face("KH")
    rules = ("recycles=0", "max_rounds=1")
    kept = play(hands, ["<QD", "-4S"], "4S 6S", *rules)
    assert kept.public["known"][0][upcard] == 1
    assert sum(map(sum, kept.public["known"])) == 1
    thrown = play(hands, ["<QD -KH", "-4S -6S"], "4S 2S 6S", "max_rounds=2")
    assert sum(map(sum, thrown.public["known"])) == 0
    assert thrown.public["in_pile"][upcard] == 1
    laid = play(hands, ["<QD", "-4S"], "4S 6S", *rules, upcard="7C")
    assert sum(map(sum, laid.public["known"])) == 0
    assert laid.public["on_table"][parse_face("7C")] == 1
    assert laid.public["hand_sizes"] == [1, 4]
    assert laid.public["laid"] == [3, 0]
    assert laid.public["melded"] == [True, False]
