"""From the cubes of a study to its figures."""

from continental_sim.figures.game_figures import GAME_FIGURES
from continental_sim.figures.summary import Summary
from continental_sim.files.store import StoredStudy


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
    return GAME_FIGURES[study.rules.game].figures(study, level).summary()
