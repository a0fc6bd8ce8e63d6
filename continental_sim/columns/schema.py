"""What a column and a file are, and the columns of every game.

Every column that a study stores has a name, a type, a unit and a meaning here or in the module of
its game. The Parquet schemas (`store`), the records that the engine fills, the documentation and
the definitions at the foot of a report are all read from there.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

# Codes of the engine, and the words that the files hold for them: a code is a place in its tuple.
ENDS: Final = ("exit", "drawn", "capped")
EXIT, DRAWN, CAPPED = range(len(ENDS))

NONE: Final = -1  # in the engine's record where there was no exit; the files hold a real null
MAX_PATTERNS: Final = 31  # bits of `patterns`
FORMAT: Final = 5  # of the files: other columns or other meanings are another format

# Type in the files -> numpy type in memory. "label" is one word for a code, "labels" several words
# for the bits of a mask (both dictionary-encoded strings); plain text is not held in arrays.
_RECORD_TYPES: Final = {
    "int8": "i1",
    "int16": "i2",
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
    def index(self) -> Column:
        """Column with the lowest index of what a row is grouped from."""
        return self.values[-1]

    @property
    def sums(self) -> tuple[str, ...]:
        """Names of the values that are added up, beside the count: between it and the index."""
        return tuple(column.name for column in self.values[1:-1])

    @property
    def dtype(self) -> np.dtype[np.void]:
        """Structured dtype of the rows in memory, text left out."""
        return record_dtype(self.columns)


# fmt: off
DEAL: Final = Column("deal", "int64", "deal", "Index of the deal in the study, from 0.")
DEALER: Final = Column("dealer", "int8", "player", "Who dealt: the place in the line-up, from 0.")
FIRST_DEAL: Final = Column("first_deal", "int64", "deal",
                           "Lowest index of such a deal, for replay.")
PLAYER: Final = Column("player", "int8", "player", "Place in the line-up, from 0.")
WINNER: Final = Column("winner", "int8?", "player",
                       "Who went out: the place in the line-up, from 0.")
WINNERS_SEAT: Final = Column("seat", "int8?", "seat",
                             "Where the winner sat: 0 is the dealer's left and acts first.")
RECYCLES: Final = Column("recycles", "int32", "recycles",
                         "Times the discard pile was made into a new stock.")
ALIKE: Final = (
    Column("count", "int64", "deals", "Deals with exactly the values of this row."), FIRST_DEAL,
)

SESSIONS: Final = File("sessions", "all complete sessions that went alike for a player", key=(
    PLAYER,
    Column("ledger", "int32", "points", "Points of the player over the session."),
    Column("leaders", "int8", "players", "Players who share the highest ledger if this player is "
           "one of them (its win share is 1/leaders), 0 if it is not."),
    Column("wins", "int16", "deals", "Deals of the session that the player won."),
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
# Sums that are kept of the dealt hands that are alike.
FATE: Final = (
    Column("count", "int64", "hands", "Dealt hands with exactly the values of this row."),
    Column("wins", "int64", "hands", "How many of them went out."),
    Column("own_turns", "int64", "turns", "Own turns that these took, added up; 1 for an exit in "
           "the first turn."),
    Column("own_turns_squares", "int64", "turns^2", "Their squares, added up."),
    Column("points", "int64", "points", "Points that the hands' players got or paid in these "
           "deals, added up."),
    Column("points_squares", "int64", "points^2", "Their squares, added up."),
    FIRST_DEAL,
)
# fmt: on


def faces_file(first: Column, thrown: Column, *, jokers: bool) -> File:
    """Describe the file of the cards: what is laid of each, and what is thrown."""
    none = "" if jokers else ", of which the pack has none"
    key = Column("face", "int8", "", "Number of the card: suit * 13 + rank, suits C D H S, ace 0; "
                 f"the joker is 52{none}.")  # fmt: skip
    name = Column("name", "string", "", "Name of the card, such as TD or JK.")
    return File("faces", "one card of the pack, copies being alike", (key,), (name, first, thrown))


def behaviour_file(*own: Column) -> File:
    """Describe the file of what the players did: what all games count, and a game's own."""
    return File("behaviour", "one player of the line-up", (PLAYER,), (
        Column("strategy", "string", "", "Strategy as it was given, with its knobs."),
        Column("deals", "int64", "deals", "Deals played."),
        Column("turns", "int64", "turns", "Turns begun."),
        Column("upcards_taken", "int64", "cards", "Draws from the discard pile."),
        *own,
    ))  # fmt: skip


@dataclass(frozen=True, slots=True)
class GameFiles:
    """The files of a game's studies, and the records that the engine fills for them.

    Attributes
    ----------
    outcome : tuple of Column
        What is told of a deal.
    hand : tuple of Column
        What is told of a dealt hand.
    openings : File
        What became of the dealt hands.
    endings, matches : File or None
        How the hands ended, and the matches, where a game has such.
    faces, behaviour : File
    """

    outcome: tuple[Column, ...]
    hand: tuple[Column, ...]
    openings: File
    faces: File
    behaviour: File
    endings: File | None = None
    matches: File | None = None

    @property
    def cube(self) -> File:
        """All deals that went alike."""
        return File("cube", "all deals that went alike", key=self.outcome, values=ALIKE)

    @property
    def records(self) -> File:
        """One row a deal, for studies that keep it."""
        return File("records", "one deal", key=(DEAL,), values=(*self.outcome, DEALER))

    @property
    def grouped(self) -> tuple[File, ...]:
        """The files whose rows are grouped from deals, sessions or hands."""
        own = (file for file in (self.endings, self.matches) if file)
        return (self.cube, SESSIONS, DUELS, self.openings, *own)

    @property
    def study(self) -> tuple[File, ...]:
        """The files that every study has."""
        return (*self.grouped, self.faces, self.behaviour)

    @property
    def all(self) -> tuple[File, ...]:
        """The files that a study may have."""
        return (*self.study, self.records)

    @property
    def face_sums(self) -> tuple[str, ...]:
        """What is summed over a block by face: the columns of int64[53, 2]."""
        return tuple(column.name for column in self.faces.values if column.record)

    @property
    def behaviour_sums(self) -> tuple[str, ...]:
        """What is summed over a block by player: the columns of int64[players, 5]."""
        return tuple(column.name for column in self.behaviour.values if column.record)

    @property
    def kinds(self) -> tuple[str, ...]:
        """The words for how a player went out."""
        return next(column.labels for column in self.outcome if column.name == "kind")

    @property
    def outcome_dtype(self) -> np.dtype[np.void]:
        """One record a deal."""
        columns = self.records.columns
        widest = sorted(columns, key=lambda column: -np.dtype(column.record).itemsize)
        return np.dtype(record_dtype(widest).descr, align=True)

    @property
    def opening_dtype(self) -> np.dtype[np.void]:
        """One record a dealt hand."""
        return np.dtype(record_dtype((DEAL, *self.hand)).descr, align=True)
