"""`contsim whatif`: rules beside rules."""

from pathlib import Path
from typing import Annotated

import typer

from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.numbers import DEALS
from continental_sim.cli.options import (
    AsJson,
    Level,
    RulesName,
    chosen_rules,
    print_json,
    print_text,
)
from continental_sim.cli.outdir import fresh_directory
from continental_sim.cli.playing import (
    DEFAULT_STRATEGY,
    Backend,
    DealTimeout,
    Jobs,
    Quiet,
    Scheduler,
    Seed,
    Strategies,
    watched,
)

app = new_app()

DEFAULT_DEALS = 200_000


@app.command(
    cls=Command,
    epilog="Example: contsim whatif --set recycles=0 --set ace=low --grid jokers=0,2,4",
)
def whatif(
    ctx: typer.Context,
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
        int,
        typer.Option(
            parser=DEALS, metavar="N", help="Deals of each.  [default: 2e5]", show_default=False
        ),
    ] = DEFAULT_DEALS,
    seed: Seed = None,
    strategies: Strategies = None,
    jobs: Jobs = None,
    backend: Backend = "loky",
    scheduler: Scheduler = None,
    deal_timeout: DealTimeout = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="PATH", help="Where the studies go.  [default: runs/TIME-MARK]"),
    ] = None,
    level: Level = 0.95,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Play rules and variants of them side by side, and tell what differs.

    All are played with one seed. Where the pack is the same, so are the deals: the differences are
    then paired, which makes them much smaller than the errors of the figures. The same command
    with --out goes on after an interruption.
    """
    from continental_sim.comparing import whatif as asking
    from continental_sim.comparing.contrasts import find_figures
    from continental_sim.comparing.variants import BASELINE, Variant, read_variants
    from continental_sim.comparing.whatif_table import answer_text, answer_to_json
    from continental_sim.play.means import Means
    from continental_sim.rules import rules_to_dict

    figures = find_figures(metrics or ())
    means = Means(jobs, backend, scheduler, deal_timeout)
    base = Variant(BASELINE, chosen_rules(rules_name, None, None))
    variants = read_variants(base.rules, settings or (), grids or (), files or ())
    if seed is None and out is not None:
        seed = asking.begun_seed(out)
    studies = asking.studies_of(base, variants, strategies or [DEFAULT_STRATEGY], seed, deals)
    names = [base.name, *(each.name for each in variants)]
    described = {
        name: rules_to_dict(study.rules) for name, study in zip(names, studies, strict=True)
    }
    directory = out if out is not None else fresh_directory(described)
    with watched(ctx.find_root().obj, quiet=quiet) as watcher:
        first, *rest = asking.play_all(studies, names, directory, means, watcher)
        answers = asking.compare(first, list(zip(variants, rest, strict=True)), level, figures)
    if as_json:
        print_json(
            {
                "deals": deals,
                "seed": studies[0].seed,
                "baseline": str(first.directory),
                "level": level,
                "variants": [answer_to_json(each, level) for each in answers],
            }
        )
        return
    print_text(f"{deals:,} deals of each, seed {studies[0].seed}, kept in {directory}.")
    print_text(answer_text(answers, level))
