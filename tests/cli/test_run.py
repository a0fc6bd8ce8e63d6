"""`contsim run` parses, calls and prints; what it calls is stood in for here."""

import json
import sys
import types
from dataclasses import dataclass

import pytest

import continental_sim
from continental_sim.cli import main
from continental_sim.cli.options import note
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.rules.continental import ContinentalRules


@dataclass(frozen=True)
class StandInStudy:
    rules: ContinentalRules
    lineup: tuple
    seed: int
    deals: int
    fixed_order: bool
    block_deals: int | None = None


class Summary:
    def __init__(self, stored, level):
        self.stored = stored
        self.level = level

    def to_json(self):
        return {"deals": self.stored.deals, "seed": self.stored.seed}


def put(monkeypatch, name, **contents):
    module = types.ModuleType(f"continental_sim.{name}")
    module.__dict__.update(contents)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(continental_sim, name, module, raising=False)


@pytest.fixture
def played(monkeypatch, tmp_path):
    """Work in an empty directory; gives what run_study was called with."""
    monkeypatch.chdir(tmp_path)
    calls = []

    def make_study(rules, specs, seed, deals, fixed_order, block_deals):
        seed = 99 if seed is None else seed
        return StandInStudy(rules, tuple(specs), seed, deals, fixed_order, block_deals)

    def run_study(study, out_dir, **options):
        calls.append((study, out_dir, options))
        assert out_dir.is_dir()
        (out_dir / "manifest.toml").touch()
        return study

    def load_study(path):
        return StandInStudy(
            ContinentalRules(seats=5), (path.name,) * 5, 7, 70, fixed_order=True, block_deals=35
        )

    put(
        monkeypatch,
        "study",
        make_study=make_study,
        load_study=load_study,
        study_to_dict=lambda study: {"seed": study.seed},
    )
    put(monkeypatch, "simulate", run_study=run_study)
    put(monkeypatch, "stats", summarise=Summary)
    put(monkeypatch, "summary_table", render_table=lambda summary: f"table at {summary.level}")
    return calls


def test_defaults(played, capsys):
    assert main(["run"]) == 0
    study, directory, options = played[0]
    assert study == StandInStudy(ContinentalRules(), ("fastest",), 99, 100_000, fixed_order=False)
    assert directory.parts[0] == "runs"
    assert options == {
        "jobs": None,
        "backend": "loky",
        "records": False,
        "progress": None,
        "notify": note,
        "command": ["contsim", "run"],
    }
    captured = capsys.readouterr()
    assert captured.out == "table at 0.95\n"
    assert captured.err == f"Kept in {directory}; draw it: contsim report {directory}\n"


def test_every_option_arrives(played, capsys):
    line = (
        "run --deals 1k --seed 18446744073709551615 -s stock --strategy fastest:K=3 --seats 2"
        " --set ace=wrap --fixed-order --jobs 2 --backend threading --out here --records"
        " --level 99% --json --quiet"
    ).split()
    assert main(line) == 0
    study, directory, options = played[0]
    rules = ContinentalRules(seats=2, ace="wrap")
    assert study == StandInStudy(rules, ("stock", "fastest:K=3"), 2**64 - 1, 1000, fixed_order=True)
    assert str(directory) == "here"
    assert options["jobs"] == 2
    assert options["backend"] == "threading"
    assert options["records"] is True
    assert options["command"] == ["contsim", *line]
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"deals": 1000, "seed": 2**64 - 1}
    assert captured.err == ""


def test_a_study_is_played_again(played):
    assert main(["run", "mine.toml"]) == 0
    assert played[0][0] == StandInStudy(
        ContinentalRules(seats=5), ("mine.toml",), 7, 70, fixed_order=True, block_deals=35
    )


def test_options_change_a_study_that_is_played_again(played):
    line = "run mine.toml --seed 0 --deals 80 -s stock --seats 4 --shuffled-order"
    assert main(line.split()) == 0
    assert played[0][0] == StandInStudy(ContinentalRules(), ("stock",), 0, 80, fixed_order=False)


def test_a_directory_stands_for_its_manifest(played, tmp_path):
    (tmp_path / "old").mkdir()
    assert main(["run", "old"]) == 0
    assert played[0][0].lineup == ("manifest.toml",)


def test_an_existing_study_is_refused_before_anything_is_played(played, capsys, tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "cube.parquet").touch()
    assert main(["run", "--out", "old"]) == 2
    assert not played
    assert "not empty" in capsys.readouterr().err


def stop_with(monkeypatch, error, *, keep):
    def run_study(study, out_dir, **options):
        if keep:
            (out_dir / "manifest.toml").touch()
        raise error

    put(monkeypatch, "simulate", run_study=run_study)


FAILURES = [
    (StudyFailed("seat 2 threw a card it does not hold"), 1),
    (ContsimError("unknown strategy 'fastst'"), 2),
]


@pytest.mark.parametrize(("error", "status"), FAILURES)
def test_a_failed_study(played, monkeypatch, capsys, tmp_path, error, status):
    stop_with(monkeypatch, error, keep=False)
    assert main(["run", "--out", "here"]) == status
    assert capsys.readouterr().err == f"contsim: {error}\n"
    assert not (tmp_path / "here").exists()


@pytest.mark.parametrize(
    ("keep", "part"), [(True, "contsim show here"), (False, "nothing is kept")]
)
def test_ctrl_c_says_what_is_kept(played, monkeypatch, capsys, tmp_path, keep, part):
    stop_with(monkeypatch, KeyboardInterrupt(), keep=keep)
    assert main(["run", "--out", "here"]) == 130
    err = capsys.readouterr().err
    assert err.startswith("contsim: stopped by Ctrl-C")
    assert part in err
    assert (tmp_path / "here").exists() == keep
