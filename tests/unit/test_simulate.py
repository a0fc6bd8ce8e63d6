"""Studies played: the same bytes whoever does the work, and nothing finished is lost."""

import json
from hashlib import sha256

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from continental_sim.columns import CONTINENTAL
from continental_sim.engine import play_block
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.files.parts import read_outcomes, survey
from continental_sim.files.store import read_study
from continental_sim.grouping import group
from continental_sim.interrupts import Interrupted
from continental_sim.play import running
from continental_sim.play.means import Means, Watcher
from continental_sim.play.simulate import run_study
from continental_sim.spans import Span
from continental_sim.study import load_study, make_study
from tests.reference import pack_order
from tests.strategy_files import breaks_in
from tests.tabletop import DEFAULT, play_deal, rules_with, strategy, study_of

MIXED = ["fastest", "stock", "neighbours", "random"]
FILES = ("cube", "sessions", "openings", "faces", "behaviour")


@pytest.fixture(autouse=True)
def workers(monkeypatch):
    """Start workers for small studies too, which do not pay."""
    monkeypatch.setattr(running, "WORKERS_PAY", -1.0)


def digests(directory, files=FILES):
    return {
        name: sha256((directory / f"{name}.parquet").read_bytes()).hexdigest() for name in files
    }


# --- The same seed, the same bytes ---------------------------------------------------------------


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    """A study played in one process, in one block."""
    directory = tmp_path_factory.mktemp("plain") / "study"
    run_study(study_of(DEFAULT, MIXED, 4001, seed=81, block_deals=100_000), directory, Means(1))
    return digests(directory)


@pytest.mark.parametrize(
    ("jobs", "backend", "block_deals"),
    [
        (1, "loky", 36),
        (1, "loky", 1001),
        (2, "threading", 500),
        (3, "threading", 77),
        (2, "loky", 300),
        (3, "loky", 999),
        (None, "loky", None),
    ],
)
def test_no_byte_depends_on_jobs_back_end_or_blocks(plain, tmp_path, jobs, backend, block_deals):
    study = study_of(DEFAULT, MIXED, 4001, seed=81, block_deals=block_deals)
    run_study(study, tmp_path / "study", Means(jobs, backend))
    assert digests(tmp_path / "study") == plain


def test_other_seeds_give_other_bytes(plain, tmp_path):
    run_study(study_of(DEFAULT, MIXED, 4001, seed=82), tmp_path / "study", Means(1))
    assert digests(tmp_path / "study")["cube"] != plain["cube"]


def test_an_interpreted_strategy_does_not_depend_on_blocks_or_workers_either(tmp_path):
    # As a module it remembers what it saw: but no longer than a block, and here it does not tell.
    text = (
        "import json\nfrom continental_sim.api import best_discard, roll\n\nSEEN = []\n\n\n"
        "def take_discard(view):\n    return roll(view, 3) == 0\n\n\n"
        "def choose_discard(view):\n    SEEN.append(view.turn)\n    return best_discard(view)\n"
    )
    found = []
    for number, (jobs, backend, blocks) in enumerate(
        [(1, "loky", 40), (2, "threading", 8), (2, "loky", 12)]
    ):
        study = make_study(DEFAULT, [strategy(text)], 83, 40, block_deals=blocks)
        run_study(study, tmp_path / f"{number}", Means(jobs, backend))
        found.append(digests(tmp_path / f"{number}"))
    assert found[0] == found[1] == found[2]


def test_a_manifest_is_a_study_that_plays_the_same_again(plain, tmp_path):
    run_study(study_of(DEFAULT, MIXED, 4001, seed=81), tmp_path / "one", Means(1))
    again = load_study(tmp_path / "one" / "manifest.toml")
    run_study(again, tmp_path / "two", Means(1))
    assert digests(tmp_path / "two") == plain


def test_records_do_not_depend_on_blocks_and_sum_to_the_cube(tmp_path):
    frames = []
    for number, blocks in enumerate((12, 400)):
        study = study_of(DEFAULT, MIXED, 402, seed=84, block_deals=blocks)
        run_study(study, tmp_path / f"{number}", Means(1), records=True)
        frames.append(pd.read_parquet(tmp_path / f"{number}" / "records.parquet"))
    pd.testing.assert_frame_equal(*frames)
    assert frames[0]["deal"].tolist() == list(range(402))
    outcomes = play_block(study_of(DEFAULT, MIXED, 402, seed=84), 0, 402).outcomes
    assert frames[0]["turns"].tolist() == outcomes.turns.tolist()
    assert frames[0]["dealer"].tolist() == outcomes.dealer.tolist()
    cube = pd.read_parquet(tmp_path / "0" / "cube.parquet")
    assert cube["count"].sum() == 402
    keys = [name for name in cube.columns if name not in ("count", "first_deal")]
    counted = frames[0].groupby(keys, dropna=False, observed=True)["deal"].agg(["size", "min"])
    assert sorted(counted["size"]) == sorted(cube["count"])
    assert sorted(counted["min"]) == sorted(cube["first_deal"])


