"""Parts: what a study that is being played has finished, in files that are whole or not there.

A part holds the cubes of a span of deals, or its records. Its name ends in a hash of its bytes, and
it says which study and which deals it is of: one that is damaged, renamed or of another study is
found before it is summed. The bytes are checked whenever they are read, since a run may last for
hours. Sixteen neighbours of a size become one part, so that few files stay.

They are Arrow files, which are quicker to write and to read than Parquet: nobody else reads them.
"""

import hashlib
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np
import pyarrow as pa
import pyarrow.ipc

from continental_sim.columns import GameFiles
from continental_sim.cubes import StudyCubes
from continental_sim.errors import StudyFailed
from continental_sim.files import parquet
from continental_sim.grouping import Rows
from continental_sim.interrupts import raise_held
from continental_sim.spans import NEIGHBOURS, Span

LOCK: Final = "lock"  # a file beside the parts, see `directories`
_MARK: Final = 16  # hexadecimal digits of the hash in a name
_NAME: Final = re.compile(r"(cubes|records)-(\d{15})-(\d{15})-([0-9a-f]{16})\.arrow")


@dataclass(frozen=True, slots=True)
class Survey:
    """What a directory of parts holds.

    Attributes
    ----------
    cubes, records : mapping of Span to Path
        Sound parts; no two of a kind share a deal.
    faults : mapping of Path to str
        Files that are no sound part of the study, and why.
    spare : tuple of Path
        What a write or a join that was cut short has left.
    """

    cubes: dict[Span, Path] = field(default_factory=dict)
    records: dict[Span, Path] = field(default_factory=dict)
    faults: dict[Path, str] = field(default_factory=dict)
    spare: list[Path] = field(default_factory=list)


def survey(directory: Path, study: str, *, records: bool = True) -> Survey:
    """Look through a directory of parts, every byte of it.

    Parameters
    ----------
    directory : Path
    study : str
        Mark of the study that the parts should be of.
    records : bool
        Whether to look at parts with records, too: they are large.
    """
    found = Survey()
    sound: list[tuple[Span, str, Path]] = []
    looked: set[Path] = set()
    while True:
        # While somebody plays, parts vanish that are joined: into one that was there before.
        ahead = set(directory.iterdir()) - looked
        if not records:
            ahead = {path for path in ahead if not path.name.startswith(RecordParts.kind)}
        looked |= ahead
        gone = [path for path in sorted(ahead) if not _look_at(path, study, found, sound)]
        if not gone:
            break
    for span, kind, path in sorted(sound, key=lambda each: (each[0].first, -each[0].end)):
        kept = found.cubes if kind == "cubes" else found.records
        last = max(kept, default=Span(0, 0))
        if last.holds(span):
            found.spare.append(path)
        elif last.meets(span):
            found.faults[path] = f"it shares deals with {kept[last].name}"
        else:
            kept[span] = path
    return found


def _look_at(path: Path, study: str, found: Survey, sound: list[tuple[Span, str, Path]]) -> bool:
    """Sort one file of a directory of parts in; return False if it has gone."""
    raise_held()
    if path.name.startswith("."):
        # Others, such as .DS_Store and .nfs0001, are of the system, and no harm.
        if _NAME.fullmatch(path.name[1:].removesuffix(parquet.UNFINISHED)):
            found.spare.append(path)
    elif path.name != LOCK:
        try:
            kind, span = _verified(path, study)
            sound.append((span, kind, path))
        except FileNotFoundError:
            return False
        except ValueError as error:  # pyarrow's own errors are values, too
            found.faults[path] = str(error)
        except OSError as error:
            found.faults[path] = f"it cannot be read: {error.strerror or error}"
    return True


def _verified(path: Path, study: str) -> tuple[str, Span]:
    """Return kind and span of a part of this study; raises ValueError if it is none."""
    kind, span, _ = _named(path)
    metadata = _opened(path).schema.metadata or {}
    if metadata.get(b"study") != study.encode():
        raise ValueError("it is of another study")
    if metadata.get(b"part") != _label(kind, span):
        raise ValueError("its name is not the one that it was written under")
    return kind, span


