"""Write the generated parts of the README and of docs/, or tell which are out of date.

    python scripts/docs.py                   # all; the sample in the README plays a million deals
    python scripts/docs.py rule-keys bench   # only some
    python scripts/docs.py --check           # change nothing; status 1 if one is out of date

A generated part stands between two marks, ``<!-- generated: NAME -->`` and ``<!-- end -->``. The
part called ``output`` is what the last command of the ``sh`` block above it printed. The figures of
``bench`` come from docs/benchmarks.json, where ``scripts/bench.py --json`` has written them, and
those of ``scale-...`` and ``billion`` from files that it writes too. With ``scale-sizes`` goes the
chart docs/scale.svg.
"""

import argparse
import ast
import contextlib
import hashlib
import inspect
import io
import json
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

import billion_docs  # noqa: E402
import scale_docs  # noqa: E402
from markdown_parts import code, fenced, measured_on, table  # noqa: E402

from continental_sim import api, columns, rules  # noqa: E402 (this checkout, wherever it is called from)
from continental_sim.cli import main as contsim  # noqa: E402
from continental_sim.cli.entry import COMMANDS  # noqa: E402
from continental_sim.contract import read_contract  # noqa: E402
from continental_sim.figures.metrics import METRICS  # noqa: E402
from continental_sim.kernels import records, rng  # noqa: E402
from continental_sim.layouts import TIMINGS, exit_payment  # noqa: E402
from continental_sim.strategy import shipped_directory  # noqa: E402
from continental_sim.tables import load_melds  # noqa: E402

