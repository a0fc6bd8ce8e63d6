"""Matches of Basic Rummy to a target score, beside a plain loop over the deals."""

from collections import Counter
from itertools import pairwise

import numpy as np
import pytest

from continental_sim.columns import BASIC_RUMMY, EXIT
from continental_sim.cubes import StudyCubes
from continental_sim.engine import play_block, play_cubes
from continental_sim.rules import BasicRummyRules, ContinentalRules
from continental_sim.rules.basic_rummy import LONGEST_MATCHES
from continental_sim.study import make_study

RULES = BasicRummyRules(seats=3, target=50)


def told(outcomes, rules):
    """Play the scores of each match over, deal by deal: (player, score, deals if it won)."""
    found, firsts = Counter(), {}
    length = rules.counted_together
    for span in range(0, len(outcomes) - length + 1, length):
        begin = span
        while begin + rules.match_deals <= span + length:
            scores, deals, winner = [0] * rules.seats, 0, None
            while deals < rules.match_deals and winner is None:
                outcome = outcomes[begin + deals]
                deals += 1
                if outcome["end"] == EXIT:
                    scores[outcome["winner"]] += int(outcome["payment"])
                    if scores[outcome["winner"]] >= rules.target:
                        winner = outcome["winner"]
            for player, score in enumerate(scores):
                key = player, score, deals if player == winner else 0
                found[key] += 1
                firsts.setdefault(key, int(outcome["deal"]) - deals + 1)
            begin += deals
            while begin % rules.session_deals:
                begin += 1
    return found, firsts


def kept(cubes):
    rows = cubes.grouped[BASIC_RUMMY.matches.name]
    keys = [tuple(map(int, row.tolist()[:3])) for row in rows]
    firsts = dict(zip(keys, map(int, rows["first_deal"]), strict=True))
    return Counter(dict(zip(keys, map(int, rows["count"]), strict=True))), firsts


@pytest.mark.parametrize("rules", [RULES, BasicRummyRules(recycles=0, target=9, seats=2)])
def test_matches_are_those_that_the_deals_tell(rules):
    study = make_study(rules, ["fastest"], 4, 3000)
    cubes, outcomes = play_cubes(study, 0, 3000, records=True)
    assert kept(cubes) == told(outcomes, rules)
    rows = cubes.grouped["matches"]
    spans = 3000 // rules.counted_together
    matches = rows["count"].sum() // rules.seats
    assert rows["count"][rows["deals"] > 0].sum() == matches  # all decided
    assert matches > 2 * LONGEST_MATCHES * spans  # few are nearly as long as they may be


def test_what_the_deals_of_a_match_do_not_decide_is_won_by_nobody():
    rules = BasicRummyRules(seats=2, target=40, max_rounds=2)
    cubes, outcomes = play_cubes(make_study(rules, ["fastest"], 4, 4000), 0, 4000, records=True)
    assert kept(cubes) == told(outcomes, rules)
    rows = cubes.grouped["matches"]
    undecided = rows["count"].sum() // 2 - rows["count"][rows["deals"] > 0].sum()
    assert undecided > 10


def test_blocks_cut_anywhere_give_the_same_matches():
    study = make_study(RULES, ["fastest"], 4, 1600)
    whole, _ = play_cubes(study, 0, 1600, records=False)
    assert len(whole.grouped["matches"]) > 100
    ends = [0, 37, 255, 256, 700, 1275, 1600]
    parts = [
        play_cubes(study, first, end - first, records=False)[0] for first, end in pairwise(ends)
    ]
    merged = StudyCubes.merge(parts[::-1])
    for name, rows in whole.rows().items():
        assert np.array_equal(merged.rows()[name], rows), name


def test_a_session_is_as_in_the_other_game_and_a_span_of_matches_whole_sessions():
    assert (RULES.session_deals, RULES.match_deals, RULES.counted_together) == (3, 51, 255)
    assert (
        ContinentalRules(seats=5).counted_together == ContinentalRules(seats=5).session_deals == 5
    )
    study = make_study(RULES, ["fastest"], 9, 153)
    assert (study.session, study.unit, study.block_deals % 255) == (3, 255, 0)
    outcomes = play_block(study, 0, 153).outcomes
    orders = [tuple(outcomes["dealer"][begin : begin + 3].tolist()) for begin in range(0, 153, 3)]
    assert all(sorted(order) == [0, 1, 2] for order in orders)
    assert len(set(orders)) == 6


def test_the_target_changes_no_deal():
    far = BasicRummyRules(seats=3, target=900)
    played = [play_block(make_study(rules, ["fastest"], 9, 90), 0, 90) for rules in (RULES, far)]
    assert np.array_equal(played[0].outcomes, played[1].outcomes)


def test_more_wins_than_a_byte_holds_are_counted():
    rules = BasicRummyRules(seats=2, target=900)
    study = make_study(rules, ["fastest", "random"], 5, 1800)
    cubes, outcomes = play_cubes(study, 0, 1800, records=True)
    wins = dict.fromkeys(range(2), 0)
    for row in cubes.sessions:
        wins[int(row["player"])] += int(row["wins"]) * int(row["count"])
    assert wins == {player: int((outcomes["winner"] == player).sum()) for player in range(2)}
    assert max(wins.values()) > 1000


def test_packs_that_are_dealt_again_make_no_matches():
    study = make_study(RULES, ["fastest", "stock", "fastest"], 4, 600, duplicate=True)
    cubes, _ = play_cubes(study, 0, 600, records=False)
    assert len(cubes.grouped["matches"]) == 0
