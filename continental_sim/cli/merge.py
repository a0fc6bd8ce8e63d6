"""`contsim merge`: studies added up."""

from pathlib import Path
from typing import Annotated

import typer

from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.options import AsJson, Level, note
from continental_sim.cli.playing import Quiet, print_result
from continental_sim.errors import ContsimError

app = new_app()


@app.command(
    cls=Command,
    epilog="Example: contsim merge runs/first runs/second --out runs/both",
)
def merge(
    ctx: typer.Context,
    directories: Annotated[
        list[Path],
        typer.Argument(metavar="DIR DIR...", help="Studies of one experiment, all complete."),
    ],
    out: Annotated[Path, typer.Option(metavar="PATH", help="A new directory for their sum.")],
    level: Level = 0.95,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Add studies up that differ in seed or deals alone."""
    from continental_sim.play.merging import merge_studies
    from continental_sim.provenance import describe_run

    if len(directories) < 2:
        raise ContsimError(f"one study, {directories[0]}, has nothing to be merged with: name two")
    run = describe_run(ctx.find_root().obj)
    stored = merge_studies(directories, out, run, (lambda _: None) if quiet else note)
    print_result(stored, level, out, as_json=as_json, quiet=quiet)
