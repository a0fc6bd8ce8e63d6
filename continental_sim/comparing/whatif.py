"""What if a rule were another one: a baseline and its variants, played side by side and compared.

Each is a study of its own, kept with its records in a directory of its own, and played with the
same seed. So deals of one index come from the same pack wherever the cards are the same.
"""

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from continental_sim.columns import OUTCOME
from continental_sim.comparing.contrasts import (
    FIGURES,
    Contrast,
    Difference,
    Figure,
    adjusted,
    same_pack,
)
from continental_sim.comparing.variants import BASELINE, Variant
from continental_sim.cubes import Rows
from continental_sim.errors import ContsimError, typed
from continental_sim.files import parquet
from continental_sim.files.manifest import MANIFEST, read_manifest
from continental_sim.files.store import StoredStudy, records_path
from continental_sim.interrupts import Interrupted, signal_name, signal_of
from continental_sim.play.identity import code_mark, differences
from continental_sim.play.means import Means, Watcher
from continental_sim.play.simulate import resume_study, run_study
from continental_sim.strategy import Strategy
from continental_sim.study import Study, load_study, make_study

LEAST_DEALS = 100


@dataclass(frozen=True)
class Answer:
    """A variant that was played, and where it differs from the baseline.

    Attributes
    ----------
    variant : Variant
    study : StoredStudy
    differences : list of Difference
        One for each figure.
    notes : list of str
        What to keep in mind, sentences without a full stop.
    """

    variant: Variant
    study: StoredStudy
    differences: list[Difference]
    notes: list[str]


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
    text = f"{seed} {variant.rules.packs} {variant.rules.jokers}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def play_all(
    studies: Sequence[Study], names: Sequence[str], out: Path, means: Means, watcher: Watcher
) -> list[StoredStudy]:
    """Play studies, or go on with those that were begun.

    Parameters
    ----------
    studies : sequence of Study
    names : sequence of str
        For each the name of its directory in `out`.
    out : Path
    means : Means
    watcher : Watcher
        Told of all deals together.

    Raises
    ------
    ContsimError
        If another study lies there already.
    """
    whole = sum(study.deals for study in studies)
    played, stored = 0, []
    places = [out / name.replace("/", "-") for name in names]
    for study, directory in zip(studies, places, strict=True):
        if (directory / MANIFEST).exists():
            _refuse_another(study, directory)
    try:
        for study, directory in zip(studies, places, strict=True):
            shown = replace(watcher, progress=_of_all(watcher, played, whole))
            if (directory / MANIFEST).exists():
                stored.append(resume_study(directory, means, shown))
            else:
                directory.parent.mkdir(parents=True, exist_ok=True)
                stored.append(run_study(study, directory, means, shown, records=True))
            played += study.deals
    except KeyboardInterrupt as stop:
        number = signal_of(stop)
        raise Interrupted(
            number,
            f"stopped by {signal_name(number)}; what had finished is kept in {out}: give the same "
            f"command again with --out {typed(out)}",
        ) from None
    return stored


def begun_seed(out: Path) -> int | None:
    """Return the seed of what was begun in a directory, None if nothing was."""
    if not (out / BASELINE / MANIFEST).exists():
        return None
    return load_study(out / BASELINE / MANIFEST).seed


def _refuse_another(study: Study, directory: Path) -> None:
    kept, manifest = load_study(directory / MANIFEST), read_manifest(directory)
    found = list(differences(kept, study, ("seed", "deals")))
    found += [] if manifest["study"].get("code") == code_mark() else ["other code"]
    found += [] if manifest["state"]["records"] else ["no records"]
    if found:
        raise ContsimError(
            f"{directory} holds another study ({'; '.join(found)}): name another directory with "
            "--out"
        )


def _of_all(watcher: Watcher, played: int, whole: int) -> Callable[[int, int], None] | None:
    progress = watcher.progress
    if progress is None:
        return None
    return lambda done, _: progress(played + done, whole)


def compare(
    base: StoredStudy,
    others: Sequence[tuple[Variant, StoredStudy]],
    level: float,
    figures: Sequence[Figure] = FIGURES,
) -> list[Answer]:
    """Compare studies with a baseline, deal by deal.

    Parameters
    ----------
    base : StoredStudy
        With records.
    others : sequence of (Variant, StoredStudy)
    level : float
        Of every interval.
    figures : sequence of Figure
    """
    families = []
    for _, study in others:
        contrast = Contrast(base.rules, study.rules, figures)
        for mine, theirs in _side_by_side(_records(base), _records(study)):
            contrast.add(mine, theirs)
        families.append(contrast.differences(level))
    return [
        Answer(variant, study, differences, _notes(base, study, differences))
        for (variant, study), differences in zip(others, adjusted(families), strict=True)
    ]


def _records(study: StoredStudy) -> Iterator[Rows]:
    return parquet.read_records(records_path(study.directory), study.rules.patterns)


def _side_by_side(one: Iterable[Rows], two: Iterable[Rows]) -> Iterator[tuple[Rows, Rows]]:
    """Yield the records of the same deals, however they are cut."""
    nothing: Rows = np.zeros(0, OUTCOME)
    waiting = [nothing, nothing]
    sources = [iter(one), iter(two)]
    while True:
        for side in range(2):
            if not len(waiting[side]):
                waiting[side] = next(sources[side], nothing)
        size = min(map(len, waiting))
        if not size:
            if any(map(len, waiting)):
                raise ContsimError("the studies have different deals: play them anew")
            return
        yield waiting[0][:size], waiting[1][:size]
        waiting = [rows[size:] for rows in waiting]


def _notes(base: StoredStudy, study: StoredStudy, differences: Sequence[Difference]) -> list[str]:
    notes = []
    if not differences[0].paired:
        notes.append("the pack is another one, so the deals are too: the differences are unpaired")
    if base.rules.wild_ranks != study.rules.wild_ranks or base.rules.jokers != study.rules.jokers:
        notes.append(
            "the strategies see which cards are wild, but their knobs were chosen for the default "
            "wild cards"
        )
    return notes
