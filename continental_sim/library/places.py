"""Where something is played from Python, who is told, and what Ctrl-C does there."""

import logging
import math
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from pathlib import Path
from typing import Final

from continental_sim.errors import ContsimError
from continental_sim.files.manifest import MANIFEST
from continental_sim.interrupts import outliving
from continental_sim.play.means import Means, Progress, Watcher

AnyPath = str | PathLike[str]

MOST_WORKERS: Final = 1024
LONGEST: Final = 30 * 86_400.0  # [seconds]
_LOG: Final = logging.getLogger("continental_sim")


@contextmanager
def place_for(out: AnyPath | None) -> Iterator[Path]:
    """Give a directory to play in; Ctrl-C in it leaves this process, and what is finished, alone.

    Parameters
    ----------
    out : str or path or None
        Where it is to be kept. A temporary directory if None: it goes when all is read, and stays
        if play ends early with something finished in it, which the error then names.
    """
    if out is not None:
        with outliving():
            yield Path(out)
        return
    room = Path(tempfile.mkdtemp(prefix="contsim-"))
    try:
        with outliving():
            yield room
    except BaseException:
        if not any(room.rglob(MANIFEST)):
            shutil.rmtree(room, ignore_errors=True)
        raise
    shutil.rmtree(room, ignore_errors=True)


def means_of(
    workers: int | None, max_time: float | None = None, deal_timeout: float | None = None
) -> Means:
    """Return with what something is played.

    Parameters
    ----------
    workers : int or None
        Processes; one a core if None.
    max_time, deal_timeout : float or None
        Limits of all and of a deal [seconds].

    Raises
    ------
    ContsimError
        If a number is out of bounds.
    """
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise ContsimError(f"workers = {workers} is out of bounds: 1 to {MOST_WORKERS}")
    for name, seconds in (("max_time", max_time), ("deal_timeout", deal_timeout)):
        if seconds is not None and not 0 < seconds <= LONGEST:
            raise ContsimError(
                f"{name} = {seconds} is out of bounds: more than 0, and at most {LONGEST:.0f} "
                "seconds (30 days)"
            )
    return Means(workers, deal_timeout=deal_timeout, max_time=max_time)


def watcher_of(progress: Progress | None, command: str) -> Watcher:
    """Return who is told: a user's function of progress, and a log of all else.

    Parameters
    ----------
    progress : callable or None
    command : str
        What was called, for the manifest.
    """
    return Watcher(progress, _LOG.warning, (command,))


def whole(name: str, number: float) -> int:
    """Read a number of deals that may be written as 1e6.

    Raises
    ------
    ContsimError
        If it is no whole number, or none above 0.
    """
    if not math.isfinite(number) or number < 1 or number != int(number):
        raise ContsimError(
            f"{name} = {number} is no whole number from 1 on: write 1e6 or 1_000_000"
        )
    return int(number)


def checked_level(level: float) -> float:
    """Return a level of confidence.

    Raises
    ------
    ContsimError
        If it is none.
    """
    if not 1e-9 <= level <= 1 - 1e-9:  # nan neither; nearer, 0 and 1 cannot be told from it
        raise ContsimError(f"level = {level} is not between 0 and 1; write 0.95 for 95 %")
    return level
