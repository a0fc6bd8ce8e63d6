"""One deal as readable play."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from continental_sim.cards import FACES, face_name
from continental_sim.columns import CAPPED, DEALT, DRAWN, EXIT, FIRST_TURN, OPENING, OUTCOME
from continental_sim.engine import cause, failure, load_players, raised, table_for
from continental_sim.errors import ContsimError, StudyFailed, WorkerDied
from continental_sim.kernels import continental
from continental_sim.kernels.records import MOST_MOVES
from continental_sim.layouts import find_layout
from continental_sim.play.watch import DealOverdue, ask_child
from continental_sim.rules import ContinentalRules
from continental_sim.study import Study
from continental_sim.words import counted


@dataclass(frozen=True)
class Logged:
    """A deal that was played to be told.

    Attributes
    ----------
    game : records GAME[1]
        With the moves in its log.
    outcome : record OUTCOME or None
        None if a strategy failed.
    hands : int8[seats, 53]
        The hands at the end; no seats if a strategy failed.
    stopped : str
        How a strategy failed, "" if none did.
    """

    game: np.ndarray
    outcome: Any
    hands: np.ndarray
    stopped: str


def replay(study: Study, deal: int, timeout: float | None = None) -> str:
    """Play one deal of a study again and tell it.

    Parameters
    ----------
    study : Study
    deal : int
        Its index, from 0; it may lie beyond the deals of the study.
    timeout : float or None
        How long the deal may take [seconds]; played in this process, without limit, if None.

    Returns
    -------
    str
        Lines: the seats with their hands, each turn, the end with the layout and the payments.
        A strategy that fails, or does not answer in time, is told as the last line.

    Raises
    ------
    ContsimError
        If the index is negative.
    StudyFailed
        If a strategy could not be loaded in time, or the process that plays was killed.
    """
    if deal < 0:
        raise ContsimError(f"deal {deal} is negative: the first is 0")
    logged = play_logged(study, deal) if timeout is None else _play_watched(study, deal, timeout)
    return "\n".join(_tell(study, logged))


def play_logged(study: Study, deal: int, game: np.ndarray | None = None) -> Logged:
    """Play one deal and log its moves.

    Parameters
    ----------
    study : Study
    deal : int
    game : records GAME[1], optional
        As for `table_for`.
    """
    rules = study.rules
    # With `next_dealer = winner` the deals of a session before this one decide who deals.
    winner_deals = rules.next_dealer == "winner" and not study.duplicate
    before = deal % rules.seats if winner_deals else 0
    outcomes = np.zeros(before + 1, OUTCOME).view(np.recarray)
    openings = np.zeros((before + 1, rules.seats), OPENING).view(np.recarray)
    players = load_players(study, game=game)
    stopped = ""
    with table_for(
        rules,
        players,
        study.seed,
        fixed_order=study.fixed_order,
        seatings=study.seatings,
        log=True,
        game=game,
    ) as table:
        try:
            status = continental.play_block(
                table.game, table.rules, table.public, deal - before, outcomes, openings
            )
            if status != continental.DONE:
                stopped = failure(table, cause(table, status))
        except Exception as error:  # noqa: BLE001 - whatever compiled strategy code raises
            stopped = failure(table, raised(error))
        kept = np.array([table.game])
        if stopped:
            return _stopped(kept, stopped)
        return Logged(kept, outcomes[before], np.array([seat.hand for seat in table.seats]), "")


def _play_watched(study: Study, deal: int, timeout: float) -> Logged:
    """Play one deal in a child process, and end it if a deal takes too long."""
    try:
        logged: Logged = ask_child(play_logged, study, deal, timeout=timeout)
    except DealOverdue as overdue:
        return _stopped(overdue.game, str(overdue))
    except WorkerDied:
        raise StudyFailed(
            f"the process that played deal {deal} died, killed or out of memory: try it again"
        ) from None
    return logged


def _stopped(game: np.ndarray, why: str) -> Logged:
    return Logged(game, None, np.zeros((0, FACES), np.int8), why)


def _tell(study: Study, logged: Logged) -> Iterator[str]:
    rules, game = study.rules, logged.game.view(np.recarray)[0]
    deal = int(game.where[continental.AT_DEAL])  # a deal before it, if that one failed
    moves = game.log[: game.logged].tolist()
    seated = _seated(study, game, deal)
    hands, upcard = _dealt(study, deal // (len(study.seatings) or 1))
    yield f"Deal {deal} of seed {study.seed}"
    for seat, (player, hand) in enumerate(zip(seated, hands, strict=True)):
        dealer = ", dealer" if seat == rules.seats - 1 else ""
        yield f"seat {seat}{dealer}: {study.specs[player]} (player {player})  {_cards(hand)}"
    yield f"upcard {face_name(upcard)}, stock {rules.stock_size}"
    for turn, (source, taken, thrown) in enumerate(moves):
        yield _move(turn, rules.seats, source, taken, thrown)
    if len(moves) == MOST_MOVES:
        yield f"(moves after the first {MOST_MOVES} are not kept)"
    if logged.stopped:
        yield f"stopped: {logged.stopped}"
        return
    yield from _end(rules, logged.outcome, logged.hands, seated)


def _seated(study: Study, game: Any, deal: int) -> list[int]:
    """List the player of each seat: they sit in the order of the game, and one place is known."""
    if study.duplicate:
        return list(study.seatings[deal % study.session])
    seats = study.rules.seats
    order = game.order[:seats].tolist()
    turned = order.index(game.where[continental.AT_PLAYER]) - game.where[continental.AT_SEAT]
    return [order[(turned + seat) % seats] for seat in range(seats)]


def _dealt(study: Study, pack: int) -> tuple[list[np.ndarray], int]:
    """Deal the cards once more, to see them before the play."""
    with table_for(study.rules, [], study.seed) as table:
        continental.deal_cards(table.game, table.rules, table.public, pack)
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
    rules: ContinentalRules, outcome: Any, hands: np.ndarray, seated: list[int]
) -> Iterator[str]:
    turns = int(outcome.turns)
    if outcome.end == DRAWN:
        yield f"drawn on turn {turns}: nothing is left to draw, nobody pays"
    elif outcome.end == CAPPED:
        yield f"capped after {counted(rules.max_rounds, 'round')}: nobody pays"
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
