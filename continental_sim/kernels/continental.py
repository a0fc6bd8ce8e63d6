"""Continental: the deal, the turn, the exit, and the loop over a block of deals."""

import numpy as np

from continental_sim.columns import CAPPED, DEALT, DRAWN, EXIT, FIRST_TURN, LATER, NONE
from continental_sim.kernels import rng
from continental_sim.kernels.choices import exit_payment, in_one_suit, patterns_fitted
from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import array8_at, call_entry
from continental_sim.kernels.records import FACES, seat_record
from continental_sim.kernels.table import (
    JOKER,
    cards_used,
    clear_public,
    clear_seat,
    draw_stock,
    give,
    recycle,
    set_hand,
    take_away,
    take_upcard,
    throw,
)

# What a strategy is asked: columns of `entries`.
TAKE, THROW, GO_OUT = range(3)

# Where a card came from: first column of `game.log`, before the card taken and the card thrown.
FROM_STOCK, FROM_PILE, FROM_RECYCLE = range(3)

# How a turn or a block went.
GOES_ON, WENT_OUT, NO_CARD, NO_TIME = range(4)
DONE, ILLEGAL_CARD, STRATEGY_FAILED = 0, -1, -2
FOREIGN_FAILED = -(1 << 62)  # the answer of an interpreted strategy that raised

# Columns of the sums: columns.BEHAVIOUR_SUMS and FACE_SUMS.
DEALS, TURNS, UPCARDS_TAKEN, WILDS_THROWN, EXITS_DECLINED = range(5)
EXPOSED, THROWN = range(2)

# Fields of `where`, kept up to date so that a failure can be placed.
AT_DEAL, AT_PLAYER, AT_SEAT, AT_TURN, AT_CARD = range(5)


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


@kernel
def ask(game, mine, question):
    """Put a question, TAKE, THROW or GO_OUT, to the player of a seat."""
    player = mine.player
    return call_entry(
        game.entries[player, question], game.foreign[player] != 0,
        game.seat_at[mine.seat], game.public_at, game.rules_at,
    )  # fmt: skip


@kernel
def take_turn(game, rules, public, mine):
    """Play one turn of a seat that cannot or will not go out before drawing.

    Returns
    -------
    int
        GOES_ON, WENT_OUT (its cards fit and it says so), NO_CARD (nothing to draw), ILLEGAL_CARD
        or STRATEGY_FAILED.
    """
    seat, player = np.int64(mine.seat), np.int64(mine.player)
    wanted, source = np.int64(0), FROM_STOCK
    if rules.takeable_wild or not rules.wild[public.upcard]:
        wanted = ask(game, mine, TAKE)
        if wanted == FOREIGN_FAILED:
            return STRATEGY_FAILED
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
                return NO_CARD
            recycle(game, public, mine.deal)
            source = FROM_RECYCLE
        face = draw_stock(game, public, rules)
    give(mine, rules, face)

    card = ask(game, mine, THROW)
    if card < 0 or card >= FACES or mine.hand[card] == 0 or card == mine.barred:
        game.where[AT_CARD] = card
        return STRATEGY_FAILED if card == FOREIGN_FAILED else ILLEGAL_CARD
    take_away(mine, rules, card)
    throw(public, card, seat)
    if game.logged < game.log_size:
        move = game.log[game.logged]
        move[0], move[1], move[2] = source, face, card
        game.logged += 1
    mine.taken = -1
    mine.barred = -1
    game.faces[card, THROWN] += 1
    if rules.wild[card]:
        game.sums[player, WILDS_THROWN] += 1
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
def record_exit(game, rules, mine, kind, outcome):
    """Write an exit, of exactly the cards that a seat holds, into a deal's outcome."""
    jokers = np.int64(mine.hand[JOKER])
    outcome.end = EXIT
    outcome.kind = kind
    outcome.winner = mine.player
    outcome.seat = mine.seat
    outcome.payment = exit_payment(mine, rules, kind)
    outcome.deuces = mine.wilds - jokers
    outcome.jokers = jokers
    outcome.one_suit = in_one_suit(mine, rules)
    outcome.patterns = patterns_fitted(mine, rules)
    for face in range(FACES):
        game.faces[face, EXPOSED] += mine.hand[face]


@kernel
def record_no_exit(outcome, end):
    """Write a drawn or capped deal, in which nobody pays, into a deal's outcome."""
    outcome.end = end
    outcome.kind = NONE
    outcome.winner = NONE
    outcome.seat = NONE
    outcome.payment = 0
    outcome.deuces = NONE
    outcome.jokers = NONE
    outcome.one_suit = NONE
    outcome.patterns = 0


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
            return end_deal(game, rules, public, NO_TIME, NONE, outcome)
        seat = 0
        public["round"] += 1
    mine = seat_record(game.seat_at[seat])
    mine.turn = public["round"]
    game.where[AT_PLAYER], game.where[AT_SEAT] = mine.player, seat
    game.where[AT_TURN] += 1
    game.sums[mine.player, TURNS] += 1
    kind, went = LATER, GOES_ON
    if public["round"] == 1:
        kind = DEALT
        went = ask_to_go_out(game, rules, mine)
    if went == GOES_ON:
        kind = max(kind, FIRST_TURN)
        went = take_turn(game, rules, public, mine)
    return end_deal(game, rules, public, went, kind, outcome) if went > GOES_ON else went


@kernel
def end_deal(game, rules, public, went, kind, outcome):
    """Write how a deal went into its outcome; return `went`."""
    outcome.turns = game.where[AT_TURN]
    outcome.recycles = public.recycles
    if went == WENT_OUT:
        record_exit(game, rules, seat_record(game.seat_at[game.where[AT_SEAT]]), kind, outcome)
    else:
        record_no_exit(outcome, DRAWN if went == NO_CARD else CAPPED)
    return went


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
def note_openings(game, rules, deal, k, openings):
    """Write the dealt hands of block's deal k into records OPENING[deals, seats]."""
    for seat in range(rules.seats):
        mine = seat_record(game.seat_at[seat])
        jokers = np.int64(mine.hand[JOKER])
        opening = openings[k, seat]
        opening.deal = deal
        opening.seat = seat
        opening.distance = rules.hand_size - cards_used(mine, rules)
        opening.deuces = mine.wilds - jokers
        opening.jokers = jokers


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
            if deal // number != session:
                session = deal // number
                dealer = (seat_players(game, rules, session) + deal % number) % number
            outcome.dealer = take_seats(game, rules, dealer)
        deal_cards(game, rules, public, pack)
        note_openings(game, rules, deal, k, openings)
        status = play_deal(game, rules, public, outcome)
        if status != DONE:
            return status
        for player in range(number):
            game.sums[player, DEALS] += 1
        if game.seatings == 0 and outcome.end == EXIT and rules.winner_deals:
            while game.order[dealer] != outcome.winner:
                dealer = (dealer + 1) % number
        else:
            dealer = (dealer + 1) % number
    return DONE
