"""`contsim plan`: the deals that settle which strategy is better."""

import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.numbers import DEALS, POINTS, SHARE
from continental_sim.cli.options import (
    AsJson,
    GameName,
    Level,
    RulesName,
    Seats,
    Settings,
    chosen_rules,
    print_json,
    print_text,
)
from continental_sim.cli.playing import Compared, Field, Jobs, Quiet, Seed, watched
from continental_sim.words import counted

app = new_app()


@app.command(cls=Command, epilog="Example: contsim plan fastest neighbours --detect 0.05")
def plan(
    ctx: typer.Context,
    strategies: Compared,
    detect: Annotated[
        float,
        typer.Option(
            parser=POINTS, metavar="POINTS", help="The difference to be found, in points a deal."
        ),
    ] = 0.05,
    power: Annotated[
        float,
        typer.Option(parser=SHARE, metavar="SHARE", help="How often it is to be found."),
    ] = 0.8,
    field: Field = None,
    game: GameName = None,
    rules_name: RulesName = None,
    settings: Settings = None,
    seats: Seats = None,
    deals: Annotated[
        int,
        typer.Option(parser=DEALS, metavar="DEALS", help="Packs of each table that are tried out."),
    ] = 1000,
    seed: Seed = None,
    jobs: Jobs = None,
    level: Level = 0.95,
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Tell how many deals contsim compare needs to find a difference.

    Some packs are played to see how much the difference varies, and are not kept.
    """
    from continental_sim.comparing import planning
    from continental_sim.comparing.compare import make_comparison, play_comparison
    from continental_sim.figures.formats import count_text, percent, short_names
    from continental_sim.play.means import Means

    planning.check_power(power)
    planning.check_pilot(deals)
    rules = chosen_rules(rules_name, settings, seats, game=game)
    comparison, studies = make_comparison(
        strategies, rules, field=field, deals=deals, seed=seed, level=level
    )
    with (
        tempfile.TemporaryDirectory(prefix="contsim-") as room,
        watched(ctx.find_root().obj, quiet=quiet) as watcher,
    ):
        pilot = play_comparison(comparison, studies, Path(room) / "pilot", Means(jobs), watcher)
    needed = planning.plan(pilot, detect, power, level)
    if as_json:
        print_json(
            {
                "detect": detect,
                "power": power,
                "level": level,
                "seed": comparison.seed,
                "pilot_packs": deals,
                "pairs": [asdict(each) for each in needed],
            }
        )
        return
    print_text(
        f"To find a difference of {counted(detect, 'point')} a deal {percent(power)} of the time, "
        f"at a level of {percent(level)}, by the {counted(deals, 'pack')} of each table that were "
        f"tried out (seed {comparison.seed}):"
    )
    typer.echo(f"{'':<40}{'--deals':>12}{'deals played':>14}{'plain play':>14}")
    compared = comparison.compared
    names = short_names(compared, 18)
    for each in needed:
        pair = f"{names[each.one]} - {names[each.other]}"
        numbers = (each.packs, each.deals, each.plain_deals)
        widths = (12, 14, 14)
        shown = [
            "-" if number is None else count_text(number, width)
            for number, width in zip(numbers, widths, strict=True)
        ]
        typer.echo(f"{pair:<40}{shown[0]:>12}{shown[1]:>14}{shown[2]:>14}")
