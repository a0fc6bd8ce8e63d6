"""The generated parts of docs/scale.md, and its chart, from docs/scale.json.

``scripts/bench.py --size`` writes that file; ``scripts/docs.py`` puts the parts into the page.
"""

import hashlib
import json
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from markdown_parts import measured_on, table
from scale_model import NEEDED, Figures, Model, long_time, power, short, size_text

from continental_sim.figures.estimates import proportion
from continental_sim.study import MOST_DEALS

DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
FIGURES: Final = DOCS / "scale.json"
CHART: Final = DOCS / "scale.svg"

NOTHING: Final = "No figures are kept yet.\n"
LEVEL: Final = 0.95
ASKED: Final = (1e9, 1e12)  # [deals]
MACHINES: Final = (2, 16, 64)  # [cores]
CLUSTER: Final = (16, 64)  # machines, and cores of each
EVENTS: Final = 100  # seen, from which on a rate is called known here


def figures() -> Figures | None:
    """Read docs/scale.json; None if it is not there, or was not measured to the end."""
    if not FIGURES.exists():
        return None
    found: Figures = json.loads(FIGURES.read_text(encoding="utf-8"))
    return found if all(name in found for name in NEEDED) else None


def part(write: Callable[[Model], str]) -> Callable[[], str]:
    """Make a generated part of what writes one from a model."""

    def generated() -> str:
        found = figures()
        return write(Model(found)) if found is not None else NOTHING

    return generated


# -- what was measured -----------------------------------------------------------------------


def sizes(model: Model) -> str:
    """Show deals against seconds: the chart, the table, the line."""
    line, names = model.line, model.figures
    rows = []
    for place, size in enumerate(model.sizes):
        many = len(size.walls) > 1
        rows.append(
            (
                f"{size.deals:,}",
                f"{size.wall:.3g}",
                f"{min(size.walls):.3g} to {max(size.walls):.3g}" if many else "one run",
                f"{line.seconds(size.deals):.3g}" if place else "not fitted",
                f"{size.deals / size.wall:,.0f}",
                f"{size.memory:.0f}",
                size_text(size.size),
                size.most_files,
                size_text(size.most_size),
            )
        )
    heads = (
        *("deals:", "time [s]:", "runs [s]", "line [s]:", "deals/s:", "memory [MB]:"),
        *("directory:", "most files:", "most on disk:"),
    )
    trial = "" if names["scale"] == 1 else "This was a trial with fewer deals.\n\n"
    return (
        f"{measured_on(model.cores, names['versions'])} All players play `{names['strategy']}`.\n\n"
        f"{trial}![{chart_words(model)}](scale.svg)\n\n{table(heads, rows)}\n"
        f"The line is {line.start:.2g} s + deals / ({line.rate:,.0f} a second), fitted to all "
        f"sizes but the smallest. The sizes lie within {100 * model.misfit:.1f} % of it.\n"
    )


def kept_limits(model: Model) -> str:
    """Compare with the limits that the project sets itself."""
    resume = next(iter(model.figures["resume"].values()))
    largest = model.sizes[-1]
    processor = model.overheads("processor")
    most = max(processor)  # the limit is for a large study: what is done once counts less there
    rows: list[tuple[str, list[float], str, str, float | None]] = [
        ("two cores against one", model.gains, "x", "at least", 1.8),
        *(
            (f"overhead, {deals:,} deals, {clock} time", shares, "%", "at most", limit)
            for clock in ("processor", "wall")
            for deals, found in model.overheads(clock).items()
            for shares in [[100 * share for share in found]]
            for limit in [3.0 if deals == most else None]
        ),
        (
            f"resuming a finished study of {resume['deals']:,} deals",
            resume["walls"],
            "s",
            "at most",
            2,
        ),
        (
            f"its directory, {resume['rows']:,} kinds of outcomes",
            [resume["size"] / 1e6],
            "MB",
            "at most",
            50,
        ),
    ]
    lines = []
    for name, runs, unit, sense, limit in rows:
        if not runs:  # a machine of one core
            continue
        value = statistics.median(runs)
        spread = f"{min(runs):.3g} to {max(runs):.3g}" if len(runs) > 1 else "one run"
        bound = verdict = ""
        if limit is not None:
            sign = -1 if sense == "at least" else 1
            bound = f"{sense} {limit:g} {unit}"
            verdict = "kept" if sign * value <= sign * limit else "missed"
        lines.append((name, f"{value:.3g} {unit}", spread, bound, verdict))
    keep, play = model.block["keep"], model.block["play"]
    more = statistics.median(processor[most])
    return table(("figure", "median:", "runs", "limit", "verdict"), lines) + (
        f"\nKeeping a block was timed by itself, too: {short(1e3 * keep)} ms, for a block that a "
        f"core plays in {short(play)} s, so {100 * keep / play:.2g} % of it. What is done once a "
        f"study is not in that. The whole process took {100 * more:.2g} % "
        f"more processor time than bare play at {most:,} deals. The largest study timed above, "
        f"{largest.deals:,} deals, never had more than {largest.most_files} files.\n"
    )


