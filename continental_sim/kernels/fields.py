"""What an author may read of a view in each game, with the meaning that the docs print."""

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from continental_sim.kernels.records import (
    MEMO,
    MOST_CARDS,
    MOST_SEATS,
    PUBLIC,
    RULES,
    RUMMY_RULES,
    SEAT,
)


@dataclass(frozen=True)
class ViewFields:
    """The fields of a view.

    Attributes
    ----------
    seat, public, rules : mapping of str to str
        What is read of the seat's own record, of the table, and of the rules: names and meanings.
    rules_record : dtype
        Of the game's rules.
    """

    seat: Mapping[str, str]
    public: Mapping[str, str]
    rules: Mapping[str, str]
    rules_record: np.dtype

    @property
    def names(self) -> tuple[str, ...]:
        """All fields."""
        return (*self.seat, *self.public, *self.rules)

    def shape(self, name: str) -> tuple[int, ...]:
        """Return the shape of a field, () for a number."""
        parts = ((self.seat, SEAT), (self.public, PUBLIC), (self.rules, self.rules_record))
        record = next(record for known, record in parts if name in known)
        return tuple(record[name].shape)

    @property
    def arrays(self) -> tuple[str, ...]:
        """The fields that are arrays."""
        return tuple(name for name in self.names if self.shape(name))


_SEAT = {
    "hand": "int8[53]: copies held of each face",
    "seat": "own seat, 0 acts first",
    "turn": "own turns begun, 1 in the first",
    "taken": "face just taken from the discard pile, -1 if none",
    "barred": "face that may not be thrown now (`return_taken = forbid`), -1 if none",
}
_MEMO = {
    "memo": f"int64[{MEMO}]: scratch, 0 at the start of a deal; all that a strategy may write",
}
_PUBLIC = {
    "upcard": "face on top of the discard pile, -1 once the only card of it was taken",
    "pile_size": "cards in the discard pile",
    "stock_size": "cards in the stock",
    "recycles": "how often the pile became the stock in this deal",
    "round": "full rounds begun, 1 in the first",
    "pile": f"int8[{MOST_CARDS}]: the pile from the bottom, valid below pile_size",
    "thrower": f"int8[{MOST_CARDS}]: seat that threw each card of it, -1 for the first upcard",
    "in_pile": "int8[53]: copies of each face in the pile",
    "recycled": "int8[53]: copies of each face that the last recycle put into the stock",
    "known": f"int8[{MOST_SEATS}, 53]: copies known in each seat's hand: taken from the pile, "
    "not thrown since",
}
_RULES = {
    "seats": "seats at the table",
    "hand_size": "cards between turns",
    "cards": "cards in the pack",
}
_COPIES = {"copies": "uint8[53]: copies of each face in the pack"}

VIEW_FIELDS: Final[Mapping[str, ViewFields]] = {
    "continental": ViewFields(
        seat={**_SEAT, "wilds": "wild cards held", **_MEMO},
        public=_PUBLIC,
        rules={
            **_RULES,
            "wild": "uint8[53]: 1 for a wild face",
            **_COPIES,
            "ace": "0 low, 1 high, 2 both, 3 wrap",
            "groups": "1 if melds are groups",
            "must_exit": "1 if a hand that fits must go out (`exit_mandatory`)",
            "pay_exit": "what each opponent pays for an exit [points]",
            "pay_no_wild": "added if no wild card is exposed [points]",
            "pay_deuce": "added for each wild card that is no joker [points]",
            "pay_joker": "added for each joker [points]",
            "pay_first_turn": "added for an exit in the first turn after a draw [points]",
            "pay_dealt": "added for an exit without a draw [points]",
            "pay_one_suit": "added if all cards are of one suit [points]",
        },
        rules_record=RULES,
    ),
    "basic-rummy": ViewFields(
        seat={
            **_SEAT,
            "laid": "cards laid on the table in this deal",
            "melded": "1 once a meld of its own was among them",
            **_MEMO,
        },
        public={
            **_PUBLIC,
            "known": f"int8[{MOST_SEATS}, 53]: 1 for a card known in a seat's hand: taken from the "
            "pile, neither laid nor thrown since",
            "on_table": "int8[53]: 1 for a face that lies on the table",
            "hand_sizes": f"int8[{MOST_SEATS}]: cards in each hand when its last turn was over",
        },
        rules={
            **_RULES,
            "hand_size": "cards dealt to each seat",
            **_COPIES,
            "ace": "0 low, 2 both",
            "ace_points": "what an ace left in a hand counts [points]",
            "going_rummy": "factor of the score for laying the whole hand in one turn",
            "one_meld": "1 if a turn may lay one meld at most (`one_meld_per_turn`)",
            "layoff_needs_meld": "1 if only who has laid a meld may lay off",
            "must_discard": "1 if the last card must be thrown (`must_discard_to_go_out`)",
        },
        rules_record=RUMMY_RULES,
    ),
}


def no_field(name: str, games: Sequence[str]) -> str:
    """Say that the views of some games have no field of a name, and what may have been meant."""
    others = [game for game, fields in VIEW_FIELDS.items() if name in fields.names]
    if others:
        return (
            f"a view of {games[0]} has no field {name!r}, only one of {others[0]} has: "
            "docs/strategies.md lists the fields of each game"
        )
    known = set.intersection(*(set(VIEW_FIELDS[game].names) for game in games))
    near = difflib.get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else "see `contsim strategies new`"
    return f"a view has no field {name!r}: {hint}"
