"""A study on disk: its cubes as Parquet files, and the manifest that explains them.

The manifest is written last and holds the checksum of every cube: a directory with a manifest is
whole, and what was changed or mixed up afterwards is found when it is read. Import this module
where it is used: pyarrow takes half a second.
"""

import hashlib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import tomli_w

from continental_sim import cards, parquet
from continental_sim.columns import (
    BEHAVIOUR,
    BEHAVIOUR_SUMS,
    CUBE,
    FACE_SUMS,
    FACES,
    FORMAT,
    OPENINGS,
    RECORDS,
    SESSIONS,
    STUDY_FILES,
    File,
)
from continental_sim.cubes import Counts, Rows, StudyCubes
from continental_sim.errors import ContsimError
from continental_sim.rules import ContinentalRules, rules_from_dict

MANIFEST: Final = "manifest.toml"


@dataclass(frozen=True, slots=True)
class StoredStudy:
    """A study as its directory holds it.

    Attributes
    ----------
    directory : Path
        Where it lies.
    manifest : mapping
        The whole manifest.
    rules : ContinentalRules
        What was played.
    lineup : tuple of str
        Strategy of each player.
    cubes : StudyCubes
        What came of it.
    """

    directory: Path
    manifest: Mapping[str, Any]
    rules: ContinentalRules
    lineup: tuple[str, ...]
    cubes: StudyCubes

    @property
    def seed(self) -> int:
        """Seed of the study."""
        return int(self.manifest["study"]["seed"])

    @property
    def fixed_order(self) -> bool:
        """Whether the players kept their order round the table."""
        return bool(self.manifest["study"].get("fixed_order", False))


def write_study(directory: Path, cubes: StudyCubes, manifest: Mapping[str, Any]) -> StoredStudy:
    """Write a study into a directory that holds none.

    Parameters
    ----------
    directory : Path
        New or empty, except for the records file of the same study.
    cubes : StudyCubes
        What was played.
    manifest : mapping
        Tables ``study`` (with ``seed``, ``lineup``), ``rules``, ``finished``, ``provenance``; the
        format and the table ``files`` (rows and checksums) are added here.

    Returns
    -------
    StoredStudy
        As `read_study` would give it.

    Raises
    ------
    ContsimError
        If the directory holds anything else, or cannot be written.
    """
    rules = rules_from_dict(manifest["rules"])
    lineup = tuple(manifest["study"]["lineup"])
    with parquet.explained(directory):
        directory.mkdir(parents=True, exist_ok=True)
        _refuse_others(directory)
    files = {}
    for file in STUDY_FILES:
        rows, texts = _rows_of(file, cubes, lineup)
        path = _path(directory, file)
        parquet.write_table(path, parquet.to_table(file, rows, rules.patterns, texts))
        files[file.name] = {"rows": len(rows), "sha256": _checksum(path)}
    whole = {**manifest, "study": {**manifest["study"], "format": FORMAT}, "files": files}
    with parquet.atomic_file(directory / MANIFEST) as sink:
        tomli_w.dump(whole, sink)
    return StoredStudy(directory, whole, rules, lineup, cubes)


def _refuse_others(directory: Path) -> None:
    records = _path(directory, RECORDS).name
    others = sorted(entry.name for entry in directory.iterdir() if entry.name != records)
    if others:
        raise ContsimError(
            f"the directory {directory} is not empty (it holds {others[0]}); name a new one, "
            "a study never overwrites anything"
        )