PAGES = (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
FIGURES = ROOT / "docs" / "benchmarks.json"
PACKAGE = ROOT / "continental_sim"
OPEN_FOLDERS = {"comparing", "exact", "figures", "files", "play", "rare"}  # listed module by module

_PART = re.compile(r"<!-- generated: (?P<name>[\w-]+) -->\n(?P<text>.*?)<!-- end -->", re.DOTALL)
_PIECE = re.compile(
    r"<!-- generated: output -->\n.*?<!-- end -->"
    r"|(?:<!-- file: (?P<file>\S+) -->\n+)?```(?P<language>\w+)\n(?P<code>.*?)```\n",
    re.DOTALL,
)

# The sample: the command of the README's first lines, and the blocks of its table that are shown.
SAMPLE = ("run", "--deals", "1e6", "--seed", "1")
SHOWN = ("Continental", "Ends", "Exits  ", "Each", "Ledger", "Length")
TRIAL = 20_000  # [deals] that tell whether the sample is still what the command prints
MANY, SMALL = ("1e5", "1e6"), 400  # [deals] of a page, and instead where it is only tried out
SKIPPED = {"cd", "git", "pip", "pipx", "python", "python3", "uv", "./scripts/test", ".ci/run"}
PLAIN = {"cat", "cmp", "echo", "printf"}  # run by a shell, beside contsim itself
REFUSED = "# refused"  # ends a line that shows an error; its output is the message


# -- generated parts -------------------------------------------------------------------------


def first_line(doc: str | None) -> str:
    """Return the first line of a docstring, which is one sentence."""
    return (doc or "").strip().splitlines()[0]


def commands() -> str:
    """List what `contsim --help` lists."""
    return table(
        ("command", "what it does"),
        ((code(f"contsim {name}"), line) for name, line in COMMANDS.items()),
    )


def shipped() -> str:
    """List the strategies that come with the program, from their docstrings."""
    rows = []
    for path in sorted(shipped_directory().glob("*.py")):
        text = path.read_text(encoding="utf-8")
        doc = ast.get_docstring(ast.parse(text)) or ""
        uses = re.search(r"Uses: (.*?)\.\s", doc)
        lines = text.splitlines()
        knobs = [
            f"`{name}` = {ast.unparse(value)}, {lines[value.lineno - 1].partition('# ')[2]}"
            for name, value in read_contract(text, path.name).knobs.items()
        ]
        how = first_line(doc).partition(": ")[2]
        rows.append((code(path.stem), how, uses[1] if uses else "", "; ".join(knobs) or "none"))
    return table(("name", "how it plays", "uses", "knobs"), rows)


def rule_keys() -> str:
    """List every rule key."""
    return table(
        ("key", "default", "allowed", "meaning", "paragraph"),
        (
            (code(key.name), code(json.dumps(key.default)), key.allowed, key.doc, key.guide)
            for key in rules.rule_keys().values()
        ),
    )


def presets() -> str:
    """List the presets with their differences from the default."""
    default = rules.load_rules()
    rows = []
    for name in rules.preset_names():
        changed = rules.differences(default, rules.load_rules(name))
        keys = (code(f"{key} = {json.dumps(value)}") for key, (_, value) in changed.items())
        rows.append((code(name), rules.preset_about(name), ", ".join(keys) or "none"))
    return table(("preset", "about", "differs in"), rows)


def payments() -> str:
    """Show what each opponent pays for some exits, under the default rules."""
    default = rules.load_rules()
    exits = {
        "no wild card": (0, 0, False),
        "one deuce": (1, 0, False),
        "two deuces and a joker": (2, 1, False),
        "all eight deuces and both jokers": (8, 2, False),
        "no wild card, all in one suit": (0, 0, True),
        "one deuce, all in one suit": (1, 0, True),
    }
    return table(
        ("exposed", "later exit:", "first-turn exit:", "dealt exit:"),
        (
            (
                name,
                *(
                    exit_payment(default, deuces, jokers, one_suit=one_suit, timing=timing)
                    for timing in TIMINGS
                ),
            )
            for name, (deuces, jokers, one_suit) in exits.items()
        ),
    )


def column_tables() -> str:
    """List every column of every file."""
    parts = []
    for file in columns.FILES.values():
        rows = []
        for column in file.columns:
            kind = {"label": "string", "labels": "string"}.get(column.stored, column.stored)
            key = "key" if column in file.key else ""
            null = "null without an exit" if column.nullable else ""
            rows.append((code(column.name), kind, column.unit, key, null, column.meaning))
        parts.append(
            f"### {file.name}.parquet\n\nOne row: {file.row}.\n\n"
            + table(("column", "type", "unit", "key", "nulls", "meaning"), rows)
        )
    return "\n".join(parts)


def metrics() -> str:
    """List what `--until` may name."""
    rows = ((code(each.pattern), each.unit, each.meaning) for each in METRICS.values())
    return table(("metric", "of the", "meaning"), rows)


def view_fields() -> str:
    """List what a strategy may read of the view."""
    rows = []
    for place, known in (
        ("own seat", records.SEAT_FIELDS),
        ("table", records.PUBLIC_FIELDS),
        ("rules", records.RULES_FIELDS),
    ):
        for name, text in known.items():
            kind, colon, meaning = text.partition(": ")
            if not colon or not re.fullmatch(r"u?int\d+\[.*\]", kind):
                kind, meaning = "int", text
            rows.append((code(f"view.{name}"), kind, place, meaning))
    return table(("field", "type", "about", "meaning"), rows)


def api_functions() -> str:
    """List what a strategy may import."""
    rows = []
    for name in api.__all__:
        thing = getattr(api, name)
        if isinstance(thing, int):
            rows.append((code(name), f"The number {thing}."))
            continue
        function = getattr(thing, "py_func", thing)
        doc = " ".join((inspect.getdoc(function) or "").split())
        call = f"{name}({', '.join(inspect.signature(function).parameters)})"
        rows.append((code(call), doc.replace("``", "`")))
    return table(("name", "meaning"), rows)


def streams() -> str:
    """List the random streams."""
    return table(
        ("stream", "key:", "counter", "what it decides"),
        (
            ("deck", f"(seed, {rng.DECK})", "(deal, 0)", "the order of the pack"),
            (
                "recycle",
                f"(seed, {rng.RECYCLE})",
                "(deal, recycles before)",
                "the order of a recycled stock",
            ),
            ("dice", f"(seed', {rng.DICE})", "(deal, player)", "`api.roll` of one player"),
            (
                "session",
                f"(seed, {rng.SESSION})",
                "(session, 0)",
                "first dealer, order round the table",
            ),
            (
                "branch",
                f"(seed, {rng.BRANCH})",
                "(root, branch)",
                "what comes next in a copy of a deal (`contsim rare`)",
            ),
        ),
    )


def meld_tables() -> str:
    """Measure the meld tables of the default rules."""
    melds = load_melds(rules.load_rules())
    size = sum(array.nbytes for array in melds.arrays().values())
    return table(
        ("tables of the default rules", "number:"),
        (
            ("count vectors of a suit", f"{len(melds.kinds):,}"),
            ("sets of selections that cover a suit exactly", f"{melds.cover_sets:,}"),
            ("classes of a suit for the distance", f"{melds.classes:,}"),
            ("classes of a pair of suits", f"{melds.pair_classes:,}"),
            ("size of all tables [MB]", f"{size / 1e6:.1f}"),
        ),
    )


def rooms() -> str:
    """List the modules of the package, each after all that it imports."""
    graph: dict[str, set[str]] = {}
    lines: dict[str, str] = {}
    shown: dict[str, str] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        inits = {("__init__",), *((folder, "__init__") for folder in OPEN_FOLDERS)}
        if parts[-1] == "__main__" or parts in inits:
            continue
        name = _unit(parts)
        graph[name] = graph.get(name, set()) | _imported(path) - {name}
        if parts[-1] in (name, "__init__"):
            folder = path.name == "__init__.py"
            shown[name] = f"{name}/" if folder else path.relative_to(PACKAGE).as_posix()
            doc = first_line(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))))
            lines[name] = doc.removesuffix(".")
    levels: dict[str, int] = {}

    def level(name: str) -> int:
        if name not in levels:
            levels[name] = 1 + max((level(other) for other in graph[name]), default=-1)
        return levels[name]

    ordered = sorted(graph, key=lambda name: (level(name), name))
    return table(
        ("module", "what it is", "imports"),
        (
            (
                code(shown[name]),
                lines[name],
                ", ".join(sorted(graph[name], key=ordered.index)),
            )
            for name in ordered
        ),
    )


