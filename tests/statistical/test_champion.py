"""Champion beats the other shipped strategies, alone among three of them and two against two."""

import pytest

from continental_sim.comparing.compare import make_comparison, play_comparison
from continental_sim.play.means import Means, Watcher
from continental_sim.strategy import shipped_directory
from tests.tabletop import DEFAULT

LEVEL = 0.999
APART = ("champion", "lookahead")  # `lookahead` is measured, not beaten: it thinks for long
OTHERS = sorted({path.stem for path in shipped_directory().glob("*.py")} - {*APART})
PACKS = {"defender": 60_000, "outs": 20_000, "banker": 20_000, "natural": 30_000}  # close ones
FEW = 10_000
SEED = 41  # not one on which it was tuned


@pytest.mark.parametrize("alone", [True, False], ids=["1 + 3", "2 + 2"])
@pytest.mark.parametrize(
    "other",
    [pytest.param(name, marks=() if name == "outs" else pytest.mark.full) for name in OTHERS],
)
def test_champion_is_ahead_with_certainty(other, alone, tmp_path):
    comparison, studies = make_comparison(
        ["champion"] if alone else ["champion", other],
        DEFAULT,
        field=other if alone else None,
        deals=PACKS.get(other, FEW),
        seed=SEED,
        level=LEVEL,
    )
    places = [seated.lineup.count("champion") for seated in comparison.lineups]
    assert places == [1 if alone else 2]
    found = play_comparison(comparison, studies, tmp_path / "out", Means(), Watcher())
    (pair,) = found.pairs
    assert (pair.one, pair.other) == ("champion", other)
    assert pair.ahead.low > 0


def test_no_shipped_strategy_is_left_out():
    assert len(OTHERS) >= 9
    assert {*OTHERS, "champion"} <= {path.stem for path in shipped_directory().glob("*.py")}
