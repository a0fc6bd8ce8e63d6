"""Root deals and their branches, played: what a worker does for a rare event."""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from continental_sim.columns import OUTCOME
from continental_sim.engine import called, load_players, table_for
from continental_sim.interrupts import raise_held
from continental_sim.kernels.memory import address_of, forget
from continental_sim.kernels.splitting import MOST_LEVELS, TREE, deal_bytes, next_leaves
from continental_sim.rare.events import read_event
from continental_sim.rare.goals import Goal
from continental_sim.spans import Span
from continental_sim.study import Study

LEAVES: Final = 4096  # that are judged at once
A_TURN: Final = 5  # effort of a turn; a card that is dealt has 1 (measured)


@dataclass(frozen=True, slots=True)
class Levels:
    """Where deals are copied.

    Attributes
    ----------
    scores : tuple of int
        Ascending, at most `MOST_LEVELS`.
    copies : tuple of int
        How many a deal goes on in when it has reached each.
    """

    scores: tuple[int, ...] = ()
    copies: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Replications:
    """What independent root deals gave.

    Attributes
    ----------
    roots : int
    total, squares : float
        Sums over the roots of the weight of their leaves that are the event, and of its square.
    hit_roots, hits, leaves : int
        Roots and leaves that are the event, and all leaves.
    weight : float
        Of all leaves: 1 a root.
    cards, turns : int
        Dealt and played.
    seconds : float
        Time of the processor.
    reached : float64[scores]
        Sum over the roots of the weight that came to each score, or beyond it.
    arrivals : int64[scores]
        How many branches did.
    """

    roots: int
    total: float
    squares: float
    hit_roots: int
    hits: int
    leaves: int
    weight: float
    cards: int
    turns: int
    seconds: float
    reached: NDArray[np.float64]
    arrivals: NDArray[np.int64]

    @property
    def effort(self) -> int:
        """What it took, in a unit that is the same on every machine."""
        return A_TURN * self.turns + self.cards

    @classmethod
    def sum_of(cls, parts: "Sequence[Replications]") -> "Replications":
        """Add up; the order of the parts changes nothing but the last digit."""
        return cls(
            roots=sum(part.roots for part in parts),
            total=math.fsum(part.total for part in parts),
            squares=math.fsum(part.squares for part in parts),
            hit_roots=sum(part.hit_roots for part in parts),
            hits=sum(part.hits for part in parts),
            leaves=sum(part.leaves for part in parts),
            weight=math.fsum(part.weight for part in parts),
            cards=sum(part.cards for part in parts),
            turns=sum(part.turns for part in parts),
            seconds=math.fsum(part.seconds for part in parts),
            reached=np.sum([part.reached for part in parts], axis=0),
            arrivals=np.sum([part.arrivals for part in parts], axis=0),
        )


def play_roots(study: Study, event_text: str, goal: Goal, levels: Levels, span: Span) -> Replications:
    """Play root deals with all their branches.

    Parameters
    ----------
    study : Study
        Rules, line-up and seed.
    event_text : str
    goal : Goal
    levels : Levels
    span : Span
        The roots: each has random streams of its own.

    Raises
    ------
    StudyFailed
        If a strategy raised or threw a card that it may not.
    """
    event = read_event(event_text)
    weights = np.zeros(LEAVES)
    leaves = np.zeros(LEAVES, OUTCOME).view(np.recarray)
    reached, arrivals = np.zeros(goal.highest + 1), np.zeros(goal.highest + 1, np.int64)
    shares = np.zeros(span.deals)
    hits = played = 0
    whole = 0.0
    players = load_players(study)
    with (
        table_for(study.rules, players, study.seed, fixed_order=study.fixed_order) as table,
        _records(goal, levels, span, study.rules.seats) as (wanted, tree),
    ):
        started = time.thread_time()
        full = True
        while full:
            number = called(
                table, next_leaves, wanted, tree, leaves, weights, reached, arrivals
            )
            full = number == LEAVES
            ended = leaves[:number].view(OUTCOME, np.ndarray)
            found = event.happened(ended)
            hits += int(found.sum())
            played += number
            whole += float(weights[:number].sum())
            np.add.at(shares, ended["deal"][found] - span.first, weights[:number][found])
            raise_held()
        seconds = time.thread_time() - started
        return Replications(
            roots=span.deals,
            total=math.fsum(shares),
            squares=math.fsum(shares * shares),
            hit_roots=int(np.count_nonzero(shares)),
            hits=hits,
            leaves=played,
            weight=whole,
            cards=int(tree.cards),
            turns=int(tree.turns),
            seconds=seconds,
            reached=reached,
            arrivals=arrivals,
        )


@contextmanager
def _records(goal: Goal, levels: Levels, span: Span, seats: int) -> Iterator[tuple[Any, Any]]:
    """Lay out the records GOAL and TREE, and the memory of the saved deals."""
    wanted, worths = goal.record(), goal.worths.reshape(-1)
    wanted[0].worth_at = address_of(worths)
    count = len(levels.scores)
    if count > MOST_LEVELS:
        raise ValueError(f"{count} levels, of at most {MOST_LEVELS}")
    tree = np.zeros(1, TREE).view(np.recarray)
    saved = np.zeros((max(count, 1), deal_bytes(seats)), np.uint8)
    tree[0].next_root, tree[0].end_root = span
    tree[0].levels = count
    tree[0].level[:count] = levels.scores
    tree[0].copies[:count] = levels.copies
    tree[0].weight[: count + 1] = 1 / np.cumprod([1.0, *levels.copies])
    tree[0].saved_at, tree[0].saved_bytes = saved.ctypes.data, saved.shape[1]
    try:
        yield wanted[0], tree[0]
    finally:
        forget([int(wanted[0].worth_at)])
