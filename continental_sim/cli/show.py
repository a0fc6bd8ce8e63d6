"""`contsim show`: a finished study's table again."""

import typer

from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.options import AsJson, Level, StudyDirectory, print_json

app = new_app()


@app.command(
    cls=Command,
    epilog="Example: contsim show runs/20260101-120000-1f2e3d4c --level 0.99",
)
def show(directory: StudyDirectory, level: Level = 0.95, as_json: AsJson = False) -> None:
    """Print the table of a finished study again."""
    from continental_sim.figures import stats
    from continental_sim.figures.summary_table import render_table
    from continental_sim.files import store

    summary = stats.summarise(store.read_study(directory), level)
    if as_json:
        print_json(summary.to_json())
    else:
        typer.echo(render_table(summary))
