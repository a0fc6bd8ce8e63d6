"""One process at a time works on a study."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from continental_sim.errors import ContsimError


@contextmanager
def locked(path: Path, what: str) -> Iterator[Callable[[], bool]]:
    """Hold a lock file; the system lets go of it even if this process is killed.

    Parameters
    ----------
    path : Path
        Made if it is not there, and its directory. Whoever holds the lock may remove both.
    what : str
        What is locked, for the refusal.

    Yields
    ------
    callable
        Tells whether the file is still in its place: not if its directory was moved or replaced.

    Raises
    ------
    ContsimError
        If another process holds it.
    """
    descriptor = _open(path, what)
    while not _is_there(descriptor, path):  # the one who held it has just removed it
        os.close(descriptor)
        descriptor = _open(path, what)
    try:
        yield lambda: _is_there(descriptor, path)
    finally:
        os.close(descriptor)


def _open(path: Path, what: str) -> int:
    """Open and lock a file."""
    path.parent.mkdir(exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        raise ContsimError(
            f"another process is playing {what}: wait until it ends, or name another directory"
        ) from None
    except OSError:
        pass  # a file system that knows no locks
    return descriptor


def _is_there(descriptor: int, path: Path) -> bool:
    with suppress(OSError):
        return os.path.samestat(os.fstat(descriptor), path.stat())
    return False
