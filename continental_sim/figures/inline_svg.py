"""Charts as parts of a page: letters as text, colours as variables that the page sets.

A chart is drawn twice, for a column of text and for a phone; the page shows the one that fits.
"""

import re
import textwrap
from collections.abc import Mapping
from typing import Final

from markupsafe import Markup, escape
from matplotlib.figure import Figure

from continental_sim.figures.plot_style import (
    BLACK,
    BLUE,
    GREEN,
    GREY,
    GRID,
    PAPER,
    PURPLE,
    VERMILION,
    WIDTH,
    Chart,
    to_svg,
    without_head,
)

# Names of the colours, and what each is where the page is dark. All stand out from both pages.
THEME: Final[Mapping[str, tuple[str, str]]] = {
    BLUE: ("blue", "#56b4e9"),
    VERMILION: ("vermilion", "#e69f00"),
    GREEN: ("green", "#2fc49b"),
    PURPLE: ("purple", "#cc79a7"),
    BLACK: ("ink", "#e6e4e0"),
    GREY: ("grey", "#a9adb1"),
    GRID: ("grid", "#3a3f45"),
    PAPER: ("paper", "#16181b"),
}
WIDTHS: Final = {"wide": WIDTH, "narrow": 3.9}  # [inches]
_LABEL: Final = 42  # characters of a label that a phone has room for
_LINE: Final = 0.17  # [inches]

_HEAD: Final = re.compile(
    r"<defs>\s*<style.*?</style>\s*</defs>|<metadata>.*?</metadata>", re.DOTALL
)
_TAG: Final = re.compile(r"<[^>]+>")  # what is written in the chart stands outside, as it is
_COLOUR: Final = re.compile(r"#[0-9a-f]{6}\b")
_FAMILY: Final = re.compile(r"'DejaVu Sans'(?:, sans-serif)?")
_FINE: Final = re.compile(r"(?<=\.\d\d)\d+(?=[\s\"])")  # decimals of coordinates that nobody sees


def inline_svgs(chart: Chart) -> Markup:
    """Return a chart as SVG elements for a page, one for each of `WIDTHS`.

    The figure is changed: it loses its title, which the page has above it. So files are written of
    it before.

    Parameters
    ----------
    chart : Chart
    """
    without_head(chart.figure)
    drawn = []
    for name, width in WIDTHS.items():
        added = 0 if name == "wide" else _wrap_labels(chart.figure)
        height = chart.figure.get_size_inches()[1] + _LINE * added
        chart.figure.set_size_inches(width, height)
        chart.figure.set_layout_engine("constrained")
        prefix = chart.name if name == "wide" else f"{chart.name}-{name}"
        svg = to_svg(chart.figure, prefix, **{"svg.fonttype": "none"})
        words = escape(f"{chart.title}. {chart.finding}")
        drawn.append(
            themed(svg).replace("<svg ", f'<svg class="{name}" role="img" aria-label="{words}" ', 1)
        )
    return Markup("\n".join(drawn))  # noqa: S704 (words are escaped, and matplotlib escapes its own)


def _wrap_labels(figure: Figure) -> int:
    """Break the labels below a chart where a phone has no room; return how many lines that adds."""
    added = 0
    for axes in figure.axes:
        lines = axes.get_xlabel().splitlines()
        broken = [part for line in lines for part in textwrap.wrap(line, _LABEL)]
        axes.set_xlabel("\n".join(broken))
        added += len(broken) - len(lines)
    return added


def themed(svg: str) -> str:
    """Have the page decide on the colours and the letters of an SVG element."""
    return _TAG.sub(_themed_tag, _HEAD.sub("", svg))


def _themed_tag(tag: re.Match[str]) -> str:
    text = _COLOUR.sub(_variable, _FAMILY.sub("var(--letters)", tag[0]))
    return _FINE.sub("", text)


def _variable(colour: re.Match[str]) -> str:
    name, _ = THEME.get(colour[0], ("", ""))
    return f"var(--chart-{name})" if name else colour[0]
