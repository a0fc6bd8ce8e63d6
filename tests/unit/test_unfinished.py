"""Studies that are interrupted: resumed, they end with the very same files."""

import shutil
import tomllib

import pytest

from continental_sim.errors import ContsimError
from continental_sim.files import parquet, store
from continental_sim.files.manifest import read_manifest
from continental_sim.files.parts import survey
from continental_sim.files.store import read_study
from continental_sim.play import opening, unfinished
from continental_sim.play.means import Means, Watcher
from continental_sim.play.running import StudyRun
from continental_sim.play.simulate import resume_study, run_study
from continental_sim.spans import Span
from continental_sim.study import make_study
from tests.strategy_files import source
from tests.studies import HERE, digests, part_files, play_until, small_study, snapshot, stopper
from tests.tabletop import DEFAULT, strategy

STUDY = small_study(1802)  # 19 blocks: one join, and a last session that is not complete


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """The files of an unbroken run."""
    directory = tmp_path_factory.mktemp("whole") / "study"
    run_study(STUDY, directory, HERE, records=True)
    return digests(directory)


@pytest.fixture(scope="module")
def broken_off(tmp_path_factory):
    """The study as a crash leaves it after some blocks; to be copied."""
    directory = tmp_path_factory.mktemp("broken") / "study"
    play_until(STUDY, directory, 700, records=True)
    return directory


@pytest.fixture
def broken(broken_off, tmp_path):
    return shutil.copytree(broken_off, tmp_path / "study")


def resumed(directory, means=HERE):
    """Go on with a study; return what was said."""
    said = []
    stored = resume_study(directory, means, Watcher(say=said.append))
    assert stored.complete
    assert not (directory / "parts").exists()
    return said


def last_run(directory):
    return read_manifest(directory)["runs"][-1]


# --- Interrupted anywhere ------------------------------------------------------------------------


@pytest.mark.parametrize("deals", [100, 1600, 1800])
def test_a_study_that_is_resumed_ends_with_the_same_bytes(tmp_path, whole, deals):
    play_until(STUDY, tmp_path / "study", deals, records=True)
    manifest = read_manifest(tmp_path / "study")
    assert manifest["state"]["status"] == "unfinished"
    assert manifest["state"]["reason"] == "interrupted"
    assert manifest["runs"][0]["deals"] == deals
    assert read_study(tmp_path / "study").cubes.deals == deals
    assert not resumed(tmp_path / "study")
    assert digests(tmp_path / "study") == whole
    assert [run["deals"] for run in read_manifest(tmp_path / "study")["runs"]] == [
        deals, 1802 - deals,
    ]  # fmt: skip
    assert read_manifest(tmp_path / "study")["state"]["reason"] == ""


def test_a_copy_taken_at_any_time_can_be_resumed(tmp_path, whole):
    # What is on the disk is what a crash leaves.
    copies = []

    def copy(done, wanted):
        copies.append((done, shutil.copytree(tmp_path / "study", tmp_path / f"{done}")))

    run_study(STUDY, tmp_path / "study", HERE, Watcher(copy), records=True)
    assert [done for done, _ in copies] == [*range(0, 1801, 100), 1802]
    for done, directory in copies[::6]:
        resumed(directory)
        assert digests(directory) == whole
        assert last_run(directory)["deals"] == 1802 - done


@pytest.mark.parametrize(
    "means", [Means(2, "threading"), pytest.param(Means(3, "loky"), marks=pytest.mark.full)]
)
def test_others_may_go_on_with_it(broken, whole, monkeypatch, means):
    monkeypatch.setattr("continental_sim.play.running.WORKERS_PAY", -1.0)
    resumed(broken, means)
    assert digests(broken) == whole
    assert last_run(broken)["backend"] == means.backend


def test_a_study_may_be_interrupted_many_times(tmp_path, whole):
    play_until(STUDY, tmp_path / "study", 300, records=True)
    for deals in (500, 1200, 1700):
        with pytest.raises(KeyboardInterrupt, match=f"Ctrl-C; {deals:,} of 1,802 deals are kept"):
            resume_study(tmp_path / "study", HERE, stopper(deals))
    resumed(tmp_path / "study")
    assert digests(tmp_path / "study") == whole
    assert [run["deals"] for run in read_manifest(tmp_path / "study")["runs"]] == [
        300, 200, 700, 500, 102,
    ]  # fmt: skip


