"""The figures of Continental that are compared between two sets of deals."""

from typing import Final

from continental_sim.columns import DEALT, FIRST_TURN, LATER
from continental_sim.figures.compared_figure import (
    CAPPED_DEALS,
    DRAWN_DEALS,
    LENGTHS,
    Figure,
    is_exit,
)

# fmt: off
CONTINENTAL_COMPARED: Final = (
    Figure("exits.dealt", "dealt exits", True, "", lambda rows: rows["kind"] == DEALT),
    Figure("exits.first_turn", "first-turn exits", True, "",
           lambda rows: rows["kind"] == FIRST_TURN),
    Figure("exits.later", "later exits", True, "later", lambda rows: rows["kind"] == LATER),
    DRAWN_DEALS,
    CAPPED_DEALS,
    Figure("one_suit", "exits all in one suit", True, "one_suit",
           lambda rows: rows["one_suit"] == 1),
    Figure("natural", "natural exits", True, "natural",
           lambda rows: is_exit(rows) & (rows["deuces"] == 0) & (rows["jokers"] == 0)),
    *LENGTHS,
    Figure("paid", "payment of a deal", False, "", lambda rows: rows["payment"],
           metric="payment"),
    Figure("payment", "payment of an exit", False, "", lambda rows: rows["payment"], is_exit,
           metric="payment"),
    Figure("wilds", "wild cards of an exit", False, "",
           lambda rows: (rows["deuces"] + rows["jokers"]) * is_exit(rows), is_exit),
    Figure("first_turn_share", "share of first turns", True, "",
           lambda rows: (rows["kind"] == DEALT) | (rows["kind"] == FIRST_TURN), is_exit),
)
# fmt: on
