"""One process at a time works on a study."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from continental_sim.errors import ContsimError

if sys.platform == "win32":
    import msvcrt

    def _lock(descriptor: int) -> None:
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(path: Path, what: str) -> Iterator[None]:
    """Hold a lock file; the system lets go of it even if this process is killed.

    Parameters
    ----------
    path : Path
        Made if it is not there.
    what : str
        What is locked, for the refusal.

    Raises
    ------
    ContsimError
        If another process holds it.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            _lock(descriptor)
        except (BlockingIOError, PermissionError):  # POSIX, Windows
            raise ContsimError(
                f"another process is playing {what}: wait until it ends, or name another directory"
            ) from None
        except OSError:
            pass  # a file system that knows no locks
        yield
    finally:
        os.close(descriptor)
