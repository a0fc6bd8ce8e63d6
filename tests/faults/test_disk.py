"""A disk that is full or may not be written, and standard streams that are closed or full."""

import os
import re
import resource
import shutil
import subprocess
from functools import partial
from pathlib import Path

import pytest

from continental_sim.cli import main
from continental_sim.interrupts import Interrupted
from continental_sim.play.simulate import run_study
from tests.processes import (
    canonical,
    deals_kept,
    end_of,
    manifest_of,
    paced_study,
    resumed,
    run,
    spans_kept,
    start,
    unbroken,
    wait_for_deals,
    write_study_file,
)
from tests.studies import HERE, stopper

BLOCK = 8
DEALS = 160
FULL = pytest.mark.full
FULL_DEVICE = Path("/dev/full")


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """The files of the study if nothing comes between."""
    directory = tmp_path_factory.mktemp("unbroken") / "study"
    unbroken(paced_study(DEALS, BLOCK), directory, records=True)
    return directory


@pytest.fixture
def study_file(tmp_path):
    return write_study_file(tmp_path / "study.toml", paced_study(DEALS, BLOCK))


@pytest.fixture
def disk(tmp_path):
    """A small file system of its own; gives its path."""
    path = tmp_path / "disk"
    path.mkdir()
    if mount(path, "size=4m").returncode:
        pytest.skip("to mount a file system needs rights that this user lacks")
    yield path
    subprocess.run(["umount", "--lazy", path], check=True)


def mount(path, options):
    command = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", path]
    return subprocess.run(command, check=False, capture_output=True)


def remount(path, options):
    subprocess.run(["mount", "-o", f"remount,{options}", path], check=True)


def fill(path):
    """Leave no room in a file system; return the file that takes it all."""
    ballast = path / "ballast"
    with ballast.open("wb", buffering=0) as sink:
        for size in (1 << 16, 1 << 12, 1):
            try:
                while True:
                    sink.write(bytes(size))
            except OSError:
                continue
    return ballast


