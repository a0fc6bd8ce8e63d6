"""Workers and those who started them are killed, in earnest: nothing hangs, nothing is left."""

import itertools
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from importlib.util import find_spec

import psutil
import pytest

from continental_sim.backends import flow, open_workers
from continental_sim.errors import WorkerDied

LOKY = "loky"
DASK = pytest.param("dask", marks=pytest.mark.full)
RAY = pytest.param(
    "ray",
    marks=(
        pytest.mark.full,
        pytest.mark.skipif(find_spec("ray") is None, reason="scripts/test --full installs Ray"),
    ),
)
GONE_WITHIN = 10.0  # [seconds]

# Two workers, of which it tells, then tasks in which compiled code lets no other thread run.
STUDY = """
import os, sys, time
from continental_sim.backends import open_workers

def study():
    with open_workers(sys.argv[1], 2) as opened:
        known = set()
        while len(known) < 2:
            known.update(opened.results(os.getpid, [()] * 4))
        print("ready", flush=True)
        for _ in opened.results(sum, [(range(10**13),)] * 4):
            pass

if __name__ == "__main__":
    try:
        study()
    except KeyboardInterrupt:
        sys.exit(130)
"""


@pytest.fixture
def start_study():
    """Start the study as the first process of a group, as a shell does."""
    with ExitStack() as stack:

        def start(backend, *, tell="ready\n"):
            process = stack.enter_context(
                subprocess.Popen(
                    [sys.executable, "-c", STUDY, backend],
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                    start_new_session=True,
                )
            )
            stack.callback(process.kill)
            if tell:
                assert process.stdout.readline() == tell
                time.sleep(0.3)  # into the long tasks
            return process, psutil.Process(process.pid)

        yield start


def wait_gone(processes, seconds=GONE_WITHIN):
    _, alive = psutil.wait_procs(processes, timeout=seconds)
    assert not alive


def task():
    """A task that returns its number and its worker; it travels whole, without this file."""

    def play(number):
        time.sleep(0.02)
        return number, os.getpid()

    return play


# --- A worker is killed --------------------------------------------------------------------------


def test_a_killed_loky_worker_is_told_and_replaced():
    with open_workers("loky", 2) as opened:
        results = opened.results(task(), ((number,) for number in itertools.count()))
        finished = [number for number, _ in itertools.islice(results, 5)]
        number, worker = next(results)
        os.kill(worker, signal.SIGKILL)
        finished.append(number)
        with pytest.raises(WorkerDied, match="killed or out of memory"):
            finished.extend(number for number, _ in results)
        assert len(finished) <= 6 + 2 * 2
        assert len(set(finished)) == len(finished)
        # What is missing can be played.
        missing = [(number,) for number in range(20) if number not in finished]
        again = [number for number, _ in opened.results(task(), missing)]
        assert sorted(again) == [number for (number,) in missing]


def test_a_loky_worker_that_is_killed_without_a_task_is_told_at_the_next_one():
    with open_workers("loky", 2) as opened:
        worker = next(iter(set(opened.results(os.getpid, [()] * 4))))
        victim = psutil.Process(worker)
        victim.kill()
        wait_gone([victim])
        time.sleep(0.2)
        with pytest.raises(WorkerDied):
            list(opened.results(abs, [(-1,)]))
        assert list(opened.results(abs, [(-1,)])) == [1]


def test_a_loky_worker_that_is_killed_before_the_first_task_is_told_at_it():
    with open_workers("loky", 2) as opened:
        before = set(psutil.Process().children())
        opened.start(abs)
        victims = set(psutil.Process().children()) - before
        assert len(victims) >= opened.count()  # with a helper of loky, perhaps
        for victim in victims:
            victim.kill()
        wait_gone(list(victims))
        time.sleep(0.2)
        with pytest.raises(WorkerDied):
            list(opened.results(abs, [(-1,)]))
        assert list(opened.results(abs, [(-1,)])) == [1]


def test_a_loky_worker_that_is_killed_while_it_sends_a_result_hangs_nothing(monkeypatch):
    # Loky alone waits for the rest of the result for ever.
    monkeypatch.setattr(flow, "LOOK_EVERY", 0.2)
    with open_workers("loky", 2) as opened:
        worker = next(iter(set(opened.results(os.getpid, [()]))))
        victims = [each for each in psutil.Process().children() if works(each, worker)]
        killed = threading.Event()

        def kill_amid():
            until_it_receives()
            for each in victims:
                each.kill()
            killed.set()

        threading.Thread(target=kill_amid, daemon=True).start()
        with pytest.raises(WorkerDied):
            list(opened.results(bytes, [(600_000_000,)]))
        assert killed.is_set()
        assert list(opened.results(abs, [(-1,)])) == [1]


def works(process, worker):
    """Tell whether a child was started with the same command as a worker."""
    return process.cmdline()[:4] == psutil.Process(worker).cmdline()[:4]


def until_it_receives():
    """Wait until a thread of this process is amid a long message."""
    amid = 0
    while amid < 3:
        names = {frame.f_code.co_name for frame in sys._current_frames().values()}
        amid = amid + 1 if "_recv" in names else 0
        time.sleep(0.005)


@pytest.mark.parametrize("backend", ["dask", RAY])
def test_a_cluster_plays_the_tasks_of_a_killed_worker_again(backend, capfd):
    with open_workers(backend, 2) as opened:
        numbers = []
        for number, worker in opened.results(task(), ((number,) for number in range(40))):
            numbers.append(number)
            if len(numbers) == 10:
                os.kill(worker, signal.SIGKILL)
        assert sorted(numbers) == list(range(40))
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("backend", [DASK, RAY])
def test_a_task_that_kills_every_worker_is_given_up(backend, capfd):
    with open_workers(backend, 2) as opened:
        with pytest.raises(WorkerDied, match="4 times in a row"):
            list(opened.results(os.abort, [()]))
        assert list(opened.results(abs, [(-1,)])) == [1]
    assert capfd.readouterr().out == ""


# --- The parent is killed ------------------------------------------------------------------------


@pytest.mark.parametrize("backend", [LOKY, DASK, RAY])
def test_nothing_outlives_a_killed_parent(start_study, backend):
    process, parent = start_study(backend)
    family = parent.children(recursive=True)
    assert len(family) >= 2
    # Two servants of Ray, which play nothing, try for a minute to tell of their end.
    servants = [each for each in family if each.name().endswith("Agent")]
    process.kill()
    wait_gone([each for each in family if each not in servants])
    wait_gone(servants, 60.0)


# --- Ctrl-C --------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", [LOKY, DASK, RAY])
def test_workers_say_nothing_of_ctrl_c(start_study, backend):
    # As a terminal does it: the signal goes to the whole group.
    process, parent = start_study(backend)
    family = parent.children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    began = time.monotonic()
    assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == 130
    assert time.monotonic() - began < GONE_WITHIN
    wait_gone(family)


@pytest.mark.full
@pytest.mark.parametrize("delay", [0.3, 0.5, 0.7, 0.9, 1.1, 1.4, 1.8, 2.5])
@pytest.mark.parametrize("backend", ["loky", "dask"])
def test_workers_that_only_start_say_nothing_of_ctrl_c_either(start_study, backend, delay):
    process, parent = start_study(backend, tell="")
    time.sleep(delay)
    family = parent.children(recursive=True)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=30)
    # Before the study's first line, Python itself tells of it.
    assert process.returncode in {130, -signal.SIGINT}
    if process.returncode == 130:
        assert said == ""
    wait_gone(family)
