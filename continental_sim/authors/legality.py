"""Is every card legal? Deals under many rules, as many as the time allows."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from continental_sim.authors.edges import Setup, deadlines
from continental_sim.cubes import Block
from continental_sim.engine import play_block
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.interrupts import raise_held
from continental_sim.kernels.turns import AT_DEAL
from continental_sim.play.watch import DealOverdue, ask_child
from continental_sim.players import Player, load_interpreted, load_player
from continental_sim.spans import Span
from continental_sim.strategy import Strategy
from continental_sim.study import Study

Watch = Callable[[int, int], None]  # told of deals that are done, and of how many in all
MOST_AT_ONCE: Final = 1000  # [deals] after which progress is told
DEAL_LIMIT: Final = 20.0  # [seconds] that a deal may take
OTHERWISE: Final = 10  # times as much where it is not just played


@dataclass(frozen=True, slots=True)
class Played:
    """How much was played.

    Attributes
    ----------
    deals : int
    setups : int
        Under how many of the rules and line-ups at least one deal was played.
    seconds : float
    """

    deals: int
    setups: int
    seconds: float


def play_legally(
    setups: Sequence[Setup], deals: int, seconds: float, watch: Watch | None = None
) -> Played:
    """Play deals under each of several rules and line-ups.

    Parameters
    ----------
    setups : sequence of Setup
    deals : int
        In all; what whole sessions need may be added.
    seconds : float
        After which no more deals are begun.
    watch : callable, optional

    Raises
    ------
    ContsimError
        For the first failure: its place, the rules, and the command that plays it.
    """
    return play_each(setups, deals, seconds, watch, play)


def play_each(
    setups: Sequence[Setup],
    deals: int,
    seconds: float,
    watch: Watch | None,
    play_span: Callable[[Setup, Span], Any],
    steps: int = 1,
) -> Played:
    """Play deals under each of several rules and line-ups, in spans that grow.

    Parameters
    ----------
    setups, deals, seconds, watch
        As for `play_legally`.
    play_span : callable
        Plays some deals of a setup.
    steps : int
        Deals that are not parted, in steps of the setup.
    """
    begun, played, met = time.perf_counter(), 0, 0
    each = -(-deals // len(setups))
    for setup, deadline in zip(setups, deadlines(seconds, len(setups)), strict=True):
        before = played
        for span in growing(each, steps * setup.step, deadline):
            play_span(setup, span)
            played += span.deals
            if watch is not None:
                watch(min(played, deals), deals)
        met += played > before
    return Played(played, met, time.perf_counter() - begun)


def growing(deals: int, step: int, deadline: float) -> Iterator[Span]:
    """Cut deals into spans that grow, until a deadline: it is not missed by more than their double.

    Parameters
    ----------
    deals : int
        Rounded up to whole steps.
    step : int
        Deals that are not parted.
    deadline : float
        By `time.perf_counter`; in the past for none at all.
    """
    first, size = 0, step
    while first < deals and time.perf_counter() < deadline:
        end = min(first + size, -(-deals // step) * step)
        yield Span(first, end)
        first = end
        size = min(2 * size, max(MOST_AT_ONCE // step, 1) * step)


def play(setup: Setup, span: Span, twin: bool = False) -> Block:
    """Play deals of a setup, in a process that can be killed.

    Parameters
    ----------
    setup : Setup
    span : Span
    twin : bool
        Whether the strategy that is checked is interpreted.

    Raises
    ------
    ContsimError
        If the strategy fails, or a deal takes too long.
    """
    block: Block = watched(
        *(setup, span.end, _play, span.first, span.deals, twin),
        otherwise=" when it is interpreted" if twin else "",
    )
    return block


def watched(
    setup: Setup,
    deals: int,
    function: Callable[..., Any],
    *arguments: Any,
    otherwise: str = "",
) -> Any:
    """Call a function that plays some of the first deals of a setup, as `ask_child` does.

    Parameters
    ----------
    setup : Setup
    deals : int
    function : callable
    arguments
        After the study of so many deals.
    otherwise : str
        What is different from plain play of these deals: there they end, and more time is allowed.

    Raises
    ------
    ContsimError
        If the strategy fails, or a deal takes too long.
    """
    limit = DEAL_LIMIT * (OTHERWISE if otherwise else 1)
    raise_held()  # which a wait for a short answer does not ask
    try:
        return ask_child(function, setup.study(deals), *arguments, timeout=limit)
    except DealOverdue as overdue:
        if otherwise:
            deal = int(overdue.game["where"][0, AT_DEAL])
            raise setup.fault(f"{overdue}{otherwise}, and may never do so", deal) from None
        command = f"{setup.command(deals)} --deal-timeout {DEAL_LIMIT:g}s"
        raise ContsimError(
            f"{overdue}, and may never do so; see it again, and replay it: {command}"
        ) from None
    except StudyFailed as failed:
        raise setup.failed(str(failed), deals) from None


def _play(study: Study, first_deal: int, deals: int, twin: bool, game: np.ndarray) -> Block:
    def load(strategy: Strategy) -> Player:
        game = study.rules.game
        if strategy == study.lineup[0]:
            return load_interpreted(strategy, game=game)
        return load_player(strategy, game)

    return play_block(study, first_deal, deals, load if twin else None, game)