def test_resuming_that_is_interrupted_at_once_takes_nothing_away(tmp_path):
    study = make_study(DEFAULT, [strategy(source("return 1 // 0"))], 1, 40, block_deals=40)
    with pytest.raises(ContsimError, match="no block had finished"):
        run_study(study, tmp_path / "study", HERE)
    before = read_manifest(tmp_path / "study")
    with pytest.raises(KeyboardInterrupt):
        resume_study(tmp_path / "study", HERE, stopper(0))
    assert read_manifest(tmp_path / "study")["strategies"] == before["strategies"]


def test_a_study_that_is_stopped_before_a_block_has_finished_leaves_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt, match="nothing is kept"):
        run_study(STUDY, tmp_path / "study", HERE, stopper(0))
    assert not list(tmp_path.iterdir())


class FromNineHundred:
    """Looks each 400 deals, and has enough at 900: at the third look, unless it looks elsewhere."""

    needed = None
    text = ""

    def __init__(self):
        self.looked = []

    def looks(self, study):
        return range(400, study.deals + 1, 400)

    def enough(self, stored):
        self.looked.append(stored.cubes.deals)
        return stored.cubes.deals >= 900

    def table(self):
        return {"until": ["made up"], "level": 0.95}


@pytest.mark.parametrize("deals", [400, 900, 1200])
def test_looks_are_where_they_were_planned_however_often_it_is_interrupted(tmp_path, deals):
    rule, again = FromNineHundred(), FromNineHundred()
    play_until(small_study(2000), tmp_path / "study", deals, stopping=rule)
    stored = resume_study(tmp_path / "study", HERE, stopping=again)
    # A look at which the interruption came is taken again, and sees the same.
    assert sorted({*rule.looked, *again.looked}) == [400, 800, 1200]
    assert stored.manifest["study"]["deals"] == 1200
    run_study(small_study(1200), tmp_path / "plain", HERE)
    assert digests(tmp_path / "study") == digests(tmp_path / "plain")


# --- Nothing to do -------------------------------------------------------------------------------


def test_a_complete_study_is_not_touched(tmp_path):
    stored = run_study(small_study(400), tmp_path / "study", HERE)
    before = snapshot(tmp_path / "study")
    assert before
    again = resume_study(tmp_path / "study", HERE, stopper(0))
    assert again.manifest == stored.manifest
    assert snapshot(tmp_path / "study") == before


# --- Damage --------------------------------------------------------------------------------------


def flip(path, place=0.5):
    data = bytearray(path.read_bytes())
    data[int(len(data) * place)] ^= 16
    path.write_bytes(data)


def aside(directory):
    return sorted(path.name for path in (directory / "set-aside").iterdir())


@pytest.mark.parametrize("kind", ["cubes", "records"])
def test_a_damaged_part_is_set_aside_and_played_again(broken, whole, kind):
    part = part_files(broken, kind)[3]
    flip(part)
    if kind == "cubes":  # records are looked at when the study goes on
        why = rf"{part.name} is damaged.*--resume {broken} sets it"
        with pytest.raises(ContsimError, match=why):
            read_study(broken)
    else:
        assert read_study(broken).cubes.deals == 700
    (said,) = resumed(broken)
    assert said.startswith(f"{part.name} is damaged or foreign (its checksum differs)")
    assert digests(broken) == whole
    assert aside(broken) == [part.name]
    assert last_run(broken)["deals"] == 1802 - 700 + 100


@pytest.mark.parametrize("kind", ["cubes", "records", ""])
@pytest.mark.parametrize("places", [(6,), (0, 2, 3)])
def test_a_part_that_is_missing_is_played_again(broken, whole, kind, places):
    files = part_files(broken, kind)
    spans = len(files) // 7
    for place in places:
        for path in files[place::7] if spans > 1 else [files[place]]:
            path.unlink()
    assert not resumed(broken)
    assert digests(broken) == whole
    assert last_run(broken)["deals"] == 1802 - 700 + 100 * len(places)


