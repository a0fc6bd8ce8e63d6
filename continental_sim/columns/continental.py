"""The columns of Continental."""

from typing import Final

from continental_sim.columns.schema import (
    ENDS,
    FATE,
    RECYCLES,
    WINNER,
    WINNERS_SEAT,
    Column,
    File,
    GameFiles,
    behaviour_file,
    faces_file,
)

KINDS: Final = ("dealt", "first_turn", "later")
DEALT, FIRST_TURN, LATER = range(len(KINDS))

# fmt: off
_HAND = (
    Column("seat", "int8", "seat", "Where the hand was dealt: 0 acts first."),
    Column("distance", "int8", "cards", "Fewest cards to replace before the hand can go out."),
    Column("deuces", "int8", "cards", "Wild cards other than jokers dealt."),
    Column("jokers", "int8", "cards", "Jokers dealt."),
)
CONTINENTAL: Final = GameFiles(
    outcome=(
        Column("end", "label", "", "How the deal ended: a player went out (exit), no card was left "
               "to draw (drawn), or max_rounds was reached (capped).", ENDS),
        Column("kind", "label?", "", "Exit on the winner's own first turn without drawing (dealt) "
               "or after a draw (first_turn), or on a later turn (later).", KINDS),
        WINNER,
        WINNERS_SEAT,
        Column("payment", "int32?", "points", "What each opponent pays to the winner.", none=0),
        Column("deuces", "int8?", "cards", "Wild cards other than jokers in the exposed hand."),
        Column("jokers", "int8?", "cards", "Jokers in the exposed hand."),
        Column("one_suit", "bool?", "", "Whether the exposed hand counts as all in one suit."),
        Column("patterns", "labels?", "", "Every partition into runs that the exposed hand fits, "
               "joined by |.", none=0),
        Column("turns", "int32", "turns",
               "Turns begun by all seats; a dealt exit counts as one."),
        RECYCLES,
    ),
    hand=_HAND,
    openings=File("openings", "all dealt hands that were alike", key=_HAND, values=FATE),
    faces=faces_file(
        Column("exposed", "int64", "cards", "Copies of it laid down in exits."),
        Column("thrown", "int64", "cards", "Times it was discarded, final discards included."),
        jokers=True,
    ),
    behaviour=behaviour_file(
        Column("wilds_thrown", "int64", "cards", "Wild cards discarded."),
        Column("exits_declined", "int64", "times", "Times the player could go out and did not."),
    ),
)
# fmt: on
