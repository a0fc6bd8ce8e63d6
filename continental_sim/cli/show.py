"""`contsim show`: a finished study's table again."""

import typer

from continental_sim.cli.answered import show_answers
from continental_sim.cli.compare import print_duels
from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.options import (
    DEFAULT_LEVEL,
    AnyLevel,
    AsJson,
    StudyOrQuestion,
    print_json,
)
from continental_sim.cli.style import heading

app = new_app()


@app.command(
    cls=Command,
    epilog="Example: contsim show runs/20260101-120000-1f2e3d4c --level 0.99",
)
def show(directory: StudyOrQuestion, level: AnyLevel = None, as_json: AsJson = False) -> None:
    """Print the table of a finished study, what-if or comparison again."""
    from continental_sim.comparing.comparison import is_comparison
    from continental_sim.comparing.question import is_question
    from continental_sim.comparing.reading import read_duels
    from continental_sim.figures import stats
    from continental_sim.figures.summary_table import render_table
    from continental_sim.files import store

    if is_question(directory):
        show_answers(directory, level, as_json=as_json)
        return
    if is_comparison(directory):
        print_duels(read_duels(directory, level), as_json=as_json)
        return
    summary = stats.summarise(
        store.read_study(directory), DEFAULT_LEVEL if level is None else level
    )
    if as_json:
        print_json(summary.to_json())
    else:
        typer.echo(render_table(summary, heading))
