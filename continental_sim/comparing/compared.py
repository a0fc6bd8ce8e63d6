"""The figures that are compared between two sets of deals: a sum over deals for each of another."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from continental_sim.columns import (
    CAPPED,
    DEALT,
    DRAWN,
    EXIT,
    FIRST_TURN,
    LATER,
    ORDINARY,
    RUMMY,
)
from continental_sim.errors import ContsimError
from continental_sim.grouping import Rows


def _each_deal(rows: Rows) -> Any:
    return rows["end"] >= 0


def _exits(rows: Rows) -> Any:
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
_DRAWN = Figure("ends.drawn", "drawn deals", True, "drawn", lambda rows: rows["end"] == DRAWN)
_CAPPED = Figure("ends.capped", "capped deals", True, "", lambda rows: rows["end"] == CAPPED)
_LENGTHS = (
    Figure("recycled", "deals with a recycle", True, "recycled", lambda rows: rows["recycles"] > 0),
    Figure("wins_by_seat[0]", "exits from seat 0", True, "", lambda rows: rows["seat"] == 0),
    Figure("turns", "turns of a deal", False, "", lambda rows: rows["turns"]),
)
CONTINENTAL_FIGURES: Final = (
    Figure("exits.dealt", "dealt exits", True, "", lambda rows: rows["kind"] == DEALT),
    Figure("exits.first_turn", "first-turn exits", True, "",
           lambda rows: rows["kind"] == FIRST_TURN),
    Figure("exits.later", "later exits", True, "later", lambda rows: rows["kind"] == LATER),
    _DRAWN,
    _CAPPED,
    Figure("one_suit", "exits all in one suit", True, "one_suit",
           lambda rows: rows["one_suit"] == 1),
    Figure("natural", "natural exits", True, "natural",
           lambda rows: _exits(rows) & (rows["deuces"] == 0) & (rows["jokers"] == 0)),
    *_LENGTHS,
    Figure("paid", "payment of a deal", False, "", lambda rows: rows["payment"],
           metric="payment"),
    Figure("payment", "payment of an exit", False, "", lambda rows: rows["payment"], _exits,
           metric="payment"),
    Figure("wilds", "wild cards of an exit", False, "",
           lambda rows: (rows["deuces"] + rows["jokers"]) * _exits(rows), _exits),
    Figure("first_turn_share", "share of first turns", True, "",
           lambda rows: (rows["kind"] == DEALT) | (rows["kind"] == FIRST_TURN), _exits),
)
RUMMY_FIGURES: Final = (
    Figure("exits.rummy", "exits going rummy", True, "", lambda rows: rows["kind"] == RUMMY),
    Figure("exits.ordinary", "ordinary exits", True, "ordinary",
           lambda rows: rows["kind"] == ORDINARY),
    replace(_DRAWN, label="deadlocks (drawn)"),
    _CAPPED,
    *_LENGTHS,
    Figure("scored", "score of a deal", False, "", lambda rows: rows["payment"], metric="score"),
    Figure("score", "score of an exit", False, "", lambda rows: rows["payment"], _exits,
           metric="score"),
    Figure("going_rummy", "share going rummy", True, "", lambda rows: rows["kind"] == RUMMY,
           _exits),
    Figure("last_card_laid", "last cards laid", True, "last_card_laid",
           lambda rows: rows["thrown"] == 0, _exits),
)
# fmt: on
GAME_FIGURES: Final[Mapping[str, tuple[Figure, ...]]] = {
    "continental": CONTINENTAL_FIGURES,
    "basic-rummy": RUMMY_FIGURES,
}


def find_figures(names: Iterable[str], game: str) -> list[Figure]:
    """Find figures of a game by name, in their order; all of them if none is named.

    Raises
    ------
    ContsimError
        If there is no such figure.
    """
    wanted, figures = list(names), GAME_FIGURES[game]
    known = [figure.name for figure in figures]
    for name in wanted:
        if name not in known:
            raise ContsimError(f"metric {name!r} is not compared: choose {', '.join(known)}")
    return [figure for figure in figures if not wanted or figure.name in wanted]
