"""Workers of every kind keep the same promises; `tests/faults/test_clusters.py` kills them.

The tasks call functions of Python's own, which every process can import.
"""

import operator
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack
from importlib.util import find_spec

import pytest

from continental_sim.backends import BACKENDS, clusters, flow, open_workers
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.interrupts import Interrupted, stoppable

WITH_RAY = (
    pytest.mark.full,
    pytest.mark.skipif(find_spec("ray") is None, reason="scripts/test --full installs Ray"),
)
KINDS = [
    ("loky", 1),
    ("loky", 2),
    ("threading", 2),
    ("dask", 2),
    pytest.param(("ray", 2), marks=WITH_RAY),
]
AT_ONCE = 8.0  # [seconds] far less than the tasks that must not be waited for
FOR_LONG = 60.0  # [seconds]


@pytest.fixture(scope="module", params=KINDS, ids=lambda kind: f"{kind[0]}-{kind[1]}")
def workers(request):
    with open_workers(*request.param) as opened:
        yield opened


def numbers(count, taken=None):
    """Pairs to multiply; `taken` counts how many were asked for."""
    for number in range(count):
        if taken is not None:
            taken.append(number)
        yield number, number


# --- What all of them do -------------------------------------------------------------------------


@pytest.mark.parametrize("count", [0, 1, 50])
def test_every_task_has_its_result(workers, count):
    assert sorted(workers.results(operator.mul, numbers(count))) == [n * n for n in range(count)]


def test_workers_may_be_started_before_there_are_tasks(workers):
    workers.start(operator.mul)
    assert list(workers.results(operator.mul, [(6, 7)])) == [42]
    assert workers.count() >= 1


def test_tasks_are_taken_as_there_is_room(workers):
    taken = []
    results = workers.results(operator.mul, numbers(100, taken))
    for played, _ in enumerate(results, start=1):
        assert played <= len(taken) <= played + 2 * 2
    assert len(taken) == played == 100


def test_what_a_function_raises_is_raised(workers):
    with pytest.raises(ZeroDivisionError, match=r"^division by zero$"):
        next(workers.results(operator.truediv, [(1, 0)]))
    assert list(workers.results(operator.truediv, [(1, 2)])) == [0.5]


def test_an_error_of_the_tasks_themselves_is_raised():
    def broken():
        yield 1, 2
        raise LookupError("no more")

    with open_workers("threading", 2) as opened:
        with pytest.raises(LookupError, match="no more"):
            next(opened.results(operator.mul, broken()))
        assert list(opened.results(operator.mul, [(3, 4)])) == [12]


def test_results_come_as_they_finish():
    with open_workers("threading", 2) as opened:
        seconds = [(0.3,), (0.0,), (0.0,)]
        began = time.monotonic()
        results = opened.results(time.sleep, seconds)
        next(results)
        next(results)
        assert time.monotonic() - began < 0.2
        next(results)
        assert time.monotonic() - began >= 0.3


def test_what_finished_comes_before_a_failure():
    # Both are played when the first result is fetched: the failure was submitted first.
    with open_workers("threading", 2) as opened:
        results = opened.results(operator.truediv, pause_after([(1, 0), (1, 4)]))
        assert next(results) == 0.25
        with pytest.raises(ZeroDivisionError):
            next(results)


def test_a_signal_is_heard_while_there_is_no_result():
    began = time.monotonic()
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGTERM)).start()
    with pytest.raises(Interrupted), stoppable(), open_workers("loky", 2) as opened:
        list(opened.results(time.sleep, [(FOR_LONG,)] * 2))
    assert time.monotonic() - began < AT_ONCE


def pause_after(tasks):
    for number, task in enumerate(tasks, start=1):
        yield task
        if number == len(tasks):
            time.sleep(0.1)


def test_threads_are_threads_and_one_job_is_this_process():
    with open_workers("threading", 2) as opened:
        assert set(opened.results(os.getpid, [()] * 4)) == {os.getpid()}
        assert threading.get_ident() not in set(opened.results(threading.get_ident, [()] * 4))
    for backend in ("loky", "threading"):
        with open_workers(backend, 1) as opened:
            assert set(opened.results(threading.get_ident, [()] * 2)) == {threading.get_ident()}


@pytest.mark.parametrize(
    "kind",
    [
        ("loky", 2),
        pytest.param(("dask", 2), marks=pytest.mark.full),
        pytest.param(("ray", 2), marks=WITH_RAY),
    ],
)
def test_tasks_that_nobody_wants_any_more_are_given_up(kind):
    began = time.monotonic()
    with open_workers(*kind) as opened:
        results = opened.results(time.sleep, [(0,), (FOR_LONG,), (FOR_LONG,), (FOR_LONG,)])
        next(results)
        results.close()
        assert os.getpid() not in set(opened.results(os.getpid, [()] * 5))
        kept_open = opened.results(time.sleep, [(0,), (FOR_LONG,), (FOR_LONG,)])
        next(kept_open)
    assert time.monotonic() - began < 2 * AT_ONCE
    kept_open.close()  # after the end: harmless


@pytest.mark.parametrize(
    "kind", [("loky", 2), ("dask", 2), pytest.param(("ray", 2), marks=WITH_RAY)]
)
def test_an_error_ends_the_workers_in_the_middle_of_their_tasks(kind, capfd):
    began = []

    def fail_in_the_middle():
        with open_workers(*kind) as opened:
            next(opened.results(time.sleep, [(0,), (FOR_LONG,), (FOR_LONG,)]))
            began.append(time.monotonic())
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail_in_the_middle()
    assert time.monotonic() - began[0] < AT_ONCE
    assert capfd.readouterr() == ("", "")


# --- What is refused -----------------------------------------------------------------------------


