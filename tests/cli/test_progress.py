"""The progress bar."""

import io
import time

import pytest

from continental_sim.cli import progress
from continental_sim.cli.progress import Progress, clock_of, duration, progress_bar, progress_line


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def test_line_with_rate_and_time_left():
    line = progress_line(250_000, 1_000_000, 2.0, 250_000)
    assert (
        line == " 25 % [######------------------] 250,000 of 1,000,000 deals, 125,000/s, 0:06 left"
    )


def test_line_before_there_is_a_rate():
    assert progress_line(0, 10, 0.0, 0) == "  0 % [------------------------] 0 of 10 deals"


@pytest.mark.parametrize(("done", "total"), [(11, 10), (10, 10), (0, 0), (5, 0)])
def test_never_beyond_the_end_and_never_negative(done, total):
    line = progress_line(done, total, 1.0, done)
    assert line.startswith("100 %")
    assert "-" not in line.split("]")[1]


def test_a_resumed_study_rates_only_what_was_played_now():
    clock, stream = Clock(), io.StringIO()
    bar = Progress(stream, clock)
    bar(900, 1000)
    clock.now += 1
    bar(950, 1000)
    assert "50/s, 0:01 left" in stream.getvalue()


def test_draws_at_most_ten_times_a_second_but_always_the_end():
    clock, stream = Clock(), io.StringIO()
    bar = Progress(stream, clock)
    for done in range(1, 101):
        clock.now += 0.001
        bar(done, 100)
    pictures = stream.getvalue().split("\r")[1:]
    assert len(pictures) == 2
    assert pictures[-1].startswith("100 %")


def test_close_wipes_the_line():
    stream = io.StringIO()
    bar = Progress(stream, Clock())
    bar(1, 2)
    bar.close()
    bar.close()
    last = stream.getvalue().split("\r")
    assert last[-1] == ""
    assert last[-2].strip() == ""


@pytest.mark.parametrize(
    ("seconds", "text"), [(-3, "0:00"), (7.4, "0:07"), (754, "12:34"), (3723, "1:02:03")]
)
def test_durations(seconds, text):
    assert duration(seconds) == text


def test_no_bar_where_nobody_looks(monkeypatch):
    monkeypatch.setattr("sys.stderr", io.StringIO())
    assert progress_bar(quiet=False) is None


@pytest.mark.parametrize("width", [79, 65, 60])
def test_the_bar_gives_way_to_the_numbers(width):
    line = progress_line(2_300_000, 100_000_000, 27.2, 2_300_000, width)
    assert len(line) <= width
    assert line.endswith("2,300,000 of 100,000,000 deals, 84,559/s, 19:15 left")


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_clock_goes_on_and_is_wiped(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(progress, "_TICK", 0.02)
    monkeypatch.setattr(progress.sys, "stderr", stream)
    with clock_of("compiling", quiet=False):
        deadline = time.monotonic() + 10
        while stream.getvalue().count("compiling: 0:00") < 2 and time.monotonic() < deadline:
            time.sleep(0.01)
    shown = stream.getvalue()
    assert shown.count("compiling: 0:00") >= 2
    assert shown.endswith("\r")  # at the margin, over blanks
    assert shown.rstrip("\r").rsplit("\r", 1)[1].strip() == ""


@pytest.mark.parametrize(("stream", "quiet"), [(Terminal(), True), (io.StringIO(), False)])
def test_a_clock_that_nobody_looks_at_is_not_shown(monkeypatch, stream, quiet):
    monkeypatch.setattr(progress, "_TICK", 0.001)
    monkeypatch.setattr(progress.sys, "stderr", stream)
    with clock_of("compiling", quiet=quiet):
        time.sleep(0.05)
    assert stream.getvalue() == ""
