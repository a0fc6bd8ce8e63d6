"""`contsim extend`: more deals for a study."""

from typing import Annotated

import typer

from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.numbers import DEALS
from continental_sim.cli.options import AsJson, Level, StudyDirectory
from continental_sim.cli.playing import (
    Backend,
    DealTimeout,
    Jobs,
    MaxTime,
    Quiet,
    Scheduler,
    play,
    print_result,
)

app = new_app()


@app.command(
    cls=Command,
    epilog="Example: contsim extend runs/20260101-120000-1f2e3d4c --deals 1e8",
)
def extend(
    ctx: typer.Context,
    directory: StudyDirectory,
    deals: Annotated[
        int,
        typer.Option(
            parser=DEALS,
            metavar="DEALS",
            help="Deals that the study is to have in all, those it has already among them.",
        ),
    ],
    max_time: MaxTime = None,
    jobs: Jobs = None,
    backend: Backend = "loky",
    scheduler: Scheduler = None,
    deal_timeout: DealTimeout = None,
    level: Level = 0.95,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Add deals to a study: it becomes what one run of all of them gives."""
    from continental_sim.files.manifest import refuse_table
    from continental_sim.play import simulate
    from continental_sim.play.means import Means

    refuse_table(directory)
    means = Means(jobs, backend, scheduler, deal_timeout, max_time)
    stored = play(
        lambda watcher: simulate.resume_study(directory, means, watcher, deals=deals),
        ctx.find_root().obj,
        quiet=quiet,
    )
    print_result(stored, level, directory, as_json=as_json, quiet=quiet)
