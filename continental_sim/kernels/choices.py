"""What the meld tables say of a hand: which card to throw, and what an exit pays."""

import numpy as np

from continental_sim.columns import DEALT, FIRST_TURN, LATER
from continental_sim.kernels.holding import (
    ALIKE,
    JOKER,
    ONE_SUIT,
    PATTERNS,
    cards_used,
    class_beyond,
    end_of_steps,
    give,
    next_reading,
    search,
    take_away,
    used_if,
    used_if_scarce,
    used_on_level,
)
from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import apart, array8_at, array16_at, array32_at, lowest_bit
from continental_sim.kernels.records import FACES


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

    It has if all naturals are of one suit, since an all-wild meld may lie anywhere; but not if wild
    cards of other suits are needed as naturals.
    """
    if seat.wilds <= rules.plain_wilds:
        return _suits_read(seat, rules) <= 1
    return _reads_as_one_suit(seat, rules)


@kernel
def _reads_as_one_suit(seat, rules):
    apart()
    if rules.search_at:
        return search(seat, rules, ONE_SUIT) > 0
    fits = False
    while True:
        if _suits_read(seat, rules) <= 1 and _fits_in_one_suit(seat, rules):
            fits = True
        if not next_reading(seat, rules):
            return fits


@kernel
def _fits_in_one_suit(seat, rules):
    """Tell whether a whole hand whose naturals, as read, are of one suit can lie in that suit."""
    level, melds = rules.level[seat.wilds], np.int64(rules.scarce[seat.wilds])
    if level >= 0:
        used = used_on_level(rules, seat.pair[0], seat.pair[1], np.int64(level))
        if used + rules.wilds_add * seat.wilds >= rules.hand_size:
            return True
    return melds >= 0 and _naturals_of_one_suit(seat, rules) >= melds


@kernel
def _naturals_of_one_suit(seat, rules):
    """Return the most cards of one suit that count as naturals, with all that are no wild cards."""
    most = np.int64(0)
    suits = _suits_held(seat, rules)
    for suit in range(4):
        if suits == 0 or suits == 1 << suit:
            cards = np.int64(0)
            for face in range(13 * suit, 13 * suit + 13):
                if rules.two_counts or not rules.wild[face]:
                    cards += seat.hand[face]
            most = max(most, cards)
    return most


@kernel
def _suits_read(seat, rules):
    """Count the suits of the naturals of a hand, and of its wild cards that are read as such."""
    suits = _suits_held(seat, rules)
    for k in range(rules.own_faces):
        if seat.read_own[k] > 0:
            suits |= 1 << rules.own_face[k] // 13
    number = 0
    for suit in range(4):
        number += suits >> suit & 1
    return number


@kernel
def _suits_held(seat, rules):
    """Return the suits of the naturals of a hand as a mask."""
    suits = np.int64(0)
    for bank in range(4):
        held = np.int64(seat.held[bank])
        if rules.groups:  # each four bits are the suits of a rank
            held |= held >> 8
            suits |= (held | held >> 4) & 15
        elif held:
            suits |= 1 << bank
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
    if rules.search_at:
        return search(seat, rules, PATTERNS)
    if seat.wilds > rules.plain_wilds and rules.wilds_add:
        return _patterns_if_scarce(seat, rules)
    fitted = _patterns_covered(seat, rules)
    while next_reading(seat, rules):
        fitted |= _patterns_covered(seat, rules)
    return fitted


@kernel
def _patterns_if_scarce(seat, rules):
    apart()
    fitted = np.int64(0)
    for k in range(rules.patterns):
        melds = np.int64(rules.needing[k])
        if melds == 0 or seat.wilds <= rules.hand_size - melds:
            fitted |= _patterns_covered(seat, rules) & 1 << k
        elif used_if_scarce(seat, rules, melds) == rules.hand_size:
            fitted |= 1 << k
    return fitted


@kernel
def _patterns_covered(seat, rules):
    pairs = array16_at(rules.cover_pairs_at, rules.cover_sets * rules.cover_sets)
    fits = array8_at(rules.fits_at, rules.cover_pair_sets * rules.cover_pair_sets)
    first = pairs[_covered(seat, rules, 0) * rules.cover_sets + _covered(seat, rules, 1)]
    second = pairs[_covered(seat, rules, 2) * rules.cover_sets + _covered(seat, rules, 3)]
    return np.int64(fits[first * rules.cover_pair_sets + second])


@kernel
def _covered(seat, rules, bank):
    """Return the number of the set of selections that cover a bank."""
    if seat.beyond[bank] > 0:
        steps = array32_at(rules.cover_states_at, rules.cover_states)
        return end_of_steps(seat, rules, steps, bank, -1, 0)
    return np.int64(array16_at(rules.covers_at, rules.vectors)[seat.code[bank]])


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
def best_discard(seat, rules):
    """Return the best-paying discard of an exit, else the one that leaves the least distance."""
    if cards_used(seat, rules) == rules.hand_size:
        choice = best_paying_discard(seat, rules)
        if choice >= 0:
            return choice
    return nearest_discard(seat, rules)


@kernel
def nearest_discard(seat, rules):
    """Return the discard after which the rest is nearest to an exit.

    Among equals a dead natural, one that no layout can need whatever wilds and cards of other banks
    come, goes before others, then a lonely one (a run: none other within two places; a group: none
    other of its rank), then any natural, then a wild. Among those the first, going round the banks
    from one that depends on seat and turn, and up from the ace.
    """
    dead_faces = array16_at(rules.dead_at, rules.natural_vectors)
    for step in range(4):
        bank = (seat.seat + seat.turn + step) & 3
        if seat.beyond[bank] > 0:
            dead = _dead_beyond(seat, rules, bank)
        else:
            dead = np.int64(dead_faces[seat.code[bank]])
        if rules.groups:
            dead &= seat.held[bank]
        while dead:
            face = np.int64(rules.face_at[bank, lowest_bit(dead)])
            if face != seat.barred:
                return face
            dead &= dead - 1
    return _nearest_of_all(seat, rules)


@kernel
def _dead_beyond(seat, rules, bank):
    """Return the dead faces of a suit of more copies than its vector counts, as a mask."""
    apart()
    dead, held = np.int64(0), np.int64(seat.held[bank])
    while held:
        place = lowest_bit(held)
        held &= held - 1
        face = np.int64(rules.face_at[bank, place])
        if rules.search_at:
            alike = search(seat, rules, ALIKE + face) > 0
        else:
            alike = class_beyond(seat, rules, bank, face, -1) == seat.kind[bank]
        if alike:
            dead |= np.int64(1) << place
    return dead


@kernel
def lonely_naturals(seat, rules, bank):
    """Return those of a bank's naturals, as a mask, that have no company."""
    held = np.int64(seat.held[bank])
    if not rules.groups:
        return held & ~(held << 1 | held >> 1 | held << 2 | held >> 2)
    company, left = np.int64(0), held
    while left:  # a copy of the same card
        place = lowest_bit(left)
        left &= left - 1
        if seat.hand[rules.face_at[bank, place]] > 1:
            company |= np.int64(1) << place
    for suit in range(1, 4):  # another suit of the same rank, round in each four bits
        low = (1 << suit) - 1
        company |= held << suit & ~(0x1111 * low) | held >> 4 - suit & 0x1111 * low
    return held & ~company


@kernel
def _nearest_of_all(seat, rules):
    now = cards_used(seat, rules)
    choice, most = np.int64(-1), np.int64(-1)
    for lonely in (True, False):
        for step in range(4):
            bank = (seat.seat + seat.turn + step) & 3
            held = np.int64(seat.held[bank])
            alone = lonely_naturals(seat, rules, bank)
            held = alone if lonely else held & ~alone
            while held:
                face = np.int64(rules.face_at[bank, lowest_bit(held)])
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
