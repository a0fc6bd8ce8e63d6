"""`contsim odds`: what can be counted."""

from continental_sim.cli.first_use import note_tables
from continental_sim.cli.framework import Command, new_app
from continental_sim.cli.options import (
    AsJson,
    GameName,
    RulesName,
    Seats,
    Settings,
    chosen_rules,
    print_json,
    print_text,
)

app = new_app()


@app.command(cls=Command, epilog="Example: contsim odds --set jokers=4 --set ace=low")
def odds(
    game: GameName = None,
    rules_name: RulesName = None,
    settings: Settings = None,
    seats: Seats = None,
    as_json: AsJson = False,
) -> None:
    """Count the hands that are dealt: exact odds, nothing drawn at random.

    How many can go out, as what, in one suit, and for what payment; how far the others are from it;
    how many wild cards they hold. Of Basic Rummy: how many can be laid whole. `contsim verify`
    compares these numbers with play.
    """
    from continental_sim.exact.game_odds import GAME_ODDS
    from continental_sim.rules import load

    rules = chosen_rules(rules_name, settings, seats, game=game)
    note_tables(rules)
    own = GAME_ODDS[rules.game]
    counted = own.count(rules)
    if as_json:
        print_json({"rules": load.rules_to_dict(rules), **own.to_json(counted)})
        return
    for line in load.describe(rules):
        print_text(line)
    print_text(f"\n{own.table(counted)}")
