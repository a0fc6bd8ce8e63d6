"""`contsim check`: may these cards go out?"""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from continental_sim.cli.first_use import note_tables
from continental_sim.cli.framework import Command, UsageError, new_app
from continental_sim.cli.options import (
    AsJson,
    GameName,
    RulesName,
    Seats,
    Settings,
    chosen_rules,
    print_json,
    print_text,
    read_lines,
)
from continental_sim.errors import ContsimError

if TYPE_CHECKING:
    from continental_sim.rules import ContinentalRules, GameRules

app = new_app()

STATUS_CANNOT = 1
STATUS_BAD = 2


@app.command(
    cls=Command,
    epilog='Examples: contsim check "3C 4C 5C 6D 7D 8D 9H TH JH QS KS AS 2C 2D JK"; '
    'contsim check --layout "2D=4C 5C 6C / QD KD AD / ..."',
)
def check(
    ctx: typer.Context,
    hand: Annotated[
        list[str] | None,
        typer.Argument(metavar="[HAND|FILE|-]", help="A hand, or where hands are read from."),
    ] = None,
    layout: Annotated[
        str | None,
        typer.Option(
            metavar="RUNS",
            help="Judge these runs, or groups, of Continental instead: / parts them, = declares a"
            " wild card.",
        ),
    ] = None,
    game: GameName = None,
    rules_name: RulesName = None,
    settings: Settings = None,
    seats: Seats = None,
    as_json: AsJson = False,
) -> None:
    """Judge a hand of 15 or 16 cards, or a declared layout.

    HAND is cards such as TD (ten of diamonds), 2H, JK (joker). With FILE or - (standard input) one
    hand a line is judged; --json then prints a line for each.

    In Basic Rummy a hand is what is held after the draw: the melds that leave the least deadwood,
    and whether it can go out with them when nothing lies on the table.

    Exit status: 0 can go out, 1 cannot, 2 bad input; of many hands the worst.
    """
    from continental_sim.rules import continental

    rules = chosen_rules(rules_name, settings, seats, game=game)
    words = " ".join(hand or ())
    if hand or layout is not None:
        note_tables(rules)
    if layout is not None:
        only = continental(rules, "contsim check --layout")
        status = _print_layout(only, layout, words, as_json=as_json)
    elif not hand:
        raise UsageError("no hand is given", ctx)
    elif is_source(hand):
        status = _print_hands(rules, hand[0], as_json=as_json)
    else:
        status = _print_hand(rules, words, as_json=as_json)
    raise typer.Exit(status)


def is_source(hand: Sequence[str]) -> bool:
    """Tell a file, or `-`, from a hand given in one or more arguments."""
    if len(hand) != 1:
        return False
    if hand[0] == "-" or Path(hand[0]).is_file():
        return True
    if "/" in hand[0] or hand[0].endswith(".txt"):
        raise ContsimError(f"there is no file {hand[0]}")
    return False


def _print_layout(rules: "ContinentalRules", layout: str, cards: str, *, as_json: bool) -> int:
    from continental_sim import hands

    return _print_verdict(rules, hands.check_layout(rules, layout, cards or None), as_json=as_json)


def _print_hand(rules: "GameRules", cards: str, *, as_json: bool) -> int:
    return _print_verdict(rules, _judge(rules).check_hand(rules, cards), as_json=as_json)


def _print_hands(rules: "GameRules", source: str, *, as_json: bool) -> int:
    judge, worst = _judge(rules), 0
    for number, cards in read_lines(source):
        try:
            verdict = judge.check_hand(rules, cards)
        except ContsimError as error:
            worst = STATUS_BAD
            if as_json:
                print_json({"line": number, "error": str(error)})
            else:
                print_text(f"line {number}: error: {error}")
            continue
        if not as_json:
            print_text(f"line {number}: {cards}")
        worst = max(worst, _print_verdict(rules, verdict, as_json=as_json))
    return worst


def _print_verdict(rules: "GameRules", verdict: dict[str, Any], *, as_json: bool) -> int:
    if as_json:
        print_json(verdict)
    else:
        print_text(_judge(rules).check_text(verdict))
    return 0 if verdict["valid"] else STATUS_CANNOT


def _judge(rules: "GameRules") -> ModuleType:
    """Return the module that judges hands of a game, with `check_hand` and `check_text`."""
    return JUDGES[rules.game]()


def _continental_judge() -> ModuleType:
    from continental_sim import hands

    return hands


def _rummy_judge() -> ModuleType:
    from continental_sim import rummy_hands

    return rummy_hands


# By game; `rules.GAMES`, which has their names, would be slow to import.
JUDGES: Final[Mapping[str, Callable[[], ModuleType]]] = {
    "continental": _continental_judge,
    "basic-rummy": _rummy_judge,
}
