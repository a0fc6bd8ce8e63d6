"""Multilevel splitting: a deal that comes nearer to an event goes on in several copies.

The stock is drawn lazily, so the records on the table are all that a deal is. Each time a deal
first reaches a *level* of its *score*, it is copied, and each copy goes on with random streams of
its own and an equal share of the weight. The branches of one *root* deal are played one after the
other, the last first, so that one saved deal a level is enough. A *leaf* is a branch's end.
"""

import numpy as np

from continental_sim.columns import CAPPED, DEALT, KINDS, LATER
from continental_sim.kernels import rng
from continental_sim.kernels.dealing import begin_play, clear_table, seat_as_in_study
from continental_sim.kernels.holding import (
    JOKER,
    bank_class,
    give,
    naturals_used,
    pair_class,
    recode,
)
from continental_sim.kernels.jit import kernel
from continental_sim.kernels.memory import array8_at, copy_memory
from continental_sim.kernels.playing import end_without_exit, next_turn
from continental_sim.kernels.records import GAME, PUBLIC_BYTES, SEAT_BYTES, seat_record
from continental_sim.kernels.table import draw_stock
from continental_sim.kernels.turns import AT_SEAT, AT_TURN, GOES_ON, NO_TIME

MOST_LEVELS = 64
ROUNDS = 24  # told apart; later ones are like the last
EVERY_SUIT, ONE_SUIT = range(2)
KIND_COUNT = len(KINDS)

GAME_BYTES = GAME.fields["log"][1]  # the log is no part of what comes next

# What leads to an event. The *worth* of a hand is how many of its cards may lie in an exit that is
# one; by the *time*, the cards dealt to it or the rounds played, it has a score.
GOAL = np.dtype(
    [
        ("by_turns", np.int32),  # 1 if the score is the number of turns instead
        ("last_turn", np.int32),  # after which the event cannot happen any more
        ("one_suit", np.int32),  # 1 if exits in one suit are worth something of their own
        ("learning", np.int32),  # 1 if `moves` are counted
        ("deuces", np.int32),  # lengths of the last axes of the table of worths
        ("jokers", np.int32),
        ("worth_at", np.uint64),  # uint8[seats, kinds, 2, hand_size + 1, deuces, jokers]
        ("score_at", np.uint64),  # uint8[kinds, times, hand_size + 1]
    ],
    align=True,
)

# One root deal and its branches. Arrays by level, from 0: what is kept where it was reached.
TREE = np.dtype(
    [
        ("next_root", np.int64),
        ("end_root", np.int64),  # the roots end before it
        ("root", np.int64),
        ("branches", np.int64),  # of the root so far
        ("depth", np.int64),  # levels that the branch has reached
        ("score", np.int64),
        ("best", np.int64),  # the highest score on the way that is tallied
        ("levels", np.int64),
        ("level", np.int64, MOST_LEVELS),  # scores, ascending
        ("copies", np.int64, MOST_LEVELS),
        ("left", np.int64, MOST_LEVELS),  # copies that are still to be played
        ("saved_score", np.int64, MOST_LEVELS),
        ("weight", np.float64, MOST_LEVELS + 1),  # of a branch, by the levels that it has reached
        ("cards", np.int64),  # dealt, of all roots
        ("turns", np.int64),  # played, of all roots
        ("saved_at", np.uint64),  # uint8[levels, bytes of a deal]
        ("saved_bytes", np.int64),
    ],
    align=True,
)


def deal_bytes(seats: int) -> int:
    """Return how much memory a saved deal takes [bytes]."""
    return GAME_BYTES + PUBLIC_BYTES + seats * SEAT_BYTES


@kernel
def save(game, rules, tree, place):
    """Copy the deal on the table to the memory of a level."""
    at = tree.saved_at + np.uint64(place * tree.saved_bytes)
    copy_memory(at, game.game_at, GAME_BYTES)
    copy_memory(at + np.uint64(GAME_BYTES), game.public_at, PUBLIC_BYTES)
    for seat in range(rules.seats):
        offset = GAME_BYTES + PUBLIC_BYTES + seat * SEAT_BYTES
        copy_memory(at + np.uint64(offset), game.seat_at[seat], SEAT_BYTES)


@kernel
def restore(game, rules, tree, place):
    """Lay the deal that was saved at a level on the table again."""
    at = tree.saved_at + np.uint64(place * tree.saved_bytes)
    copy_memory(game.game_at, at, GAME_BYTES)
    copy_memory(game.public_at, at + np.uint64(GAME_BYTES), PUBLIC_BYTES)
    for seat in range(rules.seats):
        offset = GAME_BYTES + PUBLIC_BYTES + seat * SEAT_BYTES
        copy_memory(game.seat_at[seat], at + np.uint64(offset), SEAT_BYTES)


