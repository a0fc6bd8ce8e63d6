"""The one table of columns: complete, consistent, and the records that derive from it."""

import numpy as np
import pytest

from continental_sim import columns
from continental_sim.columns import (
    BEHAVIOUR,
    BEHAVIOUR_SUMS,
    FACE_SUMS,
    FACES,
    FILES,
    OPENING,
    OPENINGS,
    OUTCOME,
    RECORDS,
)
from continental_sim.files import parquet


@pytest.mark.parametrize("file", FILES.values(), ids=lambda file: file.name)
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


@pytest.mark.parametrize("file", FILES.values(), ids=lambda file: file.name)
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


def test_outcome_record_has_a_field_for_each_column_of_a_deal():
    assert set(OUTCOME.names) == {column.name for column in RECORDS.columns}
    assert OUTCOME.itemsize == 32
    for dtype in (OUTCOME, OPENING):
        for field, offset in dtype.fields.values():
            assert offset % field.itemsize == 0, "a field that is not aligned costs time"


def test_opening_record_holds_the_key_of_the_openings():
    assert set(OPENINGS.keys) < set(OPENING.names)
    assert OPENING.itemsize == 16


def test_sums_are_the_number_columns_of_their_files():
    assert [c.name for c in FACES.values if c.record] == list(FACE_SUMS)
    assert [c.name for c in BEHAVIOUR.values if c.record] == list(BEHAVIOUR_SUMS)


def test_counts_hold_a_study_of_any_size():
    for file in FILES.values():
        for name in ("count", "first_deal", "deal", "first_session", "thrown"):
            if name in file.dtype.names:
                assert file.dtype[name] == np.int64
