"""What stops a study from outside: Ctrl-C, a request to end, a terminal that goes away.

Such a signal is raised nowhere in the midst of something: it is held until the work asks, at a
place where nothing can be torn or lost. Whatever takes long asks now and then. What never asks,
such as a strategy that never answers, ends with the process after a while.
"""

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Final

# A process that ignores one of them (nohup, a job in the background) goes on doing so.
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
_ONCE: Final = 1.0  # [seconds] in which a second signal is taken for an echo of the first

GRACE: Final = 5.0  # [seconds] from a signal until the process ends, if the work never asks

Handler = Callable[[int, FrameType | None], None]

_held: Final[list[int]] = []  # the signal that came, until `raise_held` raises it
_heard: Final = threading.Event()  # whether the work has asked since


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
        _heard.set()
        raise Interrupted(_held.pop())


@contextmanager
def stoppable(left: str = "") -> Iterator[None]:
    """Hold a signal that would end the process at once, until `raise_held`, or until the end.

    Only the first is heard. To tidy up takes a moment, and a second one would tear it apart: many
    programs pass Ctrl-C on to what they started, which then hears it twice. Who presses it again
    later wants the end now, and gets it. If nobody asks for `GRACE`, the process ends as if killed:
    Python hears no signal in compiled code, which may never come back from a strategy.

    Parameters
    ----------
    left : str
        What such an end leaves behind, and how to go on.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are for the main thread
        return
    answer = _holding(_end_now)
    before = {each: signal.getsignal(each) for each in _SIGNALS}
    ends = (signal.SIG_DFL, signal.default_int_handler)
    changed = {each: old for each, old in before.items() if old in ends}
    for each in changed:
        signal.signal(each, answer)
    try:
        with _ended_if_unheard(changed, left):
            yield
    finally:
        for each, old in changed.items():
            signal.signal(each, old)
        last = _held[:]
        _held.clear()
    if last:
        raise Interrupted(last[0])


@contextmanager
def outliving() -> Iterator[None]:
    """Hold Ctrl-C until `raise_held`, or until the end, in a process that goes on after it.

    Within, `stoppable` leaves Ctrl-C alone, so that nothing ends a session of Python that works for
    more than this. Who presses it again later gets a plain KeyboardInterrupt wherever Python is.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # somebody else sees to it
        return
    signal.signal(signal.SIGINT, _holding(signal.default_int_handler))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        last = _held[:]
        _held.clear()
    if last:
        raise Interrupted(last[0])


def _holding(again: Handler) -> Handler:
    """Make a handler that holds the first signal; another one that comes later is no echo."""
    heard: list[float] = []

    def answer(number: int, frame: FrameType | None) -> None:
        if not heard:
            heard.append(time.monotonic())
            _held.append(number)
        elif time.monotonic() - heard[0] > _ONCE:
            again(number, frame)

    return answer


def _end_now(number: int, _: FrameType | None) -> None:
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)


@contextmanager
def _ended_if_unheard(numbers: Collection[int], left: str) -> Iterator[None]:
    """Let a thread end the process if one of some signals comes and is not heard in time.

    The thread learns of signals from a pipe that is written to even while compiled code runs.
    """
    if not numbers:
        yield
        return
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    before = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    _heard.clear()
    thread = threading.Thread(target=_watch, args=(reader, numbers, left), daemon=True)
    if before == -1:
        thread.start()
    else:  # somebody else listens, who would miss it
        signal.set_wakeup_fd(before)
    try:
        yield
    finally:
        _heard.set()
        if before == -1:
            signal.set_wakeup_fd(-1)
        os.close(writer)
        if before == -1:
            thread.join()
        os.close(reader)


def _watch(reader: int, numbers: Collection[int], left: str) -> None:
    """Wait for a signal; end the process if nobody hears it."""
    while came := os.read(reader, 1):
        if came[0] in numbers and not _heard.wait(GRACE):
            _end(came[0], left)


def _end(number: int, left: str) -> None:
    after = f"; {left}; if a strategy never answers, --deal-timeout 10s names it" if left else ""
    newline = "\n" if sys.stderr.isatty() else ""  # the cursor stands behind what was echoed
    with suppress(OSError):
        sys.stderr.write(
            f"{newline}contsim: stopped by {signal_name(number)} in the midst of what did not come "
            f"to an end within {GRACE:g} s{after}\n"
        )
        sys.stderr.flush()
    os._exit(128 + number)  # as a shell reports it; child processes end with this one
