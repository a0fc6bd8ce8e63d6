"""Pages as Markdown, with images beside."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from markupsafe import Markup

from continental_sim.figures.plot_style import Chart
from continental_sim.report.exports import CHARTS
from continental_sim.report.templating import templates

_SIGNS: Final = re.compile(r"([\\`*_\[\]<>|~$&])")  # at any place in a line


def render_markdown(template: str, content: Mapping[str, Any], drawn: Sequence[Chart]) -> str:
    """Write a page.

    Parameters
    ----------
    template : str
        Name of its template, without the endings.
    content : mapping
        What it shows but the charts.
    drawn : sequence of Chart
    """
    images = [(chart, Markup(f"{CHARTS}/{chart.name}.png")) for chart in drawn]  # noqa: S704 (ours)
    page = templates(autoescape=False, finalize=markdown_text).get_template(f"{template}.md.j2")
    return page.render(content, charts=images)


def markdown_text(value: object) -> str:
    """Escape a text so that Markdown shows it as it is, on one line; markup stays."""
    if isinstance(value, Markup):
        return str(value)
    return _SIGNS.sub(r"\\\1", " ".join(str(value).split()))
