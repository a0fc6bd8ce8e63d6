"""The strategies of Basic Rummy that come with contsim, and what their questions do."""

import numpy as np
import pytest

from continental_sim.columns import EXIT
from continental_sim.columns import RUMMY as GONE_RUMMY
from continental_sim.contract import read_contract
from continental_sim.engine import play_block
from continental_sim.kernels.basic_rummy import CARDS_LAID, LAYINGS_DECLINED
from continental_sim.players import load_interpreted, load_player
from continental_sim.strategy import (
    find_strategy,
    list_strategies,
    make_strategy,
    shipped_directory,
)
from continental_sim.study import make_study
from tests.tabletop import RUMMY, rules_with

TWO = rules_with("seats=2", base=RUMMY)
EDGES = [
    RUMMY,
    rules_with("ace=both", "one_meld_per_turn=true", "max_rounds=12", base=RUMMY),
    rules_with("layoff_needs_meld=true", "must_discard_to_go_out=true", base=TWO),
]


def played(rules, specs, deals, seed=1):
    """Play deals with strategies of Basic Rummy: names, or texts."""
    found = [
        make_strategy("mine.py", "mine", spec)
        if "\n" in spec
        else find_strategy(spec, "basic-rummy")
        for spec in specs
    ]
    return play_block(make_study(rules, found, seed, deals), 0, deals)


def points(block, player, session):
    """Points of a player in each session: what it won less what others did, on average."""
    won = np.where(block.outcomes["winner"] == player, block.outcomes["payment"], 0)
    return won.reshape(-1, session).sum(axis=1)


@pytest.mark.parametrize("rules", EDGES)
@pytest.mark.parametrize("name", [each.name for each in list_strategies("basic-rummy")])
def test_an_interpreted_strategy_plays_as_its_compiled_twin(name, rules):
    found = find_strategy(name, "basic-rummy")
    assert not load_player(found, "basic-rummy").foreign
    study = make_study(rules, [found], 66, 4)
    compiled = play_block(study, 0, 4)
    interpreted = play_block(
        study, 0, 4, load=lambda each: load_interpreted(each, game="basic-rummy")
    )
    assert interpreted.outcomes.tolist() == compiled.outcomes.tolist()
    np.testing.assert_array_equal(interpreted.behaviour, compiled.behaviour)
    np.testing.assert_array_equal(interpreted.faces, compiled.faces)


# As random has always played: a coin, and a die over the copies that may be thrown.
CARELESS = """
from continental_sim.api import roll


def take_discard(view):
    return roll(view, 2)


def choose_discard(view):
    cards = view.hand.copy()
    if view.barred >= 0:
        cards[view.barred] = 0
    place, face = roll(view, cards.sum()), 0
    while place >= cards[face]:
        place -= cards[face]
        face += 1
    return face
"""


def test_random_plays_continental_as_before_it_knew_another_game():
    ours = find_strategy("random")
    assert ours.games == ("continental", "basic-rummy")
    rules = rules_with("return_taken=forbid")
    once, again = (
        play_block(make_study(rules, [each], 5, 40), 0, 40)
        for each in (ours, make_strategy("careless", "careless", CARELESS))
    )
    assert once.outcomes.tolist() == again.outcomes.tolist()
    np.testing.assert_array_equal(once.faces, again.faces)


LOOSE = '''"""Compares."""

from continental_sim.api import *

GAMES = ("basic-rummy",)


def take_discard(view):
    return lays(view, view.upcard)


def choose_discard(view):
    choice, best = -1, 0
    whole = True
    for face in range(FACES - 1):
        if view.hand[face] > 0 and face != view.barred:
            if deadwood_without(view, face) + pips(view, face) == deadwood(view):
                whole = False
    for face in range(FACES - 1):
        if view.hand[face] > 0 and face != view.barred:
            left = deadwood_without(view, face)
            loose = left + pips(view, face) == deadwood(view)
            few = left if whole else chances(view, face) + 100 * (not loose)
            worth = 100 * few - pips(view, face)
            if choice < 0 or worth < best:
                choice, best = face, worth
    return choice if choice == loose_discard(view) else 99


def lay_down(view):
    return LAY
'''


