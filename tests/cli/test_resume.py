"""`contsim run --resume`, and studies that play until something is known, as a user sees them."""

import json
import subprocess
import sys

import pytest

from continental_sim.cli import main
from continental_sim.files.manifest import read_manifest
from continental_sim.files.store import read_study
from continental_sim.play import running
from continental_sim.play.simulate import run_study
from tests.studies import HERE, digests, play_until, refused, small_study, snapshot

ALONE = ["--jobs", "1", "--quiet"]
TARGET = ["--until", "payment=20%", "--seed", "5", "--seats", "2"]


@pytest.fixture
def study(tmp_path, monkeypatch):
    """Work in a directory with a study of which 300 of 800 deals are played."""
    monkeypatch.chdir(tmp_path)
    play_until(small_study(800), tmp_path / "mine", 300)
    return tmp_path / "mine"


def test_a_study_goes_on_and_its_table_is_that_of_all_deals(study, capsys, tmp_path):
    assert main(["run", "--resume", "mine", *ALONE]) == 0
    resumed = capsys.readouterr().out
    assert main(["show", "mine"]) == 0
    assert capsys.readouterr().out == resumed
    assert "800 deals" in resumed
    again = read_manifest(study)["runs"][-1]
    assert again["command"] == ["contsim", "run", "--resume", "mine", *ALONE]
    assert again["deals"] == 500


def test_what_the_study_is_may_be_said_again(study, capsys):
    line = "run --resume mine --seed 31 --deals 800 --first-deal 0 --out mine"
    specs = "-s fastest -s stock -s neighbours -s random"
    assert main([*line.split(), *specs.split(), *ALONE]) == 0
    assert read_study(study).complete


def test_a_complete_study_says_so_and_is_not_touched(study, capsys):
    assert main(["run", "--resume", "mine", *ALONE]) == 0
    table, before = capsys.readouterr().out, snapshot(study)
    assert main(["run", "--resume", "mine"]) == 0
    captured = capsys.readouterr()
    assert captured.out == table
    assert "complete" in captured.err
    assert snapshot(study) == before


@pytest.mark.parametrize(
    ("options", "difference"),
    [
        (["--seed", "30"], "seed = 31 against 30"),
        (["--deals", "900"], "deals = 800 against 900"),
        (["--first-deal", "8"], "first_deal = 0 against 8"),
        (["--set", "pay_dealt=9"], "pay_dealt = 10 against 9"),
        (["--fixed-order"], "fixed_order = false against true"),
        (["-s", "stock"], "line-up fastest, stock, neighbours, random against stock, stock, stock"),
        (["--records"], "--records, which it was begun without"),
        (["--out", "other"], "--out other"),
        (["--until", "payment=20%", "--max-deals", "800"], "another --until"),
    ],
)
def test_options_that_describe_another_study_are_refused(study, capsys, options, difference):
    before = snapshot(study)
    sentence = refused(capsys, "run", "--resume", "mine", *options)
    assert sentence.startswith("contsim: the study in mine is not the one that the options")
    assert f": {difference}" in sentence
    assert "leave them out to go on with it" in sentence
    assert snapshot(study) == before


def test_several_differences_are_all_named(study, capsys):
    sentence = refused(
        capsys, "run", "--resume", "mine", "--seed", "1", "--deals", "9", "--records"
    )
    for part in ("seed = 31 against 1; ", "deals = 800 against 9; ", "--records"):
        assert part in sentence


def test_no_study_is_resumed(study, capsys, tmp_path):
    assert "nowhere" in refused(capsys, "run", "--resume", "nowhere")
    assert "two studies" in refused(capsys, "run", "study.toml", "--resume", "mine")
    assert not (tmp_path / "nowhere").exists()


def test_a_merged_study_is_not_resumed(study, capsys, tmp_path):
    for number in ("1", "2"):
        assert main(["run", "--deals", "40", "--seed", number, "--out", number, *ALONE]) == 0
    assert main(["merge", "1", "2", "--out", "both", "-q"]) == 0
    capsys.readouterr()
    before = snapshot(tmp_path / "both")
    sentence = refused(capsys, "run", "--resume", "both")
    assert "merged study, which cannot be played as one" in sentence
    assert snapshot(tmp_path / "both") == before


def test_a_directory_with_something_in_it_is_refused_before_anything_is_played(study, capsys):
    before = snapshot(study)
    sentence = refused(capsys, "run", "--deals", "40", "--out", "mine")
    assert "is not empty (it holds " in sentence
    assert snapshot(study) == before