def _named(path: Path) -> tuple[str, Span, str]:
    """Return kind, span and hash that the name of a part tells; raises ValueError if it is none."""
    name = _NAME.fullmatch(path.name)
    if name is None:
        raise ValueError("it is no part of a study")
    kind, first, last, mark = name.groups()
    return kind, Span(int(first), int(last) + 1), mark


def _opened(path: Path) -> pa.ipc.RecordBatchFileReader:
    """Open a part in memory: what has been checked is what is used.

    Raises
    ------
    ValueError
        If its bytes are not those that it was named after.
    OSError
        If it cannot be read.
    """
    data = path.read_bytes()
    if _hash(data) != _named(path)[2]:
        raise ValueError("its checksum differs")
    return pa.ipc.open_file(pa.BufferReader(data))


def _still_sound(path: Path) -> pa.ipc.RecordBatchFileReader:
    """Open a part that was sound when it was found or written.

    Raises
    ------
    StudyFailed
        If it is so no longer.
    FileNotFoundError
        If it has gone: whoever plays has joined it.
    """
    try:
        return _opened(path)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise StudyFailed(f"{path} cannot be read: {error.strerror or error}") from error
    except ValueError as error:
        raise StudyFailed(f"{path} has been damaged since it was written: {error}") from error


def _hash(data: bytes | memoryview) -> str:
    return hashlib.sha256(data).hexdigest()[:_MARK]


def _label(kind: str, span: Span) -> bytes:
    return f"{kind}, {span}".encode()


class Parts:
    """Parts of one kind in a directory.

    Parameters
    ----------
    directory : Path
    study : str
        Mark of the study.
    files : GameFiles
        Of its game.
    sizes : sequence of int
        Deals of the parts that are joined, `Study.block_sizes`, each sixteen times the one before.
    found : dict of Span to Path
        The parts that are there; kept up to date.
    """

    kind = ""
    more = 0  # sizes beyond those of blocks that are joined as well
    codec = "lz4"

    def __init__(
        self,
        directory: Path,
        study: str,
        files: GameFiles,
        sizes: Sequence[int],
        found: dict[Span, Path],
    ) -> None:
        self.directory = directory
        self.study = study
        self.files = files
        self.found = found
        self._sizes = [*sizes, *(sizes[-1] * NEIGHBOURS**more for more in range(1, self.more + 1))]

    def _keep(self, span: Span, tables: Iterator[pa.Table]) -> None:
        """Write the tables, one after the other, as the part of a span; then join what can be."""
        self._write(span, tables)
        self._join(span)

    def _write(self, span: Span, tables: Iterator[pa.Table]) -> None:
        label = {b"study": self.study.encode(), b"part": _label(self.kind, span)}
        first = next(tables)
        named = first.schema.with_metadata({**(first.schema.metadata or {}), **label})
        sink = io.BytesIO()
        options = pa.ipc.IpcWriteOptions(compression=self.codec, use_threads=False)
        with pa.ipc.new_file(sink, named, options=options) as writer:
            writer.write_table(first.cast(named))
            for table in tables:
                writer.write_table(table.cast(named))
        data = sink.getbuffer()
        name = f"{self.kind}-{span.first:015d}-{span.end - 1:015d}-{_hash(data)}.arrow"
        with parquet.atomic_file(self.directory / name) as file:
            file.write(data)
        self.found[span] = self.directory / name

    def _join(self, span: Span) -> None:
        """Make one part of a span and its neighbours of the same size, if all are there."""
        size = span.deals
        if size not in self._sizes or span.first % size:
            return
        begin = span.first // (NEIGHBOURS * size) * NEIGHBOURS * size
        whole = Span(begin, begin + NEIGHBOURS * size)
        members = [Span(place, place + size) for place in range(begin, whole.end, size)]
        if not all(member in self.found for member in members):
            return
        self._write(whole, self.joined([self.found[member] for member in members]))
        for member in members:  # not before: a crash leaves both, and `survey` takes the whole
            self.found.pop(member).unlink(missing_ok=True)
        self._join(whole)

    def joined(self, paths: list[Path]) -> Iterator[pa.Table]:
        """Return what a part that replaces others holds; raises StudyFailed if one is damaged."""
        raise NotImplementedError


