"""Pages around the charts of a study: HTML with the charts inside, Markdown with images beside."""

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from continental_sim.errors import ContsimError
from continental_sim.figures import stats
from continental_sim.figures.plot_style import to_png, to_svg
from continental_sim.figures.plots import Chart, charts
from continental_sim.figures.summary import Summary
from continental_sim.files import parquet, store
from continental_sim.files.manifest import MANIFEST
from continental_sim.report.findings import findings
from continental_sim.report.tables import (
    definition_tables,
    figure_tables,
    provenance_table,
    rules_table,
)

HTML_PAGE: Final = "report.html"
MARKDOWN_PAGE: Final = "report.md"

_MARKDOWN_SIGNS: Final = re.compile(r"([\\`*_\[\]<>|~$&])")  # at any place in a line


def write_report(directory: Path, target: Path, level: float = 0.95) -> Path:
    """Draw a study and write a page around the charts.

    Parameters
    ----------
    directory : Path
        Of a study.
    target : Path
        Directory of the report: new, empty, or that of an earlier report of the same study, which
        is replaced. It gets `report.html`, `report.md`, an image for each chart, and the manifest.
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
    with parquet.explained(target):
        target.mkdir(parents=True, exist_ok=True)
        _refuse_others(target, manifest)
    summary = stats.summarise(study, level)
    drawn = charts(summary)
    content = _content(study, summary, directory.resolve().name)
    files = {
        MANIFEST: manifest,
        **{f"{chart.name}.png": to_png(chart.figure) for chart in drawn},
        MARKDOWN_PAGE: _render_markdown(content, drawn).encode(),
        HTML_PAGE: _render_html(content, drawn).encode(),
    }
    for name, data in files.items():
        with parquet.atomic_file(target / name) as sink:
            sink.write(data)
    return target / HTML_PAGE


def _refuse_others(target: Path, manifest: bytes) -> None:
    here = target / MANIFEST
    if any(target.iterdir()) and not (here.is_file() and here.read_bytes() == manifest):
        raise ContsimError(
            f"{target} is there already and is no report of this study: name a new directory with "
            "--out"
        )


def _content(study: store.StoredStudy, summary: Summary, name: str) -> dict[str, Any]:
    return {
        "name": name,
        "summary": summary,
        "findings": findings(summary),
        "figures": figure_tables(summary),
        "rules": rules_table(study.rules),
        "merged": "segments" in study.manifest,
        "provenance": provenance_table(study.manifest),
        "definitions": definition_tables(),
    }


def _render_html(content: Mapping[str, Any], drawn: list[Chart]) -> str:
    page = _templates(autoescape=True).get_template("report.html.j2")
    return page.render(content, charts=[(chart, _inline(chart)) for chart in drawn])


def _inline(chart: Chart) -> Markup:
    """Return the chart as an SVG element that says what it shows."""
    words = escape(chart.alt)
    svg = to_svg(chart.figure, chart.name)
    return Markup(svg.replace("<svg ", f'<svg role="img" aria-label="{words}" ', 1))  # noqa: S704 (words are escaped)


def _render_markdown(content: Mapping[str, Any], drawn: list[Chart]) -> str:
    templates = _templates(autoescape=False, finalize=markdown_text)
    images = [(chart, Markup(f"{chart.name}.png")) for chart in drawn]  # noqa: S704 (our names)
    return templates.get_template("report.md.j2").render(content, charts=images)


def markdown_text(value: object) -> str:
    """Escape a text so that Markdown shows it as it is, on one line; markup stays."""
    if isinstance(value, Markup):
        return str(value)
    return _MARKDOWN_SIGNS.sub(r"\\\1", " ".join(str(value).split()))


def _templates(*, autoescape: bool, finalize: Callable[[object], str] | None = None) -> Environment:
    return Environment(
        loader=PackageLoader("continental_sim.report"),
        autoescape=autoescape,  # noqa: S701 (Markdown is escaped by `finalize`)
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
