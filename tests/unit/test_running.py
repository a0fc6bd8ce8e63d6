"""One process at work on a study: what it starts, what it leaves when something comes between."""

import signal
import socket
import time

import pytest

from continental_sim.columns import CONTINENTAL
from continental_sim.errors import ContsimError, StudyFailed, StudyMoved, WorkerDied
from continental_sim.files.manifest import read_manifest
from continental_sim.files.parquet import read_records
from continental_sim.files.parts import CubeParts, Survey
from continental_sim.files.store import check_records, read_study, records_path
from continental_sim.interrupts import Interrupted
from continental_sim.play import running, unfinished
from continental_sim.play.means import Means, Watcher
from continental_sim.play.simulate import resume_study, run_study
from continental_sim.play.unfinished import UnfinishedStudy
from continental_sim.play.worker import play_task
from continental_sim.spans import Span
from tests.strategy_files import source
from tests.studies import HERE, digests, play_until, small_study, snapshot
from tests.tabletop import DEFAULT

STUDY = small_study(800)
BRIEF = Means(1, max_time=1e-9)


# --- Signals at bad moments ----------------------------------------------------------------------


@pytest.mark.parametrize("amid", ["write_study", "clear"])
def test_a_signal_while_the_study_is_being_finished_does_not_tear_it(tmp_path, monkeypatch, amid):
    before = getattr(unfinished, amid)

    def and_then(*arguments):
        signal.raise_signal(signal.SIGTERM)
        return before(*arguments)

    monkeypatch.setattr(unfinished, amid, and_then)
    with pytest.raises(Interrupted) as stop:
        run_study(STUDY, tmp_path / "study", HERE, records=True)
    assert str(stop.value) == f"stopped by SIGTERM; the study in {tmp_path / 'study'} is complete"
    monkeypatch.undo()
    stored = read_study(tmp_path / "study")
    assert stored.complete
    check_records(stored)
    run_study(STUDY, tmp_path / "plain", HERE, records=True)
    assert digests(tmp_path / "study") == digests(tmp_path / "plain")


def test_a_child_that_dies_while_a_study_is_prepared_fails_it(tmp_path, monkeypatch):
    def die(*_):
        raise WorkerDied

    monkeypatch.setattr(running, "prepare", die)
    with pytest.raises(StudyFailed, match=r"; no block had finished; go on with contsim run"):
        run_study(STUDY, tmp_path / "study", HERE)
    assert "killed" in read_manifest(tmp_path / "study")["state"]["reason"]


# --- Clusters ------------------------------------------------------------------------------------


