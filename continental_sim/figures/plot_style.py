"""One style for all charts, and figures as bytes.

Colours are Okabe and Ito's, which the colour-blind can tell apart; what they tell is told by names
or marks too, so that grey will do. No state of pyplot is touched, and the same figure gives the
same bytes. matplotlib takes a second to import: import this module where it is used.
"""

import io
import math
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, ScalarFormatter

from continental_sim.figures import formats
from continental_sim.figures.estimates import Estimate
from continental_sim.figures.tabular import Table
from continental_sim.language import marked, numeral, tr

BLUE: Final = "#0072b2"
VERMILION: Final = "#d55e00"
GREEN: Final = "#009e73"
PURPLE: Final = "#cc79a7"
BLACK: Final = "#222222"
GREY: Final = "#6b6b6b"
GRID: Final = "#dddddd"
PAPER: Final = "#ffffff"
SERIES: Final = (BLUE, VERMILION, GREEN, PURPLE, BLACK, GREY)  # of lines that share a chart
DASHES: Final = ("-", "--", "-.", ":")  # of those, too

WIDTH: Final = 7.4  # inches
_ROW: Final = 0.52  # inches, of a row with its words above its interval
NO_EXITS: Final = marked("No deal ended in an exit.")
_SUBTITLE: Final = "subtitle"
_BARS: Final = 40  # where numbers share bars
_DIGITS: Final = 9  # of the numbers that do, at most
_STYLE: Final[Any] = {  # matplotlib 3.11 types every key, older versions none
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10,
    "text.parse_math": False,  # a strategy may have a $ in its name
    "axes.titlesize": 12,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 24,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": GRID,
    "text.color": BLACK,
    "axes.edgecolor": GREY,
    "axes.labelcolor": BLACK,
    "xtick.color": BLACK,
    "ytick.color": BLACK,
    "grid.linewidth": 0.8,
    "hatch.linewidth": 0.8,
    "lines.markersize": 7,
    "figure.facecolor": PAPER,
    "axes.facecolor": "none",
    "figure.constrained_layout.w_pad": 0.1,
    "figure.constrained_layout.h_pad": 0.1,
    "svg.fonttype": "path",  # looks the same whatever fonts the reader has
    "svg.hashsalt": "contsim",  # no random identifiers
}


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure, and the words and numbers that go with it.

    Attributes
    ----------
    name : str
        File name without its ending.
    title : str
        What it shows.
    finding : str
        What it tells, in a sentence.
    alt : str
        All that it tells, for those who cannot see it and have no table beside it.
    figure : Figure
        The chart.
    numbers : Table
        What is drawn.
    """

    name: str
    title: str
    finding: str
    alt: str
    figure: Figure
    numbers: Table

    @property
    def subtitle(self) -> str:
        """What was played."""
        found = (text for axes in self.figure.axes for text in axes.texts)
        return next((text.get_text() for text in found if text.get_gid() == _SUBTITLE), "")


class HouseFigure(Figure):
    """A figure that a notebook shows in the style of the house, also without pyplot."""

    def _repr_png_(self) -> bytes:
        return to_png(self)


@contextmanager
def house_style() -> Iterator[None]:
    """Draw, or save, in the style of the house."""
    with mpl.rc_context(_STYLE):
        yield


def new_figure(title: str, subtitle: str, height: float = 3.8) -> tuple[Figure, Axes]:
    """Make a figure of one chart.

    Parameters
    ----------
    title, subtitle : str
        Stand above the chart; the subtitle says what was played.
    height : float
        Inches.

    Returns
    -------
    figure : Figure
    axes : Axes
    """
    figure = HouseFigure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.add_subplot()
    axes.xaxis.set_major_formatter(_Ticks())
    axes.yaxis.set_major_formatter(_Ticks())
    axes.set_title(title)
    head_with(axes, title, subtitle)
    return figure, axes


def head_with(axes: Axes, title: str, subtitle: str) -> None:
    """Write title and subtitle above a chart."""
    axes.set_title(title)
    axes.annotate(
        subtitle,
        (0, 1),
        (0, 8),
        xycoords="axes fraction",
        textcoords="offset points",
        color=GREY,
        gid=_SUBTITLE,
    )


def without_head(figure: Figure) -> None:
    """Take title and subtitle away, where a page has them beside the chart."""
    for axes in figure.axes:
        axes.set_title("", loc="left", pad=6)
        for text in axes.texts:
            if text.get_gid() == _SUBTITLE:
                text.set_visible(False)


class _Ticks(ScalarFormatter):
    """Numbers at an axis as the spoken language writes them."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        return numeral(super().__call__(x, pos))

    def get_offset(self) -> str:
        return numeral(super().get_offset())


