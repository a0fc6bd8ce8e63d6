"""What docs/strategies.md does with other programs: tests, a profile, a package."""

import importlib
import os
import re
import subprocess
import sys
import zipfile

import pytest
from hatchling import build

from continental_sim.cli import main
from continental_sim.strategy import find_strategy
from tests.docs.test_docs import ROOT
from tests.script_files import load_script
from tests.strategy_files import source

followed_pages = load_script("followed_pages")
PAGE = (ROOT / "docs" / "strategies.md").read_text(encoding="utf-8")


@pytest.fixture
def room(tmp_path, monkeypatch):
    """The files of the page, where it says, and the one that is copied there."""
    for piece in followed_pages._PIECE.finditer(PAGE):
        if piece["file"]:
            path = tmp_path / piece["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(piece["code"], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def command(start):
    """Arguments of the one command of the page that begins so."""
    (line,) = [line for line in PAGE.splitlines() if line.startswith(start)]
    return line.split()[1:]


def python(*arguments):
    """Run Python on this checkout, in the directory of the test."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_the_tests_of_the_page_pass(room):
    status, told = python(*command("python -m pytest"), "-p", "no:cacheprovider")
    assert status == 0, told
    assert "3 passed" in told


@pytest.mark.full
def test_the_tests_of_the_page_notice_another_idea(room):
    mine = room / "strategies" / "mine.py"
    text = mine.read_text(encoding="utf-8")
    mine.write_text(text.replace("risk < least", "risk > least"), encoding="utf-8")
    status, told = python(*command("python -m pytest"), "-p", "no:cacheprovider")
    assert status == 1
    assert "1 failed, 2 passed" in told


def test_the_profile_of_the_page_names_the_functions(room):
    (room / "slow.py").write_text(
        source("return late(view)", head="import json\nfrom continental_sim.api import *\n",
               more="\n\ndef late(view):\n    return best_discard(view)\n"),
        encoding="utf-8",
    )  # fmt: skip
    arguments = command("python -m cProfile")
    arguments[arguments.index("--deals") + 1] = "8"
    status, told = python(*arguments)
    assert status == 0, told
    for name in ("take_discard", "choose_discard", "late"):
        assert re.search(rf"slow\.py:\d+\({name}\)", told), told


def test_the_package_of_the_page_makes_its_strategy_known(room, monkeypatch, capsys):
    mine = (room / "strategies" / "mine.py").read_text(encoding="utf-8")
    project = room / "rummy-mine"
    (project / "rummy_mine.py").write_text(mine, encoding="utf-8")
    monkeypatch.chdir(project)
    wheel = build.build_wheel(str(room))
    monkeypatch.chdir(room / "rummy-mine")  # ./strategies is not here
    installed = room / "installed"
    with zipfile.ZipFile(room / wheel) as archive:
        archive.extractall(installed)
    monkeypatch.syspath_prepend(installed)
    importlib.invalidate_caches()
    found = find_strategy("mine:SLACK=1")
    assert found.text == mine
    assert found.knobs == (("SLACK", 1),)
    assert "rummy_mine" not in sys.modules  # read, and not imported
    assert main(["strategies", "list"]) == 0
    assert " mine Mine: as outs, but of equal " in " ".join(capsys.readouterr().out.split())
