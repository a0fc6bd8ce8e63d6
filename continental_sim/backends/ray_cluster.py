"""Workers of a Ray cluster: one on this machine, or another by its address."""

import logging
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, contextmanager
from typing import Any, Final

from continental_sim.backends.clusters import RETRIES, ClusterWorkers, library
from continental_sim.errors import WorkerDied

SETTINGS: Final = {
    "RAY_USAGE_STATS_ENABLED": "0",  # no figures of our use for the makers of Ray
    "RAY_DEDUP_LOGS_SKIP_REGEX": ".",  # else it prints to standard output what became of workers
}


class RayWorkers(ClusterWorkers):
    """See `ClusterWorkers`."""

    kind = "Ray"
    example = "10.0.0.5:6379"

    def connect(self, things: ExitStack) -> None:
        """See `ClusterWorkers`."""
        for name, value in SETTINGS.items():  # which Ray reads when it is imported
            os.environ.setdefault(name, value)
        self._ray = library("ray", "ray")
        if self._scheduler not in (None, "auto") and ":" not in str(self._scheduler):
            raise ValueError("it has no port")  # Ray would start a cluster of its own here
        self._sent: dict[Future[Any], Any] = {}
        # One that this process has opened already is used, and left as it is.
        if self._scheduler is not None or not self._ray.is_initialized():
            with _own_end():
                self._ray.init(
                    address=self._scheduler or "local",
                    num_cpus=None if self._scheduler else self._jobs,
                    include_dashboard=None if self._scheduler else False,
                    logging_level=logging.CRITICAL,
                    log_to_driver=False,
                )
            things.callback(self._ray.shutdown)
        self._call = self._ray.remote(num_cpus=1, max_retries=RETRIES)(_call)

    def unreachable(self) -> tuple[type[Exception], ...]:
        """See `ClusterWorkers`."""
        return OSError, ValueError, RuntimeError

    def threads(self) -> int:
        """See `ClusterWorkers`."""
        return int(self._ray.cluster_resources().get("CPU", 0))

    def submit(self, function: Callable[..., Any], task: tuple[Any, ...]) -> Future[Any]:
        """See `FutureWorkers`."""
        sent = self._call.remote(function, *task)
        future: Future[Any] = sent.future()
        self._sent[future] = sent
        future.add_done_callback(lambda done: self._sent.pop(done, None))
        return future

    def drop(self, futures: Sequence[Future[Any]]) -> None:
        """See `FutureWorkers`."""
        if not self._ray.is_initialized():
            return
        for future in futures:
            sent = self._sent.get(future)  # None if it has just been played
            if sent is not None:
                self._ray.cancel(sent, force=True)

    def failure(self, error: BaseException) -> BaseException:
        """See `FutureWorkers`."""
        errors = self._ray.exceptions
        if isinstance(error, errors.WorkerCrashedError | errors.OutOfMemoryError):
            return WorkerDied(f"a task's worker process died, {RETRIES + 1} times in a row")
        if isinstance(error, errors.RayTaskError):  # wraps what the function raised
            cause: BaseException = error.cause
            return cause
        return error


@contextmanager
def _own_end() -> Iterator[None]:
    """Keep what this process does when it is asked to end: Ray would exit in its own way."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread() and before is not None:
            signal.signal(signal.SIGTERM, before)


def _call(function: Callable[..., Any], *task: Any) -> Any:
    """Call a function: Ray takes none that are not written in Python."""
    return function(*task)
