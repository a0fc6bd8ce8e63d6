"""Meld tables on disk and the record of a game's rules that the engine reads."""

import hashlib
import shutil
import tempfile
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path

import numpy as np

from continental_sim.cards import FACES, JOKER, RANKS
from continental_sim.kernels.jit import cache_root, code_hash
from continental_sim.kernels.melds import MeldTables, build_tables
from continental_sim.kernels.memory import address_of
from continental_sim.kernels.records import RULES
from continental_sim.rules import ContinentalRules

ACES = ("low", "high", "both", "wrap")


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


def meld_key(rules: ContinentalRules) -> str:
    """Name the meld tables of a rules record: a hash of all that they depend on, and of the code."""
    relevant = (rules.hand_size, rules.patterns, rules.ace, sorted(rules.wild_ranks), rules.packs, rules.melds)
    return hashlib.sha256(f"{relevant} {code_hash()}".encode()).hexdigest()[:24]


def tables_are_ready(rules: ContinentalRules) -> bool:
    """Tell whether the meld tables are on disk, so that nothing slow is ahead."""
    return (cache_root() / f"melds-{meld_key(rules)}").is_dir()


def load_melds(rules: ContinentalRules) -> MeldTables:
    """Read the meld tables of a rules record from disk, mapped into memory, or build and store them."""
    directory = cache_root() / f"melds-{meld_key(rules)}"
    names = [field.name for field in fields(MeldTables)]
    try:
        stored = {name: np.load(directory / f"{name}.npy", mmap_mode="r") for name in names}
        return MeldTables(**stored)
    except (OSError, ValueError):  # not there, or damaged
        shutil.rmtree(directory, ignore_errors=True)
    wild = {RANKS.index(rank) for rank in rules.wild_ranks}
    built = build_tables(rules.pattern_lengths, rules.ace, wild, rules.packs)
    _store(built, directory)
    return built


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
    for name in ("suits", "dead", "pairs", "used", "covers", "cover_pairs", "fits"):
        record[f"{name}_at"] = address_of(getattr(melds, name))
    record.vectors = len(melds.suits)
    record.classes = melds.classes
    record.pair_classes = melds.pair_classes
    record.cover_sets = melds.cover_sets
    record.cover_pair_sets = melds.cover_pair_sets
    for face in range(FACES):
        record.wild[face] = rules.wild_faces[face]
        record.copies[face] = rules.copies(face)
        if face != JOKER:
            suit, rank = divmod(face, len(RANKS))
            record.weight[face] = melds.weights[rank]
            record.place[face] = melds.places[rank]
            if melds.places[rank] >= 0:
                record.face_at[suit, melds.places[rank]] = face
    record.pack[: rules.cards] = np.repeat(np.arange(FACES), record.copies)
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
    return GameTables(record, address_of(holder), melds)
