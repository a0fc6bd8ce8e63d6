"""How a deal begins: who sits where, and who is dealt what."""

import numpy as np

from continental_sim.kernels import rng
from continental_sim.kernels.games import set_hand
from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import array8_at
from continental_sim.kernels.records import seat_record
from continental_sim.kernels.table import clear_public, clear_seat, draw_stock, throw
from continental_sim.kernels.turns import AT_DEAL, AT_SEAT, AT_TURN


@kernel
def seat_players(game, rules, session):
    """Set the order of the players round the table; return the first dealer's place.

    Both come from the stream (seed, session); a fixed order is the line-up's.
    """
    rng.philox(game.seed, rng.SESSION, session, 0, game.state)
    number = np.int64(rules.seats)
    dealer = rng.below(game.state, number)
    for place in range(number):
        game.order[place] = place
    if not game.fixed_order:
        for place in range(number):
            rng.draw_shuffled(game.order, place, number, game.state)
    return dealer


@kernel
def take_seats(game, rules, dealer):
    """Seat the players, the first to the dealer's left; return who deals."""
    for seat in range(rules.seats):
        place = (dealer + 1 + seat) % rules.seats
        seat_record(game.seat_at[seat]).player = game.order[place]
    return game.order[dealer]


@kernel
def seat_as_in_study(game, rules, deal):
    """Seat the players as in a deal of a study in which the deal moves left; return who deals."""
    game.where[AT_DEAL] = deal
    dealer = seat_players(game, rules, deal // rules.session) + deal % rules.session
    return take_seats(game, rules, dealer % rules.seats)


@kernel
def take_seating(game, rules, number):
    """Seat the players in the seating of a number; return who deals."""
    seatings = array8_at(game.seatings_at, game.seatings * rules.seats)
    for seat in range(rules.seats):
        player = np.int64(seatings[number * rules.seats + seat])
        seat_record(game.seat_at[seat]).player = player
    return player


@kernel
def clear_table(game, rules, public, deal):
    """Take all cards off the table into an unshuffled pack, which lies as the stock."""
    for position in range(rules.cards):
        game.stock[position] = rules.pack[position]
        public.pile[position] = 0  # beyond the top would lie a memory of other deals
        public.thrower[position] = 0
    game.position, game.stock_end = 0, rules.cards
    game.logged = 0
    for seat in range(rules.seats):
        mine = seat_record(game.seat_at[seat])
        clear_seat(mine)
        mine.deal = deal
    clear_public(public, rules.seats)


@kernel
def deal_cards(game, rules, public, deal):
    """Shuffle and deal: the hands seat by seat, then the first upcard; the rest is the stock.

    The stock is shuffled as it is drawn, from the deck's stream alone, so that whoever draws, and
    with any number of seats, the order of the pack is the same.
    """
    rng.philox(game.seed, rng.DECK, deal, 0, game.state)
    clear_table(game, rules, public, deal)
    size, position = np.int64(rules.cards), 0
    for seat in range(rules.seats):
        first = position
        for _ in range(rules.hand_size):
            rng.draw_shuffled(game.stock, position, size, game.state)
            position += 1
        set_hand(seat_record(game.seat_at[seat]), rules, game, first, position)
    game.position = position
    begin_play(game, rules, public)


@kernel
def begin_play(game, rules, public):
    """Turn the first upcard over when all hands are dealt; the first turn comes next."""
    for seat in range(rules.seats):
        public.hand_sizes[seat] = rules.hand_size
    throw(public, draw_stock(game, public, rules), -1)
    public["round"] = 0
    game.where[AT_SEAT], game.where[AT_TURN] = rules.seats - 1, 0


@kernel
def deal_packs(game, rules, public, packs):
    """Deal, then draw all of the stock: the cards of int8[deals, cards] in their order."""
    for deal in range(packs.shape[0]):
        deal_cards(game, rules, public, deal)
        while public.stock_size > 0:
            draw_stock(game, public, rules)
        packs[deal] = game.stock[: packs.shape[1]]
