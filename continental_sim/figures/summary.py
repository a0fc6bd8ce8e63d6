"""All figures of a study, each with its interval; `stats.summarise` makes it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from continental_sim.figures.estimates import Estimate, Mean
from continental_sim.rules import ContinentalRules
from continental_sim.words import counted


@dataclass(frozen=True, slots=True)
class Player:
    """The figures of one player of the line-up.

    Attributes
    ----------
    number : int
        Place in the line-up, from 0.
    strategy : str
        As it was given.
    ledger : Mean
        Points a deal.
    wins : Estimate
        Deals won, of all deals.
    session_ledger : Mean
        Points a session.
    session_share : Mean
        Share of the won sessions: 1 alone, 1/m if m lead together, 0 otherwise.
    behaviour : mapping of str to int
        `BEHAVIOUR_SUMS` over all deals.
    """

    number: int
    strategy: str
    ledger: Mean
    wins: Estimate
    session_ledger: Mean
    session_share: Mean
    behaviour: Mapping[str, int]

    @property
    def label(self) -> str:
        """Strategy and place, since players may have the same strategy."""
        return f"{self.strategy} (player {self.number})"


@dataclass(frozen=True, slots=True)
class Seat:
    """The figures of one seat; seat 0 acts first.

    Attributes
    ----------
    number : int
        Counted from the dealer's left, from 0.
    ledger : Mean
        Points a deal.
    wins : Estimate
        Deals won from this seat, of all deals.
    dealt, first_turn, by_first_turn, later : Estimate
        Exits from this seat by kind, of all deals; `by_first_turn` is dealt or first-turn.
    """

    number: int
    ledger: Mean
    wins: Estimate
    dealt: Estimate
    first_turn: Estimate
    by_first_turn: Estimate
    later: Estimate


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of dealt hands of one sort.

    Attributes
    ----------
    wins : Estimate
        Those that went out, of these hands.
    own_turns : Mean
        Own turns that those took which went out.
    points : Mean
        Points that the hands' players got or paid, by hand.
    """

    wins: Estimate
    own_turns: Mean
    points: Mean

    def to_json(self) -> dict[str, Any]:
        """Return the numbers as plain data."""
        return {
            "hands": self.wins.trials,
            "wins": self.wins.to_json(),
            "own_turns": self.own_turns.to_json(),
            "points": self.points.to_json(),
        }


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
class Summary:
    """All figures of a study.

    Attributes
    ----------
    rules : ContinentalRules
        What was played.
    header : tuple of str
        The rules and the study in short lines.
    level : float
        Confidence level of all intervals.
    seeds : tuple of int
        One, unless studies were merged.
    deals, sessions : int
        Deals played and complete sessions.
    planned : int
        Deals that the study was to play.
    complete : bool
        Whether it has come to its end, which may be earlier than was planned.
    reason : str
        Why it ended early or is unfinished, or "".
    ends, exits : mapping of str to Estimate
        By `ENDS` and by `KINDS` (exclusive), of all deals.
    one_suit, natural, recycled : Estimate
        Exits in one suit, exits without wild cards, deals with a recycle; of all deals.
    payments : mapping of int to Estimate
        Payments [points an opponent], of the exits.
    payment, deuces, jokers : Mean
        Payment, wild cards other than jokers, and jokers exposed; an exit.
    deuces_exposed, jokers_exposed : mapping of int to Estimate
        How many were exposed, of the exits.
    ranks_exposed : mapping of str to Estimate
        For each rank, and the joker: of all its cards in the pack, the share that an exit lays
        down; as if one of them were looked at, since those of one exit depend on each other.
    patterns : mapping of str to Estimate
        Exits that fit a pattern (several at once may be), of the exits.
    turns, rounds, recycles : Mean
        Lengths of a deal; a capped deal counts with the length at which it was stopped.
    exits_by_turn : mapping of str to mapping of int to int
        For each of `KINDS` the exits on each turn of the deal.
    players : tuple of Player
    wins_by_strategy : mapping of str to Estimate
        Deals won by all players of one strategy together.
    seats : tuple of Seat
    openings : Openings
    impossible : mapping of str to str
        Events that the rules make impossible (see `structural`), with the reason.
    notes : tuple of str
        What a reader of the intervals should know.
    """

    rules: ContinentalRules
    header: tuple[str, ...]
    level: float
    seeds: tuple[int, ...]
    deals: int
    sessions: int
    planned: int
    complete: bool
    reason: str
    ends: Mapping[str, Estimate]
    exits: Mapping[str, Estimate]
    one_suit: Estimate
    natural: Estimate
    recycled: Estimate
    payments: Mapping[int, Estimate]
    payment: Mean
    deuces: Mean
    jokers: Mean
    deuces_exposed: Mapping[int, Estimate]
    jokers_exposed: Mapping[int, Estimate]
    ranks_exposed: Mapping[str, Estimate]
    patterns: Mapping[str, Estimate]
    turns: Mean
    rounds: Mean
    recycles: Mean
    exits_by_turn: Mapping[str, Mapping[int, int]]
    players: tuple[Player, ...]
    wins_by_strategy: Mapping[str, Estimate]
    seats: tuple[Seat, ...]
    openings: Openings
    impossible: Mapping[str, str]
    notes: tuple[str, ...]

    @property
    def shared_strategies(self) -> Mapping[str, Estimate]:
        """Deals won by strategy, if any has more than one player."""
        return self.wins_by_strategy if len(self.wins_by_strategy) < len(self.players) else {}

    @property
    def ending(self) -> str:
        """How the study ended, in a sentence, or "" if it just went as planned."""
        why = f": {self.reason}" if self.reason else ""
        if not self.complete:
            return f"Unfinished: {self.deals:,} of {counted(self.planned, 'deal')} are played{why}."
        return f"Ended after {counted(self.deals, 'deal')}{why}." if why else ""

    def to_json(self) -> dict[str, Any]:
        """Return the object that `contsim run --json` prints."""
        return {
            "deals": self.deals,
            **({"seed": self.seeds[0]} if len(self.seeds) == 1 else {"seeds": self.seeds}),
            "ends": {name: end.count for name, end in self.ends.items()},
            "exits": {name: kind.to_json() for name, kind in self.exits.items()},
            "first_turn_by_seat": [seat.first_turn.to_json() for seat in self.seats],
            "by_first_turn_by_seat": [seat.by_first_turn.to_json() for seat in self.seats],
            "one_suit": self.one_suit.to_json(),
            "natural": self.natural.to_json(),
            "payment": [
                {"payment": payment, "count": share.count}
                for payment, share in self.payments.items()
            ],
            "ledger": [
                {
                    "strategy": player.strategy,
                    "mean": player.ledger.mean,
                    "low": player.ledger.low,
                    "high": player.ledger.high,
                    "sd": player.ledger.sd,
                    "wins": player.wins.count,
                }
                for player in self.players
            ],
            "length": {"turns": self.turns.to_json(), "rounds": self.rounds.to_json()},
            "ranks_exposed": {rank: share.to_json() for rank, share in self.ranks_exposed.items()},
            "openings": {
                "by_distance": {
                    str(cards): fate.to_json() for cards, fate in self.openings.by_distance.items()
                },
                "by_wilds": {
                    str(cards): fate.to_json() for cards, fate in self.openings.by_wilds.items()
                },
            },
        }
