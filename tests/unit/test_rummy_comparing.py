"""Comparisons of Basic Rummy, in which points do not only change hands."""

import inspect
import re

import numpy as np
import pytest

from continental_sim import api
from continental_sim.columns import DRAWN, EXIT, ORDINARY, RUMMY
from continental_sim.comparing import awareness
from continental_sim.comparing.awareness import notes_on
from continental_sim.comparing.compared import find_figures
from continental_sim.comparing.contrasts import Contrast
from continental_sim.comparing.metagame import _alone, _earned
from continental_sim.comparing.table import Table
from continental_sim.comparing.variants import read_variants
from continental_sim.cubes import StudyCubes
from continental_sim.engine import play_block
from continental_sim.errors import ContsimError
from continental_sim.figures.rummy_compared import RUMMY_COMPARED
from continental_sim.files.store import StoredStudy
from continental_sim.kernels.fields import VIEW_FIELDS
from continental_sim.rules import BasicRummyRules, ContinentalRules, rule_keys, with_settings
from continental_sim.strategy import find_strategy, make_strategy
from continental_sim.study import make_study
from tests.fakes import fake_manifest
from tests.tabletop import STRATEGIES

RULES = BasicRummyRules()
GAME = RULES.game
PACKS = 40
KEEPER, FASTEST = str(STRATEGIES / "keeper.py"), "fastest"


def table_of(specs):
    """Play packs in all seatings of a line-up; return the table and scores by pack and player."""
    players = [find_strategy(spec, GAME) for spec in specs]
    one = make_study(RULES, players, 5, 1, duplicate=True)
    session, deals = one.session, PACKS * one.session
    study = make_study(RULES, players, 5, deals, duplicate=True)
    block = play_block(study, 0, deals)
    cubes = StudyCubes.of_block(
        RULES, block, session=session, alike=study.alike, duplicate=True
    )  # fmt: skip
    manifest = fake_manifest(RULES, tuple(specs), deals, duplicate=True)
    table = Table(StoredStudy(None, manifest, RULES, tuple(specs), cubes), session)
    outcomes = block.outcomes
    scores = (outcomes["winner"][:, None] == np.arange(4)) * outcomes["payment"][:, None]
    return table, scores.reshape(PACKS, session, 4).mean(axis=1)


TABLE, SCORES = table_of([FASTEST, FASTEST, KEEPER, FASTEST])
MINE, THEIRS = SCORES[:, [0, 1, 3]].mean(axis=1), SCORES[:, 2]


def error_of(values):
    return values.std(ddof=1) / np.sqrt(len(values))


def test_leads_and_scores_by_pack():
    assert not TABLE.zero_sum
    for (one, other), values in (
        ((FASTEST, FASTEST), MINE),
        ((KEEPER, KEEPER), THEIRS),
        ((FASTEST, KEEPER), MINE - THEIRS),
    ):
        lead = TABLE.lead(one, other)
        assert lead.value == pytest.approx(values.mean())
        assert lead.error == pytest.approx(error_of(values))


def test_a_plain_deal_varies_by_what_the_winner_scores():
    # Of players of the one: each wins a third of the time that one of them does.
    cube = TABLE.cubes.cube
    scored = np.where(cube["end"] == EXIT, cube["payment"], 0)
    ahead = scored * (np.isin(cube["winner"], [0, 1, 3]) / 3 - (cube["winner"] == 2))
    each = np.repeat(ahead, cube["count"])
    assert TABLE.plain_variance(FASTEST, KEEPER) == pytest.approx(each.var(ddof=1))


def test_what_is_earned_is_what_is_above_the_mean_of_the_table():
    earned, covariance = _earned(TABLE, [FASTEST, KEEPER])
    mean = SCORES.mean(axis=1)
    above = np.array([MINE - mean, THEIRS - mean])
    assert earned == pytest.approx(above.mean(axis=1))
    assert 3 * earned[0] + earned[1] == pytest.approx(0, abs=1e-12)
    assert covariance == pytest.approx(np.cov(above) / PACKS)
    alone = _alone([TABLE], KEEPER, FASTEST, 4, 0.95)
    assert alone.value == pytest.approx(earned[1])
    lead = TABLE.lead(KEEPER, FASTEST).measured(0.95)
    assert alone.high - alone.low == pytest.approx((lead.high - lead.low) * 3 / 4)


