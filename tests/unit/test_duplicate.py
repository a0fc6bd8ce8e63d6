"""Studies in which each pack is dealt again in all balanced seatings."""

from itertools import combinations

import numpy as np
import pytest

from continental_sim.columns import EXIT
from continental_sim.cubes import StudyCubes, group_duels
from continental_sim.engine import play_block, play_cubes
from continental_sim.figures.estimates import proportion
from continental_sim.figures.stats import summarise
from continental_sim.play.means import Means
from continental_sim.play.simulate import run_study
from continental_sim.study import make_study, study_from_dict, study_to_dict
from continental_sim.transcript import replay
from tests.tabletop import DEFAULT, strategy

FOUR = ["fastest", "stock", "neighbours", "random"]


def duplicate(specs=FOUR, deals=48, seed=3, **options):
    found = [strategy(spec) for spec in specs]
    return make_study(DEFAULT, found, seed, deals, duplicate=True, **options)


def points(study, outcomes):
    """Points of each player, deal by deal."""
    paid = np.where(outcomes["end"] == EXIT, outcomes["payment"], 0)[:, None]
    won = outcomes["winner"][:, None] == np.arange(len(study.lineup))
    return np.where(won, (len(study.lineup) - 1) * paid, -paid)


def test_a_pack_is_dealt_again_in_each_seating():
    study = duplicate()
    assert study.session == len(study.seatings) == 24
    block = play_block(study, 0, 48)
    openings = block.openings.reshape(2, 24, 4)
    for name in ("distance", "deuces", "jokers"):
        hands = openings[name]
        assert (hands == hands[:, :1]).all(), name  # the cards of a seat are the same
    assert (openings["distance"][0] != openings["distance"][1]).any()
    seated = [study.seatings[k % 24] for k in range(48)]
    outcomes = block.outcomes
    assert outcomes["dealer"].tolist() == [seating[-1] for seating in seated]
    out = outcomes["end"] == EXIT
    assert [
        seated[k][outcomes["seat"][k]] == outcomes["winner"][k] for k in np.flatnonzero(out)
    ] == [True] * out.sum()


def test_the_packs_are_those_of_the_same_indices_elsewhere():
    study = duplicate()
    plain = make_study(DEFAULT, study.lineup, study.seed, 4)
    mine, theirs = play_block(study, 0, 48).openings, play_block(plain, 0, 4).openings
    assert mine["distance"][::24].tolist() == theirs["distance"][:2].tolist()


@pytest.mark.parametrize("specs", [["fastest"] * 2 + ["stock"] * 2, ["fastest"] + ["stock"] * 3])
def test_blocks_may_be_cut_anywhere(specs):
    study = duplicate(specs, deals=60)
    whole, _ = play_cubes(study, 0, 60, records=False)
    parts = [
        play_cubes(study, first, deals, records=False)[0] for first, deals in ((0, 7), (7, 53))
    ]
    merged = StudyCubes.merge(parts)
    for name in ("cube", "sessions", "duels", "openings"):
        assert np.array_equal(getattr(merged, name), getattr(whole, name)), name


def test_leads_are_added_up_by_hand():
    study = duplicate(["fastest", "stock", "stock", "random"], deals=480)
    assert study.alike == (0, 1, 1, 3)
    block = play_block(study, 0, 480)
    of_sessions = points(study, block.outcomes).reshape(-1, study.session, 4).sum(axis=1)
    cubes, _ = play_cubes(study, 0, 480, records=False)
    totals = {0: of_sessions[:, 0], 1: of_sessions[:, 1:3].sum(axis=1), 3: of_sessions[:, 3]}
    number = {0: 1, 1: 2, 3: 1}
    for one, other in [*combinations(totals, 2), *((k, k) for k in totals)]:
        lead = number[other] * totals[one] - number[one] * totals[other]
        lead = totals[one] if one == other else lead
        rows = cubes.duels[(cubes.duels["player"] == one) & (cubes.duels["opponent"] == other)]
        found = np.repeat(rows["lead"], rows["count"])
        assert sorted(found.tolist()) == sorted(lead.tolist())
        firsts = {int(row["lead"]): int(row["first_session"]) for row in rows}
        assert all(lead[first] == value for value, first in firsts.items())
    assert len(group_duels(of_sessions, (0, 0, 0, 0), 0)) == 0


def test_the_same_strategy_under_two_names_comes_out_equal():
    text = strategy("fastest").text
    study = duplicate(["fastest", "fastest", text, text], deals=600)
    cubes, _ = play_cubes(study, 0, 600, records=False)
    between = cubes.duels[cubes.duels["player"] != cubes.duels["opponent"]]
    assert between["lead"].tolist() == [0]


def test_a_study_file_keeps_it():
    study = duplicate()
    assert study_from_dict(study_to_dict(study)) == study


def test_any_deal_replays_in_its_seating():
    study = duplicate()
    told = replay(study, 29)
    seating = study.seatings[5]
    for seat, player in enumerate(seating):
        line = next(line for line in told.splitlines() if line.startswith(f"seat {seat}"))
        assert f"{FOUR[player]} (player {player})" in line
    assert dealt(told) == dealt(replay(study, 24))


def dealt(told):
    """The hands that a transcript begins with."""
    return [line.split(")")[1] for line in told.splitlines()[1:5]]


def test_workers_change_nothing(tmp_path):
    study = duplicate(deals=24 * 100, block_deals=24 * 10)
    one = run_study(study, tmp_path / "one", Means(1))
    two = run_study(study, tmp_path / "two", Means(2))
    for name in ("cube", "sessions", "duels", "openings"):
        assert np.array_equal(getattr(one.cubes, name), getattr(two.cubes, name)), name
    assert one.cubes.duels["count"].sum() == 100 * (4 + 6)


def test_the_deals_of_a_pack_count_as_one_where_nothing_better_is_known(tmp_path):
    stored = run_study(duplicate(deals=24 * 50), tmp_path / "one", Means(1))
    summary = summarise(stored)
    told, count = summary.exits["later"], summary.exits["later"].count
    wanted = proportion(count, 24 * 50, 0.95, 24)
    assert (told.low, told.high) == (wanted.low, wanted.high)
    assert summary.turns.design_effect == summary.payment.design_effect == 24
    assert summary.openings.distance.design_effect == 4 * 24
    assert any("dealt again in 24 seatings" in note for note in summary.notes)
    # By player the packs are what is independent; no interval is narrower than of single deals.
    rows = stored.cubes.sessions[stored.cubes.sessions["player"] == 0]
    points = np.repeat(rows["ledger"], rows["count"]) / 24
    half = 1.959964 * points.std(ddof=1) / 50**0.5
    ledger = summary.players[0].ledger
    plain = (ledger.high - ledger.low) / 2 / ledger.design_effect**0.5
    assert (ledger.high - ledger.low) / 2 == pytest.approx(max(half, plain), rel=1e-3)
