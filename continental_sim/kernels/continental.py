"""Continental: the turn, the exit, and what is told of them."""

import numpy as np

from continental_sim.columns import DEALT, FIRST_TURN, LATER, NONE
from continental_sim.kernels.choices import exit_payment, in_one_suit, patterns_fitted
from continental_sim.kernels.holding import JOKER, cards_used, give, set_hand, take_away
from continental_sim.kernels.jit import kernel
from continental_sim.kernels.records import FACES
from continental_sim.kernels.turns import (
    FOREIGN_FAILED,
    GO_OUT,
    GOES_ON,
    NO_CARD,
    NOTHING,
    STRATEGY_FAILED,
    WENT_OUT,
    ask,
    choose_card,
    draw_card,
    end_turn,
)

__all__ = ["set_hand"]

# Columns of the sums, beside those that all games have.
WILDS_THROWN, EXITS_DECLINED = 3, 4
EXPOSED = 0


@kernel
def take_turn(game, rules, public, mine):
    """Play a turn: going out with the dealt hand, if it fits, or a card taken and a card thrown.

    Returns
    -------
    int
        GOES_ON, WENT_OUT (its cards fit and it says so), NO_CARD (nothing to draw), ILLEGAL_CARD
        or STRATEGY_FAILED.
    """
    game.kind = LATER
    if public["round"] == 1:
        game.kind = DEALT
        went = ask_to_go_out(game, rules, mine)
        if went != GOES_ON:
            return went
        game.kind = FIRST_TURN
    may_take = rules.takeable_wild or not rules.wild[public.upcard]
    face = draw_card(game, rules, public, mine, may_take)
    if face < 0:
        return NO_CARD if face == NOTHING else STRATEGY_FAILED
    give(mine, rules, face)
    card = choose_card(game, mine)
    if card < 0:
        return card
    take_away(mine, rules, card)
    end_turn(game, public, mine, card)
    if rules.wild[card]:
        game.sums[mine.player, WILDS_THROWN] += 1
    return ask_to_go_out(game, rules, mine)


@kernel
def ask_to_go_out(game, rules, mine):
    """Return WENT_OUT if a hand fits and its player agrees, else GOES_ON, or STRATEGY_FAILED."""
    if cards_used(mine, rules) < rules.hand_size:
        return GOES_ON
    if rules.must_exit or game.entries[mine.player, GO_OUT] == 0:
        return WENT_OUT
    wish = ask(game, mine, GO_OUT)
    if wish == FOREIGN_FAILED:
        return STRATEGY_FAILED
    if wish != 0:
        return WENT_OUT
    game.sums[mine.player, EXITS_DECLINED] += 1
    return GOES_ON


@kernel
def record_exit(game, rules, mine, outcome):
    """Write what is Continental's own of an exit, of exactly the cards held, into an outcome."""
    jokers = np.int64(mine.hand[JOKER])
    outcome.kind = game.kind
    outcome.payment = exit_payment(mine, rules, game.kind)
    outcome.deuces = mine.wilds - jokers
    outcome.jokers = jokers
    outcome.one_suit = in_one_suit(mine, rules)
    outcome.patterns = patterns_fitted(mine, rules)
    for face in range(FACES):
        game.faces[face, EXPOSED] += mine.hand[face]


@kernel
def record_no_exit(rules, outcome):
    """Write into an outcome that nothing of Continental's own came about."""
    outcome.deuces = NONE
    outcome.jokers = NONE
    outcome.one_suit = NONE
    outcome.patterns = 0


@kernel
def note_opening(rules, mine, opening):
    """Write into an OPENING what a dealt hand is worth."""
    jokers = np.int64(mine.hand[JOKER])
    opening.distance = rules.hand_size - cards_used(mine, rules)
    opening.deuces = mine.wilds - jokers
    opening.jokers = jokers


@kernel
def note_ending(rules, mine, opening):
    """Write nothing more: what a hand lays and gets is in the outcome."""


@kernel
def can_go_out(rules, mine, public):
    """Tell whether a hand can go out, of 16 cards after some discard."""
    return cards_used(mine, rules) == rules.hand_size
