"""Where deals are copied, and how often: found by a pilot, whose roots count for nothing else."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from continental_sim.kernels.splitting import MOST_LEVELS
from continental_sim.rare.goals import Goal
from continental_sim.rare.learning import STEPS, Moves, learned_scores, no_moves, plain_scores
from continental_sim.rare.roots import Levels, Replications, play_roots
from continental_sim.rules import continental
from continental_sim.spans import Span
from continental_sim.study import Study

PILOT_ROOTS: Final = 1 << 62  # the first of the pilot, beyond all that count
EFFORT: Final = 3_000_000  # of a round: about a third of a second
AT_ONCE: Final = 250  # [roots], if play is compiled
LEAST_AT_ONCE: Final = 10
MOST_ROUNDS: Final = 20
MOST_ROOTS: Final = 20_000  # of a round
STEP: Final = 0.6  # share of the branches of a level that come to the next one, at most
SEEN: Final = 30  # branches that came to a score, so that its rate is known well enough
LESSONS: Final = 2  # how often the score is learned
PROBE: Final = 8  # copies at the last level, as long as the event has not been seen beyond it
MOST_COPIES: Final = 1000
FREQUENT: Final = 0.01  # rate from which on copies gain nothing


@dataclass(frozen=True, slots=True)
class Pilot:
    """What the pilot found.

    Attributes
    ----------
    levels : Levels
    first : Replications
        Of the first round, in which nothing was copied.
    effort : float
        Of a root of the last round.
    slower : int
        Times that play is slower than compiled.
    """

    levels: Levels
    first: Replications
    effort: float
    slower: int


def find_levels(
    study: Study, event_text: str, goal: Goal, slower: int, heard: Callable[[], None]
) -> Pilot:
    """Find a score, and levels at which about one branch of each copy goes on to the next.

    Round by round the levels reach farther, until the event is seen often enough. Then the score
    is learned from all moves so far, and the levels anew.

    Parameters
    ----------
    study : Study
    event_text : str
    goal : Goal
    slower : int
        Times that play is slower than compiled, so that less of it must do.
    heard : callable
        Called after each round.
    """
    rules = continental(study.rules, "a rare event")
    moves = no_moves(rules)
    levels = Levels(plain_scores(rules))
    lessons = 0 if goal.by_turns else LESSONS
    rounds: list[Replications] = []
    for number in range(MOST_ROUNDS):
        played = _play_round(study, event_text, goal, levels, number, moves, slower)
        heard()
        rounds.append(played)
        if number == 0:
            first = moves.copy()
        seen = played.hits >= SEEN
        if lessons and seen and played.total < FREQUENT * played.roots:
            lessons -= 1
            levels = learned_levels(moves, first, played.total / played.roots)
            continue
        before, levels = levels, choose_levels(played, levels)
        if seen and (before.scores or not levels.scores):
            break
    return Pilot(levels, rounds[0], rounds[-1].effort / rounds[-1].roots, slower)


def learned_levels(moves: Moves, first: Moves, rate: float) -> Levels:
    """Learn the score, and guess the levels: twice the copies for twice the chance of the event.

    Parameters
    ----------
    moves, first : Moves
        Of all play, and of that without copies.
    rate : float
        Of the event.
    """
    scores, usual = learned_scores(moves, first, rate)
    levels = tuple(range(usual + STEPS, int(scores.max()) + 1, STEPS))[:MOST_LEVELS]
    return Levels(scores, levels, (2,) * len(levels))


def _play_round(
    study: Study,
    event_text: str,
    goal: Goal,
    levels: Levels,
    number: int,
    moves: Moves,
    slower: int,
) -> Replications:
    """Play roots of their own until the effort is spent."""
    size = max(AT_ONCE // slower, LEAST_AT_ONCE)
    parts: list[Replications] = []
    for span in _spans(PILOT_ROOTS + number * MOST_ROOTS, size):
        parts.append(play_roots(study, event_text, goal, levels, span, moves))
        played = sum(part.roots for part in parts)
        if sum(part.effort for part in parts) >= EFFORT // slower or played >= MOST_ROOTS:
            return Replications.sum_of(parts)
    raise AssertionError


def _spans(first: int, size: int) -> Iterator[Span]:
    return (Span(first + k * size, first + (k + 1) * size) for k in count())


def choose_levels(played: Replications, before: Levels) -> Levels:
    """Choose levels and copies by the rates at which scores were reached.

    Each level is the lowest score that so few branches come to from the one before. The copies keep
    the number of branches that come to each level what it is at the first, on average.

    Parameters
    ----------
    played : Replications
    before : Levels
        With which they were played.
    """
    event = played.total / played.roots
    if event >= FREQUENT:
        return Levels(before.worth_scores)
    scores: list[int] = []
    rates = [1.0]
    for score in range(1, len(played.reached)):
        rate = float(played.reached[score]) / played.roots
        if played.arrivals[score] < SEEN or rate < event or len(scores) == MOST_LEVELS:
            break
        if rate <= STEP * rates[-1]:
            scores.append(score)
            rates.append(rate)
    if not scores:
        return Levels(before.worth_scores)
    known = played.hits >= SEEN
    stuck = not known and before.scores[-1:] == (scores[-1],)
    last = min(PROBE * before.copies[-1], MOST_COPIES) if stuck else PROBE
    copies: list[int] = []
    for beyond in [*rates[2:], event if known else 0.0]:
        branches = beyond * math.prod(copies)
        copies.append(max(1, min(round(rates[1] / branches), MOST_COPIES)) if beyond else last)
    kept = [each for each in zip(scores, copies, strict=True) if each[1] > 1]
    return Levels(
        before.worth_scores,
        tuple(score for score, _ in kept),
        tuple(number for _, number in kept),
    )