def folders() -> str:
    """List the folders whose modules are listed by themselves."""
    return table(
        ("folder", "what is in it"),
        (
            (
                code(f"{name}/"),
                first_line(
                    ast.get_docstring(
                        ast.parse((PACKAGE / name / "__init__.py").read_text(encoding="utf-8"))
                    )
                ).removesuffix("."),
            )
            for name in sorted(OPEN_FOLDERS)
        ),
    )


def _unit(parts: Sequence[str]) -> str:
    """Name what a module belongs to: itself, or its folder if that is listed as one."""
    return parts[1] if parts[0] in OPEN_FOLDERS and len(parts) > 1 else parts[0]


def _imported(path: Path) -> set[str]:
    """Modules of the package that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("continental_sim"):
            inside = str(node.module).split(".")[1:]
            if inside in ([], *([name] for name in OPEN_FOLDERS)):
                found |= {_unit([*inside, alias.name]) for alias in node.names}
            else:
                found.add(_unit(inside))
    return {name for name in found if not name.startswith("__")}


def bench() -> str:
    """Show the figures that scripts/bench.py measured, if they are there."""
    if not FIGURES.exists():
        return "No figures are kept yet.\n"
    return figures_table(json.loads(FIGURES.read_text(encoding="utf-8")))


def figures_table(measured: Mapping[str, Any]) -> str:
    """Write what ``scripts/bench.py --json`` printed as a table.

    Parameters
    ----------
    measured : mapping
        Its object: ``cores``, ``versions`` and ``figures``, each with ``name``, ``unit``,
        ``value``, ``runs``, ``must``, ``aim``, ``more``.
    """
    rows = []
    for figure in measured["figures"]:
        value, runs, must, aim = (figure[name] for name in ("value", "runs", "must", "aim"))
        sign, limit = (-1, "at least") if figure["more"] else (1, "at most")
        verdict = "missed" if sign * value > sign * must else "limit kept"
        verdict = "aim reached" if sign * value <= sign * aim else verdict
        rows.append(
            (
                figure["name"],
                f"{value:.3g} {figure['unit']}".rstrip(),
                f"{min(runs):.3g} to {max(runs):.3g}" if len(runs) > 1 else "one run",
                f"{limit} {must:g}",
                f"{aim:g}",
                verdict,
            )
        )
    heads = ("figure", "median:", "runs", "limit", "aim:", "verdict")
    return f"{measured_on(measured['cores'], measured['versions'])}\n\n" + table(heads, rows)


def sample() -> str:
    """Play the README's first command and show part of what it prints."""
    blocks = printed(*SAMPLE).split("\n\n")
    shown = "\n\n".join(block for block in blocks if block.startswith(SHOWN))
    return f"{fenced(shown)}\n{fingerprint()}"


