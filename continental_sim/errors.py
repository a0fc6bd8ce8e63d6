"""The errors that a user can cause, each one clear sentence."""


class ContsimError(Exception):
    """Bad input: the message names the value, the limit and the next step.

    Attributes
    ----------
    exit_status : int
        What the command line returns for it.
    """

    exit_status = 2


class StudyFailed(ContsimError):  # noqa: N818 - it says what happened
    """A study stopped before its end; what had finished is kept."""

    exit_status = 1
