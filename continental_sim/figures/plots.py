"""Charts of a study: small functions from a `Summary` to a `Chart`.

matplotlib takes a second to import: import this module where it is used.
"""

from continental_sim.figures.game_figures import GAME_FIGURES
from continental_sim.figures.plot_style import Chart
from continental_sim.figures.summary import Summary


def charts(summary: Summary) -> list[Chart]:
    """Draw all charts of a study, in the order of a report."""
    return GAME_FIGURES[summary.rules.game].charts(summary)
