"""A study in a notebook: its main figures as a piece of HTML."""

from continental_sim.figures.summary import Summary
from continental_sim.figures.table_blocks import header
from continental_sim.report.pages import render_part
from continental_sim.report.study_tables import ends_table, ledgers_table, lengths_table, wins_table


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
    tables = (ends_table, wins_table, ledgers_table, lengths_table)
    return render_part(
        "result", {"header": list(header(summary)), "figures": [table(summary) for table in tables]}
    )
