"""Outs: the unseen cards that bring a hand nearer to an exit, and the discard that leaves most.

A card of 16 is thrown, and some 50 faces may come: plainly, that is hundreds of look-ups a turn.
Two things cut them down. A card that is no out of all 16 cards is none of any 15 of them that are
as near to an exit, so only the outs of all 16 are tried. And of a card that comes, the class of its
bank and the pair class are the same whichever card of another bank is thrown, so they are looked up
once. What is looked up once lies in the seat's record, since kernels allocate nothing.
"""

import numpy as np

from continental_sim.kernels.choices import lonely_naturals, nearest_discard
from continental_sim.kernels.holding import cards_used, give, naturals_used, take_away, used_if
from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import apart, array8_at, array16_at, lowest_bit
from continental_sim.kernels.records import FACES, HELD_BITS


@kernel
def unseen(seat, public, rules, face):
    """Count the copies of a face that a seat may draw from the stock, by what it has seen.

    Its own cards, the pile, and what others took from the pile and kept are elsewhere. After a
    recycle, so is all that did not go into the stock: it lies in hands.
    """
    number = np.int64(rules.copies[face]) - seat.hand[face] - public.in_pile[face]
    for other in range(rules.seats):
        if other != seat.seat:
            number -= public.known[other, face]
    if public.recycles > 0:
        number = min(number, np.int64(public.recycled[face]))
    return number


@kernel
def note_unseen(seat, public, rules):
    """Write `unseen` of all faces into a seat's record."""
    apart()
    note_hidden(seat, public, rules)
    if public.recycles > 0:
        for face in range(FACES):
            seat.unseen[face] = min(seat.unseen[face], public.recycled[face])


@kernel
def note_hidden(seat, public, rules):
    """Write into a seat's record the copies of each face of which it does not know where they lie.

    They are in the stock or in other hands.
    """
    for face in range(FACES):
        number = np.int64(rules.copies[face]) - seat.hand[face] - public.in_pile[face]
        seat.unseen[face] = number
    for other in range(rules.seats):
        if other != seat.seat:
            for face in range(FACES):
                seat.unseen[face] -= public.known[other, face]


@kernel
def put_wilds_aside(seat, rules):
    """Take the wild cards out of a hand, so that it is judged by its naturals alone."""
    apart()
    seat.aside[:] = 0
    for face in range(FACES):
        if rules.wild[face]:
            seat.unseen[face] = 0
            while seat.hand[face] > 0:
                take_away(seat, rules, face)
                seat.aside[face] += 1


@kernel
def put_wilds_back(seat, rules):
    """Give a hand the wild cards back that were put aside."""
    apart()
    for face in range(FACES):
        while seat.aside[face] > 0:
            give(seat, rules, face)
            seat.aside[face] -= 1


@kernel
def naturals_used_with(seat, rules, face):
    """Return how many naturals a layout can use with one more card, if that may come and is one."""
    put_wilds_aside(seat, rules)
    if rules.wild[face] or seat.hand[face] >= rules.copies[face]:
        used = np.int64(cards_used(seat, rules))
    else:
        used = np.int64(used_if(seat, rules, face, 1))
    put_wilds_back(seat, rules)
    return used


@kernel
def count_outs(seat, rules):
    """Count the cards, as noted in a seat's record, of which one more lets a layout use more."""
    apart()
    used, number = cards_used(seat, rules), np.int64(0)
    if used < rules.hand_size:
        for face in range(FACES):
            if seat.unseen[face] > 0 and used_if(seat, rules, face, 1) > used:
                number += seat.unseen[face]
    return number


@kernel
def outs_without(seat, rules, face):
    """Return `count_outs` after throwing a card that is held."""
    take_away(seat, rules, face)
    number = count_outs(seat, rules)
    give(seat, rules, face)
    return number


@kernel
def nearest_discards(seat, rules):
    """Return the discards that leave the least distance, as a mask of faces."""
    most, found = np.int64(-1), np.int64(0)
    for face in range(FACES):
        if seat.hand[face] > 0 and face != seat.barred:
            used = used_if(seat, rules, face, -1)
            if used > most:
                most, found = used, np.int64(0)
            if used == most:
                found |= np.int64(1) << face
    return found


@kernel
def most_outs_discard(seat, rules):
    """Return a discard that leaves the least distance, and of these most outs.

    Where every natural costs a card of the layout, it is the choice of `nearest_discard`. Needs the
    noted cards, and trusts that the hand cannot go out.
    """
    choice = free_discard(seat, rules)
    return choice if choice >= 0 else nearest_discard(seat, rules)


