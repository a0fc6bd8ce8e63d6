"""For authors of strategies of any game: cards, dice, and whether the hand can go out."""

from typing import Any

from continental_sim.kernels import games, rng
from continental_sim.kernels.holding import JOKER
from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import lowest_bit
from continental_sim.kernels.records import FACES, MEMO

__all__ = [
    "FACES",
    "JOKER",
    "MEMO",
    "can_go_out",
    "first_face",
    "first_held",
    "rank",
    "roll",
    "suit",
]


@kernel
def rank(face: int) -> int:
    """Return the rank of a face: ace 0, two 1, ... king 12; 0 for a joker."""
    return face % 13


@kernel
def suit(face: int) -> int:
    """Return the suit of a face: clubs 0, diamonds 1, hearts 2, spades 3; 4 for a joker."""
    return face // 13


@kernel
def can_go_out(view: Any) -> bool:
    """Tell whether the hand can go out, with a card taken after some discard.

    In Basic Rummy by what can be laid now.
    """
    return games.can_go_out(view._rules, view._seat, view._public)


@kernel
def first_held(view: Any) -> int:
    """Return the lowest face held that may be thrown."""
    seat = view._seat
    for face in range(FACES):
        if seat.hand[face] > 0 and face != seat.barred:
            return face
    return -1


@kernel
def first_face(mask: int) -> int:
    """Return the lowest face of a mask, -1 if it has none; ``mask & (mask - 1)`` is the rest."""
    return lowest_bit(mask) if mask != 0 else -1


@kernel
def roll(view: Any, sides: int) -> int:
    """Throw a fair die of the strategy's own stream, keyed (seed, deal, player): 0 .. sides - 1."""
    if sides < 1 or sides >= 1 << 32:
        raise ValueError("roll: a die has at least one side, and fewer than 2**32")
    seat = view._seat
    if seat.dice_ready == 0:
        rng.philox(seat.dice_key, rng.DICE, seat.deal, seat.player, seat.dice)
        seat.dice_ready = 1
    return rng.below(seat.dice, sides)


@kernel
def check_face(face: int) -> None:
    if face < 0 or face >= FACES:
        raise IndexError("a face is a number from 0 to 52")


@kernel
def check_held(view: Any, face: int) -> None:
    check_face(face)
    if view._seat.hand[face] <= 0:
        raise ValueError("the card is not held")
