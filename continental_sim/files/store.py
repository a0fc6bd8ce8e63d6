"""A study on disk: its cubes as Parquet files, and the manifest that explains them.

The manifest says last of all that a study is complete, and holds the checksum of every cube: what
was changed or mixed up afterwards is found when it is read. A study that is not complete is the sum
of its parts. Import this module where it is used: pyarrow takes half a second.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from continental_sim import cards
from continental_sim.columns import GAME_FILES, File, GameFiles
from continental_sim.cubes import StudyCubes
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.files import parquet, parts
from continental_sim.files.manifest import (
    COMPLETE,
    MANIFEST,
    going_on,
    read_manifest,
    write_manifest,
)
from continental_sim.grouping import Rows
from continental_sim.rules import GameRules, rules_from_dict
from continental_sim.seating import seatings_of

RECORDS: Final = "records"  # file of one row a deal
PARTS: Final = "parts"  # directory of what an unfinished study has
_ATTEMPTS: Final = 5  # to read parts while somebody plays and joins them


class DamagedStudy(ContsimError):  # noqa: N818 - it says what happened
    """A file of a complete study is not what it was.

    Parameters
    ----------
    path : Path
        The file.
    why : str
    manifest : mapping
        Of the study: what can be done about it depends on how it came about.
    """

    def __init__(self, path: Path, why: str, manifest: Mapping[str, Any]) -> None:
        if "segments" in manifest:
            advice = "merge the studies that it is the sum of again, with contsim merge"
        else:
            advice = f"play the study again with {going_on(path.parent)}"
        super().__init__(f"{path} is damaged or foreign: {why}; {advice}")
        self.path = path
        self.why = why


class NoBlockYet(ContsimError):  # noqa: N818 - it says what happened
    """An unfinished study of which there is nothing to read."""


def patterns_of(rules: GameRules) -> tuple[str, ...]:
    """Return the words for the bits of a "labels" column, where a game has such a one."""
    return getattr(rules, "patterns", ())


@dataclass(frozen=True, slots=True)
class StoredStudy:
    """A study as its directory holds it.

    Attributes
    ----------
    directory : Path
        Where it lies.
    manifest : mapping
        The whole manifest.
    rules : GameRules
        What was played.
    lineup : tuple of str
        Strategy of each player.
    cubes : StudyCubes
        What came of it.
    """

    directory: Path
    manifest: Mapping[str, Any]
    rules: GameRules
    lineup: tuple[str, ...]
    cubes: StudyCubes

    @classmethod
    def of(cls, directory: Path, manifest: Mapping[str, Any], cubes: StudyCubes) -> "StoredStudy":
        """Put a study together from its manifest and its cubes."""
        lineup = tuple(manifest["study"]["lineup"])
        return cls(directory, manifest, rules_from_dict(manifest["rules"]), lineup, cubes)

    @property
    def files(self) -> GameFiles:
        """The files of its game."""
        return GAME_FILES[self.rules.game]

    @property
    def seeds(self) -> tuple[int, ...]:
        """Seeds of its deals: one, unless it is merged."""
        found = self.manifest.get("segments", [self.manifest["study"]])
        return tuple(dict.fromkeys(int(each["seed"]) for each in found))

    @property
    def fixed_order(self) -> bool:
        """Whether the players kept their order round the table."""
        return bool(self.manifest["study"].get("fixed_order", False))

    @property
    def duplicate(self) -> bool:
        """Whether each pack was dealt again in all balanced seatings."""
        return bool(self.manifest["study"].get("duplicate", False))

    @property
    def session(self) -> int:
        """How many deals hang together [deals]."""
        return len(seatings_of(self.lineup)) if self.duplicate else self.rules.session_deals

    @property
    def complete(self) -> bool:
        """Whether all its deals are played."""
        return bool(self.manifest["state"]["status"] == COMPLETE)


def write_study(directory: Path, cubes: StudyCubes, manifest: Mapping[str, Any]) -> StoredStudy:
    """Write a complete study.

    Parameters
    ----------
    directory : Path
        Made if it is not there; cubes that are in it are replaced.
    cubes : StudyCubes
        What was played.
    manifest : mapping
        As `write_manifest` takes it; status and deals of ``state`` and the table ``files`` (rows
        and checksums) are set here. Records, if ``state`` says so, are there already.

    Returns
    -------
    StoredStudy
        As `read_study` would give it.

    Raises
    ------
    ContsimError
        If the directory cannot be written.
    """
    study = StoredStudy.of(directory, manifest, cubes)
    with parquet.explained(directory):
        directory.mkdir(parents=True, exist_ok=True)
    files = {}
    for file in study.files.study:
        table, path = table_of(study, file), file_path(directory, file)
        parquet.write_table(path, table)
        files[file.name] = {"rows": table.num_rows, "sha256": checksum(path)}
    state = {**manifest.get("state", {}), "status": COMPLETE, "deals": cubes.deals}
    if state.get("records"):
        found = checksum(records_path(directory))
        files[study.files.records.name] = {"rows": cubes.deals, "sha256": found}
    whole = write_manifest(directory, {**manifest, "state": state, "files": files})
    return StoredStudy.of(directory, whole, cubes)


def table_of(study: StoredStudy, file: File) -> pa.Table:
    """Return a file of a study as it is stored, or would be if the study is not complete."""
    rows = study.cubes.rows()[file.name]
    texts = _texts(file, study.lineup)
    return parquet.to_table(file, rows, patterns_of(study.rules), texts)


def _texts(file: File, lineup: tuple[str, ...]) -> dict[str, list[str]]:
    """Text columns of a file."""
    found = {
        "name": [cards.face_name(face) for face in range(cards.FACES)],
        "strategy": list(lineup),
    }
    return {column.name: found[column.name] for column in file.columns if not column.record}


def read_study(directory: Path) -> StoredStudy:
    """Read a study, and check that its files are whole and its own.

    Parameters
    ----------
    directory : Path
        Of a complete study, or of one that is interrupted or still being played.

    Returns
    -------
    StoredStudy

    Raises
    ------
    ContsimError
        If a file is missing, damaged or foreign; it is named.
    """
    manifest = read_manifest(directory)
    if manifest["state"]["status"] != COMPLETE:
        return _read_parts(directory, manifest)
    rules = rules_from_dict(manifest["rules"])
    files = GAME_FILES[rules.game]
    cubes = StudyCubes.of_rows(
        files,
        {file.name: _read_rows(directory, file, manifest, rules) for file in files.study},
    )
    study = StoredStudy.of(directory, manifest, cubes)
    if cubes.deals != manifest["state"]["deals"] or cubes.players != len(study.lineup):
        why = "it does not agree with the cubes beside it"
        raise DamagedStudy(directory / MANIFEST, why, manifest)
    return study


def _read_parts(directory: Path, manifest: dict[str, Any]) -> StoredStudy:
    files = GAME_FILES[rules_from_dict(manifest["rules"]).game]
    for attempt in range(_ATTEMPTS):
        try:
            found = parts.survey(directory / PARTS, manifest["study"]["mark"], records=False)
            for path, why in found.faults.items():
                raise ContsimError(
                    f"{path} is damaged or foreign: {why}; {going_on(directory)} sets it aside "
                    "and plays its deals again"
                )
            cubes = parts.add_up(found.cubes, files, len(manifest["study"]["lineup"]))
        # Joined meanwhile, or completed; or damaged since it was looked at, which is then seen.
        except (FileNotFoundError, StudyFailed):
            if read_manifest(directory)["state"]["status"] == COMPLETE:
                return read_study(directory)
            if not (directory / PARTS).is_dir():  # somebody took them all away
                cubes = StudyCubes.empty(files, len(manifest["study"]["lineup"]))
                break
            if attempt + 1 == _ATTEMPTS:
                raise
        else:
            break
    if not cubes.deals:
        raise NoBlockYet(
            f"the study in {directory} has finished no block yet: {going_on(directory)}"
        )
    state = {**manifest["state"], "deals": cubes.deals}
    return StoredStudy.of(directory, {**manifest, "state": state}, cubes)


def file_path(directory: Path, file: File) -> Path:
    """Return where a study keeps a file."""
    return directory / f"{file.name}.parquet"


def records_path(directory: Path) -> Path:
    """Return where a study keeps one row a deal, if it does."""
    return directory / f"{RECORDS}.parquet"


def _read_rows(directory: Path, file: File, manifest: Mapping[str, Any], rules: GameRules) -> Rows:
    path = file_path(directory, file)
    _verify(path, file, manifest)
    try:
        return parquet.from_table(file, parquet.read_table(path), patterns_of(rules))
    except (OSError, ValueError) as error:  # pyarrow's own errors are values, too
        raise DamagedStudy(path, str(error), manifest) from error


def check_records(study: StoredStudy) -> None:
    """Check the records of a complete study, if it has any: `read_study` leaves them alone.

    Raises
    ------
    DamagedStudy
        If they are missing, damaged or foreign.
    """
    if RECORDS in study.manifest["files"]:
        _verify(records_path(study.directory), study.files.records, study.manifest)


def _verify(path: Path, file: File, manifest: Mapping[str, Any]) -> None:
    if not path.is_file():
        raise DamagedStudy(path, "it is missing", manifest)
    try:
        sound = checksum(path) == manifest["files"][file.name]["sha256"]
    except OSError as error:
        why = f"it cannot be read: {error.strerror or error}"
        raise DamagedStudy(path, why, manifest) from error
    except (KeyError, TypeError):
        why = f"it has no checksum of {path.name}"
        raise DamagedStudy(path.with_name(MANIFEST), why, manifest) from None
    if not sound:
        why = "it is not the file that this study wrote: its checksum differs"
        raise DamagedStudy(path, why, manifest)


def checksum(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()