def fingerprint() -> str:
    """Hash what the sample's command prints with fewer deals: it changes when the sample would."""
    command = list(SAMPLE)
    command[2] = str(TRIAL)
    digest = hashlib.sha256(printed(*command).encode()).hexdigest()[:16]
    return f"<!-- with {TRIAL} deals the text has sha256 {digest} -->\n"


def printed(*arguments: str) -> str:
    """Run a study that is thrown away and return the table that it prints."""
    with tempfile.TemporaryDirectory() as room:
        done = run_contsim([*arguments, "--quiet", "--out", str(Path(room) / "study")])
    if done.status:
        raise SystemExit(f"contsim {shlex.join(arguments)}: {done.errors}")
    return done.text


GENERATED: dict[str, Callable[[], str]] = {
    "api": api_functions,
    "bench": bench,
    "billion": billion_docs.billion,
    "metrics": metrics,
    "columns": column_tables,
    "commands": commands,
    "meld-tables": meld_tables,
    "payments": payments,
    "presets": presets,
    "folders": folders,
    "rooms": rooms,
    "rule-keys": rule_keys,
    "sample": sample,
    "shipped": shipped,
    "streams": streams,
    "view-fields": view_fields,
    **scale_docs.PARTS,
}
CHART = "scale-sizes"  # the part with which docs/scale.svg is drawn


# -- pages as a reader follows them ----------------------------------------------------------


@dataclass(frozen=True)
class Done:
    """A command that has run: its exit status and what it printed."""

    status: int
    text: str
    errors: str


def run_contsim(arguments: Sequence[str]) -> Done:
    """Run a command of contsim in this process."""
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        status = contsim(arguments)
    return Done(status, out.getvalue(), errors.getvalue())


def lines_of(block: str) -> list[str]:
    """Split a block of shell into command lines, without comments."""
    joined = block.replace("\\\n", " ").splitlines()
    return [line for line in joined if shlex.split(line, comments=True)]


def try_line(line: str, room: Path) -> Done | None:
    """Run a command line of a page with few deals, or return None if it is not for trying.

    Raises
    ------
    ValueError
        If it begins with a command that is on no list here.
    """
    words = shlex.split(line, comments=True)
    if words[0] in SKIPPED or words[0].startswith(".venv/"):
        return None
    if words[0] not in {"contsim", "./scripts/contsim", *PLAIN}:
        raise ValueError(f"{words[0]} is not a command that the pages may show: {line}")
    if words[0] in PLAIN or {"|", ">", "<"} & set(words):
        shim = f'contsim() {{ {shlex.quote(sys.executable)} -m continental_sim "$@"; }}\n'
        done = subprocess.run(
            ["sh", "-c", shim + line], cwd=room, capture_output=True, text=True, check=False
        )
        return Done(done.returncode, done.stdout, done.stderr)
    for place, word in enumerate(words[:-1]):
        if word == "--deals" and words[place + 1] in MANY:
            words[place + 1] = str(SMALL)
    with contextlib.chdir(room):
        return run_contsim(words[1:])


