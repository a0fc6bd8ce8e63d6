"""One deal as readable play."""

from collections.abc import Iterator

import numpy as np

from continental_sim.cards import FACES, face_name
from continental_sim.columns import CAPPED, DEALT, DRAWN, EXIT, FIRST_TURN, OPENING, OUTCOME
from continental_sim.engine import Table, cause, failure, raised, table_for
from continental_sim.errors import ContsimError
from continental_sim.kernels import continental
from continental_sim.kernels.records import MOST_MOVES
from continental_sim.layouts import find_layout
from continental_sim.players import load_player
from continental_sim.rules import ContinentalRules
from continental_sim.study import Study


def replay(study: Study, deal: int) -> str:
    """Play one deal of a study again and tell it.

    Parameters
    ----------
    study : Study
    deal : int
        Its index, from 0; it may lie beyond the deals of the study.

    Returns
    -------
    str
        Lines: the seats with their hands, each turn, the end with the layout and the payments.
        A strategy that fails is told as the last line.

    Raises
    ------
    ContsimError
        If the index is negative.
    """
    if deal < 0:
        raise ContsimError(f"deal {deal} is negative: the first is 0")
    players = [load_player(strategy, fresh=True) for strategy in study.lineup]
    with table_for(
        study.rules, players, study.seed, fixed_order=study.fixed_order, log=True
    ) as table:
        return "\n".join(_tell(study, table, deal))


def _tell(study: Study, table: Table, deal: int) -> Iterator[str]:
    rules = study.rules
    # With `next_dealer = winner` the deals of a session before this one decide who deals.
    before = deal % rules.seats if rules.next_dealer == "winner" else 0
    outcomes = np.zeros(before + 1, OUTCOME).view(np.recarray)
    openings = np.zeros((before + 1, rules.seats), OPENING).view(np.recarray)
    stopped = ""
    try:
        status = continental.play_block(
            table.game, table.rules, table.public, deal - before, outcomes, openings
        )
        if status != continental.DONE:
            stopped = failure(table, cause(table, status))
    except Exception as error:  # noqa: BLE001 - whatever compiled strategy code raises
        stopped = failure(table, raised(error))
    deal = int(table.game.where[continental.AT_DEAL])  # a deal before it, if that one failed
    moves = table.game.log[: table.game.logged].tolist()
    at_the_end = [seat.hand.copy() for seat in table.seats]
    seated = [int(seat.player) for seat in table.seats]
    hands, upcard = _dealt(table, deal)
    yield f"Deal {deal} of seed {study.seed}"
    for seat, (player, hand) in enumerate(zip(seated, hands, strict=True)):
        dealer = ", dealer" if seat == rules.seats - 1 else ""
        yield f"seat {seat}{dealer}: {study.specs[player]} (player {player})  {_cards(hand)}"
    yield f"upcard {face_name(upcard)}, stock {rules.stock_size}"
    for turn, (source, taken, thrown) in enumerate(moves):
        yield _move(turn, rules.seats, source, taken, thrown)
    if len(moves) == MOST_MOVES:
        yield f"(moves after the first {MOST_MOVES} are not kept)"
    if stopped:
        yield f"stopped: {stopped}"
        return
    yield from _end(rules, outcomes[before], at_the_end, seated)


def _dealt(table: Table, deal: int) -> tuple[list[np.ndarray], int]:
    """Deal the cards once more, to see them before the play."""
    continental.deal_cards(table.game, table.rules, table.public, deal)
    return [seat.hand.copy() for seat in table.seats], int(table.public.upcard)


def _move(turn: int, seats: int, source: int, taken: int, thrown: int) -> str:
    if source == continental.FROM_PILE:
        did = f"takes {face_name(taken)} from the pile"
    else:
        did = f"draws {face_name(taken)}"
    if source == continental.FROM_RECYCLE:
        did = f"recycles the discards and {did}"
    return f"{turn + 1:>3}. seat {turn % seats} {did}, throws {face_name(thrown)}"


def _end(
    rules: ContinentalRules, outcome: np.record, hands: list[np.ndarray], seated: list[int]
) -> Iterator[str]:
    turns = int(outcome.turns)
    if outcome.end == DRAWN:
        yield f"drawn on turn {turns}: nothing is left to draw, nobody pays"
    elif outcome.end == CAPPED:
        yield f"capped after {rules.max_rounds} rounds: nobody pays"
    if outcome.end != EXIT:
        return
    seat, payment = int(outcome.seat), int(outcome.payment)
    kind = {DEALT: "without drawing, ", FIRST_TURN: "on its first turn, "}.get(
        int(outcome.kind), ""
    )
    yield f"seat {seat} goes out {kind}on turn {turns}: {find_layout(rules, hands[seat])}"
    points = [-payment] * rules.seats
    points[outcome.winner] = payment * (rules.seats - 1)
    told = ", ".join(f"player {player} {points[player]:+d}" for player in sorted(seated))
    yield f"each opponent pays {payment}: {told}"


def _cards(hand: np.ndarray) -> str:
    return " ".join(face_name(face) for face in range(FACES) for _ in range(hand[face]))
