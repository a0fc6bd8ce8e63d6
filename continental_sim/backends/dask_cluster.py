"""Workers of a Dask cluster: one on this machine, or another by the address of its scheduler."""

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from contextlib import ExitStack, suppress
from tempfile import TemporaryDirectory
from typing import Any

from continental_sim.backends.clusters import CONNECT, RETRIES, ClusterWorkers, library
from continental_sim.backends.quiet import deaf_children
from continental_sim.errors import WorkerDied


class DaskWorkers(ClusterWorkers):
    """See `ClusterWorkers`."""

    kind = "Dask"
    example = "tcp://10.0.0.5:8786"

    def connect(self, things: ExitStack) -> None:
        """See `ClusterWorkers`."""
        dask = library("distributed", "dask")
        _be_quiet(things)
        self._cluster: Any = None
        address = self._scheduler
        if address is None:
            room = things.enter_context(TemporaryDirectory(prefix="contsim-"))
            # Its processes all descend from threads that start in here.
            with deaf_children():
                self._cluster = dask.LocalCluster(
                    n_workers=self._jobs,
                    threads_per_worker=1,
                    memory_limit=0,  # no watch over memory: deals need little of it
                    dashboard_address=None,
                    # Its pages are there all the same, by default at a port that may be taken.
                    scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},
                    local_directory=room,
                    preload=["continental_sim.backends.dask_worker"],
                    silence_logs=logging.CRITICAL,
                )
            things.callback(self._cluster.close)
            address = self._cluster.scheduler_address
        else:
            asyncio.run(_greet(dask, address))
        self._client = dask.Client(address, timeout=CONNECT, set_as_default=False)
        things.callback(self._client.close)
        self._send = self._client.get_executor(pure=False, retries=0)

    def unreachable(self) -> tuple[type[Exception], ...]:
        """See `ClusterWorkers`."""
        return OSError, ValueError, ImportError, RuntimeError

    def threads(self) -> int:
        """See `ClusterWorkers`."""
        if self._client.status != "running":
            raise self.lost()
        try:
            return sum(self._client.nthreads().values())
        except (OSError, RuntimeError):  # on its way to be lost, or to be found again
            return 1

    def submit(self, function: Callable[..., Any], task: tuple[Any, ...]) -> Future[Any]:
        """See `FutureWorkers`."""
        if self._client.status == "closed":
            raise self.lost()
        if self._busy and self._cluster is not None:
            self._busy = False
            for nanny in self._cluster.workers.values():
                _kill(nanny.pid)  # Dask starts another
        sent: Future[Any] = self._send.submit(function, *task)
        return sent

    def drop(self, futures: Sequence[Future[Any]]) -> None:
        """Cancel what waits; Dask does not stop what is being played, but forgets it."""
        self._busy = True
        if self._client.status == "running":
            for future in futures:
                future.cancel()

    def kill(self) -> None:
        """See `ClusterWorkers`."""
        if self._cluster is None:
            return
        for nanny in self._cluster.workers.values():
            nanny.close_gracefully()  # means: start no other in its place
            _kill(nanny.pid)

    def failure(self, error: BaseException) -> BaseException:
        """See `FutureWorkers`."""
        from distributed import KilledWorker

        if isinstance(error, KilledWorker):
            return WorkerDied(f"a task's worker process died, {RETRIES + 1} times in a row")
        if isinstance(error, CancelledError):  # by nobody here
            return self.lost()
        return error


async def _greet(dask: Any, address: str) -> None:
    """Have a scheduler say what it is; a client would wait for ever for one that says nothing."""
    arguments = dask.Security().get_connection_args("client")
    async with dask.rpc(address, timeout=CONNECT, connection_args=arguments) as scheduler:
        await asyncio.wait_for(scheduler.identity(), CONNECT)


def _kill(process: int | None) -> None:
    if process is not None:
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


def _be_quiet(things: ExitStack) -> None:
    """Silence what Dask says of workers that come and go, while things are open."""
    for name in ("distributed", "distributed.client", "tornado.application"):
        logger = logging.getLogger(name)
        things.callback(logger.setLevel, logger.level)
        logger.setLevel(logging.CRITICAL)
