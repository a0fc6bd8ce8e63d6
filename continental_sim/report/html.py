"""Pages as HTML: one file with everything in it, and nothing from elsewhere."""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from importlib import resources
from itertools import count
from typing import Any, Final
from urllib.parse import quote

from markupsafe import Markup

from continental_sim.figures.inline_svg import THEME, inline_svgs
from continental_sim.figures.plot_style import Chart
from continental_sim.figures.tabular import Table
from continental_sim.report.exports import file_name, to_csv
from continental_sim.report.templating import templates

_SCRIPT: Final = "sorting.js"


def render_html(template: str, content: Mapping[str, Any], drawn: Sequence[Chart]) -> str:
    """Write a page.

    Parameters
    ----------
    template : str
        Name of its template, without the endings.
    content : mapping
        What it shows but the charts.
    drawn : sequence of Chart
        They lose their titles, which the page has above them.
    """
    script = (resources.files(__package__) / "templates" / _SCRIPT).read_text(encoding="utf-8")
    page = templates(autoescape=True).get_template(f"{template}.html.j2")
    return page.render(
        content,
        charts=[(chart, inline_svgs(chart)) for chart in drawn],
        theme=[(name, light, dark) for light, (name, dark) in THEME.items()],
        script=Markup(script),  # noqa: S704 (ours)
        script_hash=_hash(script),
        next_table=count(1).__next__,
        csv_link=csv_link,
        csv_name=lambda table: f"{file_name(table.title)}.csv",
    )


def render_part(template: str, content: Mapping[str, Any]) -> str:
    """Return a piece of HTML to stand within another page.

    Parameters
    ----------
    template : str
        Its name, without the endings.
    content : mapping
        What it shows; all text is escaped.
    """
    return templates(autoescape=True).get_template(f"{template}.html.j2").render(content)


def csv_link(table: Table) -> str:
    """Return an address that is the table itself, as CSV."""
    return f"data:text/csv;charset=utf-8,{quote(to_csv(table))}"


def _hash(script: str) -> str:
    """Name a script as a policy of content does; no other may run."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
