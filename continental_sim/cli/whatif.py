"""`contsim whatif`: rules beside rules."""

from pathlib import Path
from typing import Annotated

import typer

from continental_sim.cli.answered import print_answers
from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.numbers import DEALS
from continental_sim.cli.options import (
    DEFAULT_GAME,
    AsJson,
    GameName,
    Level,
    RulesName,
    directory_named,
)
from continental_sim.cli.outdir import fresh_directory
from continental_sim.cli.playing import (
    DEFAULT_STRATEGY,
    Backend,
    DealTimeout,
    Jobs,
    MaxDeals,
    MaxTime,
    Quiet,
    Scheduler,
    Seed,
    Strategies,
    number_of_deals,
    telling,
    watched,
)
from continental_sim.errors import typed

app = new_app()

DEFAULT_DEALS = 200_000  # of each


@app.command(
    cls=Command,
    epilog="Example: contsim whatif --set recycles=0 --set ace=low --grid jokers=0,2,4",
)
def whatif(
    ctx: typer.Context,
    game: GameName = None,
    rules_name: RulesName = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE...",
            help="A variant: one rule changed, or several parted by spaces; may be repeated.",
        ),
    ] = None,
    grids: Annotated[
        list[str] | None,
        typer.Option(
            "--grid",
            metavar="KEY=A,B,...",
            help="A variant for each value; of several grids for each combination.",
        ),
    ] = None,
    files: Annotated[
        list[str] | None,
        typer.Option("--variant", metavar="NAME|FILE", help="A variant: a preset or a file."),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="NAME",
            help="Compare this figure alone, such as exits.dealt; may be repeated.",
        ),
    ] = None,
    deals: Annotated[
        int | None,
        typer.Option(parser=DEALS, metavar="DEALS", help="Deals of each.  [default: 2e5]"),
    ] = None,
    seed: Seed = None,
    strategies: Strategies = None,
    until: Annotated[
        list[str] | None,
        typer.Option(
            metavar="METRIC=WIDTH",
            help="Play until differences are known so well: turns=0.05 on each side, or"
            " turns=1% of the baseline's; may be repeated.",
        ),
    ] = None,
    max_deals: MaxDeals = None,
    max_time: MaxTime = None,
    jobs: Jobs = None,
    backend: Backend = "loky",
    scheduler: Scheduler = None,
    deal_timeout: DealTimeout = None,
    out: Annotated[
        Path | None,
        typer.Option(
            parser=directory_named,
            metavar="PATH",
            help="Where the studies go.  [default: runs/TIME-MARK]",
        ),
    ] = None,
    level: Level = 0.95,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play rules and variants of them side by side, and tell what differs.

    All are played with one seed. Where the pack is the same, so are the deals: the differences are
    then paired, which makes them much smaller than the errors of the figures. The same command
    with --out goes on after an interruption; contsim report draws the answer.
    """
    from continental_sim.comparing import whatif as asking
    from continental_sim.play.means import Means
    from continental_sim.rules import rules_to_dict

    means = Means(jobs, backend, scheduler, deal_timeout, max_time)
    if seed is None and out is not None:
        seed = asking.begun_seed(out)
    asked = asking.make_question(
        rules_name or game or DEFAULT_GAME,
        game,
        settings=settings or (),
        grids=grids or (),
        files=files or (),
        metrics=metrics or (),
        strategies=strategies or [DEFAULT_STRATEGY],
        until=until or (),
        deals=number_of_deals(deals, max_deals, until, max_time, DEFAULT_DEALS),
        seed=seed,
        level=level,
    )
    question, studies = asked.question, asked.studies
    described = {
        each.name: rules_to_dict(study.rules)
        for each, study in zip(question.studies, studies, strict=True)
    }
    directory = out if out is not None else fresh_directory(described)
    with watched(ctx.find_root().obj, quiet=quiet) as watcher:
        played = asking.play_question(question, studies, directory, means, watcher, asked.goals)
    found, reason = played
    name = typed(directory)
    with telling("answer", name, "" if quiet else f"contsim: draw it: contsim report {name}"):
        print_answers(found, level, directory, reason=reason, as_json=as_json)
