"""A small part of the suite without compilation: the same source as plain Python, the same results.

Each test starts a process under ``NUMBA_DISABLE_JIT=1``. It reads the meld tables that this process
has built, as building them interpreted takes minutes.
"""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from continental_sim.play.means import Means
from continental_sim.play.simulate import run_study
from continental_sim.rare.events import read_event
from continental_sim.rare.goals import find_goal
from continental_sim.rare.learning import no_moves, plain_scores
from continental_sim.rare.roots import Levels, play_roots
from continental_sim.spans import Span
from continental_sim.tables import load_melds
from tests.tabletop import rules_with, rummy_with, study_of

ROOT = Path(__file__).parents[2]
MIXED = ["fastest", "stock", "neighbours", "random"]
LADDER = ["champion", "natural", "banker", "defender"]
RUMMY = ["fastest", "erratic.py", "fastest", "pile.py"]
STUDIES = {
    "default": (rules_with(), MIXED, 12),
    "seats": (
        rules_with("seats=5", "next_dealer=winner", "return_taken=forbid"),
        [*MIXED, "pile.py"],
        10,
    ),
    "recycles": (rules_with("seats=6", "recycle_order=turned"), ["neighbours", "random"] * 3, 12),
    "ladder": (rules_with("max_rounds=4"), LADDER, 4),
    "ladder of packs": (rules_with("packs=3", "jokers=3", "max_rounds=1"), LADDER, 2),
    "lookahead": (
        rules_with("max_rounds=2", "return_taken=forbid"),
        ["lookahead:ROLLOUTS=2", *MIXED[:3]],
        4,
    ),
    "groups": (rules_with("melds=groups", "max_rounds=12"), MIXED, 4),
    "packs": (rules_with("packs=3", "jokers=3", "max_rounds=12"), MIXED, 6),
    "searched": (
        rules_with("packs=3", "seats=2", "hand_size=7", "patterns=4+3", "max_wilds_per_run=1"),
        ["fastest", "stock"],
        4,
    ),
    "drawn": (rules_with("seats=7", "max_rounds=9"), ["watchful.py"] * 7, 14),
    "rummy": (rummy_with(), RUMMY, 12),
    "rummy of two": (rummy_with("seats=2", "ace=both", "next_dealer=winner"), RUMMY[:2], 8),
    "rummy by all switches": (
        rummy_with(
            "one_meld_per_turn=true",
            "layoff_needs_meld=true",
            "must_discard_to_go_out=true",
            "ace=both",
            "ace_points=0",
            "recycles=2",
            "recycle_order=turned",
        ),
        RUMMY,
        8,
    ),
}

PLAY = """
import sys
from pathlib import Path
from continental_sim.kernels import jit
from continental_sim.play.means import Means
from continental_sim.play.simulate import run_study
from tests.interpreted.test_interpreted import study

assert not jit.COMPILED
for name in sys.argv[2:]:
    run_study(study(name), Path(sys.argv[1]) / name, Means(1), records=True)
"""


SPLIT = """
import sys
from continental_sim.kernels import jit
from tests.interpreted.test_interpreted import split_roots

assert not jit.COMPILED
print(split_roots(sys.argv[1]))
"""
EVENTS = {
    "one_suit and deuces < 3": ((), MIXED, (8, 10, 11), (2, 3, 2)),
    "turns > 60": (("seats=6", "recycle_order=turned"), ["stock", "random"] * 3, (9, 30), (3, 2)),
}


def split_roots(text):
    """What some root deals of an event give; text, as it is compared across processes."""
    changes, specs, scores, copies = EVENTS[text]
    study = study_of(rules_with(*changes), specs, 12, seed=101)
    goal = find_goal(read_event(text), study.rules)
    levels = Levels(plain_scores(study.rules), scores, copies)
    moves = no_moves(study.rules)
    found = play_roots(study, text, goal, levels, Span(5, 13), moves)
    counted = [np.flatnonzero(each).tolist() for each in (found.arrivals, moves)]
    return (
        f"{found.leaves} {found.turns} {found.cards} {found.total!r} {found.squares!r} "
        f"{found.reached.sum()!r} {counted} {moves.sum()}"
    )


def study(name):
    rules, specs, deals = STUDIES[name]
    return study_of(rules, specs, deals, seed=101)


def interpreted(*command):
    """Run Python without compilation; return what it prints."""
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=environment, text=True, timeout=120, check=False,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    return done.stdout


def test_the_files_of_a_study_are_the_same_without_compilation(tmp_path):
    for name in STUDIES:
        run_study(study(name), tmp_path / "compiled" / name, Means(1), records=True)
    interpreted("-c", PLAY, str(tmp_path / "plain"), *STUDIES)
    for name in STUDIES:
        for file in (tmp_path / "compiled" / name).glob("*.parquet"):
            assert file.read_bytes() == (tmp_path / "plain" / name / file.name).read_bytes(), file


@pytest.mark.parametrize("text", EVENTS)
def test_branches_are_the_same_without_compilation(text):
    printed = interpreted("-c", SPLIT, text)
    assert printed.strip() == split_roots(text)
    assert int(printed.split()[0]) > 30


@pytest.mark.parametrize(
    ("files", "chosen"),
    [
        (["tests/unit/test_engine.py", "tests/unit/test_table.py"], "not deuce_that_is_not_wild"),
        (["tests/unit/test_rng.py"], "published or equals or high or rejects or collide"),
        (["tests/property/test_referee.py"], "openings or capped"),
        (["tests/unit/test_basic_rummy.py"], "test"),
        (
            ["tests/property/test_laying_oracle.py"],
            "suit or end_of or (lines and one_meld and must)",
        ),
        (["tests/property/test_rummy_referee.py"], "openings or capped"),
    ],
)
def test_tests_hold_without_compilation(files, chosen):
    for changes in ((), ("seats=6",), ("packs=1", "jokers=0", "seats=2")):
        load_melds(rules_with(*changes))
    printed = interpreted("-m", "pytest", "-q", "-p", "no:cacheprovider", "-k", chosen, *files)
    assert " passed" in printed


REFUSED = """
from continental_sim.errors import ContsimError
from continental_sim.tables import load_melds
from tests.tabletop import rules_with

try:
    load_melds(rules_with("seats=3", "hand_size=25", "patterns=7+6+5+4+3,9+7+4+3+2,8+6+5+4+2"))
except ContsimError as error:
    print("refused:", error)
"""


def test_rules_without_tables_are_refused_without_compilation():
    assert interpreted("-c", REFUSED).startswith("refused: the patterns 7+6+5+4+3, 9+7+4+3+2")
