"""The one table of columns: complete, consistent, and the records that derive from it."""

import numpy as np
import pytest

from continental_sim import columns
from continental_sim.columns import CONTINENTAL, GAME_FILES, ORDINARY, RUMMY_KINDS
from continental_sim.files import parquet
from continental_sim.kernels.records import GAME

ALL = [(game, file) for game, files in GAME_FILES.items() for file in files.all]


@pytest.mark.parametrize("file", [file for _, file in ALL], ids=lambda file: file.name)
def test_each_column_is_defined(file):
    names = [column.name for column in file.columns]
    assert len(set(names)) == len(names)
    assert file.row
    for column in file.columns:
        assert column.meaning.endswith("."), column.name
        assert (
            column.unit
            or column.stored in ("string", "bool", "label", "labels")
            or (column.name == "face")
        )


@pytest.mark.parametrize("file", [file for _, file in ALL], ids=lambda file: file.name)
def test_schema_says_what_the_table_says(file):
    schema = parquet.schema(file)
    assert schema.names == [column.name for column in file.columns]
    for column, field in zip(file.columns, schema, strict=True):
        assert field.nullable == column.nullable
        assert field.metadata[b"unit"].decode() == column.unit
        assert field.metadata[b"meaning"].decode() == column.meaning


def test_codes_are_places_of_their_words():
    assert columns.ENDS[columns.CAPPED] == "capped"
    assert columns.KINDS[columns.FIRST_TURN] == "first_turn"
    assert CONTINENTAL.kinds == columns.KINDS
    assert RUMMY_KINDS[ORDINARY] == "ordinary"
    assert GAME_FILES["basic-rummy"].kinds == RUMMY_KINDS


@pytest.mark.parametrize("game", GAME_FILES)
def test_the_records_that_the_engine_fills_are_aligned_and_have_all_columns(game):
    files = GAME_FILES[game]
    assert set(files.outcome_dtype.names) == {column.name for column in files.records.columns}
    assert set(files.openings.keys) < set(files.opening_dtype.names)
    assert files.outcome_dtype.itemsize == 32
    assert files.opening_dtype.itemsize == 16
    for dtype in (files.outcome_dtype, files.opening_dtype):
        for field, offset in dtype.fields.values():
            assert offset % field.itemsize == 0, "a field that is not aligned costs time"


@pytest.mark.parametrize("game", GAME_FILES)
def test_the_sums_of_a_block_fit_the_memory_of_a_game(game):
    assert len(GAME_FILES[game].face_sums) == GAME["faces"].shape[1]
    assert len(GAME_FILES[game].behaviour_sums) == GAME["sums"].shape[1]


def test_counts_hold_a_study_of_any_size():
    for _, file in ALL:
        for name in ("count", "first_deal", "deal", "first_session", "thrown"):
            if name in file.dtype.names and file.name != "cube" and name != "thrown":
                assert file.dtype[name] == np.int64
    for files in GAME_FILES.values():
        assert files.faces.dtype["thrown"] == np.int64
        assert files.cube.dtype["count"] == np.int64