@pytest.mark.parametrize("lay", [True, False])
def test_the_loose_discard_is_what_its_parts_say(lay):
    text = LOOSE.replace("return LAY", f"return {lay}")
    for rules in (RUMMY, TWO, rules_with("ace=both", "seats=3", base=RUMMY)):
        block = played(rules, [text], 60 * rules.seats)
        assert block.behaviour[:, 1].sum() > 500  # turns


def test_holder_lays_nothing_before_its_whole_hand_goes():
    block = played(RUMMY, ["holder", "fastest", "holder", "fastest"], 2000)
    outcomes = block.outcomes[block.outcomes["end"] == EXIT]
    held = np.isin(outcomes["winner"], (0, 2))
    assert held.sum() > 200
    assert (outcomes["kind"][held] == GONE_RUMMY).all()
    assert (outcomes["kind"][~held] == GONE_RUMMY).mean() < 0.1
    assert (block.behaviour[[0, 2], LAYINGS_DECLINED] > 1000).all()
    assert (block.behaviour[[1, 3], LAYINGS_DECLINED] == 0).all()


def test_holder_gives_up_when_another_hand_is_small():
    never, soon = (played(RUMMY, [f"holder:SMALL={small}", "fastest"] * 2, 400) for small in (0, 6))
    assert (soon.behaviour[[0, 2], CARDS_LAID] > never.behaviour[[0, 2], CARDS_LAID]).all()
    kinds = soon.outcomes["kind"][np.isin(soon.outcomes["winner"], (0, 2))]
    assert (kinds != GONE_RUMMY).sum() > 20
    # At a table of two another knob counts.
    same, other = (
        [
            played(TWO, [f"holder:{knob}={size}", "fastest"], 200).outcomes.tolist()
            for size in (0, 6)
        ]
        for knob in ("SMALL", "DUEL")
    )
    assert same[0] == same[1]
    assert other[0] != other[1]


@pytest.mark.parametrize(
    ("better", "worse", "rules", "least"),
    [
        ("holder", "fastest", RUMMY, 15),
        ("holder", "fastest", TWO, 5),
        ("fastest", "low", RUMMY, 1),
        ("low", "random", RUMMY, 5),
    ],
)
def test_one_is_better_than_the_other(better, worse, rules, least):
    # Measured: 27.6, 11.1, 3.6 and 12 points a deal, with errors of 1.0, 0.5, 0.4 and 0.5 here.
    packs, specs = 1000, [better, worse] * (rules.seats // 2)
    study = make_study(
        rules, [find_strategy(each, "basic-rummy") for each in specs], 12, 10**6, duplicate=True
    )
    block = play_block(study, 0, packs * study.session)
    won = [
        sum(points(block, player, study.session) for player in range(first, rules.seats, 2))
        for first in (0, 1)
    ]
    difference = (won[0] - won[1]) / (study.session * len(specs) / 2)
    error = difference.std(ddof=1) / np.sqrt(packs)
    assert difference.mean() - 4 * error > least


def test_low_takes_what_counts_less():
    taken = [
        played(RUMMY, [f"low:LESS={less}"], 400).behaviour[:, 2].sum() for less in (1, 5, 9, 99)
    ]
    assert taken == sorted(taken, reverse=True)
    assert len(set(taken)) == 4


@pytest.mark.parametrize("path", sorted(shipped_directory().glob("basic_rummy/*.py")))
def test_files_are_small_and_say_what_they_do(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 80
    for word in ("Uses: ", "Ignores: ", "Provenance: "):
        assert word in text
    lines = text.splitlines()
    for node in read_contract(text, path.name).knobs.values():
        assert "# [" in lines[node.lineno - 1]
