"""The columns of Basic Rummy."""

from typing import Final

from continental_sim.columns.schema import (
    ENDS,
    FATE,
    FIRST_DEAL,
    PLAYER,
    RECYCLES,
    WINNER,
    WINNERS_SEAT,
    Column,
    File,
    GameFiles,
    behaviour_file,
    faces_file,
)

RUMMY_KINDS: Final = ("rummy", "ordinary")
RUMMY, ORDINARY = range(len(RUMMY_KINDS))

# fmt: off
_DEALT = (
    Column("seat", "int8", "seat", "Where the hand was dealt: 0 acts first."),
    Column("melded", "int8", "cards", "Cards of the dealt hand that its best melds hold."),
    Column("deadwood", "int16", "points", "Pips of its other cards: the fewest that melds leave."),
)
_LEFT = Column("left", "int16", "points", "Pips of the hand when the deal was over; 0 of the "
               "winner's.")
BASIC_RUMMY: Final = GameFiles(
    outcome=(
        Column("end", "label", "", "How the deal ended: a player went out (exit), no card was left "
               "to draw and no recycle (drawn: a deadlock), or max_rounds was reached (capped).",
               ENDS),
        Column("kind", "label?", "", "Whether the winner laid the whole hand in one turn, and "
               "nothing before (rummy), or not (ordinary).", RUMMY_KINDS),
        WINNER,
        WINNERS_SEAT,
        Column("payment", "int32?", "points", "What the winner scores: the pips left in all other "
               "hands, times the factor for going rummy.", none=0),
        Column("thrown", "bool?", "", "Whether the last card was thrown, and not laid."),
        Column("turns", "int32", "turns", "Turns begun by all seats."),
        RECYCLES,
    ),
    hand=(*_DEALT, PLAYER, _LEFT),
    openings=File("openings", "all dealt hands that were alike", key=_DEALT, values=FATE),
    endings=File("endings", "all hands of a player that ended alike", key=(PLAYER, _LEFT), values=(
        Column("count", "int64", "hands", "Hands with exactly the values of this row."),
        FIRST_DEAL,
    )),
    matches=File("matches", "all matches that went alike for a player", key=(
        PLAYER,
        Column("score", "int32", "points", "Points of the player when the match was over."),
        Column("deals", "int32", "deals", "Deals of the match if the player won it; 0 if not. Of a "
               "match that its deals do not decide it is 0 for all."),
    ), values=(
        Column("count", "int64", "matches", "Matches with exactly the values of this row."),
        Column("first_deal", "int64", "deal", "Lowest index of a deal that such a match begins "
               "with, for replay."),
    )),
    faces=faces_file(
        Column("laid", "int64", "cards", "Times it was laid on the table."),
        Column("thrown", "int64", "cards", "Times it was discarded, last cards included."),
        jokers=False,
    ),
    behaviour=behaviour_file(
        Column("cards_laid", "int64", "cards", "Cards laid in melds and lay-offs."),
        Column("layings_declined", "int64", "times", "Times the player could lay and did not."),
    ),
)
# fmt: on
