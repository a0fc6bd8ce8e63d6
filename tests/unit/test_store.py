"""A study on disk: canonical bytes, typed nulls, readable by others, damage found."""

import errno
import os
import shutil
import stat
import subprocess
import sys
import tomllib

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from continental_sim.columns import CONTINENTAL, FORMAT
from continental_sim.cubes import StudyCubes
from continental_sim.errors import ContsimError
from continental_sim.files import parquet, parts, store
from continental_sim.rules import ContinentalRules
from tests.fakes import LINEUP, fake_cubes, fake_manifest, fake_outcomes, fake_study
from tests.studies import part_files, play_until, small_study

RULES = ContinentalRules()
NAMES = [f"{file.name}.parquet" for file in CONTINENTAL.study]


@pytest.fixture
def study(tmp_path):
    return fake_study(tmp_path / "study")


def test_what_is_written_is_read_back(study):
    again = store.read_study(study.directory)
    assert again.rules == RULES
    assert again.lineup == LINEUP
    assert again.manifest == study.manifest
    assert again.seeds == (7,)
    assert again.complete
    assert not again.fixed_order
    for name in ("cube", "sessions", "openings", "faces", "behaviour"):
        assert np.array_equal(getattr(again.cubes, name), getattr(study.cubes, name)), name


def test_same_study_gives_the_same_bytes(study, tmp_path):
    outcomes = fake_outcomes(RULES, 4000)
    half = fake_cubes(RULES, outcomes[2000:]), fake_cubes(RULES, outcomes[:2000])
    other = tmp_path / "other"
    store.write_study(other, StudyCubes.merge(half), fake_manifest(RULES, LINEUP, 4000))
    for name in ("cube.parquet", "sessions.parquet"):
        assert (other / name).read_bytes() == (study.directory / name).read_bytes(), name


def test_columns_of_nulls_keep_their_type(tmp_path):
    study = fake_study(tmp_path / "capped", ends=(0, 0, 1))
    table = pq.read_table(study.directory / "cube.parquet")
    assert table.schema.equals(parquet.schema(CONTINENTAL.cube), check_metadata=True)
    assert table["winner"].null_count == table["patterns"].null_count == table.num_rows
    mixed = fake_study(tmp_path / "mixed")
    assert pq.read_schema(mixed.directory / "cube.parquet").equals(table.schema)


def test_files_are_readable_by_pyarrow_alone(study):
    table = pq.read_table(study.directory / "cube.parquet")
    rows = table.to_pylist()
    assert sum(row["count"] for row in rows) == 4000
    assert {row["end"] for row in rows} == {"exit", "drawn", "capped"}
    for row in rows:
        nothing = row["end"] != "exit"
        for name in ("kind", "winner", "seat", "payment", "deuces", "one_suit", "patterns"):
            assert (row[name] is None) == nothing, name
    patterns = {row["patterns"] for row in rows if row["patterns"]}
    assert "3+3+3+3+3|4+4+4+3|5+4+3+3" in patterns
    assert b"meaning" in table.schema.field("turns").metadata


def test_files_are_readable_by_pandas_alone(study):
    cube = pd.read_parquet(study.directory / "cube.parquet")
    kinds = cube.groupby("kind", observed=True)["count"].sum()
    exits = cube.loc[cube["end"] == "exit", "count"].sum()
    assert kinds.sum() == exits
    faces = pd.read_parquet(study.directory / "faces.parquet")
    assert faces["name"].tolist()[:2] == ["AC", "2C"]
    assert faces["name"].iloc[52] == "JK"
    behaviour = pd.read_parquet(study.directory / "behaviour.parquet")
    assert behaviour["strategy"].tolist() == list(LINEUP)


def test_manifest_says_what_is_in_the_files(study):
    manifest = tomllib.loads((study.directory / "manifest.toml").read_text())
    assert set(manifest["files"]) == {file.name for file in CONTINENTAL.study}
    for name, entry in manifest["files"].items():
        assert pq.read_metadata(study.directory / f"{name}.parquet").num_rows == entry["rows"]


def test_no_temporary_file_is_left(study):
    found = {path.name for path in study.directory.iterdir()}
    assert found == {*NAMES, "manifest.toml"}


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_file_is_named(study, name):
    (study.directory / name).unlink()
    with pytest.raises(ContsimError, match=rf"{name} is damaged.*missing.*contsim run"):
        store.read_study(study.directory)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("place", [0, 100, -10])
