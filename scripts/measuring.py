"""What the benchmarks share: commands run as a user runs them, and what they took."""

import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Final, Self

from joblib import cpu_count

CONTSIM: Final = (sys.executable, "-m", "continental_sim")
ACCOUNT: Final = Path(__file__).with_name("account.py")
CORES: Final = cpu_count()
STRATEGY: Final = "fastest"  # of all players, wherever speed is measured
SAMPLE_EVERY: Final = 0.2  # [s] between two looks into a directory


@dataclass(frozen=True)
class Process:
    """A finished process with all that it started.

    Attributes
    ----------
    wall : float
        Time from start to end [s].
    processor : float
        Time that it and its workers computed, calls of the system among it [s].
    memory : float
        Peak memory of the largest process [MB].
    """

    wall: float
    processor: float
    memory: float

    def to_json(self) -> dict[str, float]:
        """Return it as plain data."""
        return asdict(self)


@dataclass(frozen=True)
class Figure:
    """One measured figure.

    Attributes
    ----------
    name, unit : str
    value : float
        Median of the runs.
    runs : list of float
    must, aim : float
        The limits that the project sets itself.
    more : bool
        Whether more is better.
    """

    name: str
    unit: str
    value: float
    runs: list[float]
    must: float
    aim: float
    more: bool = False

    @property
    def verdict(self) -> str:
        """Compare with the limits."""
        sign = -1 if self.more else 1
        if sign * self.value <= sign * self.aim:
            return "aim reached"
        return "ok" if sign * self.value <= sign * self.must else "MISSED"


def figure(
    name: str, unit: str, runs: Sequence[float], must: float, aim: float, *, more: bool = False
) -> Figure:
    """Make a figure of several runs."""
    return Figure(name, unit, statistics.median(runs), list(runs), must, aim, more)


def seconds(work: Callable[[], object]) -> float:
    """Time a call by the clock of this process alone."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def run(command: Sequence[str], *, cache: str | None = None, on_terminal: bool = False) -> Process:
    """Run a command, and account for it.

    Parameters
    ----------
    command : sequence of str
    cache : str, optional
        Directory for meld tables and machine code, instead of the user's own.
    on_terminal : bool
        Whether its standard error is a terminal, on which `contsim run` draws its progress.

    Raises
    ------
    SystemExit
        If it fails; with what it said.
    """
    environment = dict(os.environ)
    if cache is not None:
        environment["CONTSIM_CACHE"] = cache
    with tempfile.TemporaryDirectory() as room, tempfile.TemporaryFile() as said:
        report = Path(room) / "report.json"
        with _terminal(said.fileno()) if on_terminal else nullcontext(said.fileno()) as errors:
            done = subprocess.run(
                [sys.executable, "-S", str(ACCOUNT), str(report), *command],
                env=environment,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                check=False,
            )
        if done.returncode:
            said.seek(0)
            words = said.read().decode(errors="replace").strip()
            raise SystemExit(f"{' '.join(command)} ended with status {done.returncode}: {words}")
        return Process(**json.loads(report.read_text(encoding="utf-8")))


@contextmanager
def _terminal(copy: int) -> Iterator[int]:
    """Open a terminal that nobody looks at; what is written to it goes to a file."""
    mine, its = os.openpty()

    def drain() -> None:
        with suppress(OSError):  # the terminal was closed
            while text := os.read(mine, 65_536):
                os.write(copy, text)

    thread = threading.Thread(target=drain, daemon=True)
    thread.start()
    try:
        yield its
    finally:
        os.close(its)
        thread.join()
        os.close(mine)


def contsim(*arguments: str, cache: str | None = None, on_terminal: bool = False) -> Process:
    """Run a command of contsim as a user does."""
    return run([*CONTSIM, *arguments], cache=cache, on_terminal=on_terminal)


def play(
    deals: float,
    *arguments: str,
    cache: str | None = None,
    out: Path | None = None,
    on_terminal: bool = False,
) -> Process:
    """Play a study of one strategy into a new directory, or into one that is thrown away."""
    with tempfile.TemporaryDirectory() as room:
        directory = out if out is not None else Path(room) / "study"
        words = ("--deals", str(int(deals)), "-s", STRATEGY, "--seed", "1", "--out", str(directory))
        return contsim("run", *words, *arguments, cache=cache, on_terminal=on_terminal)


class Watch:
    """Looks into a directory again and again while something fills it; a context manager.

    Parameters
    ----------
    directory : Path
        It need not be there yet.

    Attributes
    ----------
    files, size : int
        The most files, and the most bytes in them, that one look has seen.
    """

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.files = self.size = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        while True:
            sizes = sizes_in(self.directory)
            self.files, self.size = max(self.files, len(sizes)), max(self.size, sum(sizes))
            if self._over.wait(SAMPLE_EVERY):
                return


def sizes_in(directory: Path) -> list[int]:
    """Return the size of each file in a directory and below [bytes]."""
    sizes = []
    for path in directory.rglob("*"):
        with suppress(FileNotFoundError):  # joined meanwhile
            if path.is_file():
                sizes.append(path.stat().st_size)
    return sizes


def versions() -> dict[str, str]:
    """Return the versions of what decides the speed."""
    names = ("numba", "numpy", "pyarrow")
    return {"python": platform.python_version(), **{name: version(name) for name in names}}


def note(text: str) -> None:
    """Tell on standard error how far it is."""
    print(text, file=sys.stderr, flush=True)
