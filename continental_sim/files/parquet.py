"""Cubes and records as Parquet: explicit schemas and fixed writer options.

The same rows give the same bytes (with the same version of pyarrow). Every field carries its unit
and its meaning. pyarrow takes half a second to import: import this module where it is used.
"""

import errno
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from continental_sim.columns import EXIT, Column, File, GameFiles
from continental_sim.errors import CannotWrite
from continental_sim.grouping import Rows

ROW_GROUP: Final = 1 << 18  # rows
UNFINISHED: Final = ".tmp"  # ends the name of a file that is being written
_NO_SYNC: Final = (errno.EINVAL, errno.ENOTSUP)  # how file systems say that they sync no directory

_TYPES: Final = {
    "int8": pa.int8(),
    "int16": pa.int16(),
    "int32": pa.int32(),
    "int64": pa.int64(),
    "bool": pa.bool_(),
    "label": pa.dictionary(pa.int8(), pa.string()),
    "labels": pa.dictionary(pa.int32(), pa.string()),
    "string": pa.string(),
}
OPTIONS: Final[Mapping[str, Any]] = {
    "version": "2.6",
    "compression": "zstd",
    "compression_level": 3,
    "write_page_checksum": True,
}


def schema(file: File) -> pa.Schema:
    """Return the schema of a file, with unit and meaning in the metadata of each field."""
    fields = [
        pa.field(
            column.name,
            _TYPES[column.stored],
            nullable=column.nullable,
            metadata={"unit": column.unit, "meaning": column.meaning},
        )
        for column in file.columns
    ]
    return pa.schema(fields, metadata={"row": file.row})


def to_table(
    file: File,
    rows: Rows,
    patterns: Sequence[str] = (),
    texts: Mapping[str, Sequence[str]] | None = None,
) -> pa.Table:
    """Turn rows in memory into a table as the file holds it.

    Parameters
    ----------
    file : File
        What the rows are.
    rows : structured array
        Has a field for every column that is not text.
    patterns : sequence of str
        Of the rules: words for the bits of a "labels" column.
    texts : mapping of str to sequence of str, optional
        The text columns.

    Returns
    -------
    pyarrow.Table
    """
    no_exit = rows["end"] != EXIT if "end" in (rows.dtype.names or ()) else None
    arrays = [
        _text((texts or {})[column.name])
        if column.stored == "string"
        else _to_arrow(column, rows[column.name], no_exit if column.nullable else None, patterns)
        for column in file.columns
    ]
    return pa.Table.from_arrays(arrays, schema=schema(file))


def _to_arrow(
    column: Column, values: NDArray[Any], mask: NDArray[np.bool_] | None, patterns: Sequence[str]
) -> pa.Array:
    if column.stored == "label":
        codes = from_numbers(pa.int8(), values, mask)
        return pa.DictionaryArray.from_arrays(codes, _text(column.labels))
    if column.stored == "labels":
        # Only the combinations that occur, in the order of their masks.
        present = np.unique(values if mask is None else values[~mask])
        words = _text([pattern_label(int(bits), patterns) for bits in present])
        places = np.searchsorted(present, values).astype(np.int32)
        return pa.DictionaryArray.from_arrays(from_numbers(pa.int32(), places, mask), words)
    return from_numbers(_TYPES[column.stored], values, mask)


def to_plain(rows: Rows) -> tuple[list[pa.Array], list[str]]:
    """Turn rows into Arrow arrays as they are in memory, with their names: no labels, no nulls."""
    names = list(rows.dtype.names or ())
    kinds = [pa.from_numpy_dtype(rows.dtype[name]) for name in names]
    return [
        from_numbers(kind, rows[name], None) for name, kind in zip(names, kinds, strict=True)
    ], names


def from_plain(arrays: Mapping[str, pa.Array], dtype: np.dtype[Any]) -> Rows:
    """Take `to_plain` apart again.

    Raises
    ------
    ValueError
        If the arrays are not those of `dtype`.
    """
    if list(arrays) != list(dtype.names or ()):
        raise ValueError(f"it has the columns {', '.join(arrays)}")
    rows = np.empty(max(map(len, arrays.values())), dtype)
    for name, array in arrays.items():
        if array.type != pa.from_numpy_dtype(dtype[name]) or array.null_count:
            raise ValueError(f"its column {name} is not of type {dtype[name]}")
        rows[name] = to_numbers(array, 0)
    return rows


# Arrays are made of their buffers, and taken apart into them: `pyarrow.array` and `to_numpy` would
# import pandas, which takes longer than all of the writing.


def from_numbers(
    kind: pa.DataType, values: NDArray[Any], mask: NDArray[np.bool_] | None
) -> pa.Array:
    """Turn numbers into an Arrow array with nulls where the mask is set."""
    data = _to_bits(values == 1) if kind == pa.bool_() else np.ascontiguousarray(values)
    validity = None if mask is None else pa.py_buffer(_to_bits(~mask))
    return pa.Array.from_buffers(kind, len(values), [validity, pa.py_buffer(data)])


def _text(words: Sequence[str]) -> pa.Array:
    """Turn texts into an Arrow array."""
    encoded = [word.encode() for word in words]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int32)
    data = pa.py_buffer(b"".join(encoded))
    return pa.Array.from_buffers(pa.string(), len(words), [None, pa.py_buffer(ends), data])


def _to_bits(flags: NDArray[np.bool_]) -> NDArray[np.uint8]:
    return np.packbits(flags, bitorder="little")