@kernel
def natural_discard(seat, rules):
    """Return the discard that leaves the naturals nearest to an exit without wild cards.

    Of these, the one that leaves most natural outs. If every natural costs a card of the layout, it
    is the lowest wild card; without one, the choice of `nearest_discard`. Needs the noted cards.
    """
    put_wilds_aside(seat, rules)
    choice = free_discard(seat, rules)
    put_wilds_back(seat, rules)
    if choice >= 0:
        return choice
    for face in range(FACES):
        if rules.wild[face] and seat.hand[face] > 0 and face != seat.barred:
            return np.int64(face)
    return nearest_discard(seat, rules)


@kernel
def free_discard(seat, rules):
    """Return the natural that costs no card of the layout and leaves most outs, -1 if none is free.

    Among equals a lonely one goes before others; among those the first, as in `nearest_discard`.
    Needs the noted cards.
    """
    apart()
    plain = _list_outs(seat, rules)
    choice, least = np.int64(-1), np.int64(1) << 30
    for step in range(4):
        bank = (seat.seat + seat.turn + step) & 3
        free = _free(seat, rules, bank, plain)
        alone = lonely_naturals(seat, rules, bank)
        while free:
            place = lowest_bit(free)
            free &= free - 1
            face = np.int64(rules.face_at[bank, place])
            lost = _lost(seat, rules, bank, face, least >> 1, plain)
            loss = 2 * lost + 1 - (alone >> place & 1)
            if loss < least:
                choice, least = face, loss
                if loss == 0:
                    return choice
    return choice


@kernel
def near_discards(seat, rules, slack):
    """Return the naturals that cost no card of the layout, as a mask of faces.

    Only those that leave at most so many outs fewer than the best of them. Needs the noted cards.
    """
    apart()
    plain = _list_outs(seat, rules)
    least, found = np.int64(1) << 30, np.int64(0)
    for bank in range(4):
        free = _free(seat, rules, bank, plain)
        while free:
            face = np.int64(rules.face_at[bank, lowest_bit(free)])
            free &= free - 1
            lost = _lost(seat, rules, bank, face, np.int64(1) << 30, plain)
            seat.outs_lost[face] = lost
            least = min(least, lost)
            found |= np.int64(1) << face
    left = found
    while left:
        face = lowest_bit(left)
        left &= left - 1
        if seat.outs_lost[face] > least + slack:
            found &= ~(np.int64(1) << face)
    return found


@kernel
def _list_outs(seat, rules):
    """List the outs of a hand in its record; return whether by look-ups alone, else by trial."""
    plain = seat.wilds < rules.plain_wilds and rules.packs <= rules.counted
    if plain:
        _look_up_outs(seat, rules)
    else:
        _try_outs(seat, rules)
    return plain


@kernel
def _free(seat, rules, bank, plain):
    """Return the naturals of a bank, as a mask, that may go without a loss."""
    free = _free_naturals(seat, rules, bank) if plain else _free_by_trial(seat, rules, bank)
    if seat.barred >= 0 and rules.bank[seat.barred] == bank:
        free &= ~(1 << rules.place[seat.barred])
    return free


@kernel
def _lost(seat, rules, bank, face, enough, plain):
    """Count the listed cards that are no outs any more once a card of a bank is thrown."""
    if plain:
        return _outs_lost(seat, rules, bank, face, enough)
    return _outs_lost_by_trial(seat, rules, face)


@kernel
def _look_up_outs(seat, rules):
    """List the natural outs of a hand in its record, with the classes that they lead to.

    Trusts that wild cards come on top and that vectors count all copies. It goes step by step for
    all faces, and no branch hangs on what is looked up, so that the processor need not wait for one
    look-up before the next (measured: a third of the time of face by face).
    """
    kinds, pairs, used = _tables(rules)
    classes, size = np.uint64(rules.classes), np.uint64(rules.pair_classes)
    now = naturals_used(rules, seat.pair[0], seat.pair[1])
    for bank in range(4):
        code = np.int64(seat.code[bank])
        for place in range(rules.places):
            face = np.uint64(rules.face_at[bank, place])
            more = np.int64(seat.unseen[face] > 0) * rules.weight[face]
            seat.out_kind[HELD_BITS * bank + place] = kinds[np.uint64(code + more)]
    for bank in range(4):
        beside = classes * np.uint64(seat.kind[bank ^ 1])
        for spot in range(HELD_BITS * bank, HELD_BITS * bank + rules.places):
            seat.out_pair[spot] = pairs[beside + np.uint64(seat.out_kind[spot])]
    listed = np.uint64(0)
    for bank in range(4):
        other = size * np.uint64(seat.pair[1 - (bank >> 1)])
        for spot in range(HELD_BITS * bank, HELD_BITS * bank + rules.places):
            better = used[other + np.uint64(seat.out_pair[spot])] > now
            seat.out_spot[listed] = spot
            listed += np.uint64(better)
        seat.outs_listed[bank] = listed