# -- what it means for other machines --------------------------------------------------------


def machines(model: Model) -> str:
    """Show what machines and clusters need."""
    rows = []
    for cores in sorted({*MACHINES, model.cores}):
        times = [long_time(model.seconds(deals, cores)) for deals in ASKED]
        held = f"the process that keeps blocks, at {model.parent:,.0f} cores"
        limit = held if cores > model.parent else "none"
        how = "from the measured line" if cores == model.cores else "computed"
        rows.append((f"{cores} cores", *times, limit, how))
    hosts, each = CLUSTER
    cores = hosts * each
    one = [long_time(model.seconds(deals, cores, cluster=True)) for deals in ASKED]
    most = min(model.parent, model.scheduler, model.network())
    held = f"it plays like {most:,.0f} cores" if cores > most else "none"
    rows.append((f"{hosts} machines of {each} cores, one study over Dask", *one, held, "computed"))
    split = [long_time(model.seconds(deals, cores, shares=hosts)) for deals in ASKED]
    held = f"as for {each} cores" if each > model.parent else "none"
    name = f"{hosts} machines of {each} cores, a share each, merged"
    rows.append((name, *split, held, "computed"))
    heads = ("machine", *(f"{power(deals)} deals:" for deals in ASKED))
    heads += ("held up by", "how it is known")
    return (
        f"A core plays {model.core_rate:,.0f} deals a second here, with all {model.cores} at work. "
        f"A block has {model.block['deals']:,} deals and takes a core "
        f"{short(model.block_seconds)} s.\n\n{table(heads, rows)}"
    )


def runs_out(model: Model) -> str:
    """Show what cannot be shared out, in the order in which it becomes the limit."""
    tasks, block = model.figures["cluster"]["dask"], model.block
    a_second = f"{tasks['tasks'] / tasks['seconds']:,.0f}"
    sent, rows_sent = (block[name] + block["task_size"] for name in ("result_size", "records_size"))
    both = block["keep"] + block["keep_records"]
    limits = [
        (model.parent, "one process keeps all blocks", f"{short(1e3 * block['keep'])} ms a block"),
        (
            model.parent_with_records,
            "one process keeps all blocks, with `--records`",
            f"{short(1e3 * both)} ms a block",
        ),
        (model.scheduler, "a Dask scheduler hands out blocks", f"{a_second} empty tasks a second"),
        (model.network(), "a network of 1 Gbit/s brings results", f"{size_text(sent)} a block"),
        (
            model.network(records=True),
            "a network of 1 Gbit/s brings results, with `--records`",
            f"{size_text(rows_sent)} a block",
        ),
    ]
    limits.sort()
    found = table(
        ("cores:", "what is the limit from there on", "measured here"),
        ((f"{cores:,.0f}", what, why) for cores, what, why in limits),
    )
    first, what, _ = min(limit for limit in limits if "records" not in limit[1])
    most, cores = MOST_DEALS, MACHINES[-1]
    years = long_time(most / (min(cores, model.parent) * model.core_rate))
    disk = " and ".join(
        f"{size_text(deals * model.bytes_a_deal)} for {power(deals)} deals" for deals in ASKED
    )
    return (
        f"{found}\nWithout records the first of these is: {what}, at {first:,.0f} cores.\n\n"
        f"Disk: records take {model.bytes_a_deal:.2g} bytes a deal, {disk}. Without records the "
        f"largest study timed above takes {size_text(model.sizes[-1].size)}.\n\n"
        f"Counters: all are whole numbers of 64 bits. A study has at most {power(most)} deals, so "
        f"that no sum can overflow. {cores} cores would play them in {years}.\n"
    )


