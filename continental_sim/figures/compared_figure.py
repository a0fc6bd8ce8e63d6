"""A figure that is compared between two sets of deals, and those of them that all games have."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from continental_sim.columns import CAPPED, DRAWN, EXIT
from continental_sim.grouping import Rows


def _each_deal(rows: Rows) -> Any:
    return rows["end"] >= 0


def is_exit(rows: Rows) -> Any:
    """Tell which deals somebody won."""
    return rows["end"] == EXIT


@dataclass(frozen=True)
class Figure:
    """A figure: the sum of a whole number of each deal, over the sum of another one.

    Attributes
    ----------
    name : str
        As `metrics.find_metric` names it, where there is one.
    label : str
    rate : bool
        Whether the numbers are 0 or 1.
    event : str
        As `impossible_events` names it, or "".
    of, per : callable
        From outcomes, one a deal, to numbers[deals]: what is added up, and what it is counted for,
        each deal or each exit. `of` is 0 wherever `per` is.
    metric : str
        The metric that knows how large a single value may be by the rules, of a mean; "" if only
        what was seen tells it.
    """

    name: str
    label: str
    rate: bool
    event: str
    of: Callable[[Rows], Any]
    per: Callable[[Rows], Any] = _each_deal
    metric: str = ""

    @property
    def unit(self) -> str:
        """What it is counted for: "deals" or "exits"."""
        return "deals" if self.per is _each_deal else "exits"


# fmt: off
DRAWN_DEALS: Final = Figure("ends.drawn", "drawn deals", True, "drawn",
                            lambda rows: rows["end"] == DRAWN)
CAPPED_DEALS: Final = Figure("ends.capped", "capped deals", True, "",
                             lambda rows: rows["end"] == CAPPED)
LENGTHS: Final = (
    Figure("recycled", "deals with a recycle", True, "recycled", lambda rows: rows["recycles"] > 0),
    Figure("wins_by_seat[0]", "exits from seat 0", True, "", lambda rows: rows["seat"] == 0),
    Figure("turns", "turns of a deal", False, "", lambda rows: rows["turns"]),
)
# fmt: on
