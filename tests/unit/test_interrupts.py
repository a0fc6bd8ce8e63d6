"""Signals that end a study: held until the work asks, one interruption, none lost."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from continental_sim.interrupts import Interrupted, raise_held, signal_name, signal_of, stoppable

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


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_waits_until_the_work_asks(name):
    number = getattr(signal, name)
    before = signal.getsignal(number)
    done = []

    def work():
        with stoppable():
            raise_held()
            send(name)
            done.append("kept")
            raise_held()
            done.append("never")

    with pytest.raises(Interrupted) as stop:
        work()
    assert done == ["kept"]
    assert signal_of(stop.value) == number
    assert signal_name(number) == ("Ctrl-C" if name == "SIGINT" else name)
    assert signal.getsignal(number) == before
    raise_held()  # and that was it


@pytest.mark.parametrize("name", SIGNALS)
def test_a_signal_after_the_last_question_is_raised_at_the_end(name):
    done = []

    def work():
        with stoppable():
            send(name)
            done.append("all")

    with pytest.raises(Interrupted) as stop:
        work()
    assert done == ["all"]
    assert stop.value.number == getattr(signal, name)
    raise_held()


def test_the_interruption_that_python_raises_itself_is_ctrl_c():
    assert signal_of(KeyboardInterrupt()) == signal.SIGINT


@pytest.mark.parametrize("name", SIGNALS)
def test_what_is_ignored_stays_ignored(name):
    number = getattr(signal, name)
    signal.signal(number, signal.SIG_IGN)
    with stoppable():
        send(name)
        raise_held()
        assert signal.getsignal(number) == signal.SIG_IGN


def test_a_handler_of_somebody_else_is_asked():
    heard = []
    signal.signal(signal.SIGTERM, lambda number, frame: heard.append(number))
    with stoppable():
        send("SIGTERM")
        assert heard == [signal.SIGTERM]
        raise_held()


def test_the_first_of_several_signals_is_told():
    with pytest.raises(Interrupted) as stop, stoppable():
        send("SIGHUP", "SIGTERM", "SIGINT")
    assert stop.value.number == signal.SIGHUP


def test_an_error_passes_though_a_signal_is_held():
    def work():
        with stoppable():
            send("SIGTERM")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work()
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL
    assert signal.getsignal(signal.SIGINT) == signal.default_int_handler
    raise_held()


def test_the_main_thread_alone_hears_it():
    # Python allows signal handlers there alone.
    found = []

    def work():
        with stoppable():
            raise_held()
            found.append("nothing")

    def ask(*names):
        with stoppable():
            send(*names)
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            assert signal.getsignal(signal.SIGTERM) != signal.SIG_DFL

    ask()
    with pytest.raises(Interrupted):
        ask("SIGTERM")
    assert found == ["nothing"] * 2


def test_a_signal_from_outside_is_heard_too():
    begun = time.monotonic()

    def work():
        while time.monotonic() < begun + 20:
            time.sleep(0.01)
            raise_held()

    threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM)).start()
    with pytest.raises(Interrupted), stoppable():
        work()
    assert time.monotonic() - begun < 10


@pytest.mark.parametrize(("later", "status"), [(0.0, "tidied up\n"), (1.5, "")])
def test_a_second_signal_is_an_echo_if_it_comes_at_once_and_ends_the_process_later(later, status):
    code = f"""
import signal, time
from continental_sim.interrupts import raise_held, stoppable
with stoppable():
    try:
        signal.raise_signal(signal.SIGTERM)
        raise_held()
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
