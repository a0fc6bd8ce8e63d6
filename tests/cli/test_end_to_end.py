"""The commands on a real, small study: run, show, run again, replay, report."""

import json
import signal
import tomllib
from pathlib import Path

import pytest
import tomli_w

from continental_sim.authors.edges import checked_rules
from continental_sim.cli import main
from continental_sim.files import parts
from continental_sim.play import prepare, running, worker
from continental_sim.study import study_to_dict
from tests.studies import small_study
from tests.tabletop import DEFAULT

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


@pytest.fixture
def study_file(tmp_path, monkeypatch):
    """Work in an empty directory, with the description of a study of eight blocks."""
    monkeypatch.chdir(tmp_path)
    study = small_study(800, specs=["fastest"])
    Path("study.toml").write_text(tomli_w.dumps(study_to_dict(study)), encoding="utf-8")


LONG = ["run", "study.toml", *SMALL, "--records", "--out", "here"]


def stop_after(monkeypatch, blocks):
    """Press Ctrl-C while the block after so many is played."""
    played = []

    def play(*arguments):
        if len(played) == blocks:
            signal.raise_signal(signal.SIGINT)
        played.append(arguments)
        return worker.play_task(*arguments)

    monkeypatch.setattr(running, "play_task", play)


def test_ctrl_c_before_a_block_has_finished_keeps_nothing(study_file, monkeypatch, capsys):
    stop_after(monkeypatch, 0)
    assert main(LONG) == 130
    assert capsys.readouterr().err == (
        "contsim: stopped by Ctrl-C before a block had finished; nothing is kept\n"
    )
    assert [path.name for path in Path.cwd().iterdir()] == ["study.toml"]


def test_ctrl_c_keeps_the_blocks_that_had_finished(study_file, monkeypatch, capsys):
    stop_after(monkeypatch, 2)
    assert main(LONG) == 130
    assert capsys.readouterr().err == (
        "contsim: stopped by Ctrl-C; 200 of 800 deals are kept in here; go on with contsim run "
        "--resume here\n"
    )
    check_kept(capsys, blocks=2)


@pytest.mark.parametrize("kind", [parts.CubeParts, parts.RecordParts])
def test_ctrl_c_while_a_block_is_kept_does_not_tear_it(study_file, monkeypatch, capsys, kind):
    keep = kind.keep

    def interrupted(*arguments):
        signal.raise_signal(signal.SIGINT)
        keep(*arguments)

    monkeypatch.setattr(kind, "keep", interrupted)
    assert main(LONG) == 130
    assert "100 of 800 deals are kept" in capsys.readouterr().err
    check_kept(capsys, blocks=1)


def check_kept(capsys, *, blocks):
    assert main(["show", "here", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["deals"] == 100 * blocks
    manifest = tomllib.loads(Path("here/manifest.toml").read_text(encoding="utf-8"))
    assert manifest["state"]["status"] == "unfinished"
    assert manifest["runs"][-1]["deals"] == 100 * blocks
    kept = parts.survey(Path("here/parts"), manifest["study"]["mark"])
    assert list(kept.cubes) == list(kept.records)
    assert sum(span.deals for span in kept.cubes) == 100 * blocks
    assert main(["show", "here"]) == 0
    assert "800 deals" in capsys.readouterr().out


def test_progress_starts_at_nothing_and_ends_at_all(monkeypatch, tmp_path, study):
    calls = []
    monkeypatch.setattr("continental_sim.cli.playing.progress_bar", lambda *, quiet: Watcher(calls))
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
    monkeypatch.setattr(prepare, "is_compiled", lambda rules: False)
    monkeypatch.setattr(prepare, "are_ready", lambda rules: True)
    monkeypatch.setattr(prepare, "is_warm", lambda rules: False)
    monkeypatch.setattr(prepare, "warm_up", warmed.append)
    assert main([str(study) if word == "STUDY" else word for word in line]) == 0
    err = capsys.readouterr().err
    assert err == f"contsim: {prepare.SLOW_ONCE.format(prepare.ENGINE)}\n"
    assert len(err) <= 80
    # The check plays under the rules at the edges as well, and says it once.
    wanted = 1 if "replay" in line else len(set(checked_rules(DEFAULT)))
    assert len(warmed) == len(set(warmed)) == wanted