def test_a_flipped_bit_is_found(study, name, place):
    path = study.directory / name
    data = bytearray(path.read_bytes())
    data[place] ^= 4
    path.write_bytes(data)
    with pytest.raises(ContsimError, match=f"{name} is damaged"):
        store.read_study(study.directory)


@pytest.mark.parametrize(
    ("merged", "advice"),
    [
        (False, "play the study again with contsim run --resume {}"),
        (True, "merge the studies that it is the sum of again, with contsim merge"),
    ],
)
def test_of_a_damaged_study_the_next_step_is_one_that_there_is(tmp_path, merged, advice):
    manifest = fake_manifest(RULES, LINEUP, 400)
    if merged:
        manifest["segments"] = [{"seed": 7, "first_deal": 0, "deals": 400, "offset": 0}]
    store.write_study(tmp_path, fake_cubes(RULES, fake_outcomes(RULES, 400)), manifest)
    path = tmp_path / "cube.parquet"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(store.DamagedStudy) as error:
        store.read_study(tmp_path)
    assert str(error.value) == (
        f"{path} is damaged or foreign: it is not the file that this study wrote: its checksum "
        f"differs; {advice.format(tmp_path)}"
    )


def test_a_part_that_is_damaged_while_parts_are_added_up_is_told_with_the_next_step(
    tmp_path, monkeypatch
):
    play_until(small_study(400), tmp_path, 200)
    part, add_up, tried = part_files(tmp_path, "cubes")[0], parts.add_up, []

    def late(found, files, players):
        tried.append(part.write_bytes(part.read_bytes()[:-1]))
        return add_up(found, files, players)

    monkeypatch.setattr(parts, "add_up", late)
    pattern = rf"{part} is damaged .*; contsim run --resume {tmp_path} sets it aside and plays"
    with pytest.raises(ContsimError, match=pattern):
        store.read_study(tmp_path)
    assert len(tried) == 1


def test_a_truncated_file_is_found(study):
    path = study.directory / "cube.parquet"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(ContsimError, match=r"cube\.parquet is damaged"):
        store.read_study(study.directory)


def test_a_file_of_another_study_is_found(study, tmp_path):
    other = fake_study(tmp_path / "other", seed=2)
    shutil.copy(other.directory / "cube.parquet", study.directory / "cube.parquet")
    with pytest.raises(ContsimError, match="checksum differs"):
        store.read_study(study.directory)


def test_a_manifest_that_was_edited_is_found(study):
    path = study.directory / "manifest.toml"
    text = path.read_text()
    path.write_text(text.replace("deals = 4000", "deals = 40"))
    with pytest.raises(ContsimError, match=r"manifest\.toml has been changed since it was written"):
        store.read_study(study.directory)
    before, state, after = text.partition("[state]")
    path.write_text(before + state + after.replace("deals = 4000", "deals = 40", 1))
    with pytest.raises(ContsimError, match=r"manifest\.toml is damaged"):
        store.read_study(study.directory)


_STUDY = f"[study]\nformat = {FORMAT}\nseed = 1\nfirst_deal = 0\ndeals = 4\nlineup = []\n"
_STATE = "[state]\nstatus = 'complete'\ndeals = 0\nrecords = false\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("not toml at all", "not valid TOML"),
        ("[study]\nseed = 1\n", "is of format None"),
        ("[rules]\n", r"no table \[study\]"),
        (_STUDY, r"no table \[rules\]"),
        (f"{_STUDY}[rules]\n[state]\ndeals = 0\n", r"no table \[state\]"),
        (f"{_STUDY.replace('seed = 1', '')}[rules]\n{_STATE}", "no seed and deals"),
        (f"segments = 3\n{_STUDY}[rules]\n{_STATE}", "no seed and deals"),
        (f"{_STUDY}[rules]\n{_STATE}", r"no table \[files\]"),
        ("[study]\nformat = 99\n[rules]\n[state]\nstatus = 'complete'\ndeals = 0\n", "format 99"),
        (
            "[study]\nformat = 1\n[rules]\n[finished]\n[files]\n",
            f"format 1, this .* format {FORMAT}",
        ),
    ],
)
def test_a_manifest_that_cannot_be_read_is_refused(study, text, message):
    (study.directory / "manifest.toml").write_text(text)
    with pytest.raises(ContsimError, match=message):
        store.read_study(study.directory)


def test_no_study_at_all_is_refused(tmp_path):
    with pytest.raises(ContsimError, match=r"no manifest\.toml"):
        store.read_study(tmp_path)
    with pytest.raises(ContsimError, match="not a directory"):
        store.read_study(tmp_path / "nowhere")


