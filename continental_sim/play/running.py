"""One process at work on a study: it hands blocks out, and keeps them as they come back."""

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final

from joblib import cpu_count

from continental_sim.backends import CLUSTERS, Workers, open_workers
from continental_sim.errors import (
    CannotWrite,
    ContsimError,
    StudyFailed,
    StudyMoved,
    WorkerDied,
    typed,
)
from continental_sim.files.manifest import going_on
from continental_sim.files.store import StoredStudy
from continental_sim.interrupts import Interrupted, raise_held, signal_name, signal_of
from continental_sim.play.identity import code_mark
from continental_sim.play.means import Means, Stopping, Watcher
from continental_sim.play.prepare import prepare
from continental_sim.play.unfinished import UnfinishedStudy
from continental_sim.play.worker import Played, play_task
from continental_sim.provenance import describe_run
from continental_sim.spans import Span, tapered
from continental_sim.words import counted, most_played, time_over

WORKERS_PAY: Final = 1.5  # [seconds] of work from which workers gain more than their start costs
QUICKEST: Final = 2e-6  # [seconds a deal] on one core, below any machine and strategy measured
LONGEST_BLOCK: Final = 4.0  # [seconds] that a crash may cost, if blocks can be cut so small
TRIAL: Final = 500  # [deals] from which on a block tells the pace
MOST_DEATHS: Final = 3  # of workers, one after the other, with no block finished between
_DEAL: Final = re.compile(r"in deal (\d+), seat")


@dataclass
class Run:
    """What one process does for a study, for the manifest."""

    means: Means
    command: Sequence[str]
    deals: int = 0
    started: datetime = field(default_factory=lambda: datetime.now(UTC))
    clock: float = field(default_factory=time.perf_counter)

    @property
    def jobs(self) -> int | None:
        """Workers wanted; None if the cluster decides."""
        return self.means.jobs or (None if self.means.scheduler else cpu_count())

    @property
    def seconds(self) -> float:
        """Time since it began."""
        return time.perf_counter() - self.clock

    def table(self) -> dict[str, Any]:
        """Return it as the manifest tells it."""
        jobs = {} if self.jobs is None else {"jobs": self.jobs}
        return {
            **describe_run(self.command, self.started),
            "seconds": round(self.seconds, 3),
            "deals": self.deals,
            "backend": self.means.backend,
            **jobs,
        }


