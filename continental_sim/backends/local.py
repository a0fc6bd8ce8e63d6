"""Workers on this machine: processes, which loky looks after, or threads."""

import os
import signal
import warnings
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from queue import Empty
from typing import TYPE_CHECKING, Any, Final

from continental_sim.backends.flow import FutureWorkers
from continental_sim.backends.quiet import deaf_children
from continental_sim.errors import StudyFailed, WorkerDied
from continental_sim.processes import die_with_parent

if TYPE_CHECKING:
    from joblib.externals.loky.process_executor import ProcessPoolExecutor

IDLE: Final = 60  # [seconds] after which a worker without a task ends
PATIENCE: Final = 2.0  # [seconds] that loky gets to end its workers by itself


class Threads(FutureWorkers):
    """Threads of this process.

    Parameters
    ----------
    jobs : int
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool = ThreadPoolExecutor(jobs)

    def count(self) -> int:
        """See `FutureWorkers`."""
        return self._jobs

    def submit(self, function: Callable[..., Any], task: tuple[Any, ...]) -> Future[Any]:
        """See `FutureWorkers`."""
        return self._pool.submit(function, *task)

    def drop(self, futures: Sequence[Future[Any]]) -> None:
        """Cancel what has not begun; nothing stops a thread."""
        for future in futures:
            future.cancel()

    def end(self, *, at_once: bool) -> None:
        """See `FutureWorkers`; tasks that have begun are played to their end."""
        self._pool.shutdown(wait=True, cancel_futures=at_once)


class Processes(FutureWorkers):
    """Processes that start with the first task, and again after one of them died.

    Parameters
    ----------
    jobs : int
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None
        self._function: Callable[..., Any] | None = None
        self._silent = False  # whether a worker was dead at the last look, and loky said nothing

    def start(self, function: Callable[..., Any]) -> None:
        """Start all processes: each imports the module of the function while it waits."""
        self._function = function
        self.submit(_nothing, ())

    def count(self) -> int:
        """See `FutureWorkers`."""
        return self._jobs

    def submit(self, function: Callable[..., Any], task: tuple[Any, ...]) -> Future[Any]:
        """See `FutureWorkers`."""
        from joblib.externals.loky.process_executor import BrokenProcessPool

        try:
            # All processes start in here, or from a thread that does.
            with deaf_children():
                future: Future[Any] = self._started().submit(function, *task)
        except BrokenProcessPool as broken:  # a worker died without a task
            future = Future()
            future.set_exception(broken)
        except (OSError, UnboundLocalError) as error:  # the latter is loky's, where it has no pipe
            cause = error if isinstance(error, OSError) else error.__context__
            raise StudyFailed(
                f"no worker process can be started ({getattr(cause, 'strerror', None) or cause}): "
                "use fewer --jobs, or allow more processes and open files (ulimit)"
            ) from error
        return future

    def _started(self) -> "ProcessPoolExecutor":
        from joblib.externals.loky.process_executor import ProcessPoolExecutor

        if self._pool is None:
            # Loky restarts workers that were idle or grew, and then warns of it: no news to a user.
            warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
            self._silent = False
            self._pool = ProcessPoolExecutor(
                self._jobs,
                timeout=IDLE,
                initializer=_start_worker,
                initargs=(os.getpid(), self._function),
            )
        return self._pool

    def drop(self, futures: Sequence[Future[Any]]) -> None:
        """Kill the workers: loky has handed them their tasks already."""
        del futures
        self._kill()

    def end(self, *, at_once: bool) -> None:
        """See `FutureWorkers`; workers without a task have nothing to tidy up either."""
        del at_once
        self._kill()

    def failure(self, error: BaseException) -> BaseException:
        """See `FutureWorkers`."""
        from joblib.externals.loky.process_executor import BrokenProcessPool

        if not isinstance(error, BrokenProcessPool):
            return error
        self._kill()  # even if no task is left, so that the next one finds new workers
        return WorkerDied()

    def look(self) -> None:
        """Find a worker that died while it sent a result: loky waits for the rest for ever."""
        if self._pool is None:
            return
        dead = any(not process.is_alive() for process in list(self._pool._processes.values()))  # noqa: SLF001
        if dead and self._silent:
            raise WorkerDied
        self._silent = dead

    def _kill(self) -> None:
        """End the workers at once, whatever they do."""
        pool, self._pool = self._pool, None
        if pool is None:
            return
        manager, answers = pool._executor_manager_thread, pool._result_queue  # noqa: SLF001
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # of tools to find grandchildren with
            with suppress(Empty):  # loky stumbles over tasks that it has not handed out yet
                while True:
                    pool._work_ids.get_nowait()  # noqa: SLF001
            pool.shutdown(wait=False, kill_workers=True)
            if manager is None:
                return
            manager.join(PATIENCE)
            if manager.is_alive():
                # It waits for the rest of a result. With all who could send it gone, it ends.
                for process in list(pool._processes):  # noqa: SLF001
                    with suppress(ProcessLookupError):
                        os.kill(process, signal.SIGKILL)
                answers._writer.close()  # noqa: SLF001
                manager.join(PATIENCE)


def _nothing() -> None:
    pass


def _start_worker(parent: int, function: Callable[..., Any] | None) -> None:
    del function  # it has brought its module along, which takes longest
    die_with_parent(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # also where it was not held back
