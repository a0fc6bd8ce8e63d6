"""`contsim replay`: one deal as readable play."""

from pathlib import Path
from typing import Annotated

import typer

from continental_sim.cli.first_use import prepare_play
from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.numbers import DEAL
from continental_sim.cli.options import AsJson, print_json, print_text, study_file

app = new_app()


@app.command(
    cls=Command,
    epilog="Example: contsim replay runs/20260101-120000-1f2e3d4c --deal 42",
)
def replay(
    study: Annotated[
        Path,
        typer.Argument(
            metavar="DIR|STUDY.toml", help="A study that was played, or a description of one."
        ),
    ],
    deal: Annotated[
        int, typer.Option(parser=DEAL, metavar="DEAL", help="Index of the deal, from 0.")
    ],
    as_json: AsJson = False,
) -> None:
    """Print one deal of a study as readable play."""
    from continental_sim import transcript
    from continental_sim.study import load_study

    wanted = load_study(study_file(study))
    prepare_play(wanted.rules)
    text = transcript.replay(wanted, deal)
    if as_json:
        print_json({"deal": deal, "lines": text.splitlines()})
    else:
        print_text(text)
