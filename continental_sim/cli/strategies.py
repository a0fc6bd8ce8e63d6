"""`contsim strategies`: who can play, and how to write a player of one's own."""

from pathlib import Path

import click

from continental_sim.cli.options import (
    PATH,
    chosen_rules,
    json_option,
    print_json,
    rules_options,
)


@click.group(
    invoke_without_command=True,
    epilog="Example: contsim strategies new mine && contsim run -s strategies/mine.py",
)
@click.pass_context
def strategies(ctx: click.Context) -> None:
    """List, show, check and start strategies."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@strategies.command("list", epilog="Example: contsim strategies list")
@json_option
def list_all(as_json: bool) -> None:
    """List the strategies that --strategy knows by name."""
    from continental_sim.strategy import list_strategies

    found = list_strategies()
    if as_json:
        print_json([{"name": each.name, "summary": each.summary} for each in found])
        return
    for each in found:
        click.echo(f"{each.name:<16} {each.summary}")


@strategies.command(epilog="Example: contsim strategies show fastest")
@click.argument("name")
@json_option
def show(name: str, as_json: bool) -> None:
    """Print the source of a strategy: the best example for one's own."""
    from continental_sim.strategy import source_of

    source = source_of(name)
    if as_json:
        print_json({"name": name, "source": source})
    else:
        click.echo(source, nl=False)


@strategies.command(epilog="Example: contsim strategies check strategies/mine.py:PATIENCE=4")
@click.argument("spec", metavar="NAME|FILE[:KNOB=VALUE,...]")
@rules_options
@json_option
def check(
    spec: str,
    rules_name: str | None,
    settings: tuple[str, ...],
    seats: str | None,
    as_json: bool,
) -> None:
    """Check a strategy: does it compile, obey the contract, play legally?"""
    from continental_sim.strategy_check import check_strategy

    findings = check_strategy(spec, chosen_rules(rules_name, settings, seats))
    if as_json:
        print_json({"strategy": spec, "valid": True, "findings": findings})
    else:
        click.echo("\n".join(findings))


@strategies.command(epilog="Example: contsim strategies new mine")
@click.argument("name")
@click.option(
    "--directory",
    type=PATH,
    default=Path("strategies"),
    show_default=True,
    help="Where to write it; ./strategies is searched by name.",
)
@json_option
def new(name: str, directory: Path, as_json: bool) -> None:
    """Write a template of a strategy to start from."""
    from continental_sim.strategy import new_strategy

    path = new_strategy(name, directory)
    if as_json:
        print_json({"path": str(path)})
    else:
        click.echo(f"Wrote {path}; next: contsim strategies check {path}")
