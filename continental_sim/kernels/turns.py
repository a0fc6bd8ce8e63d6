"""What the turns of all games have in common: a card is wanted, taken, chosen and thrown."""

import numpy as np

from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import call_entry
from continental_sim.kernels.records import FACES
from continental_sim.kernels.table import draw_stock, recycle, take_upcard, throw

# What a strategy is asked: columns of `entries`. The last is GO_OUT or LAY_DOWN, as the game goes.
TAKE, THROW, GO_OUT = range(3)
LAY_DOWN = GO_OUT

# Where a card came from: first column of `game.log`, before the card taken and the card thrown.
FROM_STOCK, FROM_PILE, FROM_RECYCLE = range(3)

# How a turn or a block went.
GOES_ON, WENT_OUT, NO_CARD, NO_TIME = range(4)
DONE, ILLEGAL_CARD, STRATEGY_FAILED = 0, -1, -2
FOREIGN_FAILED = -(1 << 62)  # the answer of an interpreted strategy that raised
NOTHING = -1  # in place of a face: there is no card to draw, and none is thrown

# Columns of the sums that all games have: `columns.behaviour_sums` and `face_sums`.
DEALS, TURNS, UPCARDS_TAKEN = range(3)
THROWN = 1

# Fields of `where`, kept up to date so that a failure can be placed.
AT_DEAL, AT_PLAYER, AT_SEAT, AT_TURN, AT_CARD = range(5)


@kernel
def ask(game, mine, question):
    """Put a question, TAKE, THROW or GO_OUT, to the player of a seat."""
    player = mine.player
    return call_entry(
        game.entries[player, question], game.foreign[player] != 0,
        game.seat_at[mine.seat], game.public_at, game.rules_at,
    )  # fmt: skip


@kernel
def draw_card(game, rules, public, mine, may_take):
    """Let a seat take the upcard, if it may, or draw from the stock, which may be recycled.

    The card is written into the log, but it is in no hand yet.

    Returns
    -------
    int
        Its face; NOTHING if there is none to draw; STRATEGY_FAILED.
    """
    seat, player = np.int64(mine.seat), np.int64(mine.player)
    wanted, source = np.int64(0), FROM_STOCK
    if may_take:
        wanted = ask(game, mine, TAKE)
        if wanted == FOREIGN_FAILED:
            return np.int64(STRATEGY_FAILED)
    if wanted != 0:
        face = take_upcard(public, seat)
        mine.taken = face
        if rules.bar_taken and mine.hand[face] == 0:
            mine.barred = face
        game.sums[player, UPCARDS_TAKEN] += 1
        source = FROM_PILE
    else:
        if public.stock_size == 0:
            if public.pile_size < 2 or public.recycles == rules.recycle_limit:
                return np.int64(NOTHING)
            recycle(game, public, mine.deal)
            source = FROM_RECYCLE
        face = draw_stock(game, public, rules)
    if game.logged < game.log_size:
        move = game.log[game.logged]
        move[0], move[1], move[2] = source, face, NOTHING
    return face


@kernel
def choose_card(game, mine):
    """Ask a seat which card it throws; return its face, ILLEGAL_CARD or STRATEGY_FAILED."""
    card = np.int64(ask(game, mine, THROW))
    if card < 0 or card >= FACES or mine.hand[card] == 0 or card == mine.barred:
        game.where[AT_CARD] = card
        return np.int64(STRATEGY_FAILED if card == FOREIGN_FAILED else ILLEGAL_CARD)
    return card


@kernel
def end_turn(game, public, mine, card):
    """Lay the card that a seat throws, and no longer holds, on the pile; NOTHING if it has none."""
    if card != NOTHING:
        throw(public, card, mine.seat)
        game.faces[card, THROWN] += 1
    if game.logged < game.log_size:
        game.log[game.logged][2] = card
        game.logged += 1
    mine.taken = -1
    mine.barred = -1
