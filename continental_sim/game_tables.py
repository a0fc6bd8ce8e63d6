"""The record of a rules record that the engine reads: numbers, and where the tables lie."""

import threading
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

import numpy as np

from continental_sim.cards import FACES, JOKER
from continental_sim.kernels.holding import CODE_BITS
from continental_sim.kernels.jit import entry_address
from continental_sim.kernels.meld_rules import meld_rules, scarce
from continental_sim.kernels.melds import MeldTables
from continental_sim.kernels.memory import address_of, forget
from continental_sim.kernels.records import HELD_BITS, RULES, RUMMY_RULES, SEARCH
from continental_sim.kernels.search_plan import search_plan
from continental_sim.rules import BasicRummyRules, ContinentalRules, GameRules
from continental_sim.tables import check_tables, load_melds, tables_are_ready

ACES = ("low", "high", "both", "wrap")
KEY_BYTES = 8
ROWS_IN_MEMORY = 1 << 25  # [bytes] for what was found of suits; play is 5 times slower with 4 MiB

_THREAD = threading.local()


@dataclass(frozen=True)
class GameTables:
    """What the engine needs to know of a rules record.

    Attributes
    ----------
    record : record RULES or RUMMY_RULES
        The rules as numbers; those of Continental with the addresses of the meld tables.
    address : int
        Of the record.
    kept : tuple of arrays
        What the record only has the addresses of, and its own memory.
    """

    record: np.record
    address: int
    kept: tuple[np.ndarray, ...]

    @property
    def searched(self) -> bool:
        """Whether hands are searched, since no tables can hold them."""
        return "search_at" in (self.record.dtype.names or ()) and bool(self.record.search_at)


@dataclass(frozen=True, slots=True)
class GameRecord:
    """How the engine's record of a game is made.

    Attributes
    ----------
    make : callable
        From its rules to the record, and the arrays that it needs.
    are_ready : callable
        From its rules to whether nothing has to be built before.
    are_searched : callable
        From its rules to whether hands are searched, which is slow; refuses what cannot be played.
    """

    make: Callable[[Any], tuple[Any, list[np.ndarray]]]
    are_ready: Callable[[Any], bool]
    are_searched: Callable[[Any], bool]


def game_tables(rules: GameRules) -> GameTables:
    """Return the engine's record of a rules record, with its meld tables loaded.

    Each thread has its own: where hands are searched, what is found is kept beside it.
    """
    if not hasattr(_THREAD, "tables"):
        _THREAD.tables = lru_cache(maxsize=8)(_game_tables)
    found: GameTables = _THREAD.tables(rules)
    return found


def are_ready(rules: GameRules) -> bool:
    """Tell whether nothing has to be built before rules can be played."""
    return GAME_RECORDS[rules.game].are_ready(rules)


def are_searched(rules: GameRules) -> bool:
    """Tell whether hands are searched under the rules, since no tables can hold them.

    Raises
    ------
    ContsimError
        If the rules cannot be played, since tables would be too big and a search too slow.
    """
    return GAME_RECORDS[rules.game].are_searched(rules)


def _game_tables(rules: GameRules) -> GameTables:
    holder, kept = GAME_RECORDS[rules.game].make(rules)
    tables = GameTables(holder[0], address_of(holder), (holder, *kept))
    weakref.finalize(tables, forget, [int(array.ctypes.data) for array in tables.kept])
    return tables


def _continental_record(rules: ContinentalRules) -> tuple[Any, list[np.ndarray]]:
    """Make the record RULES, and list the arrays that it needs."""
    melds = load_melds(rules)
    holder, kept = _record_of(RULES, melds.arrays())
    record = holder[0]
    if melds.searched:
        search, found = _search_record(rules)
        record.search_at = address_of(search)
        record.search_entry = _search_entry()
        kept += [search, *found]
    _put_melds(record, rules, melds)
    _put_faces(record, rules, melds)
    _put_rules(record, rules)
    return holder, kept


def _rummy_record(rules: BasicRummyRules) -> tuple[Any, list[np.ndarray]]:
    """Make the record RUMMY_RULES, which needs nothing else."""
    holder, kept = _record_of(RUMMY_RULES, {})
    _put_rummy_rules(holder[0], rules)
    return holder, kept


def _record_of(kind: np.dtype, arrays: Mapping[str, Any]) -> tuple[Any, list[np.ndarray]]:
    """Make a record with the addresses of arrays, by name; return it, and those that it needs."""
    holder = np.zeros(1, kind).view(np.recarray)
    kept = []
    for name, array in arrays.items():
        if f"{name}_at" in (kind.names or ()):
            kept.append(array.reshape(-1))  # in one row, as compiled code reads it
            holder[0][f"{name}_at"] = address_of(kept[-1])
    return holder, kept


def _search_record(rules: ContinentalRules) -> tuple[Any, list[np.ndarray]]:
    """Make the record SEARCH of rules whose hands are searched, and the arrays that it needs."""
    plan = search_plan(meld_rules(rules, rules.wilds), rules.wilds)
    planes = int(plan.first[-1])
    room = ROWS_IN_MEMORY // (planes + KEY_BYTES)
    memory = {"keys": np.zeros(room, np.uint64), "rows": np.zeros(room * planes, np.uint8)}
    holder, kept = _record_of(SEARCH, {**vars(plan), **memory})
    record = holder[0]
    record.planes, record.kept = planes, room
    record.windows, record.selections = len(plan.windows), len(plan.spans)
    record.lengths, record.joins, record.ends = len(plan.needs), len(plan.joins), len(plan.ends)
    record.watched = plan.watched
    return holder, kept


