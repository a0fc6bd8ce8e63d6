"""One deal told: what is said happened."""

import re

import pytest

from continental_sim.cards import parse_hand
from continental_sim.engine import play_block
from continental_sim.errors import ContsimError
from continental_sim.layouts import judge_layout
from continental_sim.transcript import replay
from tests.tabletop import DEFAULT, play_deal, rules_with, study_of

MIXED = ["fastest", "stock", "neighbours", "random"]


def told(rules, specs, deal, seed=1, **options):
    return replay(study_of(rules, specs, 8, seed=seed, **options), deal).splitlines()


@pytest.mark.parametrize("deal", range(6))
def test_the_moves_are_those_of_the_deal(deal):
    played = play_deal(DEFAULT, MIXED, deal, seed=71, fixed_order=False)
    lines = told(DEFAULT, MIXED, deal, seed=71)
    assert lines[0] == f"Deal {deal} of seed 71"
    for seat in range(4):
        start, _, cards = lines[1 + seat].partition(")")
        assert start.startswith(f"seat {seat}")
        assert ("dealer" in start) == (seat == 3)
        assert f"(player {played.seated[seat]}" in start
        assert MIXED[played.seated[seat]] in start
        counts = [parse_hand(cards).count(face) for face in range(53)]
        assert counts == played.hands[seat].tolist()
    moves = [line for line in lines if re.match(r" *\d+\. seat", line)]
    assert len(moves) == len(played.moves)
    for turn, (line, move) in enumerate(zip(moves, played.moves, strict=True)):
        assert line.startswith(f"{turn + 1:>3}. seat {turn % 4} ")
        assert ("takes" in line) == (move[0] == 1)
        assert ("recycles" in line) == (move[0] == 2)
    assert check_the_end(lines, played)


def check_the_end(lines, played):
    outcome = played.outcome
    told = next(line for line in lines if "goes out" in line)
    assert told.startswith(f"seat {outcome['seat']} goes out ")
    assert f"on turn {outcome['turns']}" in told
    layout = told.partition(": ")[2]
    verdict = judge_layout(played.rules, layout)
    assert verdict.valid
    faces = sorted(face for meld in verdict.layout.melds for face, _ in meld)
    hand = played.after[int(outcome["seat"])]
    assert faces == [face for face in range(53) for _ in range(hand[face])]
    points = [int(number) for number in re.findall(r"player \d+ ([+-]\d+)", lines[-1])]
    assert sum(points) == 0
    assert points[outcome["winner"]] == 3 * outcome["payment"]
    assert f"each opponent pays {outcome['payment']}:" in lines[-1]
    return True


def test_drawn_and_capped_deals_are_told_as_such():
    drawn = told(rules_with("seats=7"), "stock", 0)
    assert drawn[-1] == "drawn on turn 1: nothing is left to draw, nobody pays"
    capped = told(rules_with("max_rounds=2"), "highest.py", 0)
    assert capped[-1] == "capped after 2 rounds: nobody pays"
    assert len([line for line in capped if ". seat" in line]) == 8


def test_recycles_are_told():
    lines = told(rules_with("seats=6", "max_rounds=30"), "highest.py", 0)
    assert any("recycles the discards and draws" in line for line in lines)


def test_a_deal_beyond_the_study_is_told_and_a_negative_one_refused():
    assert told(DEFAULT, "stock", 10**9)[0] == "Deal 1000000000 of seed 1"
    with pytest.raises(ContsimError, match="deal -1"):
        told(DEFAULT, "stock", -1)


def test_a_deal_of_a_session_whose_dealer_is_the_winner_before():
    rules = rules_with("next_dealer=winner")
    outcomes = play_block(study_of(rules, MIXED, 40, seed=72), 0, 40).outcomes
    for deal in (1, 7, 18, 35):
        lines = told(rules, MIXED, deal, seed=72)
        assert f"(player {outcomes[deal].dealer}" in lines[4]
        assert f"seat {outcomes[deal].seat} goes out" in " ".join(lines)


def test_a_failing_strategy_is_told_last():
    bad = "def take_discard(view):\n    return 0\n\n\ndef choose_discard(view):\n    return 60\n"
    lines = told(DEFAULT, ["stock", "stock", bad, "stock"], 0, fixed_order=True)
    assert lines[-1].startswith("stopped: strategy inline (player 2) threw card 60")
    assert "in deal 0" in lines[-1]


def test_a_deal_of_more_moves_than_are_kept_says_so():
    rules = rules_with("max_rounds=5000", "seats=2", "packs=1", "jokers=0", "deuces_wild=false")
    lines = told(rules, "pile.py", 0)
    assert any("not kept" in line for line in lines)
    assert lines[-1] == "capped after 5,000 rounds: nobody pays"
