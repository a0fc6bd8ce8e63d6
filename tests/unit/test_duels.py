"""What is said of two strategies by what is kept of their deals."""

from pathlib import Path

import numpy as np
import pytest

from continental_sim.columns import EXIT, OPENING, OUTCOME
from continental_sim.comparing.compare import make_comparison
from continental_sim.comparing.duels import find_duels
from continental_sim.comparing.duels_table import duel_sentence, duels_text
from continental_sim.comparing.measured import Measured
from continental_sim.cubes import Block, StudyCubes
from continental_sim.figures.estimates import proportion
from continental_sim.files.store import StoredStudy
from tests.tabletop import rules_with

RULES = rules_with("seats=2")
TWO = ("fastest", "stock")
PACKS = 5


def compared(*won, behaviour=((9, 9), (9, 9)), packs=PACKS):
    """Compare two strategies by packs that went alike: winner, payment and turns of each deal."""
    comparison, _ = make_comparison(TWO, RULES, deals=packs, seed=1)
    outcomes = np.zeros(2 * packs, OUTCOME)
    outcomes["deal"] = np.arange(2 * packs)
    outcomes["end"] = EXIT
    for name, values in zip(("winner", "payment", "turns"), zip(*won, strict=True), strict=True):
        outcomes[name] = values * packs
    did = np.zeros((2, 5), np.int64)
    did[:, :2] = behaviour
    openings = np.zeros((2 * packs, 2), OPENING)
    cubes = StudyCubes.of_block(RULES, Block(outcomes, openings, np.zeros((53, 2), np.int64), did))
    return find_duels(comparison, [StoredStudy(Path(), {}, RULES, TWO, cubes)], 0.95)


@pytest.mark.parametrize(
    ("won", "behaviour", "identical"),
    [
        (((0, 5, 7), (1, 5, 7)), ((9, 9), (9, 9)), True),
        (((0, 5, 7), (1, 5, 8)), ((9, 9), (9, 9)), False),  # as many points, a turn later
        (((0, 5, 7), (1, 5, 7)), ((9, 9), (9, 8)), False),
    ],
)
def test_what_cancels_out_in_every_pack_is_not_called_identical(won, behaviour, identical):
    found = compared(*won, behaviour=behaviour)
    (pair,) = found.pairs
    assert pair.even
    assert pair.identical == identical
    same = "identical in every deal" if identical else "level in every pack"
    assert duel_sentence(pair, found) == f"{pair.one} and {pair.other} come out {same}."


def test_one_pack_is_level_by_chance():
    (pair,) = compared((0, 5, 7), (1, 5, 7), packs=1).pairs
    assert pair.alike
    assert not pair.even
    assert not pair.identical


def test_who_never_won_may_win_now_and_then():
    found = compared((0, 5, 7), (0, 6, 8))
    winner, loser = found.standings
    bound = proportion(0, PACKS, 0.95).high
    assert loser.wins == Measured(0.0, 0.0, bound)
    assert (winner.wins.value, winner.wins.high) == (1.0, 1.0)
    assert winner.wins.low == pytest.approx(1 - bound)
    assert loser.payment == Measured(None)  # of no exits nothing is known
    assert "0 .. 0.53" in duels_text(found)
    assert "0.47 .. 1" in duels_text(found)


def test_one_pack_bounds_nothing():
    assert compared((0, 5, 7), (0, 6, 8), packs=1).standings[1].wins == Measured(0.0)
