"""For authors of strategies of Continental: distances, outs, payments, and deals imagined.

Costs are of the order of 5 ns for a look-up (`distance`), 10 ns for a change of one card
(`distance_with`, `distance_without`) and 20-100 ns for a choice among the whole hand. What counts
outs asks for all faces, and takes some hundreds. `rollouts` plays deals, of microseconds each.
"""

from typing import Any

from continental_sim.api.common import check_face, check_held
from continental_sim.columns import FIRST_TURN, LATER
from continental_sim.kernels import choices
from continental_sim.kernels import outs as outs_kernels
from continental_sim.kernels import rollouts as rollouts_kernels
from continental_sim.kernels.holding import JOKER, cards_used, give, take_away, used_if
from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import lowest_bit
from continental_sim.kernels.records import FACES

__all__ = [
    "best_discard",
    "company",
    "distance",
    "distance_with",
    "distance_without",
    "is_wild",
    "most_outs_discard",
    "natural_discard",
    "natural_distance",
    "natural_distance_with",
    "natural_outs_without",
    "near_discards",
    "nearest_discard",
    "nearest_discards",
    "neighbours",
    "outs",
    "outs_lost",
    "outs_without",
    "paying_discard",
    "payment_without",
    "rollouts",
    "unseen",
]


@kernel
def is_wild(view: Any, face: int) -> bool:
    """Tell whether a face is wild under the rules played."""
    check_face(face)
    return view._rules.wild[face] != 0


