"""Progress: a bar of what is done, how fast, how long yet; and a clock where none can tell."""

import shutil
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TextIO

from continental_sim import words

_EVERY = 0.1  # [s] between two pictures
_TICK = 1.0  # [s] of a clock
_MOST_CELLS, _FEWEST_CELLS = 24, 4


class Progress:
    """Draw one line on a terminal, over and over.

    Parameters
    ----------
    stream : text file
        The terminal.
    clock : callable
        Seconds that only grow; for tests.

    Notes
    -----
    Call it with what is done and the total, both in deals; `close` wipes the line. The rate counts
    from the first call, so that workers' start-up and deals of an earlier run do not distort it.
    """

    def __init__(
        self, stream: TextIO | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.stream = stream if stream is not None else sys.stderr
        self.clock = clock
        self.first: tuple[float, int] | None = None
        self.drawn_at = float("-inf")
        self.width = 0

    def __call__(self, done: int, total: int) -> None:
        """Note that `done` of `total` deals are finished; draws at most ten times a second."""
        now = self.clock()
        if self.first is None:
            self.first = (now, done)
        if now - self.drawn_at < _EVERY and done < total:
            return
        self.drawn_at = now
        seconds, counted = now - self.first[0], done - self.first[1]
        self.write(progress_line(done, total, seconds, counted, _width()))

    def close(self) -> None:
        """Wipe the line, so that what follows starts at the margin."""
        if self.width:
            self.write("")  # blanks
            self.write("")  # and back to the margin

    def write(self, text: str) -> None:
        """Write a line over the one before."""
        text = text[: _width()]
        with suppress(OSError):  # the terminal has gone away: the study need not
            self.stream.write("\r" + text.ljust(self.width))
            self.stream.flush()
        self.width = len(text)


def _width() -> int:
    """Columns that may be written; the last one would wrap on some terminals."""
    return shutil.get_terminal_size().columns - 1


def progress_line(done: int, total: int, seconds: float, counted: int, width: int = 100) -> str:
    """Write the line.

    Parameters
    ----------
    done, total : int
        Deals.
    seconds : float
        Since the first report.
    counted : int
        Deals played in that time.
    width : int
        Columns; the bar itself gives way to the numbers.
    """
    share = min(max(done / total, 0.0), 1.0) if total > 0 else 1.0
    head = f"{int(share * 100):3d} %"
    tail = f"{done:,} of {words.counted(total, 'deal')}"
    if seconds > 0 and counted > 0:
        rate = counted / seconds
        left = max(total - done, 0) / rate
        tail += f", {rate:,.0f}/s, {duration(left)} left"
    cells = min(_MOST_CELLS, width - len(head) - len(tail) - len(" [] "))
    if cells < _FEWEST_CELLS:
        return f"{head} {tail}"
    filled = int(share * cells)
    return f"{head} [{'#' * filled}{'-' * (cells - filled)}] {tail}"


def duration(seconds: float) -> str:
    """Write seconds as 0:07, 12:34 or 1:02:03; never less than nothing."""
    minutes, second = divmod(max(round(seconds), 0), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"


def progress_bar(*, quiet: bool) -> Progress | None:
    """Make a bar if somebody looks: standard error is a terminal and it is not to be quiet."""
    return None if quiet or not sys.stderr.isatty() else Progress()


@contextmanager
def clock_of(sentence: str, *, quiet: bool) -> Iterator[None]:
    """Show for how long something has been going on that cannot tell how far it is.

    Parameters
    ----------
    sentence : str
        What it is, without a full stop.
    quiet : bool
    """
    bar = progress_bar(quiet=quiet)
    if bar is None:
        yield
        return
    begun, over = bar.clock(), threading.Event()

    def tick() -> None:
        while not over.wait(_TICK):
            bar.write(f"{sentence}: {duration(bar.clock() - begun)}")

    ticking = threading.Thread(target=tick, daemon=True)
    ticking.start()
    try:
        yield
    finally:
        over.set()
        ticking.join()
        bar.close()
