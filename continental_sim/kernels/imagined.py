"""Deals that a player imagines, from what it may know, played to their ends: rollouts.

The cards that it does not know of are dealt at random to the other hands and to the stock, on a
table of their own, and the engine plays on. The real table is not read: a seat's record has the
address of the other one alone. What is imagined hangs on the turn and on the number of the deal, so
that whatever may be thrown in a turn is judged by the same deals.
"""

import numpy as np
from numba import int64, uint64

from continental_sim.columns import EXIT
from continental_sim.kernels import rng
from continental_sim.kernels.choices import best_discard, nearest_discard
from continental_sim.kernels.holding import cards_used, give, set_hand, take_away, used_if
from continental_sim.kernels.jit import entry, kernel
from continental_sim.kernels.memory import copy_memory, record_address
from continental_sim.kernels.outs import note_hidden
from continental_sim.kernels.playing import play_deal
from continental_sim.kernels.records import (
    FACES,
    MOST_SEATS,
    PUBLIC_BYTES,
    SEAT_BYTES,
    game_record,
    public_record,
    rules_record,
    seat_record,
)
from continental_sim.kernels.rollouts import CHOICES, MOST_ROLLOUTS, NOTHING
from continental_sim.kernels.table import clear_seat, throw
from continental_sim.kernels.turns import AT_SEAT, AT_TURN


@kernel
def imagine(game, rules, seat, public, number):
    """Lay a deal that a seat may be in, as far as it knows, on another table.

    Until a recycle the other hands have then drawn and thrown as often as their players: without
    that they would be no better than dealt (measured: the seat expects 4 points too many in turn
    5, with it none). After it, each way to deal the hidden cards is as likely as another.

    Parameters
    ----------
    game : record GAME
        Of the other table.
    rules : record RULES
    seat, public : records SEAT and PUBLIC
        Of the view; the hidden cards are noted in the seat's.
    number : int
        Of the deal, in this turn.
    """
    index = (np.int64(seat.turn) * MOST_ROLLOUTS + number) * MOST_SEATS + seat.player
    rng.philox(seat.dice_key, rng.WORLD, seat.deal, index, game.state)
    game.seed = rng.next_word(game.state)
    copy_memory(game.public_at, record_address(public), PUBLIC_BYTES)
    size, position = shuffle_hidden(game, rules, seat, public), np.int64(0)
    for other in range(rules.seats):
        theirs = seat_record(game.seat_at[other])
        if other == seat.seat:
            copy_memory(game.seat_at[other], record_address(seat), SEAT_BYTES)
        else:
            first = position
            position = min(size, first + hidden_cards(rules, public, other))
            clear_seat(theirs)
            theirs.deal = seat.deal  # a recycled stock is shuffled by it
            set_hand(theirs, rules, game, first, position)
            for face in range(FACES):
                for _ in range(public.known[other, face]):
                    give(theirs, rules, face)
        theirs.player = other
    game.position, game.stock_end = position, size
    public_record(game.public_at).stock_size = size - position
    if public.recycles == 0 and position < size:
        for other in range(rules.seats):
            if other != seat.seat:
                improve(game, rules, public, seat_record(game.seat_at[other]), other < seat.seat)


@kernel
def hidden_cards(rules, public, seat):
    """Count the cards of another hand that are not known [cards]."""
    number = np.int64(rules.hand_size)
    for face in range(FACES):
        number -= public.known[seat, face]
    return number


