"""`contsim show`: a finished study's table again."""

from pathlib import Path

import click

from continental_sim.cli.options import PATH, json_option, level_option, print_json


@click.command(epilog="Example: contsim show runs/20260101-120000-1f2e3d4c --level 0.99")
@click.argument("directory", metavar="DIR", type=PATH)
@level_option
@json_option
def show(directory: Path, level: float, as_json: bool) -> None:
    """Print the table of a finished study again."""
    from continental_sim import stats, store

    summary = stats.summarise(store.read_study(directory), level)
    if as_json:
        print_json(summary.to_json())
    else:
        click.echo(summary.table())
