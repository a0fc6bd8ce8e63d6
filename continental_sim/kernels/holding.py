"""A hand of Continental: its meld classes, kept up to date card by card.

A hand is four banks of cards. Each bank has a class, each half of the hand a pair class, and from
these the tables of the rules tell how many cards one legal layout can use.
"""

import numpy as np

from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import (
    apart,
    array8_at,
    array16_at,
    array32_at,
    call_compiled,
    inlined,
    record_address,
)
from continental_sim.kernels.records import FACES, HELD_BITS, MOST_HELD

JOKER = 52
CODE_BITS = 28  # room for a vector's number in a sum of a hand
CODE_MASK = (1 << CODE_BITS) - 1
HELD_MASK = (1 << HELD_BITS) - 1
# Questions about a hand of rules without tables; from ALIKE up, whether a copy less of a face
# leaves its suit as good.
CARDS, PATTERNS, ONE_SUIT, ALIKE = range(4)


@kernel
def bank_class(rules, code):
    """Return the meld class of a bank, given by its vector's number."""
    return np.int64(array16_at(rules.kinds_at, rules.vectors)[code])


@kernel
def class_beyond(seat, rules, bank, face, change):
    """Return the meld class of a suit of more copies than its vector counts.

    As it were with a card more of a face (change = 1), or less (-1), or as it is (0).
    """
    apart()
    steps = array32_at(rules.kind_states_at, rules.kind_states)
    return end_of_steps(seat, rules, steps, bank, face, change)


@kernel
def end_of_steps(seat, rules, steps, bank, face, change):
    """Return where an automaton ends that reads the cards of a suit, rank by rank."""
    base, state = np.int64(rules.packs) + 1, np.int64(0)
    for digit in range(rules.places):
        other = np.int64(rules.face_at[bank, digit])
        held = np.int64(seat.hand[other])
        if other == face:
            held += change
        state = np.int64(steps[state * base + held])
    return state


@kernel
def class_if(seat, rules, bank, face, change):
    """Return the meld class of a bank as it were with a natural more (1) or less (-1)."""
    inlined()
    if rules.packs > rules.counted and (
        seat.beyond[bank] > 0 or seat.hand[face] + change > rules.counted
    ):
        return class_beyond(seat, rules, bank, face, change)
    return bank_class(rules, seat.code[bank] + change * rules.weight[face])


@kernel
def pair_class(rules, first, second):
    """Return the pair class of two banks, given by their classes."""
    pairs = array16_at(rules.pairs_at, rules.classes * rules.classes)
    return np.int64(pairs[first * rules.classes + second])


@kernel
def naturals_used(rules, first_pair, second_pair):
    """Return the most naturals that one legal layout can use of two pairs of banks.

    Trusts that the wilds come on top (`plain_wilds`).
    """
    used = array8_at(rules.used_at, rules.pair_classes * rules.pair_classes)
    return np.int64(used[first_pair * rules.pair_classes + second_pair])


@kernel
def cards_used(seat, rules):
    """Return the most cards of a hand that one legal layout can use [cards]."""
    inlined()
    if seat.wilds > rules.plain_wilds:
        return used_with_wilds(seat, rules)
    naturals = naturals_used(rules, seat.pair[0], seat.pair[1])
    return min(np.int64(rules.hand_size), naturals + seat.wilds)


@kernel
def used_if(seat, rules, face, change):
    """Return `cards_used` as it were with a card more (change = 1) or less (-1).

    Joining is commutative, so both tables are symmetric.
    """
    inlined()
    if seat.wilds >= rules.plain_wilds:
        return used_with_wilds_if(seat, rules, face, change)
    if rules.wild[face]:
        naturals = naturals_used(rules, seat.pair[0], seat.pair[1])
        return min(np.int64(rules.hand_size), naturals + seat.wilds + change)
    bank = np.int64(rules.bank[face])
    kind = class_if(seat, rules, bank, face, change)
    mine = pair_class(rules, kind, np.int64(seat.kind[bank ^ 1]))
    other = np.int64(seat.pair[1 - (bank >> 1)])
    naturals = naturals_used(rules, mine, other)
    return min(np.int64(rules.hand_size), naturals + seat.wilds)


@kernel
def used_with_wilds(seat, rules):
    """Return `cards_used` where the wilds do not simply come on top."""
    apart()
    if rules.search_at:
        return search(seat, rules, CARDS)
    most = used_as_read(seat, rules)
    while next_reading(seat, rules):
        most = max(most, used_as_read(seat, rules))
    return most


@kernel
def search(seat, rules, question):
    """Look for the layouts of a hand, under rules that have no tables: see `kernels.search`."""
    apart()
    return call_compiled(
        rules.search_entry, record_address(seat), np.uint64(question), record_address(rules)
    )


@kernel
def used_with_wilds_if(seat, rules, face, change):
    """Return `used_if` where the wilds do not simply come on top."""
    apart()
    if rules.own_faces == 0 and not rules.wilds_add and not rules.search_at:
        first, second = np.int64(seat.pair[0]), np.int64(seat.pair[1])
        if rules.wild[face]:
            return used_on_level(rules, first, second, np.int64(rules.level[seat.wilds + change]))
        bank = np.int64(rules.bank[face])
        kind = class_if(seat, rules, bank, face, change)
        mine = pair_class(rules, kind, np.int64(seat.kind[bank ^ 1]))
        other = first if bank > 1 else second
        return used_on_level(rules, mine, other, np.int64(rules.level[seat.wilds]))
    if change > 0:
        give(seat, rules, face)
        used = used_with_wilds(seat, rules)
        take_away(seat, rules, face)
    else:
        take_away(seat, rules, face)
        used = used_with_wilds(seat, rules)
        give(seat, rules, face)
    return used