def test_parts_of_another_study_are_set_aside(broken, whole, tmp_path):
    play_until(small_study(1802, seed=32), tmp_path / "other", 900, records=True)
    foreign = part_files(tmp_path / "other")
    for path in foreign:
        shutil.copy(path, broken / "parts")
    said = resumed(broken)
    assert len(said) == len(foreign) == 18
    assert all("it is of another study" in sentence for sentence in said)
    assert digests(broken) == whole
    assert aside(broken) == sorted(path.name for path in foreign)


def test_a_whole_that_is_damaged_after_its_members_are_gone_is_played_again(tmp_path, whole):
    directory = tmp_path / "study"
    play_until(STUDY, directory, 1700, records=True)
    part = part_files(directory, "cubes")[0]
    assert "-000000000001599-" in part.name
    flip(part)
    assert len(resumed(directory)) == 1
    assert digests(directory) == whole
    assert last_run(directory)["deals"] == 1702


def test_a_damaged_cube_of_a_complete_study_is_set_aside_and_the_study_played_again(
    tmp_path, whole
):
    directory = tmp_path / "study"
    run_study(STUDY, directory, HERE, records=True)
    flip(directory / "sessions.parquet")
    with pytest.raises(
        ContsimError, match=rf"sessions\.parquet .*contsim run --resume {directory}"
    ):
        read_study(directory)
    (said,) = resumed(directory)
    assert said.startswith("sessions.parquet is damaged or foreign (it is not the file that")
    assert digests(directory) == whole
    assert aside(directory) == ["sessions.parquet"]


def test_damaged_records_of_a_complete_study_are_played_again(tmp_path, whole):
    directory = tmp_path / "study"
    run_study(STUDY, directory, HERE, records=True)
    flip(directory / "records.parquet")
    assert read_study(directory).complete  # no figure is from the records
    (said,) = resumed(directory)
    assert said.startswith("records.parquet is damaged or foreign")
    assert digests(directory) == whole
    (directory / "records.parquet").unlink()
    missing = f"records.parquet is missing in {directory}: all deals are played again"
    assert resumed(directory) == [missing]
    assert digests(directory) == whole


def test_a_damaged_study_that_is_interrupted_again_is_not_lost(tmp_path):
    directory = tmp_path / "study"
    run_study(STUDY, directory, HERE)
    expected = digests(directory)
    flip(directory / "cube.parquet")
    with pytest.raises(KeyboardInterrupt):
        resume_study(directory, HERE, stopper(0))
    resumed(directory)
    assert digests(directory) == expected


# --- Crashes while the end is written ------------------------------------------------------------


class CrashError(Exception):
    """The machine goes off."""


def crashing(monkeypatch, module, name, at):
    """Let the call of a function with a number, from 1, crash before it does anything."""
    calls, work = [], getattr(module, name)

    def call(*arguments, **options):
        calls.append(arguments)
        if len(calls) == at:
            raise CrashError
        return work(*arguments, **options)

    monkeypatch.setattr(module, name, call)


@pytest.mark.parametrize(
    ("module", "name", "at"),
    [
        (parquet, "write_records", 1),
        *((parquet, "write_table", place) for place in (1, 5)),
        (store, "write_manifest", 1),  # the cubes are there, the manifest says nothing of it
        (unfinished, "clear", 1),  # all is written, the parts are still there
    ],
)
def test_a_crash_at_any_write_of_the_end_loses_nothing(
    broken, whole, monkeypatch, module, name, at
):
    with monkeypatch.context() as crash:
        crashing(crash, module, name, at)
        with pytest.raises(CrashError):
            resume_study(broken, HERE)
    assert read_study(broken).cubes.deals == 1802
    resumed(broken)
    assert digests(broken) == whole
    assert last_run(broken)["deals"] == (1102 if name == "clear" else 0)