def _search_entry() -> int:
    """Return the address of what searches hands; it is compiled when rules need it."""
    from continental_sim.kernels.search import answer

    return entry_address(answer)


def _put_melds(record: np.record, rules: ContinentalRules, melds: MeldTables) -> None:
    """Put the sizes of the tables, and how they are read, into a record RULES."""
    record.vectors = len(melds.kinds)
    record.natural_vectors = len(melds.dead)
    record.packs = rules.packs
    # Where vectors count all copies, no number of them is too many.
    record.counted = melds.counted[0] if len(melds.kind_states) else np.iinfo(np.int8).max
    record.places = int(melds.places.max()) + 1
    record.kind_states = len(melds.kind_states)
    record.cover_states = len(melds.cover_states)
    record.levels = melds.levels
    record.wilds_add = melds.wilds_add[0]
    record.patterns = len(rules.patterns)
    record.two_counts = rules.counts_at_home
    record.plain_wilds = -1
    if melds.wilds_add[0]:
        few = scarce(rules)
        record.level[:] = few.tier[-1]
        record.level[: len(few.tier)] = few.tier
        record.scarce[:] = few.melds[-1]
        record.scarce[: len(few.melds)] = few.melds
        record.needing[: len(few.needing)] = few.needing
        record.plain_wilds = few.plain_wilds
    else:
        record.scarce[:] = -1
        record.level[:] = np.minimum(np.arange(len(record.level)), melds.levels - 1)
    record.classes = melds.classes
    record.pair_classes = melds.pair_classes
    record.cover_sets = melds.cover_sets
    record.cover_pair_sets = melds.cover_pair_sets


def _put_faces(record: np.record, rules: ContinentalRules, melds: MeldTables) -> None:
    """Put into a record RULES what each face is, and what it adds to a hand."""
    record.face_at[:] = JOKER  # the last place of some banks of groups is none's: it adds nothing
    for face in range(FACES):
        record.wild[face] = rules.wild_faces[face]
        if rules.wild_faces[face]:
            record.front[face] = 1 << 2 * CODE_BITS
        if face == JOKER:
            continue
        bank, weight = int(melds.banks[face]), int(melds.weights[face])
        place = int(melds.places[face])
        record.bank[face] = bank
        record.weight[face] = weight
        record.place[face] = place
        if place >= 0:
            record.face_at[bank, place] = face
            record.held_bit[face] = 1 << (HELD_BITS * bank + place)
            sums = record.front if bank < 2 else record.back
            sums[face] = weight << CODE_BITS * (bank % 2)
        elif weight > 0:
            record.own_face[record.own_faces] = face
            record.own_faces += 1


def _put_table(record: np.record, rules: GameRules) -> None:
    """Put into a rules record what the table needs, which is the same in all games."""
    record.seats = rules.seats
    record.hand_size = rules.hand_size
    record.cards = rules.cards
    record.copies[:] = [rules.copies(face) for face in range(FACES)]
    record.pack[: rules.cards] = np.repeat(np.arange(FACES), record.copies)
    record.bar_taken = rules.return_taken == "forbid"
    record.recycle_limit = -1 if rules.recycles is None else rules.recycles
    record.turned = rules.recycle_order == "turned"
    record.max_rounds = rules.max_rounds
    record.winner_deals = rules.next_dealer == "winner"
    record.session = rules.session_deals


def _put_rummy_rules(record: np.record, rules: BasicRummyRules) -> None:
    """Put the rules of Basic Rummy into a record RUMMY_RULES, as numbers."""
    _put_table(record, rules)
    record.ace = ACES.index(rules.ace)
    record.ace_points = rules.ace_points
    record.going_rummy = rules.going_rummy
    record.one_meld = rules.one_meld_per_turn
    record.layoff_needs_meld = rules.layoff_needs_meld
    record.must_discard = rules.must_discard_to_go_out


def _put_rules(record: np.record, rules: ContinentalRules) -> None:
    """Put the other rules into a record RULES, as numbers."""
    _put_table(record, rules)
    record.jokers = rules.jokers
    record.ace = ACES.index(rules.ace)
    record.groups = rules.melds == "groups"
    record.takeable_wild = rules.wild_discard_takeable
    record.must_exit = rules.exit_mandatory
    record.physical_suit = rules.one_suit == "physical"
    for name in ("exit", "deuce", "joker", "no_wild", "first_turn", "dealt", "one_suit"):
        record[f"pay_{name}"] = getattr(rules, f"pay_{name}")
    record.stack_first_turn = rules.stack_first_turn


def _melds_are_ready(rules: ContinentalRules) -> bool:
    return tables_are_ready(rules)


def _melds_are_searched(rules: ContinentalRules) -> bool:
    return check_tables(rules).searched


def _always(_: BasicRummyRules) -> bool:
    return True


def _never(_: BasicRummyRules) -> bool:
    return False


GAME_RECORDS: Final[Mapping[str, GameRecord]] = {
    ContinentalRules.game: GameRecord(
        make=_continental_record,
        are_ready=_melds_are_ready,
        are_searched=_melds_are_searched,
    ),
    BasicRummyRules.game: GameRecord(make=_rummy_record, are_ready=_always, are_searched=_never),
}
