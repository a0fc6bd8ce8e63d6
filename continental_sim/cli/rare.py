"""`contsim rare`: how often a rare event happens."""

from typing import Annotated

import typer

from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.numbers import DURATION, ROOTS, SHARE
from continental_sim.cli.options import (
    AsJson,
    ContinentalAlone,
    Level,
    RulesName,
    Seats,
    Settings,
    chosen_rules,
    print_json,
    print_text,
)
from continental_sim.cli.playing import (
    DEFAULT_STRATEGY,
    Backend,
    FixedOrder,
    Jobs,
    Quiet,
    Scheduler,
    Seed,
    Strategies,
    watched,
)

app = new_app()

DEFAULT_TIME, LONGEST = 10.0, 600.0  # [seconds]


@app.command(cls=Command, epilog="Example: contsim rare 'one_suit and deuces == 0' --seed 1")
def rare(
    ctx: typer.Context,
    event: Annotated[
        str,
        typer.Argument(
            metavar="EVENT",
            help="What happens in a deal: columns of an outcome, compared, joined by and, or, not.",
        ),
    ],
    strategies: Strategies = None,
    seed: Seed = None,
    game: ContinentalAlone = None,
    rules_name: RulesName = None,
    settings: Settings = None,
    seats: Seats = None,
    fixed_order: FixedOrder = None,
    error: Annotated[
        float | None,
        typer.Option(
            parser=SHARE,
            metavar="SHARE",
            help="Play until the interval is so narrow, such as 10% of the rate on each side.",
        ),
    ] = None,
    roots: Annotated[
        int | None,
        typer.Option(parser=ROOTS, metavar="ROOTS", help="Play so many root deals, at most."),
    ] = None,
    max_time: Annotated[
        float | None,
        typer.Option(
            parser=DURATION,
            metavar="TIME",
            help="Begin nothing after this time.  [default: 10s; 10m with --error; none with"
            " --roots]",
        ),
    ] = None,
    jobs: Jobs = None,
    backend: Backend = "loky",
    scheduler: Scheduler = None,
    level: Level = 0.95,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Estimate how often a rare event of Continental happens, by multilevel splitting.

    A deal that comes nearer to the event goes on in several copies, each with its share of the
    weight. So events are met that plain play never sees, and their rate is right on average.

    EVENT names columns: end, kind, winner, seat, payment, deuces, jokers, one_suit, turns,
    recycles, dealer. For example: 'payment >= 21', 'kind == dealt and one_suit', 'turns > 100'.
    """
    from continental_sim.play.means import Means
    from continental_sim.rare.rare_table import rare_text, rare_to_json
    from continental_sim.rare.splitting import rare_rate
    from continental_sim.study import make_study

    if max_time is None and roots is None:
        max_time = LONGEST if error is not None else DEFAULT_TIME
    rules = chosen_rules(rules_name, settings, seats, game=game)
    study = make_study(
        rules, strategies or [DEFAULT_STRATEGY], seed, rules.seats, bool(fixed_order)
    )
    means = Means(jobs, backend, scheduler, max_time=max_time)
    with watched(ctx.find_root().obj, quiet=quiet) as watcher:
        found = rare_rate(study, event, level, means, watcher, roots=roots, error=error)
    if as_json:
        print_json(rare_to_json(found))
    else:
        print_text(rare_text(found))
