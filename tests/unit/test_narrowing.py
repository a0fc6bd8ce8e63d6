"""When differences are known well enough: the widest variant decides, and the baseline's share."""

from itertools import pairwise
from types import SimpleNamespace

import pytest

from continental_sim.comparing.compared import find_figures
from continental_sim.comparing.contrasts import Side
from continental_sim.comparing.narrowing import judge, looks
from continental_sim.figures.precision import parse_target

(TURNS,) = find_figures(["turns"], "continental")


def answers(*halves, base=None):
    """Answers of variants whose differences in turns are known so well, after 1,000 deals."""
    base = base or Side(20.0, 19.9, 20.1)
    return [
        SimpleNamespace(
            deals=1000, differences=[SimpleNamespace(figure=TURNS, base=base, half=half)]
        )
        for half in halves
    ]


def judged(goal, *halves, **options):
    return judge(answers(*halves, **options), [parse_target(goal)], 0.95)


def test_the_widest_variant_decides():
    assert judged("turns=0.5", 0.5, 0.1).met
    found = judged("turns=0.5", 0.1, 1.0)
    assert not found.met
    assert found.needed == 4000  # half the width takes four times the deals
    assert found.text == "differences of turns to ± 1.00, wanted ± 0.500"


def test_a_share_is_of_the_baseline():
    assert judged("turns=1%", 0.2).met
    found = judged("turns=1%", 0.21)
    assert not found.met
    assert found.text.endswith("wanted ± 0.200 (1 % of the baseline's)")


@pytest.mark.parametrize("base", [Side(0.0, 0.0, 0.1), Side(1.0, 0.7, 1.3), Side(None, None, None)])
def test_a_share_of_what_is_hardly_known_is_not_known(base):
    found = judged("turns=50%", 1e-9, base=base)
    assert (found.met, found.needed) == (False, None)
    assert found.text == "turns: too few in the baseline to say what 50% of it is"


def test_of_several_goals_all_are_to_be_met():
    goals = [parse_target("turns=0.5"), parse_target("turns=0.1")]
    assert not judge(answers(0.3), goals, 0.95).met
    assert judge(answers(0.1), goals, 0.95).met


def test_looks_double_from_where_the_seed_says():
    plan = looks(7, 4, 10**6)
    assert all(look % 4 == 0 for look in plan[:-1])
    assert 10_000 <= plan[0] <= 20_004
    assert plan[-1] == 10**6
    ratios = [after / before for before, after in pairwise(plan[:-1])]
    assert ratios == pytest.approx([2] * len(ratios), abs=1e-3)
    assert len({looks(seed, 4, 10**6)[0] for seed in range(50)}) > 40
