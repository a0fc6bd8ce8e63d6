"""The directory of a study: what is claimed, locked, put aside and tidied up."""

import subprocess
import sys

import pytest

from continental_sim.errors import ContsimError
from continental_sim.files import directories
from continental_sim.files.directories import claim, claimed, clear, put_aside, release, room


def test_a_new_and_an_empty_directory_are_claimed(tmp_path):
    claim(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    claim(tmp_path / "a" / "b")
    assert not list((tmp_path / "a" / "b").iterdir())


@pytest.mark.parametrize("name", ["notes.txt", "manifest.toml", "cube.parquet", "set-aside"])
def test_a_directory_with_something_in_it_is_refused(tmp_path, name):
    (tmp_path / name).write_text("kept")
    with pytest.raises(ContsimError, match=rf"not empty \(it holds {name}\): name a new one"):
        claim(tmp_path)
    assert (tmp_path / name).read_text() == "kept"


def test_a_directory_with_parts_in_it_is_refused(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "cubes.parquet").write_text("kept")
    with pytest.raises(ContsimError, match="not empty"):
        claim(tmp_path)


def test_what_a_killed_process_left_before_it_wrote_anything_whole_is_no_study(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "lock").write_text("")
    (tmp_path / ".manifest.toml.tmp").write_text("[stu")
    claim(tmp_path)


def test_what_cannot_be_made_is_refused(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ContsimError, match=r"file is no directory: name another with --out"):
        claim(tmp_path / "file")
    with pytest.raises(ContsimError, match=r"cannot write .*file.*another directory"):
        claim(tmp_path / "file" / "study")


@pytest.mark.parametrize("fault", [None, OSError(13, "Permission denied")])
def test_a_new_directory_is_entered_where_a_crash_cannot_lose_it(tmp_path, monkeypatch, fault):
    synced = []

    def sync(path):
        synced.append(path)
        if fault is not None:
            raise fault

    monkeypatch.setattr(directories, "sync_directory", sync)
    claim(tmp_path / "a" / "b")
    assert synced == [tmp_path / "a", tmp_path]
    claim(tmp_path / "a" / "b")
    assert len(synced) == 2  # nothing is new


def test_only_an_empty_directory_is_released(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "x").write_text("")
    release(kept)
    assert kept.is_dir()
    (kept / "x").unlink()
    release(kept)
    release(kept)
    assert not kept.exists()


# --- One process at a time -----------------------------------------------------------------------

HOLD = """
import sys
from pathlib import Path
from continental_sim.files.directories import room
with room(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_process_is_refused_until_the_first_ends_however_it_ends(tmp_path):
    first = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with first:
        assert first.stdout.readline() == "held\n"
        refused = pytest.raises(ContsimError, match=rf"another process is playing .*{tmp_path}")
        with refused, room(tmp_path):
            pass
        first.kill()
        first.wait()
        with room(tmp_path):
            assert (tmp_path / "parts" / "lock").exists()


def test_a_room_is_left_as_soon_as_an_error_passes(tmp_path):
    def fail():
        with room(tmp_path):
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    with room(tmp_path), pytest.raises(ContsimError, match="another process"), room(tmp_path):
        pass


def test_what_is_claimed_is_locked_and_still_empty(tmp_path, monkeypatch):
    with claimed(tmp_path / "study"):
        refused = pytest.raises(ContsimError, match="another process is playing")
        with refused, claimed(tmp_path / "study"):
            pytest.fail("two have it")
    held = directories.room

    def late(directory):
        (directory / "manifest.toml").write_text("somebody was quicker")
        return held(directory)

    monkeypatch.setattr(directories, "room", late)
    with pytest.raises(ContsimError, match="not empty"), claimed(tmp_path / "study"):
        pytest.fail("two have it")


# --- Tidied up -----------------------------------------------------------------------------------


def test_what_is_put_aside_is_named_and_never_overwrites(tmp_path):
    said = []
    for text in ("one", "two", "three"):
        (tmp_path / "part").write_text(text)
        put_aside(tmp_path, tmp_path / "part", "its checksum differs", said.append)
        assert not (tmp_path / "part").exists()
    aside = tmp_path / "set-aside"
    assert [(aside / name).read_text() for name in ("part", "part.2", "part.3")] == [
        "one", "two", "three",
    ]  # fmt: skip
    assert said[0] == (
        f"part is damaged or foreign (its checksum differs): it lies in {aside} now, and its deals "
        "are played again"
    )
    (tmp_path / "part").write_text("four")
    put_aside(tmp_path, tmp_path / "part", "it is cut short", said.append, "all deals")
    assert said[-1].endswith(f"it lies in {aside} now, and all deals are played again")


def test_clearing_takes_parts_and_unfinished_writes_alone(tmp_path):
    for name in ("parts/cubes", ".cube.parquet.tmp", "cube.parquet", "set-aside/cubes", "mine"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    clear(tmp_path)
    kept = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert kept == {"cube.parquet", "set-aside/cubes", "mine"}
