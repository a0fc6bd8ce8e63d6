"""Workers for a study: in this process, in others on this machine, or on a cluster."""

from collections.abc import Callable
from contextlib import AbstractContextManager

from continental_sim.backends.flow import Here, Workers
from continental_sim.errors import ContsimError

__all__ = ["BACKENDS", "CLUSTERS", "Workers", "check_backend", "open_workers"]

BACKENDS = ("loky", "threading", "dask", "ray")
CLUSTERS = ("dask", "ray")


def check_backend(backend: str, scheduler: str | None) -> None:
    """Refuse a back end that is not known, or a cluster's address for one that is none.

    Raises
    ------
    ContsimError
    """
    if backend not in BACKENDS:
        known = f"{', '.join(BACKENDS[:-1])} or {BACKENDS[-1]}"
        raise ContsimError(f"backend {backend!r} is not known: use {known}")
    if scheduler is not None and backend not in CLUSTERS:
        raise ContsimError(
            f"--scheduler {scheduler} is for clusters, and the backend is {backend}: "
            f"add --backend {' or '.join(CLUSTERS)}"
        )


def open_workers(
    backend: str,
    jobs: int | None,
    scheduler: str | None = None,
    notify: Callable[[str], None] | None = None,
) -> AbstractContextManager[Workers]:
    """Open workers; they end with the context, and at once if it is left by an error.

    Parameters
    ----------
    backend : str
        One of `BACKENDS`.
    jobs : int or None
        Workers. None means one a core, or all threads of the cluster whose address is given. With
        one job and no cluster, tasks are played in this process.
    scheduler : str, optional
        Address of a cluster; without it, ``dask`` and ``ray`` start one on this machine.
    notify : callable, optional
        Called with a sentence if the cluster has no workers.

    Raises
    ------
    ContsimError
        If the back end is not known, its library is missing, or no cluster answers.
    """
    check_backend(backend, scheduler)
    if backend in CLUSTERS:
        say = notify or (lambda _: None)
        if backend == "dask":
            from continental_sim.backends.dask_cluster import DaskWorkers

            return DaskWorkers(jobs, scheduler, say)
        from continental_sim.backends.ray_cluster import RayWorkers

        return RayWorkers(jobs, scheduler, say)
    if jobs is None:
        from joblib import cpu_count

        jobs = cpu_count()
    if jobs == 1:
        return Here()
    from continental_sim.backends.local import Processes, Threads

    return Processes(jobs) if backend == "loky" else Threads(jobs)