@kernel
def begin_branch(game, rules, tree):
    """Give all that comes next in the deal on the table random streams of its own.

    The stock's is (seed, root, branch). A number drawn from it takes the place of the deal's in the
    keys of the recycled stock and of the dice.
    """
    rng.philox(game.seed, rng.BRANCH, tree.root, tree.branches, game.state)
    number = np.int64(rng.next_word(game.state) >> np.uint64(1))
    for seat in range(rules.seats):
        mine = seat_record(game.seat_at[seat])
        mine.deal = number
        mine.dice_ready = 0
    tree.branches += 1


@kernel
def begin_root(game, rules, public, tree):
    """Lay out the pack of the next root, unshuffled; the players sit as in that deal of a study."""
    tree.root = tree.next_root
    tree.next_root += 1
    tree.branches, tree.depth, tree.score, tree.best = 0, 0, 0, 0
    game.where[AT_TURN] = 0
    clear_table(game, rules, public, 0)
    seat_as_in_study(game, rules, tree.root)
    for seat in range(rules.seats):
        for bank in range(4):
            recode(seat_record(game.seat_at[seat]), rules, bank)
    public["round"] = 0
    begin_branch(game, rules, tree)


@kernel
def step(game, rules, public, goal, tree, outcome, moves, cell):
    """Deal the next card, or play the next turn; return as `next_turn`, with the score brought up.

    Cards are dealt as they are in any deal: seat by seat, each drawn from the stock.
    """
    size, dealt = np.int64(rules.hand_size), np.int64(game.position)
    if public["round"] == 0 and dealt < rules.seats * size:
        mine = seat_record(game.seat_at[dealt // size])
        held = dealt % size + 1
        if goal.learning and held > 1:
            look_back(mine, rules, goal, DEALT, held - 2, cell, moves)
        give(mine, rules, draw_stock(game, public, rules))
        tree.cards += 1
        if not goal.by_turns:
            tree.score = score_of(mine, rules, goal, DEALT, held - 1)
        if goal.learning and held > 1:
            note_moves(mine, rules, goal, DEALT, held - 1, cell, moves)
        if dealt + 1 == rules.seats * size:
            begin_play(game, rules, public)
        return GOES_ON
    if game.where[AT_TURN] == goal.last_turn:
        # Too late: it goes on until it is capped, say, which is not the event either.
        outcome.turns = rules.max_rounds * rules.seats
        outcome.recycles = public.recycles
        end_without_exit(rules, outcome, CAPPED)
        return NO_TIME
    seat = (game.where[AT_SEAT] + 1) % rules.seats
    mine = seat_record(game.seat_at[seat])
    if goal.learning:
        first = DEALT if mine.turn == 0 else LATER
        look_back(mine, rules, goal, first, time_of(rules, mine.turn), cell, moves)
    went = next_turn(game, rules, public, outcome)
    tree.turns += 1
    if went == GOES_ON and goal.by_turns:
        tree.score = game.where[AT_TURN]
    elif went == GOES_ON:
        time = time_of(rules, mine.turn)
        tree.score = score_of(mine, rules, goal, LATER, time)
        if goal.learning:
            note_moves(mine, rules, goal, LATER, time, cell, moves)
    return went


@kernel
def time_of(rules, turns):
    """Return the time of a hand whose player has played so many turns."""
    return np.int64(rules.hand_size) - 1 + min(np.int64(turns), ROUNDS)


@kernel
def score_of(mine, rules, goal, first_kind, time):
    """Return the score of a hand, of which exits from a kind on are in reach."""
    size = np.int64(rules.hand_size)
    scores = array8_at(goal.score_at, KIND_COUNT * (size + ROUNDS) * (size + 1))
    best = np.int64(0)
    every, alone = cards_that_fit(mine, rules, goal)
    for kind in range(first_kind, KIND_COUNT):
        worth = worth_of(mine, rules, goal, kind, time, every, alone)
        place = (kind * (size + ROUNDS) + time) * (size + 1) + worth
        best = max(best, np.int64(scores[place]))
    return best


@kernel
def look_back(mine, rules, goal, first_kind, time, cell, moves):
    """Keep where a hand stands, its worths and its time, and count that it moves from there."""
    every, alone = cards_that_fit(mine, rules, goal)
    cell[KIND_COUNT] = time
    for kind in range(KIND_COUNT):
        cell[kind] = 0
        if kind >= first_kind:
            cell[kind] = worth_of(mine, rules, goal, kind, time, every, alone)
            moves[kind, time, cell[kind], rules.hand_size + 1] += 1


@kernel
def note_moves(mine, rules, goal, first_kind, time, cell, moves):
    """Count where a hand has come to from where it stood."""
    every, alone = cards_that_fit(mine, rules, goal)
    for kind in range(first_kind, KIND_COUNT):
        worth = worth_of(mine, rules, goal, kind, time, every, alone)
        moves[kind, cell[KIND_COUNT], cell[kind], worth] += 1


@kernel
def worth_of(mine, rules, goal, kind, time, every, alone):
    """Return the most cards of a hand that may lie in an exit of a kind that is the event.

    It is 0 if such an exit is out of reach: if dealt, it needs each card of the hand, and in the
    first turn all but one.

    Parameters
    ----------
    mine : record SEAT
    rules : record RULES
    goal : record GOAL
    kind : int
    time : int
        Below `hand_size` the cards held, less one.
    every, alone : int
        See `cards_that_fit`.
    """
    size = np.int64(rules.hand_size)
    jokers = np.int64(mine.hand[JOKER])
    deuces = mine.wilds - jokers
    table = array8_at(
        goal.worth_at, rules.seats * KIND_COUNT * 2 * (size + 1) * goal.deuces * goal.jokers
    )
    place = ((mine.seat * KIND_COUNT + kind) * 2 + EVERY_SUIT) * (size + 1) + every
    worth = np.int64(table[(place * goal.deuces + deuces) * goal.jokers + jokers])
    if goal.one_suit:
        place = ((mine.seat * KIND_COUNT + kind) * 2 + ONE_SUIT) * (size + 1) + alone
        worth = max(worth, np.int64(table[(place * goal.deuces + deuces) * goal.jokers + jokers]))
    if kind != LATER and min(time + 1, size) - worth > kind:
        return np.int64(0)
    return worth


@kernel
def cards_that_fit(mine, rules, goal):
    """Return the most naturals of a hand that one layout can use, and those of a single suit.

    Groups take a card of each suit: there the second number is the first, which is too many.
    """
    every = naturals_used(rules, np.int64(mine.pair[0]), np.int64(mine.pair[1]))
    if rules.groups or not goal.one_suit:
        return every, every
    none = bank_class(rules, 0)
    no_pair, alone = pair_class(rules, none, none), np.int64(0)
    for suit in range(4):
        pair = pair_class(rules, np.int64(mine.kind[suit]), none)
        alone = max(alone, naturals_used(rules, pair, no_pair))
    return every, alone


@kernel
def tally(tree, score, reached, arrivals):
    """Note that the branch, with its weight, has come as far as a score."""
    while tree.best < score:
        tree.best += 1
        reached[tree.best] += tree.weight[tree.depth]
        arrivals[tree.best] += 1


@kernel
def split(game, rules, tree, reached, arrivals):
    """Save the deal at each level that its score has reached; one copy of it is gone on with."""
    while tree.depth < tree.levels and tree.score >= tree.level[tree.depth]:
        tally(tree, tree.level[tree.depth], reached, arrivals)
        tree.left[tree.depth] = tree.copies[tree.depth] - 1
        tree.saved_score[tree.depth] = tree.score
        save(game, rules, tree, tree.depth)
        tree.depth += 1
    tally(tree, tree.score, reached, arrivals)


@kernel
def next_branch(game, rules, public, tree, reached, arrivals):
    """Put the root's next branch on the table, or the next root; return whether there is one."""
    while tree.depth > 0 and tree.left[tree.depth - 1] == 0:
        tree.depth -= 1
    if tree.depth == 0:
        if tree.next_root == tree.end_root:
            return False
        begin_root(game, rules, public, tree)
        return True
    place = tree.depth - 1
    tree.left[place] -= 1
    tree.score = tree.saved_score[place]
    tree.best = tree.level[place]
    restore(game, rules, tree, place)
    begin_branch(game, rules, tree)
    split(game, rules, tree, reached, arrivals)
    return True


@kernel
def next_leaves(game, rules, public, goal, tree, leaves, weights, cells, reached, arrivals, moves):
    """Play branches to their ends until the memory for leaves is full, or the roots are done.

    Parameters
    ----------
    game : record GAME
    rules : record RULES
    public : record PUBLIC
    goal : record GOAL
    tree : record TREE
        Says where to begin, and where it stopped.
    leaves : records OUTCOME[n]
        Out; the deal of each is its root.
    weights : float64[n]
        Out: those of one root add up to 1.
    cells : int64[n, kinds + 1]
        Out: how the hand that moved last stood before, its worths by kind and its time.
    reached : float64[scores]
        Added to: the weights of the branches that came to a score, or beyond it.
    arrivals : int64[scores]
        Added to: their number.
    moves : int64[kinds, times, hand_size + 1, hand_size + 3]
        Added to, if the goal says so: hands by the time, the worth, and the worth a step later;
        behind these how many took that step, whatever it led to.

    Returns
    -------
    int
        Leaves; fewer than there is room for when the roots are done. ILLEGAL_CARD or
        STRATEGY_FAILED if play has failed at ``game.where``.
    """
    for k in range(leaves.shape[0]):
        if not next_branch(game, rules, public, tree, reached, arrivals):
            return k
        went = GOES_ON
        while went == GOES_ON:
            went = step(game, rules, public, goal, tree, leaves[k], moves, cells[k])
            if went == GOES_ON and tree.score > tree.best:
                split(game, rules, tree, reached, arrivals)
        if went < GOES_ON:
            return went
        leaves[k].deal = tree.root
        leaves[k].dealer = seat_record(game.seat_at[rules.seats - 1]).player
        weights[k] = tree.weight[tree.depth]
    return leaves.shape[0]
