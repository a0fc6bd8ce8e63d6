"""From the cubes of a study to its figures."""

from collections.abc import Mapping
from typing import Final

from continental_sim.figures.continental_stats import ContinentalFigures
from continental_sim.figures.rummy_stats import RummyFigures
from continental_sim.figures.shared_stats import StudyFigures
from continental_sim.figures.summary import Summary
from continental_sim.files.store import StoredStudy

_FIGURES: Final[Mapping[str, type[StudyFigures]]] = {
    "continental": ContinentalFigures,
    "basic-rummy": RummyFigures,
}


def summarise(study: StoredStudy, level: float = 0.95) -> Summary:
    """Estimate all figures of a study.

    Parameters
    ----------
    study : StoredStudy
        As `store.read_study` or `store.write_study` gives it.
    level : float
        Confidence level of all intervals, between 0 and 1.

    Returns
    -------
    Summary
        That of its game.
    """
    return _FIGURES[study.rules.game](study, level).summary()
