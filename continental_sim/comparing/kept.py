"""What was asked, as a directory keeps it: one TOML file beside the studies that answer it."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar

import tomli_w

from continental_sim.errors import ContsimError, typed
from continental_sim.files import parquet
from continental_sim.files.manifest import MANIFEST

STUDIES: Final = "studies"  # beside a page: directory of the manifests, by the studies' names
Asked = TypeVar("Asked")


def is_report(directory: Path) -> bool:
    """Tell whether what holds a question is its report, without the studies that answer it."""
    return (directory / STUDIES).is_dir() and not any(directory.glob(f"*/{MANIFEST}"))


def refuse_report(directory: Path, what: str, command: str) -> None:
    """Refuse the report of a question, which cannot be answered again.

    Parameters
    ----------
    directory : Path
    what : str
        That was asked, such as ``what-if``.
    command : str
        That makes directories with studies.
    """
    if is_report(directory):
        raise ContsimError(
            f"{directory} is the report of a {what}, without its studies: name the directory that "
            f"{command} made"
        )


def unfinished(directory: Path, what: str, lacking: str, command: str) -> ContsimError:
    """Make the error for a question of which too little is played to be told.

    Parameters
    ----------
    directory : Path
    what : str
        That was asked.
    lacking : str
        What is not there.
    command : str
        That goes on with it.
    """
    return ContsimError(f"the {what} in {directory} is unfinished, {lacking}: go on with {command}")


def write_asked(path: Path, content: Mapping[str, Any]) -> None:
    """Write what was asked into its directory, atomically; the directory is made if missing."""
    with parquet.explained(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    with parquet.atomic_file(path) as sink:
        tomli_w.dump(content, sink)


def read_asked(path: Path, parse: Callable[[Mapping[str, Any]], Asked], again: str) -> Asked:
    """Read what was asked.

    Parameters
    ----------
    path : Path
    parse : callable
        Makes it of the file's content; raises KeyError, TypeError or ValueError if it cannot.
    again : str
        How to ask again, such as ``ask again with contsim whatif``.

    Raises
    ------
    ContsimError
        If there is no such file, or it is none of this version.
    """
    try:
        return parse(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ContsimError(f"cannot read {path}: {error.strerror}") from error
    except (KeyError, TypeError, ValueError) as error:  # neither TOML nor UTF-8 among them
        raise ContsimError(
            f"{path} is damaged, or of another version: {again} and --out {typed(path.parent)}, "
            "which plays nothing twice"
        ) from error
