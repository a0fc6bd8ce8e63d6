"""The manifest of a study: what is played, how far it is, and what its files must be."""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import tomli_w

from continental_sim.columns import FORMAT
from continental_sim.errors import ContsimError, typed

MANIFEST: Final = "manifest.toml"
COMPARISON: Final = "comparison.toml"  # of strategies: its studies lie in directories beside it
QUESTION: Final = "question.toml"  # of a what-if: its studies lie in directories beside it
COMPLETE: Final = "complete"
UNFINISHED: Final = "unfinished"
_NEEDED: Final[Mapping[str, Mapping[str, type]]] = {
    "study": {"deals": int, "lineup": list},
    "rules": {},
    "state": {"status": str, "deals": int, "records": bool},
}
_DESCRIBING: Final = ("study", "rules", "strategies", "segments")
_MARKS: Final = {"mark": str, "code": str}
_SEGMENT: Final = {"seed": int, "first_deal": int, "deals": int}
_WRITTEN: Final = "a directory that contsim run, whatif or compare wrote"
_NAMED: Final = 3  # studies, at the most
_ANSWERS: Final = {
    QUESTION: ("what-if", "contsim whatif"),
    COMPARISON: ("comparison", "contsim compare"),
}


def manifest_path(directory: Path) -> Path:
    """Find the manifest of a study.

    Raises
    ------
    ContsimError
        If there is none; if the directory holds several studies, they are named.
    """
    path = directory / MANIFEST
    if path.is_file():
        return path
    for name, (what, command) in _ANSWERS.items():
        if (directory / name).is_file():
            raise ContsimError(f"{directory} holds a {what}{_studies_within(directory, command)}")
    what = f"has no {MANIFEST}" if directory.is_dir() else "is not a directory"
    raise ContsimError(f"there is no study in {directory}: it {what}; name {_WRITTEN}")


def _studies_within(directory: Path, command: str) -> str:
    studies = [typed(path.parent) for path in sorted(directory.glob(f"*/{MANIFEST}"))]
    if not studies:
        return f" without its studies: name one in the directory that {command} made"
    more = len(studies) - _NAMED
    rest = f" and {more} more" if more > 0 else ""
    return f"; its studies are {', '.join(studies[:_NAMED])}{rest}: name one of them"


def comparison_of(directory: Path) -> Path | None:
    """Return the directory of the comparison that a study is a table of, if it is one."""
    home = directory.parent if directory.name else directory.resolve().parent
    return home if (home / COMPARISON).is_file() else None


def going_on(directory: Path) -> str:
    """Name what goes on with a study: the command of all, if it is a table of a comparison."""
    home = comparison_of(directory)
    if home is None:
        return f"contsim run --resume {typed(directory)}"
    return f"the same contsim compare and --out {typed(home)}"


def refuse_table(directory: Path) -> None:
    """Refuse to play on a table of a comparison alone.

    Raises
    ------
    ContsimError
        If the study is one.
    """
    home = comparison_of(directory)
    if home is not None:
        raise ContsimError(
            f"{directory} is a table of the comparison in {home}, whose tables have equally many "
            f"packs: play more of them with the same contsim compare, more deals and --out "
            f"{typed(home)}"
        )


def read_manifest(directory: Path) -> dict[str, Any]:
    """Read the manifest of a study, finished or not.

    Raises
    ------
    ContsimError
        If there is none, or it is none of this version.
    """
    path = manifest_path(directory)
    try:
        manifest = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ContsimError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:  # neither TOML nor UTF-8
        raise ContsimError(
            f"{path} is damaged: it is not valid TOML ({error}); play the study again into another "
            "directory"
        ) from error
    _check(manifest, path)
    return manifest


def _check(manifest: Mapping[str, Any], path: Path) -> None:
    """Refuse what no version, or another one, has written."""
    if isinstance(manifest.get("study"), Mapping):
        _check_format(path, manifest["study"].get("format"))
    for table, keys in _NEEDED.items():
        _check_table(manifest.get(table), keys, f"table [{table}]", path)
    segments = manifest.get("segments", [manifest["study"]])
    for segment in segments if isinstance(segments, list) else [None]:
        _check_table(segment, _SEGMENT, "seed and deals", path)
    if manifest["state"]["status"] == COMPLETE:
        _check_table(manifest.get("files"), {}, "table [files]", path)
    else:
        _check_table(manifest["study"], _MARKS, "marks of study and code", path)
    if manifest.get("description") != {"sha256": _description(manifest)}:
        raise ContsimError(
            f"{path} has been changed since it was written: it describes another study than its "
            f"files are of; put it back as it was, or play it anew with contsim run {typed(path)} "
            "--out NEW"
        )


def _description(manifest: Mapping[str, Any]) -> str:
    """Hash what was played: who changes it by hand describes another study than the files are."""
    text = json.dumps([manifest.get(table) for table in _DESCRIBING], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()


def _check_table(found: object, keys: Mapping[str, type], what: str, path: Path) -> None:
    sound = isinstance(found, Mapping) and all(
        isinstance(found.get(key), kind) for key, kind in keys.items()
    )
    if not sound:
        raise ContsimError(f"{path} has no {what} as a study has it: name {_WRITTEN}")


def _check_format(path: Path, found: object) -> None:
    if found != FORMAT:
        raise ContsimError(
            f"{path} is of format {found}, this version reads format {FORMAT}: read it with the "
            "version that wrote it, or play it again"
        )


def planned_deals(manifest: Mapping[str, Any]) -> int:
    """Return how many deals a study was to have; it may have ended before."""
    return int(manifest["state"].get("planned", manifest["study"]["deals"]))


def write_manifest(directory: Path, tables: Mapping[str, Any]) -> dict[str, Any]:
    """Write the manifest, atomically, and return it.

    Parameters
    ----------
    directory : Path
    tables : mapping
        ``study``, ``rules``, ``strategies``, ``state``, ``runs`` and, of a finished study,
        ``files``; the format and a checksum of the description are added here.
    """
    from continental_sim.files.parquet import atomic_file

    whole = {**tables, "study": {**tables["study"], "format": FORMAT}}
    whole["description"] = {"sha256": _description(whole)}
    with atomic_file(directory / MANIFEST) as sink:
        tomli_w.dump(whole, sink)
    return whole
