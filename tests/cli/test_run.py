"""`contsim run` parses, calls and prints; what it calls is stood in for here."""

import importlib
import json
import signal
import sys
import types
from dataclasses import dataclass
from pathlib import Path

import pytest

from continental_sim.cli import main
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.interrupts import Interrupted
from continental_sim.play.means import Means, Watcher
from continental_sim.play.until import Until
from continental_sim.rules.continental import ContinentalRules


@dataclass(frozen=True)
class StandInStudy:
    rules: ContinentalRules
    lineup: tuple
    seed: int
    deals: int
    fixed_order: bool
    block_deals: int | None = None
    first_deal: int = 0


@dataclass(frozen=True)
class Call:
    study: StandInStudy
    directory: Path
    means: Means
    watcher: Watcher
    records: bool
    stopping: object


class Summary:
    def __init__(self, stored, level):
        self.stored = stored
        self.level = level

    def to_json(self):
        return {"deals": self.stored.deals, "seed": self.stored.seed}


def put(monkeypatch, name, **contents):
    module = types.ModuleType(f"continental_sim.{name}")
    module.__dict__.update(contents)
    package, _, last = module.__name__.rpartition(".")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(importlib.import_module(package), last, module, raising=False)


@pytest.fixture
def played(monkeypatch, tmp_path):
    """Work in an empty directory; gives what run_study was called with."""
    monkeypatch.chdir(tmp_path)
    calls = []

    def make_study(rules, specs, seed, deals, fixed_order, block_deals, first_deal):
        seed = 99 if seed is None else seed
        return StandInStudy(rules, tuple(specs), seed, deals, fixed_order, block_deals, first_deal)

    def run_study(study, directory, means, watcher, **options):
        calls.append(Call(study, directory, means, watcher, **options))
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
    put(monkeypatch, "play.simulate", run_study=run_study)
    put(monkeypatch, "figures.stats", summarise=Summary)
    put(
        monkeypatch,
        "figures.summary_table",
        render_table=lambda summary, _: f"table at {summary.level}",
    )
    return calls


def test_defaults(played, capsys):
    assert main(["run"]) == 0
    (call,) = played
    assert call.study == StandInStudy(
        ContinentalRules(), ("fastest",), 99, 100_000, fixed_order=False
    )
    assert call.directory.parts[0] == "runs"
    assert call.means == Means()
    assert (call.watcher.progress, call.watcher.command) == (None, ["contsim", "run"])
    assert (call.records, call.stopping) == (False, None)
    call.watcher.say("something slow")
    captured = capsys.readouterr()
    assert captured.out == "table at 0.95\n"
    kept = f"Kept in {call.directory}; draw it: contsim report {call.directory}\n"
    assert captured.err == f"{kept}contsim: something slow\n"


def test_every_option_arrives(played, capsys):
    line = (
        "run --deals 1k --seed 18446744073709551615 -s stock --strategy fastest:K=3 --seats 2"
        " --set ace=wrap --fixed-order --first-deal 40 --jobs 2 --backend dask"
        " --scheduler tcp://there:8786 --deal-timeout 5s --max-time 2m --out here --records"
        " --level 99% --json --quiet"
    ).split()
    assert main(line) == 0
    (call,) = played
    rules = ContinentalRules(seats=2, ace="wrap")
    assert call.study == StandInStudy(
        rules, ("stock", "fastest:K=3"), 2**64 - 1, 1000, fixed_order=True, first_deal=40
    )
    assert str(call.directory) == "here"
    assert call.means == Means(2, "dask", "tcp://there:8786", 5.0, 120.0)
    assert call.records is True
    assert call.watcher.command == ["contsim", *line]
    call.watcher.say("something slow")
    captured = capsys.readouterr()
    assert json.loads(captured.out) == {"deals": 1000, "seed": 2**64 - 1}
    assert captured.err == ""


def test_a_stopping_rule_arrives_with_the_most_that_it_may_take(played):
    line = "run --until exits.first_turn=1% --until ledger[0]=0.01 --level 0.9"
    assert main([*line.split(), "--max-deals", "1e6"]) == 0
    assert main(line.split()) == 0
    for call, most in zip(played, (10**6, 10**9), strict=True):
        assert call.study.deals == most
        assert isinstance(call.stopping, Until)
        assert call.stopping.table() == {
            "until": ["exits.first_turn=1%", "ledger[0]=0.01"], "level": 0.9,
        }  # fmt: skip


def test_a_limit_of_time_alone_plays_as_long(played):
    assert main(["run", "--max-time", "10m"]) == 0
    assert main(["run", "--max-time", "10m", "--deals", "5k"]) == 0
    assert main(["run", "mine.toml", "--max-time", "10m"]) == 0
    assert [call.study.deals for call in played] == [10**9, 5000, 70]
    assert {call.means.max_time for call in played} == {600.0}


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (
            "run --until payment=1% --deals 500",
            "--deals 500 plays so many, --until payment=1% as many as it takes",
        ),
        (
            "run --max-deals 500",
            "--max-deals 500 needs --until: without it say --deals",
        ),
        (
            "run --resume old mine.toml",
            "--resume old and mine.toml are two studies: name one of them",
        ),
        (
            "run --scheduler there",
            "--scheduler there is for clusters, and the backend is loky: add --backend dask or ray",
        ),
        (
            "run --deal-timeout 5s --backend threading",
            "--deal-timeout needs processes, which can be killed, and the backend is threading",
        ),
    ],
)
def test_options_that_contradict_each_other_are_refused(played, capsys, line, sentence):
    assert main(line.split()) == 2
    err = capsys.readouterr().err
    assert err.startswith(f"contsim: {sentence}")
    assert err.count("\n") == 1
    assert not played


def test_a_study_is_played_again(played):
    assert main(["run", "mine.toml"]) == 0
    assert played[0].study == StandInStudy(
        ContinentalRules(seats=5), ("mine.toml",), 7, 70, fixed_order=True, block_deals=35
    )


def test_options_change_a_study_that_is_played_again(played):
    line = "run mine.toml --seed 0 --deals 80 -s stock --seats 4 --shuffled-order"
    assert main(line.split()) == 0
    assert played[0].study == StandInStudy(ContinentalRules(), ("stock",), 0, 80, fixed_order=False)


def test_a_directory_stands_for_its_manifest(played, tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "manifest.toml").touch()
    assert main(["run", "old"]) == 0
    assert played[0].study.lineup == ("manifest.toml",)


FAILURES = [
    (StudyFailed("seat 2 threw a card it does not hold"), 1),
    (ContsimError("unknown strategy 'fastst'"), 2),
    (Interrupted(signal.SIGINT, "stopped by Ctrl-C; nothing is kept"), 130),
    (Interrupted(signal.SIGTERM, "stopped by SIGTERM; 5 of 9 deals are kept in here"), 143),
]


@pytest.mark.parametrize(("error", "status"), FAILURES)
def test_a_study_that_ends_early_is_one_sentence(played, monkeypatch, capsys, error, status):
    def run_study(*arguments, **options):
        raise error

    put(monkeypatch, "play.simulate", run_study=run_study)
    assert main(["run", "--out", "here"]) == status
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.strip() == f"contsim: {error}"
