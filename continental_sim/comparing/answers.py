"""Answers to a what-if question, from the studies in its directory: nothing is played here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from continental_sim.comparing.compared import find_figures
from continental_sim.comparing.contrasts import Contrast, Difference, adjusted
from continental_sim.comparing.kept import refuse_report, unfinished
from continental_sim.comparing.notes import UNPAIRED
from continental_sim.comparing.question import Asked, Question, read_question
from continental_sim.figures.compared_figure import Figure
from continental_sim.files import parquet
from continental_sim.files.manifest import COMPLETE, MANIFEST, read_manifest
from continental_sim.files.store import (
    StoredStudy,
    check_records,
    patterns_of,
    read_study,
    records_path,
)
from continental_sim.grouping import Rows


@dataclass(frozen=True)
class Answer:
    """A variant that was played, and where it differs from the baseline.

    Attributes
    ----------
    name : str
        Of the variant.
    study : StoredStudy
    deals : int
        That were compared, of each side.
    differences : list of Difference
        One for each figure.
    notes : list of str
        What to keep in mind, sentences without a full stop.
    """

    name: str
    study: StoredStudy
    deals: int
    differences: list[Difference]
    notes: list[str]

    @property
    def paired(self) -> bool:
        """Whether both sides were dealt from the same packs."""
        return self.differences[0].paired


@dataclass(frozen=True)
class Answers:
    """A question with all that was found.

    Attributes
    ----------
    question : Question
    base : StoredStudy
    each : list of Answer
        One for each variant.
    """

    question: Question
    base: StoredStudy
    each: list[Answer]


def read_answers(directory: Path, level: float | None = None) -> Answers:
    """Compare the studies of a question.

    Parameters
    ----------
    directory : Path
        That `contsim whatif --out` made.
    level : float or None
        Of every interval; that of the question if None.

    Raises
    ------
    ContsimError
        If a study is missing, not played to its end, or damaged, or it is a report.
    """
    refuse_report(directory, "what-if", "contsim whatif")
    question = read_question(directory)
    studies = [_read(directory, asked, question) for asked in question.studies]
    base, *others = studies
    each = compare(
        base,
        list(zip(question.studies[1:], others, strict=True)),
        question.level if level is None else level,
        find_figures(question.metrics, base.rules.game),
    )
    return Answers(question, base, each)


def _read(directory: Path, asked: Asked, question: Question) -> StoredStudy:
    place = directory / asked.directory
    if not (place / MANIFEST).is_file() or read_manifest(place)["state"]["status"] != COMPLETE:
        lacking = f"{asked.name} is not played to its end"
        raise unfinished(directory, "what-if", lacking, question.command(str(directory)))
    study = read_study(place)
    check_records(study)
    return study


def compare(
    base: StoredStudy,
    others: Sequence[tuple[Asked, StoredStudy]],
    level: float,
    figures: Sequence[Figure] = (),
) -> list[Answer]:
    """Compare studies with a baseline, deal by deal, as far as all of them have come.

    Parameters
    ----------
    base : StoredStudy
        With records.
    others : sequence of (Asked, StoredStudy)
        Each with records.
    level : float
        Of every interval.
    figures : sequence of Figure
        All of the game if empty.
    """
    deals = min(study.cubes.deals for study in (base, *(study for _, study in others)))
    contrasts = [Contrast(base.rules, study.rules, figures) for _, study in others]
    for contrast, (_, study) in zip(contrasts, others, strict=True):
        for mine, theirs in _side_by_side(base, study, deals):
            contrast.add(mine, theirs)
    families = adjusted(contrast.differences(level) for contrast in contrasts)
    return [
        Answer(
            asked.name,
            study,
            deals,
            differences,
            [*([] if contrast.paired else [UNPAIRED]), *asked.notes],
        )
        for (asked, study), contrast, differences in zip(others, contrasts, families, strict=True)
    ]


def _side_by_side(base: StoredStudy, other: StoredStudy, deals: int) -> Iterator[tuple[Rows, Rows]]:
    """Yield the records of the first deals of both, however they are cut."""
    nothing: Rows = np.zeros(0, base.files.outcome_dtype)
    waiting = [nothing, nothing]
    sources = [
        parquet.read_records(records_path(study.directory), study.files, patterns_of(study.rules))
        for study in (base, other)
    ]
    while deals:
        for side in range(2):
            if not len(waiting[side]):
                waiting[side] = next(sources[side])
        size = min(deals, *map(len, waiting))
        yield waiting[0][:size], waiting[1][:size]
        waiting = [rows[size:] for rows in waiting]
        deals -= size