class CubeParts(Parts):
    """The cubes of spans of deals. A file has one row: a list of rows for each file of a study."""

    kind = "cubes"
    more = 10  # enough for any number of deals

    def keep(self, span: Span, cubes: StudyCubes) -> None:
        """Keep the cubes of a span."""
        self._keep(span, iter([_to_lists(cubes)]))

    def joined(self, paths: list[Path]) -> Iterator[pa.Table]:
        """Return the sum of the parts."""
        return iter([_to_lists(StudyCubes.merge([read_cubes(path, self.files) for path in paths]))])


class RecordParts(Parts):
    """The records of spans of deals, as the engine fills them.

    They are large: sixteen whole blocks are joined, and what that makes is not joined any more.
    """

    kind = "records"
    codec = "zstd"

    def keep(self, span: Span, outcomes: Rows) -> None:
        """Keep the records of a span."""
        self._keep(span, iter([pa.Table.from_arrays(*parquet.to_plain(outcomes))]))

    def joined(self, paths: list[Path]) -> Iterator[pa.Table]:
        """Return the parts, one after the other."""
        return (_still_sound(path).read_all() for path in paths)


def add_up(found: Mapping[Span, Path], files: GameFiles, players: int) -> StudyCubes:
    """Add the cubes of parts up.

    Raises
    ------
    StudyFailed
        If a part has been damaged since it was found; it is named.
    """
    total = StudyCubes.empty(files, players)
    paths = [found[span] for span in sorted(found)]
    for begin in range(0, len(paths), NEIGHBOURS):
        cubes = [read_cubes(path, files) for path in paths[begin : begin + NEIGHBOURS]]
        total = StudyCubes.merge([total, *cubes])
    return total


def read_outcomes(found: Mapping[Span, Path], files: GameFiles) -> Iterator[Rows]:
    """Yield the records of parts in the order of the deals.

    Parameters
    ----------
    found : mapping of Span to Path
        All parts of a study, or some of them.
    files : GameFiles
        Of its game.

    Raises
    ------
    StudyFailed
        If a part has been damaged since it was found; it is named.
    """
    for span in sorted(found):
        with _still_sound(found[span]) as source:
            for place in range(source.num_record_batches):
                raise_held()
                batch = source.get_batch(place)
                columns = dict(zip(batch.schema.names, batch.columns, strict=True))
                yield parquet.from_plain(columns, files.outcome_dtype)


def read_cubes(path: Path, files: GameFiles) -> StudyCubes:
    """Read the cubes of one part; raises StudyFailed if it has been damaged."""
    table = _still_sound(path).read_all()
    rows = {}
    for file in files.study:
        structures = table[file.name].combine_chunks().flatten()
        fields = [each.name for each in structures.type]
        columns = dict(zip(fields, structures.flatten(), strict=True))
        rows[file.name] = parquet.from_plain(columns, file.dtype)
    return StudyCubes.of_rows(files, rows)


def _to_lists(cubes: StudyCubes) -> pa.Table:
    rows = cubes.rows()
    lists = []
    for each in rows.values():
        structures = pa.StructArray.from_arrays(*parquet.to_plain(each))
        ends = parquet.from_numbers(pa.int32(), np.array([0, len(each)], np.int32), None)
        lists.append(pa.ListArray.from_arrays(ends, structures))
    return pa.Table.from_arrays(lists, list(rows))
