"""Basic Rummy at the command line: --game, hands, replays, and what is not for it."""

import io
import json
import typing
from pathlib import Path

import pytest

from continental_sim.cli import main
from continental_sim.cli.options import Game
from continental_sim.rules import GAMES

HAND = "5H 6H 7H 9C 9D KS QS".split()
STUDY = """rules = "basic-rummy-3"
[study]
seed = 5
deals = 10
lineup = ["holder", "fastest", "random"]
"""


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch, tmp_path):
    """An empty working directory: what is found there is the user's."""
    monkeypatch.chdir(tmp_path)


def refused(capsys, *arguments):
    """Return the sentence with which a command is refused."""
    assert main([*arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("contsim: ")
    assert captured.err.count("\n") == 1
    return captured.err


def test_the_option_knows_all_games():
    assert typing.get_args(Game) == tuple(GAMES)


@pytest.mark.parametrize(
    "command",
    [
        ["advise", *HAND],
        ["rare", "turns > 3", "--roots", "10"],
        ["check", "--layout", "5H 6H 7H"],
    ],
)
def test_what_is_for_continental_alone_says_so(capsys, command):
    sentence = refused(capsys, *command, "--game", "basic-rummy")
    assert "is for Continental, and these rules are of Basic Rummy" in sentence
    assert "contsim rules list --game continental" in sentence


@pytest.mark.parametrize(
    "command",
    [
        *(["run"], ["compare", "fastest", "random"], ["plan", "fastest", "random"], ["verify"]),
        *(["whatif", "--set", "seats=3"], ["rare", "turns > 3"], ["odds"], ["advise", *HAND]),
        ["check", *HAND],
    ],
)
def test_rules_of_another_game_are_refused(capsys, command):
    named = ["--rules", "block", "--game", "basic-rummy"]
    assert "rules block are of continental" in refused(capsys, *command, *named)


def test_a_file_that_names_no_game_is_of_the_game_that_is_named(capsys, tmp_path):
    (tmp_path / "mine.toml").write_text("dealt = 8\n")
    file = str(tmp_path / "mine.toml")
    assert main(["rules", "show", file, "--game", "basic-rummy", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert (shown["game"], shown["dealt"]) == ("basic-rummy", 8)
    assert main(["rules", "show", file]) == 2
    assert "unknown rule key 'dealt'" in capsys.readouterr().err


def test_a_study_keeps_its_game(capsys):
    Path("study.toml").write_text(STUDY, encoding="utf-8")
    sentence = refused(capsys, "run", "study.toml", "--game", "continental")
    assert "the study's rules are of basic-rummy, not of continental: leave --game" in sentence


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--game", "basic-rummy", "-s", "champion"], "champion is for continental"),
        (["--game", "basic-rummy", "-s", "mine.py"], "mine.py is for continental"),
        (["-s", "holder"], "holder is for basic-rummy, and not for continental"),
        (["-s", "theirs.py"], "theirs.py is for basic-rummy, and not for continental"),
        (["--game", "basic-rummy", "-s", "nobody"], "there is no strategy 'nobody'"),
    ],
)
def test_a_strategy_of_the_other_game_is_refused(capsys, arguments, part):
    for name, game in (("mine", "continental"), ("theirs", "basic-rummy")):
        assert main(["strategies", "new", name, "--directory", ".", "--game", game]) == 0
    capsys.readouterr()
    sentence = refused(capsys, "run", "--deals", "8", *arguments)
    assert part in sentence
    assert "contsim strategies list" in sentence


# --- Hands ---------------------------------------------------------------------------------------


def test_a_hand_is_told_with_its_melds(capsys):
    assert main(["check", "--game", "basic-rummy", *HAND]) == 1
    assert capsys.readouterr().out.splitlines() == [
        "cannot go out: 4 of 7 cards cannot be laid",
        "  run   5H 6H 7H",
        "  left  9C 9D QS KS: 38 points of deadwood",
    ]
    assert main(["check", "--game", "basic-rummy", "5H 6H 7H 9C 9D 9S KS"]) == 0
    assert capsys.readouterr().out.splitlines()[:2] == [
        "can go out: all cards can be laid but KS, which is thrown",
        "  set   9C 9D 9S",
    ]


def test_a_hand_as_json(capsys):
    assert main(["check", "--rules", "basic-rummy", "QH KH AH", "--set", "ace=both", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "valid": True,
        "whole": True,
        "melds": [{"kind": "run", "cards": "QH KH AH"}],
        "left": "",
        "deadwood": 0,
        "discard": None,
        "reason": "all cards can be laid",
    }


@pytest.mark.parametrize("source", ["file", "standard input"])
def test_many_hands(capsys, monkeypatch, source):
    text = "5H 6H 7H\n\n9C 9D 8S\n1Z\n"
    Path("hands.txt").write_text(text, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    argument = "hands.txt" if source == "file" else "-"
    assert main(["check", "--game", "basic-rummy", argument, "--json"]) == 2
    found = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [each.get("valid") for each in found] == [True, False, None]
    assert found[1]["deadwood"] == 26
    assert (found[2]["line"], found[2]["error"].split(":")[0]) == (4, "unknown card '1Z'")


@pytest.mark.parametrize(
    ("hand", "part"),
    [
        ("5H 5H", "2 copies of 5H: the pack of these rules holds 1"),
        ("JK", "1 copy of JK: the pack of these rules holds 0"),
        ("", "1 to 8 cards after the draw, and here are 0"),
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C", "and here are 9"),
    ],
)
def test_a_hand_that_is_none_is_refused(capsys, hand, part):
    assert part in refused(capsys, "check", "--game", "basic-rummy", hand)


# --- Replays -------------------------------------------------------------------------------------


def test_a_deal_is_told(capsys):
    Path("study.toml").write_text(STUDY, encoding="utf-8")
    assert main(["replay", "study.toml", "--deal", "3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Deal 3 of seed 5"
    told = " ".join(lines)
    assert "lays" in told
    left = [int(line.split(", ")[-1].split()[0]) for line in lines if line.startswith("left in")]
    assert len(left) == 2
    assert lines[-1] == f"player 0 scores {2 * sum(left)}, 2 times {sum(left)} for going rummy"
    assert main(["replay", "study.toml", "--deal", "3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["lines"][-1] == lines[-1]


def test_a_game_without_jokers_does_not_offer_them(capsys):
    assert "such as TD, or JK for a joker" in refused(capsys, "check", "1Z")
    error = refused(capsys, "check", "--game", "basic-rummy", "1Z")
    assert error.endswith("such as TD\n")


def test_a_file_checked_under_the_wrong_game_is_named_by_its_path(capsys, tmp_path):
    assert main(["strategies", "new", "mine", "--directory", "deep/er"]) == 0
    capsys.readouterr()
    line = ("strategies", "check", "deep/er/mine.py", "--game", "basic-rummy")
    told = refused(capsys, *line)
    assert "strategy deep/er/mine.py is for continental, and not for basic-rummy: choose" in told


@pytest.mark.parametrize(("command", "others"), [("rare", 0), ("advise", 0), ("odds", 1)])
def test_help_offers_the_games_that_are_taken(capsys, command, others):
    assert main([command, "--help"]) == 0
    told = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert ("basic-rummy" in told) == bool(others)
    assert ("for Continental alone: another game is refused" in told) != bool(others)
    if not others:
        assert " of Continental" in told.partition("Usage")[2].partition("Options")[0]


def test_help_says_that_layouts_are_of_continental(capsys):
    assert main(["check", "--help"]) == 0
    told = " ".join(capsys.readouterr().out.replace("│", " ").split())
    assert "Judge these runs, or groups, of Continental instead" in told