# -- What rules change -----------------------------------------------------------------------------


def test_compared_figures_are_sums_over_the_records():
    other = with_settings(RULES, ["recycles=0"])
    mine, theirs = (
        play_block(make_study(rules, [FASTEST], 3, 400), 0, 400).outcomes
        for rules in (RULES, other)
    )
    contrast = Contrast(RULES, other)
    assert contrast.paired
    contrast.add(mine, theirs)
    found = {each.figure.name: each for each in contrast.differences(0.95)}
    assert list(found) == [figure.name for figure in RUMMY_COMPARED]
    for outcomes, side in ((mine, "base"), (theirs, "other")):
        won = outcomes["end"] == EXIT
        expected = {
            "exits.rummy": (outcomes["kind"] == RUMMY).mean(),
            "exits.ordinary": (outcomes["kind"] == ORDINARY).mean(),
            "ends.drawn": (outcomes["end"] == DRAWN).mean(),
            "scored": outcomes["payment"].mean(),
            "score": outcomes["payment"][won].mean(),
            "going_rummy": (outcomes["kind"][won] == RUMMY).mean(),
            "last_card_laid": (outcomes["thrown"][won] == 0).mean(),
        }
        for name, value in expected.items():
            assert getattr(found[name], side).value == pytest.approx(value), name
    assert found["recycled"].other.impossible


def test_figures_are_those_of_the_game():
    assert [figure.name for figure in find_figures(["score"], GAME)] == ["score"]
    with pytest.raises(
        ContsimError, match=r"metric .payment. is not compared: choose exits\.rummy"
    ):
        find_figures(["payment"], GAME)


def test_a_variant_of_another_game_is_refused():
    with pytest.raises(ContsimError, match="basic-rummy is of Basic Rummy, and the baseline"):
        read_variants(ContinentalRules(), files=["basic-rummy"])


# -- What strategies know of them ------------------------------------------------------------------

BLIND = """
from continental_sim.api import first_held

GAMES = ("basic-rummy",)


def take_discard(view):
    return False


def choose_discard(view):
    return first_held(view)
"""


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (
            ["ace=both", "one_meld_per_turn=true"],
            [
                "fastest plays by the search for melds, which follows ace and one_meld_per_turn",
                "blind.py looks at nothing that tells of ace and one_meld_per_turn",
            ],
        ),
        (
            ["going_rummy=3", "ace_points=15"],
            [
                "fastest weighs ace_points",
                "fastest looks at nothing that tells of going_rummy",
                "blind.py looks at nothing that tells of ace_points and going_rummy",
            ],
        ),
        (
            ["recycles=0", "target=50", "seats=3"],
            ["no strategy is told of recycles and target"],
        ),
    ],
)
def test_what_is_said_of_strategies(settings, said):
    lineup = [find_strategy(FASTEST, GAME), make_strategy("blind.py", "blind", BLIND)]
    assert notes_on(RULES, with_settings(RULES, settings), lineup) == said


def test_what_tells_of_rules_is_what_the_code_has():
    fitting, weighed = awareness._RUMMY_FITTING, awareness._RUMMY_WEIGHED
    assert {*fitting, *weighed, *awareness._RUMMY_UNTOLD} <= set(rule_keys(BasicRummyRules))
    names = set(api.GAME_NAMES[GAME])
    fields = set(VIEW_FIELDS[GAME].names)
    for tells in (*fitting.values(), *weighed.values()):
        assert tells <= names | fields | awareness._SEARCH
    texts = {
        name: inspect.getsource(getattr(thing, "py_func", thing))
        for name in names
        if callable(thing := getattr(api, name))
    }
    searching = {
        name
        for name, text in texts.items()
        if re.search(r"(laying\.(deadwood|lays)|choices\.loose_discard)\(|games\.can", text)
    }
    assert searching == awareness._SEARCH & names
    assert {"laying.chances(" in texts["chances"], "ace_points" in texts["pips"]} == {True}
