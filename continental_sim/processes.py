"""What a child process owes the process that started it."""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1  # from <linux/prctl.h>


def die_with_parent(parent: int | None = None) -> None:
    """Have the kernel kill this process when the one that started it ends.

    A child in compiled code cannot look whether its parent still lives, so
    the kernel must do it. It watches the *thread* that started the child:
    start children from a thread that lives as long as they should.

    Only Linux offers this; elsewhere the call does nothing.

    Parameters
    ----------
    parent : int, optional
        Process id of the parent. With it, a parent that ended before this
        call is noticed too, and this process ends at once.
    """
    if not sys.platform.startswith("linux"):
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(_PR_SET_PDEATHSIG, ctypes.c_ulong(signal.SIGKILL), 0, 0, 0) != 0:
        return  # a sandbox that forbids it: the child lives as long as it likes
    if parent is not None and os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