class StudyRun:
    """One process at work on an unfinished study."""

    def __init__(
        self,
        unfinished: UnfinishedStudy,
        means: Means,
        watcher: Watcher,
        run: Run,
        stopping: Stopping | None,
    ) -> None:
        self.unfinished = unfinished
        self.study = unfinished.study
        self.means = means
        self.watcher = watcher
        self.run = run
        self.stopping = stopping
        self._sizes = [size for size in self.study.block_sizes if size >= TRIAL] or [
            self.study.block_deals
        ]
        self._pace = 0.0  # [seconds a deal] on one core, once it is known
        self._workers: Workers | None = None
        self._failures: list[StudyFailed] = []
        self._time_over = False

    def play(self) -> StoredStudy:
        """Play to the end, or to where the study may stop."""
        try:
            with ExitStack() as stack:
                if self._workers_pay(self.study.end, QUICKEST):
                    self._open_workers(stack).start(play_task)
                prepare(self.study, self.means, self.watcher)
                reason = self._stages(stack)
            stored = self.unfinished.finish(
                self.run.table(), self._whole_deals(), reason, time_over=self._time_over
            )
        except StudyMoved:
            raise
        except CannotWrite as error:
            self.unfinished.check_place()
            kept = self._kept(f"make room, then {self._resume}")
            self._note(error.what)
            raise StudyFailed(f"{error.what}; {kept}") from None
        except (StudyFailed, WorkerDied) as failed:
            self._note(str(failed))
            raise StudyFailed(f"{failed}; {self._advice(str(failed))}") from None
        except ContsimError as error:  # such as a cluster that does not answer
            if self.unfinished.abandon():
                raise
            self._note(str(error))
            raise ContsimError(f"{error}; {self._kept(f'go on with {self._resume}')}") from None
        except KeyboardInterrupt as stop:
            self._note("interrupted")
            left = f"; {self._kept(f'go on with {self._resume}')}"
            if self.unfinished.abandon():
                left = " before a block had finished; nothing is kept"
            raise _interrupted(stop, left) from None
        try:
            raise_held()
        except KeyboardInterrupt as stop:
            left = f"; the study in {self.unfinished.directory} is complete"
            raise _interrupted(stop, left) from None
        return stored

    def _stages(self, stack: ExitStack) -> str:
        """Play from look to look; return why the study ends where it does, or "" at its plan."""
        first, wanted = self.study.first_deal, self.study.deals
        reach = self.unfinished.reach
        for deals in self.stopping.looks(self.study) if self.stopping else [wanted]:
            # Beyond a look is played only if it was not enough: that look has been.
            if first + deals < reach:
                continue
            self._play_to(first + deals, stack)
            self._time_over = self._whole_deals() < deals
            enough = self.stopping is not None and self.stopping.enough(self.unfinished.so_far())
            if self._time_over:
                return self._told(time_over(self.means.max_time))
            if enough:
                return self._told("known well enough")
        return self._told(most_played(wanted, "deal")) if self.stopping else ""

    def _told(self, why: str) -> str:
        return f"{why}: {self.stopping.text}" if self.stopping and self.stopping.text else why

    def _whole_deals(self) -> int:
        """Deals that are finished without a gap."""
        gap = next(self.unfinished.missing(self.study.end), None)
        return (gap.first if gap else self.study.end) - self.study.first_deal

    def _play_to(self, end: int, stack: ExitStack) -> None:
        """Play all blocks before a deal; a block whose worker died is played again."""
        deaths = 0
        self._tell(end)
        while True:
            try:
                for result in self._results(end, stack):
                    if isinstance(result, StudyFailed):
                        self._failures.append(result)
                        continue
                    self.unfinished.keep(result.span, result.cubes, result.outcomes)
                    self.run.deals += result.span.deals
                    raise_held()
                    deaths = 0
                    self._tell(end)
                if self._failures:
                    raise min(self._failures, key=_place)
            except WorkerDied as died:
                deaths += 1
                if deaths == MOST_DEATHS:
                    raise StudyFailed(f"{died}, {deaths} times without a block between") from None
                self.watcher.say(f"{died}; its block is played again")
            else:
                return

    def _tell(self, end: int) -> None:
        if self.watcher.progress is None:
            return
        wanted = end - self.study.first_deal
        if self.stopping is not None and self.stopping.needed is not None:
            wanted = max(wanted, min(self.stopping.needed, self.study.deals))
        self.watcher.progress(self.unfinished.deals, wanted)

    def _results(self, end: int, stack: ExitStack) -> Iterator[Played | StudyFailed]:
        if not self._pace:
            yield from self._first_blocks(end)
        if self._workers is None and not self._workers_pay(end, self._pace):
            yield from (play_task(*task) for task in self._tasks(end, 1))
            return
        workers = self._open_workers(stack)
        yield from workers.results(play_task, self._tasks(end, workers.count()))

    def _first_blocks(self, end: int) -> Iterator[Played | StudyFailed]:
        """Play two small blocks here: they tell how large blocks may be, and if workers pay."""
        for size in self._sizes[:2]:
            span = next(self.unfinished.missing(end, size), None)
            if span is None or self._stops_before(span) or size * self._pace > LONGEST_BLOCK:
                return
            begun = time.perf_counter()
            result = play_task(*self._task(span))
            self._pace = (time.perf_counter() - begun) / span.deals
            yield result

    def _workers_pay(self, end: int, pace: float) -> bool:
        """Tell whether workers gain time; whoever names a cluster wants it in any case."""
        if self.means.backend in CLUSTERS:
            return True
        return self.run.jobs != 1 and self.unfinished.ahead(end) * pace >= WORKERS_PAY

    def _open_workers(self, stack: ExitStack) -> Workers:
        if self._workers is None:
            means = self.means
            self._workers = stack.enter_context(
                open_workers(means.backend, self.run.jobs, means.scheduler, self.watcher.say)
            )
        return self._workers

    def _tasks(self, end: int, workers: int) -> Iterator[tuple[Any, ...]]:
        """Yield what is to be played until one fails or the time is over.

        Blocks that have begun when one fails are played to their end, and kept.
        """
        quick = [size for size in self._sizes if size * self._pace < LONGEST_BLOCK]
        smaller, size = ([0, *(quick or self._sizes[:1])])[-2:]
        spans = self.unfinished.missing(end, size)
        if smaller and workers > 1:
            spans = tapered(spans, workers, smaller)
        for span in spans:
            if self._stops_before(span):
                return
            yield self._task(span)

    def _task(self, span: Span) -> tuple[Any, ...]:
        return self.study, span, self.unfinished.records, code_mark(), self.means.deal_timeout

    def _stops_before(self, span: Span) -> bool:
        """Tell whether play ends: one has failed, or the time is over and this fills no hole."""
        limit = self.means.max_time
        over = limit is not None and self.unfinished.deals and self.run.seconds > limit
        return bool(self._failures or (over and span.first >= self.unfinished.reach))

    def _note(self, reason: str) -> None:
        with suppress(ContsimError):  # the disk may be full
            self.unfinished.note(self.run.table(), reason)

    def _kept(self, next_step: str) -> str:
        deals, directory = self.unfinished.deals, self.unfinished.directory
        if deals:
            of_all = f"{deals:,} of {counted(self.study.deals, 'deal')}"
            return f"{of_all} are kept in {directory}; {next_step}"
        return f"no block had finished; {next_step}"

    @property
    def _resume(self) -> str:
        return f"{going_on(self.unfinished.directory)}{self._limit}"

    @property
    def _limit(self) -> str:
        """The limit of a deal, for commands that would not come to an end without it."""
        timeout = self.means.deal_timeout
        return "" if timeout is None else f" --deal-timeout {timeout:g}"

    def _advice(self, reason: str) -> str:
        found, directory = _DEAL.search(reason), self.unfinished.directory
        if found is None:
            return self._kept(f"go on with {self._resume}")
        return self._kept(
            f"replay it: contsim replay {typed(directory)} --deal {found[1]}{self._limit}"
        )


def _interrupted(stop: KeyboardInterrupt, left: str) -> Interrupted:
    number = signal_of(stop)
    return Interrupted(number, f"stopped by {signal_name(number)}{left}")


def _place(failure: StudyFailed) -> int:
    """Return the deal that a failure names: of several, the first is told."""
    found = _DEAL.search(str(failure))
    return int(found[1]) if found else -1
