"""`contsim rules`."""

import json
import tomllib

import pytest

from continental_sim.cli import main
from continental_sim.rules.load import GAMES, load_rules, preset_names


def test_list(capsys):
    assert main(["rules", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line[0] != " "] == ["Continental", "Basic Rummy"]
    names = [line.split()[0] for line in lines if line.startswith("  ") and line[2] != " "]
    assert names == preset_names()
    assert lines[lines.index("Basic Rummy") + 1].startswith("  basic-rummy ")
    assert main(["rules", "list", "--game", "basic-rummy"]) == 0
    assert capsys.readouterr().out.splitlines() == lines[lines.index("Basic Rummy") :]


@pytest.mark.parametrize(
    "line",
    ["list", "show --keys", "show --set wild_ranks=2,3,4,5,6 --set ace=wrap", "check --seats 5"],
)
def test_what_is_printed_fits_80_columns(capsys, line):
    assert main(["rules", *line.split()]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(len(line) for line in lines if line[:1] == "#" or " = [" not in line) <= 80


def test_list_as_json(capsys):
    assert main(["rules", "list", "--json"]) == 0
    presets = json.loads(capsys.readouterr().out)
    assert [preset["name"] for preset in presets] == preset_names()
    assert all(preset["about"] for preset in presets)
    assert {preset["game"] for preset in presets} == set(GAMES)
    assert all(load_rules(preset["name"]).game == preset["game"] for preset in presets)


@pytest.mark.parametrize("name", preset_names())
def test_shown_rules_can_be_loaded_again(capsys, tmp_path, name):
    assert main(["rules", "show", name]) == 0
    text = capsys.readouterr().out
    assert text.startswith(f"# {load_rules(name).title}: ")
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    assert load_rules(str(path)) == load_rules(name)


def test_show_follows_the_settings_in_order(capsys):
    assert main(["rules", "show", "--seats", "5", "--set", "ace=low", "--set", "ace=wrap"]) == 0
    rules = tomllib.loads(capsys.readouterr().out)
    assert (rules["seats"], rules["ace"]) == (5, "wrap")


def test_keys_are_documented(capsys):
    assert main(["rules", "show", "--keys"]) == 0
    text = capsys.readouterr().out
    assert "pay_first_turn = 7" in text
    assert main(["rules", "show", "--keys", "--json"]) == 0
    keys = json.loads(capsys.readouterr().out)
    assert all(key["doc"] and key["allowed"] and key["guide"] for key in keys)


def test_keys_are_those_of_the_game(capsys):
    for named in (["--game", "basic-rummy"], ["basic-rummy-3"], ["--rules", "basic-rummy-2"]):
        assert main(["rules", "show", "--keys", *named]) == 0
        text = capsys.readouterr().out
        assert "one_meld_per_turn = false" in text
        assert "pay_first_turn" not in text


def test_a_game_is_its_default_rules(capsys):
    assert main(["rules", "show", "--game", "basic-rummy", "--set", "ace=both"]) == 0
    rules = tomllib.loads(capsys.readouterr().out)
    assert (rules["game"], rules["seats"], rules["ace"]) == ("basic-rummy", 4, "both")
    assert main(["rules", "check", "--game", "basic-rummy", "--seats", "2"]) == 0
    assert "2 seats, 52 cards, 10 each" in capsys.readouterr().out
    assert main(["rules", "show", "continental-5", "--game", "continental"]) == 0
    assert tomllib.loads(capsys.readouterr().out)["seats"] == 5


def test_check_says_what_will_be_played(capsys):
    assert main(["rules", "check", "continental-5"]) == 0
    assert "5 seats" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["check", "--seats", "8"], "121"),
        (["check", "--set", "recycels=0"], "did you mean 'recycles'"),
        (["check", "--set", "seats"], "key=value"),
        (["check", "--set", "seats=four"], "four"),
        (["check", "nothing"], "unknown rules 'nothing'"),
        (["check", "block", "--rules", "continental"], "named twice"),
        (["check", "block", "--game", "basic-rummy"], "block are of continental, not of basic"),
        (["show", "--rules", "basic-rummy-2", "--game", "continental"], "list --game continental"),
        (["check", "--game", "rummy"], "is not one of 'continental', 'basic-rummy'"),
        (["show", "--game", "basic-rummy", "--set", "pay_exit=2"], "rules show basic-rummy --keys"),
    ],
)
def test_bad_rules_are_one_sentence(capsys, arguments, part):
    assert main(["rules", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("contsim: ")
    assert captured.err.count("\n") == 1
    assert part in captured.err


def test_a_rules_file_with_a_wrong_type(capsys, tmp_path):
    path = tmp_path / "bad.toml"
    path.write_text('seats = "four"\n', encoding="utf-8")
    assert main(["rules", "check", str(path)]) == 2
    err = capsys.readouterr().err
    assert "four" in err
    assert "seats" in err


def test_rules_that_play_slowly_are_said_to(capsys):
    assert main(["rules", "check", "three-packs", "--set", "max_wilds_per_run=1"]) == 0
    assert "hands are searched" in " ".join(capsys.readouterr().out.split())
    assert main(["rules", "check", "three-packs", "--set", "melds=groups"]) == 0
    assert "searched" not in capsys.readouterr().out


def test_rules_that_have_no_tables_are_not_called_playable(capsys):
    settings = ["seats=3", "hand_size=25", "patterns=7+6+5+4+3,9+7+4+3+2,8+6+5+4+2"]
    command = ["rules", "check", *(part for each in settings for part in ("--set", each))]
    assert main(command) == 2
    assert "different parts, and the meld tables hold 64" in capsys.readouterr().err
