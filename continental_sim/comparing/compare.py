"""Strategies compared: the duplicate studies of a comparison, played one after the other."""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from continental_sim.comparing.comparison import (
    ALL_PLAYED,
    MET,
    TIME_OVER,
    Comparison,
    Seated,
    is_comparison,
    read_comparison,
    write_comparison,
)
from continental_sim.comparing.duels import Duels, find_duels
from continental_sim.comparing.kept import is_report
from continental_sim.comparing.lineups import lineups_of, refuse_alike
from continental_sim.comparing.narrowing import looks
from continental_sim.comparing.playing import SideBySide, kept_if_stopped
from continental_sim.comparing.settling import one_goal, read_goal
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.files.directories import claim
from continental_sim.files.manifest import COMPARISON, MANIFEST
from continental_sim.files.store import StoredStudy
from continental_sim.play.means import Means, Say, Watcher
from continental_sim.rules import GameRules
from continental_sim.rules.load import as_settings
from continental_sim.strategy import find_strategy
from continental_sim.study import Study, load_study, make_study
from continental_sim.words import most_played, time_over

_FIRST: Final = "table-1"  # directory of the first line-up


def make_comparison(
    strategies: Sequence[str],
    rules: GameRules,
    *,
    field: str | None = None,
    every: bool = False,
    deals: int,
    seed: int | None = None,
    level: float = 0.95,
    until: str | None = None,
) -> tuple[Comparison, list[Study]]:
    """Make a comparison of what a user gives, and the duplicate studies that answer it.

    Parameters
    ----------
    strategies : sequence of str
    rules : GameRules
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
    until : str or None
        The goal with which it may end before, as `read_goal` takes it.

    Raises
    ------
    ContsimError
        If there is nothing to compare, or too much, a strategy is not found, or the goal is none.
    """
    goal = None if until is None else read_goal(until)
    lineups = lineups_of(strategies, rules.seats, field=field, every=every)
    found = {spec: find_strategy(spec, rules.game) for lineup in lineups for spec in lineup}
    refuse_alike(list(found.values()))
    studies: list[Study] = []
    for number, lineup in enumerate(lineups):
        players = [found[spec] for spec in lineup]
        own = seed if number == 0 else _seed(studies[0].seed, number)
        one = make_study(rules, players, own, 1, duplicate=True)
        studies.append(make_study(rules, players, one.seed, deals * one.session, duplicate=True))
    comparison = Comparison(
        strategies=tuple(strategies),
        game=rules.game,
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
        settings=tuple(as_settings(rules)),
        until="" if goal is None else goal.given,
        told_level=level,
    )
    return comparison, studies


def _seed(seed: int, number: int) -> int:
    text = f"{seed} line-up {number}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def begun_seed(out: Path) -> int | None:
    """Return the seed of what was begun in a directory, None if nothing was."""
    if (out / _FIRST / MANIFEST).is_file():  # tells it even if the comparison is damaged
        return load_study(out / _FIRST / MANIFEST).seed
    return read_comparison(out).seed if is_comparison(out) else None


def play_comparison(
    comparison: Comparison,
    studies: Sequence[Study],
    out: Path,
    means: Means,
    watcher: Watcher,
) -> Duels:
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

    Raises
    ------
    ContsimError
        If another comparison lies there already.
    StudyFailed
        If the time was over before each pack was dealt once.
    """
    places = [out / seated.directory for seated in comparison.lineups]
    side_by_side = SideBySide(studies, places, means, watcher)
    begun = _begun(comparison, out, watcher.say)
    side_by_side.refuse_others(("seed",))
    tables = _Tables(comparison, begun, side_by_side, means.max_time)
    if begun is None or begun.ended != MET:  # a goal that is met stays met
        write_comparison(out, tables.asked)
    with kept_if_stopped(out):
        found = tables.play()
    write_comparison(out, found.comparison)
    return found


def _begun(comparison: Comparison, out: Path, say: Say) -> Comparison | None:
    """Return the comparison that was begun in a directory; refuse another one.

    A damaged one is written anew: it must be that of the studies there, which are checked, too.
    """
    if is_report(out) or not is_comparison(out):
        claim(out)
        return None
    try:
        begun = read_comparison(out)
        begun = replace(begun, until=one_goal([begun.until] if begun.until else []) or "")
    except ContsimError:
        say(
            f"{out / COMPARISON} is damaged: it is written anew as asked now, and a goal that it "
            "had counts only if --until gives it again"
        )
        return None
    found = list(begun.differences(comparison))
    if found:
        raise ContsimError(
            f"{out} holds another comparison ({'; '.join(found)}): give the same again to go on "
            "with it, or name another directory with --out"
        )
    return begun


class _Tables:
    """Studies that are played to the same number of packs."""

    def __init__(
        self,
        comparison: Comparison,
        begun: Comparison | None,
        play_on: SideBySide,
        max_time: float | None,
    ) -> None:
        self.begun, self.play_on, self.max_time = begun, play_on, max_time
        self.goal = read_goal(comparison.until) if comparison.until else None
        self.sessions = [study.session for study in play_on.studies]
        planned = [
            deals // session
            for deals, session in zip(play_on.planned(), self.sessions, strict=True)
            if deals is not None
        ]
        self.reach = max(planned, default=0)  # [packs] of the study that has come furthest
        self.most = max(comparison.deals, self.reach)
        self.spent = 0 if begun is None else begun.looks
        self.asked = replace(
            comparison, deals=self.most, max_time=max_time or 0.0, looks=self.spent
        )

    def play(self) -> Duels:
        """Play from look to look, until the goal is met, the time is over, or all is played."""
        for look, packs in self._looks():
            found = self._look(look, packs)
            if found.comparison.ended:
                return found
        return found

    def _look(self, number: int, packs: int) -> Duels:
        """Play to a look, and say whether play ends with it."""
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
        goal, level = self.goal, self.asked.level
        own = level if goal is None else goal.level(level, number)
        now = replace(self.asked, deals=played, told_level=own, max_time=0.0)
        found = find_duels(now, stored, own)
        ended, reason = "", ""
        if played < packs:
            # Nothing is met: it would spend the chance of error of the look that is to come.
            ended, reason = TIME_OVER, time_over(self.max_time)
        elif goal is not None:
            now = replace(now, looks=number)
            if goal.met(found):
                ended, reason = MET, "told apart well enough"
            elif packs == self.most:
                ended, reason = ALL_PLAYED, most_played(packs, "pack")
        if goal is not None and ended:
            reason += f": {goal.text(found)}"
        return replace(found, comparison=replace(now, ended=ended, reason=reason))

    def _looks(self) -> Iterator[tuple[int, int]]:
        """Yield number and packs of each look; beyond one was played only if it did not do."""
        ended = "" if self.begun is None else self.begun.ended
        if self.begun is not None and ended == MET:
            yield self.spent, self.begun.deals
            return
        staged = self.goal is not None or self.max_time is not None
        number = self.spent
        plan = looks(self.asked.seed, 1, self.most) if staged else (self.most,)
        for planned, packs in enumerate(plan, 1):
            if packs < self.reach:
                continue
            # One that was made before at the same packs spends nothing again.
            if not (ended == ALL_PLAYED and packs == self.reach):
                number = max(planned, number + 1)
            yield number, packs

    def _play_to(self, packs: int) -> list[StoredStudy]:
        whole, done, stored = packs * sum(self.sessions), 0, list[StoredStudy]()
        for number, session in enumerate(self.sessions):
            stored.append(self.play_on.play(number, packs * session, done, whole))
            done += packs * session
        return stored
