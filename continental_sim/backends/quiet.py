"""Starting workers that leave it to the process that started them to say what happened."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.resource_tracker import ensure_running
from typing import Final

# What is left in memory by a process that was killed is cleared away, by helpers that warn of it.
_CLEARED: Final = "ignore:resource_tracker:UserWarning"


@contextmanager
def deaf_children() -> Iterator[None]:
    """Start processes that never hear Ctrl-C, nor that a terminal has gone away.

    They would print something, or leave others without what they need. Threads and processes
    inherit which signals are held back from them: also those that are started later, from a thread
    that is started in here. This process hears of it afterwards.
    """
    with _warnings(_CLEARED):
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
        try:
            # The first process of all brings along a helper, whose start lets Ctrl-C through.
            ensure_running()
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _warnings(setting: str) -> Iterator[None]:
    """Add a filter of warnings for the Python processes that are started."""
    name = "PYTHONWARNINGS"
    before = os.environ.get(name)
    os.environ[name] = f"{before},{setting}" if before else setting
    try:
        yield
    finally:
        if before is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = before
