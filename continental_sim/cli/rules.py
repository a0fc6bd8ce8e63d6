"""`contsim rules`: what can be played."""

import json
from typing import TYPE_CHECKING, Annotated

import typer

from continental_sim.cli.framework import Command, UsageError, new_app
from continental_sim.cli.options import (
    AsJson,
    GameName,
    OneGame,
    RulesName,
    Seats,
    Settings,
    chosen_rules,
    print_json,
    print_text,
    print_titled,
)

if TYPE_CHECKING:
    from continental_sim.rules import GameRules

app = new_app(
    invoke_without_command=True,
    epilog="Example: contsim rules show continental-5 --set recycles=0 > mine.toml",
)

Preset = Annotated[
    str | None, typer.Argument(metavar="[NAME|FILE]", help="A preset or a TOML file of rules.")
]


@app.callback()
def rules(ctx: typer.Context) -> None:
    """List, show and check the rules of a game."""
    if ctx.invoked_subcommand is None:
        typer.echo(ctx.get_help())


@app.command("list", cls=Command, epilog="Example: contsim rules list")
def list_presets(game: OneGame = None, as_json: AsJson = False) -> None:
    """List the rules that come with contsim, game by game."""
    from continental_sim.rules import load

    presets = {
        each: {name: load.preset_about(name) for name in load.preset_names(each)}
        for each in ([game] if game else load.GAMES)
    }
    if as_json:
        print_json(
            [
                {"name": name, "game": each, "about": about}
                for each, of_game in presets.items()
                for name, about in of_game.items()
            ]
        )
        return
    print_titled({load.GAMES[each].title: of_game for each, of_game in presets.items()})


@app.command(cls=Command, epilog="Example: contsim rules show continental --set ace=wrap --json")
def show(
    name: Preset = None,
    keys: Annotated[
        bool, typer.Option("--keys", help="Explain each key instead: type, default, meaning.")
    ] = False,
    game: GameName = None,
    rules_name: RulesName = None,
    settings: Settings = None,
    seats: Seats = None,
    as_json: AsJson = False,
) -> None:
    """Print rules as a TOML file that --rules accepts."""
    from continental_sim.rules import load

    chosen = chosen_rules(_one_name(name, rules_name), settings, seats, game=game)
    if keys:
        _show_keys(chosen, as_json=as_json)
        return
    if as_json:
        print_json(load.rules_to_dict(chosen))
        return
    import tomli_w

    for line in load.describe(chosen):
        print_text(line, start="# ", hang="#   ")
    typer.echo(tomli_w.dumps(load.rules_to_dict(chosen)), nl=False)


@app.command(cls=Command, epilog="Example: contsim rules check mine.toml")
def check(
    name: Preset = None,
    game: GameName = None,
    rules_name: RulesName = None,
    settings: Settings = None,
    seats: Seats = None,
    as_json: AsJson = False,
) -> None:
    """Check that rules can be played, and say what they are."""
    from continental_sim.game_tables import are_searched
    from continental_sim.rules import load
    from continental_sim.tables import SLOW

    chosen = chosen_rules(_one_name(name, rules_name), settings, seats, game=game)
    lines = load.describe(chosen)
    if are_searched(chosen):
        lines.append(f"{SLOW[0].upper()}{SLOW[1:]}.")
    if as_json:
        print_json({"valid": True, "description": lines})
        return
    print_text("\n".join(["These rules can be played:", *lines]))


def _show_keys(rules: "GameRules", *, as_json: bool) -> None:
    from continental_sim.rules import keys as rule_table

    table = rule_table.rule_keys(type(rules)).values()
    if as_json:
        names = ("name", "type", "allowed", "default", "guide", "doc")
        print_json([{name: getattr(key, name) for name in names} for key in table])
        return
    for key in table:
        # Plain values look the same in JSON and TOML.
        typer.echo(f"{key.name} = {json.dumps(key.default)}")
        print_text(f"{key.doc}\nAllowed: {key.allowed}. Guide: {key.guide}.", start="    ")


def _one_name(argument: str | None, option: str | None) -> str | None:
    if argument is not None and option is not None:
        raise UsageError(f"rules are named twice, {argument!r} and --rules {option!r}")
    return argument if argument is not None else option
