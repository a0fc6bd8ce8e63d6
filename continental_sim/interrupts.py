"""What stops a study from outside: Ctrl-C, a request to end, a terminal that goes away.

Such a signal ends the process at once, unless there is something to tidy up: then it becomes a
KeyboardInterrupt. It can be held back while something is written that must be whole.
"""

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final, NoReturn

# A process that ignores one of them (nohup, a job in the background) goes on doing so.
_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_ONCE: Final = 1.0  # [seconds] in which a second signal is taken for an echo of the first


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


def _raise(number: int) -> NoReturn:
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    raise Interrupted(number)


@contextmanager
def _answered(
    gives_way: Callable[[Any], bool], answer: Callable[[int, FrameType | None], None]
) -> Iterator[None]:
    """Answer signals otherwise for a while, those whose handler gives way."""
    here = threading.current_thread() is threading.main_thread()
    before = {each: signal.getsignal(each) for each in _SIGNALS} if here else {}
    changed = {each: old for each, old in before.items() if gives_way(old)}
    for each in changed:
        signal.signal(each, answer)
    try:
        yield
    finally:
        for each, old in changed.items():
            signal.signal(each, old)


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise `Interrupted` where a signal would end the process at once, nothing tidied up.

    Only the first is raised. To tidy up takes a moment, and a second one would tear it apart: many
    programs pass Ctrl-C on to what they started, which then hears it twice. Who presses it again
    later wants the end now, and gets it.
    """
    heard: list[float] = []

    def answer(number: int, _frame: FrameType | None) -> None:
        if not heard:
            heard.append(time.monotonic())
            _raise(number)
        if time.monotonic() - heard[0] > _ONCE:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    with _answered(lambda old: old == signal.SIG_DFL, answer):
        yield


@contextmanager
def undisturbed() -> Iterator[None]:
    """Hold the signals back while something is kept that must be kept whole."""
    waiting: list[int] = []
    with _answered(
        lambda old: old not in (None, signal.SIG_IGN), lambda number, _: waiting.append(number)
    ):
        yield
    if waiting:
        signal.raise_signal(waiting[0])
