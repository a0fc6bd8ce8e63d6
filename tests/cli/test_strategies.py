"""`contsim strategies`."""

import json

import pytest

from continental_sim.cli import main
from continental_sim.strategy import shipped_directory


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch, tmp_path):
    """An empty working directory: what is found there is the user's."""
    monkeypatch.chdir(tmp_path)


def test_list_names_the_shipped_files_with_a_line_each(capsys):
    shipped = sorted(path.stem for path in shipped_directory().glob("*.py"))
    assert main(["strategies", "list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [each["name"] for each in found] == shipped
    assert main(["strategies", "list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"{each['name']:<16} {each['summary']}" for each in found]


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


def test_check_tells_what_holds(capsys):
    assert main(["strategies", "new", "mine"]) == 0
    capsys.readouterr()
    assert main(["strategies", "check", "mine", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["valid"] is True
    assert "it compiles" in found["findings"]


def test_check_names_the_line_of_a_mistake(capsys, tmp_path):
    path = tmp_path / "bad.py"
    path.write_text('"""Bad: misspelt."""\n\n\ndef take_discard(view):\n    return view.upcrd\n')
    assert main(["strategies", "check", str(path)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
