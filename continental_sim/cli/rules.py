"""`contsim rules`: what can be played."""

import json

import click

from continental_sim.cli.options import chosen_rules, json_option, print_json, rules_options


@click.group(
    invoke_without_command=True,
    epilog="Example: contsim rules show continental-5 --set recycles=0 > mine.toml",
)
@click.pass_context
def rules(ctx: click.Context) -> None:
    """List, show and check the rules of a game."""
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@rules.command("list", epilog="Example: contsim rules list")
@json_option
def list_presets(as_json: bool) -> None:
    """List the rules that come with contsim."""
    from continental_sim.rules import load

    presets = {name: load.preset_about(name) for name in load.preset_names()}
    if as_json:
        print_json([{"name": name, "about": about} for name, about in presets.items()])
        return
    for name, about in presets.items():
        click.echo(f"{name:<16} {about}")


@rules.command(epilog="Example: contsim rules show continental --set ace=wrap --json")
@click.argument("name", metavar="[NAME|FILE]", required=False)
@click.option("--keys", is_flag=True, help="Explain each key instead: type, default, meaning.")
@rules_options
@json_option
def show(
    name: str | None,
    keys: bool,
    rules_name: str | None,
    settings: tuple[str, ...],
    seats: str | None,
    as_json: bool,
) -> None:
    """Print rules as a TOML file that --rules accepts."""
    if keys:
        _show_keys(as_json=as_json)
        return
    from continental_sim.rules import load

    chosen = chosen_rules(_one_name(name, rules_name), settings, seats)
    if as_json:
        print_json(load.rules_to_dict(chosen))
        return
    import tomli_w

    for line in load.describe(chosen):
        click.echo(f"# {line}")
    click.echo(tomli_w.dumps(load.rules_to_dict(chosen)), nl=False)


@rules.command(epilog="Example: contsim rules check mine.toml")
@click.argument("name", metavar="[NAME|FILE]", required=False)
@rules_options
@json_option
def check(
    name: str | None,
    rules_name: str | None,
    settings: tuple[str, ...],
    seats: str | None,
    as_json: bool,
) -> None:
    """Check that rules can be played, and say what they are."""
    from continental_sim.rules import load

    chosen = chosen_rules(_one_name(name, rules_name), settings, seats)
    lines = load.describe(chosen)
    if as_json:
        print_json({"valid": True, "description": lines})
        return
    click.echo("\n".join(["These rules can be played:", *lines]))


def _show_keys(*, as_json: bool) -> None:
    from continental_sim.rules import keys as rule_table

    table = rule_table.rule_keys().values()
    if as_json:
        names = ("name", "type", "allowed", "default", "guide", "doc")
        print_json([{name: getattr(key, name) for name in names} for key in table])
        return
    for key in table:
        # Plain values look the same in JSON and TOML.
        click.echo(f"{key.name} = {json.dumps(key.default)}")
        click.echo(f"    {key.doc}")
        click.echo(f"    Allowed: {key.allowed}. Guide: {key.guide}.")


def _one_name(argument: str | None, option: str | None) -> str | None:
    if argument is not None and option is not None:
        raise click.UsageError(f"rules are named twice, {argument!r} and --rules {option!r}")
    return argument if argument is not None else option
