"""`contsim check` and `contsim advise` parse, call and print; hands.py is stood in for here."""

import io
import json
import sys
import types

import pytest

import continental_sim
from continental_sim.cli import main
from continental_sim.errors import ContsimError


def check_hand(rules, cards):
    """A hand is `good`, `bad`, or an error."""
    if cards not in {"good", "bad"}:
        raise ContsimError(f"unknown card {cards!r}")
    return {"valid": cards == "good", "seats": rules.seats}


@pytest.fixture(autouse=True)
def hands(monkeypatch):
    module = types.ModuleType("continental_sim.hands")
    module.check_hand = check_hand
    module.check_text = lambda verdict: f"valid: {verdict['valid']}"
    module.check_layout = lambda rules, layout, cards: {
        "valid": True,
        "layout": layout,
        "cards": cards,
    }
    module.advise = lambda rules, cards, upcard, seen: [[rules.ace, cards, upcard, seen]]
    module.advise_text = str
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setattr(continental_sim, "hands", module, raising=False)
    monkeypatch.setattr("continental_sim.game_tables.tables_are_ready", lambda rules: True)


@pytest.mark.parametrize(("hand", "status"), [("good", 0), ("bad", 1)])
def test_one_hand(capsys, hand, status):
    assert main(["check", hand]) == status
    assert capsys.readouterr().out == f"valid: {status == 0}\n"
    assert main(["check", hand, "--json", "--seats", "5"]) == status
    assert json.loads(capsys.readouterr().out) == {"valid": status == 0, "seats": 5}


def test_a_bad_hand_is_one_sentence(capsys):
    assert main(["check", "1Z", "3C"]) == 2
    assert capsys.readouterr().err == "contsim: unknown card '1Z 3C'\n"


@pytest.mark.parametrize(
    ("text", "status"),
    [("good\n\n# note\ngood\n", 0), ("good\nbad\n", 1), ("bad\n1Z\ngood\n", 2), ("1Z\n", 2)],
)
@pytest.mark.parametrize("source", ["file", "standard input"])
def test_many_hands(capsys, monkeypatch, tmp_path, text, status, source):
    path = tmp_path / "hands.txt"
    path.write_text(text, encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO(text))
    argument = str(path) if source == "file" else "-"
    assert main(["check", argument, "--json"]) == status
    objects = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    hands = [line for line in text.splitlines() if line and line[0] != "#"]
    assert len(objects) == len(hands)
    for hand, found in zip(hands, objects, strict=True):
        assert ("error" in found) == (hand == "1Z")
        assert found.get("valid", False) == (hand == "good")


def test_many_hands_in_words(capsys, tmp_path):
    path = tmp_path / "hands"
    path.write_text("good\n1Z\n", encoding="utf-8")
    assert main(["check", str(path)]) == 2
    out = capsys.readouterr().out
    assert out == "line 1: good\nvalid: True\nline 2: error: unknown card '1Z'\n"


@pytest.mark.parametrize(
    ("content", "part"),
    [(b"\n# only this\n", "holds no hand"), (b"\xff\xfe\x00", "not a text file")],
)
def test_files_that_hold_no_hand(capsys, tmp_path, content, part):
    path = tmp_path / "hands"
    path.write_bytes(content)
    assert main(["check", str(path)]) == 2
    assert part in capsys.readouterr().err


def test_a_file_that_is_not_there(capsys):
    assert main(["check", "no/hands.txt"]) == 2
    assert capsys.readouterr().err == "contsim: there is no file no/hands.txt\n"


@pytest.mark.parametrize(("hand", "cards"), [([], None), (["3C", "4C"], "3C 4C")])
def test_a_layout_with_and_without_its_hand(capsys, hand, cards):
    assert main(["check", *hand, "--layout", "2D=4C 5C 6C / ...", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["layout"], found["cards"]) == ("2D=4C 5C 6C / ...", cards)


def test_advise(capsys):
    line = ["advise", "3C 4C", "5C", "--upcard", "TD", "--seen", "9H JK", "--set", "ace=low"]
    assert main([*line, "--json"]) == 0
    expected = [["low", "3C 4C 5C", "TD", "9H JK"]]
    assert json.loads(capsys.readouterr().out) == {"discards": expected}
    assert main(line) == 0
    assert capsys.readouterr().out == f"{expected}\n"


@pytest.mark.parametrize("line", [["check", "good"], ["advise", "3C"]])
def test_slow_first_use_is_announced_beside_the_answer(capsys, monkeypatch, line):
    monkeypatch.setattr("continental_sim.game_tables.tables_are_ready", lambda rules: False)
    assert main([*line, "--json"]) == 0
    captured = capsys.readouterr()
    json.loads(captured.out)
    assert captured.err.startswith("contsim: first use, slow this once: building the meld tables")
