"""Play a study: blocks of deals across workers, added up and stored."""

import platform
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from joblib import Parallel, cpu_count, delayed
from joblib.externals.loky.process_executor import TerminatedWorkerError

import continental_sim
from continental_sim.cubes import StudyCubes
from continental_sim.engine import is_warm, play_block, play_cubes, try_cubes, warm_up
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.parquet import RecordsWriter, open_records
from continental_sim.players import load_player
from continental_sim.store import StoredStudy, records_path, write_study
from continental_sim.study import Study, study_to_dict

BACKENDS = ("loky", "threading")
MERGE_EVERY = 16  # blocks held apart, so that memory does not grow with the study
FIRST_USE = "first use with these rules: building meld tables and compiling, once"
WORKERS_PAY = 1.5  # [seconds] of work from which workers gain more than their start costs
_PACKAGES = ("numpy", "numba", "pyarrow", "joblib", "pandas")

Progress = Callable[[int, int], None]


def run_study(
    study: Study,
    directory: Path,
    *,
    jobs: int | None = None,
    backend: str = "loky",
    records: bool = False,
    progress: Progress | None = None,
    notify: Callable[[str], None] | None = None,
    command: Sequence[str] | None = None,
) -> StoredStudy:
    """Play a study and store it.

    Parameters
    ----------
    study : Study
    directory : Path
        New or empty.
    jobs : int or None
        Workers; one a core if None. They change no outcome.
    backend : str
        ``loky`` (processes) or ``threading``.
    records : bool
        Whether to keep one row a deal as well.
    progress : callable
        Called with (deals played, deals wanted), first with (0, deals wanted).
    notify : callable
        Called with a sentence before something slow, or if a strategy runs interpreted.
    command : sequence of str
        What the user typed, for the manifest.

    Returns
    -------
    StoredStudy

    Raises
    ------
    StudyFailed
        If a strategy fails; the blocks before are stored as a partial study.
    KeyboardInterrupt
        If interrupted; likewise, but nothing is stored if no block had finished.
    """
    if backend not in BACKENDS:
        raise ContsimError(f"backend {backend!r} is not known: use {' or '.join(BACKENDS)}")
    jobs = jobs or cpu_count()
    say = notify or (lambda _: None)
    prepare(study, say)
    started = datetime.now(UTC)
    clock = time.perf_counter()
    total = Running(study)
    reason = ""
    if progress is not None:
        progress(0, study.deals)
    try:
        with _records(study, directory, wanted=records) as write:
            for cubes, outcomes in _blocks(study, jobs, backend, records=records):
                with _undisturbed():
                    total.add(cubes)
                    if write is not None:
                        write.write(outcomes)
                if progress is not None:
                    progress(total.deals, study.deals)
    except (StudyFailed, KeyboardInterrupt) as stop:
        reason = str(stop) or "interrupted"
        if not total.blocks and isinstance(stop, KeyboardInterrupt):
            records_path(directory).unlink(missing_ok=True)
            raise
        # A failed study is stored even if empty: its manifest is what replays the failure.
        provenance = _provenance(jobs, backend, started, clock, command)
        with _undisturbed():
            write_study(directory, total.cubes(), _manifest(study, total, reason, provenance))
        if isinstance(stop, StudyFailed):
            raise StudyFailed(_advice(reason, total.deals, directory)) from None
        raise
    provenance = _provenance(jobs, backend, started, clock, command)
    with _undisturbed():
        return write_study(directory, total.cubes(), _manifest(study, total, reason, provenance))


