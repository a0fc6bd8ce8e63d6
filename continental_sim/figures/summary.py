"""The figures of a study that all games have, each with its interval; `stats.summarise` makes them.

A game adds its own in a subclass of `Summary`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from continental_sim.figures.estimates import Estimate, Mean
from continental_sim.figures.formats import count, player_name
from continental_sim.figures.game_words import Words
from continental_sim.language import tr
from continental_sim.rules import GameRules
from continental_sim.words import counted, reason_again


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
        return player_name(self.strategy, self.number)


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
    """

    number: int
    ledger: Mean
    wins: Estimate


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


def fates_to_json(fates: Mapping[Any, Fate]) -> dict[str, Any]:
    """Return what became of hands, sort by sort, as plain data."""
    return {str(sort): fate.to_json() for sort, fate in fates.items()}


@dataclass(frozen=True, slots=True)
class Summary:
    """The figures of a study.

    Attributes
    ----------
    words : Words
        What the game calls things.
    rules : GameRules
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
        By `ENDS` and by the game's kinds of exit (exclusive), of all deals.
    recycled : Estimate
        Deals with a recycle, of all deals.
    payments : mapping of int to Estimate
        What exits brought, as the column `payment` has it [points], of the exits.
    payment : Mean
        The same; an exit.
    turns, rounds, recycles : Mean
        Lengths of a deal; a capped deal counts with the length at which it was stopped.
    exits_by_turn : mapping of str to mapping of int to int
        For each kind of exit the exits on each turn of the deal.
    players : tuple of Player
    wins_by_strategy : mapping of str to Estimate
        Deals won by all players of one strategy together.
    seats : tuple of Seat
    impossible : mapping of str to str
        Events that the rules make impossible (see `structural`), with the reason.
    notes : tuple of str
        What a reader of the intervals should know.
    """

    words: ClassVar[Words]

    rules: GameRules
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
    recycled: Estimate
    payments: Mapping[int, Estimate]
    payment: Mean
    turns: Mean
    rounds: Mean
    recycles: Mean
    exits_by_turn: Mapping[str, Mapping[int, int]]
    players: tuple[Player, ...]
    wins_by_strategy: Mapping[str, Estimate]
    seats: tuple[Seat, ...]
    impossible: Mapping[str, str]
    notes: tuple[str, ...]

    @property
    def shared_strategies(self) -> Mapping[str, Estimate]:
        """Deals won by strategy, if any has more than one player."""
        return self.wins_by_strategy if len(self.wins_by_strategy) < len(self.players) else {}

    @property
    def ending(self) -> str:
        """How the study ended, in a sentence, or "" if it just went as planned."""
        why = f": {reason_again(self.reason)}" if self.reason else ""
        if not self.complete:
            played, planned = count(self.deals), counted(self.planned, "deal")
            said = tr(
                "Unfinished: {played} of {planned} are played", played=played, planned=planned
            )
            return f"{said}{why}."
        if not why:
            return ""
        return f"{tr('Ended after {deals}', deals=counted(self.deals, 'deal'))}{why}."

    def to_json(self) -> dict[str, Any]:
        """Return the object that `contsim run --json` prints."""
        return {
            "deals": self.deals,
            **({"seed": self.seeds[0]} if len(self.seeds) == 1 else {"seeds": self.seeds}),
            "ends": {name: end.count for name, end in self.ends.items()},
            "exits": {name: kind.to_json() for name, kind in self.exits.items()},
            **self.exits_to_json(),
            self.words.paid: [
                {self.words.paid: payment, "count": share.count}
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
            **self.cards_to_json(),
        }

    def exits_to_json(self) -> dict[str, Any]:
        """Return what the game tells of exits, beside their kinds."""
        raise NotImplementedError

    def cards_to_json(self) -> dict[str, Any]:
        """Return what the game tells of cards and of dealt hands."""
        raise NotImplementedError
