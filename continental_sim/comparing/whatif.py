"""What if a rule were another one: a baseline and its variants, played side by side.

Each is a study of its own, kept with its records in a directory of its own, and played with the
same seed. So deals of one index come from the same pack wherever the cards are the same.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from continental_sim.comparing.answers import Answers, compare
from continental_sim.comparing.awareness import notes_on
from continental_sim.comparing.compared import find_figures
from continental_sim.comparing.contrasts import pack_of, same_pack
from continental_sim.comparing.kept import is_report
from continental_sim.comparing.narrowing import judge, looks, read_goals
from continental_sim.comparing.playing import SideBySide, kept_if_stopped
from continental_sim.comparing.question import (
    Asked,
    Question,
    is_question,
    write_question,
)
from continental_sim.comparing.variants import BASELINE, Variant, read_variants
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.figures.precision import Target
from continental_sim.files.directories import claim
from continental_sim.files.manifest import MANIFEST
from continental_sim.files.store import StoredStudy
from continental_sim.play.means import Means, Watcher
from continental_sim.rules import choose_rules
from continental_sim.strategy import Strategy
from continental_sim.study import Study, load_study, make_study
from continental_sim.words import counted, most_played, time_over

LEAST_DEALS = 100
_LONGEST = 60  # characters of a directory's name, of 4 bytes at the most; files may have 255


@dataclass(frozen=True)
class Asking:
    """A question, and what answers it.

    Attributes
    ----------
    question : Question
    studies : list of Study
        To be played, the baseline's first.
    goals : list of Target
        How well the differences are to be known.
    """

    question: Question
    studies: list[Study]
    goals: list[Target]


def make_question(  # noqa: PLR0913 - as many as a question has
    rules: str,
    game: str | None = None,
    *,
    settings: Sequence[str] = (),
    grids: Sequence[str] = (),
    files: Sequence[str] = (),
    metrics: Sequence[str] = (),
    strategies: Sequence[str],
    until: Sequence[str] = (),
    deals: int,
    seed: int | None,
    level: float = 0.95,
) -> Asking:
    """Make a question of what a user gives.

    Parameters
    ----------
    rules : str
        Preset or file of the baseline.
    game : str or None
        That it must be of.
    settings, grids, files : sequence of str
        Variants, as `read_variants` takes them.
    metrics : sequence of str
        What is compared; everything if empty.
    strategies : sequence of str
        One for all players, or one for each.
    until : sequence of str
        How well differences are to be known; `deals` are the most, then.
    deals : int
        Of each study.
    seed : int or None
        A random one if None.
    level : float
        Of every interval.

    Raises
    ------
    ContsimError
        If there is nothing to compare, or something given makes no sense.
    """
    base = Variant(BASELINE, choose_rules(rules, game))
    figures = find_figures(metrics, base.rules.game)
    variants = read_variants(base.rules, settings, grids, files)
    goals = read_goals(until, [base.rules, *(each.rules for each in variants)], figures)
    studies = studies_of(base, variants, strategies, seed, deals)
    question = Question(
        rules=rules,
        settings=tuple(settings),
        grids=tuple(grids),
        files=tuple(files),
        metrics=tuple(metrics),
        strategies=tuple(strategies),
        until=tuple(until),
        deals=deals,
        seed=studies[0].seed,
        level=level,
        studies=asked_of(variants, studies),
    )
    return Asking(question, studies, goals)


def studies_of(
    base: Variant,
    variants: Sequence[Variant],
    strategies: Sequence[str | Strategy],
    seed: int | None,
    deals: int,
) -> list[Study]:
    """Make the studies to be played, the baseline's first.

    All have one seed, but for those with another pack: theirs is another, so that their deals have
    nothing in common with the baseline's.

    Raises
    ------
    ContsimError
        If the strategies do not fit the seats of a variant, or the deals are too few.
    """
    if deals < LEAST_DEALS:
        raise ContsimError(f"deals = {deals} are too few to compare: play {LEAST_DEALS} or more")
    first = make_study(base.rules, strategies, seed, deals)
    studies = [first]
    for variant in variants:
        own = first.seed if same_pack(base.rules, variant.rules) else _seed(first.seed, variant)
        try:
            studies.append(make_study(variant.rules, strategies, own, deals))
        except ContsimError as error:
            raise ContsimError(f"variant {variant.name}: {error}") from error
    return studies


def _seed(seed: int, variant: Variant) -> int:
    text = f"{seed} {pack_of(variant.rules)}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def asked_of(variants: Sequence[Variant], studies: Sequence[Study]) -> tuple[Asked, ...]:
    """Name the studies of a question, with their directories and what to keep in mind.

    Parameters
    ----------
    variants : sequence of Variant
    studies : sequence of Study
        As `studies_of` makes them: the baseline's, and one for each variant.
    """
    first, *rest = studies
    return (
        Asked(BASELINE, BASELINE),
        *(
            Asked(
                variant.name,
                _directory(variant.name),
                tuple(notes_on(first.rules, study.rules, study.lineup)),
            )
            for variant, study in zip(variants, rest, strict=True)
        ),
    )


def _directory(name: str) -> str:
    """Name the directory of a variant: by its beginning and a mark, if its own name is long."""
    plain = name.replace("/", "-")
    if len(plain) <= _LONGEST:
        return plain
    mark = hashlib.blake2b(name.encode(), digest_size=4).hexdigest()
    return f"{plain[: _LONGEST - len(mark) - 1]}-{mark}"


def begun_seed(out: Path) -> int | None:
    """Return the seed of what was begun in a directory, None if nothing was."""
    if not (out / BASELINE / MANIFEST).exists():
        return None
    return load_study(out / BASELINE / MANIFEST).seed


def play_question(
    question: Question,
    studies: Sequence[Study],
    out: Path,
    means: Means,
    watcher: Watcher,
    goals: Sequence[Target] = (),
) -> tuple[Answers, str]:
    """Play the studies of a question, or go on with those that were begun, and compare them.

    Parameters
    ----------
    question : Question
        Kept in `out`, with which everything there explains itself.
    studies : sequence of Study
    out : Path
    means : Means
        Its time is that of all studies together.
    watcher : Watcher
        Told of all deals together.
    goals : sequence of Target
        How well the differences are to be known; the deals of the studies are the most, then.

    Returns
    -------
    Answers
    str
        Why no more was played, if anything but the number of deals was to decide, or "".

    Raises
    ------
    ContsimError
        If another study lies there already.
    StudyFailed
        If the time was over before enough deals were played to compare anything.
    """
    staged = bool(goals) or means.max_time is not None
    places = [out / asked.directory for asked in question.studies]
    side_by_side = SideBySide(studies, places, means, watcher, records=True)
    table = _Table(question, side_by_side, means.max_time)
    if is_report(out) or not is_question(out):
        claim(out)
    side_by_side.refuse_others(("seed",) if staged else ("seed", "deals"))
    write_question(out, question)
    with kept_if_stopped(out):
        return table.play(goals, staged=staged)


class _Table:
    """Studies that are played side by side, to the same deals."""

    def __init__(self, question: Question, play_on: SideBySide, max_time: float | None) -> None:
        self.question, self.play_on, self.max_time = question, play_on, max_time
        self.first = play_on.studies[0]
        self.played = 0  # [deals] of each, at the look before
        # [deals] of the study that has come furthest
        self.reach = max((planned or 0 for planned in play_on.planned()), default=0)
        self.most = max(self.first.deals, self.reach)

    def play(self, goals: Sequence[Target], *, staged: bool) -> tuple[Answers, str]:
        """Play from look to look, until the goals are met, the time is over, or all is played."""
        figures = find_figures(self.question.metrics, self.first.rules.game)
        level, text, needed = self.question.level, "", None
        for look in self._looks(staged=staged):
            base, *others = self._play_to(look, needed)
            deals = min(each.cubes.deals for each in (base, *others))
            if deals < LEAST_DEALS:
                raise StudyFailed(
                    f"the time was over after {counted(deals, 'deal')} of each, too few to "
                    "compare: give the same command again with --out, which goes on"
                )
            over = deals < look
            if not (goals or over or look == self.most):
                continue
            pairs = list(zip(self.question.studies[1:], others, strict=True))
            found = Answers(self.question, base, compare(base, pairs, level, figures))
            if goals:
                state = judge(found.each, goals, level)
                text, needed = f": {state.text}", state.needed
                if state.met:
                    return found, f"known well enough{text}"
            if over:
                return found, f"{time_over(self.max_time)}{text}"
        return found, f"{most_played(deals, 'deal')}{text}" if goals else ""

    def _looks(self, *, staged: bool) -> Iterator[int]:
        """Yield after how many deals to compare; beyond a look was played only if it failed."""
        first = self.first
        plan = looks(first.seed, first.session, self.most) if staged else (self.most,)
        return (look for look in plan if look >= self.reach)

    def _play_to(self, look: int, needed: int | None) -> list[StoredStudy]:
        many, stored = len(self.play_on.studies), list[StoredStudy]()
        whole = many * min(max(look, needed or 0), self.most)
        for number in range(many):
            done = number * look + (many - number - 1) * self.played
            stored.append(self.play_on.play(number, look, done, whole))
        self.played = look
        return stored
