"""The loop over the turns of a deal, and over the deals of a block, of whatever game."""

import numpy as np

from continental_sim.columns import CAPPED, DRAWN, EXIT, NONE
from continental_sim.kernels.dealing import deal_cards, seat_players, take_seating, take_seats
from continental_sim.kernels.games import (
    note_ending,
    note_opening,
    record_exit,
    record_no_exit,
    take_turn,
)
from continental_sim.kernels.jit import kernel
from continental_sim.kernels.records import seat_record
from continental_sim.kernels.turns import (
    AT_DEAL,
    AT_PLAYER,
    AT_SEAT,
    AT_TURN,
    DEALS,
    DONE,
    GOES_ON,
    NO_CARD,
    NO_TIME,
    TURNS,
    WENT_OUT,
)


@kernel
def next_turn(game, rules, public, outcome):
    """Play the turn that comes next in a deal; where it stands is all on the table.

    Returns
    -------
    int
        GOES_ON; WENT_OUT, NO_CARD or NO_TIME if the deal is over, and its outcome written;
        ILLEGAL_CARD or STRATEGY_FAILED, and ``game.where`` tells the place.
    """
    # By its key: interpreted, a record has a method of the name "round".
    seat = game.where[AT_SEAT] + 1
    if seat == rules.seats:
        if public["round"] == rules.max_rounds:
            return end_deal(game, rules, public, NO_TIME, outcome)
        seat = 0
        public["round"] += 1
    mine = seat_record(game.seat_at[seat])
    mine.turn = public["round"]
    game.where[AT_PLAYER], game.where[AT_SEAT] = mine.player, seat
    game.where[AT_TURN] += 1
    game.sums[mine.player, TURNS] += 1
    went = take_turn(game, rules, public, mine)
    return end_deal(game, rules, public, went, outcome) if went > GOES_ON else went


@kernel
def end_deal(game, rules, public, went, outcome):
    """Write how a deal went into its outcome; return `went`."""
    outcome.turns = game.where[AT_TURN]
    outcome.recycles = public.recycles
    if went == WENT_OUT:
        mine = seat_record(game.seat_at[game.where[AT_SEAT]])
        outcome.end = EXIT
        outcome.winner = mine.player
        outcome.seat = mine.seat
        record_exit(game, rules, mine, outcome)
    else:
        end_without_exit(rules, outcome, DRAWN if went == NO_CARD else CAPPED)
    return went


@kernel
def end_without_exit(rules, outcome, end):
    """Write a drawn or capped deal, in which nobody pays, into a deal's outcome."""
    outcome.end = end
    outcome.kind = NONE
    outcome.winner = NONE
    outcome.seat = NONE
    outcome.payment = 0
    record_no_exit(rules, outcome)


@kernel
def play_deal(game, rules, public, outcome):
    """Play a deal that lies dealt on the table to its end.

    Returns
    -------
    int
        DONE, ILLEGAL_CARD or STRATEGY_FAILED; ``game.where`` tells the place.
    """
    went = GOES_ON
    while went == GOES_ON:
        went = next_turn(game, rules, public, outcome)
    return min(went, DONE)


@kernel
def play_block(game, rules, public, first_deal, outcomes, openings):
    """Play consecutive deals.

    Parameters
    ----------
    game : record GAME
        The seed, the strategies and the addresses are set; its sums are added to.
    rules : record RULES
    public : record PUBLIC
    first_deal : int
        Index of the first deal; the first of a session if the winner deals next.
    outcomes : records OUTCOME[deals]
        Out.
    openings : records OPENING[deals, seats]
        Out.

    Returns
    -------
    int
        DONE, or why it stopped at ``game.where``: ILLEGAL_CARD, STRATEGY_FAILED.
    """
    number = np.int64(rules.seats)
    session, dealer = np.int64(-1), np.int64(0)
    for k in range(outcomes.shape[0]):
        deal = first_deal + k
        game.where[AT_DEAL] = deal
        outcome, pack = outcomes[k], deal
        outcome.deal = deal
        if game.seatings > 0:
            pack = deal // game.seatings
            outcome.dealer = take_seating(game, rules, deal % game.seatings)
        else:
            if deal // rules.session != session:
                session = deal // rules.session
                dealer = (seat_players(game, rules, session) + deal % rules.session) % number
            outcome.dealer = take_seats(game, rules, dealer)
        deal_cards(game, rules, public, pack)
        for seat in range(number):
            opening = openings[k, seat]
            opening.deal, opening.seat = deal, seat
            note_opening(rules, seat_record(game.seat_at[seat]), opening)
        status = play_deal(game, rules, public, outcome)
        if status != DONE:
            return status
        for seat in range(number):
            note_ending(rules, seat_record(game.seat_at[seat]), openings[k, seat])
        for player in range(number):
            game.sums[player, DEALS] += 1
        if game.seatings == 0 and outcome.end == EXIT and rules.winner_deals:
            while game.order[dealer] != outcome.winner:
                dealer = (dealer + 1) % number
        else:
            dealer = (dealer + 1) % number
    return DONE
