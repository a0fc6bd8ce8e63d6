"""Find the figures that are compared between two sets of deals."""

from collections.abc import Iterable

from continental_sim.errors import ContsimError
from continental_sim.figures.compared_figure import Figure
from continental_sim.figures.game_figures import GAME_FIGURES


def find_figures(names: Iterable[str], game: str) -> list[Figure]:
    """Find figures of a game by name, in their order; all of them if none is named.

    Raises
    ------
    ContsimError
        If there is no such figure.
    """
    wanted, figures = list(names), GAME_FIGURES[game].compared
    known = [figure.name for figure in figures]
    for name in wanted:
        if name not in known:
            raise ContsimError(f"metric {name!r} is not compared: choose {', '.join(known)}")
    return [figure for figure in figures if not wanted or figure.name in wanted]
