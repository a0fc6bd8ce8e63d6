"""The generated parts that were measured or played: the benchmark, and the README's sample."""

import hashlib
import json
import shlex
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from followed_pages import run_contsim
from markdown_parts import code, fenced, measured_on, table

from continental_sim.figures.formats import percent

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
FIGURES: Final = DOCS / "benchmarks.json"
LADDER: Final = DOCS / "ladder.json"  # written by scripts/ladder.py

# The sample: the command of the README's first lines, and the blocks of its table that are shown.
SAMPLE = ("run", "--deals", "1e6", "--seed", "1")
SHOWN = ("Continental", "Ends", "Exits  ", "Each", "Ledger", "Length")
TRIAL = 20_000  # [deals] that tell whether the sample is still what the command prints


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


def ladder() -> str:
    """Show how far champion is ahead of each strategy, from docs/ladder.json."""
    told = json.loads(LADDER.read_text(encoding="utf-8"))
    rows = [
        (code(row["strategy"]), *(ahead(row[lineup]) for lineup in ("alone", "even")))
        for row in told["rows"]
    ]
    heads = (f"{percent(told['level'])} intervals", "one among three:", "two and two:")
    return table(heads, rows)


def ahead(found: Mapping[str, float]) -> str:
    """Write a difference with its interval, and in how many deals it was measured."""
    half = (found["high"] - found["low"]) / 2
    return f"{found['ahead']:.3f} ± {half:.3f} ({found['deals']:,} deals)"


PARTS: Final[dict[str, Callable[[], str]]] = {"bench": bench, "ladder": ladder, "sample": sample}
