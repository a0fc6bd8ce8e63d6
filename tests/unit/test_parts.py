"""Parts of a study: whole or not there, found out if they are not what they say, joined."""

import os
import shutil

import numpy as np
import pytest

from continental_sim.columns import CONTINENTAL
from continental_sim.cubes import StudyCubes
from continental_sim.errors import StudyFailed
from continental_sim.files import parquet, parts
from continental_sim.files.parts import (
    CubeParts,
    RecordParts,
    add_up,
    read_cubes,
    read_outcomes,
    survey,
)
from continental_sim.rules import ContinentalRules
from continental_sim.spans import Span
from tests.fakes import fake_cubes, fake_outcomes

RULES = ContinentalRules()
MARK, OTHER = "0123456789abcdef", "fedcba9876543210"
BLOCK = 4


@pytest.fixture(scope="module")
def outcomes():
    return fake_outcomes(RULES, 1200)


@pytest.fixture
def unsynced(monkeypatch):
    """Many small files, which nobody will miss after a crash of the machine."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)


def keep(directory, outcomes, *spans, mark=MARK, block=BLOCK):
    """Keep cubes and records of spans of made-up deals."""
    found = survey(directory, mark)
    cubes = CubeParts(directory, mark, CONTINENTAL, [block], found.cubes)
    records = RecordParts(directory, mark, CONTINENTAL, [block], found.records)
    for span in spans:
        rows = outcomes[span.first : span.end]
        records.keep(span, rows)
        cubes.keep(span, fake_cubes(RULES, rows))


def same(one, two):
    first, second = one.rows(), two.rows()
    return all(np.array_equal(first[name], second[name]) for name in first.keys() | second.keys())


def blocks(begin, end, size=BLOCK):
    return [Span(place, place + size) for place in range(begin, end, size)]


def sum_of(outcomes, *spans):
    return StudyCubes.merge([fake_cubes(RULES, outcomes[span.first : span.end]) for span in spans])


# --- Kept and joined -----------------------------------------------------------------------------


def test_what_is_kept_is_read_back(tmp_path, outcomes):
    keep(tmp_path, outcomes, Span(8, 12), Span(100, 140))
    found = survey(tmp_path, MARK)
    assert not found.faults
    assert not found.spare
    assert list(found.cubes) == list(found.records) == [Span(8, 12), Span(100, 140)]
    for span, path in found.cubes.items():
        assert same(read_cubes(path, CONTINENTAL), sum_of(outcomes, span))
    rows = np.concatenate(list(read_outcomes(found.records, CONTINENTAL)))
    assert rows.tolist() == [*outcomes[8:12].tolist(), *outcomes[100:140].tolist()]


def test_the_same_deals_give_a_part_of_the_same_name_and_bytes(tmp_path, outcomes):
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        keep(tmp_path / name, outcomes, Span(8, 12))
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
        for name in ("one", "two")
    )
    assert one == two
    assert {name.rpartition("-")[0] for name in one} == {
        "cubes-000000000000008-000000000000011",
        "records-000000000000008-000000000000011",
    }


@pytest.mark.parametrize("order", [1, -1])
def test_sixteen_neighbours_become_one_whatever_their_order(tmp_path, outcomes, order):
    keep(tmp_path, outcomes, *blocks(0, 64)[1:][::order])
    assert len(survey(tmp_path, MARK).cubes) == 15
    keep(tmp_path, outcomes, *blocks(64, 68), *blocks(0, 4))
    found = survey(tmp_path, MARK)
    for kept in (found.cubes, found.records):
        assert list(kept) == [Span(0, 64), Span(64, 68)]
    assert not found.spare
    assert same(read_cubes(found.cubes[Span(0, 64)], CONTINENTAL), sum_of(outcomes, *blocks(0, 64)))
    assert (
        np.concatenate(list(read_outcomes(found.records, CONTINENTAL))).tolist()
        == outcomes[:68].tolist()
    )


def test_only_neighbours_of_one_group_and_size_are_joined(tmp_path, outcomes):
    # Sixteen in a row, but of two groups; and one that is shorter than a block.
    keep(tmp_path, outcomes, *blocks(4, 68), Span(68, 71))
    assert len(survey(tmp_path, MARK).cubes) == 17


def test_cubes_are_joined_level_by_level_and_records_once(tmp_path, outcomes, monkeypatch):
    monkeypatch.setattr(parts, "NEIGHBOURS", 4)
    keep(tmp_path, outcomes, *blocks(0, 4 * 90))
    found = survey(tmp_path, MARK)
    assert list(found.cubes) == [
        Span(0, 256), Span(256, 320), Span(320, 336), Span(336, 352), *blocks(352, 360),
    ]  # fmt: skip
    assert list(found.records) == [*blocks(0, 352, 16), *blocks(352, 360)]
    assert not found.spare
    assert same(add_up(found.cubes, CONTINENTAL, 4), sum_of(outcomes, *blocks(0, 360)))
    assert (
        np.concatenate(list(read_outcomes(found.records, CONTINENTAL))).tolist()
        == outcomes[:360].tolist()
    )


@pytest.mark.full
def test_the_number_of_files_stays_small_and_so_does_the_directory(tmp_path, outcomes, unsynced):
    # 5,000 blocks: at most 15 parts of each of four sizes.
    cubes = fake_cubes(RULES, outcomes[:BLOCK])
    kept = CubeParts(tmp_path, MARK, CONTINENTAL, [BLOCK], {})
    most = 0
    for number in range(5000):
        kept.keep(Span(number * BLOCK, (number + 1) * BLOCK), cubes)
        most = max(most, len(kept.found))
    assert most <= 4 * 15 + 1
    files = list(tmp_path.iterdir())
    assert set(files) == set(kept.found.values())
    assert sum(path.stat().st_size for path in files) < 50 * 12_000
    total = add_up(kept.found, CONTINENTAL, 4)
    assert total.cube["count"].tolist() == (cubes.cube["count"] * 5000).tolist()
    assert total.faces.tolist() == (cubes.faces * 5000).tolist()


def test_a_failed_join_loses_no_part_and_forgets_none(tmp_path, outcomes, monkeypatch):
    keep(tmp_path, outcomes, *blocks(0, 60))
    found = survey(tmp_path, MARK)
    kept = CubeParts(tmp_path, MARK, CONTINENTAL, [BLOCK], found.cubes)

    def fail(paths):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(kept, "joined", fail)
    with pytest.raises(OSError, match="No space"):
        kept.keep(Span(60, 64), sum_of(outcomes, Span(60, 64)))
    assert sum(span.deals for span in kept.found) == 64
    assert list(survey(tmp_path, MARK).cubes) == blocks(0, 64)


# --- Found out -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def sound(tmp_path_factory, outcomes):
    """Three parts of each kind; to be copied."""
    directory = tmp_path_factory.mktemp("sound") / "parts"
    directory.mkdir()
    keep(directory, outcomes, *blocks(0, 12))
    return directory


@pytest.fixture(params=["cubes", "records"])
def part(request, tmp_path, sound):
    """A part among others."""
    directory = shutil.copytree(sound, tmp_path / "parts")
    return getattr(survey(directory, MARK), request.param)[Span(4, 8)]


def fault_of(path, mark=MARK):
    """Why a file is no sound part; nothing else may be wrong, and nothing of it be counted."""
    found = survey(path.parent, mark)
    assert list(found.faults) == [path]
    assert path not in [*found.cubes.values(), *found.records.values()]
    assert len(found.cubes) + len(found.records) == 5
    return found.faults[path]


@pytest.mark.parametrize("place", [0, 3, 0.1, 0.25, 0.5, 0.75, 0.9, -9, -5, -1])
@pytest.mark.parametrize("bit", [1, 128])
def test_a_flipped_bit_is_found_wherever_it_is(part, place, bit):
    data = bytearray(part.read_bytes())
    data[int(place * len(data)) if isinstance(place, float) else place] ^= bit
    part.write_bytes(data)
    assert "checksum differs" in fault_of(part)


@pytest.mark.parametrize("kept", [0, 1, 0.5, -1])
def test_a_truncated_part_is_found(part, kept):
    data = part.read_bytes()
    part.write_bytes(data[: int(kept * len(data)) if isinstance(kept, float) else kept])
    assert "checksum differs" in fault_of(part)


def test_a_part_with_more_behind_it_is_found(part):
    part.write_bytes(part.read_bytes() + b"\0")
    assert "checksum differs" in fault_of(part)


def test_a_part_under_the_name_of_other_deals_is_found(part):
    other = part.rename(part.with_name(part.name.replace("4-", "6-", 1).replace("7-", "9-", 1)))
    assert "not the one that it was written under" in fault_of(other)


def test_a_part_under_the_name_of_the_other_kind_is_found(part):
    names = {"cubes": "records", "records": "cubes"}
    kind, _, rest = part.name.partition("-")
    other = part.rename(part.with_name(f"{names[kind]}-{rest}"))
    assert "not the one that it was written under" in fault_of(other)


def test_a_part_of_another_study_is_found(part, outcomes, tmp_path):
    (tmp_path / "other").mkdir()
    keep(tmp_path / "other", outcomes, Span(4, 8), mark=OTHER)
    found = survey(tmp_path / "other", OTHER)
    kind = part.name.partition("-")[0]
    (foreign,) = getattr(found, kind).values()
    part.unlink()
    placed = part.with_name(foreign.name)
    shutil.move(foreign, placed)
    shutil.rmtree(tmp_path / "other")
    assert fault_of(placed) == "it is of another study"


@pytest.mark.parametrize("name", ["notes.txt", "notes.tmp", "cube.parquet", "cubes-1-2-0.arrow"])
def test_a_file_that_is_no_part_is_found(part, name):
    part.rename(part.with_name(name))
    assert fault_of(part.with_name(name)) == "it is no part of a study"


def test_a_directory_among_the_parts_is_found(part):
    name = part.name
    part.unlink()
    part.with_name(name).mkdir()
    assert fault_of(part.with_name(name)).startswith("it cannot be read: ")


def test_a_part_that_shares_deals_with_another_is_not_counted(tmp_path, outcomes):
    keep(tmp_path, outcomes, Span(0, 8), Span(12, 16))
    keep(tmp_path, outcomes, Span(4, 12))
    found = survey(tmp_path, MARK)
    assert list(found.cubes) == list(found.records) == [Span(0, 8), Span(12, 16)]
    (why,) = {why for path, why in found.faults.items() if path.name.startswith("cubes")}
    assert why == f"it shares deals with {found.cubes[Span(0, 8)].name}"


# --- Damaged or gone since it was found ----------------------------------------------------------


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def put_directory(path):
    """Something that cannot be read."""
    path.unlink()
    path.mkdir()


@pytest.fixture
def found(tmp_path, sound):
    """Parts that were sound when they were looked at."""
    return survey(shutil.copytree(sound, tmp_path / "parts"), MARK)


READERS = {
    "one": lambda found: read_cubes(found.cubes[Span(4, 8)], CONTINENTAL),
    "sum": lambda found: add_up(found.cubes, CONTINENTAL, 4),
    "records": lambda found: list(read_outcomes(found.records, CONTINENTAL)),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (flip, "{} has been damaged since it was written: its checksum differs"),
        (put_directory, "{} cannot be read: Is a directory"),
    ],
)
def test_a_part_that_is_damaged_once_it_was_found_is_not_summed(found, reader, damage, why):
    path = (found.records if reader == "records" else found.cubes)[Span(4, 8)]
    damage(path)
    with pytest.raises(StudyFailed) as error:
        READERS[reader](found)
    assert str(error.value) == why.format(path)


@pytest.mark.parametrize("reader", READERS)
def test_of_a_part_that_was_joined_meanwhile_no_damage_is_told(found, reader):
    (found.records if reader == "records" else found.cubes)[Span(4, 8)].unlink()
    with pytest.raises(FileNotFoundError):
        READERS[reader](found)


def test_the_records_of_some_parts_do_not_need_the_others(found, outcomes):
    flip(found.records.pop(Span(4, 8)))
    rows = np.concatenate(list(read_outcomes(found.records, CONTINENTAL)))
    assert rows.tolist() == [*outcomes[:4].tolist(), *outcomes[8:12].tolist()]


@pytest.mark.parametrize("kind", ["cubes", "records"])
@pytest.mark.parametrize("place", [0, 9])
def test_a_part_that_is_damaged_once_it_was_found_is_not_joined(tmp_path, outcomes, kind, place):
    keep(tmp_path, outcomes, *blocks(0, 60))
    kept = getattr(survey(tmp_path, MARK), kind)
    damaged = kept[blocks(0, 60)[place]]
    flip(damaged)
    made = {"cubes": CubeParts, "records": RecordParts}[kind](
        tmp_path, MARK, CONTINENTAL, [BLOCK], kept
    )
    last = {"cubes": sum_of(outcomes, Span(60, 64)), "records": outcomes[60:64]}[kind]
    with pytest.raises(StudyFailed, match=f"{damaged.name} has been damaged since"):
        made.keep(Span(60, 64), last)
    assert sorted(kept) == blocks(0, 64)  # the last one is not lost
    found = survey(tmp_path, MARK)
    assert list(found.faults) == [damaged]
    assert len(getattr(found, kind)) == 15
    assert not found.spare


# --- While somebody waits ------------------------------------------------------------------------


def test_a_long_reading_asks_for_signals(tmp_path, outcomes, monkeypatch):
    asked = []
    monkeypatch.setattr(parts, "raise_held", lambda: asked.append(1))
    keep(tmp_path, outcomes, *blocks(0, 12))
    asked.clear()
    survey(tmp_path, MARK)
    assert len(asked) == 6  # once a file
    keep(tmp_path, outcomes, *blocks(12, 64))
    found = survey(tmp_path, MARK).records
    asked.clear()
    assert (
        len(list(read_outcomes(found, CONTINENTAL))) == len(asked) == 16
    )  # row groups of one file


# --- What a crash leaves -------------------------------------------------------------------------


def test_what_a_write_that_was_cut_short_left_is_spare(tmp_path, outcomes):
    keep(tmp_path, outcomes, Span(0, 4))
    left = tmp_path / f".cubes-000000000000004-000000000000007-{MARK}.arrow{parquet.UNFINISHED}"
    left.write_bytes(b"PAR1")
    (tmp_path / parts.LOCK).touch()
    found = survey(tmp_path, MARK)
    assert found.spare == [left]
    assert not found.faults


def test_what_the_system_leaves_among_the_parts_is_no_harm(tmp_path, outcomes):
    keep(tmp_path, outcomes, Span(0, 4))
    for name in (".DS_Store", ".nfs000000000000a1b2", f".mine{parquet.UNFINISHED}"):
        (tmp_path / name).write_text("")
    found = survey(tmp_path, MARK)
    assert not found.faults
    assert not found.spare
    assert list(found.cubes) == [Span(0, 4)]


def test_of_a_join_that_was_cut_short_the_whole_counts_once(tmp_path, outcomes, monkeypatch):
    with monkeypatch.context() as crash:
        crash.setattr(type(tmp_path), "unlink", _stay)
        keep(tmp_path, outcomes, *blocks(0, 64))
    members = {
        path
        for path in tmp_path.iterdir()
        if "-000000000000063-" not in path.name or "-000000000000060-" in path.name
    }
    assert len(members) == 32
    found = survey(tmp_path, MARK)
    assert list(found.cubes) == list(found.records) == [Span(0, 64)]
    assert set(found.spare) == members
    assert not found.faults
    assert add_up(found.cubes, CONTINENTAL, 4).deals == 64


def _stay(path, missing_ok=False):
    """Crash before a file is deleted."""
    assert path.name.endswith(parquet.UNFINISHED) or path.exists()
