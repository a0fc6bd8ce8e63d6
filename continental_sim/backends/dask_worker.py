"""What Dask loads into each worker of a local cluster, also into one that it starts again later."""

import signal

from continental_sim.processes import die_with_parent


def dask_setup(worker: object) -> None:
    """Tie a worker to the process that started it.

    Parameters
    ----------
    worker : object
        Dask's own; not used.
    """
    del worker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    die_with_parent()
