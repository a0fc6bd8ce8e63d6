"""Root deals and their branches, played: what a worker does for a rare event."""

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from continental_sim.columns import EXIT, KINDS, OUTCOME
from continental_sim.engine import called, load_players, table_for
from continental_sim.interrupts import raise_held
from continental_sim.kernels.memory import address_of, forget
from continental_sim.kernels.splitting import GOAL, MOST_LEVELS, TREE, deal_bytes, next_leaves
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
    worth_scores : uint8[kinds, times, hand_size + 1]
        Score of a hand by the kind of exit, the time and its worth.
    scores : tuple of int
        Levels, ascending, at most `MOST_LEVELS`.
    copies : tuple of int
        How many a deal goes on in when it has reached each.
    """

    worth_scores: NDArray[np.uint8]
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
    largest : float
        Share of a single root, at most.
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
    largest: float
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
            largest=max(part.largest for part in parts),
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


def play_roots(
    study: Study,
    event_text: str,
    goal: Goal,
    levels: Levels,
    span: Span,
    moves: NDArray[np.int64] | None = None,
) -> Replications:
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
    moves : int64[kinds, times, hand_size + 1, hand_size + 3], optional
        Added to: as `next_leaves` does, and in the last place how many went out in the event.

    Raises
    ------
    StudyFailed
        If a strategy raised or threw a card that it may not.
    """
    event = read_event(event_text)
    weights = np.zeros(LEAVES)
    cells = np.zeros((LEAVES, len(KINDS) + 1), np.int64)
    leaves = np.zeros(LEAVES, OUTCOME).view(np.recarray)
    reached, arrivals = np.zeros(goal.highest + 1), np.zeros(goal.highest + 1, np.int64)
    counted = np.zeros((1, 1, 1, 1), np.int64) if moves is None else moves
    shares = np.zeros(span.deals)
    hits = played = 0
    whole = 0.0
    players = load_players(study)
    with (
        table_for(study.rules, players, study.seed, fixed_order=study.fixed_order) as table,
        _records(goal, levels, span, study.rules.seats) as (wanted, tree),
    ):
        wanted.learning = moves is not None and not goal.by_turns
        started = time.thread_time()
        number = LEAVES
        while number == LEAVES:
            number = called(
                table, next_leaves, wanted, tree, leaves, weights, cells, reached, arrivals, counted
            )
            found = event.happened(leaves[:number].view(OUTCOME, np.ndarray))
            ended = leaves[:number][found]
            hits += len(ended)
            played += number
            whole += float(weights[:number].sum())
            np.add.at(shares, ended["deal"] - span.first, weights[:number][found])
            if moves is not None:
                _note_ends(moves, ended, cells[:number][found])
            raise_held()
        return Replications(
            roots=span.deals,
            total=math.fsum(shares),
            squares=math.fsum(shares * shares),
            largest=float(shares.max()),
            hit_roots=int(np.count_nonzero(shares)),
            hits=hits,
            leaves=played,
            weight=whole,
            cards=int(tree.cards),
            turns=int(tree.turns),
            seconds=time.thread_time() - started,
            reached=reached,
            arrivals=arrivals,
        )


def _note_ends(moves: NDArray[np.int64], ended: NDArray[np.void], cells: NDArray[np.int64]) -> None:
    """Count from where the hands went out that are the event."""
    gone = ended["end"] == EXIT
    kind, cells = ended["kind"][gone].astype(int), cells[gone]
    worth = cells[np.arange(len(cells)), kind]
    last = np.full(len(kind), moves.shape[3] - 1)
    np.add.at(moves, (kind, cells[:, len(KINDS)], worth, last), 1)


@contextmanager
def _records(goal: Goal, levels: Levels, span: Span, seats: int) -> Iterator[tuple[Any, Any]]:
    """Lay out the records GOAL and TREE, and the memory of the saved deals."""
    wanted, tree = (np.zeros(1, kind).view(np.recarray)[0] for kind in (GOAL, TREE))
    worths, scores = goal.worths.reshape(-1), levels.worth_scores.reshape(-1)
    wanted.by_turns, wanted.last_turn = goal.by_turns, goal.last_turn
    wanted.one_suit = goal.one_suit
    wanted.deuces, wanted.jokers = goal.worths.shape[-2:]
    wanted.worth_at, wanted.score_at = address_of(worths), address_of(scores)
    count = len(levels.scores)
    if count > MOST_LEVELS:
        raise ValueError(f"{count} levels, of at most {MOST_LEVELS}")
    saved = np.zeros((max(count, 1), deal_bytes(seats)), np.uint8)
    tree.next_root, tree.end_root = span
    tree.levels = count
    tree.level[:count] = levels.scores
    tree.copies[:count] = levels.copies
    tree.weight[: count + 1] = 1 / np.cumprod([1.0, *levels.copies])
    tree.saved_at, tree.saved_bytes = saved.ctypes.data, saved.shape[1]
    try:
        yield wanted, tree
    finally:
        forget([int(wanted.worth_at), int(wanted.score_at)])
