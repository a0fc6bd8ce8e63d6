"""The page of a what-if question: what was asked, the answers, and how to ask again."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from continental_sim.comparing.answers import Answer, Answers, read_answers
from continental_sim.comparing.contrasts import Difference
from continental_sim.comparing.difference_plots import difference_charts
from continental_sim.comparing.kept import STUDIES
from continental_sim.comparing.notes import NOTES
from continental_sim.comparing.whatif_table import difference_cell, is_clear, sentence, side_cell
from continental_sim.errors import typed
from continental_sim.figures import formats
from continental_sim.figures.tabular import Number, Table
from continental_sim.files.manifest import QUESTION
from continental_sim.language import again, numeral, tr
from continental_sim.report.pages import kept_beside, write_pages
from continental_sim.report.tables import provenance_table, rules_table, value_of
from continental_sim.rules import describe, differences
from continental_sim.words import counted

_LEAST = 1e-99  # below which no chance is told


def write_answers(directory: Path, target: Path, level: float | None = None) -> Path:
    """Draw the answers to a question and write a page around the charts.

    Parameters
    ----------
    directory : Path
        That `contsim whatif --out` made.
    target : Path
        As `write_pages` takes it. It gets the question and the manifests of its studies, too.
    level : float or None
        Confidence level of all intervals; that of the question if None.

    Returns
    -------
    Path
        The HTML page.

    Raises
    ------
    ContsimError
        If a study cannot be read or the page cannot be written.
    """
    found = read_answers(directory, level)
    level = found.question.level if level is None else level
    places = [asked.directory for asked in found.question.studies]
    return write_pages(
        target,
        QUESTION,
        kept_beside(directory, QUESTION, places),
        "whatif",
        _content(found, directory.resolve().name, level),
        difference_charts(found.each, level),
    )


def _content(found: Answers, name: str, level: float) -> dict[str, Any]:
    question, answers = found.question, found.each
    return {
        "title": tr("{game}, what if: {name}", game=tr(found.base.rules.title), name=name),
        "header": _header(found),
        "sentences": [sentence(answer, level) for answer in answers],
        "notes": _notes(answers),
        "undrawn": _undrawn(answers),
        "figures": [_figures(answer, level) for answer in answers],
        "command": question.command("NEW", answers[0].deals),
        "by_hand": (
            tr(
                "Files of rules or strategies may have changed since. The manifests beside this "
                "page hold both in full, and play each study again:"
            )
        ),
        "commands": [
            *(
                f"contsim run {typed(Path(STUDIES, f'{asked.directory}.toml'))} --records --out "
                f"{typed(Path('NEW', asked.directory))}"
                for asked in question.studies
            ),
            f"cp {QUESTION} NEW",
            "contsim report NEW",
        ],
        "changes": _changes(found),
        "rules": rules_table(found.base.rules),
        "provenance": provenance_table(found.base.manifest),
    }


def _header(found: Answers) -> list[str]:
    names = [answer.name for answer in found.each]
    return [
        tr("What changes with {variants}?", variants=formats.listed(names, tr("or"))),
        *describe(found.base.rules),
        tr("Line-up: {names}.", names=", ".join(dict.fromkeys(found.base.lineup))),
        tr(
            "{deals} of each, seed {seed}.",
            deals=counted(found.each[0].deals, "deal"),
            seed=found.question.seed,
        ),
        *(
            [
                tr(
                    "Differences were to be known to {widths}.",
                    widths=formats.listed(found.question.until),
                )
            ]
            if found.question.until
            else []
        ),
    ]


def _notes(answers: Sequence[Answer]) -> list[str]:
    """Say each note once, with the variants that it is about."""
    about: dict[str, list[str]] = {}
    for answer in answers:
        for note in answer.notes:
            about.setdefault(note, []).append(answer.name)
    return [
        tr("With {variants}: {note}.", variants=formats.listed(names), note=again(note, NOTES))
        for note, names in about.items()
    ]


def _undrawn(answers: Sequence[Answer]) -> str:
    """Name the figures in which no variant can differ, or none does in any deal."""
    labels = [
        tr(each[0].figure.label)
        for each in _by_figure(answers)
        if all(difference.settled for difference in each)
    ]
    if not labels:
        return ""
    return tr(
        "Not drawn, since no variant changes them: {figures}.", figures=formats.listed(labels)
    )


def _by_figure(answers: Sequence[Answer]) -> Iterable[tuple[Difference, ...]]:
    return zip(*(answer.differences for answer in answers), strict=True)


def _figures(answer: Answer, level: float) -> Table:
    pairing = tr("paired") if answer.paired else tr("unpaired")
    rows = [
        (
            tr(each.figure.label),
            side_cell(each.base),
            side_cell(each.other),
            difference_cell(each),
            *(("-", "-") if each.settled else map(_chance, (each.p, each.adjusted))),
            _verdict(each, level),
        )
        for each in answer.differences
    ]
    head = (
        *(tr("what"), tr("baseline"), tr("variant")),
        tr("difference ({level}, {pairing})", level=formats.percent(level), pairing=pairing),
        *("p", tr("p, Holm"), tr("verdict")),
    )
    title = tr("{variant} against the baseline", variant=answer.name)
    return Table(title, head, rows)


def _chance(p: float) -> Number:
    text = numeral(f"{p:.2g}") if p > _LEAST else tr("below {least}", least=f"{_LEAST:g}")
    return Number(text, p)


def _verdict(each: Difference, level: float) -> str:
    if each.base.impossible and each.other.impossible:
        return tr("impossible")
    if each.settled:
        return tr("same in every deal") if each.same else tr("nothing to compare")
    return tr("differs") if is_clear(each, level) else tr("within error")


def _changes(found: Answers) -> Table:
    rows = [
        (answer.name, key, value_of(before), value_of(after))
        for answer in found.each
        for key, (before, after) in differences(found.base.rules, answer.study.rules).items()
    ]
    head = (tr("variant"), tr("rule"), tr("baseline"), tr("variant has"))
    return Table(tr("What the variants change"), head, rows, numeric=False)