def test_a_disk_that_refuses_is_a_sentence(tmp_path):
    path = tmp_path / "file"
    path.write_text("")
    with pytest.raises(ContsimError, match="cannot write"):
        fake_study(path / "study")


def test_a_failed_write_leaves_nothing(tmp_path):
    path = tmp_path / "cube.parquet"

    def write_half():
        with parquet.atomic_file(path) as sink:
            sink.write(b"half")
            raise OSError(28, "No space left on device")

    with pytest.raises(ContsimError, match="No space left on device"):
        write_half()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("number", [errno.EINVAL, errno.ENOTSUP, errno.EIO])
def test_a_file_system_that_syncs_no_directory_is_good_enough(tmp_path, monkeypatch, number):
    sync, tried = os.fsync, []

    def fsync(descriptor):
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            tried.append(descriptor)
            raise OSError(number, os.strerror(number))
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", fsync)
    if number == errno.EIO:  # the disk is broken
        with pytest.raises(ContsimError, match="cannot write"):
            fake_study(tmp_path / "study")
    else:
        assert fake_study(tmp_path / "study").complete
    assert tried


@pytest.mark.parametrize("block", [700, 5000])
def test_records_are_the_same_whatever_the_blocks(tmp_path, monkeypatch, block):
    monkeypatch.setattr(parquet, "ROW_GROUP", 1024)
    outcomes = fake_outcomes(RULES, 5000)
    paths = [tmp_path / "one.parquet", tmp_path / "many.parquet"]
    for path, size in zip(paths, (5000, block), strict=True):
        blocks = (outcomes[begin : begin + size] for begin in range(0, 5000, size))
        parquet.write_records(path, blocks, CONTINENTAL, RULES.patterns)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    file = pq.ParquetFile(paths[0])
    assert file.metadata.num_row_groups == 5
    rows = parquet.from_table(CONTINENTAL.records, file.read(), RULES.patterns)
    for name in outcomes.dtype.names:
        assert np.array_equal(rows[name], outcomes[name]), name


def test_records_are_read_back_a_row_group_at_a_time(tmp_path, monkeypatch):
    monkeypatch.setattr(parquet, "ROW_GROUP", 1024)
    outcomes = fake_outcomes(RULES, 5000)
    parquet.write_records(tmp_path / "records.parquet", [outcomes], CONTINENTAL, RULES.patterns)
    groups = list(parquet.read_records(tmp_path / "records.parquet", CONTINENTAL, RULES.patterns))
    assert [len(each) for each in groups] == [1024, 1024, 1024, 1024, 904]
    assert np.concatenate(groups).tolist() == outcomes.tolist()


@pytest.mark.parametrize("stop", [KeyboardInterrupt("stopped"), ContsimError("no room")])
def test_records_that_are_not_written_to_their_end_leave_no_file(tmp_path, stop):
    def blocks():
        yield fake_outcomes(RULES, 100)
        raise stop

    with pytest.raises(type(stop)):
        parquet.write_records(tmp_path / "records.parquet", blocks(), CONTINENTAL, RULES.patterns)
    assert not list(tmp_path.iterdir())


def test_a_study_may_be_written_beside_its_records(tmp_path):
    records = [fake_outcomes(RULES, 100)]
    parquet.write_records(store.records_path(tmp_path), records, CONTINENTAL, RULES.patterns)
    fake_study(tmp_path)
    assert pq.read_metadata(tmp_path / "records.parquet").num_rows == 100


def test_a_study_that_is_written_again_replaces_its_cubes(study):
    again = fake_study(study.directory, seed=2)
    assert again.manifest["files"] != study.manifest["files"]
    assert np.array_equal(store.read_study(study.directory).cubes.cube, again.cubes.cube)


def test_no_file_may_have_other_columns(tmp_path):
    table = pa.table({"count": [1]})
    for file in CONTINENTAL.all:
        with pytest.raises(ValueError, match="its columns are not those"):
            parquet.from_table(file, table)


def test_neither_pandas_nor_what_plays_is_imported(study):
    """They would double the time that `contsim show` takes; pandas costs `contsim run` a second."""
    code = f"""
import sys
from pathlib import Path
from continental_sim.figures import stats, summary_table
from continental_sim.files import store
directory = Path({str(study.directory)!r})
study = store.read_study(directory)
store.write_study(directory / "again", study.cubes, study.manifest)
summary_table.render_table(stats.summarise(study))
sys.exit(not {{"pandas", "numba"}}.isdisjoint(sys.modules))
"""
    subprocess.run([sys.executable, "-c", code], check=True)
