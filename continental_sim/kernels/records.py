"""The records of a game in memory: what a seat holds, what all see, the rules, what is hidden.

Compiled functions take records, not arrays: a record is one bare pointer, while an array is
counted in and out of every call (measured: 70 % more time a deal).
"""

import numpy as np
from numba import from_dtype, types
from numba.extending import intrinsic, overload

from continental_sim.columns import OUTCOME
from continental_sim.kernels.memory import registered

FACES = 53
MOST_SEATS = 12
MOST_CARDS = 512
MEMO = 16
MOST_MOVES = 1 << 13
MOST_HELD = 28  # cards of one kind in a hand, and one more
MOST_PATTERNS = 8
MOST_RUNS = 16  # of a layout
HELD_BITS = 16  # of a bank's mask of naturals held

SEAT = np.dtype(
    [
        ("kind", np.int32, 4),  # meld class of each bank of the hand
        ("code", np.int32, 4),  # vector numbers of the banks
        ("beyond", np.int32, 4),  # cards of each bank that its vector does not count
        ("held", np.int32, 4),  # masks of naturals held
        ("pair", np.int32, 2),  # pair classes of banks 0 1 and 2 3
        ("wilds", np.int32),
        ("seat", np.int32),
        ("player", np.int32),
        ("turn", np.int32),
        ("taken", np.int32),
        ("barred", np.int32),
        # Of Basic Rummy alone: cards laid in this deal, and whether in a meld of its own.
        ("laid", np.int32),
        ("melded", np.int32),
        ("dice_ready", np.int32),
        ("dice_key", np.uint64),
        ("deal", np.int64),
        ("cards", np.int64),  # held, as `laying` sees them: of Basic Rummy alone
        ("rollouts_entry", np.uint64),  # address of the function that plays them; 0 for none
        ("imagined_at", np.uint64),  # record GAME of the table that they are played on
        ("dice", np.uint64, 4),
        ("memo", np.int64, MEMO),
        ("hand", np.int8, FACES),
        ("read_own", np.int8, FACES),  # copies of each of `own_face` read as cards of its suit
        # Scratch of `outs`: written and read within one call.
        ("unseen", np.int8, FACES),  # copies of each face that may come from the stock
        ("aside", np.int8, FACES),  # wild cards put aside
        ("out_spot", np.int8, 4 * HELD_BITS),  # natural outs: 16 * bank + place, bank by bank
        ("outs_listed", np.int32, 4),  # where those of each bank end
        ("outs_lost", np.int16, FACES),  # by the face thrown
        ("out_kind", np.uint16, 4 * HELD_BITS),  # by spot: the class of its bank with one more
        ("out_pair", np.uint16, 4 * HELD_BITS),  # by spot: the pair class
    ],
    align=True,
)

PUBLIC = np.dtype(
    [
        ("upcard", np.int32),
        ("pile_size", np.int32),
        ("stock_size", np.int32),
        ("recycles", np.int32),
        ("round", np.int32),
        ("recycled_any", np.int32),
        ("sets", np.int64),  # cards on the table in sets, and places of those in runs: see `laying`
        ("runs", np.int64),
        # Cards of Basic Rummy that lie in the pile or on the table or are known in a hand.
        ("seen", np.int64),
        ("on_table", np.int8, FACES),
        ("hand_sizes", np.int8, MOST_SEATS),
        ("in_pile", np.int8, FACES),
        ("recycled", np.int8, FACES),
        ("known", np.int8, (MOST_SEATS, FACES)),
        ("pile", np.int8, MOST_CARDS),
        ("thrower", np.int8, MOST_CARDS),
    ],
    align=True,
)

