"""Strategies that loop for ever: the deal is stopped, its place named, nothing left behind."""

import json
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import tomli_w

from continental_sim.cards import face_name
from continental_sim.cli import main
from continental_sim.engine import play_cubes
from continental_sim.errors import StudyFailed, WorkerDied
from continental_sim.play import watch
from continental_sim.play.watch import DealOverdue, ask_child, play_watched
from continental_sim.study import study_to_dict
from continental_sim.transcript import replay
from tests import asked
from tests.tabletop import DEFAULT, STRATEGIES, rules_with, study_of

ROOT = Path(__file__).parents[2]
GONE_WITHIN = 2.0  # [seconds]
LIMIT = 0.4  # [seconds] for deals that never end
AMPLE = 60.0  # [seconds] for deals that are not to be stopped
MIXED = ["fastest", "stock", "neighbours", "random"]
ENDLESS = (STRATEGIES / "endless.py").read_text(encoding="utf-8")
HIGHEST = (STRATEGIES / "highest.py").read_text(encoding="utf-8")


def interpreted(text):
    """Have a file run interpreted: the compiler does not know what it imports."""
    return text.replace("\nfrom", "\nimport json\nfrom", 1)


def at_table(text, rules=DEFAULT, deals=400):
    """Let one player of a file play three of `stock`."""
    return study_of(rules, ["stock", "stock", text, "stock"], deals, seed=5)


def overdue(study, timeout=LIMIT):
    """Play a study that does not end; return what stops it."""
    with pytest.raises(DealOverdue) as caught:
        play_watched(study, 0, study.deals, False, timeout)
    return caught.value


def place_of(message):
    """Read deal, seat and turn."""
    return tuple(map(int, re.search(r"in deal (\d+), seat (\d+), turn (\d+)$", message).groups()))


