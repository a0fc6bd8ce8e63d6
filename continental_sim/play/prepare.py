"""What is done once, before the deals of a study: tables, compilation, loading, trying out."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from continental_sim.engine import is_compiled, is_warm, load_players, play_block, warm_up
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.game_tables import are_ready, game_tables
from continental_sim.interrupts import raise_held
from continental_sim.play.means import Busy, Means, Say, Watcher
from continental_sim.play.watch import ask_child, play_watched
from continental_sim.players import Player, load_player
from continental_sim.rules import GameRules
from continental_sim.strategy import Strategy
from continental_sim.study import Study
from continental_sim.tables import SLOW

TABLES: Final = "building the meld tables of these rules"
ENGINE: Final = "compiling the engine to machine code"
SLOW_ONCE: Final = "first use, slow this once: {}"


def warm(played: Sequence[GameRules], say: Say, busy: Busy) -> None:
    """Build and compile what play under some rules needs, saying so first."""
    cold = [each for each in played if not is_warm(each)]
    if not cold:
        return
    slow = {TABLES: not all(map(are_ready, cold)), ENGINE: not all(map(is_compiled, cold))}
    what = " and ".join(sentence for sentence, needed in slow.items() if needed)
    say(SLOW_ONCE.format(what))
    with busy(what):
        for rules in cold:
            raise_held()
            warm_up(rules)


def prepare(study: Study, means: Means, watcher: Watcher) -> None:
    """Do once, before workers start, what they would all do: tables, compilation, loading."""
    say = watcher.say
    warm([study.rules], say, watcher.busy)
    if game_tables(study.rules).searched:
        say(SLOW)
    if means.deal_timeout is not None:  # even to load a strategy may not end
        ask_child(_load, study, timeout=means.deal_timeout)
    for strategy in dict.fromkeys(study.lineup):
        raise_held()
        with watcher.busy(f"loading strategy {strategy.name}"):
            player = load_player(strategy, study.rules.game)
        if player.foreign:
            try_out(study, player, means.deal_timeout)
            say(
                f"strategy {strategy.name} runs interpreted, some 100 times slower than compiled: "
                f"{player.reason}"
            )


def _load(study: Study, game: np.ndarray | None = None) -> None:
    """Load all strategies of a study, in sight of another process."""
    load_players(study, game=game)


def _alone(study: Study, strategy: Strategy) -> tuple[Study, int, int]:
    """Return a study in which all players have one strategy, and the deals of its one session."""
    seats = study.rules.seats
    alone = replace(study, lineup=(strategy,) * seats, deals=seats, block_deals=seats, first_deal=0)
    return alone, 0, seats


def try_out(study: Study, player: Player, timeout: float | None = None) -> None:
    """Let an interpreted strategy play one session: a mistake in it is found before the study.

    Parameters
    ----------
    study : Study
    player : Player
    timeout : float or None
        Limit of a deal [seconds].

    Raises
    ------
    ContsimError
        If it fails.
    """
    alone = _alone(study, player.strategy)
    try:
        if timeout is None:
            play_block(*alone)
        else:
            play_watched(*alone, records=False, timeout=timeout)
    except StudyFailed as failed:
        raise ContsimError(
            f"tried out against itself, {failed} (it cannot be compiled either: {player.reason})"
        ) from None