def may_return(line: str) -> tuple[int, ...]:
    """Exit statuses that a line may have: 1 of `check` is a hand that cannot go out."""
    if line.rstrip().endswith(REFUSED):
        return (1, 2)
    return (0, 1) if "contsim check" in line else (0,)


def follow(text: str, room: Path) -> Iterator[str]:
    """Do what a page says, from top to bottom, in an empty directory.

    Parameters
    ----------
    text : str
        The page.
    room : Path
        The directory.

    Yields
    ------
    str
        For each part called ``output``, in order, what it should hold.

    Raises
    ------
    ValueError
        If a line fails.
    """
    last = ""
    for piece in _PIECE.finditer(text):
        body, language = piece["code"], piece["language"]
        if body is None:
            yield fenced(last)
        elif piece["file"]:
            path = room / piece["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body, encoding="utf-8")
        elif language == "sh":
            parsed = subprocess.run(
                ["sh", "-n"], input=body, capture_output=True, text=True, check=False
            )
            if parsed.returncode:
                raise ValueError(f"no shell reads this: {body}{parsed.stderr}")
            for line in lines_of(body):
                done = try_line(line, room)
                if done is not None and done.status not in may_return(line):
                    raise ValueError(f"{line}: status {done.status}, {done.errors or done.text}")
                last = done.text or done.errors if done is not None else last
        elif language == "python":
            run_python(body, room)


def run_python(body: str, room: Path) -> None:
    """Run a piece of Python of a page, unless it needs a library that is not there."""
    out = io.StringIO()
    with contextlib.chdir(room), contextlib.redirect_stdout(out):
        try:
            exec(compile(body, "<page>", "exec"), {"__name__": "page"})  # noqa: S102
        except ModuleNotFoundError as missing:
            if missing.name != "duckdb":
                raise


# -- writing ---------------------------------------------------------------------------------


def renew(page: Path, wanted: Iterable[str]) -> str:
    """Return the text of a page with the wanted parts generated anew."""
    text = page.read_text(encoding="utf-8")
    outputs: list[str] = []
    if "output" in wanted and "<!-- generated: output -->" in text:
        with tempfile.TemporaryDirectory() as room:
            outputs = list(follow(text, Path(room)))

    def fresh(part: re.Match[str]) -> str:
        name = part["name"]
        if name not in wanted:
            return part[0]
        new = outputs.pop(0) if name == "output" else GENERATED[name]()
        return f"<!-- generated: {name} -->\n\n{new}\n<!-- end -->"

    return _PART.sub(fresh, text)


def changed(wanted: Iterable[str]) -> dict[Path, str]:
    """Return the pages, and the chart, of which a wanted part is out of date, as they should be."""
    new = {page: renew(page, wanted) for page in PAGES}
    if CHART in wanted and (chart := scale_docs.fresh_chart()) is not None:
        new[scale_docs.CHART] = chart
    return {path: text for path, text in new.items() if text != kept(path)}


def kept(path: Path) -> str:
    """Return what a file holds, "" if it is not there."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def main() -> int:
    """Write or check."""
    names = (*GENERATED, "output")
    parser = argparse.ArgumentParser(description="Write the generated parts of the documentation.")
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"{', '.join(names)} (default: all)"
    )
    parser.add_argument("--check", action="store_true", help="change nothing, only tell")
    options = parser.parse_args()
    wanted = options.parts or names
    if unknown := set(wanted) - set(names):
        parser.error(f"there is no part {', '.join(sorted(unknown))}: choose {', '.join(names)}")
    new = changed(wanted)
    for path, text in new.items():
        name = path.relative_to(ROOT)
        if options.check:
            print(f"{name} is out of date: run python scripts/docs.py")
        else:
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    return 1 if options.check and new else 0


if __name__ == "__main__":
    sys.exit(main())
