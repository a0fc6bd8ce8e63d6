"""`contsim replay`: one deal as readable play."""

from pathlib import Path
from typing import Annotated

import typer

from continental_sim.cli.first_use import prepare_play
from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.numbers import DEAL, DURATION
from continental_sim.cli.options import AsJson, note, print_json, print_text, study_file

app = new_app()

DEFAULT_TIMEOUT = 60.0  # [seconds]


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
    deal_timeout: Annotated[
        float,
        typer.Option(
            parser=DURATION,
            metavar="TIME",
            help="Stop a deal that takes longer: 0.5, 10s or 2m.  [default: 60s]",
            show_default=False,
        ),
    ] = DEFAULT_TIMEOUT,
    as_json: AsJson = False,
) -> None:
    """Print one deal of a study as readable play."""
    from continental_sim import transcript
    from continental_sim.play.segments import load_study_of_deal

    wanted, place = load_study_of_deal(study_file(study), deal)
    if not wanted.first_deal <= place < wanted.end:
        note(
            f"deal {deal} is none of the study's, which are {wanted.first_deal} to "
            f"{wanted.end - 1}; here is how it would go"
        )
    prepare_play(wanted.rules)
    text = transcript.replay(wanted, place, deal_timeout)
    if as_json:
        print_json({"deal": deal, "lines": text.splitlines()})
    else:
        print_text(text)
