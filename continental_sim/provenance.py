"""What a process did for a study, as the manifest tells it."""

import platform
from collections.abc import Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any, Final

import continental_sim

_PACKAGES: Final = ("numpy", "numba", "pyarrow", "joblib", "pandas")


def describe_run(command: Sequence[str], started: datetime | None = None) -> dict[str, Any]:
    """Return when a process began, what the user typed, and the versions that it ran with.

    Parameters
    ----------
    command : sequence of str
    started : datetime, optional
        Now if None.
    """
    begun = started or datetime.now(UTC)
    return {
        "command": list(command),
        "started": begun.isoformat(timespec="seconds"),
        "versions": {
            "contsim": continental_sim.__version__,
            "python": platform.python_version(),
            **{name: version(name) for name in _PACKAGES},
        },
    }
