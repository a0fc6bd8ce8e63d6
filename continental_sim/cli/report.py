"""`contsim report`: charts and a page around them."""

from pathlib import Path
from typing import Annotated

import typer

from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.options import (
    AnyLevel,
    AsJson,
    StudyOrQuestion,
    directory_named,
    print_json,
)
from continental_sim.cli.playing import Quiet
from continental_sim.cli.progress import clock_of
from continental_sim.language import LANGUAGES, Code

app = new_app()


@app.command(
    cls=Command,
    epilog="Example: contsim report runs/20260101-120000-1f2e3d4c --out reports/mine",
)
def report(
    directory: StudyOrQuestion,
    out: Annotated[
        Path | None,
        typer.Option(
            parser=directory_named,
            metavar="PATH",
            help="Where to write.  [default: reports/NAME of the study]",
        ),
    ] = None,
    level: AnyLevel = None,
    lang: Annotated[
        Code, typer.Option(metavar=f"[{'|'.join(LANGUAGES)}]", help="Language of the page.")
    ] = "en",
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Draw a study, what-if or comparison: charts and a page around them."""
    # The name of the directory as it is, also for `contsim report .`
    target = out if out is not None else Path("reports") / directory.resolve().name
    from continental_sim.report import write_report

    with clock_of("reading and drawing", quiet=quiet):
        page = write_report(directory, target, level, lang)
    if as_json:
        print_json({"page": str(page), "directory": str(page.parent)})
    else:
        typer.echo(f"The report is in {page}")
