"""What is counted exactly of the first cards of a deal, game by game, beside what was played."""

from collections import Counter
from collections.abc import Iterator
from typing import Final, Protocol

import numpy as np

from continental_sim.columns import DEALT, EXIT, FIRST_TURN
from continental_sim.cubes import Block
from continental_sim.exact.odds import HandOdds
from continental_sim.exact.rummy_odds import RummyOdds
from continental_sim.exact.tally import Row, Tally, distribution
from continental_sim.words import counted

PLAYER: Final = "stock"  # draws as good as random cards, and goes out as soon as it can


class Expected(Protocol):
    """What is expected of the deals of some rules, if all players are `PLAYER`."""

    def add(self, tally: Tally, block: Block) -> None:
        """Count what came of a block of deals, beside what is expected."""

    def more_rows(self) -> Iterator[Row]:
        """Yield what is no number of events of a deal."""


class ContinentalExpected:
    """Distances, wild cards and exits of Continental.

    Parameters
    ----------
    odds : HandOdds
    """

    def __init__(self, odds: HandOdds) -> None:
        self._odds = odds
        self._payments = Counter[int]()

    def add(self, tally: Tally, block: Block) -> None:
        """Count the dealt hands and the first turns of seat 0."""
        self._add_hands(tally, block)
        self._payments += self._add_exits(tally, block)

    def more_rows(self) -> Iterator[Row]:
        """Compare the payments of dealt exits."""
        paid = [(name, each.count) for name, each in self._odds.payments.items()]
        yield from distribution("payments of dealt exits of seat 0", paid, self._payments)

    def _add_hands(self, tally: Tally, block: Block) -> None:
        """Count the dealt hands of each deal by distance, and their wild cards."""
        odds, openings = self._odds, block.openings
        seats = odds.rules.seats
        for away, each in enumerate(odds.distances or (odds.dealt_exit,)):
            seen = (openings["distance"] == away).sum(axis=1)
            tally.add(f"dealt hands of distance {away}", seats * each.p, seen)
        rules = odds.rules
        for name, cards in (("deuces", rules.deuces), ("jokers", rules.jokers)):
            dealt = cards * rules.hand_size * seats / rules.cards
            tally.add(f"{name} dealt", dealt, openings[name].sum(axis=1, dtype=np.int64))
        wilds = openings["deuces"].astype(np.int64) + openings["jokers"]
        for number in range(rules.hand_size + 1):
            p = sum(each.p for wild, each in odds.wilds.items() if sum(wild) == number)
            held = counted(number, "wild card")
            tally.add(f"dealt hands with {held}", seats * p, (wilds == number).sum(axis=1))

    def _add_exits(self, tally: Tally, block: Block) -> Counter[int]:
        """Count the first turns of seat 0; return the payments of its dealt exits."""
        odds, outcomes = self._odds, block.outcomes
        mine = (outcomes["end"] == EXIT) & (outcomes["seat"] == 0)
        dealt = mine & (outcomes["kind"] == DEALT)
        tally.add("dealt exits of seat 0", odds.dealt_exit.p, dealt)
        for number, (pattern, each) in enumerate(odds.patterns.items()):
            fits = outcomes["patterns"] >> number & 1 == 1
            tally.add(f"dealt exits of seat 0 as {pattern}", each.p, dealt & fits)
        if odds.one_more is not None and odds.rules.stock_size > 0:  # else there is nothing to draw
            seen = dealt | (mine & (outcomes["kind"] == FIRST_TURN))
            tally.add("exits of seat 0 in its first turn", odds.one_more.p, seen)
        return Counter(outcomes["payment"][dealt].tolist())


class RummyExpected:
    """Melds of the dealt hands of Basic Rummy, and the first turn of seat 0.

    Parameters
    ----------
    odds : RummyOdds
    """

    def __init__(self, odds: RummyOdds) -> None:
        self._odds = odds

    def add(self, tally: Tally, block: Block) -> None:
        """Count the dealt hands that are all melds, or hold none, and who goes out at once."""
        rules, odds = self._odds.rules, self._odds
        melded, outcomes = block.openings["melded"], block.outcomes
        nothing = (melded == 0).sum(axis=1)
        tally.add("dealt hands without a meld", rules.seats * odds.no_meld.p, nothing)
        if odds.whole is not None and not rules.one_meld_per_turn:
            whole = (melded == rules.hand_size).sum(axis=1)
            tally.add("dealt hands that can be laid whole", rules.seats * odds.whole.p, whole)
        if odds.first_turn is not None:
            out = (outcomes["end"] == EXIT) & (outcomes["turns"] == 1)
            tally.add("seat 0 goes out in its first turn", odds.first_turn.p, out)

    def more_rows(self) -> Iterator[Row]:
        """Yield nothing: all is numbers of events."""
        yield from ()