def limited(size):
    """Let a process write no file longer than this."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


def assert_no_room(ended, directory, file, reason):
    """See that a study failed for want of room, and said so; return how many deals it has kept."""
    kept = deals_kept(directory)
    assert ended.status == 1
    assert re.fullmatch(
        rf"cannot write {directory}/{file}: {reason}; {kept} of {DEALS} deals are kept in "
        rf"{directory}; make room, then contsim run --resume {directory}",
        ended.sentence,
    )
    assert not [path for path in directory.rglob("*.tmp") if path.stat().st_size]
    return kept


# --- Full ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("jobs", [1, pytest.param(2, marks=FULL)])
def test_a_disk_that_fills_up(disk, study_file, expected, jobs):
    directory = disk / "study"
    line = ("run", study_file, "--out", directory, "--records", "-q", "--jobs", jobs)
    process = start(*line, pause=0.01)
    wait_for_deals(process, directory, 5 * BLOCK)
    ballast = fill(disk)
    kept = assert_no_room(end_of(process), directory, "parts/.*", "No space left on device")
    assert kept >= 5 * BLOCK
    assert main(["show", str(directory)]) == 0
    ballast.unlink()
    assert resumed(directory, kept) == canonical(expected)


@pytest.mark.full
def test_no_room_at_the_very_end(disk, expected, tmp_path, capsys):
    directory = tmp_path / "study"
    with pytest.raises(Interrupted):
        run_study(paced_study(DEALS, BLOCK), directory, HERE, stopper(DEALS), records=True)
    assert deals_kept(directory) == DEALS
    there = shutil.copytree(directory, disk / "study")
    # First a limit that one of the final files is too long for.
    largest = max(expected.glob("*.parquet"), key=lambda path: path.stat().st_size)
    limit = largest.stat().st_size - 1
    assert limit > (expected / "manifest.toml").stat().st_size
    ended = run("run", "--resume", directory, "-q", preexec_fn=partial(limited, limit))
    assert assert_no_room(ended, directory, largest.name, "File too large") == DEALS
    assert resumed(directory, DEALS) == canonical(expected)
    # Then a disk without any room.
    ballast = fill(disk)
    assert main(["run", "--resume", str(there), "-q"]) == 2
    assert "No space left on device" in capsys.readouterr().err
    ballast.unlink()
    assert main(["run", "--resume", str(there), "-q"]) == 0
    assert canonical(there) == canonical(expected)
    assert manifest_of(there)["runs"][-1]["deals"] == 0


@pytest.mark.full
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_part_that_is_too_long_to_be_joined(study_file, expected, tmp_path, jobs):
    largest = expected.parent / "largest"
    if not largest.exists():
        largest.write_text(str(longest_part(study_file, tmp_path)))
    directory = tmp_path / "study"
    ended = run(
        *("run", study_file, "--out", directory, "--records", "-q", "--jobs", jobs),
        preexec_fn=partial(limited, int(largest.read_text()) - 1),
        pause=0.005,
    )
    kept = assert_no_room(ended, directory, "parts/.*", "File too large")
    assert 0 < kept < DEALS
    assert resumed(directory, kept) == canonical(expected)


def longest_part(study_file, tmp_path):
    """Measure the longest part that a study writes on its way."""
    process = start(
        *("run", study_file, "--out", tmp_path / "measured", "--records", "-q", "--jobs", 1),
        pause=0.005,
    )
    wait_for_deals(process, tmp_path / "measured", 17 * BLOCK)
    process.terminate()
    end_of(process)
    assert any(last - first + 1 > BLOCK for first, last in spans_kept(tmp_path / "measured"))
    return max(path.stat().st_size for path in (tmp_path / "measured/parts").iterdir())


@pytest.mark.full
def test_no_room_from_the_start(disk, study_file):
    fill(disk)
    ended = run("run", study_file, "--out", disk / "study", "-q")
    assert ended.status == 2
    assert ended.sentence.endswith(
        "No space left on device; see to room and rights there, or name another directory"
    )


# --- Read-only -----------------------------------------------------------------------------------


@pytest.fixture
def read_only(disk, study_file, expected):
    """A disk that may only be read: a study that is complete, and one that is not."""
    shutil.copytree(expected, disk / "complete")
    process = start("run", study_file, "--out", disk / "begun", "-q", "--jobs", 1, pause=0.01)
    wait_for_deals(process, disk / "begun", 3 * BLOCK)
    process.terminate()
    end_of(process)
    remount(disk, "ro")
    return disk


def test_a_read_only_disk_is_told_and_read(read_only, capsys, study_file):
    for name in ("complete", "begun"):
        assert main(["show", str(read_only / name)]) == 0
        assert capsys.readouterr().err == ""
    for line in (
        ["run", str(study_file), "--out", str(read_only / "new")],
        ["run", "--resume", str(read_only / "begun")],
        ["extend", str(read_only / "complete"), "--deals", "320"],
    ):
        assert main([*line, "-q"]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("contsim: ")
        assert "Read-only file system" in err
        assert err.count("\n") == 1
    kept = deals_kept(read_only / "begun")
    remount(read_only, "rw")
    assert resumed(read_only / "begun", kept)
    assert not (read_only / "new").exists()


# --- Standard streams ----------------------------------------------------------------------------


def test_a_full_output_does_not_cost_the_study(study_file, tmp_path, expected):
    directory = tmp_path / "study"
    with FULL_DEVICE.open("w") as full:
        line = ("run", study_file, "--out", directory, "--jobs", 1, "--records", "-q")
        ended = run(*line, stdout=full)
    assert ended.status == 2
    assert ended.sentence == (
        "the output cannot be written: No space left on device; the study is kept in "
        f"{directory}: contsim show {directory}"
    )
    assert canonical(directory) == canonical(expected)


def test_a_full_output_is_told_by_other_commands():
    with FULL_DEVICE.open("w") as full:
        ended = run("rules", "list", stdout=full)
        silent = run("rules", "list", stdout=full, stderr=full)
    assert ended.status == silent.status == 2
    assert ended.sentence == (
        "the output cannot be written: No space left on device; direct it to where there is room, "
        "and try again"
    )


def closed(*streams):
    """Close standard streams, as `>&-` does."""
    for stream in streams:
        os.close(stream)


@pytest.mark.parametrize(
    ("streams", "jobs"),
    [
        ((0, 1, 2), 1),
        pytest.param((0, 1, 2), 2, marks=FULL),
        *(
            pytest.param(streams, jobs, marks=FULL)
            for streams in [(0,), (1,), (2,), (1, 2)]
            for jobs in (1, 2)
        ),
    ],
)
def test_closed_streams_change_nothing(study_file, tmp_path, expected, streams, jobs):
    directory = tmp_path / "study"
    ended = run(
        *("run", study_file, "--out", directory, "--records", "-q", "--jobs", jobs),
        preexec_fn=partial(closed, *streams),
        pause=0.01,
    )
    assert (ended.status, ended.err) == (0, "")
    assert bool(ended.out) == (1 not in streams)
    assert canonical(directory) == canonical(expected)


@pytest.mark.full
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_reader_that_goes_away_does_not_cost_the_study(study_file, tmp_path, expected, stream):
    directory = tmp_path / "study"
    process = start("run", study_file, "--out", directory, "--records", pause=0.01)
    wait_for_deals(process, directory, BLOCK)
    getattr(process, stream).close()
    setattr(process, stream, None)
    ended = end_of(process)
    assert canonical(directory) == canonical(expected)
    assert ended.status == (141 if stream == "stdout" else 0)
    if stream == "stdout":
        assert ended.sentences[-1] == f"Kept in {directory}; draw it: contsim report {directory}"


# --- Open files ----------------------------------------------------------------------------------


@pytest.mark.full
def test_too_few_open_files_for_workers(study_file, tmp_path, expected):
    directory = tmp_path / "study"
    ended = run(
        *("run", study_file, "--out", directory, "--records", "-q", "--jobs", 2),
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_NOFILE, (16, 16)),
        pause=0.01,
    )
    assert ended.status == 1
    assert ended.sentence == (
        "no worker process can be started (Too many open files): use fewer --jobs, or allow more "
        f"processes and open files (ulimit); {BLOCK} of {DEALS} deals are kept in {directory}; go "
        f"on with contsim run --resume {directory}"
    )
    assert resumed(directory, BLOCK) == canonical(expected)
