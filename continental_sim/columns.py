"""One table of every column that a study stores: name, type, unit, meaning.

The Parquet schemas (`store`), the records that the engine fills (`OUTCOME`, `OPENING`), the
documentation and the definitions at the foot of a report are all read from here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

# Codes of the engine, and the words that the files hold for them: a code is a place in its tuple.
ENDS: Final = ("exit", "drawn", "capped")
KINDS: Final = ("dealt", "first_turn", "later")
RUMMY_KINDS: Final = ("rummy", "ordinary")
EXIT, DRAWN, CAPPED = range(len(ENDS))
DEALT, FIRST_TURN, LATER = range(len(KINDS))
RUMMY, ORDINARY = range(len(RUMMY_KINDS))

NONE: Final = -1  # in the engine's record where there was no exit; the files hold a real null
MAX_PATTERNS: Final = 31  # bits of `patterns`
FORMAT: Final = 4  # of the files: other columns or other meanings are another format

# Type in the files -> numpy type in memory. "label" is one word for a code, "labels" several words
# for the bits of a mask (both dictionary-encoded strings); plain text is not held in arrays.
_RECORD_TYPES: Final = {
    "int8": "i1",
    "int32": "i4",
    "int64": "i8",
    "bool": "i1",
    "label": "i1",
    "labels": "i4",
    "string": "",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One stored column.

    Attributes
    ----------
    name : str
        Name in the file, and of the field in the engine's record.
    type : str
        A type of `_RECORD_TYPES`; with a "?" behind it, null where the deal had no exit.
    unit : str
        Unit of the number, or "" for a name or a label.
    meaning : str
        One sentence.
    labels : tuple of str
        Words for the codes of a "label"; those of "labels" come from the rules.
    none : int
        What the record holds where the file holds a null.
    """

    name: str
    type: str
    unit: str
    meaning: str
    labels: tuple[str, ...] = ()
    none: int = NONE

    @property
    def stored(self) -> str:
        """Type in the file, without the mark of a null."""
        return self.type.removesuffix("?")

    @property
    def nullable(self) -> bool:
        """Whether the file holds nulls."""
        return self.type.endswith("?")

    @property
    def record(self) -> str:
        """Type in memory, or "" for text."""
        return _RECORD_TYPES[self.stored]


def record_dtype(columns: Iterable[Column]) -> np.dtype[np.void]:
    """Structured dtype of the columns in the given order, text left out."""
    return np.dtype([(column.name, column.record) for column in columns if column.record])


@dataclass(frozen=True, slots=True)
class File:
    """One Parquet file of a study.

    Attributes
    ----------
    name : str
        File name without its ending.
    row : str
        What one row stands for.
    key : tuple of Column
        Columns by which the rows are grouped and sorted; no two rows agree in all of them.
    values : tuple of Column
        The other columns.
    """

    name: str
    row: str
    key: tuple[Column, ...]
    values: tuple[Column, ...]

    @property
    def columns(self) -> tuple[Column, ...]:
        """All columns in the order of the file."""
        return self.key + self.values

    @property
    def keys(self) -> tuple[str, ...]:
        """Names of the key columns."""
        return tuple(column.name for column in self.key)

    @property
    def sums(self) -> tuple[str, ...]:
        """Names of the values that are added up, beside the count: between it and the index."""
        return tuple(column.name for column in self.values[1:-1])

    @property
    def dtype(self) -> np.dtype[np.void]:
        """Structured dtype of the rows in memory, text left out."""
        return record_dtype(self.columns)


# fmt: off
_OUTCOME = (
    Column("end", "label", "", "How the deal ended: a player went out (exit), no card was left to "
           "draw (drawn), or max_rounds was reached (capped).", ENDS),
    Column("kind", "label?", "", "Exit on the winner's own first turn without drawing (dealt) or "
           "after a draw (first_turn), or on a later turn (later).", KINDS),
    Column("winner", "int8?", "player", "Who went out: the place in the line-up, from 0."),
    Column("seat", "int8?", "seat", "Where the winner sat: 0 is the dealer's left and acts first."),
    Column("payment", "int32?", "points", "What each opponent pays to the winner.", none=0),
    Column("deuces", "int8?", "cards", "Wild cards other than jokers in the exposed hand."),
    Column("jokers", "int8?", "cards", "Jokers in the exposed hand."),
    Column("one_suit", "bool?", "", "Whether the exposed hand counts as all in one suit."),
    Column("patterns", "labels?", "", "Every partition into runs that the exposed hand fits, "
           "joined by |.", none=0),
    Column("turns", "int32", "turns", "Turns begun by all seats; a dealt exit counts as one."),
    Column("recycles", "int32", "recycles", "Times the discard pile was made into a new stock."),
)
_DEAL = Column("deal", "int64", "deal", "Index of the deal in the study, from 0.")
_DEALER = Column("dealer", "int8", "player", "Who dealt: the place in the line-up, from 0.")
_FIRST_DEAL = Column("first_deal", "int64", "deal", "Lowest index of such a deal, for replay.")
_PLAYER = Column("player", "int8", "player", "Place in the line-up, from 0.")
_HAND = (
    Column("seat", "int8", "seat", "Where the hand was dealt: 0 acts first."),
    Column("distance", "int8", "cards", "Fewest cards to replace before the hand can go out."),
    Column("deuces", "int8", "cards", "Wild cards other than jokers dealt."),
    Column("jokers", "int8", "cards", "Jokers dealt."),
)