def rare(model: Model) -> str:
    """Show which rates a study of a size resolves."""
    rows = []
    for deals in (10**exponent for exponent in (6, 7, 8, 9, 10, 12, 15)):
        seen, none = (proportion(count, deals, LEVEL) for count in (EVENTS, 0))
        half = ((seen.high or 1) - (seen.low or 0)) / 2 / (EVENTS / deals)
        seconds = model.line.seconds(deals)
        rows.append(
            (
                power(deals),
                long_time(seconds),
                power(EVENTS / deals),
                f"{100 * half:.0f} %",
                f"{none.high:.2g}".replace("e-0", "e-"),
            )
        )
    heads = (
        *("deals:", f"time on {model.cores} cores:", f"rate seen {EVENTS} times:"),
        *("half width, of the rate:", "never seen: the rate is below:"),
    )
    return table(heads, rows)


PARTS: Final = {
    "scale-limits": part(kept_limits),
    "scale-machines": part(machines),
    "scale-rare": part(rare),
    "scale-runs-out": part(runs_out),
    "scale-sizes": part(sizes),
}


# -- the chart -------------------------------------------------------------------------------


def chart_words(model: Model) -> str:
    """Say what the chart shows, for those who cannot see it."""
    first, last = model.sizes[0], model.sizes[-1]
    return (
        f"Deals against seconds, both logarithmic: from {first.wall:.2g} s for {first.deals:,} "
        f"deals to {last.wall:.3g} s for {last.deals:,}, on a straight line but for the start"
    )


def fingerprint(model: Model) -> str:
    """Hash what the chart is drawn from."""
    drawn = [
        model.cores,
        model.figures["strategy"],
        [(one.deals, one.walls) for one in model.sizes],
    ]
    return hashlib.sha256(json.dumps(drawn).encode()).hexdigest()[:16]


def chart(model: Model) -> str:
    """Draw deals against seconds, as a file of SVG that ends in the fingerprint of its figures."""
    import matplotlib as mpl
    from matplotlib.ticker import FuncFormatter

    from continental_sim.figures.plot_style import (
        BLACK,
        BLUE,
        GREY,
        house_style,
        new_figure,
        to_svg,
    )

    strategy = model.figures["strategy"]
    with house_style():
        figure, axes = new_figure(
            "Deals against seconds",
            f"contsim run, the whole process; all players {strategy}, {model.cores} cores",
            height=4.1,
        )
        deals = [size.deals for size in model.sizes for _ in size.walls]
        walls = [wall for size in model.sizes for wall in size.walls]
        along = np.geomspace(min(deals), max(deals), 200)
        axes.plot(along, model.line.start + along / model.line.rate, color=GREY, zorder=1)
        axes.plot(deals, walls, "o", color=BLUE, markerfacecolor="none")
        axes.set_xscale("log")
        axes.set_yscale("log")
        for size in model.sizes:
            axes.annotate(
                f"{size.wall:.3g} s",
                (size.deals, size.wall),
                (-9, 7),
                textcoords="offset points",
                color=BLACK,
                ha="right",
            )
        words = f"line: {model.line.start:.2g} s + deals / ({model.line.rate:,.0f} a second)"
        axes.text(0.98, 0.04, words, transform=axes.transAxes, color=GREY, ha="right")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda deals, _: power(deals)))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda seconds, _: f"{seconds:g}"))
        axes.margins(x=0.12, y=0.15)
        axes.set_xlabel("deals (logarithmic)")
        axes.set_ylabel("time [s] (logarithmic)")
    mark = f"<!-- figures {fingerprint(model)}, matplotlib {mpl.__version__} -->"
    return f"{to_svg(figure, 'scale').rstrip()}\n{mark}\n"


def fresh_chart() -> str | None:
    """Draw the chart anew; None without figures."""
    found = figures()
    return chart(Model(found)) if found is not None else None
