"""The directory of a study: claimed, locked, tidied up."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

from continental_sim.errors import ContsimError
from continental_sim.files.locks import locked
from continental_sim.files.parquet import UNFINISHED, explained, sync_directory
from continental_sim.files.parts import LOCK
from continental_sim.files.store import PARTS

Held = Callable[[], bool]

SET_ASIDE: Final = "set-aside"  # directory for what is damaged or foreign


def claim(directory: Path) -> None:
    """Make a directory for a study, unless something is in it already.

    Raises
    ------
    ContsimError
        If it is not empty, or cannot be made.
    """
    if directory.exists() and not directory.is_dir():
        raise ContsimError(f"{directory} is no directory: name another with --out")
    with explained(directory):
        new = [each for each in (directory, *directory.parents) if not each.exists()]
        directory.mkdir(parents=True, exist_ok=True)
        for each in new:
            with suppress(OSError):  # a parent may be closed to us; all else is still written
                sync_directory(each.parent)
        found = {entry.name for entry in directory.iterdir()} - {PARTS}
        if (directory / PARTS).is_dir():
            found |= {entry.name for entry in (directory / PARTS).iterdir()} - {LOCK}
    # What is left of a process that was killed before it wrote anything whole is no study.
    found = {name for name in found if not name.endswith(UNFINISHED)}
    if found:
        raise ContsimError(
            f"the directory {directory} is not empty (it holds {min(found)}): name a new one with "
            "--out, a study never overwrites anything"
        )


@contextmanager
def claimed(directory: Path) -> Iterator[Held]:
    """Make a directory for a study that only this process works on.

    Raises
    ------
    ContsimError
        As `claim` and `room`.
    """
    claim(directory)
    with room(directory) as held:
        claim(directory)  # somebody may have been quicker
        yield held


def release(directory: Path) -> None:
    """Take an empty directory away again, after a study of which nothing was kept."""
    with suppress(OSError):  # something is in it, or somebody else took it away
        directory.rmdir()


@contextmanager
def room(directory: Path) -> Iterator[Held]:
    """Make room for parts in the directory of a study, and lock it for this process.

    Yields
    ------
    callable
        Tells whether the directory is still where it was.

    Raises
    ------
    ContsimError
        If another process is at work there, or nothing can be written.
    """
    with ExitStack() as stack:
        with explained(directory / PARTS):
            lock = directory / PARTS / LOCK
            held = stack.enter_context(locked(lock, f"the study in {directory}"))
        yield held


def clear(directory: Path) -> None:
    """Take the parts away, and what unfinished writes have left, after all has been written."""
    for path in directory.glob(f".*{UNFINISHED}"):
        path.unlink(missing_ok=True)
    shutil.rmtree(directory / PARTS, ignore_errors=True)  # and the lock last


def put_aside(
    directory: Path, path: Path, why: str, say: Callable[[str], None], lost: str = "its deals"
) -> None:
    """Move a file of a study out of the way, never to be counted.

    Parameters
    ----------
    directory : Path
        Of the study.
    path : Path
    why : str
        What is wrong with it.
    say : callable
        Told so in a sentence.
    lost : str
        What is played again.
    """
    aside = directory / SET_ASIDE
    with explained(aside):
        aside.mkdir(exist_ok=True)
        target = aside / path.name
        number = 2
        while target.exists():
            target = aside / f"{path.name}.{number}"
            number += 1
        path.rename(target)
    say(
        f"{path.name} is damaged or foreign ({why}): it lies in {aside} now, and {lost} are "
        "played again"
    )
