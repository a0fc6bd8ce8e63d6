"""What each discard of a decision leads to: played to the end, on the same cards.

A turn of a player is taken back and played again with each discard that it may choose. What lies
hidden is as it was; what is drawn after the turn comes from new streams, the same for each discard
(the dice, and a stock that is recycled, keep the deal's own). So what discards lead to differs by
what they are worth, and by little else: it takes far fewer deals to tell than the ledgers of whole
studies would (common random numbers).
"""

import numpy as np

from continental_sim.columns import EXIT
from continental_sim.kernels import rng
from continental_sim.kernels.dealing import deal_cards, seat_as_in_study
from continental_sim.kernels.holding import cards_used, used_if
from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import lowest_bit
from continental_sim.kernels.playing import next_turn, play_deal
from continental_sim.kernels.records import FACES, seat_record
from continental_sim.kernels.splitting import restore, save
from continental_sim.kernels.turns import AT_SEAT, GO_OUT, GOES_ON

PLAYS = 4  # of each discard
EVERY = 3  # turns, one is looked at; no divisor of the seats, so that each seat has its turn
COUNTS = 15  # in the memo of a strategy that counts what is near a card
LOST, ASKED = 13, 15  # places in the memo: outs that the card costs; what the tuner asks
MASK = 14  # answer: the discards to choose from

OPTION = np.dtype(
    [
        ("decision", np.int64),
        ("counts", np.int16, COUNTS),
        ("lost", np.int16),  # [outs]
        ("distance", np.int16),  # before the throw
        ("wanted", np.int8),  # 1 if it shortens the next player's distance
        ("ledger", np.float64),  # [points] of the player that throws, mean of all plays
    ]
)


@kernel
def weigh(game, rules, public, tree, outcome, probe, own, learns, first_deal, deals, options):
    """Play deals, and at some turns each discard to choose from; return how many options came.

    Turns are left out when there is no room left.
    """
    number, turns = 0, np.int64(0)
    for deal in range(first_deal, first_deal + deals):
        seat_as_in_study(game, rules, deal)
        deal_cards(game, rules, public, deal)
        went = GOES_ON
        while went == GOES_ON:
            mine = seat_record(game.seat_at[(game.where[AT_SEAT] + 1) % rules.seats])
            turns += 1
            room = number + FACES <= options.shape[0]
            if learns[mine.player] and turns % EVERY == 0 and room:
                key = (first_deal << 20) + turns
                number = weigh_turn(
                    game, rules, public, tree, outcome, mine, probe, own, key, options, number
                )
            went = next_turn(game, rules, public, outcome)
    return number


@kernel
def weigh_turn(game, rules, public, tree, outcome, mine, probe, own, key, options, number):
    """Play the turn that comes with each discard, and take it back; return the options so far."""
    seat, player = np.int64(mine.seat), np.int64(mine.player)
    save(game, rules, tree, 0)
    went = ask_for(game, rules, public, outcome, mine, probe, -1)
    mask = np.int64(mine.memo[MASK]) if went == GOES_ON else np.int64(0)
    restore(game, rules, tree, 0)
    if mask & (mask - 1) == 0:  # nothing to choose from
        return number
    while mask:
        face = lowest_bit(mask)
        mask &= mask - 1
        option = options[number]
        number += 1
        option.ledger = 0.0
        for play in range(PLAYS):
            went = ask_for(game, rules, public, outcome, mine, probe, face)
            if play == 0:
                note_option(game, rules, mine, face, key, option)
            mine.memo[:] = 0
            for question in range(GO_OUT + 1):
                game.entries[player, question] = own[player, question]
            if went == GOES_ON:
                rng.philox(game.seed, rng.BRANCH, key, play, game.state)
                play_deal(game, rules, public, outcome)
            if outcome.end == EXIT:
                share = rules.seats - 1 if outcome.seat == seat else -1
                option.ledger += share * outcome.payment / PLAYS
            restore(game, rules, tree, 0)
    return number


@kernel
def ask_for(game, rules, public, outcome, mine, probe, face):
    """Play the turn that comes by the probe, which throws a face if one is named."""
    for question in range(GO_OUT + 1):
        game.entries[mine.player, question] = probe[question]
    mine.memo[ASKED] = face + 1
    return next_turn(game, rules, public, outcome)


@kernel
def note_option(game, rules, mine, face, key, option):
    """Write what the probe has counted about a face, and who wants it, after the throw."""
    option.decision = key
    for place in range(COUNTS):
        option.counts[place] = mine.memo[place]
    option.lost = mine.memo[LOST]
    option.distance = rules.hand_size - cards_used(mine, rules)
    after = seat_record(game.seat_at[(mine.seat + 1) % rules.seats])
    option.wanted = used_if(after, rules, face, 1) > cards_used(after, rules)
