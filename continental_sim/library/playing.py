"""Studies played, read and told from Python."""

from collections.abc import Sequence
from pathlib import Path

from continental_sim import transcript
from continental_sim.comparing.playing import SideBySide
from continental_sim.engine import is_warm, warm_up
from continental_sim.errors import ContsimError
from continental_sim.figures.precision import read_target
from continental_sim.files.manifest import (
    MANIFEST,
    manifest_path,
    planned_deals,
    read_manifest,
    refuse_table,
)
from continental_sim.files.store import StoredStudy, read_study
from continental_sim.library.places import (
    AnyPath,
    checked_level,
    means_of,
    place_for,
    watcher_of,
)
from continental_sim.library.results import StudyResult
from continental_sim.play.means import Means, Progress, Watcher
from continental_sim.play.segments import load_study_of_deal, study_of_deal
from continental_sim.play.simulate import resume_study, run_study
from continental_sim.play.until import Until
from continental_sim.study import Study

REPLAY_TIMEOUT = 60.0  # [seconds]


def simulate(  # noqa: PLR0913 - the options of `contsim run` that describe no experiment
    study: Study,
    out: AnyPath | None = None,
    workers: int | None = None,
    progress: Progress | None = None,
    *,
    until: str | Sequence[str] = (),
    level: float = 0.95,
    max_time: float | None = None,
    deal_timeout: float | None = None,
    records: bool = False,
) -> StudyResult:
    """Play a study.

    Parameters
    ----------
    study : Study
        What is played.
    out : str or path, optional
        Directory to keep it in; nothing is kept if None. If it holds the same study, no deal is
        played twice: a study that was interrupted is gone on with, one with fewer deals is added
        to, and a finished one is read.
    workers : int or None
        Processes; one a core if None. They change no result.
    progress : callable, optional
        Called with (deals finished, deals wanted).
    until : str or sequence of str
        Play until figures are known so well, ``"wins[0]=1%"``; the deals of the study are the most.
    level : float
        Confidence level of all intervals.
    max_time : float or None
        Begin no block after so long [seconds].
    deal_timeout : float or None
        Stop if a single deal takes longer [seconds].
    records : bool
        Whether to keep one row a deal as well; needs `out`.

    Returns
    -------
    StudyResult
        All figures, tables and charts.

    Raises
    ------
    ContsimError
        If something given makes no sense, or `out` holds something else.
    StudyFailed
        If a strategy fails or the disk is full; what had finished is kept, and the message says
        where.
    Interrupted
        By Ctrl-C, which is a KeyboardInterrupt; likewise.
    """
    checked_level(level)
    means = means_of(workers, max_time, deal_timeout)
    watcher = watcher_of(progress, "continental_sim.simulate")
    texts = [until] if isinstance(until, str) else list(until)
    stopping = Until([read_target(text, study.rules) for text in texts], level) if texts else None
    if records and out is None:
        raise ContsimError("records = True keeps a row a deal in files: name a directory with out=")
    with place_for(out) as place:
        if (place / MANIFEST).exists():
            stored = _go_on(study, place, means, watcher, stopping, records=records)
        else:
            stored = run_study(study, place, means, watcher, records=records, stopping=stopping)
    return StudyResult(stored, None if out is None else place, level)


def _go_on(
    study: Study,
    place: Path,
    means: Means,
    watcher: Watcher,
    stopping: Until | None,
    *,
    records: bool,
) -> StoredStudy:
    """Play what is missing of a study, once it is sure to be the one that is meant."""
    refuse_table(place)
    SideBySide([study], [place], means, watcher, records=records).refuse_others(
        ("seed", "first_deal")
    )
    manifest = read_manifest(place)
    if (stopping.table() if stopping else None) != manifest.get("stopping"):
        rule = manifest.get("stopping", {"until": ["no rule"]})
        raise ContsimError(
            f"{place} holds a study that plays until {', '.join(rule['until'])}: give the same "
            "until and level, or name another directory"
        )
    more = None if planned_deals(manifest) == study.deals else study.deals
    return resume_study(place, means, watcher, deals=more, stopping=stopping)


def open_study(directory: AnyPath, level: float = 0.95) -> StudyResult:
    """Read a study that was played before, from Python or with ``contsim run``.

    Parameters
    ----------
    directory : str or path
        Of a study, finished or not.
    level : float
        Confidence level of all intervals.

    Returns
    -------
    StudyResult
        Of the deals that are finished.

    Raises
    ------
    ContsimError
        If there is no study, or a file of it is damaged; it is named.
    """
    place = Path(directory)
    return StudyResult(read_study(place), place, level)


def replay(
    study: Study | StudyResult | AnyPath, deal: int, timeout: float | None = REPLAY_TIMEOUT
) -> str:
    """Tell one deal of a study as readable play.

    Parameters
    ----------
    study : Study, StudyResult, str or path
        The study, what came of it, or the directory or file that describes it.
    deal : int
        Index of the deal, from 0, as the column ``first_deal`` has it.
    timeout : float or None
        How long the deal may take [seconds]; no limit if None.

    Returns
    -------
    str
        Lines: the seats with their hands, each turn, the end.

    Raises
    ------
    ContsimError
        If there is no such study or deal.
    """
    if isinstance(study, Study):
        wanted, place = study, deal
    elif isinstance(study, StudyResult):
        wanted, place = study_of_deal(study.manifest, deal)
    else:
        path = Path(study)
        wanted, place = load_study_of_deal(manifest_path(path) if path.is_dir() else path, deal)
    if not is_warm(wanted.rules):
        warm_up(wanted.rules)
    return transcript.replay(wanted, place, timeout)
