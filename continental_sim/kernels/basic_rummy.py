"""Basic Rummy: the turn, what is laid on the table, and what the winner scores."""

import numpy as np

from continental_sim.columns import NONE, ORDINARY, RUMMY
from continental_sim.kernels.jit import kernel
from continental_sim.kernels.laying import (
    best_laying,
    can_go_out,
    card_of,
    cards_in,
    face_of,
    most_laid,
    pips,
    set_ranks,
    stretches,
)
from continental_sim.kernels.memory import bits_set, lowest_bit
from continental_sim.kernels.records import seat_record
from continental_sim.kernels.turns import (
    FOREIGN_FAILED,
    GOES_ON,
    LAY_DOWN,
    NO_CARD,
    NOTHING,
    STRATEGY_FAILED,
    WENT_OUT,
    ask,
    choose_card,
    draw_card,
    end_turn,
)

__all__ = ["can_go_out"]

# Columns of the sums, beside those that all games have.
CARDS_LAID, LAYINGS_DECLINED = 3, 4
LAID = 0


@kernel
def set_hand(seat, rules, game, first, last):
    """Deal the cards first .. last - 1 of the stock to a seat whose record is cleared."""
    for position in range(first, last):
        face = np.int64(game.stock[position])
        seat.hand[face] += 1
        seat.cards |= card_of(face)


@kernel
def take_turn(game, rules, public, mine):
    """Play a turn: a card taken, melds and lay-offs, a card thrown.

    Returns
    -------
    int
        GOES_ON, WENT_OUT, NO_CARD (nothing to draw), ILLEGAL_CARD or STRATEGY_FAILED.
    """
    before, recycles = np.int64(mine.laid), np.int64(public.recycles)
    if public.upcard >= 0:
        public.seen |= card_of(np.int64(public.upcard))
    face = draw_card(game, rules, public, mine, True)
    if face < 0:
        return NO_CARD if face == NOTHING else STRATEGY_FAILED
    if public.recycles != recycles:
        forget_recycled(rules, public)
    mine.hand[face] += 1
    mine.cards |= card_of(face)
    if game.logged < game.log_size:
        game.log_laid[game.logged, 0], game.log_laid[game.logged, 1] = 0, 0
    if lay_down(game, rules, public, mine) == FOREIGN_FAILED:
        return STRATEGY_FAILED
    card = np.int64(NOTHING)
    if mine.cards != 0:
        card = choose_card(game, mine)
        if card < 0:
            return card
        mine.hand[card] -= 1
        mine.cards &= ~card_of(card)
    end_turn(game, public, mine, card)
    public.hand_sizes[mine.seat] = bits_set(mine.cards)
    if mine.cards != 0:
        return GOES_ON
    game.kind = RUMMY if before == 0 else ORDINARY
    game.thrown = card != NOTHING
    return WENT_OUT


@kernel
def forget_recycled(rules, public):
    """Count the discards that became the stock among the unseen cards."""
    for face in range(rules.cards):
        if public.recycled[face] > 0:
            public.seen &= ~card_of(face)


@kernel
def lay_down(game, rules, public, mine):
    """Lay the best melds and lay-offs of a hand, if there are any and its player agrees.

    Returns
    -------
    int
        The player's answer; 1 if it was not asked.
    """
    in_sets, in_runs = best_laying(rules, mine, public)
    if in_sets | in_runs == 0:
        return np.int64(1)
    player = np.int64(mine.player)
    if game.entries[player, LAY_DOWN] != 0:
        wish = ask(game, mine, LAY_DOWN)
        if wish == 0:
            game.sums[player, LAYINGS_DECLINED] += 1
        if wish == 0 or wish == FOREIGN_FAILED:
            return wish
    lay(game, public, mine, in_sets, in_runs)
    return np.int64(1)


@kernel
def lay(game, public, mine, in_sets, in_runs):
    """Lay cards of a hand on the table: in sets, and in places of runs."""
    cards = in_sets | cards_in(in_runs)
    mine.cards &= ~cards
    mine.laid += bits_set(cards)
    if set_ranks(in_sets) | stretches(in_runs, np.int64(0), True):
        mine.melded = 1
    public.sets |= in_sets
    public.runs |= in_runs
    public.seen |= cards
    game.sums[mine.player, CARDS_LAID] += bits_set(cards)
    if game.logged < game.log_size:
        game.log_laid[game.logged, 0], game.log_laid[game.logged, 1] = in_sets, in_runs
    while cards:
        face = face_of(lowest_bit(cards))
        cards &= cards - 1
        mine.hand[face] -= 1
        public.on_table[face] = 1
        if public.known[mine.seat, face] > 0:
            public.known[mine.seat, face] -= 1
        game.faces[face, LAID] += 1


@kernel
def record_exit(game, rules, mine, outcome):
    """Write what is Basic Rummy's own of a deal that a seat has won into its outcome."""
    score = np.int64(0)
    for seat in range(rules.seats):
        score += pips(np.int64(seat_record(game.seat_at[seat]).cards), np.int64(rules.ace_points))
    outcome.kind = game.kind
    outcome.payment = score * rules.going_rummy if game.kind == RUMMY else score
    outcome.thrown = game.thrown


@kernel
def record_no_exit(rules, outcome):
    """Write into an outcome that nothing of Basic Rummy's own came about."""
    outcome.thrown = NONE


@kernel
def note_opening(rules, mine, opening):
    """Write into an OPENING what a dealt hand is worth."""
    cards, none = np.int64(mine.cards), np.int64(0)
    in_sets, in_runs, _ = most_laid(rules, cards, none, none, False)
    melded = in_sets | cards_in(in_runs)
    opening.deadwood = pips(cards & ~melded, np.int64(rules.ace_points))
    opening.melded = bits_set(melded)


@kernel
def note_ending(rules, mine, opening):
    """Write into an OPENING what is left of the hand when the deal is over."""
    opening.player = mine.player
    opening.left = pips(np.int64(mine.cards), np.int64(rules.ace_points))
