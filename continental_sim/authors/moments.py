"""Moments of a deal: the table as it lies before a turn, kept, and laid once more.

A moment may be laid as the seat that is to play cannot tell it from the first time: with all cards
that are hidden from it dealt anew.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from continental_sim.authors.dealt import game_of, give, take_away
from continental_sim.authors.edges import Setup
from continental_sim.cards import FACES
from continental_sim.columns import GAME_FILES
from continental_sim.engine import Table, called
from continental_sim.errors import StudyFailed
from continental_sim.interrupts import raise_held
from continental_sim.kernels import dealing, playing, rng, turns

# What records say of memory that they need, and of who plays: it stays with its table.
_OWN: Final = {
    *("entries", "foreign", "seat_at", "game_at", "public_at", "rules_at", "seatings_at"),
    *("log", "log_laid", "log_size", "rollouts_entry", "imagined_at"),
}

OF_A_DEAL: Final = 16  # [turns] that are kept of a deal

Faces = NDArray[np.int8]


@dataclass(frozen=True)
class Turn:
    """What a seat did in a turn.

    Attributes
    ----------
    went : int
        How the turn went, such as `turns.WENT_OUT`.
    move : tuple of int
        Where its card came from, the card and what it threw; () if it went out as dealt.
    laid : tuple of int
        What it laid in sets and in runs, as `log_laid` has it.
    memo, dice : tuple of int
        What its turn left in them.
    """

    went: int
    move: tuple[int, ...]
    laid: tuple[int, ...]
    memo: tuple[int, ...]
    dice: tuple[int, ...]


@dataclass(frozen=True)
class Moment:
    """A table before a turn, and the turn.

    Attributes
    ----------
    game, public : record
    seats : tuple of record
    turn : Turn
    """

    game: Any
    public: Any
    seats: tuple[Any, ...]
    turn: Turn

    @property
    def seat(self) -> int:
        """The seat that is to play."""
        return (int(self.game.where[turns.AT_SEAT]) + 1) % len(self.seats)

    @property
    def recycled(self) -> bool:
        """Whether the pile has become the stock before."""
        return int(self.public.recycles) > 0

    def __str__(self) -> str:
        deal, number = (self.game.where[at] for at in (turns.AT_DEAL, turns.AT_TURN))
        return f"deal {deal}, seat {self.seat}, turn {number + 1}"


def deal_to(here: Table, deal: int) -> None:
    """Deal; the players sit as in that deal of a study, if it begins a session."""
    dealing.seat_as_in_study(here.game, here.rules, deal)
    dealing.deal_cards(here.game, here.rules, here.public, deal)


def next_seat(here: Table) -> Any:
    """Return the seat that plays next."""
    return here.seats[(int(here.game.where[turns.AT_SEAT]) + 1) % len(here.seats)]


def play_turn(here: Table) -> Turn:
    """Play the next turn.

    Raises
    ------
    StudyFailed
        If the strategy raised, or threw a card that it may not.
    """
    mine, here.game.logged = next_seat(here), 0
    outcome = np.zeros(1, GAME_FILES[game_of(here)].outcome_dtype).view(np.recarray)[0]
    went = called(here, playing.next_turn, outcome)
    logged = int(here.game.logged)  # 0 if it went out as dealt
    move, laid = (log[:logged].ravel() for log in (here.game.log, here.game.log_laid))
    return Turn(went, *(tuple(each.tolist()) for each in (move, laid, mine.memo, mine.dice)))


def keep(here: Table) -> tuple[Any, Any, tuple[Any, ...]]:
    """Copy what lies on a table."""
    return here.game.copy(), here.public.copy(), tuple(seat.copy() for seat in here.seats)


def turns_of(here: Table, setup: Setup, deal: int, dice: np.random.Generator) -> list[Moment]:
    """Play a deal; keep some of a strategy's turns, each as likely as another, and the last.

    Parameters
    ----------
    here : Table
        It keeps a log.
    setup : Setup
        Of the table; the turns are those of its strategy.
    deal : int
        The first of a session, so that it goes as in a study.
    dice : numpy.random.Generator

    Raises
    ------
    ContsimError
        If the strategy fails.
    """
    deal_to(here, deal)
    kept: list[Moment] = []
    went, seen = turns.GOES_ON, 0
    while went == turns.GOES_ON:
        raise_held()
        mine = here.players[int(next_seat(here).player)].strategy == setup.strategy
        before = keep(here) if mine else None
        try:
            turn = play_turn(here)
        except StudyFailed as failed:
            raise setup.failed(str(failed), deal + 1) from None
        went = turn.went
        if before is None or went == turns.NO_TIME:  # nobody was asked
            continue
        seen += 1
        place = len(kept) if len(kept) < OF_A_DEAL else int(dice.integers(seen))
        if went != turns.GOES_ON:
            place = min(place, OF_A_DEAL - 1)
        if place < OF_A_DEAL:
            kept[place : place + 1] = [Moment(*before, turn)]
    return kept


def lay(there: Table, moment: Moment) -> None:
    """Lay a moment on a table of the same rules, whose own players go on with it."""
    laid = (there.game, there.public, *there.seats)
    for record, kept in zip(laid, (moment.game, moment.public, *moment.seats), strict=True):
        for name in kept.dtype.names:
            if name not in _OWN:
                record[name] = kept[name]


def deal_hidden(there: Table, dice: np.random.Generator) -> None:
    """Deal anew all cards that the seat which plays next cannot know, but the one it may draw.

    Known cards stay in their hands. After a recycle the stock holds no more of a face than was put
    into it, as everybody has seen.
    """
    game, drawn = there.game, _drawn(there)
    others = [seat for seat in there.seats if seat is not next_seat(there)]
    loose = [_faces(seat.hand - there.public.known[int(seat.seat)]) for seat in others]
    places = [place for place in range(game.position, game.stock_end) if place != drawn]
    hidden = np.concatenate([game.stock[places], *loose])
    dice.shuffle(hidden)
    stock, hidden = _part(hidden, _room(there, drawn), len(places))
    game.stock[places] = stock
    for seat, faces in zip(others, loose, strict=True):
        for face in faces.tolist():
            take_away(there, seat, face)
        for face in hidden[: len(faces)].tolist():
            give(there, seat, face)
        hidden = hidden[len(faces) :]


def _faces(counts: Faces) -> Faces:
    return np.repeat(np.arange(FACES, dtype=np.int8), counts)


def _drawn(there: Table) -> int:
    """Tell at which place of the stock the next card lies, -1 if there is none."""
    game, public = there.game, there.public
    if public.stock_size == 0:
        return -1
    if there.rules.turned and public.recycles > 0:
        return int(game.position)
    return int(game.position + rng.below(game.state.copy(), game.stock_end - game.position))


def _room(there: Table, drawn: int) -> Faces:
    """Tell how many of each face may lie in the stock, beside the card that is drawn next."""
    if not there.public.recycles:
        return np.full(FACES, np.iinfo(np.int8).max, np.int8)
    room: Faces = there.public.recycled.copy()
    if drawn >= 0:
        room[there.game.stock[drawn]] -= 1
    return room


def _part(shuffled: Faces, room: Faces, size: int) -> tuple[Faces, Faces]:
    """Part cards in two: the first that have room, so many of them, and the others."""
    fits = np.zeros(len(shuffled), bool)
    left, room = size, room.copy()
    for place, face in enumerate(shuffled):
        if left and room[face] > 0:
            room[face] -= 1
            left -= 1
            fits[place] = True
    return shuffled[fits], shuffled[~fits]