def is_gone(pid):
    """Tell whether a process has ended, reaped or not, with all of its threads."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
        threads = len(list(Path(f"/proc/{pid}/task").iterdir()))
    except (FileNotFoundError, ProcessLookupError):
        return True
    return stat.rpartition(")")[2].split()[0] in "ZX" and threads == 1


def goes(pid, within=GONE_WITHIN):
    """Wait for a process to end."""
    last = time.monotonic() + within
    while not is_gone(pid):
        if time.monotonic() > last:
            return False
        time.sleep(0.01)
    return True


# --- What is fine is not disturbed ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "deals"), [(0, 2000), (402, 331)], ids=["sessions", "in the midst of a session"]
)
def test_the_result_is_the_same_byte_for_byte(first, deals):
    study = study_of(rules_with("next_dealer=winner"), MIXED, 4000, seed=9)
    expected, rows = play_cubes(study, first, deals, True)
    cubes, outcomes = play_watched(study, first, deals, True, AMPLE)
    assert outcomes.dtype == rows.dtype
    assert outcomes.tobytes() == rows.tobytes()
    for name in ("cube", "sessions", "openings", "faces", "behaviour"):
        mine, theirs = getattr(cubes, name), getattr(expected, name)
        assert mine.dtype == theirs.dtype
        assert mine.tobytes() == theirs.tobytes()
    assert play_watched(study, first, deals, False, AMPLE)[1] is None


def test_the_child_is_where_its_parent_is(tmp_path, monkeypatch):
    study = study_of(DEFAULT, "fastest", 4)
    for place in (tmp_path / "one", tmp_path / "other"):
        place.mkdir()
        monkeypatch.chdir(place)
        assert ask_child(asked.directory, study, timeout=AMPLE) == str(place)
        place.rename(tmp_path / f"{place.name}-gone")


def test_the_child_is_kept_for_later_blocks():
    study = study_of(DEFAULT, MIXED, 40)
    child = ask_child(asked.process, study, timeout=AMPLE)
    assert child != os.getpid()
    play_watched(study, 0, 40, False, AMPLE)
    assert ask_child(asked.process, study, timeout=AMPLE) == child


@pytest.mark.full
def test_many_slow_deals_that_are_each_in_time_are_played():
    slow = interpreted(HIGHEST).replace("    face = FACES - 1", "    sum(range(10**6))\n{}", 1)
    study = at_table(slow.format("    face = FACES - 1"), rules_with("max_rounds=2"), 40)
    begun = time.monotonic()
    cubes, _ = play_watched(study, 0, 40, False, 0.8)
    assert cubes.deals == 40
    assert time.monotonic() - begun > 0.8


@pytest.mark.full
@pytest.mark.parametrize("rest", [asked.rest_before, asked.rest_after])
def test_what_is_not_play_has_no_limit(rest):
    study = study_of(DEFAULT, "stock", 8)
    play_watched(study, 0, 8, False, 0.2)
    ask_child(rest, study, 0.6, timeout=0.2)


@pytest.mark.full
def test_a_clock_that_leaps_stops_no_deal(monkeypatch):
    # As after Ctrl-Z and `fg`, when parent and child have both stood still for an hour.
    leaps = iter([0, 0, 0, 3600])
    late = [0]

    def monotonic():
        late[0] += next(leaps, 0)
        return time.monotonic() + late[0]

    slow = interpreted(HIGHEST).replace("    face = FACES - 1", "    sum(range(10**7))\n{}", 1)
    study = at_table(slow.format("    face = FACES - 1"), rules_with("max_rounds=2"), 4)
    play_watched(study, 0, 4, False, AMPLE)
    monkeypatch.setattr(watch, "time", type("Clock", (), {"monotonic": staticmethod(monotonic)}))
    play_watched(study, 0, 4, False, 4.0)
    assert late == [3600]


# --- What does not end is stopped ----------------------------------------------------------------


@pytest.mark.parametrize("kind", ["compiled", "interpreted"])
def test_an_endless_deal_is_stopped_at_its_place(kind):
    text = ENDLESS if kind == "compiled" else interpreted(ENDLESS)
    study = at_table(text)
    stopped = overdue(study)
    deal, seat, turn = place_of(str(stopped))
    assert str(stopped) == (
        f"strategy inline (player 2) did not answer within 0.4 s of the deal's start, "
        f"in deal {deal}, seat {seat}, turn {turn}"
    )
    assert (deal, seat, turn) == first_place()
    play_watched(study, 0, deal, False, AMPLE)  # the deals before are not to blame


def first_place():
    """Find where an endless player first sees its upcard in its third turn."""
    twin = at_table(HIGHEST)  # plays alike, had it answered
    for deal in range(twin.deals):
        lines = replay(twin, deal).splitlines()
        seat = next(seat for seat in range(4) if "(player 2)" in lines[1 + seat])
        turn = 2 * 4 + seat + 1  # its moves stand from line 6 on
        if len(lines) < 6 + turn:
            continue
        before, mine = lines[6 + turn - 2 : 6 + turn]
        if before.endswith(f"throws {face_name(20)}") and f"{turn}. seat {seat}" in mine:
            return deal, seat, turn
    raise AssertionError


def test_the_replay_of_an_endless_deal_tells_what_was_before(tmp_path, capsys):
    deal, seat, turn = first_place()
    path = tmp_path / "study.toml"
    path.write_bytes(tomli_w.dumps(study_to_dict(at_table(ENDLESS))).encode())
    command = ["replay", str(path), "--deal", str(deal), "--deal-timeout", f"{LIMIT}s", "--json"]
    assert main(command) == 0
    told = json.loads(capsys.readouterr().out)["lines"]
    assert told[-1] == (
        f"stopped: strategy inline (player 2) did not answer within 0.4 s of the deal's start, "
        f"in deal {deal}, seat {seat}, turn {turn}"
    )
    assert len(told[6:-1]) == turn - 1
    assert told[:-1] == replay(at_table(HIGHEST), deal).splitlines()[: len(told) - 1]


@pytest.mark.full
def test_an_endless_deal_before_the_wanted_one_is_told():
    rules = rules_with("next_dealer=winner")
    study = at_table(ENDLESS, rules)
    deal, _, _ = place_of(str(overdue(study)))
    session = deal - deal % 4
    told = replay(study, session + 3, LIMIT).splitlines()
    assert told[0] == f"Deal {deal} of seed 5"
    assert told[:-1] == replay(at_table(HIGHEST, rules), deal).splitlines()[: len(told) - 1]


@pytest.mark.full
def test_a_file_that_is_never_loaded_is_named(monkeypatch):
    monkeypatch.setattr(watch, "LOADING_LIMIT", 0.5)
    study = at_table(f"{HIGHEST}\n\nX = 0\nwhile X < 1:\n    pass\n")
    with pytest.raises(StudyFailed) as caught:
        play_watched(study, 0, 4, False, 0.2)
    assert str(caught.value) == (
        "strategy inline (player 2) was not loaded within 0.5 s: look for a loop outside its "
        "functions, or allow more with --deal-timeout"
    )


def test_an_overdue_deal_travels_between_processes():
    stopped = pickle.loads(pickle.dumps(DealOverdue("late", [7])))  # noqa: S301
    assert (str(stopped), stopped.game, stopped.exit_status) == ("late", [7], 1)


# --- Failures, and what strategies print ---------------------------------------------------------


def test_other_failures_are_as_without_a_child():
    study = at_table(HIGHEST.replace("return face", "return 60"))
    messages = []
    for play in (lambda: play_cubes(study, 0, 40, False), lambda: ask(study)):
        with pytest.raises(StudyFailed) as caught:
            play()
        messages.append(str(caught.value))
    assert messages[0] == messages[1]
    assert "threw card 60" in messages[0]


def ask(study):
    return play_watched(study, 0, 40, False, AMPLE)


@pytest.mark.parametrize("error", [KeyboardInterrupt(), MemoryError(), OSError(28, "disk full")])
def test_what_is_raised_in_the_child_is_raised_here(error):
    study = study_of(DEFAULT, "stock", 4)
    child = ask_child(asked.process, study, timeout=AMPLE)
    with pytest.raises(type(error)) as caught:
        ask_child(asked.fail, study, error, timeout=AMPLE)
    assert caught.value.args == error.args
    assert ask_child(asked.process, study, timeout=AMPLE) == child


def test_an_error_that_cannot_travel_is_told():
    with pytest.raises(RuntimeError, match="StuckError: lost"):
        ask_child(asked.fail_strangely, study_of(DEFAULT, "stock", 4), timeout=AMPLE)


def test_what_a_strategy_prints_or_reads_is_no_answer(capfd):
    loud = interpreted(HIGHEST).replace("    face = FACES - 1", "    print('hm')\n{}", 1)
    study = at_table(loud.format("    face = FACES - 1"), deals=4)
    if hasattr(watch._own, "child"):
        watch._own.child.end()  # it would write where pytest caught it before
    cubes, _ = play_watched(study, 0, 4, False, AMPLE)
    assert cubes.deals == 4
    assert ask_child(asked.read_input, study, timeout=AMPLE) == b""
    watch._own.child.end()  # with what it prints now
    out, err = capfd.readouterr()
    assert out == ""
    assert "hm" in err


# --- Death ---------------------------------------------------------------------------------------


def test_a_child_that_is_killed_is_replaced():
    endless, fine = at_table(ENDLESS), study_of(DEFAULT, "stock", 40)
    child = ask_child(asked.process, fine, timeout=AMPLE)
    killer = threading.Timer(0.3, os.kill, (child, signal.SIGKILL))
    killer.start()
    with pytest.raises(WorkerDied):
        play_watched(endless, 0, 400, False, AMPLE)
    killer.join()
    again = ask_child(asked.process, fine, timeout=AMPLE)
    assert again != child
    os.kill(again, signal.SIGKILL)  # while it has nothing to do
    assert goes(again)
    assert play_watched(fine, 0, 40, False, AMPLE)[0].deals == 40


@pytest.mark.full
def test_a_replay_whose_process_is_killed_says_so():
    study, (deal, _, _) = at_table(ENDLESS), first_place()
    child = ask_child(asked.process, study, timeout=AMPLE)
    killer = threading.Timer(0.3, os.kill, (child, signal.SIGKILL))
    killer.start()
    with pytest.raises(StudyFailed, match=f"the process that played deal {deal} died"):
        replay(study, deal, AMPLE)
    killer.join()


def test_ctrl_c_is_not_for_the_child():
    study = study_of(DEFAULT, "stock", 4)
    child = ask_child(asked.process, study, timeout=AMPLE)
    os.kill(child, signal.SIGINT)
    assert not goes(child, 0.2)
    assert ask_child(asked.process, study, timeout=AMPLE) == child


@pytest.mark.full
def test_each_thread_has_a_child_that_ends_with_it():
    study = study_of(DEFAULT, "stock", 4)
    children = []
    thread = threading.Thread(
        target=lambda: children.append(ask_child(asked.process, study, timeout=AMPLE))
    )
    thread.start()
    thread.join()
    assert goes(children[0])
    assert ask_child(asked.process, study, timeout=AMPLE) != children[0]


def test_a_fork_leaves_the_child_alone():
    study = study_of(DEFAULT, "stock", 4)
    child = ask_child(asked.process, study, timeout=AMPLE)
    watch._end(watch._own.child._process, os.getpid() + 1)
    assert ask_child(asked.process, study, timeout=AMPLE) == child


LOOPING = """
import sys
sys.path.insert(0, sys.argv[1])
from continental_sim.play.watch import ask_child, play_watched
from tests import asked
from tests.faults.test_deal_timeout import ENDLESS, at_table
study = at_table(ENDLESS)
play_watched(study, 0, 4, False, 60.0)  # now all is loaded
print(ask_child(asked.process, study, timeout=60.0), flush=True)
play_watched(study, 0, 400, False, 60.0)
"""


@pytest.fixture
def looping():
    """Start a process whose child plays an endless deal; return it and the child's id."""
    with subprocess.Popen(
        [sys.executable, "-c", LOOPING, str(ROOT)], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, start_new_session=True,
    ) as parent:  # fmt: skip
        child = int(parent.stdout.readline())
        assert is_looping(child)
        yield parent, child
        parent.kill()


def is_looping(pid):
    """Wait until a process has computed for a while."""
    begun, last = computed(pid), time.monotonic() + 20
    while time.monotonic() < last:
        if computed(pid) > begun + 0.3:
            return True
        time.sleep(0.05)
    return False


def computed(pid):
    """Return the seconds that a process has computed."""
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
    return int(stat.rpartition(")")[2].split()[11]) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells children of the death")
def test_the_child_ends_with_a_parent_that_is_killed(looping):
    parent, child = looping
    parent.kill()
    parent.wait()
    assert goes(child)


@pytest.mark.full
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_ctrl_c_passes_at_once_and_ends_the_child(looping):
    parent, child = looping
    begun = time.monotonic()
    os.killpg(parent.pid, signal.SIGINT)
    _, err = parent.communicate(timeout=20)
    assert time.monotonic() - begun < GONE_WITHIN
    assert goes(child)
    assert err.rstrip().endswith("KeyboardInterrupt")
    assert err.count("Traceback") == 1  # the parent's, which is a bare script
