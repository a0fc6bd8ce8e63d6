"""How the moves and the end of a deal are put in words, game by game."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import numpy as np

from continental_sim.cards import RANKS, face_name, hand_faces, hand_text
from continental_sim.columns import CAPPED, DEALT, DRAWN, EXIT, FIRST_TURN, RUMMY
from continental_sim.kernels import turns
from continental_sim.kernels.laying import LANE
from continental_sim.layouts import find_layout
from continental_sim.rules import BasicRummyRules, ContinentalRules, GameRules
from continental_sim.words import counted

TRIO = 3  # cards that make a set


class Telling(Protocol):
    """Tells the deals of a game; one tells one deal, from its first move."""

    def laid(self, in_sets: int, in_runs: int, /) -> list[str]:
        """Say what a turn lays on the table, as `log_laid` has it."""

    def end(self, outcome: Any, hands: np.ndarray, points: Sequence[int]) -> Iterator[str]:
        """Say how a deal ended that somebody won."""


def telling(rules: GameRules) -> Telling:
    """Return what tells a deal of a game."""
    if isinstance(rules, BasicRummyRules):
        return RummyTelling(rules)
    assert isinstance(rules, ContinentalRules)  # noqa: S101 - there is no third game
    return ContinentalTelling(rules)


def move_text(turn: int, seats: int, move: Sequence[int], laid: Sequence[str]) -> str:
    """Say what a turn did: what it took, laid and threw.

    Parameters
    ----------
    turn : int
        From 0.
    seats : int
    move : sequence of int
        Source, face taken, face thrown, as `log` has them.
    laid : sequence of str
    """
    source, taken, thrown = move
    if source == turns.FROM_PILE:
        did = f"takes {face_name(taken)} from the pile"
    else:
        did = f"draws {face_name(taken)}"
    if source == turns.FROM_RECYCLE:
        did = f"recycles the discards and {did}"
    throws = [f"throws {face_name(thrown)}"] if thrown != turns.NOTHING else []
    return f"{turn + 1:>3}. seat {turn % seats} {', '.join([did, *laid, *throws])}"


def end_text(rules: GameRules, outcome: Any) -> str:
    """Say how a deal ended that nobody won, "" if somebody did."""
    gets = "pays" if rules.stakes.other else "scores"
    if outcome.end == DRAWN:
        return f"drawn on turn {int(outcome.turns)}: nothing is left to draw, nobody {gets}"
    if outcome.end == CAPPED:
        return f"capped after {counted(rules.max_rounds, 'round')}: nobody {gets}"
    assert outcome.end == EXIT  # noqa: S101 - there is no other end
    return ""


class ContinentalTelling:
    """Tells a deal of Continental, where nothing is laid before the exit."""

    def __init__(self, rules: ContinentalRules) -> None:
        self._rules = rules

    def laid(self, _in_sets: int, _in_runs: int, /) -> list[str]:
        """Say nothing."""
        return []

    def end(self, outcome: Any, hands: np.ndarray, points: Sequence[int]) -> Iterator[str]:
        """Say who goes out with what, and who pays."""
        kind = {DEALT: "without drawing, ", FIRST_TURN: "on its first turn, "}.get(
            int(outcome.kind), ""
        )
        seat, layout = int(outcome.seat), find_layout(self._rules, hands[int(outcome.seat)])
        yield f"seat {seat} goes out {kind}on turn {int(outcome.turns)}: {layout}"
        told = ", ".join(f"player {player} {points[player]:+d}" for player in range(len(points)))
        yield f"each opponent pays {int(outcome.payment)}: {told}"


class RummyTelling:
    """Tells a deal of Basic Rummy: it knows what lies on the table so far."""

    def __init__(self, rules: BasicRummyRules) -> None:
        self._rules = rules
        self._runs = 0

    def laid(self, in_sets: int, in_runs: int, /) -> list[str]:
        """Say what is laid: new melds first, then lay-offs."""
        melds: list[str] = []
        layoffs: list[str] = []
        for rank in range(len(RANKS)):
            cards = [suit * len(RANKS) + rank for suit in range(4) if _has(in_sets, suit, rank)]
            if cards:
                (melds if len(cards) >= TRIO else layoffs).append(hand_text(cards))
        for suit in range(4):
            places = [place for place in range(LANE) if _has(in_runs, suit, place)]
            for first, last in _stretches(places):
                cards = [suit * len(RANKS) + place % len(RANKS) for place in range(first, last + 1)]
                touches = _has(self._runs, suit, first - 1) or _has(self._runs, suit, last + 1)
                (layoffs if touches else melds).append(hand_text(cards))
        self._runs |= in_runs
        return [*(f"lays {meld}" for meld in melds), *(f"lays off {cards}" for cards in layoffs)]

    def end(self, outcome: Any, hands: np.ndarray, points: Sequence[int]) -> Iterator[str]:
        """Say who goes out how, what is left in the other hands, and what it is worth."""
        how = "its discard" if outcome.thrown else "laying its last card"
        rummy = ", going rummy" if outcome.kind == RUMMY else ""
        yield f"seat {int(outcome.seat)} goes out on turn {int(outcome.turns)} by {how}{rummy}"
        for seat, hand in enumerate(hands):
            if seat != outcome.seat:
                yield f"left in seat {seat}: {hand_text(hand_faces(hand))}"
        factor = f", {self._rules.going_rummy} times the pips for going rummy" if rummy else ""
        winner = int(outcome.winner)
        yield f"player {winner} scores {points[winner]}{factor}"


def _has(mask: int, suit: int, place: int) -> bool:
    """Tell whether a mask of cards or places has one of a suit."""
    return 0 <= place < LANE and bool(mask >> LANE * suit + place & 1)


def _stretches(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of places in a row, ascending."""
    for first in places:
        if first - 1 not in places:
            last = first
            while last + 1 in places:
                last += 1
            yield first, last
