"""A comparison of strategies read from its directory, played to its end or not."""

from dataclasses import replace
from pathlib import Path

from continental_sim.comparing.comparison import read_comparison
from continental_sim.comparing.duels import Duels, find_duels
from continental_sim.comparing.kept import refuse_report, unfinished
from continental_sim.files.manifest import MANIFEST
from continental_sim.files.store import NoBlockYet, StoredStudy, read_study


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
        If it holds none, or a table of which nothing is played yet.
    """
    refuse_report(directory, "comparison", "contsim compare")
    comparison = read_comparison(directory)
    command = comparison.command(str(directory))
    studies = [_read(directory, seated.directory, command) for seated in comparison.lineups]
    found = find_duels(comparison, studies, comparison.told_level if level is None else level)
    return found if found.packs >= comparison.deals else replace(found, going_on=command)


def _read(directory: Path, table: str, command: str) -> StoredStudy:
    try:
        if (directory / table / MANIFEST).is_file():
            study = read_study(directory / table)
            if study.cubes.deals >= study.session:
                return study
    except NoBlockYet:
        pass
    lacking = f"and nothing is played of {table} yet"
    raise unfinished(directory, "comparison", lacking, command)
