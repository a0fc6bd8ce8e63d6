"""The generated part about one large study, from docs/billion.json.

``scripts/bench.py --figures-of STUDY`` writes that file.
"""

import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np
from markdown_parts import table
from scale_model import Figures, long_time, size_text

from continental_sim.figures.estimates import (
    EXACT,
    WILSON,
    Estimate,
    Mean,
    mean_of,
    proportion,
    z_value,
)
from continental_sim.figures.formats import interval_text, mean_text, percent, rate_text

FIGURES: Final = Path(__file__).resolve().parent.parent / "docs" / "billion.json"
NOT_PLAYED: Final = "No study of this size was played to its end yet.\n"
LEVEL: Final = 0.95
# Hands of 15 that can go out under the default rules: a test counts them in the meld tables.
GO_OUT: Final = 205_752_709_423_432
DEALT: Final = GO_OUT / math.comb(106, 15)

_NUMBERS: Final = ("count", "trials", "rate", "low", "high")

Row = tuple[str, str, str, str, str]


def billion() -> str:
    """Show a large study: what played it, its files, its figures beside exact ones."""
    if not FIGURES.exists():
        return NOT_PLAYED
    return study_text(json.loads(FIGURES.read_text(encoding="utf-8")))


def study_text(told: Figures) -> str:
    """Write what `bench.py --figures-of` has told of a study."""
    summary = told["summary"]
    alike = len(set(told["lineup"])) == 1
    players = f"{len(told['lineup'])} x {told['lineup'][0]}" if alike else ", ".join(told["lineup"])
    end = "" if told["complete"] else f" It is not finished: {told['planned']:,} were planned."
    runs = [
        (
            run["started"][:10],
            f"{run['deals']:,}",
            long_time(run["seconds"]),
            f"{run['deals'] / run['seconds']:,.0f}",
            f"{run['backend']}, {run['jobs']} workers" if run["jobs"] else run["backend"],
        )
        for run in told["runs"]
    ]
    rows = sum(told["files"].values())
    exact = "exact" if not told["rules_changed"] else "exact (other rules: none)"
    heads = ("figure", f"measured ({percent(LEVEL)}):", "interval:", f"{exact}:", "off by:")
    return (
        f"{summary['deals']:,} deals of {players}, seed {summary.get('seed', 'several')}.{end} The "
        f"directory has {size_text(told['size'])} and {rows:,} rows.\n\n"
        + table(("begun", "deals:", "time:", "deals/s:", "by"), runs)
        + "\n"
        + table(heads, _compared(told))
        + "\n*Off by* is the distance from the exact value in standard errors.\n"
    )


def _compared(told: Figures) -> Iterator[Row]:
    summary, alike = told["summary"], len(set(told["lineup"])) == 1
    deals = summary["deals"]
    names = ("by_first_turn_by_seat", "first_turn_by_seat")
    by_first, first = (summary[name][0]["count"] for name in names)
    dealt = proportion(by_first - first, deals, LEVEL)
    yield _rate_row("dealt exits of seat 0", dealt, None if told["rules_changed"] else DEALT)
    for name, key in (("dealt", "dealt"), ("first-turn", "first_turn"), ("later", "later")):
        yield _rate_row(f"{name} exits", _estimate(summary["exits"][key]), None)
    for name, key in (("exits all in one suit", "one_suit"), ("natural exits", "natural")):
        yield _rate_row(name, _estimate(summary[key]), None)
    paid = summary["payment"]
    values, counts = (np.array([each[key] for each in paid]) for key in ("payment", "count"))
    yield _mean_row("payment [points an opponent]", mean_of(values, counts, LEVEL), None)
    for player, each in enumerate(summary["ledger"]):
        mean = Mean(deals, each["mean"], each["low"], each["high"], each["sd"])
        # Players who play alike win alike.
        yield _mean_row(f"ledger of player {player} [points a deal]", mean, 0.0 if alike else None)


def _estimate(told: Figures) -> Estimate:
    method = EXACT if told["count"] in {0, told["trials"]} else WILSON
    return Estimate(**{name: told[name] for name in _NUMBERS}, method=method)


def _rate_row(name: str, rate: Estimate, chance: float | None) -> Row:
    if chance is None:
        return name, rate_text(rate), interval_text(rate), "", ""
    error = math.sqrt(rate.trials * chance * (1 - chance))
    off = (rate.count - rate.trials * chance) / error
    return name, rate_text(rate), interval_text(rate), _exponent(chance), _sigmas(off)


def _mean_row(name: str, mean: Mean, expected: float | None) -> Row:
    text, _, half = mean_text(mean).partition(" ± ")
    interval = f"± {half}" if half else ""
    if expected is None or mean.mean is None or mean.low is None or mean.high is None:
        return name, text, interval, "", ""
    error: Any = (mean.high - mean.low) / 2 / z_value(LEVEL)
    return name, text, interval, f"{expected:g}", _sigmas((mean.mean - expected) / error)


def _sigmas(off: float) -> str:
    return f"{round(off, 1) + 0.0:+.1f}"  # no "-0.0"


def _exponent(chance: float) -> str:
    return f"{chance:.8e}".replace("e-0", "e-")
