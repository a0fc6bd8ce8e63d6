"""The commands on a real, small study: run, show, run again, replay, report."""

import json
import signal
import tomllib
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from continental_sim import engine, parquet, simulate
from continental_sim.cli import main

SMALL = ["--jobs", "1", "--backend", "threading"]


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    directory = tmp_path_factory.mktemp("runs") / "mine"
    line = ["run", "--deals", "400", "--seed", "1", "-s", "fastest", "-s", "stock", "--seats", "2"]
    assert main([*line, *SMALL, "--out", str(directory), "--quiet"]) == 0
    return directory


def test_shown_again_it_is_what_was_printed(study, capsys, tmp_path):
    again = tmp_path / "again"
    manifest = str(study / "manifest.toml")
    assert main(["run", manifest, *SMALL, "--out", str(again), "--json", "-q"]) == 0
    played = capsys.readouterr()
    assert played.err == ""
    assert main(["show", str(again), "--json"]) == 0
    assert capsys.readouterr().out == played.out
    figures = json.loads(played.out)
    assert (figures["deals"], figures["seed"]) == (400, 1)
    assert figures["ends"]["exit"] == 400


def test_a_manifest_played_again_gives_the_same_cube(study, tmp_path):
    again = tmp_path / "again"
    assert main(["run", str(study), *SMALL, "--out", str(again), "-q"]) == 0
    for path in study.glob("*.parquet"):
        assert path.read_bytes() == (again / path.name).read_bytes(), path.name


@pytest.mark.parametrize("deal", range(5))
def test_a_told_deal_fits_80_columns(study, capsys, deal):
    assert main(["replay", str(study), "--deal", str(deal)]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_any_deal_is_told(study, capsys):
    assert main(["replay", str(study), "--deal", "7"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Deal 7 of seed 1")
    assert main(["replay", str(study), "--deal", "7", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["deal"] == 7
    assert " ".join(found["lines"]).split() == told.split()


def test_a_failing_strategy_is_status_1_and_keeps_what_had_finished(capsys, tmp_path):
    (tmp_path / "late.py").write_text(
        '"""Late: asks for a card that it need not hold."""\n\n\n'
        "def take_discard(view):\n    return False\n\n\n"
        "def choose_discard(view):\n    return 0\n"
    )
    line = ["run", "--deals", "40", "--seed", "1", "-s", str(tmp_path / "late.py")]
    assert main([*line, *SMALL, "--out", str(tmp_path / "out"), "-q"]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("contsim: ")
    assert captured.err.count("\n") == 1
    assert "late.py" in captured.err
    assert "deal 0" in captured.err


def stop_after(monkeypatch, blocks):
    """Press Ctrl-C while the block after so many is played."""
    played = []

    def play(*arguments):
        if len(played) == blocks:
            signal.raise_signal(signal.SIGINT)
        played.append(arguments)
        return engine.play_cubes(*arguments)

    monkeypatch.setattr(simulate, "play_cubes", play)


LONG = ["run", "--deals", "40k", "--seed", "1", *SMALL, "--records", "--out", "here"]


def test_ctrl_c_before_a_block_has_finished_keeps_nothing(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    stop_after(monkeypatch, 0)
    assert main(LONG) == 130
    assert capsys.readouterr().err == (
        "contsim: stopped by Ctrl-C before a block had finished; nothing is kept\n"
    )
    assert not list(tmp_path.iterdir())


def test_ctrl_c_keeps_the_blocks_that_had_finished(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    stop_after(monkeypatch, 2)
    assert main(LONG) == 130
    assert capsys.readouterr().err == (
        "contsim: stopped by Ctrl-C; what had finished is kept, see it with contsim show here\n"
    )
    check_kept(capsys, blocks=2)


def test_ctrl_c_while_a_block_is_kept_does_not_tear_it(monkeypatch, capsys, tmp_path):
    monkeypatch.chdir(tmp_path)
    write = parquet.RecordsWriter.write

    def interrupted(*arguments):
        signal.raise_signal(signal.SIGINT)
        write(*arguments)

    monkeypatch.setattr(parquet.RecordsWriter, "write", interrupted)
    assert main(LONG) == 130
    assert "kept" in capsys.readouterr().err
    check_kept(capsys, blocks=1)


def check_kept(capsys, *, blocks):
    assert main(["show", "here", "--json"]) == 0
    deals = json.loads(capsys.readouterr().out)["deals"]
    manifest = tomllib.loads(Path("here/manifest.toml").read_text(encoding="utf-8"))
    assert manifest["finished"]["blocks"] == blocks
    assert manifest["finished"]["deals"] == deals
    assert pq.read_metadata("here/records.parquet").num_rows == deals
    assert main(["show", "here"]) == 0
    assert "Stopped before the end of 40,000 deals" in capsys.readouterr().out


def test_progress_starts_at_nothing_and_ends_at_all(monkeypatch, tmp_path, study):
    calls = []
    monkeypatch.setattr("continental_sim.cli.run.progress_bar", lambda *, quiet: Watcher(calls))
    again = ["run", str(study), *SMALL, "--out", str(tmp_path / "again"), "-q"]
    assert main(again) == 0
    assert (calls[0], calls[-1]) == ((0, 400), (400, 400))


class Watcher:
    def __init__(self, calls):
        self.calls = calls

    def __call__(self, done, total):
        self.calls.append((done, total))

    def close(self):
        pass


@pytest.mark.parametrize(
    "line", [["replay", "STUDY", "--deal", "7"], ["strategies", "check", "stock"]]
)
def test_slow_first_use_is_announced(study, capsys, monkeypatch, line):
    warmed = []
    monkeypatch.setattr(engine, "is_warm", lambda rules: False)
    monkeypatch.setattr(engine, "warm_up", warmed.append)
    assert main([str(study) if word == "STUDY" else word for word in line]) == 0
    err = capsys.readouterr().err
    assert err == f"contsim: {simulate.FIRST_USE}\n"
    assert len(err) <= 80
    assert len(warmed) == 1
