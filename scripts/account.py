"""Run a command, and write what it took into a file as JSON: `account.py FILE COMMAND...`.

This is a process of its own because it is a small one. Linux counts the memory of whoever starts a
process as memory of that process, so a large benchmark would find its own size in what it measures.
"""

import json
import os
import subprocess
import sys
import time


def main() -> int:
    """Run it; return its status, or 128 and the number of the signal that ended it."""
    report, *command = sys.argv[1:]
    begun = time.perf_counter()
    process = subprocess.Popen(command)
    # Unlike `wait`, this tells of the workers too, which the process has waited for.
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    processor = usage.ru_utime + usage.ru_stime
    with open(report, "w", encoding="utf-8") as sink:  # noqa: PTH123 - pathlib is large
        json.dump({"wall": wall, "processor": processor, "memory": usage.ru_maxrss / 1024}, sink)
    return process.returncode if process.returncode >= 0 else 128 - process.returncode


if __name__ == "__main__":
    sys.exit(main())
