"""Pages around charts: HTML with the charts inside, Markdown with images beside."""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from continental_sim.comparing.question import STUDIES
from continental_sim.errors import ContsimError
from continental_sim.figures.plot_style import Chart, to_png, to_svg
from continental_sim.files import parquet
from continental_sim.files.manifest import MANIFEST
from continental_sim.language import spoken, tr

HTML_PAGE: Final = "report.html"
MARKDOWN_PAGE: Final = "report.md"

_MARKDOWN_SIGNS: Final = re.compile(r"([\\`*_\[\]<>|~$&])")  # at any place in a line


def kept_beside(directory: Path, mark: str, places: Sequence[str]) -> dict[str, bytes]:
    """Return what lies beside a page about several studies: what was asked, and the manifests.

    Parameters
    ----------
    directory : Path
        Of the studies.
    mark : str
        File in it that tells what was asked.
    places : sequence of str
        Directories of the studies within it.
    """
    manifests = {f"{STUDIES}/{place}.toml": directory / place / MANIFEST for place in places}
    kept = {mark: directory / mark, **manifests}
    return {name: path.read_bytes() for name, path in kept.items()}


def write_pages(
    target: Path,
    mark: str,
    kept: Mapping[str, bytes],
    template: str,
    content: Mapping[str, Any],
    drawn: Sequence[Chart],
) -> Path:
    """Write an HTML and a Markdown page around charts.

    Parameters
    ----------
    target : Path
        Directory of the report: new, empty, or that of an earlier report of the same, which is
        replaced. It gets `report.html`, `report.md` and an image for each chart.
    mark : str
        Which of the kept files tells what an earlier report is of.
    kept : mapping of str to bytes
        What else is written beside the pages: that which describes what they are of.
    template : str
        Name of both templates, without their endings.
    content : mapping
        What they show but the charts.
    drawn : sequence of Chart

    Returns
    -------
    Path
        The HTML page.

    Raises
    ------
    ContsimError
        If the directory holds something else, or cannot be written.
    """
    with parquet.explained(target):
        target.mkdir(parents=True, exist_ok=True)
        _refuse_others(target, mark, kept[mark])
    files = {
        **kept,
        **{f"{chart.name}.png": to_png(chart.figure) for chart in drawn},
        MARKDOWN_PAGE: _render_markdown(template, content, drawn).encode(),
        HTML_PAGE: _render_html(template, content, drawn).encode(),
    }
    for name, data in files.items():
        path = target / name
        with parquet.explained(path):
            path.parent.mkdir(exist_ok=True)
        with parquet.atomic_file(path) as sink:
            sink.write(data)
    return target / HTML_PAGE


def _refuse_others(target: Path, mark: str, data: bytes) -> None:
    here = target / mark
    if any(target.iterdir()) and not (here.is_file() and here.read_bytes() == data):
        raise ContsimError(
            f"{target} is there already and is no report of this study: name a new directory with "
            "--out"
        )


def _render_html(template: str, content: Mapping[str, Any], drawn: Sequence[Chart]) -> str:
    page = _templates(autoescape=True).get_template(f"{template}.html.j2")
    return page.render(content, charts=[(chart, _inline(chart)) for chart in drawn])


def _inline(chart: Chart) -> Markup:
    """Return the chart as an SVG element that says what it shows."""
    words = escape(chart.alt)
    svg = to_svg(chart.figure, chart.name)
    return Markup(svg.replace("<svg ", f'<svg role="img" aria-label="{words}" ', 1))  # noqa: S704 (words are escaped)


def _render_markdown(template: str, content: Mapping[str, Any], drawn: Sequence[Chart]) -> str:
    templates = _templates(autoescape=False, finalize=markdown_text)
    images = [(chart, Markup(f"{chart.name}.png")) for chart in drawn]  # noqa: S704 (our names)
    return templates.get_template(f"{template}.md.j2").render(content, charts=images)


def markdown_text(value: object) -> str:
    """Escape a text so that Markdown shows it as it is, on one line; markup stays."""
    if isinstance(value, Markup):
        return str(value)
    return _MARKDOWN_SIGNS.sub(r"\\\1", " ".join(str(value).split()))


def said(text: str, **values: object) -> Markup:
    """Say a text of a template, where lines may end anywhere; values are escaped, markup stays."""
    flat = " ".join(text.split())
    told = tr(flat)
    return Markup(text if told == flat else told).format(**values)  # noqa: S704 (our text)


def _templates(*, autoescape: bool, finalize: Callable[[object], str] | None = None) -> Environment:
    environment = Environment(
        loader=PackageLoader("continental_sim.report"),
        autoescape=autoescape,  # noqa: S701 (Markdown is escaped by `finalize`)
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"_": said, "language": spoken().code}
    return environment