def draw_intervals(
    axes: Axes, places: Sequence[float], estimates: Sequence[Estimate], **style: Any
) -> None:
    """Draw the intervals of rates as vertical lines, those without one left out."""
    drawn = [
        (place, estimate.low, estimate.high)
        for place, estimate in zip(places, estimates, strict=True)
        if estimate.low is not None and estimate.high is not None
    ]
    if drawn:
        look = {"color": BLACK, "linewidth": 1.2, **style}
        axes.vlines(*zip(*drawn, strict=True), **look)


class Interval(NamedTuple):
    """A row of a chart: a number with its interval.

    Attributes
    ----------
    name : str
    words : str
        The number and its interval, as text.
    value, low, high : float or None
        None where there is none.
    full : bool
        Whether the mark is filled.
    marker : str
        Of the number, as matplotlib has it.
    """

    name: str
    words: str
    value: float | None
    low: float | None
    high: float | None
    full: bool = True
    marker: str = "o"


def rows_height(rows: int) -> float:
    """Return the height of a figure of so many rows [inches]."""
    return _ROW * rows + 1.5


def draw_rows(axes: Axes, rows: Sequence[Interval]) -> None:
    """Draw numbers with their intervals, a row each, with name and words above the interval.

    Parameters
    ----------
    axes : Axes
    rows : sequence of Interval
        From above.
    """
    beside = axes.get_yaxis_transform()
    for place, row in enumerate(rows):
        axes.axhline(place, color=GRID, linewidth=0.8, zorder=0)
        colour = BLUE if row.full else GREY
        if row.low is not None and row.high is not None:
            axes.hlines(place, row.low, row.high, color=colour, linewidth=2.5)
        if row.value is not None:
            inside = colour if row.full else PAPER
            axes.plot(row.value, place, row.marker, color=colour, markerfacecolor=inside)
        behind = {"facecolor": PAPER, "edgecolor": "none", "pad": 1.5}
        look: Any = {"transform": beside, "va": "bottom", "bbox": behind}
        axes.text(0, place - 0.2, row.name, weight="bold", **look)
        axes.text(1, place - 0.2, row.words, ha="right", **look)
    axes.set_yticks([])
    axes.set_ylim(len(rows) - 0.5, -0.85)
    axes.spines["left"].set_visible(False)
    axes.grid(visible=False, axis="y")


def mark_zero(axes: Axes) -> None:
    """Draw where there is no difference, and room on both sides of it."""
    axes.axvline(0, color=BLACK, linewidth=1, zorder=1)
    axes.margins(x=0.08)


def draw_level(axes: Axes, height: float, name: str) -> None:
    """Draw a dashed line to compare with, and its name at its right end."""
    axes.axhline(height, color=GREY, linestyle="--", linewidth=1, zorder=1)
    axes.annotate(
        name,
        (1, height),
        (-2, 4),
        xycoords=axes.get_yaxis_transform(),
        textcoords="offset points",
        ha="right",
        va="bottom",
        color=GREY,
    )