GAME = np.dtype(
    [
        ("seed", np.uint64),
        ("state", np.uint64, 4),  # generator of the stock, or of the session's order
        # By player: addresses of take, throw, and go out or lay down (0: always yes).
        ("entries", np.uint64, (MOST_SEATS, 3)),
        ("seat_at", np.uint64, MOST_SEATS),
        ("game_at", np.uint64),
        ("public_at", np.uint64),
        ("rules_at", np.uint64),
        ("seatings_at", np.uint64),
        ("seatings", np.int64),  # in which each pack is dealt again; 0 if none is
        ("sums", np.int64, (MOST_SEATS, 5)),  # by player: columns.BEHAVIOUR_SUMS
        ("faces", np.int64, (FACES, 2)),  # columns.FACE_SUMS
        ("order", np.int64, MOST_SEATS),  # players round the table
        ("where", np.int64, 5),  # deal, player, seat, turn, card: the place of a failure
        ("outcome", OUTCOME),  # of a deal that is imagined
        ("kind", np.int32),  # how the seat goes out that is about to
        ("thrown", np.int32),  # whether it goes out by its discard, in Basic Rummy
        ("foreign", np.int32, MOST_SEATS),  # by player: 1 if its strategy is interpreted
        ("position", np.int32),  # of the next card of the stock
        ("stock_end", np.int32),
        ("fixed_order", np.int32),
        ("logged", np.int32),  # moves in the log
        ("log_size", np.int32),  # moves to log; 0 but when a deal is replayed
        ("stock", np.int8, MOST_CARDS),
        # Last: what is copied of a deal ends before it.
        ("log", np.int8, (MOST_MOVES, 3)),
        ("log_laid", np.int64, (MOST_MOVES, 2)),  # sets and runs, as on the table
    ],
    align=True,
)

RULES = np.dtype(
    [
        ("kinds_at", np.uint64),
        ("kind_states_at", np.uint64),
        ("dead_at", np.uint64),
        ("pairs_at", np.uint64),
        ("used_at", np.uint64),
        ("covers_at", np.uint64),
        ("cover_states_at", np.uint64),
        ("cover_pairs_at", np.uint64),
        ("fits_at", np.uint64),
        ("search_at", np.uint64),  # 0 where the tables know all hands
        ("search_entry", np.uint64),  # address of the function that searches
        ("vectors", np.int64),
        ("natural_vectors", np.int64),  # those without cards of wild ranks, which come first
        ("packs", np.int32),
        ("counted", np.int32),  # copies of a card that a vector counts
        ("places", np.int32),  # of a bank's mask of naturals; of a suit, digits of its vector
        ("kind_states", np.int64),  # length of the table
        ("cover_states", np.int64),
        ("classes", np.int64),
        ("pair_classes", np.int64),
        ("levels", np.int64),  # of `used`
        ("level", np.int32, MOST_HELD),  # by wilds held: the level, -1 for none
        ("scarce", np.int32, MOST_HELD),  # by wilds held: melds in need of naturals, -1: do not ask
        ("needing", np.int32, MOST_PATTERNS),  # melds of each pattern that need a natural
        ("patterns", np.int32),
        ("two_counts", np.int32),  # 1 if a card of a wild rank in its own place is a natural
        ("wilds_add", np.int32),  # 1 if wilds come on top of `used`
        ("plain_wilds", np.int32),  # most wilds that come on top of the first level; -1 for none
        ("own_faces", np.int32),
        ("own_face", np.int32, FACES),  # wild faces that count as naturals in their own place
        ("cover_sets", np.int64),
        ("cover_pair_sets", np.int64),
        ("front", np.int64, FACES),  # what a card adds to the vectors of banks 0 1, and the wilds
        ("back", np.int64, FACES),  # ... to the vectors of banks 2 3
        ("held_bit", np.int64, FACES),  # its bit in the masks of all banks, HELD_BITS each
        ("bank", np.int32, FACES),
        ("place", np.int32, FACES),  # bit of a natural face in its bank's mask
        ("weight", np.int32, FACES),  # of a face in its bank's vector number, 0 if only wild
        ("pack", np.int8, MOST_CARDS),  # the unshuffled pack
        ("wild", np.uint8, FACES),
        ("copies", np.uint8, FACES),
        ("face_at", np.int32, (4, HELD_BITS)),  # face of a bit of a bank's mask
        ("seats", np.int32),
        ("hand_size", np.int32),
        ("cards", np.int32),
        ("jokers", np.int32),
        ("ace", np.int32),  # 0 low, 1 high, 2 both, 3 wrap
        ("groups", np.int32),
        ("takeable_wild", np.int32),
        ("bar_taken", np.int32),
        ("must_exit", np.int32),
        ("recycle_limit", np.int32),  # -1: unlimited
        ("turned", np.int32),
        ("max_rounds", np.int32),
        ("winner_deals", np.int32),
        ("session", np.int32),  # deals that are played in one order of the players
        ("physical_suit", np.int32),
        ("pay_exit", np.int32),
        ("pay_deuce", np.int32),
        ("pay_joker", np.int32),
        ("pay_no_wild", np.int32),
        ("pay_first_turn", np.int32),
        ("pay_dealt", np.int32),
        ("pay_one_suit", np.int32),
        ("stack_first_turn", np.int32),
    ],
    align=True,
)

