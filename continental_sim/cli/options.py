"""Options that several commands share, and what they stand for."""

import json
import sys
import textwrap
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from continental_sim.cli.numbers import LEVEL
from continental_sim.cli.style import painted
from continental_sim.errors import ContsimError

if TYPE_CHECKING:
    from continental_sim.rules.base import GameRules

COLUMNS = 80  # of whatever is printed for people
DEFAULT_GAME: "Game" = "continental"

Game = Literal["continental", "basic-rummy"]  # as `rules.GAMES`, which would be slow to import
GameName = Annotated[
    Game | None,
    typer.Option(
        "--game",
        metavar="[continental|basic-rummy]",
        help="A game, with its default rules.  [default: that of --rules]",
    ),
]
ContinentalAlone = Annotated[
    Game | None,
    typer.Option(
        "--game",
        metavar="[continental]",
        help="This is for Continental alone: another game is refused.",
    ),
]
OneGame = Annotated[
    Game | None,
    typer.Option(
        "--game",
        metavar="[continental|basic-rummy]",
        help="List those of this game alone.",
    ),
]
RulesName = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="NAME|FILE",
        help="A preset (`contsim rules list`) or a TOML file of rules.  [default: continental]",
    ),
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=VALUE",
        help="Change one rule; may be repeated. `contsim rules show --keys` lists the keys.",
    ),
]
Seats = Annotated[str | None, typer.Option(metavar="N", help="Short for --set seats=N.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Level = Annotated[
    float,
    typer.Option(parser=LEVEL, metavar="LEVEL", help="Confidence level of every interval."),
]
AnyLevel = Annotated[
    float | None,
    typer.Option(
        parser=LEVEL,
        metavar="LEVEL",
        help="Confidence level of every interval.  [default: 0.95, or that of the question]",
    ),
]
DEFAULT_LEVEL = 0.95


def directory_named(text: str | Path) -> Path:
    """Read the name of a directory to be written; nothing would be the one that one is in."""
    if not str(text).strip():
        raise typer.BadParameter("'' names no directory; give a path, such as runs/mine")
    return Path(text)


StudyDirectory = Annotated[
    Path, typer.Argument(metavar="DIR", help="A directory that contsim run wrote.")
]
StudyOrQuestion = Annotated[
    Path,
    typer.Argument(metavar="DIR", help="A directory that contsim run, whatif or compare wrote."),
]


def chosen_rules(
    rules_name: str | None,
    settings: Sequence[str] | None,
    seats: str | None,
    base: "GameRules | None" = None,
    game: "Game | None" = None,
) -> "GameRules":
    """Build the rules that the options ask for.

    Parameters
    ----------
    rules_name : str or None
        A preset or a file; None takes `base`, or the default rules of the game.
    settings : sequence of str or None
        ``key=value`` changes, in order.
    seats : str or None
        Short for one more of them.
    base : GameRules, optional
        The rules of a study that is played again.
    game : str, optional
        As given with --game.

    Raises
    ------
    ContsimError
        For an unknown preset, key or value, and for rules of another game.
    """
    from continental_sim.rules import load

    chosen = load.choose_rules(base if rules_name is None else rules_name, game)
    changes = [*(settings or ()), *([f"seats={seats}"] if seats is not None else [])]
    return load.with_settings(chosen, changes)


def note(sentence: str) -> None:
    """Tell what takes a while, or what else the user should know, on standard error."""
    tell(painted(f"contsim: {sentence}", sys.stderr, dim=True))


def tell(line: str) -> None:
    """Write a line on standard error, if there is one; work goes on even if nobody reads it."""
    if line:
        with suppress(OSError):
            typer.echo(line, err=True)


def print_text(text: str, *, start: str = "", hang: str = "    ") -> None:
    """Print lines of text; one of more than 80 columns goes on in the next.

    Parameters
    ----------
    text : str
        Lines.
    start, hang : str
        Put before a line, and before what it goes on with.
    """
    for line in text.splitlines():
        typer.echo(
            textwrap.fill(
                line,
                COLUMNS,
                initial_indent=start,
                subsequent_indent=hang,
                break_long_words=False,
                break_on_hyphens=False,
            )
        )


def print_titled(parts: Mapping[str, Mapping[str, str]]) -> None:
    """Print names and what they are, under a title for each part."""
    for title, lines in parts.items():
        typer.echo(title)
        for name, about in lines.items():
            print_text(f"  {name:<16} {about}", hang=" " * 19)


def print_json(value: object) -> None:
    """Print one object on one line; a number that JSON cannot say is an error, never NaN."""
    typer.echo(json.dumps(value, ensure_ascii=False, allow_nan=False))


def read_lines(source: str) -> list[tuple[int, str]]:
    """Read the lines of a file, or of standard input; blank lines and # comments fall out.

    Parameters
    ----------
    source : str
        A path, or ``-``.

    Returns
    -------
    list of tuple of int and str
        Line number, from 1, and text.

    Raises
    ------
    ContsimError
        If the file is not text, or holds no line.
    """
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise ContsimError(f"{source} is not a text file in UTF-8") from error
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), start=1)]
    kept = [(number, line) for number, line in lines if line and not line.startswith("#")]
    if not kept:
        name = "standard input" if source == "-" else source
        raise ContsimError(f"{name} holds no hand; write one a line, such as 3C 4C 5C ... JK")
    return kept


def study_file(path: Path) -> Path:
    """Take the directory of a study for the manifest in it, which describes the study."""
    from continental_sim.files.manifest import manifest_path

    return manifest_path(path) if path.is_dir() else path
