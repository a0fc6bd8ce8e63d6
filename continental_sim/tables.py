"""Meld tables on disk: built once, and read by every process."""

import hashlib
import os
import pickle
import shutil
import subprocess
import sys
import tempfile
from dataclasses import fields
from pathlib import Path

import numpy as np

from continental_sim.errors import ContsimError
from continental_sim.kernels.jit import COMPILED, cache_root, code_hash
from continental_sim.kernels.meld_classes import TooManyRowsError
from continental_sim.kernels.meld_rules import MOST_COUNTED, MeldRules, meld_rules
from continental_sim.kernels.melds import MOST_SELECTIONS, MeldTables, build_tables
from continental_sim.rules import ContinentalRules

SLOW = (
    "under these rules hands are searched, as no tables can hold them: "
    "play is hundreds to thousands of times slower than elsewhere"
)
# Ways to lay runs in a suit of more than two copies that are tried: when a hand is asked about,
# where some seconds are too long, and when tables are built.
MOST_SEARCHED, MOST_JUDGED = 50_000, 300_000
_BUILD = """
import pickle, sys
from continental_sim import errors, tables
try:
    tables.load_melds(pickle.load(sys.stdin.buffer))
except errors.ContsimError as error:
    sys.stdout.buffer.write(str(error).encode())
    sys.exit(error.exit_status)
"""


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
    most = MOST_SEARCHED if reduced.searched else MOST_JUDGED
    if not reduced.groups and reduced.copies > MOST_COUNTED and reduced.layouts > most:
        raise ContsimError(
            f"packs = {rules.packs} with the patterns {', '.join(rules.patterns)} leave too many "
            f"ways to lay runs in a suit, {reduced.layouts:,} against {most:,}: choose patterns of "
            f"fewer runs, or at most {MOST_COUNTED} packs"
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
