"""What the meld tables say of a hand: which card to throw, and what an exit pays."""

import numpy as np

from continental_sim.columns import DEALT, FIRST_TURN, LATER
from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import apart, array8_at, array16_at, lowest_bit
from continental_sim.kernels.records import FACES
from continental_sim.kernels.table import (
    JOKER,
    cards_used,
    give,
    next_reading,
    take_away,
    used_as_read,
    used_if,
)


@kernel
def in_one_suit(seat, rules):
    """Tell whether a whole hand may lie in one suit, as the rules judge it."""
    if not rules.physical_suit:
        return _declared_in_one_suit(seat, rules)
    found = -1
    for face in range(FACES):
        if seat.hand[face] > 0:
            if face == JOKER or (found >= 0 and face // 13 != found):
                return False
            found = face // 13
    return True


@kernel
def _declared_in_one_suit(seat, rules):
    """Tell whether a whole hand has a layout in one suit.

    It has if all naturals are of one suit, since an all-wild run may lie anywhere; but not if wild
    cards of other suits are needed as naturals.
    """
    if rules.own_faces == 0:
        return _suits_held(seat) <= 1
    return _reads_as_one_suit(seat, rules)


@kernel
def _reads_as_one_suit(seat, rules):
    apart()
    fits = False
    while True:
        if _suits_held(seat) <= 1 and used_as_read(seat, rules) == rules.hand_size:
            fits = True
        if not next_reading(seat, rules):
            return fits


@kernel
def _suits_held(seat):
    suits = 0
    for suit in range(4):
        suits += seat.code[suit] != 0
    return suits


@kernel
def exit_payment(seat, rules, kind):
    """Return what each opponent pays for the exit of a hand [points].

    Parameters
    ----------
    seat : record SEAT
        Holds exactly the exposed cards.
    rules : record RULES
    kind : int
        DEALT, FIRST_TURN or LATER.
    """
    jokers = np.int64(seat.hand[JOKER])
    payment = np.int64(rules.pay_exit)
    if seat.wilds == 0:
        payment += rules.pay_no_wild
    else:
        payment += rules.pay_deuce * (seat.wilds - jokers) + rules.pay_joker * jokers
    if kind == DEALT:
        payment += rules.pay_dealt
    if kind == FIRST_TURN or (kind == DEALT and rules.stack_first_turn):
        payment += rules.pay_first_turn
    if in_one_suit(seat, rules):
        payment += rules.pay_one_suit
    return payment


@kernel
def patterns_fitted(seat, rules):
    """Return the patterns that a complete hand fits, as a mask in the order of the rules."""
    fitted = _patterns_covered(seat, rules)
    while next_reading(seat, rules):
        fitted |= _patterns_covered(seat, rules)
    return fitted


@kernel
def _patterns_covered(seat, rules):
    covers = array16_at(rules.covers_at, rules.vectors)
    pairs = array16_at(rules.cover_pairs_at, rules.cover_sets * rules.cover_sets)
    fits = array8_at(rules.fits_at, rules.cover_pair_sets * rules.cover_pair_sets)
    first = pairs[covers[seat.code[0]] * rules.cover_sets + covers[seat.code[1]]]
    second = pairs[covers[seat.code[2]] * rules.cover_sets + covers[seat.code[3]]]
    return np.int64(fits[first * rules.cover_pair_sets + second])


@kernel
def best_paying_discard(seat, rules):
    """Return the discard after which the rest can go out and pays most, -1 if there is none.

    Among equals the lowest face.
    """
    choice, most = np.int64(-1), np.int64(-1)
    for face in range(FACES):
        if seat.hand[face] == 0 or face == seat.barred:
            continue
        if used_if(seat, rules, face, -1) == rules.hand_size:
            take_away(seat, rules, face)
            payment = exit_payment(seat, rules, LATER)
            give(seat, rules, face)
            if payment > most:
                choice, most = np.int64(face), payment
    return choice


@kernel
def nearest_discard(seat, rules):
    """Return the discard after which the rest is nearest to an exit.

    Among equals a dead natural, one that no layout can need whatever wilds and cards of other suits
    come, goes before others, then a natural with no other within two places, then any natural, then
    a wild. Among those the first, going round the suits from one that depends on seat and turn, and
    up from the ace.
    """
    dead_ranks = array16_at(rules.dead_at, rules.natural_vectors)
    for step in range(4):
        suit = (seat.seat + seat.turn + step) & 3
        dead = np.int64(dead_ranks[seat.code[suit]])
        while dead:
            face = np.int64(rules.face_at[suit, lowest_bit(dead)])
            if face != seat.barred:
                return face
            dead &= dead - 1
    return _nearest_of_all(seat, rules)


@kernel
def _nearest_of_all(seat, rules):
    now = cards_used(seat, rules)
    choice, most = np.int64(-1), np.int64(-1)
    for lonely in (True, False):
        for step in range(4):
            suit = (seat.seat + seat.turn + step) & 3
            held = np.int64(seat.held[suit])
            alone = held & ~(held << 1 | held >> 1 | held << 2 | held >> 2)
            held = alone if lonely else held & ~alone
            while held:
                face = np.int64(rules.face_at[suit, lowest_bit(held)])
                held &= held - 1
                if face != seat.barred:
                    used = used_if(seat, rules, face, -1)
                    if used == now:
                        return face
                    if used > most:
                        choice, most = face, used
    for face in range(FACES):
        if rules.wild[face] and seat.hand[face] > 0 and face != seat.barred:
            used = used_if(seat, rules, face, -1)
            if used > most:
                choice, most = np.int64(face), used
    return choice
