"""Make .venv in this checkout from requirements.lock, or mend it.

With ``--full``, what only the full tier of the tests needs is added from requirements-full.lock.
Called by `scripts/contsim` and `scripts/test`; needs nothing but CPython's standard library. What
is there is trusted only if the stamp, written last, says so: an interrupted or broken .venv is made
again. Everything goes to standard error, so that `contsim ... --json` stays clean.
"""

import contextlib
import fcntl
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

OLDEST, NEWEST = (3, 11), (3, 14)

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "contsim-stamp"
UNFINISHED = VENV / "contsim-unfinished"
FOLLOWED = ("requirements.lock", "pyproject.toml")
FULL = "requirements-full.lock"


class SetupError(Exception):
    """One sentence for the user."""


def main(arguments: list[str]) -> int:
    """Set up, with ``--full`` for all tests, or with ``--probe`` only say whether this Python can.

    Returns
    -------
    int
        Exit status: 0 ready, 1 (probe) unfit, 2 failed, 130 interrupted.
    """
    if arguments == ["--probe"]:
        return 0 if fit() else 1
    try:
        with locked():
            full = arguments == ["--full"]
            if not ready(full=full):  # somebody else may just have done it
                set_up(full=full)
    except SetupError as error:
        say(str(error))
        return 2
    except KeyboardInterrupt:
        say("the set-up was stopped; the next use starts it again")
        return 130
    return 0


def fit() -> bool:
    """Tell whether this Python is one that the lock file is for, and can make a venv."""
    try:
        import ensurepip  # noqa: F401 (Debian splits it off)
        import venv  # noqa: F401
    except ImportError:
        return False
    known = OLDEST <= sys.version_info[:2] <= NEWEST
    return known and sys.implementation.name == "cpython"


@contextlib.contextmanager
def locked() -> Iterator[None]:
    """Let one process at a time set up; the system frees the lock if that one dies."""
    try:
        lock = (ROOT / ".venv.lock").open("w")
    except OSError as error:
        raise SetupError(
            f"cannot write in {ROOT} ({error.strerror}), where .venv must be made"
        ) from error
    with lock:
        # pip keeps the lock too, should this process die before it.
        os.set_inheritable(lock.fileno(), True)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("another process is setting up .venv: waiting for it")
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def ready(*, full: bool = False) -> bool:
    """Tell whether .venv fits this checkout; scripts/venv.sh and scripts/test ask the same."""
    try:
        return (
            PYTHON.exists()
            and (STAMP / "root").read_text() == f"{ROOT}\n"
            and all(
                (STAMP / name).read_bytes() == (ROOT / name).read_bytes() for name in followed(full)
            )
        )
    except OSError:
        return False


def followed(full: bool) -> tuple[str, ...]:
    """Return the files that say what belongs into .venv."""
    return (*FOLLOWED, FULL) if full else FOLLOWED


def set_up(*, full: bool = False) -> None:
    """Make .venv or mend it, install what is locked and this checkout, and write the stamp."""
    version = ".".join(map(str, sys.version_info[:3]))
    if usable():
        locks = f"requirements.lock and {FULL}" if full else "requirements.lock"
        say(f"bringing .venv in {ROOT} up to date with {locks}")
    else:
        why = "this .venv is unfinished, broken or from elsewhere" if VENV.exists() else "first use"
        say(
            f"{why}: making .venv in {ROOT} with Python {version} and installing the locked "
            "packages into it (a minute or two, about 800 MB; later uses start at once)"
        )
        remove(VENV)
        VENV.mkdir()
        UNFINISHED.touch()
        call([sys.executable, "-m", "venv", str(VENV)], "no virtual environment could be made")
    UNFINISHED.touch()
    remove(STAMP)
    pip = [str(PYTHON), "-m", "pip", "--disable-pip-version-check", "install", "--quiet"]
    call(
        [*pip, "--require-hashes", "--no-deps", "-r", str(ROOT / "requirements.lock")],
        "the locked packages could not be installed (this needs the network once)",
    )
    if full:
        call(
            [*pip, "--require-hashes", "--no-deps", "-r", str(ROOT / FULL)],
            f"the packages in {FULL} could not be installed (this needs the network once)",
        )
    # The build tool is locked too, hence no isolation: nothing unlocked is fetched.
    call(
        [*pip, "--no-deps", "--no-build-isolation", "--editable", str(ROOT)],
        "this checkout could not be installed into .venv",
    )
    write_stamp(followed(full))
    say("set up.")


def usable() -> bool:
    """Tell whether .venv is whole, made here, and of a Python that the lock file is for."""
    if UNFINISHED.exists() or not PYTHON.exists():
        return False
    made_for = STAMP / "root"  # missing in a .venv that the user made: that one is taken as it is
    if made_for.exists() and made_for.read_text() != f"{ROOT}\n":
        return False
    code = f"import sys, pip; sys.exit(not {OLDEST} <= sys.version_info[:2] <= {NEWEST})"
    tried = subprocess.run([str(PYTHON), "-c", code], capture_output=True, check=False)
    return tried.returncode == 0


def write_stamp(names: tuple[str, ...]) -> None:
    """Say, last of all, what .venv was made for."""
    STAMP.mkdir()
    for name in names:
        shutil.copyfile(ROOT / name, STAMP / name)
    UNFINISHED.unlink()
    (STAMP / "root").write_text(f"{ROOT}\n")


def call(command: list[str], failure: str) -> None:
    """Run a command with its output on standard error; its failure is one sentence."""
    done = subprocess.run(
        command, stdout=sys.stderr, stdin=subprocess.DEVNULL, close_fds=False, check=False
    )
    if done.returncode:
        raise SetupError(f"{failure}; see above, then run the same command again")


def remove(path: Path) -> None:
    """Take away a directory, a file or a link, if it is there."""
    if path.is_symlink() or path.is_file():
        path.unlink()
    elif path.exists():
        shutil.rmtree(path)


def say(sentence: str) -> None:
    """Tell the user, on standard error."""
    print(f"contsim: {sentence}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
