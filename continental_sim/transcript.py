"""One deal as readable play."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from continental_sim.cards import FACES, face_name, hand_faces, hand_text
from continental_sim.engine import cause, failure, load_players, raised, records_of, table_for
from continental_sim.errors import ContsimError, StudyFailed, WorkerDied
from continental_sim.kernels import dealing, playing, turns
from continental_sim.kernels.records import MOST_MOVES
from continental_sim.play.watch import DealOverdue, ask_child
from continental_sim.study import Study
from continental_sim.telling import end_text, move_text, telling


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
    before = deal % study.session if winner_deals else 0
    outcomes, openings = records_of(study, before + 1)
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
            status = playing.play_block(
                table.game, table.rules, table.public, deal - before, outcomes, openings
            )
            if status != turns.DONE:
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
    deal = int(game.where[turns.AT_DEAL])  # a deal before it, if that one failed
    moves, laid = game.log[: game.logged].tolist(), game.log_laid[: game.logged].tolist()
    seated = _seated(study, game, deal)
    hands, upcard = _dealt(study, deal // (len(study.seatings) or 1))
    yield f"Deal {deal} of seed {study.seed}"
    for seat, (player, hand) in enumerate(zip(seated, hands, strict=True)):
        dealer = ", dealer" if seat == rules.seats - 1 else ""
        yield f"seat {seat}{dealer}: {study.specs[player]} (player {player})  {_cards(hand)}"
    yield f"upcard {face_name(upcard)}, stock {rules.stock_size}"
    teller = telling(rules)
    for turn, (move, on_table) in enumerate(zip(moves, laid, strict=True)):
        yield move_text(turn, rules.seats, move, teller.laid(*on_table))
    if len(moves) == MOST_MOVES:
        yield f"(moves after the first {MOST_MOVES} are not kept)"
    if logged.stopped:
        yield f"stopped: {logged.stopped}"
        return
    outcome = logged.outcome
    if nobody := end_text(rules, outcome):
        yield nobody
        return
    payment, points = int(outcome.payment), [0] * rules.seats
    for player in seated:
        won = player == outcome.winner
        points[player] = payment * (rules.stakes.winner if won else rules.stakes.other)
    yield from teller.end(outcome, logged.hands, points)


def _seated(study: Study, game: Any, deal: int) -> list[int]:
    """List the player of each seat: they sit in the order of the game, and one place is known."""
    if study.duplicate:
        return list(study.seatings[deal % study.session])
    seats = study.rules.seats
    order = game.order[:seats].tolist()
    turned = order.index(game.where[turns.AT_PLAYER]) - game.where[turns.AT_SEAT]
    return [order[(turned + seat) % seats] for seat in range(seats)]


def _dealt(study: Study, pack: int) -> tuple[list[np.ndarray], int]:
    """Deal the cards once more, to see them before the play."""
    with table_for(study.rules, [], study.seed) as table:
        dealing.deal_cards(table.game, table.rules, table.public, pack)
        return [seat.hand.copy() for seat in table.seats], int(table.public.upcard)


def _cards(hand: np.ndarray) -> str:
    return hand_text(hand_faces(hand))
