"""`contsim compare`: strategies against each other."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.numbers import DEALS
from continental_sim.cli.options import (
    AsJson,
    GameName,
    Level,
    RulesName,
    Seats,
    Settings,
    chosen_rules,
    directory_named,
    note,
    print_json,
    print_text,
)
from continental_sim.cli.outdir import fresh_directory
from continental_sim.cli.playing import (
    Backend,
    Compared,
    DealTimeout,
    Field,
    Jobs,
    MaxDeals,
    MaxTime,
    Quiet,
    Scheduler,
    Seed,
    number_of_deals,
    telling,
    watched,
)
from continental_sim.errors import typed

if TYPE_CHECKING:
    from continental_sim.comparing.duels import Duels

app = new_app()

DEFAULT_DEALS = 10_000


@app.command(
    cls=Command, epilog="Example: contsim compare fastest stock neighbours random --deals 2000"
)
def compare(
    ctx: typer.Context,
    strategies: Compared,
    field: Field = None,
    every: Annotated[
        bool,
        typer.Option("--all", help="Play all tables that the strategies can make."),
    ] = False,
    game: GameName = None,
    rules_name: RulesName = None,
    settings: Settings = None,
    seats: Seats = None,
    deals: Annotated[
        int | None,
        typer.Option(
            parser=DEALS,
            metavar="DEALS",
            help="Packs of each table; each is dealt again in all seatings.  [default: 1e4]",
        ),
    ] = None,
    seed: Seed = None,
    until: Annotated[
        list[str] | None,
        typer.Option(
            metavar="WIDTH|separated",
            help="Play until all differences are known to so many points a deal, such as 0.05, or"
            " until all strategies are separated.",
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
    """Tell which strategy is better: the same deals in balanced seatings.

    Each pack is dealt again until every strategy has sat in every seat, and behind every other
    one, equally often. Strategies that share the seats evenly sit at one table; others meet two
    at a time. The same command with --out goes on after an interruption.
    """
    from continental_sim.comparing import compare as comparing
    from continental_sim.comparing.settling import one_goal
    from continental_sim.play.means import Means
    from continental_sim.rules import rules_to_dict

    goal = one_goal(until or ())
    rules = chosen_rules(rules_name, settings, seats, game=game)
    if seed is None and out is not None:
        seed = comparing.begun_seed(out)
    comparison, studies = comparing.make_comparison(
        strategies,
        rules,
        field=field,
        every=every,
        deals=number_of_deals(deals, max_deals, until, max_time, DEFAULT_DEALS),
        seed=seed,
        level=level,
        until=goal,
    )
    described = {"rules": rules_to_dict(rules), "strategies": list(strategies)}
    directory = out if out is not None else fresh_directory(described)
    means = Means(jobs, backend, scheduler, deal_timeout, max_time)
    with watched(ctx.find_root().obj, quiet=quiet) as watcher:
        found = comparing.play_comparison(comparison, studies, directory, means, watcher)
    name = typed(directory)
    kept = "" if quiet else f"contsim: kept in {name}; print it again: contsim show {name}"
    with telling("comparison", name, kept):
        print_duels(found, as_json=as_json)


def print_duels(found: "Duels", *, as_json: bool) -> None:
    """Print a comparison."""
    from continental_sim.comparing.duels_table import duels_text, duels_to_json

    if as_json:
        print_json(duels_to_json(found))
    else:
        print_text(duels_text(found))
    if found.going_on:
        note(f"go on with {found.going_on}")  # on one line, whatever its length
