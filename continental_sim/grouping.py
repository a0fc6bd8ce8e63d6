"""Group records that agree in the key columns of a file, and add grouped rows up.

Grouping and merging do not depend on the order of the records or on how they were split into
blocks: rows come sorted by their key columns, counts and sums add, first indices take the minimum.
"""

import math
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from continental_sim.columns import File

Rows: TypeAlias = NDArray[np.void]  # structured: fields by name
Counts: TypeAlias = NDArray[np.int64]

_KEY_BITS: Final = 63
_TABLE_SIZE: Final = 1 << 16  # codes up to which a table of all of them beats sorting


def group(records: Rows, file: File, sums: Sequence[Counts] = ()) -> Rows:
    """Collapse records that agree in all key columns of a file.

    Parameters
    ----------
    records : structured array, shape (n,)
        Has the key columns, and the index that the file's last column is the lowest of (`deal`
        for `first_deal`).
    file : File
        The file that the rows are of.
    sums : sequence of int64[n]
        For each of `file.sums` what a record adds to it.

    Returns
    -------
    structured array of `file.dtype`
        Sorted by the key columns.
    """
    index = file.index.name.removeprefix("first_")
    return collapse(_keys(records, file), None, records[index], file, sums)


def merge(parts: Sequence[Rows], file: File) -> Rows:
    """Add cubes of separate blocks: `merge` of grouped blocks equals `group` of all records."""
    rows = np.concatenate([*parts, np.empty(0, file.dtype)])
    sums = [rows[name] for name in file.sums]
    return collapse(_keys(rows, file), rows["count"], rows[file.index.name], file, sums)


def _keys(rows: Rows, file: File) -> list[NDArray[Any]]:
    return [np.ascontiguousarray(rows[name]) for name in file.keys]


def collapse(
    keys: Sequence[NDArray[Any]],
    counts: Counts | None,
    firsts: Counts,
    file: File,
    sums: Sequence[Counts] = (),
) -> Rows:
    """Sum the rows that agree in all keys: counts (None: one each) add, the lowest first stays."""
    if len(firsts) == 0:
        return np.empty(0, file.dtype)
    lows = [int(key.min()) for key in keys]
    highs = [int(key.max()) for key in keys]
    for name, low, high in zip(file.keys, lows, highs, strict=True):
        kept = np.iinfo(file.dtype[name])
        if low < kept.min or high > kept.max:
            raise OverflowError(f"{name} of {file.name}: {low} .. {high} does not fit {kept.dtype}")
    spans = [high - low + 1 for low, high in zip(lows, highs, strict=True)]
    size = math.prod(spans)
    if size >= 1 << _KEY_BITS:
        order = np.lexsort(keys[::-1])
        # ~key is never key: the first row begins a run.
        changed = [np.diff(key[order], prepend=~key[order[:1]]) != 0 for key in keys]
        begins = np.flatnonzero(np.logical_or.reduce(changed))
        return _sum_runs(keys, order, begins, counts, firsts, file, sums)

    # Mixed radix, the first column in the highest place: codes sort as the columns do.
    code = np.zeros(len(firsts), np.int64)
    for key, low, span in zip(keys, lows, spans, strict=True):
        if span > 1:
            code *= span
            code += key
            code -= low
    if size <= _TABLE_SIZE:
        return _sum_table(code, lows, spans, counts, firsts, file, sums)
    order, code = _sort(code, size)
    begins = np.flatnonzero(np.diff(code, prepend=-1))
    return _sum_runs(keys, order, begins, counts, firsts, file, sums)


def _sort(code: Counts, size: int) -> tuple[NDArray[np.intp], Counts]:
    """Order that sorts codes in 0..size-1, and the sorted codes."""
    bits = len(code).bit_length()
    if size << bits >= 1 << _KEY_BITS:
        order = np.argsort(code, kind="stable")
        return order, code[order]
    # The place goes under the code: sorting plain integers takes a sixth of the time of argsort.
    packed = code << bits
    packed |= np.arange(len(code))
    packed.sort()
    return packed & ((1 << bits) - 1), packed >> bits


def _sum_runs(
    keys: Sequence[NDArray[Any]],
    order: NDArray[np.intp],
    begins: NDArray[np.intp],
    counts: Counts | None,
    firsts: Counts,
    file: File,
    sums: Sequence[Counts],
) -> Rows:
    """Sum over runs of equal keys, which begin at `begins` once taken in `order`."""
    out = np.empty(len(begins), file.dtype)
    for name, key in zip(file.keys, keys, strict=True):
        out[name] = key[order[begins]]
    if counts is None:
        out["count"] = np.diff(begins, append=len(order))
    else:
        out["count"] = np.add.reduceat(counts[order], begins)
    for name, values in zip(file.sums, sums, strict=True):
        out[name] = np.add.reduceat(values[order], begins)
    out[file.index.name] = np.minimum.reduceat(firsts[order], begins)
    return out


def _sum_table(
    code: Counts,
    lows: Sequence[int],
    spans: Sequence[int],
    counts: Counts | None,
    firsts: Counts,
    file: File,
    sums: Sequence[Counts],
) -> Rows:
    """Sum into a table of all codes: no sorting, where few codes are possible."""
    size = math.prod(spans)
    whole = np.bincount(code, minlength=size) if counts is None else _add_up(code, counts, size)
    lowest = np.full(size, np.iinfo(np.int64).max)
    np.minimum.at(lowest, code, firsts)
    seen = np.flatnonzero(whole)
    out = np.empty(len(seen), file.dtype)
    for name, low, places in zip(file.keys, lows, np.unravel_index(seen, spans), strict=True):
        out[name] = places + low
    out["count"] = whole[seen]
    for name, values in zip(file.sums, sums, strict=True):
        out[name] = _add_up(code, values, size)[seen]
    out[file.index.name] = lowest[seen]
    return out


def _add_up(code: Counts, values: Counts, size: int) -> Counts:
    """Sum values by their codes in 0..size-1."""
    sums = np.zeros(size, np.int64)
    np.add.at(sums, code, values)
    return sums
