"""The directory of a study: a fresh one by default, and never another's."""

import hashlib
import json
import tempfile
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from continental_sim.errors import ContsimError


def fresh_directory(study: Mapping[str, object], runs: Path = Path("runs")) -> Path:
    """Name a directory that is not there yet: the time, and what is played.

    Parameters
    ----------
    study : mapping
        The study as plain data; the same study gives the same last eight letters.
    runs : Path
        Where such directories lie.

    Returns
    -------
    Path
        Not made yet.
    """
    text = json.dumps(study, sort_keys=True, default=str)
    mark = hashlib.sha256(text.encode()).hexdigest()[:8]
    now = datetime.now().astimezone()
    name = f"{now:%Y%m%d-%H%M%S}-{mark}"
    path = runs / name
    again = 2
    while path.exists():
        path = runs / f"{name}-{again}"
        again += 1
    return path


def claim_directory(path: Path) -> None:
    """Make sure, before anything is played, that a study can be kept in `path`; makes it.

    Parameters
    ----------
    path : Path
        New, or an empty directory.

    Raises
    ------
    ContsimError
        If something is there already, or nothing can be written there.
    """
    try:
        if path.is_dir() and any(path.iterdir()):
            raise ContsimError(
                f"--out {path} is there already and not empty; name a new directory, "
                "contsim never overwrites a study"
            )
        if path.exists() and not path.is_dir():
            raise ContsimError(f"--out {path} is a file; name a new directory")
        path.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=path):
            pass
    except OSError as error:
        raise ContsimError(
            f"--out {path} cannot be written ({error.strerror}); name a directory that can be"
        ) from error


def release_directory(path: Path) -> None:
    """Take an empty directory away again, after a study of which nothing was kept."""
    try:
        path.rmdir()
    except OSError:
        return  # something was kept, or somebody else took it away
