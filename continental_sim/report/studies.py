"""The page of a study: what was found, the charts, all figures, and how to play it again."""

from pathlib import Path
from typing import Any

from continental_sim.figures import formats, stats
from continental_sim.figures.plots import charts
from continental_sim.figures.summary import Summary
from continental_sim.files import store
from continental_sim.files.manifest import MANIFEST
from continental_sim.language import tr
from continental_sim.report.findings import findings
from continental_sim.report.pages import write_pages
from continental_sim.report.study_tables import study_tables
from continental_sim.report.tables import definition_tables, provenance_table, rules_table


def write_study_report(directory: Path, target: Path, level: float) -> Path:
    """Draw a study and write a page around the charts.

    Parameters
    ----------
    directory : Path
        Of a study.
    target : Path
        As `write_pages` takes it. It gets the manifest, too.
    level : float
        Confidence level of all intervals.

    Returns
    -------
    Path
        The HTML page.

    Raises
    ------
    ContsimError
        If the study cannot be read or the report cannot be written.
    """
    study = store.read_study(directory)
    manifest = (directory / MANIFEST).read_bytes()
    summary = stats.summarise(study, level)
    return write_pages(
        target,
        MANIFEST,
        {MANIFEST: manifest},
        "report",
        _content(study, summary, directory.resolve().name),
        charts(summary),
    )


def _content(study: store.StoredStudy, summary: Summary, name: str) -> dict[str, Any]:
    return {
        "title": f"{tr(study.rules.title)}: {name}",
        "header": [_question(study), *summary.header],
        "summary": summary,
        "key_figures": _key_figures(summary),
        "findings": findings(summary),
        "figures": study_tables(summary),
        "rules": rules_table(study.rules),
        "merged": "segments" in study.manifest,
        "provenance": provenance_table(study.manifest),
        "definitions": definition_tables(study.files),
    }


def _question(study: store.StoredStudy) -> str:
    strategies = formats.listed(list(dict.fromkeys(study.lineup)))
    return tr(
        "How do deals of {game} end, how long do they last and what do they bring, if the players "
        "are {strategies}?",
        game=tr(study.rules.title),
        strategies=strategies,
    )


def _key_figures(summary: Summary) -> list[tuple[str, str]]:
    """Return what stands out at the top of the page, each number with its interval."""
    exits = summary.ends["exit"]
    return [
        (tr("deals were played"), formats.count(summary.deals)),
        (
            tr("of them ended in an exit"),
            f"{formats.rate_text(exits)} {formats.interval_text(exits)}",
        ),
        (tr("turns a deal lasts"), formats.mean_text(summary.turns)),
        (
            tr("points: {of_exit}", of_exit=tr(summary.words.of_exit)),
            formats.mean_text(summary.payment),
        ),
    ]