# --- Sessions and ledgers ------------------------------------------------------------------------


def test_ledgers_sum_to_zero_and_an_incomplete_session_counts_as_deals_only(tmp_path):
    rules = rules_with("seats=5", "max_rounds=12")
    deals = 5 * 60 + 3
    stored = run_study(study_of(rules, "fastest", deals, seed=85), tmp_path / "study", Means(1))
    sessions = stored.cubes.sessions
    assert (sessions["ledger"] * sessions["count"]).sum() == 0
    assert sessions["count"].sum() == 60 * 5
    assert stored.cubes.cube["count"].sum() == deals
    # Win shares: each session shares out one win.
    leads = sessions[sessions["leaders"] > 0]
    assert (leads["count"] / leads["leaders"]).sum() == pytest.approx(60)
    # Against a ledger kept by hand.
    by_hand = np.zeros(5, int)
    for outcome in play_block(study_of(rules, "fastest", deals, seed=85), 0, 300).outcomes:
        if outcome.end == 0:
            by_hand -= outcome.payment
            by_hand[outcome.winner] += 5 * outcome.payment
    for player in range(5):
        mine = sessions[sessions["player"] == player]
        assert (mine["ledger"] * mine["count"]).sum() == by_hand[player]


def test_every_row_of_the_cube_replays(tmp_path):
    stored = run_study(study_of(DEFAULT, MIXED, 400, seed=86), tmp_path / "study", Means(1))
    for row in stored.cubes.cube[::40]:
        played = play_deal(DEFAULT, MIXED, int(row["first_deal"]), seed=86, fixed_order=False)
        for name in ("end", "kind", "payment", "turns", "winner", "seat", "deuces", "recycles"):
            assert played.outcome[name] == row[name]


# --- Failures ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("jobs", "backend"), [(1, "loky"), (2, "loky"), (2, "threading")])
def test_what_had_finished_before_a_failure_is_kept(tmp_path, jobs, backend):
    study = make_study(DEFAULT, [strategy(breaks_in(777, 87))], 87, 4000, block_deals=100)
    directory = tmp_path / "study"
    with pytest.raises(StudyFailed) as failed:
        run_study(study, directory, Means(jobs, backend), records=True)
    stored = read_study(directory)
    kept = stored.cubes.deals
    # Those that had begun are finished, which workers do while the failure is on its way.
    assert 700 <= kept < (800 if jobs == 1 else 3000)
    message = str(failed.value)
    for part in (
        "strategy inline", "raised ZeroDivisionError", "in deal 777, seat 0, turn 1",
        f"{kept:,} of 4,000 deals are kept", f"contsim replay {directory} --deal 777",
    ):  # fmt: skip
        assert part in message
    assert "\n" not in message
    assert stored.manifest["state"]["status"] == "unfinished"
    assert "ZeroDivisionError" in stored.manifest["state"]["reason"]
    found = survey(directory / "parts", stored.manifest["study"]["mark"])
    assert {Span(first, first + 100) for first in range(0, 700, 100)} <= set(found.cubes)
    assert not [span for span in found.cubes if span.first <= 777 < span.end]
    assert found.records.keys() == found.cubes.keys()
    played = np.concatenate(
        [play_block(study, span.first, span.deals).outcomes for span in sorted(found.records)]
    )
    assert (
        np.concatenate(list(read_outcomes(found.records, CONTINENTAL))).tolist() == played.tolist()
    )
    assert stored.cubes.cube.tolist() == group(played, CONTINENTAL.cube).tolist()


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_a_block_that_is_still_played_when_a_later_one_fails_is_kept(tmp_path, backend):
    seed = 94
    slow, bad = (
        sum((face + 3) ** 3 for face in pack_order(DEFAULT, seed, deal)[:15]) for deal in (8, 13)
    )
    text = (
        "import time\n\n\n"
        "def take_discard(view):\n"
        "    if view.seat == 0 and view.turn == 1:\n"
        "        code = sum(view.hand[face] * (face + 3) ** 3 for face in range(53))\n"
        f"        if code == {slow}:\n"
        "            time.sleep(1.5)\n"
        f"        if code == {bad}:\n"
        "            raise ValueError('bad luck')\n"
        "    return False\n\n\n"
        "def choose_discard(view):\n"
        "    return next(face for face in range(53) if view.hand[face] > 0)\n"
    )
    rules = rules_with("max_rounds=3")
    study = make_study(rules, [strategy(text)], seed, 40, block_deals=4)
    with pytest.raises(StudyFailed, match=r"ValueError: bad luck .*in deal 13"):
        run_study(study, tmp_path / "study", Means(2, backend))
    assert read_study(tmp_path / "study").cubes.cube["first_deal"].min() == 0
    found = survey(
        tmp_path / "study" / "parts", read_study(tmp_path / "study").manifest["study"]["mark"]
    )
    assert {Span(0, 4), Span(4, 8), Span(8, 12)} <= set(found.cubes)


