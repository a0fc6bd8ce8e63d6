"""Colour and weight: on a terminal alone, and not where NO_COLOR is set."""

import io
import os
import pty
import subprocess
import sys

import pytest

from continental_sim.cli.style import painted, shows_style


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


def test_a_terminal_shows_it():
    assert painted("text", Terminal(), bold=True) == "\x1b[1mtext\x1b[0m"


def test_a_file_does_not():
    assert painted("text", io.StringIO(), bold=True) == "text"


@pytest.mark.parametrize(("name", "value"), [("NO_COLOR", "1"), ("TERM", "dumb")])
def test_a_terminal_where_nobody_wants_it_does_not(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    assert painted("text", Terminal(), bold=True) == "text"


def test_an_empty_no_color_says_nothing(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "")  # as no-color.org has it
    assert shows_style(Terminal())


@pytest.mark.parametrize(("more", "styled"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_an_error_in_a_real_terminal(more, styled):
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "continental_sim", "rnu"],
        stderr=theirs,
        stdout=subprocess.DEVNULL,
        env={**os.environ, **more},
    )
    os.close(theirs)
    assert child.wait(timeout=60) == 2
    told = os.read(ours, 4096).decode()
    os.close(ours)
    assert ("\x1b[" in told) == styled
    assert "unknown command 'rnu'; did you mean run?" in told
