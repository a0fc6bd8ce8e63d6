"""Imports go one way, only the command line prints, and start-up loads nothing heavy."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import continental_sim

PACKAGE = Path(continental_sim.__file__).parent
STRATEGIES = PACKAGE.parent / "strategies"
MODULES = sorted(PACKAGE.rglob("*.py"))

# Nothing may import, directly or through others, what stands later in its chain.
CHAINS = (
    ("cards", "rules", "kernels", "strategy", "study", "simulate", "cli"),
    ("study", "engine", "worker", "running", "simulate"),
    ("spans", "parts", "store", "directories", "unfinished", "opening", "simulate"),
    ("store", "stats", "plots", "report", "cli"),
    ("summary", "metrics", "precision", "until", "cli"),
)
HEAVY = (
    *("babel", "jinja2", "joblib", "llvmlite", "matplotlib", "numba", "numpy", "pandas", "pyarrow"),
    *("dask", "distributed", "ray"),
    *("pydantic", "rich"),  # typer would load them
)


# Folders that are a room for several units; a unit is a module, or a folder that stands as one.
ROOMS = {"comparing", "exact", "figures", "files", "play", "rare"}


def unit_of(name: str) -> str:
    """`continental_sim.rules.load` belongs to the unit `rules`, `...play.running` to `running`."""
    parts = name.split(".")[1:]
    if parts and parts[0] in ROOMS:
        return ".".join(parts[1:2] or parts[:1])
    return parts[0] if parts else "__init__"


def name_of(path: Path) -> str:
    """Dotted name of a module of the package."""
    parts = ("continental_sim", *path.relative_to(PACKAGE).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_names(tree: ast.AST) -> Iterator[str]:
    """Modules that code imports, also inside functions, but not for type checkers alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for other in node.orelse:
                yield from imported_names(other)
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative import"
            assert node.module is not None
            for alias in node.names:
                # `from continental_sim import store` imports a module, not a name
                both = node.module.removeprefix("continental_sim.") in {*ROOMS, "continental_sim"}
                yield f"{node.module}.{alias.name}" if both else node.module
        else:
            yield from imported_names(node)


def imports_of(path: Path) -> set[str]:
    return set(imported_names(ast.parse(path.read_text(encoding="utf-8"))))


def graph() -> dict[str, set[str]]:
    """Which unit of the package imports which."""
    edges: dict[str, set[str]] = {}
    for path in MODULES:
        unit = unit_of(name_of(path))
        mine = {unit_of(name) for name in imports_of(path) if name.startswith("continental_sim")}
        edges.setdefault(unit, set()).update(mine - {unit, "__version__", "__init__"})
    return edges


EDGES = graph()


def rooms_graph() -> dict[str, set[str]]:
    """Which folder, or module outside the folders, imports which."""
    edges: dict[str, set[str]] = {}
    for path in MODULES:
        room = name_of(path).split(".")[1:2]
        if room:
            used = {
                name.split(".")[1]
                for name in imports_of(path)
                if name.startswith("continental_sim.")
            }
            edges.setdefault(room[0], set()).update(used - {room[0]})
    return edges


def reachable(start: str, edges: dict[str, set[str]] | None = None) -> set[str]:
    """Units that `start` imports, directly or through others."""
    edges = EDGES if edges is None else edges
    found: set[str] = set()
    waiting = [start]
    while waiting:
        for unit in edges.get(waiting.pop(), ()):
            if unit not in found:
                found.add(unit)
                waiting.append(unit)
    return found


def third_party(unit: str) -> set[str]:
    """Libraries outside Python's own that a unit imports."""
    names = {
        name.split(".")[0]
        for path in MODULES
        if unit_of(name_of(path)) == unit
        for name in imports_of(path)
    }
    return names - set(sys.stdlib_module_names) - {"continental_sim"}


@pytest.mark.parametrize("edges", [EDGES, rooms_graph()], ids=["units", "rooms"])
def test_no_cycles(edges):
    assert not {unit for unit in edges if unit in reachable(unit, edges)}


@pytest.mark.parametrize("chain", CHAINS)
def test_chains_go_one_way(chain):
    wrong = [
        (early, late)
        for place, early in enumerate(chain)
        for late in chain[place + 1 :]
        if late in reachable(early)
    ]
    assert not wrong