HOLD = """
import sys
from pathlib import Path
from continental_sim.files.directories import room
with room(Path("mine")):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_study_that_another_process_plays_is_refused(study, capsys):
    with subprocess.Popen(
        [sys.executable, "-c", HOLD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout.readline() == "held\n"
        for command in (["run", "--resume", "mine"], ["extend", "mine", "--deals", "1k"]):
            sentence = refused(capsys, *command, *ALONE)
            assert "another process is playing the study in mine: wait until it ends" in sentence
        other.stdin.close()
        other.wait()
    assert main(["run", "--resume", "mine", *ALONE]) == 0


# --- Until a figure is known ---------------------------------------------------------------------


def until(*options, out):
    """Play until the payment is known; return the table and the manifest."""
    assert main(["run", *TARGET, *options, "--out", out, *ALONE]) == 0


@pytest.fixture(scope="module")
def known(tmp_path_factory):
    """A study that has stopped at a planned look."""
    directory = tmp_path_factory.mktemp("known") / "study"
    until("--max-deals", "1e5", out=str(directory))
    return directory


def test_a_study_stops_at_a_look_and_says_why(known, capsys):
    manifest = read_manifest(known)
    deals = manifest["study"]["deals"]
    assert manifest["state"]["deals"] == deals < 100_000
    assert manifest["state"]["reason"].startswith("known well enough: payment = ")
    assert manifest["stopping"] == {"until": ["payment=20%"], "level": 0.95}
    assert deals % 2 == 0
    assert main(["show", str(known)]) == 0
    assert "known well enough" in capsys.readouterr().out


def test_its_deals_are_those_of_a_plain_run(known, tmp_path):
    deals = str(read_manifest(known)["study"]["deals"])
    plain = ["run", "--deals", deals, "--seed", "5", "--seats", "2", "--out", str(tmp_path / "x")]
    assert main([*plain, *ALONE]) == 0
    assert digests(tmp_path / "x") == digests(known)


def test_the_number_of_deals_depends_on_nothing_else(known, tmp_path, monkeypatch):
    monkeypatch.setattr(running, "WORKERS_PAY", -1.0)
    options = ["--jobs", "2", "--backend", "threading", "--quiet", "--max-deals", "2e5"]
    assert main(["run", *TARGET, *options, "--out", str(tmp_path / "x")]) == 0
    assert digests(tmp_path / "x") == digests(known)


def test_interrupted_and_resumed_it_stops_at_the_same_deal(known, tmp_path, monkeypatch):
    directory = str(tmp_path / "x")
    for number in range(1, 4):
        with monkeypatch.context() as stop:
            stop.setattr(running, "play_task", _interrupting(running.play_task, number))
            line = ["run", "--resume", directory] if number > 1 else ["run", *TARGET]
            more = [] if number > 1 else ["--out", directory, "--max-deals", "1e5"]
            assert main([*line, *more, *ALONE]) == 130
    assert not read_study(tmp_path / "x").complete
    assert main(["run", "--resume", directory, *ALONE]) == 0
    assert digests(tmp_path / "x") == digests(known)
    state = read_manifest(tmp_path / "x")["state"]
    assert state["reason"] == read_manifest(known)["state"]["reason"]


def _interrupting(play, after):
    """Press Ctrl-C instead of playing the block with a number."""
    played = []

    def task(*arguments):
        played.append(arguments)
        if len(played) > after:
            raise KeyboardInterrupt
        return play(*arguments)

    return task


def test_what_is_not_known_at_the_most_deals_says_so(tmp_path, capsys):
    options = ["--until", "payment=0.1%", "--max-deals", "2000", "--seed", "5"]
    assert main(["run", *options, "--out", str(tmp_path / "x"), *ALONE, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["deals"] == 2000
    reason = read_manifest(tmp_path / "x")["state"]["reason"]
    assert reason.startswith("the most, 2,000 deals, are played: payment = ")


def test_what_never_happens_never_ends_a_study(tmp_path):
    # With so few deals nobody goes out with all cards of a suit.
    options = ["--until", "one_suit=50%", "--max-deals", "400", "--seed", "5"]
    assert main(["run", *options, "--out", str(tmp_path / "x"), *ALONE]) == 0
    manifest = read_manifest(tmp_path / "x")
    assert manifest["study"]["deals"] == 400
    assert "no event in 400 " in manifest["state"]["reason"]


def test_all_targets_must_be_met(known, tmp_path):
    options = ["--until", "ledger[0]=0.04", "--max-deals", "1e5", "--out", str(tmp_path / "x")]
    assert main(["run", *TARGET, *options, *ALONE]) == 0
    manifest = read_manifest(tmp_path / "x")
    assert manifest["study"]["deals"] > read_manifest(known)["study"]["deals"]
    assert "ledger[0] = " in manifest["state"]["reason"]


# --- Until the time is over ----------------------------------------------------------------------


def test_a_study_whose_time_is_over_ends_with_the_deals_before_it(tmp_path, monkeypatch):
    monkeypatch.setattr(running.Run, "seconds", property(lambda run: float(run.deals)))
    play = ["run", "--max-time", "3000", "--seed", "31", "--deals", "32k", "-s", "stock"]
    assert main([*play, "--out", str(tmp_path / "x"), *ALONE]) == 0
    manifest = read_manifest(tmp_path / "x")
    deals = manifest["study"]["deals"]
    assert 3000 < deals < 6000
    assert manifest["state"]["reason"] == "the time of 3000 seconds was over"
    assert manifest["state"]["status"] == "complete"
    plain = ["run", "--seed", "31", "--deals", str(deals), "-s", "stock"]
    assert main([*plain, "--out", str(tmp_path / "plain"), *ALONE]) == 0
    assert digests(tmp_path / "x") == digests(tmp_path / "plain")


def test_time_that_is_over_leaves_no_gap(tmp_path, monkeypatch):
    # A part before the end is missing: it is played though no further block is begun.
    play_until(small_study(800), tmp_path / "x", 500)
    sorted((tmp_path / "x" / "parts").glob("cubes*"))[1].unlink()
    monkeypatch.setattr(running.Run, "seconds", property(lambda run: 9.0))
    assert main(["run", "--resume", str(tmp_path / "x"), "--max-time", "1", *ALONE]) == 0
    assert read_manifest(tmp_path / "x")["study"]["deals"] == 500
    run_study(small_study(500), tmp_path / "plain", HERE)
    assert digests(tmp_path / "x") == digests(tmp_path / "plain")
