"""Play a study from the beginning, or go on with one."""

from pathlib import Path

from continental_sim.files.manifest import going_on
from continental_sim.files.store import StoredStudy
from continental_sim.interrupts import stoppable
from continental_sim.play.means import Means, Stopping, Watcher
from continental_sim.play.opening import begin, reopen
from continental_sim.play.running import Run, StudyRun
from continental_sim.study import Study
from continental_sim.words import counted


def run_study(
    study: Study,
    directory: Path,
    means: Means | None = None,
    watcher: Watcher | None = None,
    *,
    records: bool = False,
    stopping: Stopping | None = None,
) -> StoredStudy:
    """Play a study and store it.

    Parameters
    ----------
    study : Study
    directory : Path
        New or empty.
    means : Means, optional
    watcher : Watcher, optional
    records : bool
        Whether to keep one row a deal as well.
    stopping : Stopping, optional
        When it may stop early.

    Returns
    -------
    StoredStudy

    Raises
    ------
    StudyFailed
        If a strategy fails, the workers die or the disk is full; what had finished is kept.
    Interrupted
        By Ctrl-C or another signal; likewise, but nothing is left if no block had finished.
    """
    means, watcher = means or Means(), watcher or Watcher()
    run = Run(means, watcher.command)
    tables = {"runs": [run.table()], **({"stopping": stopping.table()} if stopping else {})}
    with (
        stoppable(_left(directory)),
        begin(directory, study, tables, records=records) as unfinished,
    ):
        return StudyRun(unfinished, means, watcher, run, stopping).play()


def resume_study(
    directory: Path,
    means: Means | None = None,
    watcher: Watcher | None = None,
    *,
    deals: int | None = None,
    stopping: Stopping | None = None,
) -> StoredStudy:
    """Go on with a study: play what is missing of it, to the same files as if never interrupted.

    Parameters
    ----------
    directory : Path
    means : Means, optional
    watcher : Watcher, optional
    deals : int or None
        To extend the study to; as many as it was begun with if None.
    stopping : Stopping, optional
        The rule that it was begun with.

    Returns
    -------
    StoredStudy

    Raises
    ------
    ContsimError
        If it is no study, another process plays it, or its description or the code have changed.
    StudyFailed, Interrupted
        As `run_study`.
    """
    means, watcher = means or Means(), watcher or Watcher()
    run = Run(means, watcher.command)
    with (
        stoppable(_left(directory)),
        reopen(directory, run.table(), watcher.say, deals=deals) as found,
    ):
        if isinstance(found, StoredStudy):
            watcher.say(
                f"the study in {directory} is complete: {counted(found.cubes.deals, 'deal')}"
            )
            return found
        return StudyRun(found, means, watcher, run, stopping).play()


def _left(directory: Path) -> str:
    return f"blocks that had finished are kept in {directory}; go on with {going_on(directory)}"