@kernel
def used_as_read(seat, rules):
    """Return the most cards that one legal layout can use of a hand, its wild cards as read."""
    wilds = min(np.int64(seat.wilds), MOST_HELD - 1)
    used = np.int64(0)
    level = np.int64(rules.level[wilds])
    if level >= 0:
        used = used_on_level(rules, seat.pair[0], seat.pair[1], level)
        if rules.wilds_add:
            used = min(np.int64(rules.hand_size), used + wilds)
    if rules.scarce[wilds] >= 0:
        used = max(used, used_if_scarce(seat, rules, np.int64(rules.scarce[wilds])))
    return used


@kernel
def used_if_scarce(seat, rules, melds):
    """Return the most cards used of a hand of so many wilds that naturals are lacking.

    Each of the melds needs a natural. See `meld_rules.scarce`.
    """
    cards, naturals = np.int64(0), np.int64(0)
    for face in range(FACES):
        cards += seat.hand[face]
        if face != JOKER and (rules.two_counts or not rules.wild[face]):
            naturals += seat.hand[face]
    return min(cards, rules.hand_size - max(0, melds - naturals))


@kernel
def used_on_level(rules, first_pair, second_pair, level):
    """Return the entry of a level of the last table for two pairs of banks."""
    size = rules.pair_classes
    used = array8_at(rules.used_at, rules.levels * size * size)
    return np.int64(used[(level * size + first_pair) * size + second_pair])


@kernel
def next_reading(seat, rules):
    """Read the wild cards of a hand in the next way; return whether it is not the first again.

    Where a wild card counts as a natural in its own place, it may be read as a card of its bank,
    or as a wild. At first all are wilds, and after the last way they are again.
    """
    for k in range(rules.own_faces):
        face = np.int64(rules.own_face[k])
        if seat.read_own[k] < seat.hand[face]:
            seat.read_own[k] += 1
            seat.wilds -= 1
            seat.code[rules.bank[face]] += rules.weight[face]
            recode(seat, rules, rules.bank[face])
            return True
        if seat.read_own[k] > 0:
            seat.wilds += seat.read_own[k]
            seat.code[rules.bank[face]] -= seat.read_own[k] * rules.weight[face]
            seat.read_own[k] = 0
            recode(seat, rules, rules.bank[face])
    return False


@kernel
def recode(seat, rules, bank):
    """Bring a seat's class and pair class up to date after the vector of a bank changed."""
    inlined()
    if seat.beyond[bank] == 0:
        kind = bank_class(rules, seat.code[bank])
    else:
        kind = class_beyond(seat, rules, bank, -1, 0)
    seat.kind[bank] = kind
    seat.pair[bank >> 1] = pair_class(rules, kind, np.int64(seat.kind[bank ^ 1]))


@kernel
def give(seat, rules, face):
    """Put a card into a hand."""
    inlined()
    seat.hand[face] += 1
    if rules.wild[face]:
        seat.wilds += 1
    else:
        bank = np.int64(rules.bank[face])
        if seat.hand[face] > rules.counted:
            seat.beyond[bank] += 1
        else:
            seat.code[bank] += rules.weight[face]
        seat.held[bank] |= 1 << rules.place[face]
        recode(seat, rules, bank)


@kernel
def take_away(seat, rules, face):
    """Take a card, which must be there, out of a hand."""
    inlined()
    seat.hand[face] -= 1
    if rules.wild[face]:
        seat.wilds -= 1
    else:
        bank = np.int64(rules.bank[face])
        if seat.hand[face] >= rules.counted:
            seat.beyond[bank] -= 1
        else:
            seat.code[bank] -= rules.weight[face]
        if seat.hand[face] == 0:
            seat.held[bank] &= ~(1 << rules.place[face])
        recode(seat, rules, bank)


@kernel
def set_hand(seat, rules, game, first, last):
    """Deal the cards first .. last - 1 of the stock to a seat whose record is cleared.

    A card adds one number to each of three sums, in which the vectors, the wilds and the masks
    lie side by side (measured: 10 % less time a deal than card by card).
    """
    front, back, held = np.int64(0), np.int64(0), np.int64(0)
    for position in range(first, last):
        face = np.int64(game.stock[position])
        seat.hand[face] += 1
        front += rules.front[face]
        back += rules.back[face]
        held |= rules.held_bit[face]
    seat.wilds = front >> 2 * CODE_BITS
    seat.code[0], seat.code[1] = front & CODE_MASK, front >> CODE_BITS & CODE_MASK
    seat.code[2], seat.code[3] = back & CODE_MASK, back >> CODE_BITS
    if rules.packs > rules.counted:
        _set_beyond(seat, rules)
    for bank in range(4):
        seat.held[bank] = held >> HELD_BITS * bank & HELD_MASK
        if seat.beyond[bank] == 0:
            seat.kind[bank] = bank_class(rules, seat.code[bank])
        else:
            seat.kind[bank] = class_beyond(seat, rules, bank, -1, 0)
    for half in range(2):
        first, second = np.int64(seat.kind[2 * half]), np.int64(seat.kind[2 * half + 1])
        seat.pair[half] = pair_class(rules, first, second)


@kernel
def _set_beyond(seat, rules):
    """Take out of the vectors of a hand the copies that they do not count."""
    apart()
    for face in range(JOKER):
        more = np.int64(seat.hand[face]) - rules.counted
        if more > 0 and not rules.wild[face]:
            bank = np.int64(rules.bank[face])
            seat.beyond[bank] += more
            seat.code[bank] -= more * rules.weight[face]