CUBE: Final = File("cube", "all deals that went alike", key=_OUTCOME, values=(
    Column("count", "int64", "deals", "Deals with exactly the values of this row."),
    _FIRST_DEAL,
))
SESSIONS: Final = File("sessions", "all complete sessions that went alike for a player", key=(
    _PLAYER,
    Column("ledger", "int32", "points", "Points of the player over the session."),
    Column("leaders", "int8", "players", "Players who share the highest ledger if this player is "
           "one of them (its win share is 1/leaders), 0 if it is not."),
    Column("wins", "int8", "deals", "Deals of the session that the player won."),
), values=(
    Column("count", "int64", "sessions", "Sessions with exactly the values of this row."),
    Column("first_session", "int64", "session", "Lowest index of such a session."),
))
DUELS: Final = File("duels", "all complete sessions that went alike for two strategies", key=(
    Column("player", "int8", "player", "First player of the one strategy."),
    Column("opponent", "int8", "player", "First player of the other strategy; the same player for "
           "a strategy alone."),
    Column("lead", "int64", "points", "Points of the one over the session, times the players of "
           "the other, less the reverse; of a strategy alone its points."),
), values=(
    Column("count", "int64", "sessions", "Sessions with exactly the values of this row."),
    Column("first_session", "int64", "session", "Lowest index of such a session."),
))
OPENINGS: Final = File("openings", "all dealt hands that were alike", key=_HAND, values=(
    Column("count", "int64", "hands", "Dealt hands with exactly the values of this row."),
    Column("wins", "int64", "hands", "How many of them went out."),
    Column("own_turns", "int64", "turns", "Own turns that these took, added up; 1 for an exit in "
           "the first turn."),
    Column("own_turns_squares", "int64", "turns^2", "Their squares, added up."),
    Column("points", "int64", "points", "Points that the hands' players got or paid in these "
           "deals, added up."),
    Column("points_squares", "int64", "points^2", "Their squares, added up."),
    _FIRST_DEAL,
))
FACES: Final = File("faces", "one card of the pack, copies being alike", key=(
    Column("face", "int8", "", "Number of the card: suit * 13 + rank, suits C D H S, ace 0; "
           "the joker is 52."),
), values=(
    Column("name", "string", "", "Name of the card, such as TD or JK."),
    Column("exposed", "int64", "cards", "Copies of it laid down in exits."),
    Column("thrown", "int64", "cards", "Times it was discarded, final discards included."),
))
BEHAVIOUR: Final = File("behaviour", "one player of the line-up", key=(_PLAYER,), values=(
    Column("strategy", "string", "", "Strategy as it was given, with its knobs."),
    Column("deals", "int64", "deals", "Deals played."),
    Column("turns", "int64", "turns", "Turns begun."),
    Column("upcards_taken", "int64", "cards", "Draws from the discard pile."),
    Column("wilds_thrown", "int64", "cards", "Wild cards discarded."),
    Column("exits_declined", "int64", "times", "Times the player could go out and did not."),
))
RECORDS: Final = File("records", "one deal", key=(_DEAL,), values=(*_OUTCOME, _DEALER))
# fmt: on

STUDY_FILES: Final = (CUBE, SESSIONS, DUELS, OPENINGS, FACES, BEHAVIOUR)  # every study has these
FILES: Final = {file.name: file for file in (*STUDY_FILES, RECORDS)}

# -- What the engine fills ---------------------------------------------------------------------

# One record a deal. Widest fields first: 32 bytes, every field at its natural alignment.
OUTCOME: Final = record_dtype(
    sorted(RECORDS.columns, key=lambda column: -np.dtype(column.record).itemsize)
)
# One record a dealt hand, 16 bytes.
OPENING: Final = np.dtype([*record_dtype((_DEAL, *_HAND)).descr, ("unused", "i4")])
# Sums over a block: int64[53, 2] by face, int64[players, 5] by player.
FACE_SUMS: Final = ("exposed", "thrown")
BEHAVIOUR_SUMS: Final = ("deals", "turns", "upcards_taken", "wilds_thrown", "exits_declined")
