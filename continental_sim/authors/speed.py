"""How fast is a strategy, beside the fastest that comes with contsim, and what takes the time?"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from continental_sim.authors.dealt import give, lay_cards, may_lay, may_take
from continental_sim.authors.edges import SEED, Setup
from continental_sim.authors.moments import Moment, lay, next_seat, turns_of
from continental_sim.engine import Table, load_players, play_block, table_for
from continental_sim.interrupts import raise_held
from continental_sim.kernels import table, turns
from continental_sim.kernels.timing import ask_often
from continental_sim.players import load_player
from continental_sim.rules import GameRules
from continental_sim.strategy import Strategy, shipped_strategy

ROUNDS: Final = 5  # in which the two play by turns: what else the machine does meets both
DEALS: Final = 2  # in whose turns the questions are put

Took = tuple[list[float], list[float], list[float]]  # by question: times [microseconds]


@dataclass(frozen=True, slots=True)
class Speed:
    """What was measured, on one core.

    Attributes
    ----------
    rate : float
        Deals a second, all seats with the strategy.
    of_fastest : float
        The rate as a share of that of `fastest`.
    turn : float
        Time of a turn, with all that the engine does for it [microseconds].
    take, throw, lay : float
        Time of an answer of `take_discard`, of `choose_discard` and, in Basic Rummy, of `lay_down`,
        on average [microseconds]; 0 for a question that was not asked.
    """

    rate: float
    of_fastest: float
    turn: float
    take: float
    throw: float
    lay: float


def measure(strategy: Strategy, rules: GameRules, seconds: float) -> Speed:
    """Time a strategy.

    Parameters
    ----------
    strategy : Strategy
    rules : GameRules
    seconds : float
        To measure for, about; a deal that takes longer is played to its end.
    """
    fastest = shipped_strategy("fastest", rules.game)
    for played in (strategy, fastest):
        load_player(played, rules.game)  # compiled before the clock runs
    both = [_Timed(Setup(rules, (each,)), seconds / (4 * ROUNDS)) for each in (strategy, fastest)]
    for each in both:
        each.warm()  # what plays them is compiled before the clock runs, too
    end = time.perf_counter() + seconds / 2
    for number in range(ROUNDS):
        if number and time.perf_counter() > end:
            break
        for each in both:
            each.play()
    mine, theirs = both
    return Speed(
        mine.deals / mine.seconds,
        mine.deals / mine.seconds / (theirs.deals / theirs.seconds),
        1e6 * mine.seconds / mine.turns,
        *_questions(mine.setup, seconds / 2),
    )


class _Timed:
    """Deals of a setup, timed.

    Parameters
    ----------
    setup : Setup
    share : float
        Time of a round [seconds].
    """

    def __init__(self, setup: Setup, share: float) -> None:
        self.setup, self.share = setup, share
        self.deals, self.turns, self.seconds = 0, 0, 0.0
        self._first, self._size = 0, setup.step
        self._best = float("inf")  # time of a deal [seconds]

    def warm(self) -> None:
        """Play for the time of a round that does not count: code is loaded, memory is cold."""
        self.play()
        self.deals, self.turns, self.seconds = 0, 0, 0.0

    def play(self) -> None:
        """Play for the time of a round, and count it."""
        begun, passed = time.perf_counter(), 0.0
        while passed < self.share:
            deals, turns = self._play()
            passed = time.perf_counter() - begun
            self.deals += deals
            self.turns += turns
        self.seconds += passed

    def _play(self) -> tuple[int, int]:
        begun = time.perf_counter()
        block = play_block(self.setup.study(self._first + self._size), self._first, self._size)
        self._first += self._size
        self._best = min(self._best, (time.perf_counter() - begun) / self._size)
        if self._best * self._size < self.share / 2:  # a block has a cost of its own
            self._size *= 2
        return len(block.outcomes), int(block.outcomes["turns"].sum())


def _questions(setup: Setup, seconds: float) -> Iterator[float]:
    """Time the answers of each question in turns of deals, each as it came [microseconds].

    An answer may take ten times as long at the end of a deal as at its start. So all turns have
    their share of the time; if it is too short, for a slow strategy, those that are left out are
    any.
    """
    took: Took = ([], [], [])
    dice = np.random.default_rng(SEED)
    players = load_players(setup.study(setup.rules.session_deals))
    with (
        table_for(setup.rules, players, SEED, log=True) as here,
        table_for(setup.rules, players, SEED) as there,
    ):
        moments = [
            moment
            for session in range(DEALS)
            for moment in turns_of(here, setup, session * setup.rules.session_deals, dice)
            if moment.turn.move  # else it went out as it was dealt
        ]
        dice.shuffle(moments)
        for moment in moments:
            _time_turn(there, moment, 0, ([], [], []))  # all is compiled before the clock runs
        end = time.thread_time() + seconds  # what else the machine does is none of it
        share = seconds / (2 * len(took) * max(len(moments), 1))  # it is passed by as much again
        for moment in moments:
            raise_held()
            if time.thread_time() < end or not took[turns.THROW]:
                _time_turn(there, moment, share, took)
    yield from (sum(each) / max(len(each), 1) for each in took)


def _time_turn(there: Table, moment: Moment, share: float, took: Took) -> None:
    """Put the questions of a turn; between them the card is given, and laid what was laid."""
    lay(there, moment)
    mine, (source, face, thrown) = next_seat(there), moment.turn.move
    mine.turn += 1
    if may_take(there):
        took[turns.TAKE].append(_time_of(there, mine, turns.TAKE, share))
    if source == turns.FROM_PILE:
        mine.taken = table.take_upcard(there.public, mine.seat)
    give(there, mine, face)
    if may_lay(there, mine):
        took[turns.LAY_DOWN].append(_time_of(there, mine, turns.LAY_DOWN, share))
    lay_cards(there, mine, moment.turn.laid)
    if thrown != turns.NOTHING:
        took[turns.THROW].append(_time_of(there, mine, turns.THROW, share))


def _time_of(there: Table, mine: Any, question: int, share: float) -> float:
    """Time an answer [microseconds]: many together, and the best of several times.

    What else the machine does can only add to a time. In no time nobody is asked.
    """
    kept = np.array([mine])

    def asked(times: int) -> float:
        begun = time.perf_counter()
        ask_often(there.game, mine, question, times, np.uint64(kept.ctypes.data))
        return (time.perf_counter() - begun) / max(times, 1)

    times = int(share > 0)
    best = min(asked(times), asked(times))  # first memory is cold, and one may be interrupted
    while times * best < share / 2:
        times *= 2
        best = min(best, asked(times))
    return 1e6 * best
