"""What leads to an event: which exits may be one, and how much of a hand may be in such an exit."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from continental_sim.columns import CAPPED, DRAWN, EXIT, KINDS, LATER
from continental_sim.figures.continental_metrics import exposures, may_be_in_one_suit
from continental_sim.figures.structural import impossible_events
from continental_sim.kernels.splitting import EVERY_SUIT, ONE_SUIT
from continental_sim.layouts import exit_payment
from continental_sim.rare.events import COLUMNS, Bounds, Event
from continental_sim.rules import ContinentalRules

MOST_SCORE: Final = 255
NEVER: Final = "no deal under these rules can end so"


@dataclass(frozen=True)
class Goal:
    """What leads to an event.

    Attributes
    ----------
    impossible : str
        Why the event cannot happen, or "".
    by_turns : bool
        Whether the score of a deal is the number of turns, else that of its best hand.
    last_turn : int
        Turn after which the event cannot happen any more.
    worths : uint8[seats, kinds, 2, hand_size + 1, deuces, jokers]
        By the seat of a hand, the kind of exit, whether naturals of all suits are counted or of one
        alone, the naturals that a layout can use and the wild cards held: the cards of the hand
        that may be in an exit that is the event.
    """

    impossible: str
    by_turns: bool
    last_turn: int
    worths: NDArray[np.uint8]

    @property
    def one_suit(self) -> bool:
        """Whether exits in one suit are worth something of their own."""
        return bool(self.worths[:, :, ONE_SUIT].any())

    @property
    def highest(self) -> int:
        """The highest score."""
        return self.last_turn if self.by_turns else MOST_SCORE


def find_goal(event: Event, rules: ContinentalRules) -> Goal:
    """Ask which ends of a deal may be the event, and derive the score of a deal from them.

    Parameters
    ----------
    event : Event
    rules : ContinentalRules
    """
    ends = list(_ends(rules))
    may = event.may_happen(_bounds(ends))
    found = [end for end, possible in zip(ends, may, strict=True) if possible]
    possible = [end for end in found if not end["barred"]]
    reasons = dict.fromkeys(end["barred"] for end in found)
    impossible = "" if possible else "; ".join(reasons) or NEVER
    exits = [end for end in possible if end["end"] == (EXIT, EXIT)]
    later = [
        can
        for end, can in zip(ends, may, strict=True)
        if end["kind"] == (LATER, LATER) and not end["barred"]
    ]
    return Goal(
        impossible=impossible,
        # What any later exit may be is an event of the deal's length, if of anything.
        by_turns=not exits or (bool(later) and all(later)),
        last_turn=max((end["turns"][1] for end in possible), default=0),
        worths=_worths(exits, rules),
    )


End = dict[str, Any]  # of each column (lowest, highest), and why the rules bar it, or ""


def _ends(rules: ContinentalRules) -> Iterator[End]:
    """Yield all ways in which a deal may end, each as bounds of its columns."""
    barred = impossible_events(rules)
    turns = rules.max_rounds * rules.seats
    nobody = {name: (column.none,) * 2 for name, column in COLUMNS.items() if column.nullable}
    anybody = (0, rules.seats - 1)
    for end in (
        *_exits(rules, barred),
        {**nobody, "end": DRAWN, "turns": (1, turns), "barred": barred.get("drawn", "")},
        {**nobody, "end": CAPPED, "turns": (turns, turns), "barred": ""},
    ):
        whole = {**end, "end": (end["end"], end["end"]), "dealer": anybody}
        most = turns if rules.recycles is None else min(turns, rules.recycles)
        yield {**whole, "recycles": (0, 0 if "recycled" in barred else most)}
        if "recycled" in barred:
            why = "; ".join(filter(None, (end["barred"], barred["recycled"])))
            yield {**whole, "recycles": (1, turns), "barred": why}


def _exits(rules: ContinentalRules, barred: dict[str, str]) -> Iterator[End]:
    """Yield the exits that rules allow, or bar for a reason, by all that their payment tells."""
    turns = rules.max_rounds * rules.seats
    wild = [(d, j, suit) for d, j in exposures(rules) for suit in (False, True)]
    for seat in range(rules.seats):
        for kind, timing in enumerate(KINDS):
            first = (seat + 1, seat + 1)
            for deuces, jokers, one_suit in wild:
                if one_suit and not may_be_in_one_suit(rules, deuces, jokers):
                    continue
                payment = exit_payment(rules, deuces, jokers, one_suit=one_suit, timing=timing)
                traits = {
                    "later": kind == LATER,
                    "one_suit": one_suit,
                    "natural": deuces + jokers == 0,
                }
                yield {
                    "end": EXIT,
                    "kind": (kind, kind),
                    "winner": (0, rules.seats - 1),
                    "seat": (seat, seat),
                    "payment": (payment, payment),
                    "deuces": (deuces, deuces),
                    "jokers": (jokers, jokers),
                    "one_suit": (int(one_suit), int(one_suit)),
                    "turns": (rules.seats + seat + 1, turns) if kind == LATER else first,
                    "barred": "; ".join(
                        barred[trait]
                        for trait, there in traits.items()
                        if there and trait in barred
                    ),
                }


def _bounds(ends: list[End]) -> Bounds:
    """Put ends beside each other."""
    lowest, highest = (
        {name: np.array([end[name][side] for end in ends], float) for name in COLUMNS}
        for side in range(2)
    )
    return lowest, highest


def _worths(exits: list[End], rules: ContinentalRules) -> NDArray[np.uint8]:
    """Fill the table of `Goal.worths` from the exits that may be the event."""
    size = rules.hand_size
    shape = (size + 1, min(rules.deuces, size) + 1, min(rules.jokers, size) + 1)
    table = np.zeros((rules.seats, len(KINDS), 2, *shape), np.uint8)
    naturals, deuces, jokers = np.ogrid[tuple(map(slice, shape))]
    for end in exits:
        here = table[end["seat"][0], end["kind"][0], ONE_SUIT if end["one_suit"][0] else EVERY_SUIT]
        wild = end["deuces"][0], end["jokers"][0]
        worth = (
            np.minimum(naturals, size - sum(wild))
            + np.minimum(deuces, wild[0])
            + np.minimum(jokers, wild[1])
        )
        np.maximum(here, worth, out=here, casting="unsafe")
    return table
