"""`contsim advise`: which card to throw."""

from typing import Annotated

import typer

from continental_sim.cli.first_use import note_tables
from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.options import (
    AsJson,
    ContinentalAlone,
    RulesName,
    Seats,
    Settings,
    chosen_rules,
    print_json,
    print_text,
)

app = new_app()


@app.command(
    cls=Command,
    epilog='Example: contsim advise "3C 4C 5C 6D 7D 8D 9H TH JH QS KS AS 2C 9D 5H JK" --seen "JS"',
)
def advise(
    hand: Annotated[
        list[str], typer.Argument(metavar="HAND", help="Cards such as TD, 2H, JK (joker).")
    ],
    upcard: Annotated[
        str | None,
        typer.Option(metavar="CARD", help="The top of the discard pile: no longer to be drawn."),
    ] = None,
    seen: Annotated[
        str,
        typer.Option(metavar="CARDS", help="Other cards known to be gone.", show_default=False),
    ] = "",
    game: ContinentalAlone = None,
    rules_name: RulesName = None,
    settings: Settings = None,
    seats: Seats = None,
    as_json: AsJson = False,
) -> None:
    """Weigh each discard of a hand of Continental, of 16 cards.

    For each: the distance that it leaves, the outs (unseen cards that shorten it) and the payment
    to play for.
    """
    from continental_sim import hands
    from continental_sim.rules import continental

    rules = continental(chosen_rules(rules_name, settings, seats, game=game), "contsim advise")
    note_tables(rules)
    advice = hands.advise(rules, " ".join(hand), upcard, seen)
    if as_json:
        print_json({"discards": advice})
    else:
        print_text(hands.advise_text(advice))
