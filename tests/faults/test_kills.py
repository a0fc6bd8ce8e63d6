"""SIGKILL, which nothing can answer: what was finished is there, and no process is left behind."""

import itertools
import signal
import time

import numpy as np
import psutil
import pytest

from continental_sim.cli import main
from tests.processes import (
    assert_gone,
    being_written,
    canonical,
    deals_kept,
    end_of,
    family_of,
    manifest_of,
    paced_study,
    resumed,
    run,
    spans_kept,
    start,
    unbroken,
    wait_for_deals,
    wait_until,
    workers_of,
    write_study_file,
)

BLOCK = 8
DEATH = "a worker process died, killed or out of memory"


# --- The parent ----------------------------------------------------------------------------------


def is_joining(directory):
    parts = len(list((directory / "parts").glob("cubes-*.arrow")))
    return parts > len(spans_kept(directory))


def kill_some_time(process, directory, dice):
    """Kill a command some blocks later: at any moment, or as it writes, or as it joins parts."""
    wait_for_deals(process, directory, deals_kept(directory) + BLOCK * int(dice.integers(1, 7)))
    moment = int(dice.integers(3))
    if moment == 0:
        time.sleep(dice.uniform(0, 0.2))
    else:
        busy = (being_written, is_joining)[moment - 1]
        wait_until(lambda: busy(directory), process, every=0)
    family, kept = family_of(process), deals_kept(directory)
    process.kill()
    killed = end_of(process)
    assert killed.status == -signal.SIGKILL
    assert killed.sentences == []
    assert_gone(family)
    assert deals_kept(directory) >= kept
    return moment


@pytest.mark.parametrize(
    ("kills", "jobs", "deals"), [(3, 1, 240), pytest.param(20, 2, 4000, marks=pytest.mark.full)]
)
def test_a_study_that_is_killed_again_and_again_ends_as_if_unbroken(tmp_path, kills, jobs, deals):
    dice = np.random.default_rng(20)
    study = paced_study(deals, BLOCK)
    expected = unbroken(study, tmp_path / "unbroken", records=True)
    file, directory = write_study_file(tmp_path / "study.toml", study), tmp_path / "study"
    line = ["run", file, "--out", directory, "--records", "--jobs", jobs, "--quiet"]
    for _ in range(kills):
        kill_some_time(start(*line, pause=0.01), directory, dice)
        line = ["run", "--resume", directory, "--jobs", jobs, "--quiet"]
    assert main(["show", str(directory)]) == 0
    kept = deals_kept(directory)
    assert BLOCK * kills <= kept < deals
    assert resumed(directory, kept) == expected
    assert len(manifest_of(directory)["runs"]) == kills + 1


@pytest.mark.full
@pytest.mark.parametrize(
    "file", ["records", "cube", "sessions", "openings", "faces", "behaviour", "manifest"]
)
def test_killed_while_the_final_files_are_written(tmp_path, file):
    study = paced_study(160, BLOCK)
    expected = unbroken(study, tmp_path / "unbroken", records=True)
    description, directory = write_study_file(tmp_path / "study.toml", study), tmp_path / "study"

    def is_there():
        if file == "manifest":
            return manifest_of(directory)["state"]["status"] == "complete"
        return (directory / f"{file}.parquet").exists()

    process = start("run", description, "--out", directory, "--records", "--jobs", 1, "--quiet")
    assert wait_until((directory / "manifest.toml").exists, process)
    wait_until(is_there, process, every=0)
    process.kill()
    end_of(process)
    assert is_there()
    done = run("run", "--resume", directory, "--quiet")
    assert (done.status, done.err) == (0, "")
    assert canonical(directory) == expected
    assert manifest_of(directory)["runs"][-1]["deals"] in {0, 160}  # nothing was played again


# --- A worker ------------------------------------------------------------------------------------


def test_the_block_of_a_killed_worker_is_played_again(tmp_path):
    study = paced_study(160, BLOCK)
    expected = unbroken(study, tmp_path / "unbroken")
    file, directory = write_study_file(tmp_path / "study.toml", study), tmp_path / "study"
    process = start("run", file, "--out", directory, "--jobs", 2, pause=0.02)
    wait_for_deals(process, directory, 5 * BLOCK)
    victim = workers_of(process)[0]
    victim.kill()
    ended = end_of(process)
    assert ended.status == 0
    assert ended.sentences[1:-1] == [f"{DEATH}; its block is played again"]
    assert canonical(directory) == expected
    assert manifest_of(directory)["runs"][-1]["deals"] == 160


@pytest.mark.full
@pytest.mark.parametrize("options", [(), ("--deal-timeout", "60s")], ids=["", "watched"])
def test_workers_that_die_again_and_again_end_the_study(tmp_path, options):
    study = paced_study(160, BLOCK)
    expected = unbroken(study, tmp_path / "unbroken")
    file, directory = write_study_file(tmp_path / "study.toml", study), tmp_path / "study"
    process = start("run", file, "--out", directory, "--jobs", 2, *options, pause=0.2)
    victims = set()

    def kill_all():
        for each in workers_of(process):
            victims.add(each.pid)
            each.kill()
        return False

    wait_until(kill_all, process)
    ended = end_of(process)
    kept = deals_kept(directory)
    assert ended.status == 1
    told = itertools.groupby(ended.sentences[1:])
    assert [text for text, _ in told] == [
        f"{DEATH}; its block is played again",
        (
            f"{DEATH}, 3 times without a block between; {kept} of 160 deals are kept in "
            f"{directory}; go on with contsim run --resume {directory}"
        )
        if kept
        else (
            f"{DEATH}, 3 times without a block between; no block had finished; go on with contsim "
            f"run --resume {directory}"
        ),
    ]
    assert not [pid for pid in victims if psutil.pid_exists(pid)]
    assert resumed(directory, kept) == expected