@pytest.mark.parametrize(("at", "kept"), [(2, 0), (32, 15), (33, 15), (34, 16)])
def test_a_crash_at_any_write_of_a_part_loses_nothing(tmp_path, whole, monkeypatch, at, kept):
    # Each block has two parts, its records first; the sixteenth makes a large one of each.
    directory = tmp_path / "study"
    with monkeypatch.context() as crash:
        crashing(crash, parquet, "atomic_file", at + 1)  # the first is the manifest
        with pytest.raises(CrashError):
            run_study(STUDY, directory, HERE, records=True)
    cubes = survey(directory / "parts", read_manifest(directory)["study"]["mark"]).cubes
    assert sum(span.deals for span in cubes) == 100 * kept
    resumed(directory)
    assert digests(directory) == whole


@pytest.mark.parametrize("kind", ["cubes", "records"])
def test_a_crash_between_a_join_and_the_end_of_its_members_counts_nothing_twice(
    tmp_path, whole, monkeypatch, kind
):
    directory, unlink = tmp_path / "study", type(tmp_path).unlink

    def crash(path, missing_ok=False):
        if path.name.startswith(f"{kind}-000000000000500-"):
            raise CrashError
        unlink(path, missing_ok)

    with monkeypatch.context() as crashes:
        crashes.setattr(type(tmp_path), "unlink", crash)
        with pytest.raises(CrashError):
            run_study(STUDY, directory, HERE, records=True)
    found = survey(directory / "parts", read_manifest(directory)["study"]["mark"])
    assert Span(0, 1600) in getattr(found, kind)
    assert len(found.spare) == 11
    resumed(directory)
    assert digests(directory) == whole


def test_a_killed_process_is_told_by_its_parts_alone(tmp_path, whole, monkeypatch):
    # Nobody could write into the manifest how far it was.
    directory = tmp_path / "study"
    with monkeypatch.context() as crash:
        crash.setattr(StudyRun, "_note", lambda self, reason: None)
        play_until(STUDY, directory, 500, records=True)
    assert tomllib.loads((directory / "manifest.toml").read_text())["state"]["deals"] == 0
    assert read_study(directory).cubes.deals == 500
    resumed(directory)
    assert digests(directory) == whole


# --- Refusals ------------------------------------------------------------------------------------


def refused(directory, pattern, **options):
    """Resume, which is refused in one sentence; nothing changes."""
    before = {name: time for name, time in snapshot(directory).items() if name.name != "lock"}
    with pytest.raises(ContsimError, match=pattern) as error:
        resume_study(directory, HERE, **options)
    assert "\n" not in str(error.value)
    after = {name: time for name, time in snapshot(directory).items() if name.name != "lock"}
    assert after == before


def test_other_code_does_not_go_on(broken, monkeypatch):
    begun = read_manifest(broken)["study"]["code"]
    monkeypatch.setattr(opening, "code_mark", lambda: "another")
    refused(
        broken, rf"begun by other code \({begun}; this is another\).*contsim run {broken} --out"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("seed = 31", "seed = 30"),
        ("pay_dealt = 10", "pay_dealt = 9"),
        ("max_rounds = ", "max_rounds = 1"),
        ('"stock",', '"fastest",'),
        ("fixed_order = false", "fixed_order = true"),
        ("def choose_discard(view):", "def choose_discard(view):  # better"),
    ],
)
def test_a_manifest_that_was_changed_is_refused(broken, before, after):
    path = broken / "manifest.toml"
    text = path.read_text(encoding="utf-8")
    assert before in text
    path.write_text(text.replace(before, after, 1), encoding="utf-8")
    refused(broken, r"manifest.toml has been changed since it was written")


@pytest.mark.parametrize("key", ["mark", "code", "block_deals"])
def test_a_manifest_that_lacks_a_key_is_no_fault_of_ours(broken, key):
    path = broken / "manifest.toml"
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(line for line in lines if not line.startswith(f"{key} = ")))
    refused(broken, "manifest.toml")


def test_fewer_deals_are_refused(broken):
    refused(broken, "has 1,802 deals, 1,600 are fewer: extend it to more", deals=1600)


def test_a_directory_that_is_no_study_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("")
    refused(tmp_path, "no manifest.toml; name a directory that contsim run, whatif or")
    with pytest.raises(ContsimError, match="is not a directory"):
        resume_study(tmp_path / "nowhere", HERE)