RUMMY_RULES = np.dtype(
    [
        ("seats", np.int32),
        ("hand_size", np.int32),
        ("cards", np.int32),
        ("copies", np.uint8, FACES),
        ("pack", np.int8, MOST_CARDS),
        ("ace", np.int32),  # as in RULES: 0 low, 2 both
        ("ace_points", np.int32),
        ("going_rummy", np.int32),  # factor
        ("one_meld", np.int32),
        ("layoff_needs_meld", np.int32),
        ("must_discard", np.int32),
        ("bar_taken", np.int32),
        ("recycle_limit", np.int32),  # -1: unlimited
        ("turned", np.int32),
        ("max_rounds", np.int32),
        ("winner_deals", np.int32),
        ("session", np.int32),  # deals that are played in one order of the players
    ],
    align=True,
)

SEAT_BYTES, PUBLIC_BYTES = SEAT.itemsize, PUBLIC.itemsize

SEARCH = np.dtype(  # see `search_plan`
    [
        ("windows_at", np.uint64),
        ("longer_at", np.uint64),
        ("needs_at", np.uint64),
        ("first_at", np.uint64),
        ("spans_at", np.uint64),
        ("starts_at", np.uint64),
        ("joins_at", np.uint64),
        ("ends_at", np.uint64),
        ("keys_at", np.uint64),  # of the rows in memory, 0 for none
        ("rows_at", np.uint64),
        ("windows", np.int64),  # numbers of each
        ("selections", np.int64),
        ("lengths", np.int64),
        ("planes", np.int64),
        ("joins", np.int64),
        ("ends", np.int64),
        ("kept", np.int64),  # rows that memory has room for
        ("watched", np.int64),  # 1 if the pack has so few wild cards that this matters
    ],
    align=True,
)

seat_type = from_dtype(SEAT)
public_type = from_dtype(PUBLIC)
game_type = from_dtype(GAME)
rules_type = from_dtype(RULES)
rummy_rules_type = from_dtype(RUMMY_RULES)
search_type = from_dtype(SEARCH)


def _record_at(kind, name):
    """Make a function that takes the number at an address for a record."""

    @intrinsic
    def as_record(typingctx, address):
        def codegen(context, builder, signature, args):
            return builder.inttoptr(args[0], context.get_value_type(kind))

        return kind(types.uint64), codegen

    def record(address):
        return registered(address)

    record.__doc__ = f"Return the record {name} at an address."

    @overload(record)
    def _record(address):
        return lambda address: as_record(address)

    return record


seat_record = _record_at(seat_type, "SEAT")
public_record = _record_at(public_type, "PUBLIC")
game_record = _record_at(game_type, "GAME")
rules_record = _record_at(rules_type, "RULES")
search_record = _record_at(search_type, "SEARCH")
