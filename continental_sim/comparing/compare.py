"""Strategies compared: the duplicate studies of a comparison, played one after the other."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from continental_sim.comparing.comparison import (
    Comparison,
    Seated,
    is_comparison,
    read_comparison,
    write_comparison,
)
from continental_sim.comparing.duels import Duels, find_duels
from continental_sim.comparing.lineups import lineups_of, refuse_alike
from continental_sim.comparing.narrowing import looks
from continental_sim.comparing.playing import SideBySide, kept_if_stopped
from continental_sim.comparing.settling import Goal
from continental_sim.errors import StudyFailed
from continental_sim.files.directories import claim
from continental_sim.files.store import StoredStudy
from continental_sim.play.means import Means, Watcher
from continental_sim.rules import ContinentalRules
from continental_sim.strategy import find_strategy
from continental_sim.study import Study, make_study


def make_comparison(
    strategies: Sequence[str],
    rules: ContinentalRules,
    *,
    field: str | None = None,
    every: bool = False,
    deals: int,
    seed: int | None = None,
    level: float = 0.95,
) -> tuple[Comparison, list[Study]]:
    """Make a comparison of what a user gives, and the duplicate studies that answer it.

    Parameters
    ----------
    strategies : sequence of str
    rules : ContinentalRules
    field : str or None
        Who sits with each strategy.
    every : bool
        Whether all tables are played.
    deals : int
        Packs of each line-up; each has packs of its own.
    seed : int or None
        A random one if None.
    level : float
        Of the intervals.

    Raises
    ------
    ContsimError
        If there is nothing to compare, or too much, or a strategy is not found.
    """
    lineups = lineups_of(strategies, rules.seats, field=field, every=every)
    found = {spec: find_strategy(spec) for lineup in lineups for spec in lineup}
    refuse_alike(list(found.values()))
    studies: list[Study] = []
    for number, lineup in enumerate(lineups):
        players = [found[spec] for spec in lineup]
        own = seed if number == 0 else _seed(studies[0].seed, number)
        one = make_study(rules, players, own, 1, duplicate=True)
        studies.append(make_study(rules, players, one.seed, deals * one.session, duplicate=True))
    comparison = Comparison(
        strategies=tuple(strategies),
        seats=rules.seats,
        field=field or "",
        every=every,
        deals=deals,
        seed=studies[0].seed,
        level=level,
        lineups=tuple(
            Seated(tuple(lineup), f"table-{number}", study.session)
            for number, (lineup, study) in enumerate(zip(lineups, studies, strict=True), 1)
        ),
    )
    return comparison, studies


def _seed(seed: int, number: int) -> int:
    text = f"{seed} line-up {number}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def begun_seed(out: Path) -> int | None:
    """Return the seed of what was begun in a directory, None if nothing was."""
    return read_comparison(out).seed if is_comparison(out) else None


def play_comparison(
    comparison: Comparison,
    studies: Sequence[Study],
    out: Path,
    means: Means,
    watcher: Watcher,
    goal: Goal | None = None,
) -> tuple[Duels, str]:
    """Play the studies of a comparison, or go on with those that were begun, and compare.

    Parameters
    ----------
    comparison : Comparison
        Kept in `out`, with which everything there explains itself.
    studies : sequence of Study
        One for each line-up, of all the deals that may be played.
    out : Path
    means : Means
        Its time is that of all studies together.
    watcher : Watcher
        Told of all deals together.
    goal : Goal, optional
        When it may end before.

    Returns
    -------
    Duels
    str
        Why no more was played, if anything but the number of deals was to decide, or "".

    Raises
    ------
    ContsimError
        If another comparison lies there already.
    StudyFailed
        If the time was over before each pack was dealt once.
    """
    places = [out / seated.directory for seated in comparison.lineups]
    tables = _Tables(comparison, SideBySide(studies, places, means, watcher), means.max_time)
    if not is_comparison(out):
        claim(out)
    tables.play_on.refuse_others(("seed",))
    write_comparison(out, comparison)
    with kept_if_stopped(out):
        found, reason = tables.play(goal)
    write_comparison(out, found.comparison)
    return found, reason


class _Tables:
    """Studies that are played to the same number of packs."""

    def __init__(self, comparison: Comparison, play_on: SideBySide, max_time: float | None) -> None:
        self.comparison, self.play_on, self.max_time = comparison, play_on, max_time
        self.sessions = [study.session for study in play_on.studies]
        begun = [
            planned // session
            for planned, session in zip(play_on.planned(), self.sessions, strict=True)
            if planned is not None
        ]
        self.reach = max(begun, default=0)  # [packs] of the study that has come furthest
        self.most = max(comparison.deals, self.reach)

    def play(self, goal: Goal | None) -> tuple[Duels, str]:
        """Play from look to look, until the goal is met, the time is over, or all is played."""
        level, text = self.comparison.level, ""
        staged = goal is not None or self.max_time is not None
        for number, packs in self._looks(staged=staged):
            stored = self._play_to(packs)
            played = min(
                study.cubes.deals // session
                for study, session in zip(stored, self.sessions, strict=True)
            )
            if played == 0:
                raise StudyFailed(
                    "the time was over before every pack was dealt in all seatings: give the same "
                    "command again with --out, which goes on"
                )
            own = level if goal is None else goal.level(level, number)
            found = find_duels(replace(self.comparison, level=own, deals=played), stored, own)
            if goal is not None:
                text = f": {goal.text(found)}"
                if goal.met(found, planned=played == packs):
                    return found, f"told apart well enough{text}"
            if played < packs:
                return found, f"the time of {self.max_time:g} seconds was over{text}"
        return found, f"the most, {self.most:,} packs, are played{text}" if goal else ""

    def _looks(self, *, staged: bool) -> Iterator[tuple[int, int]]:
        """Yield number and packs of each look; beyond one was played only if it did not do."""
        plan = looks(self.comparison.seed, 1, self.most) if staged else (self.most,)
        return ((number, packs) for number, packs in enumerate(plan, 1) if packs >= self.reach)

    def _play_to(self, packs: int) -> list[StoredStudy]:
        whole, done, stored = packs * sum(self.sessions), 0, list[StoredStudy]()
        for number, session in enumerate(self.sessions):
            stored.append(self.play_on.play(number, packs * session, done, whole))
            done += packs * session
        return stored
