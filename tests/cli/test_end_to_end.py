"""The commands on a real, small study: run, show, run again, replay, report."""

import json

import pytest

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


def test_any_deal_is_told(study, capsys):
    assert main(["replay", str(study), "--deal", "7"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Deal 7 of seed 1")
    assert main(["replay", str(study), "--deal", "7", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"deal": 7, "lines": told.splitlines()}


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
