"""What is slow once: the meld tables of new rules, and the machine code."""

from typing import TYPE_CHECKING

from continental_sim.cli.options import note
from continental_sim.cli.progress import clock_of

if TYPE_CHECKING:
    from continental_sim.rules import GameRules


def note_tables(rules: "GameRules") -> None:
    """Say so if one hand under these rules has to wait for its tables."""
    from continental_sim.game_tables import are_ready

    if not are_ready(rules):
        from continental_sim.play.prepare import SLOW_ONCE, TABLES

        note(SLOW_ONCE.format(TABLES))


def prepare_play(*rules: "GameRules") -> None:
    """Build and compile, saying so first, what a deal under these rules would have to wait for."""
    from continental_sim.play.prepare import warm

    warm(rules, note, lambda sentence: clock_of(sentence, quiet=False))
