"""The figures of Basic Rummy that are compared between two sets of deals."""

from dataclasses import replace
from typing import Final

from continental_sim.columns import ORDINARY, RUMMY
from continental_sim.figures.compared_figure import (
    CAPPED_DEALS,
    DRAWN_DEALS,
    LENGTHS,
    Figure,
    is_exit,
)

# fmt: off
RUMMY_COMPARED: Final = (
    Figure("exits.rummy", "exits going rummy", True, "", lambda rows: rows["kind"] == RUMMY),
    Figure("exits.ordinary", "ordinary exits", True, "ordinary",
           lambda rows: rows["kind"] == ORDINARY),
    replace(DRAWN_DEALS, label="deadlocks (drawn)"),
    CAPPED_DEALS,
    *LENGTHS,
    Figure("scored", "score of a deal", False, "", lambda rows: rows["payment"], metric="score"),
    Figure("score", "score of an exit", False, "", lambda rows: rows["payment"], is_exit,
           metric="score"),
    Figure("going_rummy", "share going rummy", True, "", lambda rows: rows["kind"] == RUMMY,
           is_exit),
    Figure("last_card_laid", "last cards laid", True, "last_card_laid",
           lambda rows: rows["thrown"] == 0, is_exit),
)
# fmt: on