def from_table(file: File, table: pa.Table, patterns: Sequence[str] = ()) -> Rows:
    """Turn a table back into rows in memory, text columns left out.

    Raises
    ------
    ValueError
        If the table is not one of this file.
    """
    if not table.schema.equals(schema(file)):
        raise ValueError(f"its columns are not those of {file.name}.parquet")
    rows = np.empty(table.num_rows, file.dtype)
    for column in file.columns:
        if column.record and table.num_rows:
            rows[column.name] = _from_arrow(column, table[column.name], patterns)
    return rows


def _from_arrow(column: Column, values: pa.ChunkedArray, patterns: Sequence[str]) -> NDArray[Any]:
    if not column.nullable and values.null_count:
        raise ValueError(f"{column.name} has nulls")
    whole = values.combine_chunks()
    if column.stored in ("label", "labels"):
        codes = [
            column.labels.index(word) if column.stored == "label" else pattern_bits(word, patterns)
            for word in whole.dictionary.to_pylist()
        ]
        places = to_numbers(whole.indices, len(codes))
        found: NDArray[Any] = np.array([*codes, column.none])[places]
        return found
    return to_numbers(whole, column.none)


def to_numbers(array: pa.Array, none: int) -> NDArray[Any]:
    """Return the numbers of an Arrow array, `none` in place of nulls."""
    validity, data = array.buffers()
    end = array.offset + len(array)
    if array.type == pa.bool_():
        values = _from_bits(data, end).astype(np.int8)
    else:
        values = np.frombuffer(data, array.type.to_pandas_dtype(), end)
    if array.null_count:
        values = np.where(_from_bits(validity, end), values, none)
    return values[array.offset :]


def _from_bits(buffer: pa.Buffer, size: int) -> NDArray[np.bool_]:
    bits = np.frombuffer(buffer, np.uint8)
    return np.unpackbits(bits, count=size, bitorder="little").astype(np.bool_)


def pattern_label(bits: int, patterns: Sequence[str]) -> str:
    """Join the patterns whose bits are set."""
    return "|".join(pattern for k, pattern in enumerate(patterns) if bits >> k & 1)


def pattern_bits(label: str, patterns: Sequence[str]) -> int:
    """Return the bits of joined patterns, the opposite of `pattern_label`."""
    return sum(1 << patterns.index(pattern) for pattern in label.split("|") if label)


@contextmanager
def atomic_file(path: Path) -> Iterator[BinaryIO]:
    """Write a file that appears under its name whole, or not at all.

    Parameters
    ----------
    path : Path
        Written under a temporary name beside it, flushed to the disk, then renamed.
    """
    temporary = path.with_name(f".{path.name}{UNFINISHED}")
    with explained(path):
        try:
            with temporary.open("wb") as sink:
                yield sink
                sink.flush()
                os.fsync(sink.fileno())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
        sync_directory(path.parent)


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turn an error of the file system into a sentence that names the file."""
    try:
        yield
    except OSError as error:
        raise CannotWrite(path, error.strerror or str(error)) from error


def sync_directory(directory: Path) -> None:
    """Flush the names in a directory to the disk, where the file system can do that."""
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _NO_SYNC:
            raise
    finally:
        os.close(descriptor)


def write_table(path: Path, table: pa.Table) -> None:
    """Write one table to one file, atomically."""
    with atomic_file(path) as sink:
        pq.write_table(table, sink, row_group_size=ROW_GROUP, **OPTIONS)


def read_table(path: Path) -> pa.Table:
    """Read one file whole, its checksums verified."""
    return pq.ParquetFile(path, page_checksum_verification=True).read()


def write_records(
    path: Path, outcomes: Iterable[Rows], files: GameFiles, patterns: Sequence[str]
) -> None:
    """Write one row a deal, atomically.

    Row groups have a fixed size, however the deals come, so that the same deals give the same
    bytes; in memory are at most one row group and what comes at once.

    Parameters
    ----------
    path : Path
        Of the file.
    outcomes : iterable of structured array of `files.outcome_dtype`
        The deals in order.
    files : GameFiles
        Of the game.
    patterns : sequence of str
        Of the rules.
    """
    file, kind = files.records, files.outcome_dtype
    with atomic_file(path) as sink, pq.ParquetWriter(sink, schema(file), **OPTIONS) as target:
        for rows in _regrouped(outcomes, kind):
            target.write_table(to_table(file, rows, patterns), row_group_size=ROW_GROUP)


def _regrouped(outcomes: Iterable[Rows], kind: np.dtype[np.void]) -> Iterator[Rows]:
    waiting = np.empty(0, kind)
    for each in outcomes:
        rows = np.concatenate([waiting, each])
        whole = len(rows) - len(rows) % ROW_GROUP
        for begin in range(0, whole, ROW_GROUP):
            yield rows[begin : begin + ROW_GROUP]
        waiting = rows[whole:].copy()
    if len(waiting):
        yield waiting


def read_records(path: Path, files: GameFiles, patterns: Sequence[str]) -> Iterator[Rows]:
    """Yield the engine's records of a file that `write_records` wrote, a row group at a time.

    Raises
    ------
    ValueError
        If it is not such a file.
    """
    with pq.ParquetFile(path, page_checksum_verification=True) as source:
        for place in range(source.num_row_groups):
            rows = from_table(files.records, source.read_row_group(place), patterns)
            outcomes = np.empty(len(rows), files.outcome_dtype)
            for name in outcomes.dtype.names or ():
                outcomes[name] = rows[name]
            yield outcomes
