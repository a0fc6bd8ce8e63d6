"""Ctrl-C, a request to end, a terminal that goes away: told in a sentence, nothing lost."""

import fcntl
import functools
import os
import pty
import signal
import subprocess
import sys
import termios
import threading
import time

import numpy as np
import pytest

from continental_sim.engine import play_block
from continental_sim.interrupts import Interrupted, stoppable
from continental_sim.players import load_player
from tests.processes import (
    assert_gone,
    being_written,
    deals_kept,
    end_of,
    family_of,
    manifest_of,
    paced_study,
    resumed,
    run,
    spans_kept,
    start,
    unbroken,
    wait_for_deals,
    wait_until,
    write_study_file,
)
from tests.tabletop import STRATEGIES

BLOCK = 8
DEALS = 160
NAMES = {signal.SIGINT: "Ctrl-C", signal.SIGTERM: "SIGTERM", signal.SIGHUP: "SIGHUP"}
FULL = pytest.mark.full


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The files of the study if nothing comes between."""
    return unbroken(paced_study(DEALS, BLOCK), tmp_path_factory.mktemp("unbroken") / "study")


def begun(tmp_path, *options, deals=3 * BLOCK, **settings):
    """Start the study; wait until some of it is kept."""
    file = write_study_file(tmp_path / "study.toml", paced_study(DEALS, BLOCK))
    directory = tmp_path / "study"
    process = start("run", file, "--out", directory, "-q", *options, **settings)
    if deals:
        wait_for_deals(process, directory, deals)
    return process, directory


def assert_stopped(process, directory, number, kept):
    """See that a study ends by a signal as it should; return how many deals it has kept."""
    family = family_of(process)
    ended = end_of(process)
    assert ended.status == 128 + number
    deals = deals_kept(directory)
    assert deals >= kept
    assert ended.sentence == (
        f"stopped by {NAMES[number]}; {deals} of {DEALS} deals are kept in {directory}; go on with "
        f"contsim run --resume {directory}"
    )
    assert_gone(family)
    manifest = manifest_of(directory)
    assert manifest["state"]["reason"] == "interrupted"
    assert manifest["runs"][-1]["deals"] == deals
    return deals


@pytest.mark.parametrize(
    ("number", "send", "options"),
    [
        (signal.SIGINT, os.killpg, ("--jobs", 2)),
        pytest.param(signal.SIGTERM, os.kill, ("--jobs", 1), marks=FULL),
        pytest.param(signal.SIGINT, os.kill, ("--jobs", 2), marks=FULL),
        pytest.param(signal.SIGINT, os.kill, ("--jobs", 1), marks=FULL),
        pytest.param(signal.SIGINT, os.killpg, ("--backend", "threading"), marks=FULL),
        pytest.param(signal.SIGINT, os.killpg, ("--deal-timeout", "60s"), marks=FULL),
        pytest.param(signal.SIGTERM, os.kill, ("--jobs", 2), marks=FULL),
        pytest.param(signal.SIGTERM, os.killpg, ("--jobs", 2), marks=FULL),
        pytest.param(signal.SIGTERM, os.killpg, ("--deal-timeout", "60s"), marks=FULL),
        pytest.param(signal.SIGHUP, os.kill, ("--jobs", 2), marks=FULL),
        pytest.param(signal.SIGHUP, os.killpg, ("--jobs", 2), marks=FULL),
        pytest.param(signal.SIGHUP, os.killpg, ("--deal-timeout", "60s"), marks=FULL),
    ],
)
def test_a_signal_keeps_what_had_finished(tmp_path, expected, number, send, options):
    process, directory = begun(tmp_path, *options, pause=0.03)
    kept = deals_kept(directory)
    send(process.pid, number)
    kept = assert_stopped(process, directory, number, kept)
    assert resumed(directory, kept) == expected


@pytest.mark.full
@pytest.mark.parametrize("between", [0.0, 0.05])
@pytest.mark.parametrize("options", [("--jobs", 2), ("--jobs", 1), ("--backend", "threading")])
def test_two_in_a_row_are_one(tmp_path, options, between):
    process, directory = begun(tmp_path, *options, pause=0.03)
    for _ in range(3):
        os.killpg(process.pid, signal.SIGINT)
        time.sleep(between)
    ended = end_of(process)
    # The last may come when all is said.
    assert ended.status in {128 + signal.SIGINT, -signal.SIGINT}
    assert f"; {deals_kept(directory)} of {DEALS} deals are kept in" in ended.sentence
    assert manifest_of(directory)["state"]["reason"] == "interrupted"


@pytest.mark.full
def test_who_asks_again_later_is_heard(tmp_path, expected):
    # A thread cannot be stopped: its block would take another minute.
    process, directory = begun(tmp_path, "--jobs", 1, deals=BLOCK, pause=0.01)
    os.kill(process.pid, signal.SIGINT)
    kept = assert_stopped(process, directory, signal.SIGINT, BLOCK)
    process = start("run", "--resume", directory, "--backend", "threading", "-q", pause=3.0)
    wait_for_deals(process, directory, kept + BLOCK)
    time.sleep(1.0)  # into the blocks of the threads
    os.kill(process.pid, signal.SIGINT)
    time.sleep(1.5)
    assert process.poll() is None
    os.kill(process.pid, signal.SIGINT)
    ended = end_of(process, within=5)
    assert (ended.status, ended.err) == (-signal.SIGINT, "")
    assert resumed(directory, deals_kept(directory)) == expected


@pytest.mark.full
@pytest.mark.parametrize("number", NAMES, ids=NAMES.values())
def test_a_signal_amid_the_writing_of_a_part(tmp_path, expected, number):
    process, directory = begun(tmp_path, "--jobs", 2, pause=0.01)
    amid = []
    for stop in (40, 80, 120):
        wait_for_deals(process, directory, stop)
        amid.clear()
        assert wait_until(lambda: amid.extend(being_written(directory)) or amid, process, every=0)
        os.killpg(process.pid, number)
        ended = end_of(process)
        kept = deals_kept(directory)
        assert ended.status == 128 + number
        assert f"; {kept} of {DEALS} deals are kept in" in ended.sentence
        assert not being_written(directory)
        first, last = map(int, amid[0].split("-")[1:3])
        assert any(begin <= first <= last <= end for begin, end in spans_kept(directory))
        process = start("run", "--resume", directory, "--jobs", 2, "-q", pause=0.01)
    assert end_of(process).status == 0
    assert manifest_of(directory)["runs"][-1]["deals"] == DEALS - kept
    assert run("run", "--resume", directory, "-q").status == 0


# --- While it starts -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "milliseconds",
    [100, *(pytest.param(each, marks=FULL) for each in range(50, 1600, 50) if each != 100)],
)
def test_ctrl_c_while_it_starts_is_heard_and_says_no_more_than_a_sentence(tmp_path, milliseconds):
    process, directory = begun(tmp_path, "--jobs", 2, deals=0, pause=0.2)
    time.sleep(milliseconds / 1000)
    os.kill(process.pid, signal.SIGINT)
    ended = end_of(process, within=20)
    if "<frozen " in ended.err and "continental_sim" not in ended.err:
        pytest.skip("Python itself had not started yet")
    assert ended.status in {-signal.SIGINT, 128 + signal.SIGINT}
    assert len(ended.sentences) <= 1
    # What it leaves can be played.
    if (directory / "manifest.toml").exists():
        process = start("run", "--resume", directory, "--jobs", 1, "-q")
    else:
        process, _ = begun(tmp_path, "--jobs", 1, deals=0)
    assert end_of(process).status == 0


@pytest.mark.parametrize("times", [4, pytest.param(100, marks=FULL)])
def test_a_signal_between_compiled_and_interpreted_code_is_never_lost(times, capfd):
    # Were it raised at the edge of a strategy's function, the compiled loop would not hear of it:
    # the strategy would have answered 0, and play gone on.
    dice = np.random.default_rng(21)
    # What is started with nohup does not hear of a terminal that goes away, and should not.
    both = (signal.SIGTERM, signal.SIGHUP)
    heard = [number for number in both if signal.getsignal(number) != signal.SIG_IGN]
    study = paced_study(400, 400)
    load = functools.cache(load_player)
    play_block(study, 0, 400, load)

    def play():
        with stoppable():
            for _ in range(100):
                play_block(study, 0, 400, load)

    for _ in range(times):
        main, number = threading.main_thread().ident, dice.choice(heard)
        sender = threading.Timer(dice.uniform(0.02, 0.2), signal.pthread_kill, (main, number))
        sender.start()
        with pytest.raises(Interrupted) as stop:
            play()
        assert stop.value.number == number
        sender.join()
    assert capfd.readouterr() == ("", "")


# --- A terminal that goes away -------------------------------------------------------------------


def begun_on_terminal(tmp_path, *, deaf):
    """Start the study on a terminal of its own; return it, and the terminal's other end."""
    ours, theirs = pty.openpty()

    def settle():
        fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)
        os.close(ours)
        if deaf:
            signal.signal(signal.SIGHUP, signal.SIG_IGN)

    file = write_study_file(tmp_path / "study.toml", paced_study(DEALS, BLOCK))
    process = start(
        *("run", file, "--out", tmp_path / "study", "--jobs", 1),
        pause=0.03, stdin=theirs, stdout=theirs, stderr=theirs, preexec_fn=settle,
    )  # fmt: skip
    os.close(theirs)
    wait_for_deals(process, tmp_path / "study", 3 * BLOCK)
    return process, ours