def read_study(directory: Path) -> StoredStudy:
    """Read a study back, and check that its files are whole and its own.

    Parameters
    ----------
    directory : Path
        As `write_study` left it.

    Returns
    -------
    StoredStudy

    Raises
    ------
    ContsimError
        If a file is missing, damaged or foreign; it is named.
    """
    manifest = _read_manifest(directory)
    rules = rules_from_dict(manifest["rules"])
    lineup = tuple(manifest["study"]["lineup"])
    rows = {file.name: _read_rows(directory, file, manifest, rules) for file in STUDY_FILES}
    cubes = StudyCubes(
        cube=rows[CUBE.name],
        sessions=rows[SESSIONS.name],
        openings=rows[OPENINGS.name],
        faces=_columns_of(rows[FACES.name], FACE_SUMS),
        behaviour=_columns_of(rows[BEHAVIOUR.name], BEHAVIOUR_SUMS),
    )
    if cubes.deals != manifest["finished"]["deals"] or cubes.players != len(lineup):
        raise _damaged(directory / MANIFEST, "it does not agree with the cubes beside it")
    return StoredStudy(directory, manifest, rules, lineup, cubes)


def records_path(directory: Path) -> Path:
    """Return where a study keeps one row a deal, if it does."""
    return _path(directory, RECORDS)


def _read_manifest(directory: Path) -> dict[str, Any]:
    path = directory / MANIFEST
    if not path.is_file():
        what = "has no manifest.toml" if directory.is_dir() else "is not a directory"
        raise ContsimError(
            f"there is no study in {directory}: it {what}; name a directory that contsim run wrote"
        )
    try:
        manifest = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ContsimError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:  # neither TOML nor UTF-8
        raise _damaged(path, f"it is not valid TOML: {error}") from error
    missing = [name for name in ("study", "rules", "finished", "files") if name not in manifest]
    if missing:
        raise ContsimError(
            f"{path} has no table [{missing[0]}]: it describes no finished study; name a "
            "directory that contsim run wrote"
        )
    found = manifest["study"].get("format")
    if found != FORMAT:
        raise ContsimError(
            f"{path} is of format {found}, this version reads format {FORMAT}: read it with the "
            "version that wrote it, or play it again"
        )
    return manifest


def _read_rows(
    directory: Path, file: File, manifest: Mapping[str, Any], rules: ContinentalRules
) -> Rows:
    path = _path(directory, file)
    if not path.is_file():
        raise _damaged(path, "it is missing")
    try:
        if _checksum(path) != manifest["files"][file.name]["sha256"]:
            raise _damaged(path, "it is not the file that this study wrote: its checksum differs")
        return parquet.from_table(file, parquet.read_table(path), rules.patterns)
    except OSError as error:
        raise _damaged(path, f"it cannot be read: {error.strerror or error}") from error
    except (KeyError, ValueError) as error:  # pyarrow's own errors are values, too
        raise _damaged(path, str(error)) from error


def _damaged(path: Path, why: str) -> ContsimError:
    again = path.parent / MANIFEST
    return ContsimError(
        f"{path} is damaged or foreign: {why}; play the study again with "
        f"contsim run {again} --out NEW"
    )


def _rows_of(
    file: File, cubes: StudyCubes, lineup: tuple[str, ...]
) -> tuple[Rows, dict[str, list[str]]]:
    """Rows and text columns of a file."""
    if file is FACES:
        names = [cards.face_name(face) for face in range(cards.FACES)]
        return _numbered(file, FACE_SUMS, cubes.faces), {"name": names}
    if file is BEHAVIOUR:
        return _numbered(file, BEHAVIOUR_SUMS, cubes.behaviour), {"strategy": list(lineup)}
    return {CUBE: cubes.cube, SESSIONS: cubes.sessions, OPENINGS: cubes.openings}[file], {}


def _numbered(file: File, names: tuple[str, ...], sums: Counts) -> Rows:
    """Rows of sums, the key being the number of the row."""
    rows = np.zeros(len(sums), file.dtype)
    rows[file.keys[0]] = np.arange(len(sums))
    for place, name in enumerate(names):
        rows[name] = sums[:, place]
    return rows


def _columns_of(rows: Rows, names: tuple[str, ...]) -> Counts:
    return np.stack([rows[name] for name in names], axis=1)


def _path(directory: Path, file: File) -> Path:
    return directory / f"{file.name}.parquet"


def _checksum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
