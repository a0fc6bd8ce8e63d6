"""One table of every column that a study stores, for each game: name, type, unit, meaning."""

from collections.abc import Mapping
from typing import Final

from continental_sim.columns.basic_rummy import BASIC_RUMMY, ORDINARY, RUMMY, RUMMY_KINDS
from continental_sim.columns.continental import CONTINENTAL, DEALT, FIRST_TURN, KINDS, LATER
from continental_sim.columns.schema import (
    CAPPED,
    DRAWN,
    DUELS,
    ENDS,
    EXIT,
    FIRST_DEAL,
    FORMAT,
    MAX_PATTERNS,
    NONE,
    SESSIONS,
    Column,
    File,
    GameFiles,
)

GAME_FILES: Final[Mapping[str, GameFiles]] = {
    "continental": CONTINENTAL,
    "basic-rummy": BASIC_RUMMY,
}
# What the engine fills for Continental.
OUTCOME: Final = CONTINENTAL.outcome_dtype
OPENING: Final = CONTINENTAL.opening_dtype

__all__ = [
    "BASIC_RUMMY",
    "CAPPED",
    "CONTINENTAL",
    "DEALT",
    "DRAWN",
    "DUELS",
    "ENDS",
    "EXIT",
    "FIRST_DEAL",
    "FIRST_TURN",
    "FORMAT",
    "GAME_FILES",
    "KINDS",
    "LATER",
    "MAX_PATTERNS",
    "NONE",
    "OPENING",
    "ORDINARY",
    "OUTCOME",
    "RUMMY",
    "RUMMY_KINDS",
    "SESSIONS",
    "Column",
    "File",
    "GameFiles",
]
