"""Does a strategy play the same deals alike: a second time, in another order, interpreted?"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from continental_sim.authors.edges import Setup
from continental_sim.authors.legality import Played, Watch, play, play_each
from continental_sim.cubes import Block
from continental_sim.spans import Span

OTHER_DICE: Final = (
    "plays {deals} otherwise the second time: it may use the view, view.memo and roll, and no "
    "other dice, clock or file"
)
KEEPS: Final = (
    "plays {deals} otherwise when other deals are played before: it may keep nothing but "
    "view.memo, which begins anew with each deal"
)
NO_TWINS: Final = (
    "plays {deals} otherwise when it is interpreted: look for numbers that overflow, or a negative "
    "index"
)


def play_again(
    setups: Sequence[Setup], deals: int, seconds: float, watch: Watch | None = None
) -> Played:
    """Play deals a second time, and then their second half before their first.

    Parameters
    ----------
    setups : sequence of Setup
    deals : int
        In all.
    seconds : float
        After which no more is begun.
    watch : callable, optional

    Raises
    ------
    ContsimError
        If a deal goes otherwise, and how.
    """

    def again(setup: Setup, span: Span) -> None:
        once = play(setup, span)
        _compare(setup, span, once, play(setup, span), OTHER_DICE)
        middle = span.first + span.deals // 2 // setup.step * setup.step
        if span.first < middle:
            late, early = Span(middle, span.end), Span(span.first, middle)
            halves = [play(setup, half) for half in (late, early)]
            _compare(setup, span, once, _joined(*reversed(halves)), KEEPS)

    return play_each(setups, deals, seconds, watch, again, steps=2)


def play_interpreted(
    setups: Sequence[Setup], deals: int, seconds: float, watch: Watch | None = None
) -> Played:
    """Play deals of a compiled strategy once more, interpreted.

    Parameters
    ----------
    setups, deals, seconds, watch
        As for `play_again`.

    Raises
    ------
    ContsimError
        If a deal goes otherwise.
    """

    def again(setup: Setup, span: Span) -> None:
        _compare(setup, span, play(setup, span), play(setup, span, twin=True), NO_TWINS)

    return play_each(setups, deals, seconds, watch, again, steps=2)


def _joined(first: Block, second: Block) -> Block:
    return Block(
        np.concatenate([first.outcomes, second.outcomes]),
        np.concatenate([first.openings, second.openings]),
        first.faces + second.faces,
        first.behaviour + second.behaviour,
    )


def _compare(setup: Setup, span: Span, once: Block, again: Block, difference: str) -> None:
    """Refuse two plays of the same deals that differ, be it in a single card thrown."""
    different = np.flatnonzero(np.asarray(once.outcomes) != np.asarray(again.outcomes))
    if len(different):
        deal = span.first + int(different[0])
        what, last = f"deal {deal}", deal
    elif not (
        np.array_equal(once.faces, again.faces) and np.array_equal(once.behaviour, again.behaviour)
    ):
        what, last = f"some of {span}", span.end - 1
    else:
        return
    raise setup.fault(f"{setup.strategy.name} {difference.format(deals=what)}", last)
