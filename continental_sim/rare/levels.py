"""Where deals are copied, and how often: found by a pilot, whose roots count for nothing else."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from continental_sim.kernels.splitting import MOST_LEVELS
from continental_sim.rare.goals import Goal
from continental_sim.rare.roots import Levels, Replications, play_roots
from continental_sim.spans import Span
from continental_sim.study import Study

PILOT_ROOTS: Final = 1 << 62  # the first of the pilot, beyond all that count
EFFORT: Final = 10_000_000  # of a round: about a third of a second
SLOWER: Final = 100  # times that interpreted play is
AT_ONCE: Final = 250  # [roots]
MOST_ROUNDS: Final = 20
MOST_ROOTS: Final = 50_000  # of a round
STEP: Final = 0.6  # share of the branches of a level that come to the next one, at most
SEEN: Final = 50  # branches that came to a score, so that its rate is known well enough
PROBE: Final = 8  # copies at the last level, as long as the event has not been seen beyond it
FREQUENT: Final = 0.01  # rate from which on copies gain nothing


@dataclass(frozen=True, slots=True)
class Pilot:
    """What the pilot found.

    Attributes
    ----------
    levels : Levels
    first : Replications
        Of the first round, in which nothing was copied.
    rounds : int
    effort : int
        Of a root of the last round.
    """

    levels: Levels
    first: Replications
    rounds: int
    effort: float


def find_levels(
    study: Study, event_text: str, goal: Goal, *, interpreted: bool, heard: Callable[[], None]
) -> Pilot:
    """Find levels at which about one branch of each copy goes on to the next.

    Round by round the levels reach farther, until the event is seen often enough.

    Parameters
    ----------
    study : Study
    event_text : str
    goal : Goal
    interpreted : bool
        Whether play is slow, so that less of it must do.
    heard : callable
        Called after each round.
    """
    levels, rounds = Levels(), []
    for number in range(MOST_ROUNDS):
        played = _play_round(study, event_text, goal, levels, number, interpreted=interpreted)
        heard()
        rounds.append(played)
        found = choose_levels(played, levels)
        settled = played.hits >= SEEN and (number > 0 or not found.scores)
        levels = found
        if settled:
            break
    return Pilot(levels, rounds[0], len(rounds), rounds[-1].effort / rounds[-1].roots)


def _play_round(
    study: Study, event_text: str, goal: Goal, levels: Levels, number: int, *, interpreted: bool
) -> Replications:
    """Play roots of their own until the effort is spent."""
    most = EFFORT // SLOWER if interpreted else EFFORT
    size = AT_ONCE // 25 if interpreted else AT_ONCE
    parts: list[Replications] = []
    for span in _spans(PILOT_ROOTS + number * MOST_ROOTS, size):
        parts.append(play_roots(study, event_text, goal, levels, span))
        played = sum(part.roots for part in parts)
        if sum(part.effort for part in parts) >= most or played >= MOST_ROOTS:
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
        return Levels()
    scores, rates = [], [1.0]
    for score in range(1, len(played.reached)):
        rate = float(played.reached[score]) / played.roots
        if played.arrivals[score] < SEEN or rate < event or len(scores) == MOST_LEVELS:
            break
        if rate <= STEP * rates[-1]:
            scores.append(score)
            rates.append(rate)
    if not scores:
        return Levels()
    known = played.hits >= SEEN
    stuck = not known and before.scores[-1:] == (scores[-1],)
    last = PROBE * before.copies[-1] if stuck else PROBE
    copies, branches = [], 1.0
    for rate in [*rates[2:], event if known else None]:
        wanted = last if rate is None else round(rates[1] / (rate * branches))
        copies.append(max(1, min(wanted, 1000)))
        branches *= copies[-1]
    kept = [each for each in zip(scores, copies, strict=True) if each[1] > 1]
    return Levels(tuple(score for score, _ in kept), tuple(number for _, number in kept))
