"""Reports on disk: the pages, charts and tables as files of their own, and what explains them."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from continental_sim.comparing.kept import STUDIES
from continental_sim.errors import ContsimError
from continental_sim.figures.plot_style import Chart
from continental_sim.figures.tabular import Table
from continental_sim.files import parquet
from continental_sim.files.manifest import MANIFEST
from continental_sim.report.exports import chart_files, table_files
from continental_sim.report.html import render_html
from continental_sim.report.markdown import render_markdown

HTML_PAGE: Final = "report.html"
MARKDOWN_PAGE: Final = "report.md"


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
        replaced. It gets `report.html` and `report.md`, each chart as an image in `charts/`, and
        each table as CSV in `tables/`.
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
        **dict(chart_files(drawn)),
        **dict(table_files(_tables(content))),
        MARKDOWN_PAGE: render_markdown(template, content, drawn).encode(),
        HTML_PAGE: render_html(template, content, drawn).encode(),
    }
    for name, data in files.items():
        path = target / name
        with parquet.explained(path):
            path.parent.mkdir(exist_ok=True)
        with parquet.atomic_file(path) as sink:
            sink.write(data)
    return target / HTML_PAGE


def _tables(content: Mapping[str, Any]) -> Iterator[Table]:
    """Find the tables that a page shows, in their order."""
    for value in content.values():
        if isinstance(value, Table):
            yield value
        elif isinstance(value, list):
            yield from (each for each in value if isinstance(each, Table))


def _refuse_others(target: Path, mark: str, data: bytes) -> None:
    here = target / mark
    if any(target.iterdir()) and not (here.is_file() and here.read_bytes() == data):
        raise ContsimError(
            f"{target} is there already and is no report of this study: name a new directory with "
            "--out"
        )
