"""`contsim whatif`: rules beside rules."""

import json

import pytest

from continental_sim import simulate, whatif
from continental_sim.cli import main
from continental_sim.store import read_study

FEW = ("--deals", "2000", "--seed", "4", "-q")


def asked(capsys, *line, status=0):
    assert main(["whatif", *map(str, line)]) == status
    out, err = capsys.readouterr()
    return err if status else out


def test_a_rule_that_changes_something_and_one_that_changes_nothing(tmp_path, capsys):
    line = ("--set", "max_rounds=3", "--set", "recycles=100", *FEW, "--out", tmp_path / "w")
    found = json.loads(asked(capsys, *line, "--json"))
    short, same = found["variants"]
    assert short["paired"]
    assert "more capped deals" in short["sentence"]
    assert short["sentence"].startswith("With max_rounds=3: ")
    assert same["sentence"] == "With recycles=100: nothing changes beyond error."
    assert all(figure["same_in_every_deal"] for figure in same["figures"])
    figures = {figure["name"]: figure for figure in short["figures"]}
    base, other = (read_study(tmp_path / "w" / name) for name in ("baseline", "max_rounds=3"))
    cube = other.cubes.cube
    capped = cube["count"][cube["end"] == 2].sum() / 2000
    assert figures["ends.capped"]["variant"]["value"] == pytest.approx(capped)
    means = [
        (study.cubes.cube["turns"] * study.cubes.cube["count"]).sum() / 2000
        for study in (base, other)
    ]
    assert figures["turns"]["difference"]["value"] == pytest.approx(means[1] - means[0])
    text = asked(capsys, *line)
    assert "same in every deal" in text
    assert all(len(each) <= 80 for each in text.splitlines())


def test_another_pack_is_compared_unpaired(tmp_path, capsys):
    text = asked(capsys, "--grid", "jokers=2,6", *FEW, "--out", tmp_path / "w")
    assert "With jokers=6: " in text
    assert "the differences are unpaired" in text
    assert "With jokers=2" not in text  # it is the baseline


def test_the_same_command_goes_on_after_an_interruption(tmp_path, capsys, monkeypatch):
    line = ("--set", "recycles=0", "--deals", "2000", "-q", "--json", "--out", tmp_path / "w")
    played = []

    def run_study(study, directory, *arguments, **options):
        if played:
            raise KeyboardInterrupt
        played.append(directory)
        return simulate.run_study(study, directory, *arguments, **options)

    monkeypatch.setattr(whatif, "run_study", run_study)
    asked(capsys, *line, status=130)
    monkeypatch.undo()
    seed = read_study(tmp_path / "w" / "baseline").seeds[0]
    found = json.loads(asked(capsys, *line))
    assert found["seed"] == seed
    assert [each["variant"] for each in found["variants"]] == ["recycles=0"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ((), "no variant differs from the baseline: name one with --set key=value"),
        (("--set", "jokers=2"), "no variant differs from the baseline"),
        (("--grid", "jokers"), "the grid 'jokers' lists no values: write key=value,value..."),
        (("--set", "joker=2"), "joker"),
        (("--set", "seats=9"), "seats = 9 cannot be dealt"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, capsys, line, message):
    err = asked(capsys, *line, "--out", tmp_path / "w", status=2)
    assert message in err
    assert err.count("\n") == 1
    assert not (tmp_path / "w").exists()


def test_another_study_in_the_way_is_refused(tmp_path, capsys):
    asked(capsys, "--set", "recycles=0", *FEW, "--out", tmp_path / "w")
    line = ("--set", "recycles=0", "--deals", "3000", "--seed", "4", "-q", "--out", tmp_path / "w")
    err = asked(capsys, *line, status=2)
    assert "holds another study (deals = 2000 against 3000): name another directory" in err
