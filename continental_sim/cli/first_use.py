"""What is slow once: the meld tables of new rules, and the machine code."""

from typing import TYPE_CHECKING

from continental_sim.cli.options import note

if TYPE_CHECKING:
    from continental_sim.rules import GameRules


def note_tables(rules: "GameRules") -> None:
    """Say so if one hand under these rules has to wait for its tables."""
    from continental_sim.game_tables import are_ready

    if not are_ready(rules):
        _note()


def prepare_play(*rules: "GameRules") -> None:
    """Build and compile, saying so first, what a deal under these rules would have to wait for."""
    from continental_sim.engine import is_warm, warm_up

    cold = [each for each in rules if not is_warm(each)]
    if cold:
        _note()
    for each in cold:
        warm_up(each)


def _note() -> None:
    from continental_sim.play.prepare import FIRST_USE

    note(FIRST_USE)
