"""Outs: the unseen cards that bring a hand nearer to an exit, and the discard that leaves most.

A card of 16 is thrown, and some 50 faces may come: plainly, that is hundreds of look-ups a turn.
Two things cut them down. A card that is no out of all 16 cards is none of any 15 of them that are
as near to an exit, so only the outs of all 16 are tried. And of a card that comes, the class of its
bank and the pair class are the same whichever card of another bank is thrown, so they are looked up
once. What is looked up once lies in the seat's record, since kernels allocate nothing.
"""

import numpy as np

from continental_sim.kernels.choices import lonely_naturals, nearest_discard
from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import apart, inlined, lowest_bit
from continental_sim.kernels.records import FACES
from continental_sim.kernels.table import (
    JOKER,
    cards_used,
    class_if,
    give,
    pair_class,
    take_away,
    used_if,
    used_on_level,
)


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
    for face in range(FACES):
        number = np.int64(rules.copies[face]) - seat.hand[face] - public.in_pile[face]
        seat.unseen[face] = number
    for other in range(rules.seats):
        if other != seat.seat:
            for face in range(FACES):
                seat.unseen[face] -= public.known[other, face]
    if public.recycles > 0:
        for face in range(FACES):
            seat.unseen[face] = min(seat.unseen[face], public.recycled[face])


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
def count_outs(seat, rules):
    """Count the cards, as noted in a seat's record, of which one more lets a layout use more."""
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

    Among equals one whose loss leaves its bank as good goes before others, then a lonely one; among
    those the first, as in `nearest_discard`. Needs the noted cards.
    """
    level, used = _level(seat, rules), cards_used(seat, rules)
    if level >= 0:
        used = used_on_level(rules, seat.pair[0], seat.pair[1], level)
        _list_outs(seat, rules, level, used)
    choice, least = np.int64(-1), np.int64(1) << 30
    for step in range(4):
        bank = (seat.seat + seat.turn + step) & 3
        held = np.int64(seat.held[bank])
        alone = lonely_naturals(seat, rules, bank)
        while held:
            place = lowest_bit(held)
            held &= held - 1
            face = np.int64(rules.face_at[bank, place])
            if face == seat.barred or not _is_free(seat, rules, face, level, used):
                continue
            before = np.int64(seat.kind[bank])
            take_away(seat, rules, face)
            loss = 2 - (alone >> place & 1)
            if seat.kind[bank] == before:
                loss = np.int64(0)
            if level >= 0:
                loss += 3 * _outs_lost(seat, rules, bank, level, used, least // 3)
            else:
                loss += 3 * (np.int64(rules.cards) - count_outs(seat, rules))
            give(seat, rules, face)
            if loss < least:
                choice, least = face, loss
                if loss == 0:
                    return choice
    return choice


@kernel
def _level(seat, rules):
    """Return the level of the last table that tells all of a hand and a natural more; -1 if none.

    None does where wild cards are read as naturals, or hands are searched.
    """
    if seat.wilds <= rules.plain_wilds:
        return np.int64(0)
    if rules.search_at or rules.wilds_add or (rules.own_faces and seat.wilds):
        return np.int64(-1)
    return np.int64(rules.level[seat.wilds])


@kernel
def _is_free(seat, rules, face, level, used):
    """Tell whether a natural can go without a loss to the layout."""
    if level < 0:
        return used_if(seat, rules, face, -1) == used
    bank = np.int64(rules.bank[face])
    return _joined(seat, rules, bank, class_if(seat, rules, bank, face, -1), level) == used


@kernel
def _joined(seat, rules, bank, kind, level):
    """Return the cards used if a bank were of another class."""
    inlined()
    mine = pair_class(rules, kind, np.int64(seat.kind[bank ^ 1]))
    return used_on_level(rules, mine, np.int64(seat.pair[1 - (bank >> 1)]), level)


@kernel
def _list_outs(seat, rules, level, used):
    """List the natural outs of a hand in its record, with the classes that they lead to."""
    listed = 0
    for face in range(JOKER):
        if seat.unseen[face] <= 0 or rules.wild[face]:
            continue
        bank = np.int64(rules.bank[face])
        kind = class_if(seat, rules, bank, face, 1)
        pair = pair_class(rules, kind, np.int64(seat.kind[bank ^ 1]))
        if used_on_level(rules, pair, np.int64(seat.pair[1 - (bank >> 1)]), level) > used:
            seat.out_face[listed] = face
            seat.out_kind[listed] = kind
            seat.out_pair[listed] = pair
            listed += 1
    seat.outs_listed = listed


@kernel
def _outs_lost(seat, rules, bank, level, used, enough):
    """Count the cards listed that are no outs any more after a card of a bank was thrown.

    Stops once they are more than enough. Wild cards that help no more count, too.
    """
    half = bank >> 1
    mine, other = np.int64(seat.pair[half]), np.int64(seat.pair[1 - half])
    kind, beside = np.int64(seat.kind[bank]), np.int64(seat.kind[bank ^ 1])
    lost = np.int64(0)
    if rules.plain_wilds <= seat.wilds:
        lost += _wilds_lost(seat, rules)
    for k in range(seat.outs_listed):
        face = np.int64(seat.out_face[k])
        where = np.int64(rules.bank[face])
        if where >> 1 != half:
            now = used_on_level(rules, mine, np.int64(seat.out_pair[k]), level)
        elif where != bank:
            pair = pair_class(rules, kind, np.int64(seat.out_kind[k]))
            now = used_on_level(rules, pair, other, level)
        else:
            pair = pair_class(rules, class_if(seat, rules, bank, face, 1), beside)
            now = used_on_level(rules, pair, other, level)
        if now <= used:
            lost += seat.unseen[face]
            if lost > enough:
                break
    return lost


@kernel
def _wilds_lost(seat, rules):
    """Count the unseen wild cards that help no layout of a hand."""
    apart()
    used, lost = cards_used(seat, rules), np.int64(0)
    for face in range(FACES):
        if rules.wild[face] and seat.unseen[face] > 0 and used_if(seat, rules, face, 1) <= used:
            lost += seat.unseen[face]
    return lost
