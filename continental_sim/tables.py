"""Meld tables on disk and the record of a game's rules that the engine reads."""

import hashlib
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
import weakref
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import numpy as np

from continental_sim.cards import FACES, JOKER
from continental_sim.errors import ContsimError
from continental_sim.kernels.jit import COMPILED, cache_root, code_hash
from continental_sim.kernels.meld_classes import TooManyRowsError
from continental_sim.kernels.meld_rules import MeldRules, meld_rules, scarce
from continental_sim.kernels.melds import MOST_SELECTIONS, MeldTables, build_tables
from continental_sim.kernels.memory import address_of, forget
from continental_sim.kernels.records import HELD_BITS, RULES
from continental_sim.kernels.table import CODE_BITS
from continental_sim.rules import ContinentalRules

ACES = ("low", "high", "both", "wrap")
_BUILD = """
import pickle, sys
from continental_sim import errors, tables
try:
    tables.load_melds(pickle.load(sys.stdin.buffer))
except errors.ContsimError as error:
    sys.stdout.buffer.write(str(error).encode())
    sys.exit(error.exit_status)
"""


@dataclass(frozen=True)
class GameTables:
    """What the engine needs to know of a rules record.

    Attributes
    ----------
    record : record RULES
        The rules as numbers, with the addresses of the meld tables.
    address : int
        Of the record.
    melds : MeldTables
        The tables; kept here because the record only has their addresses.
    """

    record: np.record
    address: int
    melds: MeldTables


def meld_key(rules: ContinentalRules, limit: int | None = None) -> str:
    """Name meld tables: a hash of the code, and of all that they depend on.

    Parameters
    ----------
    rules : ContinentalRules
    limit : int, optional
        Most wild cards of a layout, where that must be watched.
    """
    relevant = meld_rules(rules, limit)
    return hashlib.sha256(f"{relevant} {code_hash()}".encode()).hexdigest()[:24]


def tables_are_ready(rules: ContinentalRules) -> bool:
    """Tell whether the meld tables are on disk, so that nothing slow is ahead."""
    melds = _stored(rules)
    if melds is not None and _needs_limit(rules, melds):
        melds = _stored(rules, rules.wilds)
    return melds is not None


def load_melds(rules: ContinentalRules) -> MeldTables:
    """Read the meld tables of a rules record from disk, or build and store them.

    Raises
    ------
    ContsimError
        If they would be too big.
    """
    if not COMPILED and not tables_are_ready(rules):
        _built_compiled(rules)
    melds = _stored(rules) or _built(rules)
    if _needs_limit(rules, melds):
        melds = _stored(rules, rules.wilds) or _built(rules, rules.wilds)
    return melds


def _needs_limit(rules: ContinentalRules, melds: MeldTables) -> bool:
    """Tell whether the pack has so few wild cards that tables must watch it."""
    return rules.wilds < int(melds.most_wild_cards[0])


def _stored(rules: ContinentalRules, limit: int | None = None) -> MeldTables | None:
    """Read tables, mapped into memory; None if they are not there, or damaged."""
    directory = cache_root() / f"melds-{meld_key(rules, limit)}"
    names = [field.name for field in fields(MeldTables)]
    try:
        return MeldTables(
            **{name: np.load(directory / f"{name}.npy", mmap_mode="r") for name in names}
        )
    except (OSError, ValueError, EOFError):
        return None


def _built_compiled(rules: ContinentalRules) -> None:
    """Build and store tables in a process that compiles: interpreted, they would take hours."""
    environment = {"NUMBA_DISABLE_JIT": "0", "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(  # noqa: S603 - our own code
        [sys.executable, "-c", _BUILD],
        input=pickle.dumps(rules),
        stdout=subprocess.PIPE,
        env={**os.environ, **environment},
        check=False,
    )
    if done.returncode == ContsimError.exit_status:
        raise ContsimError(done.stdout.decode())
    done.check_returncode()


