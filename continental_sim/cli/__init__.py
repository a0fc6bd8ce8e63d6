"""The command line: parse, call, print. One file a command; only these print or exit."""

import os
import signal
import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status, as `entry.main` does.

    Parameters
    ----------
    argv : sequence of str, optional
        The arguments; those of the process if left out.
    """
    if argv is None:
        _settle()
    from continental_sim.cli import entry

    return entry.main(argv)


def _settle() -> None:
    """Make the process ready, before anything else is loaded."""
    # An exception in the midst of loading would be printed, or get lost. See `interrupts`.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # A standard stream that is closed leaves its number to the next file that is opened, and what
    # workers print would go there.
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nothing = os.open(os.devnull, os.O_RDWR)  # the lowest number that is free: this one
            os.set_inheritable(nothing, True)
            setattr(sys, name, os.fdopen(nothing, "w" if number else "r"))
