"""`contsim strategies`: who can play, and how to write a player of one's own."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from continental_sim.cli.first_use import prepare_play
from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.numbers import DEALS
from continental_sim.cli.options import (
    DEFAULT_GAME,
    AsJson,
    Game,
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
from continental_sim.cli.progress import progress_bar
from continental_sim.errors import typed

if TYPE_CHECKING:
    from continental_sim.authors.check import Finding

DEFAULT_DEALS = 10_000

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
def list_all(game: OneGame = None, as_json: AsJson = False) -> None:
    """List the strategies that --strategy knows by name, game by game."""
    from continental_sim.rules import GAMES
    from continental_sim.strategy import list_strategies

    found = {each: list_strategies(each) for each in ([game] if game else GAMES)}
    if as_json:
        print_json(
            [
                {"name": each.name, "game": of, "summary": each.summary}
                for of, strategies in found.items()
                for each in strategies
            ]
        )
        return
    print_titled(
        {
            GAMES[of].title: {each.name: each.summary for each in strategies}
            for of, strategies in found.items()
        }
    )


@app.command(cls=Command, epilog="Example: contsim strategies show fastest --game basic-rummy")
def show(
    name: Annotated[str, typer.Argument(metavar="NAME|FILE", help="Which one.")],
    game: Annotated[
        Game | None,
        typer.Option(
            "--game",
            metavar="[continental|basic-rummy]",
            help="Of two with this name, that of which game.  [default: continental]",
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Print the source of a strategy: the best example for one's own."""
    from continental_sim.strategy import source_of

    source = source_of(name, game)
    if as_json:
        print_json({"name": name, "source": source})
    else:
        typer.echo(source, nl=False)


@app.command(cls=Command, epilog="Example: contsim strategies check strategies/mine.py:PATIENCE=4")
def check(
    spec: Annotated[str, typer.Argument(metavar="NAME|FILE[:KNOB=VALUE,...]", help="Which one.")],
    game: GameName = None,
    rules_name: RulesName = None,
    settings: Settings = None,
    seats: Seats = None,
    deals: Annotated[
        int,
        typer.Option(
            parser=DEALS,
            metavar="DEALS",
            help="Deals to look for illegal cards in, within 20 seconds; other checks play fewer."
            "  [default: 10k]",
            show_default=False,
        ),
    ] = DEFAULT_DEALS,
    as_json: AsJson = False,
) -> None:
    """Check a strategy: does it compile, obey the contract, play legally?

    It plays under the rules given and under rules at the edges, alone and beside random players. Of
    what is slow it plays as many deals as the time allows, and says how many.
    """
    from continental_sim.authors.check import Effort, check_strategy
    from continental_sim.authors.edges import checked_rules
    from continental_sim.strategy import find_strategy

    rules = chosen_rules(rules_name, settings, seats, game=game)
    find_strategy(spec, rules.game)  # what does not exist is told before tables are built
    prepare_play(*checked_rules(rules))
    shown = _Shown(quiet=as_json)
    try:
        found = check_strategy(spec, rules, Effort.of(deals), shown.watch, shown.tell)
    finally:
        shown.close()
    if as_json:
        findings = [{"name": each.name, "text": each.text, **each.figures} for each in found]
        print_json({"strategy": spec, "valid": True, "findings": findings})


@app.command(cls=Command, epilog="Example: contsim strategies new mine")
def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="What to call it.")],
    directory: Annotated[
        Path,
        typer.Option(metavar="PATH", help="Where to write it; ./strategies is searched by name."),
    ] = Path("strategies"),
    game: Annotated[
        Game,
        typer.Option("--game", metavar="[continental|basic-rummy]", help="What it is to play."),
    ] = DEFAULT_GAME,
    as_json: AsJson = False,
) -> None:
    """Write a template of a strategy to start from."""
    from continental_sim.strategy import new_strategy

    path = new_strategy(name, directory, game)
    if as_json:
        print_json({"path": str(path)})
    else:
        of_game = "" if game == DEFAULT_GAME else f" --game {game}"
        typer.echo(f"Wrote {path}; next: contsim strategies check {typed(path)}{of_game}")


class _Shown:
    """What a check shows while it goes on: each finding as it comes, and a bar for the next."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self.bar = progress_bar(quiet=quiet)

    def watch(self, done: int, total: int) -> None:
        """Draw the bar."""
        if self.bar is not None:
            self.bar(done, total)

    def tell(self, finding: "Finding") -> None:
        """Print a finding; what comes next is counted anew."""
        self.close()
        if not self.quiet:
            print_text(finding.text)
        self.bar = progress_bar(quiet=self.quiet)

    def close(self) -> None:
        """Wipe the bar."""
        if self.bar is not None:
            self.bar.close()
