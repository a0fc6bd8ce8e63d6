"""Measure how far it goes: deals against seconds, memory, files, and what would become the limit.

`python scripts/bench.py --size` runs this. Every figure is kept as soon as it is measured: a run
that is stopped goes on where it was. Studies are thrown away, in the system's temporary directory;
`TMPDIR` names one on another disk. What each step measures stands with it.
"""

import json
import operator
import pickle
import shutil
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from measuring import CORES, STRATEGY, Watch, contsim, note, play, run, sizes_in, versions

from continental_sim.backends import open_workers
from continental_sim.files.parts import CubeParts, RecordParts
from continental_sim.play.identity import code_mark, study_mark
from continental_sim.play.worker import Played, play_task
from continental_sim.rules import load_rules
from continental_sim.spans import Span, cut
from continental_sim.study import make_study

BARE: Final = Path(__file__).with_name("bare_run.py")
SIZES: Final = (1e5, 1e6, 1e7, 1e8)  # [deals]
REPEATS: Final = 3  # of a size but the largest
PAIRS: Final = 3  # of one core and two
OVERHEAD_PAIRS: Final = 5  # of 1e7 deals, and one of 1e8
DIFFERENT, KEPT = 16, 272  # blocks that are played, and how many are kept, over and over
TASKS: Final = 2_000  # empty ones, for a cluster

Figures = dict[str, Any]


@dataclass(frozen=True)
class Step:
    """One measurement.

    Attributes
    ----------
    group, name : str
        Where its figures are kept.
    measure : callable
        Returns them.
    """

    group: str
    name: str
    measure: Callable[[], Figures]


def steps(scale: float, study: Path | None) -> Iterator[Step]:
    """List what is measured, what is quick first.

    Parameters
    ----------
    scale : float
        Of all numbers of deals; 1 but for a trial.
    study : Path, optional
        Directory of a finished study that is resumed; without it one of the largest size is played.
    """
    many, most = int(SIZES[-2] * scale), int(SIZES[-1] * scale)
    yield Step("blocks", "one", partial(cost_of_blocks, most))
    yield Step("cluster", "dask", partial(cost_of_tasks, int(TASKS * min(10 * scale, 1))))
    for deals in (int(size * scale) for size in SIZES):
        for number in range(1, 1 + (REPEATS if deals < most else 1)):
            yield Step("played", f"{deals} deals, run {number}", partial(played, deals))
    yield Step("records", f"{many} deals", partial(played, many, "--records"))
    if CORES > 1:
        for number in range(1, 1 + PAIRS):
            yield Step("pairs", f"{many} deals, pair {number}", partial(one_and_two, many))
    for number in range(1, 1 + OVERHEAD_PAIRS):
        work = partial(overhead, many, bare_first=number % 2 == 0)
        yield Step("overhead", f"{many} deals, pair {number}", work)
    work = partial(overhead, most, bare_first=True)
    yield Step("overhead", f"{most} deals, pair 1", work)
    yield Step("resume", "finished", partial(resumed, study, most))


def measure(into: Path, scale: float, study: Path | None) -> None:
    """Measure everything that a file does not hold yet.

    Parameters
    ----------
    into : Path
        Written after each step.
    scale : float
    study : Path, optional
        As for `steps`.
    """
    head = {
        "cores": CORES,
        "versions": versions(),
        "strategy": STRATEGY,
        "scale": scale,
        "code": code_mark(),
    }
    kept = json.loads(into.read_text(encoding="utf-8")) if into.exists() else {}
    if kept and {name: kept.get(name) for name in head} != head:
        note(f"{into} is of another machine, version or scale: all is measured anew")
        kept = {}
    figures = {**head, **kept}
    todo = [each for each in steps(scale, study) if each.name not in figures.get(each.group, {})]
    for number, step in enumerate(todo, 1):
        note(f"{number} of {len(todo)}: {step.group}, {step.name}")
        begun = time.perf_counter()
        figures.setdefault(step.group, {})[step.name] = step.measure()
        write_json(into, figures)
        note(f"    {time.perf_counter() - begun:.1f} s")


def write_json(path: Path, figures: Figures) -> None:
    """Write a file whole or not at all."""
    beside = path.with_suffix(".tmp")
    beside.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    beside.replace(path)


def played(deals: int, *arguments: str) -> Figures:
    """Play a study on all cores: the whole process, start and table included.

    Its directory is looked at five times a second: the most files and bytes that were there.
    """
    with thrown_away() as directory, Watch(directory) as watch:
        process = play(deals, *arguments, out=directory)
        sizes = {path.name: path.stat().st_size for path in directory.iterdir()}
    return {
        "deals": deals,
        **process.to_json(),
        "size": sum(sizes.values()),
        "records": sizes.get("records.parquet", 0),
        "most_files": watch.files,
        "most_size": watch.size,
    }


@contextmanager
def thrown_away() -> Iterator[Path]:
    """Name a directory for a study, which is gone afterwards."""
    with tempfile.TemporaryDirectory() as room:
        yield Path(room) / "study"


def one_and_two(deals: int) -> Figures:
    """Play one study with one worker and with two, one after the other."""
    return {
        "deals": deals,
        "one": play(deals, "--jobs", "1").to_json(),
        "two": play(deals, "--jobs", "2").to_json(),
    }


