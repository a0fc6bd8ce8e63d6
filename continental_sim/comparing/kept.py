"""What was asked, as a directory keeps it: one TOML file beside the studies that answer it."""

import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import tomli_w

from continental_sim.errors import ContsimError, typed
from continental_sim.files import parquet

Asked = TypeVar("Asked")


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
