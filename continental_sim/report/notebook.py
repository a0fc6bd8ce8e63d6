"""A study in a notebook: its main figures as a piece of HTML."""

from continental_sim.figures.summary import Summary
from continental_sim.figures.summary_table import header
from continental_sim.report.html import render_part
from continental_sim.report.study_tables import study_tables

_MAIN = ("Ends", "Wins", "Ledger", "Length")  # tables, by the first word of their titles


def study_part(summary: Summary) -> str:
    """Return the main figures of a study, with their intervals, under what was played.

    Parameters
    ----------
    summary : Summary
        Of a study of any game.

    Returns
    -------
    str
        An element of HTML; names of strategies in it are escaped.
    """
    tables = [it for it in study_tables(summary) if it.title.startswith(_MAIN)]
    return render_part("result", {"header": list(header(summary)), "figures": tables})
