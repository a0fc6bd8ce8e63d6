"""`contsim report`: charts and a page around them."""

from pathlib import Path

import click

from continental_sim.cli.options import PATH, json_option, level_option, print_json


@click.command(epilog="Example: contsim report runs/20260101-120000-1f2e3d4c --out reports/mine")
@click.argument("directory", metavar="DIR", type=PATH)
@click.option("--out", type=PATH, help="Where to write.  [default: reports/NAME of the study]")
@level_option
@json_option
def report(directory: Path, out: Path | None, level: float, as_json: bool) -> None:
    """Draw a study: charts and a page around them."""
    # The name of the directory as it is, also for `contsim report .`
    target = out if out is not None else Path("reports") / directory.resolve().name
    from continental_sim.report import write_report

    page = write_report(directory, target, level)
    if as_json:
        print_json({"page": str(page), "directory": str(page.parent)})
    else:
        click.echo(f"The report is in {page}")
