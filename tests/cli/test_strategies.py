"""`contsim strategies`."""

import json
from pathlib import Path

import pytest

from continental_sim.authors import check, legality
from continental_sim.authors.edges import setups
from continental_sim.cli import main, strategies
from continental_sim.engine import play_block
from continental_sim.strategy import find_strategy, shipped_directory
from continental_sim.study import make_study
from tests.strategy_files import source
from tests.tabletop import RUMMY, STRATEGIES


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch, tmp_path):
    """An empty working directory: what is found there is the user's."""
    monkeypatch.chdir(tmp_path)


def test_list_names_the_shipped_files_game_by_game(capsys):
    ours = shipped_directory()
    shipped = {
        "continental": sorted(path.stem for path in ours.glob("*.py")),
        "basic-rummy": sorted([*(path.stem for path in ours.glob("basic_rummy/*.py")), "random"]),
    }
    assert main(["strategies", "list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(each["game"], each["name"]) for each in found] == [
        (game, name) for game, names in shipped.items() for name in names
    ]
    assert main(["strategies", "list"]) == 0
    told = capsys.readouterr().out
    assert max(map(len, told.splitlines())) <= 80
    assert " ".join(told.split()) == " ".join(
        word
        for title, game in (("Continental", "continental"), ("Basic Rummy", "basic-rummy"))
        for words in ([title], *([each["name"], each["summary"]] for each in found
                                 if each["game"] == game))
        for word in words
    )  # fmt: skip


def test_list_may_be_of_one_game(capsys):
    assert main(["strategies", "list", "--game", "basic-rummy"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Basic Rummy"
    assert [line.split()[0] for line in lines[1:] if line[2] != " "] == [
        *("fastest", "holder", "low", "random", "stock")
    ]
    assert main(["strategies", "list", "--game", "basic-rummy", "--json"]) == 0
    assert {each["game"] for each in json.loads(capsys.readouterr().out)} == {"basic-rummy"}


def test_of_two_with_one_name_that_of_the_game_is_shown(capsys):
    shown = {}
    for game in ("continental", "basic-rummy"):
        assert main(["strategies", "show", "fastest", "--game", game]) == 0
        shown[game] = capsys.readouterr().out
    assert "loose_discard" in shown["basic-rummy"]
    assert "best_discard" in shown["continental"]
    assert main(["strategies", "show", "fastest"]) == 0
    assert capsys.readouterr().out == shown["continental"]
    assert main(["strategies", "show", "holder"]) == 0  # there is but one
    assert "def lay_down" in capsys.readouterr().out


def test_a_new_strategy_of_basic_rummy_plays_it(capsys):
    assert main(["strategies", "new", "mine", "--game", "basic-rummy"]) == 0
    assert capsys.readouterr().out.endswith(
        "next: contsim strategies check strategies/mine.py --game basic-rummy\n"
    )
    found = find_strategy("mine", "basic-rummy")
    assert found.games == ("basic-rummy",)
    play_block(make_study(RUMMY, [found, "fastest", "random", "low"], 1, 40), 0, 40)


def test_a_new_strategy_is_found_and_shown(capsys, tmp_path):
    assert main(["strategies", "new", "mine"]) == 0
    assert "strategies/mine.py" in capsys.readouterr().out
    source = (tmp_path / "strategies" / "mine.py").read_text(encoding="utf-8")
    assert main(["strategies", "show", "mine"]) == 0
    assert capsys.readouterr().out == source
    assert main(["strategies", "show", "mine", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"name": "mine", "source": source}
    assert main(["strategies", "list"]) == 0
    assert "mine " in capsys.readouterr().out


def test_a_new_strategy_goes_where_it_is_wanted(capsys, tmp_path):
    assert main(["strategies", "new", "mine", "--directory", "here", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"path": "here/mine.py"}
    assert (tmp_path / "here" / "mine.py").is_file()


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["show", "xyzzy"], "xyzzy"),
        (["show", "no/such.py"], "no/such.py"),
        (["new", "no good"], "no good"),
        (["new", "holder"], "shipped strategy"),
        (["show", "champion", "--game", "basic-rummy"], "champion is for continental"),
        (["show", "fastest", "--game", "rummy"], "'continental', 'basic-rummy'"),
        (["check", "champion", "--game", "basic-rummy"], "list --game basic-rummy"),
        (["check", "low"], "or play --game basic-rummy"),
    ],
)
def test_wrong_names_are_one_sentence(capsys, arguments, part):
    assert main(["strategies", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("contsim: ")
    assert captured.err.count("\n") == 1
    assert part in captured.err


def test_an_existing_file_is_kept(capsys, tmp_path):
    (tmp_path / "strategies").mkdir()
    mine = tmp_path / "strategies" / "mine.py"
    mine.write_text("kept", encoding="utf-8")
    assert main(["strategies", "new", "mine"]) == 2
    assert "mine.py" in capsys.readouterr().err
    assert mine.read_text(encoding="utf-8") == "kept"


@pytest.fixture
def few(monkeypatch):
    """Few tables and little time, for tests of what is printed."""
    monkeypatch.setattr(check, "setups", lambda what, rules: setups(what, rules)[:4])
    monkeypatch.setattr(check, "SPEED", 200)


def test_check_tells_what_holds_with_figures(capsys, few):
    assert main(["strategies", "new", "mine"]) == 0
    capsys.readouterr()
    assert main(["strategies", "check", "mine", "--deals", "400", "--seats", "3", "--json"]) == 0
    captured = capsys.readouterr()
    found = json.loads(captured.out)
    assert captured.err == ""
    assert found["valid"] is True
    by_name = {each["name"]: each for each in found["findings"]}
    assert by_name["compiled"]["text"] == "it compiles"
    assert by_name["legal"]["deals"] == 400
    assert by_name["view"]["turns"] > 20
    assert by_name["speed"]["rate"] > by_name["speed"]["of_fastest"] > 0


def test_check_prints_each_finding_in_80_columns(capsys, few):
    assert main(["strategies", "check", "outs", "--deals", "400"]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert all(len(line) <= 80 for line in captured.out.splitlines())
    told = " ".join(captured.out.split())
    assert "it throws no illegal card: 400 deals at 4 tables" in told
    assert "of what fastest does here" in told


def test_check_plays_basic_rummy_at_its_own_edges(capsys, few):
    spec = ["holder", "--game", "basic-rummy", "--seats", "3"]
    assert main(["strategies", "check", *spec, "--deals", "400", "--json"]) == 0
    findings = json.loads(capsys.readouterr().out)["findings"]
    names = ["contract", "compiled", "legal", "repeated", "view", "twins", "speed"]
    assert [each["name"] for each in findings] == names
    by_name = {each["name"]: each for each in findings}
    assert by_name["legal"]["deals"] == 400
    assert by_name["view"]["exits"] > 3
    assert by_name["speed"]["throw"] > by_name["speed"]["take"] > 0


def test_what_holds_is_printed_before_what_does_not(capsys, few, tmp_path):
    text = source("return first_held(view) if view.turn < 3 else 99")
    (tmp_path / "bad.py").write_text(text, encoding="utf-8")
    assert main(["strategies", "check", "bad.py"]) == 2
    captured = capsys.readouterr()
    assert captured.out.splitlines()[-1] == "it compiles"
    assert captured.err.startswith("contsim: strategy bad.py (player ")
    assert captured.err.count("\n") == 1
    assert main(["strategies", "check", "bad.py", "--json"]) == 2
    assert capsys.readouterr().out == ""


def test_a_bar_is_drawn_while_deals_are_played(monkeypatch):
    drawn = []

    class Bar(list):
        def __call__(self, done, total):
            drawn.append((done, total))

        def close(self):
            drawn.append("closed")

    monkeypatch.setattr(strategies, "progress_bar", lambda quiet: None if quiet else Bar())
    shown = strategies._Shown(quiet=False)
    shown.watch(3, 9)
    shown.tell(check.Finding("compiled", "it compiles", {}))
    shown.watch(9, 9)
    shown.close()
    assert drawn == [(3, 9), "closed", (9, 9), "closed"]
    strategies._Shown(quiet=True).watch(1, 2)


def test_check_names_the_line_of_a_mistake(capsys, tmp_path):
    path = tmp_path / "bad.py"
    path.write_text('"""Bad: misspelt."""\n\n\ndef take_discard(view):\n    return view.upcrd\n')
    assert main(["strategies", "check", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1


def test_a_check_names_the_deal_that_does_not_come_to_an_end(capsys, monkeypatch):
    monkeypatch.setattr(legality, "DEAL_LIMIT", 0.4)
    endless = (STRATEGIES / "endless.py").read_text(encoding="utf-8")
    Path("loop.py").write_text(endless.replace(" and view.upcard == UPCARD", ""))
    assert main(["strategies", "check", "loop.py"]) == 2
    sentence = capsys.readouterr().err
    assert "did not answer within 0.4 s of the deal's start, in deal " in sentence
    assert "and may never do so" in sentence
    assert sentence.endswith(" --deal-timeout 0.4s\n")


def test_what_does_not_exist_is_told_before_anything_is_built(capsys, monkeypatch):
    monkeypatch.setattr(strategies, "prepare_play", lambda *_: pytest.fail("it builds tables"))
    assert main(["strategies", "check", "nope"]) == 2
    assert capsys.readouterr().err.startswith("contsim: there is no strategy 'nope'")