@contextmanager
def _at_ctrl_c(answer: Any) -> Iterator[None]:
    """Answer Ctrl-C otherwise for a while, where it would stop this thread at once."""
    here = threading.current_thread() is threading.main_thread()
    if not here or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    signal.signal(signal.SIGINT, answer)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Hold Ctrl-C back while something is kept that must be kept whole."""
    waiting: list[int] = []
    with _at_ctrl_c(lambda number, _: waiting.append(number)):
        yield
    if waiting:
        raise KeyboardInterrupt


class Running:
    """What has been played so far: cubes that are added up as they come."""

    def __init__(self, study: Study) -> None:
        self._parts = [StudyCubes.empty(len(study.lineup))]
        self.blocks = 0
        self.deals = 0

    def add(self, cubes: StudyCubes) -> None:
        """Add the cubes of the next block."""
        self._parts.append(cubes)
        self.blocks += 1
        self.deals += cubes.deals
        if len(self._parts) > MERGE_EVERY:
            self._parts = [StudyCubes.merge(self._parts)]

    def cubes(self) -> StudyCubes:
        """Return the sum."""
        return StudyCubes.merge(self._parts)


def prepare(study: Study, say: Callable[[str], None]) -> None:
    """Do once, before workers start, what they would all do: tables, compilation, loading."""
    if not is_warm(study.rules):
        say(FIRST_USE)
        warm_up(study.rules)
    for strategy in dict.fromkeys(study.lineup):
        player = load_player(strategy)
        if player.foreign:
            try_out(study, strategy)
            say(
                f"strategy {strategy.name} runs interpreted, some 100 times slower than compiled: "
                f"{player.reason}"
            )


def try_out(study: Study, strategy: Any) -> None:
    """Let an interpreted strategy play one session: a mistake in it is found before the study.

    Raises
    ------
    ContsimError
        If it fails.
    """
    seats = study.rules.seats
    alone = Study(study.rules, (strategy,) * seats, study.seed, seats, study.fixed_order, seats)
    try:
        play_block(alone, 0, seats)
    except StudyFailed as failed:
        reason = load_player(strategy).reason
        raise ContsimError(f"{failed} (it cannot be compiled either: {reason})") from None


def _blocks(
    study: Study, jobs: int, backend: str, *, records: bool
) -> Iterator[tuple[StudyCubes, Any]]:
    """Yield the blocks' results in order, from one process or many.

    The first block is played here: it tells whether the rest is worth the start of workers.
    """
    blocks = study.blocks()
    begun = time.perf_counter()
    yield play_cubes(study, *next(blocks), records)
    ahead = (time.perf_counter() - begun) * (study.block_count - 1)
    jobs = min(jobs, study.block_count - 1)
    if jobs <= 1 or ahead < WORKERS_PAY:
        yield from (play_cubes(study, *block, records) for block in blocks)
        return
    parallel = Parallel(n_jobs=jobs, backend=backend, return_as="generator", batch_size=1)
    # Started deaf to Ctrl-C, workers print nothing of their own when this process ends them.
    with _at_ctrl_c(signal.SIG_IGN):
        results = parallel(delayed(try_cubes)(study, *block, records) for block in blocks)
    try:
        for result in results:
            if isinstance(result, StudyFailed):
                raise result
            yield result
    except TerminatedWorkerError:
        raise StudyFailed("a worker process died, killed or out of memory") from None
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of results that nobody will fetch
            results.close()


def _records(
    study: Study, directory: Path, *, wanted: bool
) -> AbstractContextManager[RecordsWriter | None]:
    if not wanted:
        return nullcontext()
    with suppress(OSError):  # what is in the way is told when the file is opened
        directory.mkdir(parents=True, exist_ok=True)
    return open_records(records_path(directory), study.rules.patterns)


def _manifest(
    study: Study, total: Running, reason: str, provenance: dict[str, Any]
) -> dict[str, Any]:
    return {
        **study_to_dict(study),
        "finished": {
            "status": "complete" if total.deals == study.deals else "partial",
            "deals": total.deals,
            "blocks": total.blocks,
            "reason": reason,
        },
        "provenance": provenance,
    }


def _provenance(
    jobs: int, backend: str, started: datetime, clock: float, command: Sequence[str] | None
) -> dict[str, Any]:
    return {
        "command": list(command or []),
        "started": started.isoformat(timespec="seconds"),
        "seconds": round(time.perf_counter() - clock, 3),
        "jobs": jobs,
        "backend": backend,
        "versions": {
            "contsim": continental_sim.__version__,
            "python": platform.python_version(),
            **{name: version(name) for name in _PACKAGES},
        },
    }


def _advice(reason: str, deals: int, directory: Path) -> str:
    kept = f"the {deals} deals before are kept in {directory}" if deals else "no block had finished"
    _, found, place = reason.rpartition("in deal ")
    if not found:
        return f"{reason}; {kept}"
    return f"{reason}; {kept}; replay it: contsim replay {directory} --deal {place.split(',')[0]}"
