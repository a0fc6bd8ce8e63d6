"""Strategies compared: the duplicate studies of a comparison, played one after the other."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from continental_sim.comparing.comparison import (
    Comparison,
    is_comparison,
    read_comparison,
    write_comparison,
)
from continental_sim.comparing.duels import Duels, find_duels
from continental_sim.comparing.playing import of_all, refuse_another
from continental_sim.errors import typed
from continental_sim.files.directories import claim
from continental_sim.files.manifest import MANIFEST, planned_deals, read_manifest
from continental_sim.files.store import StoredStudy, read_study
from continental_sim.interrupts import Interrupted, signal_name, signal_of
from continental_sim.play.means import Means, Watcher
from continental_sim.play.simulate import resume_study, run_study
from continental_sim.study import Study


def begun_seed(out: Path) -> int | None:
    """Return the seed of what was begun in a directory, None if nothing was."""
    return read_comparison(out).seed if is_comparison(out) else None


def play_comparison(
    comparison: Comparison, studies: Sequence[Study], out: Path, means: Means, watcher: Watcher
) -> Duels:
    """Play the studies of a comparison, or go on with those that were begun, and compare.

    Parameters
    ----------
    comparison : Comparison
        Kept in `out`, with which everything there explains itself.
    studies : sequence of Study
        One for each line-up.
    out : Path
    means : Means
    watcher : Watcher
        Told of all deals together.

    Raises
    ------
    ContsimError
        If another comparison lies there already.
    """
    places = [out / seated.directory for seated in comparison.lineups]
    if not is_comparison(out):
        claim(out)
    for study, place in zip(studies, places, strict=True):
        if (place / MANIFEST).exists():
            refuse_another(study, place, ("seed",))
    write_comparison(out, comparison)
    whole, done, stored = sum(study.deals for study in studies), 0, list[StoredStudy]()
    try:
        for study, place in zip(studies, places, strict=True):
            shown = replace(watcher, progress=of_all(watcher, done, whole))
            stored.append(_play(study, place, means, shown))
            done += study.deals
    except KeyboardInterrupt as stop:
        number = signal_of(stop)
        raise Interrupted(
            number,
            f"stopped by {signal_name(number)}; what had finished is kept in {out}: give the same "
            f"command again with --out {typed(out)}",
        ) from None
    return find_duels(comparison, stored, comparison.level)


def _play(study: Study, place: Path, means: Means, watcher: Watcher) -> StoredStudy:
    if not (place / MANIFEST).exists():
        return run_study(study, place, means, watcher)
    more = study.deals if planned_deals(read_manifest(place)) < study.deals else None
    return resume_study(place, means, watcher, deals=more)


def read_duels(directory: Path, level: float | None = None) -> Duels:
    """Compare the studies of a directory again.

    Parameters
    ----------
    directory : Path
        That `contsim compare --out` made.
    level : float or None
        Of the intervals; that of the comparison if None.

    Raises
    ------
    ContsimError
        If it holds none, or not all of its studies are finished.
    """
    comparison = read_comparison(directory)
    studies = [read_study(directory / seated.directory) for seated in comparison.lineups]
    return find_duels(comparison, studies, comparison.level if level is None else level)
