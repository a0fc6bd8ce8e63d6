"""`contsim strategies`: who can play, and how to write a player of one's own."""

from pathlib import Path
from typing import Annotated

import typer

from continental_sim.cli.first_use import prepare_play
from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.options import (
    AsJson,
    RulesName,
    Seats,
    Settings,
    chosen_rules,
    print_json,
    print_text,
)
from continental_sim.errors import typed

app = new_app(
    invoke_without_command=True,
    epilog="Example: contsim strategies new mine && contsim run -s strategies/mine.py",
)


@app.callback()
def strategies(ctx: typer.Context) -> None:
    """List, show, check and start strategies."""
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


@app.command("list", cls=Command, epilog="Example: contsim strategies list")
def list_all(as_json: AsJson = False) -> None:
    """List the strategies that --strategy knows by name."""
    from continental_sim.strategy import list_strategies

    found = list_strategies()
    if as_json:
        print_json([{"name": each.name, "summary": each.summary} for each in found])
        return
    for each in found:
        print_text(f"{each.name:<16} {each.summary}", hang=" " * 17)


@app.command(cls=Command, epilog="Example: contsim strategies show fastest")
def show(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="Which one.")],
    as_json: AsJson = False,
) -> None:
    """Print the source of a strategy: the best example for one's own."""
    from continental_sim.strategy import source_of

    source = source_of(name)
    if as_json:
        print_json({"name": name, "source": source})
    else:
        typer.echo(source, nl=False)


@app.command(cls=Command, epilog="Example: contsim strategies check strategies/mine.py:PATIENCE=4")
def check(
    spec: Annotated[str, typer.Argument(metavar="NAME|FILE[:KNOB=VALUE,...]", help="Which one.")],
    rules_name: RulesName = None,
    settings: Settings = None,
    seats: Seats = None,
    as_json: AsJson = False,
) -> None:
    """Check a strategy: does it compile, obey the contract, play legally?"""
    from continental_sim.strategy_check import check_strategy

    rules = chosen_rules(rules_name, settings, seats)
    prepare_play(rules)
    findings = check_strategy(spec, rules)
    if as_json:
        print_json({"strategy": spec, "valid": True, "findings": findings})
    else:
        print_text("\n".join(findings))


@app.command(cls=Command, epilog="Example: contsim strategies new mine")
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call it.")],
    directory: Annotated[
        Path,
        typer.Option(metavar="PATH", help="Where to write it; ./strategies is searched by name."),
    ] = Path("strategies"),
    as_json: AsJson = False,
) -> None:
    """Write a template of a strategy to start from."""
    from continental_sim.strategy import new_strategy

    path = new_strategy(name, directory)
    if as_json:
        print_json({"path": str(path)})
    else:
        typer.echo(f"Wrote {path}; next: contsim strategies check {typed(path)}")
