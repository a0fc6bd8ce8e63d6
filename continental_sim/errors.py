"""The errors that a user can cause, each one clear sentence."""

import shlex
from pathlib import Path


def typed(path: Path) -> str:
    """Write a path as it is typed in a command, one word even if there are spaces in it."""
    return shlex.quote(str(path))


class ContsimError(Exception):
    """Bad input: the message names the value, the limit and the next step.

    Attributes
    ----------
    exit_status : int
        What the command line returns for it.
    """

    exit_status = 2


class CannotWrite(ContsimError):  # noqa: N818 - it says what happened
    """The file system refused.

    Parameters
    ----------
    path : Path
        What could not be written.
    reason : str
        What the system said.
    """

    def __init__(self, path: Path, reason: str) -> None:
        self.what = f"cannot write {path}: {reason}"
        super().__init__(f"{self.what}; see to room and rights there, or name another directory")


class CannotPrint(ContsimError):  # noqa: N818 - it says what happened
    """Standard output refused.

    Parameters
    ----------
    error : OSError
    kept : str
        What is not lost, and how to print it again.
    """

    def __init__(self, error: OSError, kept: str = "") -> None:
        what = f"the output cannot be written: {error.strerror or error}"
        super().__init__(f"{what}; {kept or 'direct it to where there is room, and try again'}")


class StudyFailed(ContsimError):  # noqa: N818 - it says what happened
    """A study stopped before its end; what had finished is kept."""

    exit_status = 1


class StudyMoved(StudyFailed):
    """The directory of a study was moved or replaced while it was played.

    Parameters
    ----------
    directory : Path
        Where it was.
    again : str
        The command that goes on with it.
    """

    def __init__(self, directory: Path, again: str = "contsim run --resume") -> None:
        self.directory = directory
        super().__init__(
            f"{directory} was moved or replaced while its study was played: what had finished is "
            f"where it lies now, go on with it there ({again})"
        )


class WorkerDied(Exception):  # noqa: N818 - it says what happened
    """A process that played deals died; its block can be played again by another."""

    def __init__(self, what: str = "a worker process died, killed or out of memory") -> None:
        super().__init__(what)
