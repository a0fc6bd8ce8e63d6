"""What workers on a cluster have in common: their number may change, and there may be none."""

import importlib
import re
import socket
import time
from abc import abstractmethod
from collections.abc import Callable
from contextlib import ExitStack
from typing import Any, Final, Self

from continental_sim.backends.flow import FutureWorkers
from continental_sim.errors import ContsimError, StudyFailed

COUNT_EVERY: Final = 2.0  # [seconds] between two looks at how large a cluster is
MOST_WAITING: Final = 600.0  # [seconds] that a cluster may be without a worker
RETRIES: Final = 3  # how often a task is played again whose worker died
CONNECT: Final = 10.0  # [seconds] in which a scheduler must answer


class ClusterWorkers(FutureWorkers):
    """Workers of a cluster: of one on this machine that lives as long as these, or of another.

    Parameters
    ----------
    jobs : int or None
        Workers of a local cluster, one a core if None; of another cluster, how many threads of it
        to use, all if None.
    scheduler : str or None
        Address of a cluster; None starts one on this machine.
    notify : callable
        Told when the cluster has no workers.
    """

    kind: str  # name of the library that runs it, for messages
    example: str  # an address

    def __init__(
        self, jobs: int | None, scheduler: str | None, notify: Callable[[str], None]
    ) -> None:
        if jobs is None and scheduler is None:
            from joblib import cpu_count

            jobs = cpu_count()
        self._jobs = jobs
        self._scheduler = scheduler
        self._notify = notify
        self._threads, self._counted = 1, -COUNT_EVERY
        self._gone_since: float | None = None
        self._busy = False  # whether a worker may still play what nobody wants
        self._things = ExitStack()

    def __enter__(self) -> Self:
        try:
            if self._scheduler is not None:
                _knock(self._scheduler)
            with ExitStack() as things:
                self.connect(things)
                self._things = things.pop_all()
        except self.unreachable() as error:
            raise self._cannot_connect(error) from error
        return self

    @abstractmethod
    def connect(self, things: ExitStack) -> None:
        """Start a cluster or connect to one; what must be closed in the end goes to `things`."""

    @abstractmethod
    def unreachable(self) -> tuple[type[Exception], ...]:
        """Return the errors that `connect` raises if there is no such cluster."""

    @abstractmethod
    def threads(self) -> int:
        """Return how many tasks the workers of the cluster can play at a time."""

    def count(self) -> int:
        """See `FutureWorkers`; one even if there are no workers now, as some may come."""
        if self._scheduler is None:
            return self._jobs or 1
        now = time.monotonic()
        if self._jobs is None and now - self._counted >= COUNT_EVERY:
            self._threads, self._counted = self.threads(), now
        return max(self._jobs or self._threads, 1)

    def look(self) -> None:
        """Tell the user that there are no workers, and give up if none come."""
        if self._scheduler is None or self.threads() > 0:
            self._gone_since = None
            return
        now = time.monotonic()
        where = f"the {self.kind} cluster at {self._scheduler}"
        if self._gone_since is None:
            self._gone_since = now
            self._notify(
                f"{where} has no workers: waiting for some, at most {MOST_WAITING / 60:.0f} minutes"
            )
        elif now - self._gone_since > MOST_WAITING:
            raise StudyFailed(
                f"{where} had no workers for {MOST_WAITING / 60:.0f} minutes: start some"
            )

    def end(self, *, at_once: bool) -> None:
        """See `FutureWorkers`."""
        if at_once or self._busy:
            self.kill()
        self._things.close()

    def kill(self) -> None:
        """End the workers of a local cluster in the middle of their tasks."""

    def lost(self) -> StudyFailed:
        """Return the error for a cluster that went away."""
        return StudyFailed(
            f"the connection to the {self.kind} cluster at {self._scheduler or 'this machine'} is "
            "lost: see whether it still runs"
        )

    def _cannot_connect(self, error: Exception) -> ContsimError:
        if self._scheduler is None:
            return ContsimError(
                f"no {self.kind} cluster could be started on this machine ({_first_line(error)}): "
                "use --backend loky, or --scheduler with the address of a cluster"
            )
        return ContsimError(
            f"no {self.kind} cluster answers at {self._scheduler!r} within {CONNECT:.0f} s "
            f"({_first_line(error)}): start one, or give --scheduler an address such as "
            f"{self.example}"
        )


def library(name: str, backend: str) -> Any:
    """Import a library that not every user has.

    Raises
    ------
    ContsimError
        If it is missing: how to get it.
    """
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ContsimError(
            f"--backend {backend} needs the library {name}: pip install 'contsim[{backend}]'"
        ) from None


def _knock(address: str) -> None:
    """Find out fast whether anything listens; Ray would try for a minute and end the process.

    Raises
    ------
    OSError
        If not.
    """
    found = re.fullmatch(r"(?:\w+://)?(?P<host>[^:/\s]+|\[[^\]]+\]):(?P<port>\d{1,5})", address)
    if found is not None:  # there are other addresses, which the library knows
        host, port = found["host"].strip("[]"), int(found["port"])
        socket.create_connection((host, port), CONNECT).close()


def _first_line(error: Exception) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".:")
