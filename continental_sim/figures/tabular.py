"""Tables of text and numbers: a page shows the text, CSV files and sorting have the numbers."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from continental_sim.figures import formats
from continental_sim.figures import table_parts as parts
from continental_sim.figures.estimates import STRUCTURAL, Estimate, Mean
from continental_sim.figures.summary import Fate
from continental_sim.language import tr


@dataclass(frozen=True, slots=True)
class Number:
    """A number as a page writes it, and as it is.

    Attributes
    ----------
    text : str
    value : float or None
        None if the text tells its interval alone.
    low, high : float or None
        Bounds of its interval, if it has one.
    """

    text: str
    value: float | None = None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        return self.text

    @property
    def order(self) -> float | None:
        """Where it stands among others."""
        return self.low if self.value is None else self.value


Cell = str | Number


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text and numbers.

    Attributes
    ----------
    title : str
        Stands above it.
    head : sequence of str
        Titles of the columns; the first column names the row.
    rows : sequence of sequence of Cell
    numeric : bool
        Whether all columns but the first hold numbers.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[object]]
    numeric: bool = True


def whole(count: int) -> Number:
    """Return a whole number, written with its thousands separated."""
    return Number(formats.count(count), count)


def rate_cells(rate: Estimate) -> tuple[Number, Number, Cell]:
    """Return count, rate and interval of an estimate, or why there can be no event."""
    interval: Cell = Number(formats.interval_text(rate), None, rate.low, rate.high)
    if rate.method == STRUCTURAL:
        interval = tr(parts.IMPOSSIBLE, reason=rate.reason)
    return whole(rate.count), Number(formats.rate_text(rate), rate.rate), interval


def mean_cell(mean: Mean) -> Number:
    """Return a mean with its interval."""
    return Number(formats.mean_text(mean), mean.mean, mean.low, mean.high)


def sd_cell(mean: Mean) -> Number:
    """Return the standard deviation of one value."""
    return Number(formats.sd_text(mean), mean.sd)


def quantile_cell(mean: Mean, share: float) -> Number:
    """Return a quantile."""
    return Number(formats.quantile_text(mean, share), mean.quantiles.get(share))


def fate_cells(fate: Fate) -> tuple[Cell, ...]:
    """Return what became of dealt hands: how many, the share that went out, own turns, points."""
    _, share, interval = rate_cells(fate.wins)
    return (
        *(whole(fate.wins.trials), share, interval),
        *(mean_cell(fate.own_turns), mean_cell(fate.points)),
    )


def fates_head(what: str, level: float) -> tuple[str, ...]:
    """Name the columns of what became of dealt hands."""
    return (
        *(what, tr("hands"), tr(parts.WENT_OUT), parts.interval_title(level)),
        *(parts.own_turns_title().page, tr(parts.POINTS)),
    )


def table_of_rates(
    title: str, what: str, rates: Mapping[str, Estimate] | Mapping[int, Estimate], level: float
) -> Table:
    """Return a table with a rate in each row.

    Parameters
    ----------
    title, what : str
        What stands above it, and above the names of the rows.
    rates : mapping of str or int to Estimate
    level : float
        Confidence level of the intervals.
    """
    rows = [(str(name), *rate_cells(rate)) for name, rate in rates.items()]
    return Table(title, (what, tr("count"), tr(parts.RATE), parts.interval_title(level)), rows)


def table_of_means(title: str, what: str, means: Iterable[tuple[str, Mean]], level: float) -> Table:
    """Return a table with a mean in each row.

    Parameters
    ----------
    title, what : str
        What stands above it, and above the names of the rows.
    means : iterable of (str, Mean)
    level : float
        Confidence level of the intervals.
    """
    rows = [(name, mean_cell(mean), sd_cell(mean)) for name, mean in means]
    return Table(title, (what, parts.mean_title(level).page, tr(parts.SD)), rows)
