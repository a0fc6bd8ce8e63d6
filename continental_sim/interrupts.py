"""What stops a study from outside: Ctrl-C, a request to end, a terminal that goes away.

Such a signal is raised nowhere in the midst of something: it is held until the work asks, at a
place where nothing can be torn or lost. Whatever takes long asks now and then.
"""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

# A process that ignores one of them (nohup, a job in the background) goes on doing so.
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_ONCE: Final = 1.0  # [seconds] in which a second signal is taken for an echo of the first

_held: Final[list[int]] = []  # the signal that came, until `raise_held` raises it


class Interrupted(KeyboardInterrupt):
    """A signal asked the process to end.

    Parameters
    ----------
    number : int
        Of the signal.
    message : str
        What that left behind.
    """

    def __init__(self, number: int, message: str = "") -> None:
        super().__init__(message)
        self.number = number


def signal_of(stop: KeyboardInterrupt) -> int:
    """Return the number of the signal behind an interruption."""
    return stop.number if isinstance(stop, Interrupted) else int(signal.SIGINT)


def signal_name(number: int) -> str:
    """Name a signal as a user knows it."""
    return "Ctrl-C" if number == signal.SIGINT else signal.Signals(number).name


def raise_held() -> None:
    """Raise the interruption that a signal has asked for, if one has, in the main thread."""
    if _held and threading.current_thread() is threading.main_thread():
        raise Interrupted(_held.pop())


@contextmanager
def stoppable() -> Iterator[None]:
    """Hold a signal that would end the process at once, until `raise_held`, or until the end.

    Only the first is heard. To tidy up takes a moment, and a second one would tear it apart: many
    programs pass Ctrl-C on to what they started, which then hears it twice. Who presses it again
    later wants the end now, and gets it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are for the main thread
        return
    heard: list[float] = []

    def answer(number: int, _: FrameType | None) -> None:
        if not heard:
            heard.append(time.monotonic())
            _held.append(number)
        elif time.monotonic() - heard[0] > _ONCE:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    before = {each: signal.getsignal(each) for each in _SIGNALS}
    ends = (signal.SIG_DFL, signal.default_int_handler)
    changed = {each: old for each, old in before.items() if old in ends}
    for each in changed:
        signal.signal(each, answer)
    try:
        yield
    finally:
        for each, old in changed.items():
            signal.signal(each, old)
        last = _held[:]
        _held.clear()
    if last:
        raise Interrupted(last[0])