def test_an_unknown_back_end_is_refused():
    with pytest.raises(ContsimError, match=r"^backend 'mpi' is not known: use loky, .* or ray$"):
        open_workers("mpi", 2)
    assert BACKENDS == ("loky", "threading", "dask", "ray")


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_a_scheduler_without_a_cluster_is_refused(backend):
    with pytest.raises(ContsimError) as refused:
        open_workers(backend, 2, "h:1")
    assert str(refused.value) == (
        f"--scheduler h:1 is for clusters, and the backend is {backend}: add --backend dask or ray"
    )


@pytest.mark.parametrize(("backend", "library"), [("dask", "distributed"), ("ray", "ray")])
def test_a_missing_library_is_one_sentence(monkeypatch, backend, library):
    monkeypatch.setitem(sys.modules, library, None)
    sentence = f"--backend {backend} needs the library {library}: pip install 'contsim[{backend}]'"
    with pytest.raises(ContsimError) as refused, open_workers(backend, 2):
        pass
    assert str(refused.value) == sentence


def closed_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


@pytest.mark.parametrize("backend", ["dask", pytest.param("ray", marks=WITH_RAY)])
@pytest.mark.parametrize("address", ["127.0.0.1:{port}", "nowhere", "tcp://nobody.invalid:8786"])
def test_an_address_where_nothing_is_is_one_sentence(backend, address):
    address = address.format(port=closed_port())
    began = time.monotonic()
    with pytest.raises(ContsimError) as refused, open_workers(backend, None, address):
        pass
    assert time.monotonic() - began < 15
    message = str(refused.value)
    assert message.startswith(f"no {backend.capitalize()} cluster answers at {address!r}")
    assert "\n" not in message
    assert refused.value.exit_status == 2


@pytest.mark.full
def test_something_else_at_the_address_is_no_scheduler():
    with socket.create_server(("127.0.0.1", 0)) as server:
        began = time.monotonic()
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with (
            pytest.raises(ContsimError, match="no Dask cluster"),
            open_workers("dask", None, address),
        ):
            pass
        assert time.monotonic() - began < 15


# --- A cluster that others run -------------------------------------------------------------------


@pytest.fixture
def dask_cluster():
    """A scheduler without workers; `add` starts one with so many threads."""
    with ExitStack() as stack:
        script = "import sys; from distributed.cli.{} import main; sys.exit(main(sys.argv[1:]))"

        def start(kind, *arguments):
            process = subprocess.Popen(
                [sys.executable, "-c", script.format(kind), *arguments, "--no-dashboard"],
                stderr=subprocess.DEVNULL,
            )
            stack.callback(process.wait)
            stack.callback(process.kill)
            return process

        port = closed_port()
        address = f"tcp://127.0.0.1:{port}"
        scheduler = start("dask_scheduler", "--host", "127.0.0.1", "--port", str(port))
        until(lambda: listens(port))

        def add(threads):
            return start("dask_worker", address, "--no-nanny", "--nthreads", str(threads))

        yield address, scheduler, add


def listens(port):
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def until(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)


@pytest.mark.full
def test_a_cluster_that_grows_and_shrinks(dask_cluster, monkeypatch):
    monkeypatch.setattr(clusters, "COUNT_EVERY", 0.1)
    monkeypatch.setattr(flow, "LOOK_EVERY", 0.1)
    address, _, add = dask_cluster
    told = []
    with open_workers("dask", None, address, told.append) as opened:
        results = opened.results(operator.mul, numbers(3))
        threading.Timer(1.0, add, [2]).start()
        assert sorted(results) == [0, 1, 4]
        assert told == [
            f"the Dask cluster at {address} has no workers: waiting for some, at most 10 minutes"
        ]
        until(lambda: opened.count() == 2)
        add(3)
        until(lambda: opened.count() == 5)
        assert sorted(opened.results(operator.mul, numbers(50))) == [n * n for n in range(50)]
    with open_workers("dask", 4, address) as opened:
        assert opened.count() == 4


@pytest.mark.full
def test_a_cluster_without_workers_is_not_waited_for_for_ever(dask_cluster, monkeypatch):
    monkeypatch.setattr(clusters, "MOST_WAITING", 1.0)
    address, _, _ = dask_cluster
    with (
        pytest.raises(StudyFailed, match=r"Dask cluster at tcp.* had no workers for"),
        open_workers("dask", None, address) as opened,
    ):
        list(opened.results(operator.mul, numbers(3)))


LONG_STUDY = """
import sys, time
from continental_sim.backends import open_workers
from continental_sim.errors import StudyFailed

try:
    with open_workers("dask", None, sys.argv[1]) as opened:
        for _ in opened.results(time.sleep, [(0.1,)] * 10_000):
            print("played", flush=True)
except StudyFailed as failed:
    print(failed)
"""


@pytest.mark.full
def test_a_scheduler_that_goes_away_fails_the_study_without_noise(dask_cluster):
    address, scheduler, add = dask_cluster
    add(1)
    with subprocess.Popen(
        [sys.executable, "-c", LONG_STUDY, address],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as study:
        assert study.stdout.readline() == "played\n"
        scheduler.kill()
        said, complained = study.communicate(timeout=60)
    assert said.splitlines()[-1] == (
        f"the connection to the Dask cluster at {address} is lost: see whether it still runs"
    )
    assert complained == ""


@pytest.mark.full
@WITH_RAY[1]
def test_ray_leaves_the_answer_to_a_request_to_end_alone():
    before = signal.getsignal(signal.SIGTERM)
    with open_workers("ray", 1) as opened:
        assert list(opened.results(abs, [(-1,)])) == [1]
        assert signal.getsignal(signal.SIGTERM) is before
