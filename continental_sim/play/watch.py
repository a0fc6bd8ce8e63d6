"""Deals under a time limit: a child process plays them, and is killed if one takes too long.

Compiled code that loops for ever can be stopped only together with its process. So the process
that wants deals does not play them: it owns a child that does. The record of the child's game lies
in memory that both see. It tells the deal, the player, the seat and the turn at any time, and the
moves so far where they are logged.
"""

import math
import mmap
import os
import pickle
import selectors
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

import numpy as np

from continental_sim.backends.quiet import deaf_children
from continental_sim.cubes import StudyCubes
from continental_sim.engine import LOADING, NOWHERE, failure_at, place_game, play_cubes
from continental_sim.errors import StudyFailed, WorkerDied
from continental_sim.interrupts import raise_held
from continental_sim.kernels.records import GAME
from continental_sim.kernels.turns import AT_CARD, AT_DEAL, AT_PLAYER
from continental_sim.study import Study

LOADING_LIMIT = 60.0  # [seconds] to load one strategy, if the limit of a deal is not longer
LOOKS = 10  # looks at the child within the limit of a deal
LONGEST_WAIT = 0.1  # [seconds] from one look to the next

_own = threading.local()


class DealOverdue(StudyFailed):
    """A deal took longer than its limit.

    Attributes
    ----------
    game : records GAME[1]
        The game as it stood then.
    """

    def __init__(self, message: str, game: Any = None) -> None:
        super().__init__(message)
        self.game = game


def play_watched(
    study: Study, first_deal: int, deals: int, records: bool, timeout: float
) -> tuple[StudyCubes, np.ndarray | None]:
    """Play a block as `play_cubes`, but no deal for longer than a limit.

    Parameters
    ----------
    study : Study
    first_deal, deals : int
    records : bool
        Whether to return the outcome of each deal as well.
    timeout : float
        Limit of a deal [seconds]. Loading strategies does not count.

    Raises
    ------
    DealOverdue
        If a deal took longer: the player that it waited for, and the place.
    StudyFailed
        If a strategy failed otherwise, or could not be loaded in time.
    WorkerDied
        If the child was killed by somebody else; the block can be played again.
    """
    result: tuple[StudyCubes, np.ndarray | None] = ask_child(
        play_cubes, study, first_deal, deals, records, timeout=timeout
    )
    return result


def ask_child(function: Callable[..., Any], study: Study, *arguments: Any, timeout: float) -> Any:
    """Let the child of this thread call a function that plays, and watch it.

    The child is started at the first use and kept: a start takes a second. Each thread has its
    own, because the kernel ends a child together with the thread that started it.

    Parameters
    ----------
    function : callable
        Importable. It is called with the study, the arguments and ``game=``, the shared memory, to
        be passed on to `load_players` and `table_for`.
    study : Study
    arguments
        Whatever can be pickled.
    timeout : float
        Limit of a deal [seconds].

    Returns
    -------
    object
        What the function returned; what it raised is raised, besides the errors of `play_watched`.
    """
    child: _Child | None = getattr(_own, "child", None)
    if child is None or not child.is_ready():
        child = _own.child = _Child()
    try:
        result, error = child.ask(function, study, arguments, timeout)
    except BaseException:  # Ctrl-C too: it may be in the midst of anything
        child.end()
        raise
    if error is not None:
        raise error
    return result