@pytest.mark.full
def test_a_terminal_that_goes_away_stops_the_study(tmp_path, expected):
    process, terminal = begun_on_terminal(tmp_path, deaf=False)
    os.close(terminal)
    assert end_of(process).status == 128 + signal.SIGHUP
    directory = tmp_path / "study"
    assert manifest_of(directory)["state"]["reason"] == "interrupted"
    assert resumed(directory, deals_kept(directory)) == expected


@pytest.mark.full
def test_a_study_that_ignores_it_goes_on_without_its_terminal(tmp_path):
    process, terminal = begun_on_terminal(tmp_path, deaf=True)
    os.close(terminal)
    end_of(process)
    assert manifest_of(tmp_path / "study")["state"]["status"] == "complete"
    assert manifest_of(tmp_path / "study")["runs"][0]["deals"] == DEALS


# --- A strategy that never answers ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "command", "how"),
    [
        (signal.SIGINT, ["run", "-s"], "contsim run --resume out"),
        pytest.param(signal.SIGTERM, ["run", "--jobs", "1", "-s"], "--resume out", marks=FULL),
        pytest.param(signal.SIGTERM, ["compare", "fastest"], "with --out out", marks=FULL),
        pytest.param(signal.SIGINT, ["whatif", "--set", "recycles=0", "-s"], "out", marks=FULL),
    ],
)
def test_compiled_code_that_never_comes_back_is_ended(tmp_path, number, command, how):
    code = (
        "import sys\nfrom continental_sim import interrupts\nfrom continental_sim.cli import main\n"
        "interrupts.GRACE = 0.3\nsys.exit(main(sys.argv[1:]))"
    )
    endless = (STRATEGIES / "endless.py").read_text(encoding="utf-8")
    (tmp_path / "loop.py").write_text(endless.replace(" and view.upcard == UPCARD", ""))
    process = subprocess.Popen(
        [
            *(sys.executable, "-c", code, *command, "loop.py"),
            *("--deals", "400", "--seed", "1", "--out", "out", "-q"),
        ],
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        text=True,
        start_new_session=True,
    )
    assert wait_until(lambda: list(tmp_path.glob("out/**/manifest.toml")), process)
    time.sleep(1.0)  # into the deal that does not end
    os.kill(process.pid, number)
    ended = end_of(process, within=10)
    assert ended.status == 128 + number
    assert ended.sentence.startswith(
        f"stopped by {NAMES[number]} in the midst of what did not come to an end within 0.3 s; "
    )
    assert how in ended.sentence
    assert "--deal-timeout 10s" in ended.sentence
    assert_gone(family_of(process))