@kernel
def company(view: Any, face: int) -> int:
    """Return the naturals that may lie near a face in a meld, as a mask: bit f is set for face f.

    In its suit all within two ranks, itself left out; the ace has them where the rules let it
    stand. Where melds are groups, its rank in the other suits. A wild face has none.
    """
    check_face(face)
    rules = view._rules
    found = 0
    if rules.wild[face]:
        return found
    if rules.groups:
        for other in range(face % 13, JOKER, 13):
            found |= (other != face) << other
        return found
    place, base = face % 13, 13 * (face // 13)
    for step in (-2, -1, 1, 2):
        other = place + step
        if rules.ace == 1:  # high only: the ladder is 2 ... K A
            if place == 0:
                other = 13 + step
            if other < 1 or other > 13:
                continue
        elif rules.ace == 0:
            if other < 0 or other > 12:
                continue
        elif rules.ace == 2 and place != 0 and (other < 0 or other > 13):
            continue  # both: A 2 ... K A, no way round the ace
        other = base + other % 13
        found |= (rules.wild[other] == 0) << other
    return found


@kernel
def neighbours(view: Any, face: int) -> int:
    """Count the faces held of a face's company [ranks, 0..4; suits, 0..3 where melds are groups].

    Those are the ranks within two of it in its suit, itself left out; see `company`.
    """
    near, found = company(view, face), 0
    while near:
        found += view._seat.hand[lowest_bit(near)] > 0
        near &= near - 1
    return found


@kernel
def distance(view: Any) -> int:
    """Return the fewest cards to replace before the hand can go out [cards].

    Of 16 cards, after the best discard.
    """
    return view._rules.hand_size - cards_used(view._seat, view._rules)


@kernel
def distance_with(view: Any, face: int) -> int:
    """Return the distance as it were with one more card [cards], after the best discard.

    Before drawing, ``distance_with(view, view.upcard) < distance(view)`` tells whether the upcard
    helps. Of a face that is held in all its copies no more can come: the distance is as it is.
    """
    check_face(face)
    if view._seat.hand[face] >= view._rules.copies[face]:
        return view._rules.hand_size - cards_used(view._seat, view._rules)
    return view._rules.hand_size - used_if(view._seat, view._rules, face, 1)


@kernel
def distance_without(view: Any, face: int) -> int:
    """Return the distance after throwing a card that is held [cards]."""
    check_held(view, face)
    return view._rules.hand_size - used_if(view._seat, view._rules, face, -1)


@kernel
def nearest_discard(view: Any) -> int:
    """Return the discard that leaves the least distance.

    Among equals a dead natural, one that no layout can need whatever else comes, goes before
    others, then a natural with no other within two places, then any natural, then a wild. Among
    those the first, going round the suits from one that depends on seat and turn, and up from the
    ace.
    """
    return choices.nearest_discard(view._seat, view._rules)


@kernel
def paying_discard(view: Any) -> int:
    """Return the discard after which the hand goes out and is paid most, -1 if none lets it.

    Among equals the lowest face.
    """
    return choices.best_paying_discard(view._seat, view._rules)


@kernel
def best_discard(view: Any) -> int:
    """Return the best-paying discard of an exit, else the one that leaves the least distance."""
    return choices.best_discard(view._seat, view._rules)


@kernel
def nearest_discards(view: Any) -> int:
    """Return all discards that leave the least distance, as a mask: bit f is set for face f.

    ``mask >> face & 1`` asks for one. It costs as much as two or three other choices.
    """
    return outs_kernels.nearest_discards(view._seat, view._rules)


@kernel
def payment_without(view: Any, face: int) -> int:
    """Return what each opponent pays for going out now with this discard [points].

    0 if the rest does not fit.
    """
    check_held(view, face)
    seat, rules = view._seat, view._rules
    if used_if(seat, rules, face, -1) < rules.hand_size:
        return 0
    take_away(seat, rules, face)
    payment = choices.exit_payment(seat, rules, FIRST_TURN if seat.turn == 1 else LATER)
    give(seat, rules, face)
    return payment


@kernel
def unseen(view: Any, face: int) -> int:
    """Count the copies of a face that may come from the stock, by what the seat has seen [cards].

    All of the pack but its own cards, those in the pile, and those known in other hands. After a
    recycle, no more than went into the stock then: all others lie in hands.
    """
    check_face(face)
    return outs_kernels.unseen(view._seat, view._public, view._rules, face)


@kernel
def outs(view: Any) -> int:
    """Count the outs: the unseen cards that shorten the distance [cards].

    Of 16 cards, those that shorten what the best discard leaves, whichever it is then. A hand that
    can go out has none.
    """
    seat, rules = view._seat, view._rules
    outs_kernels.note_unseen(seat, view._public, rules)
    return outs_kernels.count_outs(seat, rules)


@kernel
def outs_without(view: Any, face: int) -> int:
    """Count the outs after throwing a card that is held [cards]."""
    check_held(view, face)
    seat, rules = view._seat, view._rules
    outs_kernels.note_unseen(seat, view._public, rules)
    return outs_kernels.outs_without(seat, rules, face)


@kernel
def most_outs_discard(view: Any) -> int:
    """Return the best-paying discard of an exit, else the nearest with most outs.

    Of the discards that leave the least distance it is the one that leaves most outs. Among equals
    a natural with no other within two places goes before others; among those the first, as in
    `nearest_discard`. Wilds are last. It takes about half a microsecond, much less than
    `outs_without` card by card.
    """
    seat, rules = view._seat, view._rules
    if cards_used(seat, rules) == rules.hand_size:
        choice = choices.best_paying_discard(seat, rules)
        if choice >= 0:
            return choice
    outs_kernels.note_unseen(seat, view._public, rules)
    return outs_kernels.most_outs_discard(seat, rules)


@kernel
def near_discards(view: Any, slack: int) -> int:
    """Return the discards with most outs, and those with up to `slack` outs fewer, as a mask.

    They are naturals that leave the least distance, as it is now. If there is none, or the hand can
    go out, it is the choice of `most_outs_discard` alone.
    """
    seat, rules = view._seat, view._rules
    if cards_used(seat, rules) < rules.hand_size:
        outs_kernels.note_unseen(seat, view._public, rules)
        found = outs_kernels.near_discards(seat, rules, slack)
        if found:
            return found
    return 1 << most_outs_discard(view)


@kernel
def outs_lost(view: Any, face: int) -> int:
    """Return the outs that a discard costs [cards]: a look-up, for a face of `near_discards`.

    Against the outs of all 16 cards, as the last call of `near_discards` counted them. Of a face
    that it did not return the answer means nothing.
    """
    check_face(face)
    return view._seat.outs_lost[face]


@kernel
def natural_distance(view: Any) -> int:
    """Return the fewest cards to replace before the hand can go out without wild cards [cards]."""
    seat, rules = view._seat, view._rules
    if seat.wilds == 0:
        return rules.hand_size - cards_used(seat, rules)
    outs_kernels.put_wilds_aside(seat, rules)
    used = cards_used(seat, rules)
    outs_kernels.put_wilds_back(seat, rules)
    return rules.hand_size - used


@kernel
def natural_distance_with(view: Any, face: int) -> int:
    """Return the natural distance as it were with one more card [cards], after the best discard.

    As `distance_with`, in the eyes of one who wants to go out without wild cards: a wild card, or a
    face that is held in all its copies, changes nothing.
    """
    check_face(face)
    seat, rules = view._seat, view._rules
    return rules.hand_size - outs_kernels.naturals_used_with(seat, rules, face)


@kernel
def natural_outs_without(view: Any, face: int) -> int:
    """Count the unseen cards that shorten the natural distance after a discard [cards].

    The card must be held.
    """
    check_held(view, face)
    seat, rules = view._seat, view._rules
    outs_kernels.note_unseen(seat, view._public, rules)
    take_away(seat, rules, face)
    outs_kernels.put_wilds_aside(seat, rules)
    number = outs_kernels.count_outs(seat, rules)
    outs_kernels.put_wilds_back(seat, rules)
    give(seat, rules, face)
    return number


@kernel
def natural_discard(view: Any) -> int:
    """Return the discard that leaves the least natural distance, and of these most natural outs.

    As `most_outs_discard`, in the eyes of one who wants to go out without wild cards. If all
    naturals are of use, it is a wild card, the lowest face held.
    """
    seat, rules = view._seat, view._rules
    outs_kernels.note_unseen(seat, view._public, rules)
    return outs_kernels.natural_discard(seat, rules)


@kernel
def rollouts(view: Any, face: int, number: int) -> float:
    """Return what the seat earns, on average, if it throws a card and all play on [points].

    In `number` deals that it imagines: the cards that it does not know of are dealt at random, the
    other hands drawing and throwing as often as their players have, and from there everybody plays
    as `fastest` does. The seat does not go out with this throw: what that pays is
    `payment_without`. With face -1 nothing is thrown: in `go_out`, after the throw, the next seat
    acts, and before its own draw the seat itself, as `fastest`. In one turn the deals are the same
    whatever is thrown. Two throws differ by some 6 points in one deal, and by some tenths on
    average: many deals tell them apart. Each takes some 5 microseconds.
    """
    seat, held = view._seat, 0
    if number < 1 or number > rollouts_kernels.MOST_ROLLOUTS:
        raise ValueError("rollouts: their number is 1 to 2**20")
    for other in range(FACES):
        held += seat.hand[other]
    if held > view._rules.hand_size:
        check_held(view, face)
        if face == seat.barred:
            raise ValueError("rollouts: this card may not be thrown now")
    elif face != rollouts_kernels.NOTHING:
        raise ValueError("rollouts: a card is thrown after a draw, before it the face is -1")
    if seat.rollouts_entry == 0:
        raise ValueError("rollouts: no player of this table asks for them")
    return rollouts_kernels.rollouts(seat, view._public, face, number)