@kernel
def _free_naturals(seat, rules, bank):
    """Return the naturals of a bank, as a mask, that can go without a loss to the layout."""
    kinds, pairs, used = _tables(rules)
    now = naturals_used(rules, seat.pair[0], seat.pair[1])
    beside = np.uint64(rules.classes * seat.kind[bank ^ 1])
    other = np.uint64(rules.pair_classes * seat.pair[1 - (bank >> 1)])
    free, held = np.int64(0), np.int64(seat.held[bank])
    code = np.int64(seat.code[bank])
    while held:
        place = lowest_bit(held)
        held &= held - 1
        kind = np.uint64(kinds[np.uint64(code - rules.weight[rules.face_at[bank, place]])])
        rest = used[other + np.uint64(pairs[beside + kind])]
        free |= np.int64(rest == now) << place
    return free


@kernel
def _outs_lost(seat, rules, bank, face, enough):
    """Count the listed cards that are no outs any more once a card of a bank is thrown.

    Those of its own bank are left out if the others are more than enough.
    """
    kinds, pairs, used = _tables(rules)
    classes, size = np.uint64(rules.classes), np.uint64(rules.pair_classes)
    now = naturals_used(rules, seat.pair[0], seat.pair[1])
    code = np.int64(seat.code[bank]) - rules.weight[face]
    thrown = classes * np.uint64(kinds[np.uint64(code)])
    beside = classes * np.uint64(seat.kind[bank ^ 1])
    mine = size * np.uint64(pairs[thrown + np.uint64(seat.kind[bank ^ 1])])
    other = size * np.uint64(seat.pair[1 - (bank >> 1)])
    lost, rest = np.int64(0), bank & 2 ^ 2
    for k in range(_begin(seat, rest), seat.outs_listed[rest + 1]):
        spot = np.uint64(seat.out_spot[k])
        gone = used[mine + np.uint64(seat.out_pair[spot])] <= now
        lost += np.int64(gone) * _unseen_at(seat, rules, spot)
    for k in range(_begin(seat, bank ^ 1), seat.outs_listed[bank ^ 1]):
        spot = np.uint64(seat.out_spot[k])
        pair = np.uint64(pairs[thrown + np.uint64(seat.out_kind[spot])])
        lost += np.int64(used[other + pair] <= now) * _unseen_at(seat, rules, spot)
    if lost <= enough:
        for k in range(_begin(seat, bank), seat.outs_listed[bank]):
            spot = np.uint64(seat.out_spot[k])
            out = rules.face_at[bank, spot & np.uint64(HELD_BITS - 1)]
            kind = np.uint64(kinds[np.uint64(code + rules.weight[out])])
            pair = np.uint64(pairs[beside + kind])
            lost += np.int64(used[other + pair] <= now) * _unseen_at(seat, rules, spot)
    return lost


@kernel
def _tables(rules):
    """Return the tables of classes, pair classes, and naturals used."""
    return (
        array16_at(rules.kinds_at, rules.vectors),
        array16_at(rules.pairs_at, rules.classes * rules.classes),
        array8_at(rules.used_at, rules.pair_classes * rules.pair_classes),
    )


@kernel
def _begin(seat, bank):
    """Return where the listed outs of a bank begin."""
    return seat.outs_listed[bank - 1] if bank > 0 else np.int32(0)


@kernel
def _unseen_at(seat, rules, spot):
    """Return the unseen copies of the face at a spot: 16 times its bank, and its place there."""
    bank = spot >> np.uint64(4)
    return np.int64(seat.unseen[rules.face_at[bank, spot & np.uint64(HELD_BITS - 1)]])


@kernel
def _try_outs(seat, rules):
    """List the outs of a hand in its record, wild ones too, under any rules."""
    apart()
    listed, used = np.int64(0), cards_used(seat, rules)
    for face in range(FACES):
        if seat.unseen[face] > 0 and used_if(seat, rules, face, 1) > used:
            seat.out_spot[listed] = face
            listed += 1
    seat.outs_listed[3] = listed


@kernel
def _free_by_trial(seat, rules, bank):
    """Return `_free_naturals` under any rules."""
    apart()
    free, held, used = np.int64(0), np.int64(seat.held[bank]), cards_used(seat, rules)
    while held:
        place = lowest_bit(held)
        held &= held - 1
        rest = used_if(seat, rules, np.int64(rules.face_at[bank, place]), -1)
        free |= np.int64(rest == used) << place
    return free


@kernel
def _outs_lost_by_trial(seat, rules, face):
    """Return `_outs_lost` under any rules."""
    apart()
    take_away(seat, rules, face)
    used, lost = cards_used(seat, rules), np.int64(0)
    for k in range(seat.outs_listed[3]):
        out = np.int64(seat.out_spot[k])
        if used_if(seat, rules, out, 1) <= used:
            lost += seat.unseen[out]
    give(seat, rules, face)
    return lost