FIGURES = {
    *("metrics", "plots", "precision", "report", "stats", "summary", "until"),
    *("answers", "contrasts", "difference_plots", "question"),
}
PLAY = {"engine", "merging", "opening", "running", "simulate", "unfinished", "worker"}


def test_the_two_halves_meet_at_the_files():
    for unit in ("columns", "cubes", "store", *FIGURES):
        assert not reachable(unit) & PLAY, unit
    # What plays is told by `means.Stopping` when to stop, and knows no figures.
    for unit in (*PLAY, "means"):
        assert not reachable(unit) & FIGURES, unit


def test_back_ends_know_no_study():
    assert reachable("backends") <= {"errors", "interrupts", "processes"}
    users = {unit for unit in EDGES if "backends" in EDGES[unit]}
    assert users == {"means", "running", "splitting", "watch"}
    clusters = {unit for unit in EDGES if third_party(unit) & {"distributed", "ray"}}
    assert clusters <= {"backends"}


def test_what_reads_a_study_needs_no_machine_code():
    for unit in ("store", *FIGURES - {"until"}):
        assert not reachable(unit) & {"kernels", "strategy", "study"}, unit


def test_workers_know_no_files():
    assert not reachable("worker") & {"parquet", "parts", "store", "directories", "manifest"}


def test_kernels_know_no_tables_no_files_no_command_line():
    assert third_party("kernels") <= {"llvmlite", "numba", "numpy", "platformdirs"}
    assert not reachable("kernels") & {"strategy", "study", "simulate", "store", "stats", "cli"}


def test_the_command_line_is_on_top():
    users = {unit for unit in EDGES if "cli" in EDGES[unit]}
    assert users <= {"__main__"}
    assert {unit for unit in EDGES if "typer" in third_party(unit)} <= {"cli"}


def test_the_library_is_beside_it():
    assert not {unit for unit in EDGES if "library" in EDGES[unit]}
    assert not reachable("library") & {"cli"}


def test_the_package_alone_loads_nothing_heavy():
    assert not loaded_after("import continental_sim; dir(continental_sim)")
    assert "pyarrow" in loaded_after("import continental_sim; continental_sim.simulate")


def test_strategies_import_the_api_alone():
    for path in sorted(STRATEGIES.glob("*.py")):
        ours = {name for name in imports_of(path) if name.startswith("continental_sim")}
        assert ours <= {"continental_sim.api"}, path.name


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_only_the_command_line_prints_or_exits(path):
    # Where compiled code never comes back, nobody else can say so and end the process.
    if unit_of(name_of(path)) in {"cli", "__main__", "interrupts"}:
        return
    tree = ast.parse(path.read_text(encoding="utf-8"))
    called = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    raised = {
        ast.unparse(node.exc) for node in ast.walk(tree) if isinstance(node, ast.Raise) and node.exc
    }
    forbidden = {"print", "input", "exit", "quit", "sys.exit", "os._exit"}
    forbidden |= {"sys.stdout.write", "sys.stderr.write"}
    assert not called & forbidden
    assert not {name for name in raised if name.startswith("SystemExit")}


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_modules_stay_short(path):
    # About 400 lines is the aim; a little over is no reason to tear a module apart.
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 440


def loaded_after(code: str, *arguments: str) -> list[str]:
    """Which of the heavy libraries Python has loaded after this code."""
    code += f"\nimport sys; print(sorted(set(sys.modules) & set({HEAVY!r})), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True
    )
    found = ast.literal_eval(done.stderr.splitlines()[-1])
    assert isinstance(found, list)
    return found


@pytest.mark.parametrize("module", ["continental_sim.play.worker", "continental_sim.play.watched"])
def test_a_worker_loads_what_it_plays_with_and_no_more(module):
    # Each worker would take the time and the memory for it.
    assert set(loaded_after(f"import {module}")) <= {"llvmlite", "numba", "numpy"}


@pytest.mark.parametrize(
    "line",
    [
        "--help",
        "--version",
        "run --help",
        "extend --help",
        "merge --help",
        "rules check --help",
        "run x.toml -s fastest --deals 9 --level 90% --backend loky --out o --jobs 0",
        "rare one_suit -s fastest --error 10% --roots 1e5 --max-time 9s --json --jobs 0",
        "run --max-time 10m --deal-timeout 5s --resume x --jobs 0",
    ],
)
def test_help_and_parsing_load_nothing_heavy(line):
    code = "import sys; from continental_sim.cli import main; main(sys.argv[1:])"
    assert not loaded_after(code, *line.split())