def test_an_illegal_card_in_one_deal_is_placed(tmp_path):
    study = make_study(DEFAULT, [strategy(breaks_in(41, 88, "60"))], 88, 80, block_deals=40)
    with pytest.raises(
        StudyFailed, match=r"threw card 60, which is no face.*in deal 41, seat 0, turn 1"
    ):
        run_study(study, tmp_path / "study", Means(1))
    assert read_study(tmp_path / "study").cubes.deals == 40


def test_a_failure_in_the_first_block_keeps_the_manifest_to_replay_it(tmp_path):
    study = make_study(DEFAULT, [strategy(breaks_in(3, 89))], 89, 80, block_deals=40)
    with pytest.raises(StudyFailed, match="no block had finished"):
        run_study(study, tmp_path / "study", Means(1))
    with pytest.raises(ContsimError, match=r"no block yet: contsim run --resume"):
        read_study(tmp_path / "study")
    assert load_study(tmp_path / "study" / "manifest.toml") == study


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_ctrl_c_keeps_what_had_finished(tmp_path, backend):
    def progress(done, wanted):
        assert wanted == 4000
        if done >= 800:
            raise KeyboardInterrupt

    study = study_of(DEFAULT, "stock", 4000, block_deals=400)
    with pytest.raises(Interrupted, match=r"Ctrl-C; 800 of 4,000 deals are kept .* --resume"):
        run_study(study, tmp_path / "study", Means(2, backend), Watcher(progress))
    stored = read_study(tmp_path / "study")
    assert stored.cubes.deals == 800
    assert stored.manifest["state"]["reason"] == "interrupted"


def test_an_unknown_back_end_is_refused():
    with pytest.raises(ContsimError, match=r"'spark'.*use loky, threading, dask or ray"):
        Means(backend="spark")


# --- What a study tells --------------------------------------------------------------------------


def test_progress_and_manifest(tmp_path):
    calls = []
    study = study_of(DEFAULT, "stock", 1000, seed=90, block_deals=400)
    stored = run_study(
        study, tmp_path / "study", Means(1),
        Watcher(lambda *done: calls.append(done), command=["contsim", "run"]),
    )  # fmt: skip
    assert calls == [(0, 1000), (400, 1000), (800, 1000), (1000, 1000)]
    manifest = stored.manifest
    assert manifest["state"] == {
        "status": "complete", "deals": 1000, "reason": "", "records": False,
    }  # fmt: skip
    assert manifest["study"]["seed"] == 90
    (run,) = manifest["runs"]
    assert run["command"] == ["contsim", "run"]
    assert run["jobs"] == 1
    assert run["deals"] == 1000
    assert run["seconds"] >= 0
    assert {"contsim", "python", "numpy", "numba"} <= set(run["versions"])
    json.dumps(dict(run["versions"]))


def test_a_study_of_capped_deals_keeps_its_types(tmp_path):
    # EDGE_CASES: Parquet types drift when a block has only nulls.
    capped = rules_with("max_rounds=1")
    run_study(study_of(capped, "highest.py", 40), tmp_path / "capped", Means(1))
    run_study(study_of(DEFAULT, "stock", 40), tmp_path / "usual", Means(1))
    for name in FILES:
        kinds = [
            pq.read_schema(tmp_path / each / f"{name}.parquet") for each in ("capped", "usual")
        ]
        assert kinds[0].equals(kinds[1])
    cube = pd.read_parquet(tmp_path / "capped" / "cube.parquet")
    assert cube["end"].tolist() == ["capped"]
    assert cube[["kind", "winner", "payment", "patterns"]].isna().all(axis=None)
