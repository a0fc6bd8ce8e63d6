"""The figures of a study of Basic Rummy that are its own."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from continental_sim.figures.estimates import Estimate, Mean
from continental_sim.figures.game_words import Words
from continental_sim.figures.summary import Fate, Seat, Summary, fates_to_json
from continental_sim.rules import BasicRummyRules


@dataclass(frozen=True, slots=True)
class RummySeat(Seat):
    """The figures of one seat.

    Attributes
    ----------
    rummy, ordinary : Estimate
        Exits from this seat by kind, of all deals.
    """

    rummy: Estimate
    ordinary: Estimate


@dataclass(frozen=True, slots=True)
class DealtHands:
    """The dealt hands.

    Attributes
    ----------
    deadwood, melded : Mean
        Pips that the best melds leave of a hand [points], and cards that they hold.
    melds : mapping of int to Estimate
        Share of the hands by the cards that their best melds hold.
    by_melded : mapping of int to Fate
        What became of the hands, by those cards.
    by_deadwood : mapping of str to Fate
        The same by deadwood, in ranges such as ``20 to 29``.

    Notes
    -----
    The hands of one deal depend on each other: intervals are those of one hand a deal, which is
    too wide rather than too narrow.
    """

    deadwood: Mean
    melded: Mean
    melds: Mapping[int, Estimate]
    by_melded: Mapping[int, Fate]
    by_deadwood: Mapping[str, Fate]


@dataclass(frozen=True, slots=True)
class PipsLeft:
    """Pips left in hands that did not go out, whatever the end of the deal [points].

    Attributes
    ----------
    any_hand : Mean
        All hands together; as if one hand a deal had been counted.
    by_player : tuple of Mean
        In the order of the line-up.
    by_strategy : mapping of str to Mean
        Of all players of one strategy together.
    when_won : Mean
        In all other hands together when a player goes out; what the winner scores without the
        factor for going rummy.
    """

    any_hand: Mean
    by_player: tuple[Mean, ...]
    by_strategy: Mapping[str, Mean]
    when_won: Mean


@dataclass(frozen=True, slots=True)
class Matches:
    """Matches to the target: each begins with a session, and they follow each other.

    Attributes
    ----------
    won : tuple of Estimate
        Matches that each player won, in the order of the line-up.
    won_by_strategy : mapping of str to Estimate
        Matches won by all players of one strategy together.
    undecided : Estimate
        Those that as many deals as the target has points did not decide.
    deals : Mean
        Deals of a match that was decided.
    longest : int
        Deals of the longest one.
    """

    won: tuple[Estimate, ...]
    won_by_strategy: Mapping[str, Estimate]
    undecided: Estimate
    deals: Mean
    longest: int

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as plain data."""
        return {
            "won": [share.to_json() for share in self.won],
            "undecided": self.undecided.to_json(),
            "deals": self.deals.to_json(),
        }


@dataclass(frozen=True, slots=True)
class RummySummary(Summary):
    """All figures of a study of Basic Rummy: payments are what the winner scores.

    Attributes
    ----------
    going_rummy : Estimate
        Exits that lay the whole hand in one turn, of the exits.
    last_card : mapping of str to Estimate
        Exits whose last card was ``thrown``, and ``laid``; of the exits.
    scores : mapping of str to Estimate
        Scores in ranges such as ``20 to 29``, of the exits; those between that did not occur too.
    score_by_kind : mapping of str to Mean
        Score of an exit of each kind [points].
    left : PipsLeft
    matches : Matches
        None were played where packs are dealt again.
    hands : DealtHands
    ranks_laid : mapping of str to Estimate
        For each rank: of all its cards in the pack, the share that is laid on the table in a deal;
        as if one of them were looked at, since those of one deal depend on each other.
    """

    words: ClassVar[Words] = Words(
        drawn="deadlock (drawn)",
        were_drawn="deadlocks (drawn)",
        ended_drawn="in a deadlock (drawn)",
        paid="score",
        pay="score",
        unpaid="nobody scores there",
        of_exit="score of an exit",
    )

    rules: BasicRummyRules
    seats: tuple[RummySeat, ...]
    going_rummy: Estimate
    last_card: Mapping[str, Estimate]
    scores: Mapping[str, Estimate]
    score_by_kind: Mapping[str, Mean]
    left: PipsLeft
    matches: Matches
    hands: DealtHands
    ranks_laid: Mapping[str, Estimate]

    def exits_to_json(self) -> dict[str, Any]:
        """Return exits by seat, how often they go rummy, and what became of the last card."""
        return {
            "rummy_by_seat": [seat.rummy.to_json() for seat in self.seats],
            "going_rummy": self.going_rummy.to_json(),
            "last_card": {name: share.to_json() for name, share in self.last_card.items()},
            "score_by_kind": {kind: mean.to_json() for kind, mean in self.score_by_kind.items()},
        }

    def cards_to_json(self) -> dict[str, Any]:
        """Return pips left, the ranks that are laid, and what became of dealt hands."""
        return {
            "left": {
                "any_hand": self.left.any_hand.to_json(),
                "by_player": [mean.to_json() for mean in self.left.by_player],
                "when_won": self.left.when_won.to_json(),
            },
            "matches": self.matches.to_json(),
            "ranks_laid": {rank: share.to_json() for rank, share in self.ranks_laid.items()},
            "openings": {
                "deadwood": self.hands.deadwood.to_json(),
                "melded": self.hands.melded.to_json(),
                "by_melded": fates_to_json(self.hands.by_melded),
                "by_deadwood": fates_to_json(self.hands.by_deadwood),
            },
        }
