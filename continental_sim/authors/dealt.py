"""What differs from game to game at a table whose turns are laid by hand."""

from collections.abc import Sequence
from typing import Any

from continental_sim.engine import Table
from continental_sim.kernels import basic_rummy, holding, laying, turns
from continental_sim.kernels.records import RUMMY_RULES
from continental_sim.rules import BasicRummyRules, ContinentalRules


def game_of(here: Table) -> str:
    """Return the game that is played on a table."""
    rummy = here.rules.dtype.names == RUMMY_RULES.names
    return (BasicRummyRules if rummy else ContinentalRules).game


def give(here: Table, seat: Any, face: int) -> None:
    """Put a card into the hand of a seat.

    Parameters
    ----------
    here : Table
    seat : record SEAT
        Of the table.
    face : int
    """
    if game_of(here) == BasicRummyRules.game:
        seat.hand[face] += 1
        seat.cards |= laying.card_of(face)
    else:
        holding.give(seat, here.rules, face)


def take_away(here: Table, seat: Any, face: int) -> None:
    """Take a card, which must be there, out of the hand of a seat."""
    if game_of(here) == BasicRummyRules.game:
        seat.hand[face] -= 1
        seat.cards &= ~laying.card_of(face)
    else:
        holding.take_away(seat, here.rules, face)


def may_take(here: Table) -> bool:
    """Tell whether the next seat is asked if it takes the upcard."""
    if game_of(here) == BasicRummyRules.game:
        return True
    return bool(here.rules.takeable_wild or not here.rules.wild[here.public.upcard])


def may_lay(here: Table, seat: Any) -> bool:
    """Tell whether a seat that has drawn is asked if it lays what it can."""
    if game_of(here) != BasicRummyRules.game or not here.game.entries[seat.player, turns.LAY_DOWN]:
        return False
    in_sets, in_runs = laying.best_laying(here.rules, seat, here.public)
    return bool(in_sets | in_runs)


def lay_cards(here: Table, seat: Any, laid: Sequence[int]) -> None:
    """Lay what a turn laid: in sets, and in places of runs."""
    if game_of(here) == BasicRummyRules.game:
        basic_rummy.lay(here.game, here.public, seat, *laid)
