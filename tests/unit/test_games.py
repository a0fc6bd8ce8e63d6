"""Games: whatever is listed by game has all of them, and nothing asks which game rules are of."""

import ast
import importlib
from collections.abc import Mapping
from pathlib import Path

import pytest

import continental_sim
from continental_sim.api import GAME_NAMES
from continental_sim.authors.edges import EDGES
from continental_sim.cli.check import JUDGES
from continental_sim.columns import GAME_FILES
from continental_sim.contract import QUESTIONS
from continental_sim.exact.game_odds import GAME_ODDS
from continental_sim.figures.game_figures import GAME_FIGURES
from continental_sim.game_tables import GAME_RECORDS
from continental_sim.kernels.fields import VIEW_FIELDS
from continental_sim.report.games import GAME_REPORTS
from continental_sim.rules import GAMES
from continental_sim.telling import GAME_TELLINGS

PACKAGE = Path(continental_sim.__file__).parent
MODULES = sorted(PACKAGE.rglob("*.py"))
# One for each layer; what is private is found by `by_game`.
LAYERS = {
    "columns": GAME_FILES,
    "view": VIEW_FIELDS,
    "api": GAME_NAMES,
    "contract": QUESTIONS,
    "engine": GAME_RECORDS,
    "telling": GAME_TELLINGS,
    "authors": EDGES,
    "exact": GAME_ODDS,
    "figures": GAME_FIGURES,
    "report": GAME_REPORTS,
    "cli": JUDGES,
}
# They narrow rules for a type checker, or refuse what is for Continental alone.
ASKING = {"rules/load.py", "cubes.py"}


def name_of(path):
    parts = ("continental_sim", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def by_game():
    """All that a module of the package lists by the names of games, by where it stands."""
    found = {}
    for path in MODULES:
        if path.stem in {"__main__", "dask_worker"}:
            continue
        for name, value in vars(importlib.import_module(name_of(path))).items():
            if isinstance(value, Mapping) and {*GAMES} & {
                key for key in value if isinstance(key, str)
            }:
                found[f"{path.relative_to(PACKAGE)}: {name}"] = value
    return found


@pytest.mark.parametrize("layer", LAYERS)
def test_each_layer_has_the_games(layer):
    assert {*LAYERS[layer]} == {*GAMES}


def test_whatever_is_listed_by_game_has_all_games():
    found = by_game()
    assert {id(each) for each in LAYERS.values()} <= {id(each) for each in found.values()}
    assert {name for name, each in found.items() if {*each} != {*GAMES}} == set()


def test_the_kernels_have_the_games():
    games = importlib.import_module("continental_sim.kernels.games")
    for kernels in (games._GAMES, games._GAMES_BY_TYPE):
        names = {
            kernel.__name__.rpartition(".")[2].replace("_", "-") for kernel in kernels.values()
        }
        assert names == {*GAMES}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_what_differs_by_game_is_looked_up(path):
    # A third game would fall through a question whether rules are of this or that one.
    if str(path.relative_to(PACKAGE)) in ASKING:
        return
    records = {record.__name__ for record in GAMES.values()}
    asked = [
        ast.unparse(node)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) == "isinstance"
        and records & {ast.unparse(each) for each in ast.walk(node.args[1])}
    ]
    assert asked == []