@kernel
def shuffle_hidden(game, rules, seat, public):
    """Write the hidden cards into a stock, those of the hands first, shuffled; return their number.

    After a recycle, what did not go into the stock is in hands. Of the rest, the cards that are in
    hands are drawn.
    """
    sure, hands = np.int64(0), np.int64(0)
    if public.recycles > 0:
        for face in range(FACES):
            for _ in range(public.recycled[face], seat.unseen[face]):
                game.stock[sure] = face
                sure += 1
    size = sure
    for face in range(FACES):
        number = np.int64(seat.unseen[face])
        if public.recycles > 0:
            number = min(number, np.int64(public.recycled[face]))
        for _ in range(number):
            game.stock[size] = face
            size += 1
    for other in range(rules.seats):
        if other != seat.seat:
            hands += hidden_cards(rules, public, other)
    hands = min(hands, size)
    for position in range(sure, hands):
        rng.draw_shuffled(game.stock, position, size, game.state)
    if sure > 0:
        for position in range(hands):
            rng.draw_shuffled(game.stock, position, hands, game.state)
    if rules.turned and public.recycles > 0:  # such a stock is drawn as it lies
        for position in range(hands, size):
            rng.draw_shuffled(game.stock, position, size, game.state)
    return size


@kernel
def improve(game, rules, public, mine, acted):
    """Let a hand draw and throw as often as its player has; what it throws goes back at random.

    It keeps the cards that it is known to hold, and it does not get to an exit, since its player
    has not. More turns than it has cards change nothing much.
    """
    left = np.int64(game.stock_end) - game.position
    for turn in range(min(public["round"] - 1 + acted, np.int64(rules.hand_size))):
        mine.turn = turn
        place = game.position + rng.below(game.state, left)
        card = np.int64(game.stock[place])
        give(mine, rules, card)
        if cards_used(mine, rules) < rules.hand_size:
            other = nearest_discard(mine, rules)
            if mine.hand[other] > public.known[mine.seat, other]:
                card = other
        take_away(mine, rules, card)
        game.stock[place] = card


@kernel
def begin(game, rules, public, mine):
    """Let the deal go on after a seat's throw, or with its turn if it has not thrown yet."""
    seat = np.int64(mine.seat)
    game.where[AT_TURN] = 0
    if public.pile_size > 0 and public.thrower[public.pile_size - 1] == seat:
        game.where[AT_SEAT] = seat
    elif seat > 0:
        game.where[AT_SEAT] = seat - 1
    else:
        game.where[AT_SEAT] = rules.seats - 1
        public["round"] -= 1


@entry(int64(uint64, uint64, uint64))
def take(seat_at, public_at, rules_at):
    """Tell whether a player of an imagined deal takes the upcard: if it shortens the distance."""
    seat, public, rules = seat_record(seat_at), public_record(public_at), rules_record(rules_at)
    face = np.int64(public.upcard)
    if seat.hand[face] >= rules.copies[face]:
        return 0
    return np.int64(used_if(seat, rules, face, 1) > cards_used(seat, rules))


@entry(int64(uint64, uint64, uint64))
def discard(seat_at, public_at, rules_at):
    """Return what a player of an imagined deal throws."""
    return np.int64(best_discard(seat_record(seat_at), rules_record(rules_at)))


@entry(int64(uint64, uint64, uint64))
def play(seat_at, public_at, question):
    """Return what a seat gets in the deals that it imagines, added up [points].

    Parameters
    ----------
    seat_at, public_at : uint64
        Of the view.
    question : uint64
        What it throws first, and how many deals: see `rollouts`.
    """
    seat, public = seat_record(seat_at), public_record(public_at)
    game = game_record(seat.imagined_at)
    rules, there = rules_record(game.rules_at), public_record(game.public_at)
    mine = seat_record(game.seat_at[seat.seat])
    face, total = np.int64(question) % CHOICES - 1, np.int64(0)
    note_hidden(seat, public, rules)
    for number in range(np.int64(question) // CHOICES):
        imagine(game, rules, seat, public, number)
        if face != NOTHING:
            take_away(mine, rules, face)
            throw(there, face, mine.seat)
            mine.taken, mine.barred = -1, -1
        begin(game, rules, there, mine)
        play_deal(game, rules, there, game.outcome)
        if game.outcome.end == EXIT:
            payment = np.int64(game.outcome.payment)
            total += (rules.seats - 1) * payment if game.outcome.winner == mine.seat else -payment
    return total
