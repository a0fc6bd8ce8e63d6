"""Does a strategy act on its view alone? Moments of deals, played again with other hidden cards."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from continental_sim.authors.edges import SEED, Setup, deadlines
from continental_sim.authors.legality import Watch, watched
from continental_sim.authors.moments import Moment, Turn, deal_hidden, lay, play_turn, turns_of
from continental_sim.engine import Table, load_players, table_for
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.interrupts import raise_held
from continental_sim.kernels import turns
from continental_sim.study import Study

AS_IT_WAS: Final = 8  # [times] that a turn is played again to tell why it went otherwise


@dataclass(frozen=True, slots=True)
class Pure:
    """What was played again.

    Attributes
    ----------
    turns, recycled, exits : int
        Turns; those of them after a recycle; those that ended the deal.
    setups : int
    seconds : float
    """

    turns: int
    recycled: int
    exits: int
    setups: int
    seconds: float


def ask_again(
    setups: Sequence[Setup], deals: int, seconds: float, watch: Watch | None = None
) -> Pure:
    """Play turns again, out of their order, with the hidden cards dealt anew.

    A turn may hang on the view, the memo and the dice alone. Players that have seen nothing of the
    deal must do what was done, and leave the same in the memo.

    Parameters
    ----------
    setups : sequence of Setup
    deals : int
        Of which turns are kept, in all.
    seconds : float
        After which no more is begun.
    watch : callable, optional

    Raises
    ------
    ContsimError
        For the first turn that goes otherwise, and why.
    """
    begun = time.perf_counter()
    found: list[tuple[bool, bool]] = []
    met = 0
    each = -(-deals // len(setups))
    for number, deadline in enumerate(deadlines(seconds, len(setups))):
        setup, left = setups[number], deadline - time.perf_counter()
        kinds = watched(
            *(setup, each * setup.rules.session_deals, _again_under, setup, each, left),
            otherwise=" when turns are played out of their order, with other hidden cards",
        )
        found += kinds
        met += bool(kinds)
        if watch is not None:
            watch(each * (number + 1), each * len(setups))
    return Pure(
        len(found),
        sum(recycled for recycled, _ in found),
        sum(went_out for _, went_out in found),
        met,
        time.perf_counter() - begun,
    )


def _again_under(
    study: Study, setup: Setup, deals: int, seconds: float, game: np.ndarray | None = None
) -> list[tuple[bool, bool]]:
    """Keep turns of deals of one setup for half of its time, then play them again for as long.

    Returns
    -------
    list of (bool, bool)
        For each turn whether it came after a recycle, and whether it ended the deal.
    """
    begun = time.perf_counter()
    deadline = begun + seconds
    dice = np.random.default_rng([SEED, deals])
    moments: list[Moment] = []
    with table_for(setup.rules, load_players(study, game=game), SEED, log=True, game=game) as here:
        for session in range(deals):
            if time.perf_counter() >= (begun + deadline) / 2:
                break
            moments += turns_of(here, setup, session * setup.rules.session_deals, dice)
    dice.shuffle(moments)
    now = time.perf_counter()
    end = max(deadline, now + (now - begun))
    asked = 0
    with table_for(setup.rules, load_players(study, game=game), SEED, log=True, game=game) as there:
        while asked < len(moments) and time.perf_counter() < end:
            raise_held()
            _ask(there, setup, moments, asked, dice)
            asked += 1
    return [(moment.recycled, moment.turn.went == turns.WENT_OUT) for moment in moments[:asked]]


def _ask(
    there: Table, setup: Setup, moments: Sequence[Moment], number: int, dice: np.random.Generator
) -> None:
    """Play a turn with other hidden cards; if it goes otherwise, see whether they are why.

    They are not if it also goes otherwise as it was, once other turns have been played between.
    """
    moment, name = moments[number], setup.strategy.name
    lay(there, moment)
    deal_hidden(there, dice)
    if _played(there) == moment.turn:
        return
    for other in dice.choice(len(moments), AS_IT_WAS):
        for each in (moments[other], moment):
            lay(there, each)
            turn = _played(there)
        if turn != moment.turn:
            raise _fault(
                setup,
                moment,
                f"{name} does not do the same again with the same cards, view and memo: it may use "
                "the view, view.memo and roll, and keep nothing else",
            )
    raise _fault(setup, moment, f"{name} does something else when only hidden cards differ")


def _fault(setup: Setup, moment: Moment, what: str) -> ContsimError:
    deal = int(moment.game.where[turns.AT_DEAL])
    return setup.fault(f"{what}, in {moment}", deal)


def _played(there: Table) -> Turn | None:
    """Play the turn that is laid; a failure is another turn than any."""
    try:
        return play_turn(there)
    except StudyFailed:
        return None
