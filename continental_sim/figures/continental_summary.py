"""The figures of a study of Continental that are its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from continental_sim.figures.estimates import Estimate, Mean
from continental_sim.figures.game_words import Words
from continental_sim.figures.summary import Fate, Seat, Summary, fates_to_json
from continental_sim.rules import ContinentalRules


@dataclass(frozen=True, slots=True)
class ContinentalSeat(Seat):
    """The figures of one seat.

    Attributes
    ----------
    dealt, first_turn, by_first_turn, later : Estimate
        Exits from this seat by kind, of all deals; `by_first_turn` is dealt or first-turn.
    """

    dealt: Estimate
    first_turn: Estimate
    by_first_turn: Estimate
    later: Estimate


@dataclass(frozen=True, slots=True)
class Openings:
    """The dealt hands.

    Attributes
    ----------
    distance : Mean
        Cards to replace before a hand can go out.
    distances : mapping of int to Estimate
        Share of the hands at each distance.
    deuces, jokers : Mean
        Wild cards other than jokers, and jokers, in a hand.
    by_distance, by_wilds : mapping of int to Fate
        What became of the hands at each distance, and with each number of wild cards.

    Notes
    -----
    The hands of one deal depend on each other: intervals are those of one hand a deal, which is
    too wide rather than too narrow.
    """

    distance: Mean
    distances: Mapping[int, Estimate]
    deuces: Mean
    jokers: Mean
    by_distance: Mapping[int, Fate]
    by_wilds: Mapping[int, Fate]


@dataclass(frozen=True, slots=True)
class ContinentalSummary(Summary):
    """All figures of a study of Continental: payments are points an opponent.

    Attributes
    ----------
    one_suit, natural : Estimate
        Exits in one suit, and exits without wild cards; of all deals.
    deuces, jokers : Mean
        Wild cards other than jokers, and jokers exposed; an exit.
    deuces_exposed, jokers_exposed : mapping of int to Estimate
        How many were exposed, of the exits.
    ranks_exposed : mapping of str to Estimate
        For each rank, and the joker: of all its cards in the pack, the share that an exit lays
        down; as if one of them were looked at, since those of one exit depend on each other.
    patterns : mapping of str to Estimate
        Exits that fit a pattern (several at once may be), of the exits.
    openings : Openings
    """

    words: ClassVar[Words] = Words(
        drawn="drawn",
        were_drawn="drawn",
        ended_drawn="drawn",
        paid="payment",
        pay="pay",
        unpaid="nobody is paid there",
        of_exit="what each opponent pays",
    )

    rules: ContinentalRules
    seats: tuple[ContinentalSeat, ...]
    one_suit: Estimate
    natural: Estimate
    deuces: Mean
    jokers: Mean
    deuces_exposed: Mapping[int, Estimate]
    jokers_exposed: Mapping[int, Estimate]
    ranks_exposed: Mapping[str, Estimate]
    patterns: Mapping[str, Estimate]
    openings: Openings

    def exits_to_json(self) -> dict[str, Any]:
        """Return exits by seat, in one suit and natural."""
        return {
            "first_turn_by_seat": [seat.first_turn.to_json() for seat in self.seats],
            "by_first_turn_by_seat": [seat.by_first_turn.to_json() for seat in self.seats],
            "one_suit": self.one_suit.to_json(),
            "natural": self.natural.to_json(),
        }

    def cards_to_json(self) -> dict[str, Any]:
        """Return the ranks that exits lay down, and what became of dealt hands."""
        return {
            "ranks_exposed": {rank: share.to_json() for rank, share in self.ranks_exposed.items()},
            "openings": {
                "by_distance": fates_to_json(self.openings.by_distance),
                "by_wilds": fates_to_json(self.openings.by_wilds),
            },
        }
