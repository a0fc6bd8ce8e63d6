"""The table: hands, stock and discard pile, and how a card moves between them."""

import numpy as np

from continental_sim.kernels import rng
from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import array8_at, array16_at
from continental_sim.kernels.records import FACES

JOKER = 52


@kernel
def suit_class(rules, code):
    """Return the meld class of a suit vector."""
    return np.int64(array16_at(rules.suits_at, rules.vectors)[code])


@kernel
def pair_class(rules, first, second):
    """Return the pair class of two suits, given by their classes."""
    pairs = array16_at(rules.pairs_at, rules.classes * rules.classes)
    return np.int64(pairs[first * rules.classes + second])


@kernel
def naturals_used(rules, first_pair, second_pair):
    """Return the most naturals that one legal layout can use of two pairs of suits."""
    used = array8_at(rules.used_at, rules.pair_classes * rules.pair_classes)
    return np.int64(used[first_pair * rules.pair_classes + second_pair])


@kernel
def cards_used(seat, rules):
    """Return the most cards of a hand that one legal layout can use [cards]."""
    naturals = naturals_used(rules, seat.pair[0], seat.pair[1])
    return min(np.int64(rules.hand_size), naturals + seat.wilds)


@kernel
def used_if(seat, rules, face, change):
    """Return `cards_used` as it were with a card more (change = 1) or less (-1); nothing moves.

    Joining is commutative, so both tables are symmetric.
    """
    if rules.wild[face]:
        naturals = naturals_used(rules, seat.pair[0], seat.pair[1])
        return min(np.int64(rules.hand_size), naturals + seat.wilds + change)
    suit = face // 13
    kind = suit_class(rules, seat.code[suit] + change * rules.weight[face])
    mine = pair_class(rules, kind, np.int64(seat.kind[suit ^ 1]))
    other = np.int64(seat.pair[1 - (suit >> 1)])
    naturals = naturals_used(rules, mine, other)
    return min(np.int64(rules.hand_size), naturals + seat.wilds)


@kernel
def recode(seat, rules, suit):
    """Bring a seat's class and pair class up to date after its suit vector changed."""
    seat.kind[suit] = suit_class(rules, seat.code[suit])
    seat.pair[suit >> 1] = pair_class(rules, np.int64(seat.kind[suit]), np.int64(seat.kind[suit ^ 1]))


@kernel
def give(seat, rules, face):
    """Put a card into a hand."""
    seat.hand[face] += 1
    if rules.wild[face]:
        seat.wilds += 1
    else:
        suit = face // 13
        seat.code[suit] += rules.weight[face]
        seat.held[suit] |= 1 << rules.place[face]
        recode(seat, rules, suit)


@kernel
def take_away(seat, rules, face):
    """Take a card, which must be there, out of a hand."""
    seat.hand[face] -= 1
    if rules.wild[face]:
        seat.wilds -= 1
    else:
        suit = face // 13
        seat.code[suit] -= rules.weight[face]
        if seat.hand[face] == 0:
            seat.held[suit] &= ~(1 << rules.place[face])
        recode(seat, rules, suit)


@kernel
def set_hand(seat, rules, game, first, last):
    """Deal the cards first .. last - 1 of the stock to a seat whose record is cleared."""
    for position in range(first, last):
        face = np.int64(game.stock[position])
        seat.hand[face] += 1
        if rules.wild[face]:
            seat.wilds += 1
        else:
            suit = face // 13
            seat.code[suit] += rules.weight[face]
            seat.held[suit] |= 1 << rules.place[face]
    for suit in range(4):
        seat.kind[suit] = suit_class(rules, seat.code[suit])
    for half in range(2):
        first, second = np.int64(seat.kind[2 * half]), np.int64(seat.kind[2 * half + 1])
        seat.pair[half] = pair_class(rules, first, second)


@kernel
def clear_seat(seat):
    """Empty a seat's record before a deal."""
    seat.wilds = 0
    seat.turn = 0
    seat.taken = -1
    seat.barred = -1
    seat.dice_ready = 0
    seat.code[:] = 0
    seat.held[:] = 0
    seat.memo[:] = 0
    seat.hand[:] = 0


@kernel
def clear_public(public, seats):
    """Empty the public record before a deal."""
    public.pile_size = 0
    public.recycles = 0
    public.in_pile[:] = 0
    if public.recycled_any:
        public.recycled[:] = 0
        public.recycled_any = 0
    for seat in range(seats):
        public.known[seat, :] = 0


@kernel
def throw(public, face, seat):
    """Lay a card on the discard pile, face up."""
    public.pile[public.pile_size] = face
    public.thrower[public.pile_size] = seat
    public.pile_size += 1
    public.in_pile[face] += 1
    public.upcard = face
    if seat >= 0 and public.known[seat, face] > 0:
        public.known[seat, face] -= 1


@kernel
def take_upcard(public, seat):
    """Take the top of the discard pile, seen by everybody."""
    face = np.int64(public.upcard)
    public.pile_size -= 1
    public.in_pile[face] -= 1
    public.upcard = public.pile[public.pile_size - 1] if public.pile_size > 0 else -1
    public.known[seat, face] += 1
    return face


@kernel
def recycle(game, public, deal):
    """Make all of the pile but its top the stock, which is shuffled as it is drawn.

    The shuffle has a stream of its own, keyed (seed, deal, recycles so far).
    """
    size = np.int64(public.pile_size) - 1
    public.recycled[:] = 0
    public.recycled_any = 1
    for k in range(size):
        face = np.int64(public.pile[k])
        game.stock[k] = face
        public.recycled[face] += 1
    public.pile[0] = public.pile[size]
    public.thrower[0] = public.thrower[size]
    public.pile_size = 1
    public.in_pile[:] = 0
    public.in_pile[public.upcard] = 1
    game.position, game.size = 0, size
    rng.philox(game.seed, rng.RECYCLE, deal, public.recycles, game.state)
    public.recycles += 1


@kernel
def draw_stock(game, public, rules):
    """Draw the top of the stock, which must not be empty."""
    position = np.int64(game.position)
    if rules.turned and public.recycles > 0:
        face = np.int64(game.stock[position])
    else:
        face = np.int64(rng.draw_shuffled(game.stock, position, np.int64(game.size), game.state))
    game.position = position + 1
    public.stock_size = game.size - game.position
    return face