def check_tables(rules: ContinentalRules, limit: int | None = None) -> MeldRules:
    """Refuse rules that have no tables, as far as it is known without building them.

    Raises
    ------
    ContsimError
        Says which rules are to be changed.
    """
    reduced = meld_rules(rules, limit)
    if (selections := len(reduced.selections)) > MOST_SELECTIONS:
        raise ContsimError(
            f"the patterns {', '.join(rules.patterns)} have {selections} different parts, and the "
            f"meld tables hold {MOST_SELECTIONS}: choose fewer patterns"
        )
    if reduced.counted < reduced.copies and not reduced.wilds_add:
        most = "unlimited" if rules.max_wilds_per_run is None else rules.max_wilds_per_run
        limits = f"min_naturals_per_run = {rules.min_naturals_per_run}, max_wilds_per_run = {most}"
        raise ContsimError(
            f"packs = {rules.packs} cannot be played where a run needs two natural cards or more "
            f"({limits}): set packs to at most {reduced.counted}, or loosen the limits"
        )
    return reduced


def _built(rules: ContinentalRules, limit: int | None = None) -> MeldTables:
    """Build tables and store them."""
    reduced = check_tables(rules, limit)
    try:
        melds = build_tables(reduced)
    except TooManyRowsError as error:
        raise ContsimError(
            f"these rules have {error}, too many for meld tables: choose fewer patterns"
        ) from None
    directory = cache_root() / f"melds-{meld_key(rules, limit)}"
    shutil.rmtree(directory, ignore_errors=True)
    _store(melds, directory)
    return melds


def _store(tables: MeldTables, directory: Path) -> None:
    """Write the tables so that another process sees all of them or none."""
    try:
        with tempfile.TemporaryDirectory(dir=directory.parent) as work:
            made = Path(work) / "tables"
            made.mkdir()
            for name, array in tables.arrays().items():
                np.save(made / f"{name}.npy", array)
            made.rename(directory)
    except OSError:
        return  # somebody else was first, or the disk is full: the tables in memory serve


@lru_cache(maxsize=8)
def game_tables(rules: ContinentalRules) -> GameTables:
    """Return the engine's record of a rules record, with its meld tables loaded."""
    melds = load_melds(rules)
    holder = np.zeros(1, RULES).view(np.recarray)
    record = holder[0]
    addresses = [address_of(holder)]
    for name in record.dtype.names:
        if name.endswith("_at") and name != "face_at":
            addresses.append(address_of(getattr(melds, name.removesuffix("_at"))))
            record[name] = addresses[-1]
    _put_melds(record, rules, melds)
    _put_faces(record, rules, melds)
    _put_rules(record, rules)
    tables = GameTables(record, addresses[0], melds)
    weakref.finalize(tables, forget, addresses)
    return tables


def _put_melds(record: np.record, rules: ContinentalRules, melds: MeldTables) -> None:
    """Put the sizes of the tables, and how they are read, into a record RULES."""
    record.vectors = len(melds.kinds)
    record.natural_vectors = len(melds.dead)
    record.packs = rules.packs
    # Where vectors count all copies, no number of them is too many.
    record.counted = melds.counted[0] if len(melds.kind_states) else np.iinfo(np.int8).max
    record.digits = int(melds.places.max()) + 1  # where suits are read rank by rank
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
    for face in range(FACES):
        record.wild[face] = rules.wild_faces[face]
        record.copies[face] = rules.copies(face)
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
    record.pack[: rules.cards] = np.repeat(np.arange(FACES), record.copies)


def _put_rules(record: np.record, rules: ContinentalRules) -> None:
    """Put the other rules into a record RULES, as numbers."""
    record.seats = rules.seats
    record.hand_size = rules.hand_size
    record.cards = rules.cards
    record.jokers = rules.jokers
    record.ace = ACES.index(rules.ace)
    record.groups = rules.melds == "groups"
    record.takeable_wild = rules.wild_discard_takeable
    record.bar_taken = rules.return_taken == "forbid"
    record.must_exit = rules.exit_mandatory
    record.recycle_limit = -1 if rules.recycles is None else rules.recycles
    record.turned = rules.recycle_order == "turned"
    record.max_rounds = rules.max_rounds
    record.winner_deals = rules.next_dealer == "winner"
    record.physical_suit = rules.one_suit == "physical"
    for name in ("exit", "deuce", "joker", "no_wild", "first_turn", "dealt", "one_suit"):
        record[f"pay_{name}"] = getattr(rules, f"pay_{name}")
    record.stack_first_turn = rules.stack_first_turn