def overhead(deals: int, *, bare_first: bool) -> Figures:
    """Play a study with `contsim run`, and bare, as `bare_run.py` does.

    The difference is all that is not play: imports of what only writing needs, manifest, parts,
    checksums, joining, the progress bar (the command has a terminal), the final files, estimates
    and the table. Some of this is more than writing, so the figure is an upper bound. Processor
    time counts the work of all processes; the wall time also counts waits for the disk, and cores
    that idle meanwhile. Adding cubes up is in both. The order changes from pair to pair, as a
    machine may grow slower with time.
    """

    def bare() -> Figures:
        return run([sys.executable, str(BARE), str(deals)]).to_json()

    def whole() -> Figures:
        return play(deals, on_terminal=True).to_json()

    if bare_first:
        first, second = bare(), whole()
        return {"deals": deals, "bare": first, "run": second}
    first, second = whole(), bare()
    return {"deals": deals, "run": first, "bare": second}


def cost_of_blocks(deals: int) -> Figures:
    """Time what the one process that keeps the parts does for each block, and so cannot be shared.

    That is to read what a worker sent, and to write it, with its checksum and its share of the
    joins. Blocks that were really played are kept over and over, so that parts of three sizes
    arise. The wall time counts, as the process waits for the disk too.

    Parameters
    ----------
    deals : int
        Of the study whose blocks they are.
    """
    study = make_study(load_rules("continental"), [STRATEGY], 1, deals)
    code, size = code_mark(), study.block_deals
    spans = list(cut(Span(0, KEPT * size), size))
    tasks = [(study, span, True, code, None) for span in spans[:DIFFERENT]]
    play_task(*tasks[0])  # loads machine code
    begun = time.process_time()
    full = [play_task(*task) for task in tasks]
    playing = (time.process_time() - begun) / len(full)
    results = [_played(result) for result in full]
    lean = [pickle.dumps(Played(each.span, each.cubes, None)) for each in results]
    figures: Figures = {
        "deals": study.block_deals,
        "play": playing,
        "task_size": len(pickle.dumps(tasks[0])),
        "result_size": max(map(len, lean)),
        "records_size": max(len(pickle.dumps(each)) for each in results),
    }
    with tempfile.TemporaryDirectory() as room:
        kept = CubeParts(Path(room), study_mark(study, code), study.files, study.block_sizes, {})
        begun = time.perf_counter()
        for number, span in enumerate(spans):
            kept.keep(span, pickle.loads(lean[number % DIFFERENT]).cubes)  # noqa: S301 - our own
        figures["keep"] = (time.perf_counter() - begun) / len(spans)
    with tempfile.TemporaryDirectory() as room:
        rows = RecordParts(Path(room), study_mark(study, code), study.files, study.block_sizes, {})
        whole = [pickle.dumps(each) for each in results]
        begun = time.perf_counter()
        for number, span in enumerate(spans[: 2 * DIFFERENT]):
            rows.keep(span, pickle.loads(whole[number % DIFFERENT]).outcomes)  # noqa: S301
        figures["keep_records"] = (time.perf_counter() - begun) / (2 * DIFFERENT)
    return figures


def _played(result: Any) -> Played:
    if not isinstance(result, Played):
        raise result
    return result


def cost_of_tasks(tasks: int) -> Figures:
    """Time tasks that do nothing on a Dask cluster of this machine: what handing one out takes.

    Scheduler, client and workers share the cores here; at most two tasks a worker are on their way,
    as in a study.
    """
    with open_workers("dask", CORES) as workers:
        list(workers.results(operator.neg, ((number,) for number in range(4 * CORES))))
        begun = time.perf_counter()
        done = list(workers.results(operator.neg, ((number,) for number in range(tasks))))
        seconds = time.perf_counter() - begun
    if sorted(done) != list(range(1 - tasks, 1)):
        raise SystemExit("tasks were lost on the cluster")
    return {"tasks": tasks, "seconds": seconds, "workers": CORES}


def resumed(study: Path | None, deals: int) -> Figures:
    """Resume a finished study: the whole process, which checks all its files and prints its table.

    What is resumed is a copy.
    """
    with thrown_away() as directory:
        if study is None:
            play(deals, out=directory)
        else:
            shutil.copytree(study, directory)
        manifest = tomllib.loads((directory / "manifest.toml").read_text(encoding="utf-8"))
        if manifest["state"]["status"] != "complete":
            raise SystemExit(f"the study in {study} is not finished: resume it first")
        walls = [contsim("run", "--resume", str(directory)).wall for _ in range(REPEATS + 2)]
        return {
            "deals": manifest["state"]["deals"],
            "rows": manifest["files"]["cube"]["rows"],
            "size": sum(sizes_in(directory)),
            "walls": walls,
        }


def figures_of(directory: Path) -> Figures:
    """Return what is told of a finished study: its figures, what played it, its files.

    Parameters
    ----------
    directory : Path
    """
    from continental_sim.figures import stats
    from continental_sim.files import store
    from continental_sim.rules import differences

    stored = store.read_study(directory)
    manifest = stored.manifest
    told = ("started", "seconds", "deals", "backend", "jobs", "versions")
    files = {name: table["rows"] for name, table in manifest.get("files", {}).items()}
    return {
        "complete": stored.complete,
        "lineup": list(stored.lineup),
        "rules_changed": sorted(differences(load_rules("continental"), stored.rules)),
        "planned": manifest["study"]["deals"],
        "block_deals": manifest["study"]["block_deals"],
        "runs": [{name: each.get(name) for name in told} for each in manifest["runs"]],
        "files": files,
        "size": sum(sizes_in(directory)),
        "summary": stats.summarise(stored).to_json(),
    }