def nobody():
    """Return an address at which nobody listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return f"tcp://127.0.0.1:{free.getsockname()[1]}"


@pytest.fixture
def refused(monkeypatch):
    """A cluster that does not answer, found at once."""

    def refuse(*_):
        raise ContsimError("no cluster answers")

    monkeypatch.setattr(running, "open_workers", refuse)
    return Means(backend="dask", scheduler=nobody())


def test_a_cluster_that_does_not_answer_leaves_nothing(tmp_path, refused):
    with pytest.raises(ContsimError, match=r"^no cluster answers$"):
        run_study(STUDY, tmp_path / "study", refused)
    assert not list(tmp_path.iterdir())


def test_a_cluster_that_does_not_answer_takes_nothing_away(tmp_path, refused):
    play_until(STUDY, tmp_path / "study", 300)
    with pytest.raises(ContsimError, match=r"^no cluster answers; 300 of 800 deals are kept in"):
        resume_study(tmp_path / "study", refused)
    assert read_manifest(tmp_path / "study")["state"]["reason"] == "no cluster answers"
    assert resume_study(tmp_path / "study", HERE).complete


# --- Blocks --------------------------------------------------------------------------------------


def test_the_second_block_is_not_played_here_if_the_first_was_slow(tmp_path, monkeypatch):
    study = small_study(400, specs=["stock"] * 4, block_deals=16_384)
    played = []

    def play(*task):
        played.append(task[1].deals)
        return play_task(*task)

    monkeypatch.setattr(running, "play_task", play)
    monkeypatch.setattr(running, "TRIAL", 4)
    monkeypatch.setattr(running, "LONGEST_BLOCK", 1e-9)
    run_study(study, tmp_path / "slow", HERE)
    assert set(played[:-1]) == {4}
    played.clear()
    monkeypatch.setattr(running, "LONGEST_BLOCK", 60.0)
    run_study(study, tmp_path / "quick", HERE)
    assert played == [4, 60, 336]
    assert digests(tmp_path / "slow") == digests(tmp_path / "quick")


def test_what_is_ahead_is_known_without_counting_blocks(tmp_path):
    study = small_study(10**15, block_deals=4)
    manifest = {"study": {"mark": "0" * 16}, "state": {"records": False}}
    found = Survey(cubes={Span(0, 4): tmp_path})
    begun = time.perf_counter()
    assert UnfinishedStudy(tmp_path, study, manifest, found).ahead(study.end) == 10**15 - 4
    assert time.perf_counter() - begun < 1


def test_records_without_their_cubes_are_not_counted(tmp_path, monkeypatch):
    # Records are kept first: a crash between leaves a block of them alone.
    class CrashError(Exception):
        pass

    def crash(self, span, cubes):
        if span.first == 300:
            raise CrashError
        before(self, span, cubes)

    before = CubeParts.keep
    monkeypatch.setattr(CubeParts, "keep", crash)
    with pytest.raises(CrashError):
        run_study(STUDY, tmp_path / "study", HERE, records=True)
    monkeypatch.undo()
    stored = resume_study(tmp_path / "study", BRIEF)
    deals = stored.cubes.deals
    assert deals < 800
    rows = sum(
        len(rows)
        for rows in read_records(records_path(tmp_path / "study"), CONTINENTAL, DEFAULT.patterns)
    )
    assert stored.manifest["files"]["records"]["rows"] == rows == deals


# --- Time ----------------------------------------------------------------------------------------


class Never:
    """A rule that has never enough."""

    needed = None
    text = "made up"

    def looks(self, study):
        return (400, study.deals)

    def enough(self, stored):
        return False

    def table(self):
        return {"until": ["made up"], "level": 0.95}


@pytest.mark.parametrize("rule", [None, Never()])
def test_a_study_whose_time_was_over_goes_on_when_there_is_time_again(tmp_path, rule):
    study = small_study(800)
    stored = run_study(study, tmp_path / "study", BRIEF, records=True, stopping=rule)
    deals = stored.cubes.deals
    assert stored.complete
    assert 0 < deals < 800
    assert stored.manifest["state"]["reason"].startswith("the time of 1e-09 seconds was over")
    again = resume_study(tmp_path / "study", BRIEF, stopping=rule)
    assert deals <= again.cubes.deals < 800
    whole = resume_study(tmp_path / "study", HERE, stopping=rule)
    assert whole.cubes.deals == 800
    assert ("stopping" in whole.manifest) == (rule is not None)
    assert not {"planned", "time_over"} & set(whole.manifest["state"])
    run_study(study, tmp_path / "plain", HERE, records=True)
    assert digests(tmp_path / "study") == digests(tmp_path / "plain")


# --- Directories that go elsewhere ---------------------------------------------------------------


@pytest.mark.parametrize("replaced", [False, True])
def test_a_directory_that_is_moved_is_written_to_no_more(tmp_path, replaced):
    directory, moved = tmp_path / "study", tmp_path / "moved"
    other = tmp_path / "other"
    play_until(small_study(800, seed=99), other, 200)
    before = snapshot(other)

    def move(done, wanted):
        if done == 300:
            directory.rename(moved)
            if replaced:
                other.rename(directory)

    with pytest.raises(StudyMoved, match=r"study was moved or replaced while its study was played"):
        run_study(STUDY, directory, HERE, Watcher(move))
    if replaced:
        assert snapshot(directory) == before
    else:
        assert not directory.exists()
    assert resume_study(moved, HERE).complete
    run_study(STUDY, tmp_path / "plain", HERE)
    assert digests(moved) == digests(tmp_path / "plain")


def test_a_limit_goes_into_the_advice(tmp_path):
    endless = source("while True:", "    pass", head="import json\n\n\n")
    study = small_study(40, specs=[endless] * 4, block_deals=40)
    with pytest.raises(ContsimError, match=r"did not answer within 0\.5 s"):
        run_study(study, tmp_path / "study", Means(1, deal_timeout=0.5))
    late = source("while view.turn > 1:", "    pass", "return best_discard(view)")
    study = small_study(40, specs=[late, "stock", "stock", "stock"], block_deals=40)
    with pytest.raises(StudyFailed, match=r"--deal \d+ --deal-timeout 0\.5$"):
        run_study(study, tmp_path / "study", Means(1, deal_timeout=0.5))
