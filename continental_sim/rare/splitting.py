"""The rate of a rare event: root deals whose branches multiply on the way to it.

Each root is an independent replication: the weights of its leaves that are the event add up to a
share of 1 whose mean is the rate, whatever the levels and copies are. They only decide how much
the shares differ.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from continental_sim.backends import CLUSTERS, open_workers
from continental_sim.engine import play_block
from continental_sim.errors import ContsimError, StudyFailed, WorkerDied
from continental_sim.figures.estimates import Estimate, impossible, weighted_proportion
from continental_sim.figures.precision import LEAST_EVENTS
from continental_sim.interrupts import raise_held, stoppable
from continental_sim.kernels.jit import COMPILED, code_directory
from continental_sim.play.means import Means, Watcher
from continental_sim.play.prepare import prepare
from continental_sim.players import load_player
from continental_sim.rare.events import Event, read_event
from continental_sim.rare.goals import Goal, find_goal
from continental_sim.rare.learning import plain_scores
from continental_sim.rare.levels import Pilot, find_levels
from continental_sim.rare.roots import Levels, Replications, play_roots
from continental_sim.rules import continental
from continental_sim.spans import Span
from continental_sim.study import Study

MOST_ROOTS: Final = 10**12  # far below those of the pilot
BATCH: Final = 5_000_000  # effort of a batch of roots: about a sixth of a second
LARGEST: Final = 1 << 16  # [roots] of a batch
WORKERS_PAY: Final = 3.0  # [seconds] of work from which workers gain more than their start costs
SLOWER: Final = 100  # times that interpreted play is
PACE: Final = 3e-8  # [seconds] of an effort of 1, about
FIRST_LOOK: Final = 8  # [batches] after which the error is looked at; then after twice as many ...
PLAIN_SECONDS: Final = 0.2  # for which plain play is timed, and the most deals
PLAIN_DEALS: Final = 50_000


@dataclass(frozen=True, slots=True)
class RareRate:
    """What is known of a rare event.

    Attributes
    ----------
    event : Event
    study : Study
        Rules, line-up and seed.
    level : float
        Of the interval.
    estimate : Estimate
        A structural zero if the event is impossible; nothing was played then.
    goal : Goal
    levels : Levels
    played : Replications or None
    plain_seconds : float
        Time of the processor for a deal of plain play.
    """

    event: Event
    study: Study
    level: float
    estimate: Estimate
    goal: Goal
    levels: Levels | None = None
    played: Replications | None = None
    plain_seconds: float = 0.0

    @property
    def gain(self) -> float | None:
        """Variance of plain play at equal time, over that of this estimate; None without a hit.

        Measured in time of the processor, without that of the pilot.
        """
        played = self.played
        if played is None or not 0 < (self.estimate.rate or 0) < 1:
            return None
        seconds = played.seconds / played.roots
        return self.plain_seconds / (self.estimate.design_effect * seconds)


def rare_rate(
    study: Study,
    event_text: str,
    level: float,
    means: Means,
    watcher: Watcher,
    *,
    roots: int | None = None,
    error: float | None = None,
) -> RareRate:
    """Estimate the rate of an event.

    Parameters
    ----------
    study : Study
        Rules, line-up and seed; its number of deals plays no part.
    event_text : str
        See `events.read_event`.
    level : float
        Of the interval.
    means : Means
        Its `max_time` is that after which no batch is begun.
    watcher : Watcher
        Told of roots instead of deals.
    roots : int, optional
        The most that are played.
    error : float, optional
        Half width of the interval at which play stops, as a share of the rate.

    Raises
    ------
    ContsimError
        If the event cannot be read, or the deals of a session depend on each other.
    StudyFailed
        If a strategy fails, or workers die.
    """
    rules = continental(study.rules, "the rate of a rare event")
    event = read_event(event_text)
    _refuse_dependent_deals(study, event)
    goal = find_goal(event, rules)
    if goal.impossible:
        return RareRate(event, study, level, impossible(0, goal.impossible), goal)
    with stoppable():
        prepare(study, means, watcher)
        _compile(study, event_text, goal, watcher)
        begun = time.monotonic()
        slow = not COMPILED or any(load_player(each).foreign for each in set(study.lineup))
        pilot = find_levels(study, event_text, goal, SLOWER if slow else 1, raise_held)
        work = _Work(study, event_text, goal, pilot, level, means, watcher, begun)
        played = work.play(roots or MOST_ROOTS, error)
        plain = _plain_seconds(study, pilot.first.seconds / pilot.first.roots)
    return RareRate(
        event, study, level, _estimate(played, level), goal, pilot.levels, played, plain
    )


def _estimate(played: Replications, level: float) -> Estimate:
    return weighted_proportion(played.total, played.squares, played.largest, played.roots, level)


def _refuse_dependent_deals(study: Study, event: Event) -> None:
    """Refuse what single deals do not tell: who deals, if that is for others to decide."""
    alike = len(set(study.lineup)) == 1 and not event.names & {"winner", "dealer"}
    if study.rules.next_dealer == "winner" and not alike:
        raise ContsimError(
            "next_dealer = winner makes the deals of a session depend on each other, and rare "
            "events are estimated of single deals: play one strategy for all and name no player, "
            "or --set next_dealer=left"
        )


def _compile(study: Study, event_text: str, goal: Goal, watcher: Watcher) -> None:
    """Compile, once for all later processes."""
    done = code_directory() / "warm-rare"
    if not COMPILED or done.exists():
        return
    watcher.say("first rare event: compiling, once")
    play_roots(
        study,
        event_text,
        goal,
        Levels(plain_scores(continental(study.rules, "a rare event"))),
        Span(0, 1),
    )
    done.touch()


def _plain_seconds(study: Study, guess: float) -> float:
    """Time plain play."""
    deals = int(min(max(PLAIN_SECONDS / guess, study.rules.seats), PLAIN_DEALS))
    begun = time.thread_time()
    play_block(study, 0, deals, load=load_player)
    return (time.thread_time() - begun) / deals


def play_batch(
    study: Study, event_text: str, goal: Goal, levels: Levels, span: Span
) -> tuple[int, Replications]:
    """Play a batch of roots: what a worker does; return the first of them, too."""
    return span.first, play_roots(study, event_text, goal, levels, span)


class _Work:
    """Batches of roots played, by workers if there is much to do."""

    def __init__(
        self,
        study: Study,
        event_text: str,
        goal: Goal,
        pilot: Pilot,
        level: float,
        means: Means,
        watcher: Watcher,
        begun: float,
    ) -> None:
        self.task = (study, event_text, goal, pilot.levels)
        self.level = level
        self.means = means
        self.watcher = watcher
        self.begun = begun
        self.effort = pilot.effort * pilot.slower
        self.size = min(max(round(BATCH / self.effort), 1), LARGEST)
        self.parts: dict[int, Replications] = {}
        self.next = 0

    def play(self, roots: int, error: float | None) -> Replications:
        """Play so many roots, or fewer if the time is over or the error is small enough."""
        jobs = self.means.jobs if self._much(roots) else 1
        try:
            with open_workers(
                self.means.backend, jobs, self.means.scheduler, self.watcher.say
            ) as workers:
                for batches in (FIRST_LOOK << k for k in count()):
                    look = roots if error is None else min(batches * self.size, roots)
                    tasks = ((*self.task, span) for span in self._spans(look, roots))
                    for first, part in workers.results(play_batch, tasks):
                        self.parts[first] = part
                        raise_held()
                        self._tell(look)
                    played = Replications.sum_of([self.parts[key] for key in sorted(self.parts)])
                    if look == roots or self._time_is_over() or self._enough(played, error):
                        return played
        except WorkerDied as died:
            raise StudyFailed(
                f"{died}; nothing is kept, give the command again with fewer --jobs"
            ) from None
        raise AssertionError

    def _much(self, roots: int) -> bool:
        """Tell whether workers gain time; whoever names a cluster wants it in any case."""
        if self.means.backend in CLUSTERS:
            return True
        seconds = min(roots * self.effort * PACE, self.means.max_time or 1e9)
        return seconds >= WORKERS_PAY

    def _spans(self, look: int, roots: int) -> Iterator[Span]:
        """Yield what is to be played before a look, in batches, until the time is over."""
        while self.next < look and not (self.next and self._time_is_over()):
            span = Span(self.next, min(self.next + self.size, roots))
            self.next = span.end
            yield span

    def _time_is_over(self) -> bool:
        limit = self.means.max_time
        return limit is not None and time.monotonic() - self.begun > limit

    def _enough(self, played: Replications, error: float | None) -> bool:
        found = _estimate(played, self.level)
        if error is None or not found.rate or found.low is None or found.high is None:
            return False
        half = max(found.high - found.rate, found.rate - found.low)
        return found.count >= LEAST_EVENTS and half <= error * found.rate

    def _tell(self, look: int) -> None:
        if self.watcher.progress is None:
            return
        done, wanted = sum(part.roots for part in self.parts.values()), look
        if (limit := self.means.max_time) is not None:
            spent = max(time.monotonic() - self.begun, 1e-3)
            wanted = min(look, max(done, int(done * limit / spent)))
        self.watcher.progress(done, wanted)
