"""The page of a study: what was found, the charts, all figures, and how to play it again."""

from pathlib import Path
from typing import Any

from continental_sim.figures import stats
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
        "summary": summary,
        "findings": findings(summary),
        "figures": study_tables(summary),
        "rules": rules_table(study.rules),
        "merged": "segments" in study.manifest,
        "provenance": provenance_table(study.manifest),
        "definitions": definition_tables(study.files),
    }
