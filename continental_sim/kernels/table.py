"""The table: stock and discard pile, and how a card moves between them."""

import numpy as np

from continental_sim.kernels import rng
from continental_sim.kernels.jit import kernel


@kernel
def clear_seat(seat):
    """Empty a seat's record before a deal."""
    seat.wilds = 0
    seat.turn = 0
    seat.taken = -1
    seat.barred = -1
    seat.dice_ready = 0
    seat.code[:] = 0
    seat.beyond[:] = 0
    seat.held[:] = 0
    seat.memo[:] = 0
    seat.hand[:] = 0
    seat.cards = 0
    seat.laid = 0
    seat.melded = 0


@kernel
def clear_public(public, seats):
    """Empty the public record before a deal."""
    public.pile_size = 0
    public.recycles = 0
    public.seen = 0
    public.in_pile[:] = 0
    if public.sets | public.runs:
        public.sets = 0
        public.runs = 0
        public.on_table[:] = 0
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
    game.position, game.stock_end = 0, size
    rng.philox(game.seed, rng.RECYCLE, deal, public.recycles, game.state)
    public.recycles += 1


@kernel
def draw_stock(game, public, rules):
    """Draw the top of the stock, which must not be empty."""
    position = np.int64(game.position)
    if rules.turned and public.recycles > 0:
        face = np.int64(game.stock[position])
    else:
        face = np.int64(
            rng.draw_shuffled(game.stock, position, np.int64(game.stock_end), game.state)
        )
    game.position = position + 1
    public.stock_size = game.stock_end - game.position
    return face
