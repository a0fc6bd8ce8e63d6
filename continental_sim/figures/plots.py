"""Charts of a study: small functions from a `Summary` to a `Chart`.

matplotlib takes a second to import: import this module where it is used.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final

from continental_sim.figures.continental_plots import continental_charts
from continental_sim.figures.plot_style import Chart
from continental_sim.figures.rummy_plots import rummy_charts
from continental_sim.figures.summary import Summary

_CHARTS: Final[Mapping[str, Callable[[Any], list[Chart]]]] = {
    "continental": continental_charts,
    "basic-rummy": rummy_charts,
}


def charts(summary: Summary) -> list[Chart]:
    """Draw all charts of a study, in the order of a report."""
    return _CHARTS[summary.rules.game](summary)
