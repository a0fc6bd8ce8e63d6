"""What is done once, before the deals of a study: tables, compilation, loading, trying out."""

from dataclasses import replace
from typing import Final

from continental_sim.engine import is_warm, play_block, warm_up
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.means import Means, Say
from continental_sim.players import Player, load_player
from continental_sim.strategy import Strategy
from continental_sim.study import Study
from continental_sim.watch import play_watched

FIRST_USE: Final = "first use with these rules: building meld tables and compiling, once"


def prepare(study: Study, means: Means, say: Say) -> None:
    """Do once, before workers start, what they would all do: tables, compilation, loading."""
    if not is_warm(study.rules):
        say(FIRST_USE)
        warm_up(study.rules)
    for strategy in dict.fromkeys(study.lineup):
        if means.deal_timeout is not None:  # even to load it may not end
            play_watched(*_alone(study, strategy), records=False, timeout=means.deal_timeout)
        player = load_player(strategy)
        if player.foreign:
            try_out(study, player)
            say(
                f"strategy {strategy.name} runs interpreted, some 100 times slower than compiled: "
                f"{player.reason}"
            )


def _alone(study: Study, strategy: Strategy) -> tuple[Study, int, int]:
    """Return a study in which all players have one strategy, and the deals of its one session."""
    seats = study.rules.seats
    alone = replace(study, lineup=(strategy,) * seats, deals=seats, block_deals=seats, first_deal=0)
    return alone, 0, seats


def try_out(study: Study, player: Player) -> None:
    """Let an interpreted strategy play one session: a mistake in it is found before the study.

    Raises
    ------
    ContsimError
        If it fails.
    """
    try:
        play_block(*_alone(study, player.strategy))
    except StudyFailed as failed:
        raise ContsimError(f"{failed} (it cannot be compiled either: {player.reason})") from None
