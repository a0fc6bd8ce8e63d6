"""What each game has of figures, tables and charts: the only place here that names the games."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from continental_sim.figures.compared_figure import Figure
from continental_sim.figures.continental_compared import CONTINENTAL_COMPARED
from continental_sim.figures.continental_metrics import CONTINENTAL_METRICS
from continental_sim.figures.continental_stats import ContinentalFigures
from continental_sim.figures.continental_summary import ContinentalSummary
from continental_sim.figures.continental_table import continental_blocks
from continental_sim.figures.game_words import Words
from continental_sim.figures.metric import Metric
from continental_sim.figures.rummy_compared import RUMMY_COMPARED
from continental_sim.figures.rummy_metrics import RUMMY_METRICS
from continental_sim.figures.rummy_stats import RummyFigures
from continental_sim.figures.rummy_summary import RummySummary
from continental_sim.figures.rummy_table import rummy_blocks
from continental_sim.figures.shared_stats import StudyFigures
from continental_sim.figures.table_parts import Block
from continental_sim.rules import BasicRummyRules, ContinentalRules

if TYPE_CHECKING:
    from continental_sim.figures.plot_style import Chart


@dataclass(frozen=True, slots=True)
class GameFigures:
    """The figures of a game, and how they are told.

    Attributes
    ----------
    words : Words
        What the game calls things.
    figures : type of StudyFigures
        Makes the summary of a study.
    blocks : callable
        From such a summary to the blocks of its tables.
    charts : callable
        From such a summary to its charts, in the order of a report.
    metrics : mapping of str to Metric
        The figures that a user may name, by name.
    compared : tuple of Figure
        Those that are compared between two sets of deals.

    Notes
    -----
    What the rules make impossible is told by the record of the rules, which metrics ask.
    """

    words: Words
    figures: type[StudyFigures]
    blocks: Callable[[Any], Sequence[Block]]
    charts: Callable[[Any], "list[Chart]"]
    metrics: Mapping[str, Metric]
    compared: tuple[Figure, ...]


def _continental_charts(summary: ContinentalSummary) -> "list[Chart]":
    from continental_sim.figures.continental_plots import continental_charts

    return continental_charts(summary)


def _rummy_charts(summary: RummySummary) -> "list[Chart]":
    from continental_sim.figures.rummy_plots import rummy_charts

    return rummy_charts(summary)


GAME_FIGURES: Final[Mapping[str, GameFigures]] = {
    ContinentalRules.game: GameFigures(
        words=ContinentalSummary.words,
        figures=ContinentalFigures,
        blocks=continental_blocks,
        charts=_continental_charts,
        metrics=CONTINENTAL_METRICS,
        compared=CONTINENTAL_COMPARED,
    ),
    BasicRummyRules.game: GameFigures(
        words=RummySummary.words,
        figures=RummyFigures,
        blocks=rummy_blocks,
        charts=_rummy_charts,
        metrics=RUMMY_METRICS,
        compared=RUMMY_COMPARED,
    ),
}
