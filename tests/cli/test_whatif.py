"""`contsim whatif`: rules beside rules."""

import json

import pytest

from continental_sim.cli import main
from continental_sim.comparing import narrowing, playing
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
    table = text.partition("With recycles=100")[2]
    assert table.count("same in every deal") == len(same["figures"]) - table.count("impossible") / 2
    assert " .. " not in table
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

    monkeypatch.setattr(playing, "run_study", run_study)
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


# --- Until differences are known well enough -----------------------------------------------------

UNTIL = ("--set", "max_rounds=3", "--until", "turns=0.06", "--seed", "4", "-q", "--json")


def test_differences_are_played_for_until_they_are_known(tmp_path, capsys):
    found = json.loads(asked(capsys, *UNTIL, "--out", tmp_path / "w"))
    (variant,) = found["variants"]
    (turns,) = (each for each in variant["figures"] if each["name"] == "turns")
    difference = turns["difference"]
    assert (difference["high"] - difference["low"]) / 2 <= 0.06
    assert found["deals"] in narrowing.looks(4, 4, 10**9)
    assert found["reason"].startswith("known well enough: differences of turns to ± 0.0")
    assert {
        read_study(tmp_path / "w" / name).cubes.deals for name in ("baseline", "max_rounds=3")
    } == {found["deals"]}
    # The deals are those that a comparison of so many has.
    line = ("--set", "max_rounds=3", "--deals", found["deals"], "--seed", "4", "-q", "--json")
    (same,) = json.loads(asked(capsys, *line, "--out", tmp_path / "v"))["variants"]
    assert same["figures"] == variant["figures"]


def test_an_interruption_changes_nothing_in_it(tmp_path, capsys, monkeypatch):
    whole = json.loads(asked(capsys, *UNTIL, "--out", tmp_path / "w"))
    steps = []

    def stop(directory, *arguments, **options):
        steps.append(directory.name)
        if len(steps) == 2:  # the baseline has come to the second look, the variant has not
            raise KeyboardInterrupt
        return simulate.resume_study(directory, *arguments, **options)

    monkeypatch.setattr(playing, "resume_study", stop)
    asked(capsys, *UNTIL, "--out", tmp_path / "v", status=130)
    assert steps == ["baseline", "max_rounds=3"]
    monkeypatch.undo()
    again = json.loads(asked(capsys, *UNTIL, "--out", tmp_path / "v"))
    for key in ("deals", "reason", "seed"):
        assert again[key] == whole[key]
    assert again["variants"][0]["figures"] == whole["variants"][0]["figures"]


def test_the_most_deals_end_it(tmp_path, capsys):
    line = (*UNTIL[:2], "--until", "turns=0.001", "--max-deals", "12000", "--seed", "4", "-q")
    text = asked(capsys, *line, "--out", tmp_path / "w")
    assert text.startswith("12,000 deals of each, seed 4")
    assert "Ended: the most, 12,000 deals, are played: differences of turns to ± 0." in text


def test_when_the_time_is_over_what_all_have_is_compared(tmp_path, capsys, monkeypatch):
    line = ("--set", "max_rounds=3", "--max-time", "0.1", "--seed", "4", "-q", "--json")
    found = json.loads(asked(capsys, *line, "--out", tmp_path / "w"))
    assert found["reason"] == "the time of 0.1 seconds was over"
    names = ("baseline", "max_rounds=3")
    kept = [read_study(tmp_path / "w" / name).cubes.deals for name in names]
    assert found["deals"] == min(kept)
    assert main(["report", str(tmp_path / "w"), "--out", str(tmp_path / "r")]) == 0
    assert f"--deals {found['deals']} --seed 4" in (tmp_path / "r" / "report.md").read_text()
    capsys.readouterr()
    more = json.loads(asked(capsys, *line, "--out", tmp_path / "w"))
    assert more["deals"] >= found["deals"]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (("--until", "rounds=1"), "metric 'rounds' is not compared: choose "),
        (("--until", "turns"), "'turns' is no target: write METRIC=WIDTH"),
        (("--until", "turns=0"), "is too small"),
        (("--until", "turns=100%"), "is as large as the figure itself"),
        (("--until", "exits.dealt=2"), "asks nothing, since a difference of rates lies between"),
        (("--until", "ends.drawn=0.1"), "'ends.drawn=0.1' is known without a deal, since stock"),
        (("--until", "ends.drawn=1%", "--set", "recycles=0"), "cannot be relative, since"),
        (("--until", "turns=1", "--metric", "paid"), "is of a figure that is not compared"),
        (("--until", "turns=1", "--deals", "1000"), "--deals 1000 plays so many, --until"),
        (("--max-deals", "1000"), "--max-deals 1000 needs --until"),
    ],
)
def test_goals_that_make_no_sense_are_refused(tmp_path, capsys, line, message):
    err = asked(capsys, "--set", "max_rounds=3", *line, "--out", tmp_path / "w", status=2)
    assert message in err
    assert err.count("\n") == 1
    assert not (tmp_path / "w").exists()
