"""`contsim verify`: the simulation against what is counted."""

from typing import Annotated

import typer

from continental_sim.cli.first_use import prepare_play
from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.numbers import DEALS, SEED
from continental_sim.cli.options import (
    AsJson,
    GameName,
    RulesName,
    Seats,
    Settings,
    chosen_rules,
    print_json,
    print_text,
)
from continental_sim.cli.playing import Quiet, watched

app = new_app()

DEFAULT_DEALS = 1_000_000
DEFAULT_SEED = 1
STATUS_FAULT = 1


@app.command(cls=Command, epilog="Example: contsim verify --deals 1e5 --set ace=wrap")
def verify(
    deals: Annotated[
        int,
        typer.Option(
            parser=DEALS, metavar="N", help="Deals to play.  [default: 1e6]", show_default=False
        ),
    ] = DEFAULT_DEALS,
    seed: Annotated[int, typer.Option(parser=SEED, metavar="SEED", help="Seed.")] = DEFAULT_SEED,
    game: GameName = None,
    rules_name: RulesName = None,
    settings: Settings = None,
    seats: Seats = None,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Compare play with what is counted exactly: for a new machine, or new rules.

    For each number of events: how many are expected, how many came, and how far off that is in
    standard errors (z).

    Exit status: 0 all is well, 1 a row is more than 4 standard errors off, 2 bad input.
    """
    from continental_sim.exact import verify as verifying

    rules = chosen_rules(rules_name, settings, seats, game=game)
    prepare_play(rules)
    with watched(quiet=quiet) as watcher:
        rows = verifying.verify(rules, deals, seed, progress=watcher.progress)
    wrong = verifying.faults(rows)
    if as_json:
        print_json(
            {
                "deals": deals,
                "seed": seed,
                "rows": [
                    {
                        "name": row.name,
                        "expected": row.expected,
                        "observed": row.observed,
                        "z": row.z,
                        "fault": row in wrong,
                    }
                    for row in rows
                ],
            }
        )
    else:
        print_text(verifying.verify_table(rows, wrong, deals))
    raise typer.Exit(STATUS_FAULT if wrong else 0)
