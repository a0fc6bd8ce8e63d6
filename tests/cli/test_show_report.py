"""`contsim show` and `contsim report`, on a made-up study."""

import json

import pytest

from continental_sim.cli import main
from continental_sim.strategy import find_strategy
from tests.fakes import fake_study


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    directory = tmp_path_factory.mktemp("runs") / "mine"
    fake_study(directory)
    return directory


def test_show_prints_the_table(study, capsys):
    assert main(["show", str(study)]) == 0
    wide = capsys.readouterr().out
    assert main(["show", str(study), "--level", "0.5"]) == 0
    assert wide != capsys.readouterr().out
    assert max(map(len, wide.splitlines())) <= 80


def test_show_as_json(study, capsys):
    assert main(["show", str(study), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["deals"] == 4000


@pytest.mark.parametrize("command", ["show", "report"])
def test_no_study(command, capsys, tmp_path):
    assert (
        main([command, str(tmp_path / "nothing"), *(["--json"] if command == "show" else [])]) == 2
    )
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("contsim: ")
    assert captured.err.count("\n") == 1
    assert "nothing" in captured.err


@pytest.mark.parametrize("as_json", [False, True])
def test_report_goes_to_reports_by_default(study, capsys, tmp_path, monkeypatch, as_json):
    monkeypatch.chdir(tmp_path)
    assert main(["report", str(study), *(["--json"] if as_json else [])]) == 0
    out = capsys.readouterr().out
    page = tmp_path / "reports" / "mine" / "report.html"
    assert page.is_file()
    said = json.loads(out)["page"] if as_json else out.removeprefix("The report is in ").strip()
    assert said == "reports/mine/report.html"


def test_strategies_of_long_names_are_told_apart(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    specs = [f"{'a' * 30}{middle}{'z' * 30}.py" for middle in "bc"]
    for spec in specs:
        (tmp_path / spec).write_text(find_strategy("fastest").text, encoding="utf-8")
    line = [word for spec in specs * 2 for word in ("-s", spec)]
    assert main(["run", *line, "--deals", "20", "--seed", "1", "--out", "D", "--jobs", "1"]) == 0
    told = capsys.readouterr().out.splitlines()
    shared = [line.partition(" (2 players)")[0] for line in told if "(2 players)" in line]
    assert len(set(shared)) == len(shared) == 2
    assert max(map(len, told)) <= 80
