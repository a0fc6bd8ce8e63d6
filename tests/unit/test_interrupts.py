"""Signals that end a study: one interruption, and none in the midst of a write."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from continental_sim.interrupts import (
    Interrupted,
    signal_name,
    signal_of,
    stoppable,
    undisturbed,
)

SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"]


@pytest.fixture(autouse=True)
def as_at_the_start():
    """Each test begins with the handlers of a fresh process, and leaves those that it found."""
    before = {name: signal.getsignal(getattr(signal, name)) for name in SIGNALS}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for name in SIGNALS[1:]:
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    yield
    for name, handler in before.items():
        signal.signal(getattr(signal, name), handler)


def send(*names):
    for name in names:
        signal.raise_signal(getattr(signal, name))


@pytest.mark.parametrize("name", SIGNALS[1:])
def test_a_request_to_end_is_an_interruption_that_knows_its_signal(name):
    with pytest.raises(Interrupted) as stop, stoppable():
        send(name)
    assert signal_of(stop.value) == getattr(signal, name)
    assert signal_name(signal_of(stop.value)) == name
    assert signal.getsignal(getattr(signal, name)) == signal.SIG_DFL


def test_ctrl_c_stays_what_it_is():
    with pytest.raises(KeyboardInterrupt) as stop, stoppable():
        send("SIGINT")
    assert not isinstance(stop.value, Interrupted)
    assert signal_name(signal_of(stop.value)) == "Ctrl-C"


@pytest.mark.parametrize("name", SIGNALS)
def test_what_is_ignored_stays_ignored(name):
    number = getattr(signal, name)
    signal.signal(number, signal.SIG_IGN)
    with stoppable(), undisturbed():
        send(name)
        assert signal.getsignal(number) == signal.SIG_IGN


def test_a_handler_of_somebody_else_is_asked_but_not_in_the_midst_of_a_write():
    heard = []
    signal.signal(signal.SIGTERM, lambda number, frame: heard.append(number))
    with stoppable():
        with undisturbed():
            send("SIGTERM")
            assert not heard
        assert heard == [signal.SIGTERM]


@pytest.mark.parametrize("name", SIGNALS)
def test_signals_wait_until_what_must_be_whole_is_whole(name):
    done = []

    def work():
        with stoppable():
            with undisturbed():
                send(name)
                done.append("kept")
            done.append("never")

    with pytest.raises(KeyboardInterrupt) as stop:
        work()
    assert done == ["kept"]
    assert signal_of(stop.value) == getattr(signal, name)


def test_signals_wait_for_the_outermost():
    done = []

    def work():
        with stoppable(), undisturbed():
            with undisturbed():
                send("SIGTERM")
            done.append("kept")

    with pytest.raises(Interrupted):
        work()
    assert done == ["kept"]


def test_the_first_of_several_signals_is_told():
    with pytest.raises(Interrupted) as stop, stoppable(), undisturbed():
        send("SIGHUP", "SIGTERM", "SIGINT")
    assert stop.value.number == signal.SIGHUP


def test_an_error_passes_though_signals_are_held_back():
    with pytest.raises(ZeroDivisionError), stoppable(), undisturbed():
        raise ZeroDivisionError
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler


def test_other_threads_change_nothing():
    # Python allows signal handlers in the main thread alone.
    found = []

    def work():
        with stoppable(), undisturbed():
            found.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert found == [signal.SIG_DFL]


def test_a_signal_from_outside_is_heard_too():
    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM)).start()
    with pytest.raises(Interrupted), stoppable():
        time.sleep(10)


@pytest.mark.parametrize(("later", "status"), [(0.0, "tidied up\n"), (1.5, "")])
def test_a_second_signal_is_an_echo_if_it_comes_at_once_and_ends_the_process_later(later, status):
    code = f"""
import signal, time
from continental_sim.interrupts import stoppable
with stoppable():
    try:
        signal.raise_signal(signal.SIGTERM)
    finally:
        time.sleep({later})
        signal.raise_signal(signal.SIGTERM)
        print("tidied up", flush=True)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout == status
    assert (done.returncode == -signal.SIGTERM) == (later > 1)
