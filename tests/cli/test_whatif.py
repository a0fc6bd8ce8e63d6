"""`contsim whatif`: rules beside rules."""

import json

import pytest

from continental_sim.cli import main
from continental_sim.comparing import whatif
from continental_sim.files.manifest import read_manifest, write_manifest
from continental_sim.files.store import read_study
from continental_sim.play import simulate

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


def test_only_what_is_asked_for_is_compared(tmp_path, capsys):
    line = ("--set", "max_rounds=3", *FEW, "--out", tmp_path / "w", "--json")
    both = asked(capsys, *line, "--metric", "turns", "--metric", "ends.capped")
    (variant,) = json.loads(both)["variants"]
    assert [figure["name"] for figure in variant["figures"]] == ["ends.capped", "turns"]
    # Fewer comparisons, less correction.
    (whole,) = json.loads(asked(capsys, *line))["variants"]
    later = {figure["name"]: figure for figure in whole["figures"]}
    for figure in variant["figures"]:
        assert figure["p"] == later[figure["name"]]["p"]
        assert figure["p_adjusted"] <= later[figure["name"]]["p_adjusted"]
    err = asked(capsys, *line, "--metric", "rounds", status=2)
    assert "metric 'rounds' is not compared: choose exits.dealt, " in err


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
    err = asked(capsys, *line, status=130)
    assert f"give the same command again with --out {tmp_path / 'w'}" in err
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
        (("--set", "ace=low", "--deals", "99"), "deals = 99 are too few to compare: play 100 or"),
        (
            (*["-s", "fastest"] * 4, "--grid", "seats=4,5"),
            "variant seats=5: 4 strategies for 5 seats",
        ),
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


def test_what_changes_by_the_same_in_every_deal_is_a_change(tmp_path, capsys):
    line = ("--set", "pay_exit = 2", "--metric", "paid", *FEW, "--out", tmp_path / "w")
    text = asked(capsys, *line)
    assert "With pay_exit=2: higher payment a deal, " in text
    assert "(+1 in every deal)" in text
    (found,) = json.loads(asked(capsys, *line, "--json"))["variants"]
    assert found["figures"][0]["clear"]
    assert found["figures"][0]["difference"]["value"] == 1


@pytest.mark.parametrize("change", ["code", "records"])
def test_a_study_of_other_code_or_without_records_is_not_compared(tmp_path, capsys, change):
    line = ("--set", "recycles=0", *FEW, "--out", tmp_path / "w")
    asked(capsys, *line)
    directory = tmp_path / "w" / "baseline"
    manifest = read_manifest(directory)
    if change == "code":
        manifest["study"]["code"] = "0123"
    else:
        manifest["state"]["records"] = False
    write_manifest(directory, manifest)
    err = asked(capsys, *line, status=2)
    assert f"holds another study ({'other code' if change == 'code' else 'no records'})" in err
