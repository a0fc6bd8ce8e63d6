"""How the moves and the end of a deal are put in words, game by game."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

import numpy as np

from continental_sim.cards import face_name, hand_faces, hand_text
from continental_sim.columns import CAPPED, DEALT, DRAWN, EXIT, FIRST_TURN, RUMMY
from continental_sim.kernels import turns
from continental_sim.layouts import find_layout
from continental_sim.rules import BasicRummyRules, ContinentalRules, GameRules
from continental_sim.rummy_hands import TRIO, laid_together, points_of, with_a_meld
from continental_sim.words import counted


class Telling(Protocol):
    """Tells the deals of a game; one tells one deal, from its first move."""

    def laid(self, in_sets: int, in_runs: int, /) -> list[str]:
        """Say what a turn lays on the table, as `log_laid` has it."""

    def end(self, outcome: Any, hands: np.ndarray, points: Sequence[int]) -> Iterator[str]:
        """Say how a deal ended that somebody won."""


def telling(rules: GameRules) -> Telling:
    """Return what tells a deal of a game."""
    return GAME_TELLINGS[rules.game](rules)


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
        self._runs = self._turns = 0
        self._melded = [False] * rules.seats

    def laid(self, in_sets: int, in_runs: int, /) -> list[str]:
        """Say what is laid: new melds first, then lay-offs. It is called for each turn."""
        rules, seat = self._rules, self._turns % self._rules.seats
        melds_first = rules.layoff_needs_meld and not rules.one_meld_per_turn
        laid = list(laid_together(in_sets, in_runs, self._runs, melds_first=melds_first))
        if rules.layoff_needs_meld and not self._melded[seat]:
            laid = with_a_meld(laid)
        self._melded[seat] |= any(len(each.faces) >= TRIO for each in laid)
        self._runs |= in_runs
        self._turns += 1
        melds = [f"lays {hand_text(each.faces)}" for each in laid if each.new]
        layoffs = [f"lays off {hand_text(each.faces)}" for each in laid if not each.new]
        return melds + layoffs

    def end(self, outcome: Any, hands: np.ndarray, points: Sequence[int]) -> Iterator[str]:
        """Say who goes out how, what is left in the other hands, and what it is worth."""
        how = "its discard" if outcome.thrown else "laying its last card"
        rummy = ", going rummy" if outcome.kind == RUMMY else ""
        yield f"seat {int(outcome.seat)} goes out on turn {int(outcome.turns)} by {how}{rummy}"
        for seat, hand in enumerate(hands):
            if seat != outcome.seat:
                faces = hand_faces(hand)
                left = counted(points_of(self._rules, faces), "point")
                yield f"left in seat {seat}: {hand_text(faces)}, {left}"
        scored, factor = points[int(outcome.winner)], self._rules.going_rummy
        times = f", {factor} times {scored // factor} for going rummy" if rummy else ""
        yield f"player {int(outcome.winner)} scores {scored}{times}"


GAME_TELLINGS: Final[Mapping[str, Callable[[Any], Telling]]] = {
    ContinentalRules.game: ContinentalTelling,
    BasicRummyRules.game: RummyTelling,
}
