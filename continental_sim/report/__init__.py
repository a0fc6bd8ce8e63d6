"""Reports: the figures and charts of a study, a what-if question or a comparison, as pages."""

from pathlib import Path

from continental_sim.comparing.comparison import is_comparison
from continental_sim.comparing.question import is_question
from continental_sim.language import Code, speaking
from continental_sim.report.answers import write_answers
from continental_sim.report.comparisons import write_comparison_report
from continental_sim.report.studies import write_study_report

__all__ = ["write_report"]

LEVEL = 0.95  # of a study, if none is wanted


def write_report(
    directory: Path, target: Path, level: float | None = None, language: Code = "en"
) -> Path:
    """Draw what a directory holds and write a page around the charts.

    Parameters
    ----------
    directory : Path
        That `contsim run`, `contsim whatif` or `contsim compare` made.
    target : Path
        As `pages.write_pages` takes it.
    level : float or None
        Confidence level of all intervals; 0.95, or that of what was asked, if None.
    language : str
        Of the page and its charts, one of `language.LANGUAGES`.

    Returns
    -------
    Path
        The HTML page.

    Raises
    ------
    ContsimError
        If what is there cannot be read, or the report cannot be written.
    """
    # Charts are written while they are saved, so that all of it is one conversation.
    with speaking(language):
        if is_comparison(directory):
            return write_comparison_report(directory, target, level)
        if is_question(directory):
            return write_answers(directory, target, level)
        return write_study_report(directory, target, LEVEL if level is None else level)
