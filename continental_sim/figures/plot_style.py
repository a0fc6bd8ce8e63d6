"""One style for all charts, and figures as bytes.

Colours are Okabe and Ito's, which the colour-blind can tell apart, and differ in lightness, so that
grey will do. No state of pyplot is touched, and the same figure gives the same bytes. matplotlib
takes a second to import: import this module where it is used.
"""

import io
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

from continental_sim.figures.estimates import Estimate
from continental_sim.language import numeral, tr

BLUE: Final = "#0072B2"
SKY: Final = "#56B4E9"
ORANGE: Final = "#E69F00"
BLACK: Final = "#222222"
GREY: Final = "#6b6b6b"

_WIDTH: Final = 7.6  # inches
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
    "grid.color": "#dddddd",
    "grid.linewidth": 0.8,
    "hatch.linewidth": 0.8,
    "legend.frameon": False,
    "lines.markersize": 7,
    "figure.facecolor": "white",
    "figure.constrained_layout.w_pad": 0.1,
    "figure.constrained_layout.h_pad": 0.1,
    "svg.fonttype": "path",  # looks the same whatever fonts the reader has
    "svg.hashsalt": "contsim",  # no random identifiers
}


@dataclass(frozen=True, slots=True)
class Chart:
    """A figure and the words that go with it.

    Attributes
    ----------
    name : str
        File name without its ending.
    title : str
        What it shows.
    alt : str
        What it tells, for those who cannot see it.
    figure : Figure
        The chart.
    """

    name: str
    title: str
    alt: str
    figure: Figure


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
    figure = Figure(figsize=(_WIDTH, height), layout="constrained")
    axes = figure.add_subplot()
    axes.xaxis.set_major_formatter(_Ticks())
    axes.yaxis.set_major_formatter(_Ticks())
    axes.set_title(title)
    axes.annotate(
        subtitle, (0, 1), (0, 8), xycoords="axes fraction", textcoords="offset points", color=GREY
    )
    return figure, axes


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
    """A row of a chart: a mean with its interval.

    Attributes
    ----------
    name : str
    value, low, high : float or None
        None where there is none.
    full : bool
        Whether the mark is filled.
    """

    name: str
    value: float | None
    low: float | None
    high: float | None
    full: bool


def draw_rows(axes: Axes, rows: Sequence[Interval], words: Sequence[str]) -> None:
    """Draw means with their intervals around zero, a row each, with words at the right.

    Parameters
    ----------
    axes : Axes
    rows : sequence of Interval
        From above.
    words : sequence of str
        What stands beside each.
    """
    axes.axvline(0, color=GREY, linewidth=1)
    for place, (row, word) in enumerate(zip(rows, words, strict=True)):
        if row.low is not None and row.high is not None:
            axes.hlines(place, row.low, row.high, color=BLUE, linewidth=2)
        if row.value is not None:
            inside = BLUE if row.full else "white"
            axes.plot(row.value, place, "o", color=BLUE, markerfacecolor=inside)
            axes.text(1.02, place, word, transform=axes.get_yaxis_transform(), va="center")
    axes.set_yticks(range(len(rows)), [row.name for row in rows])
    axes.set_ylim(len(rows) - 0.5, -0.5)
    axes.margins(x=0.1)
    axes.grid(visible=False, axis="y")


def say_instead(axes: Axes, words: str) -> None:
    """Say why there is nothing to draw."""
    axes.text(0.5, 0.5, words, transform=axes.transAxes, ha="center", va="center", color=GREY)
    axes.set_axis_off()


def in_percent() -> FuncFormatter:
    """Write the ticks of an axis of shares in per cent."""
    return FuncFormatter(lambda share, _: f"{numeral(f'{100 * share:.6g}')} %")


def to_svg(figure: Figure, name: str) -> str:
    """Return a figure as an SVG element, ready to stand inside a page.

    Parameters
    ----------
    figure : Figure
        What to draw.
    name : str
        Put before all identifiers, so that several charts can share a page.

    Returns
    -------
    str
        From ``<svg`` to ``</svg>``.
    """
    text = _save(figure, format="svg", metadata={"Date": None, "Creator": None}).decode()
    text = text[text.index("<svg") :]  # the XML and DOCTYPE lines have no place inside HTML
    return re.sub(r'(\bid="|href="#|url\(#)', rf"\g<1>{name}-", text)


def to_png(figure: Figure) -> bytes:
    """Return a figure as a PNG image, 1140 pixels wide."""
    return _save(figure, format="png", dpi=150, metadata={"Software": None})


def _save(figure: Figure, **options: Any) -> bytes:
    sink = io.BytesIO()
    with house_style(), warnings.catch_warnings():
        # Letters that the font lacks are boxes, what has no room overlaps: no news to a user.
        warnings.simplefilter("ignore", UserWarning)
        figure.savefig(sink, **options)
    figure.set_layout_engine("none")  # laid out once: quicker, and SVG and PNG look the same
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


def bars_text(width: int) -> str:
    """Say what a bar stands for, if it is more than one number."""
    return "" if width == 1 else tr(", in bars of {width}", width=width)
