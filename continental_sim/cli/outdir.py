"""The directory of a study if the user names none."""

import hashlib
import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path


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
