"""`contsim advise`: which card to throw."""

import click

from continental_sim.cli.options import (
    chosen_rules,
    json_option,
    note_first_use,
    print_json,
    rules_options,
)


@click.command(
    epilog='Example: contsim advise "3C 4C 5C 6D 7D 8D 9H TH JH QS KS AS 2C 9D 5H JK" --seen "JS"',
)
@click.argument("hand", metavar="HAND", nargs=-1, required=True)
@click.option(
    "--upcard", metavar="CARD", help="The top of the discard pile: no longer to be drawn."
)
@click.option("--seen", metavar="CARDS", default="", help="Other cards known to be gone.")
@rules_options
@json_option
def advise(
    hand: tuple[str, ...],
    upcard: str | None,
    seen: str,
    rules_name: str | None,
    settings: tuple[str, ...],
    seats: str | None,
    as_json: bool,
) -> None:
    """Weigh each discard of a hand of 16 cards.

    For each: the distance that it leaves, the outs (unseen cards that shorten it) and the payment
    to play for.
    """
    from continental_sim import hands

    rules = chosen_rules(rules_name, settings, seats)
    note_first_use(rules)
    advice = hands.advise(rules, " ".join(hand), upcard, seen)
    if as_json:
        print_json({"discards": advice})
    else:
        click.echo(hands.advise_text(advice))