def draw_band(
    axes: Axes,
    places: Sequence[float],
    values: Sequence[float],
    bounds: tuple[Sequence[float], Sequence[float]],
    **style: Any,
) -> None:
    """Draw a curve in the band of its intervals."""
    colour = style.get("color", BLUE)
    axes.fill_between(places, *bounds, color=colour, alpha=0.25, linewidth=0)
    axes.plot(places, values, **{"color": colour, **style})


def label_ends(axes: Axes, ends: Sequence[tuple[float, str, str]]) -> None:
    """Write the names of curves at their right ends, none upon another.

    Parameters
    ----------
    axes : Axes
    ends : sequence of (float, str, str)
        Height at which each ends, its name and its colour.
    """
    low, high = axes.get_ylim()
    gap, reached = 0.075 * (high - low), -math.inf
    for height, name, colour in sorted(ends):
        reached = max(height, reached + gap)
        axes.annotate(
            name,
            (1, height),
            (1.04, reached),
            xycoords=axes.get_yaxis_transform(),
            textcoords=axes.get_yaxis_transform(),
            va="center",
            arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 1.5, "shrinkB": 0},
        )


def say_instead(axes: Axes, words: str) -> None:
    """Say why there is nothing to draw."""
    axes.text(0.5, 0.5, words, transform=axes.transAxes, ha="center", va="center", color=GREY)
    axes.set_axis_off()


def in_percent() -> FuncFormatter:
    """Write the ticks of an axis of shares in per cent."""
    return FuncFormatter(lambda share, _: f"{numeral(f'{100 * share:.6g}')} %")


def to_svg(figure: Figure, name: str, **style: Any) -> str:
    """Return a figure as an SVG element, ready to stand inside a page.

    Parameters
    ----------
    figure : Figure
        What to draw.
    name : str
        Put before all identifiers, so that several charts can share a page.
    **style
        What differs from the style of the house.

    Returns
    -------
    str
        From ``<svg`` to ``</svg>``.
    """
    text = _save(figure, style, format="svg", metadata={"Date": None, "Creator": None}).decode()
    text = text[text.index("<svg") :]  # the XML and DOCTYPE lines have no place inside HTML
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", text)


def to_png(figure: Figure) -> bytes:
    """Return a figure as a PNG image, 1110 pixels wide."""
    return _save(figure, {}, format="png", dpi=150, metadata={"Software": None})


def to_pdf(figure: Figure) -> bytes:
    """Return a figure as a page of PDF, with its letters as text."""
    return _save(figure, {}, format="pdf", metadata={"CreationDate": None})


def _save(figure: Figure, style: Any, **options: Any) -> bytes:
    sink = io.BytesIO()
    with house_style(), mpl.rc_context(style), warnings.catch_warnings():
        # Letters that the font lacks are boxes, what has no room overlaps: no news to a user.
        warnings.simplefilter("ignore", UserWarning)
        figure.savefig(sink, **options)
    figure.set_layout_engine(None)  # laid out once: quicker, and all files look the same
    return sink.getvalue()


def tally(counts: Mapping[int, int], width: int) -> dict[int, int]:
    """Add counts by value into bins 1..width, width+1..2*width, ...: first value -> count."""
    bins: dict[int, int] = {}
    for value, count in sorted(counts.items()):
        first = value - (value - 1) % width
        bins[first] = bins.get(first, 0) + count
    return bins


def bar_width(most: float) -> int:
    """Return how many numbers a bar stands for, so that those up to the most need few bars."""
    widths = (digit * 10**power for power in range(_DIGITS) for digit in (1, 2, 5))
    return next((width for width in widths if most <= width * _BARS), 10**_DIGITS)


def range_text(first: int, width: int) -> str:
    """Name a bar by the numbers that it stands for."""
    if width == 1:
        return formats.count(first)
    return tr(
        "{first} to {last}", first=formats.count(first), last=formats.count(first + width - 1)
    )


def bars_text(width: int) -> str:
    """Say what a bar stands for, if it is more than one number."""
    return "" if width == 1 else tr(", in bars of {width}", width=width)
