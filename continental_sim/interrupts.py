"""What stops a study from outside: Ctrl-C, a request to end, a terminal that goes away.

Such a signal ends the process at once, unless there is something to tidy up: then it becomes a
KeyboardInterrupt. It can be held back while something is written that must be whole.
"""

import _thread
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any, Final, NoReturn, TypeVar

# A process that ignores one of them (nohup, a job in the background) goes on doing so.
_SIGNALS: Final = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
_AGAIN: Final = 0.05  # [seconds] after which a signal that got lost comes again
_ONCE: Final = 1.0  # [seconds] in which a second signal is taken for an echo of the first

_called_back: Final[set[CodeType]] = set()
_held: Final[list[int]] = []  # signals that may not have ended the work in hand
F = TypeVar("F", bound=Callable[..., Any])


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


def called_back(function: F) -> F:
    """Mark a function that compiled code calls: what is raised at its edges would be lost.

    Python hears signals when a function begins, before any ``try`` in it. So the function asks
    `raise_held`, in a ``try``, whether it was a moment ago.
    """
    _called_back.add(function.__code__)
    return function


def raise_held() -> None:
    """Raise an interruption that could not be raised where the signal came, or went no further.

    Some libraries forget whatever is raised while they look at an argument. Whoever works on in
    the main thread after a signal has not heard of it.
    """
    if _held and threading.current_thread() is threading.main_thread():
        _raise(_held.pop())


def put_back(stop: KeyboardInterrupt) -> None:
    """Keep an interruption that cannot be passed on here, for `raise_held`."""
    _held.append(signal_of(stop))


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


def _send_again(number: int, forget: Callable[[], None]) -> None:
    time.sleep(_AGAIN)
    forget()
    signal.pthread_kill(threading.main_thread().ident or 0, number)


@contextmanager
def _raised_again(forget: Callable[[], None]) -> Iterator[None]:
    """Raise an interruption again that came where Python can only print and forget it.

    That is where a library calls back, or memory is freed. A moment later it may be elsewhere.
    """
    before = sys.unraisablehook

    def hook(lost: "sys.UnraisableHookArgs") -> None:
        if not isinstance(lost.exc_value, KeyboardInterrupt):
            before(lost)
            return
        # A thread of `threading` would have to be waited for here, where nothing can be raised.
        _thread.start_new_thread(_send_again, (signal_of(lost.exc_value), forget))

    sys.unraisablehook = hook
    try:
        yield
    finally:
        sys.unraisablehook = before


@contextmanager
def stoppable() -> Iterator[None]:
    """Raise `Interrupted` where a signal would end the process at once, nothing tidied up.

    Only the first is raised. To tidy up takes a moment, and a second one would tear it apart: many
    programs pass Ctrl-C on to what they started, which then hears it twice. Who presses it again
    later wants the end now, and gets it.
    """
    heard: list[float] = []

    def answer(number: int, frame: FrameType | None) -> None:
        if not heard:
            heard.append(time.monotonic())
            _held.append(number)
            if frame is None or frame.f_code not in _called_back:
                _raise(number)
        elif time.monotonic() - heard[0] > _ONCE:
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)

    taken = (signal.SIG_DFL, signal.default_int_handler)
    try:
        with _answered(lambda old: old in taken, answer), _raised_again(heard.clear):
            yield
    finally:
        _held.clear()


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