class _Child:
    """A child process that plays, and the memory of its game."""

    def __init__(self) -> None:
        self._parent = os.getpid()
        with _shared_file() as file, deaf_children():
            self.game = np.frombuffer(mmap.mmap(file.fileno(), GAME.itemsize), GAME)
            self._process = subprocess.Popen(  # noqa: S603 - our own code
                [
                    *(sys.executable, "-P", "-m", "continental_sim.play.watched"),
                    *(str(file.fileno()), str(self._parent)),
                ],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                pass_fds=[file.fileno()],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
            # Also called when the thread ends, and when this process does.
            self.end = weakref.finalize(self, _end, self._process, self._parent)

    def is_ready(self) -> bool:
        """Tell whether it can be asked: it lives, and belongs to this process, not to a fork's."""
        alive = self.end.alive and self._process.poll() is None
        return alive and self._parent == os.getpid()

    def ask(
        self, function: Callable[..., Any], study: Study, arguments: tuple[Any, ...], timeout: float
    ) -> tuple[Any, BaseException | None]:
        """Return what a function returned and what it raised; after an error the child is unfit."""
        requests, answers = self._process.stdin, self._process.stdout
        assert requests is not None  # noqa: S101 - for the type checker
        assert answers is not None  # noqa: S101
        place_game(self.game, NOWHERE)
        request = pickle.dumps((Path.cwd(), function, study, arguments))
        try:
            requests.write(request)
            requests.flush()
            self._wait(answers, study, timeout)
            result, error = pickle.load(answers)  # noqa: S301 - from our own child
        except (OSError, EOFError, pickle.UnpicklingError):
            raise WorkerDied from None
        return result, error

    def _wait(self, answers: IO[bytes], study: Study, timeout: float) -> None:
        """Wait for the answer, as long as no deal takes too long."""
        step = min(timeout / LOOKS, LONGEST_WAIT)
        seen, lasted, looked = (NOWHERE, 0), 0.0, time.monotonic()
        with selectors.DefaultSelector() as selector:
            selector.register(answers, selectors.EVENT_READ)
            while not selector.select(step):
                raise_held()
                deal, player = (int(self.game["where"][0, at]) for at in (AT_DEAL, AT_PLAYER))
                here = (deal, player if deal == LOADING else 0)
                now = time.monotonic()
                # After Ctrl-Z both processes have stood still: a long wait counts as a short one.
                lasted = lasted + min(now - looked, 2 * step) if here == seen else 0.0
                seen, looked = here, now
                if lasted >= _limit(deal, timeout):
                    raise self._overdue(study, timeout)

    def _overdue(self, study: Study, timeout: float) -> StudyFailed:
        """Say what the child waits for."""
        game = self.game.copy()
        where = game["where"][0]
        if where[AT_DEAL] == LOADING:
            player, limit = int(where[AT_PLAYER]), _seconds(_limit(LOADING, timeout))
            return StudyFailed(
                f"strategy {study.specs[player]} (player {player}) was not loaded within {limit}: "
                "look for a loop outside its functions, or allow more with --deal-timeout"
            )
        what = f"did not answer within {_seconds(timeout)} of the deal's start"
        return DealOverdue(failure_at(study.specs, where[:AT_CARD].tolist(), what), game)


def _shared_file() -> IO[bytes]:
    """Open a file without a name, of the size of a game: both processes map it into memory."""
    if hasattr(os, "memfd_create"):  # which no busy or full disk can hold up
        file: IO[bytes] = open(os.memfd_create("contsim-game"), "w+b")  # noqa: PTH123, SIM115
    else:
        file = tempfile.TemporaryFile()  # noqa: SIM115
    file.write(bytes(GAME.itemsize))  # not only sized: a full disk shows here, not in the game
    file.flush()
    return file


def _end(process: "subprocess.Popen[bytes]", parent: int) -> None:
    """Kill a child, whatever it does, unless it is the child of the process that was forked."""
    if parent != os.getpid():
        return
    process.kill()
    process.wait()
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            with suppress(OSError):  # half a request that nobody will read
                stream.close()


def _limit(deal: int, timeout: float) -> float:
    """Return how long `where` may say so [seconds]."""
    if deal == NOWHERE:
        return math.inf
    return max(timeout, LOADING_LIMIT) if deal == LOADING else timeout


def _seconds(seconds: float) -> str:
    return f"{seconds:,.10g} s"
