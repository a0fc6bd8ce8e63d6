"""For authors of strategies of Basic Rummy: melds, lay-offs, and what is left in the hand.

*Deadwood* is what is left of a hand in pips when all has been laid that can be: the best melds and
lay-offs, found by search. Each function takes some tens of nanoseconds, `loose_discard` some
hundreds.
"""

from typing import Any

from continental_sim.api.common import check_held
from continental_sim.kernels import laying, rummy_choices
from continental_sim.kernels.holding import JOKER
from continental_sim.kernels.jit import kernel

__all__ = [
    "chances",
    "deadwood",
    "deadwood_with",
    "deadwood_without",
    "lays",
    "loose_discard",
    "pips",
    "throwable",
]


@kernel
def pips(view: Any, face: int) -> int:
    """Return what a card counts: ten for a court card, the ace by the rules [points]."""
    check_card(face)
    return laying.pips(laying.card_of(face), view._rules.ace_points)


@kernel
def deadwood(view: Any) -> int:
    """Return the fewest pips that can be left when all is laid that can be [points].

    Whether a card must be kept to be thrown is not asked.
    """
    return laying.deadwood(view._rules, view._seat, view._public, view._seat.cards)


@kernel
def deadwood_with(view: Any, face: int) -> int:
    """Return the deadwood as it were with one more card [points]."""
    check_card(face)
    cards = view._seat.cards | laying.card_of(face)
    return laying.deadwood(view._rules, view._seat, view._public, cards)


@kernel
def deadwood_without(view: Any, face: int) -> int:
    """Return the deadwood after throwing a card that is held [points]."""
    check_card(face)
    check_held(view, face)
    cards = view._seat.cards & ~laying.card_of(face)
    return laying.deadwood(view._rules, view._seat, view._public, cards)


@kernel
def lays(view: Any, face: int) -> bool:
    """Tell whether a card costs nothing to have: the deadwood with it is no more than without it.

    Then it can be laid at once. One that is laid only because it breaks another meld up is not
    among these.
    """
    check_card(face)
    return laying.lays(view._rules, view._seat, view._public, face)


@kernel
def chances(view: Any, face: int) -> int:
    """Count the unseen cards that would make a meld of two cards held, of which this is one.

    A card that is not held is looked at as if it were. Unseen are those that are not in the hand,
    on the table, in the pile, or known in another hand.
    """
    check_card(face)
    return laying.chances(view._rules, view._seat, view._public, face)


@kernel
def loose_discard(view: Any) -> int:
    """Return the discard with the fewest chances, of those that need not be laid.

    Some way to lay to the least deadwood leaves them in the hand. Of equal ones it is the one that
    counts most. If all that is held is to be laid, it is the one whose loss leaves the least
    deadwood.
    """
    return rummy_choices.loose_discard(view._rules, view._seat, view._public)


@kernel
def throwable(view: Any) -> int:
    """Return the cards that may be thrown now, as a mask: bit f is set for face f.

    ``first_face(mask)`` is the lowest of them.
    """
    return laying.faces_of(laying.throwable(view._seat))


@kernel
def check_card(face: int) -> None:
    if face < 0 or face >= JOKER:
        raise IndexError("a face of Basic Rummy is a number from 0 to 51: it has no joker")
