"""`contsim replay`: one deal as readable play."""

from pathlib import Path

import click

from continental_sim.cli.numbers import DEAL
from continental_sim.cli.options import (
    PATH,
    json_option,
    note_first_use,
    print_json,
    study_file,
)


@click.command(epilog="Example: contsim replay runs/20260101-120000-1f2e3d4c --deal 42")
@click.argument("study", metavar="DIR|STUDY.toml", type=PATH)
@click.option("--deal", type=DEAL, required=True, help="Index of the deal, from 0.")
@json_option
def replay(study: Path, deal: int, as_json: bool) -> None:
    """Print one deal of a study as readable play."""
    from continental_sim import transcript
    from continental_sim.study import load_study

    wanted = load_study(study_file(study))
    note_first_use(wanted.rules)
    text = transcript.replay(wanted, deal)
    if as_json:
        print_json({"deal": deal, "lines": text.splitlines()})
    else:
        click.echo(text)
