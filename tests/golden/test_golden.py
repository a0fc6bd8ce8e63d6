"""A few deals as card play, kept whole: whoever changes one of them says so in the changelog.

"Same seed, different results" is a breaking change. If it is meant, write the files anew with
``python -m tests.golden.test_golden`` and read them before they are kept.
"""

from pathlib import Path

import pytest

from continental_sim.transcript import replay
from tests.tabletop import rules_with, study_of

HERE = Path(__file__).parent
SEED = 20
# Name of the file: rules, players, deal.
DEALS = {
    "a_short_deal": ((), ["fastest", "neighbours", "stock", "neighbours"], 24),
    "a_dealt_exit": ((), ["fastest", "neighbours", "stock", "neighbours"], 2383),
    "a_drawn_deal": (("seats=6", "recycles=0"), ["neighbours"], 169),
    "a_recycled_stock": (("seats=6",), ["neighbours"], 6_989),
}


def told(name):
    changes, specs, deal = DEALS[name]
    return replay(study_of(rules_with(*changes), specs, 4, seed=SEED), deal) + "\n"


@pytest.mark.parametrize("name", DEALS)
def test_a_deal_is_told_as_it_was(name):
    assert told(name) == (HERE / f"{name}.txt").read_text(encoding="utf-8")


def test_no_file_is_left_over():
    assert {path.stem for path in HERE.glob("*.txt")} == set(DEALS)


if __name__ == "__main__":
    for each in DEALS:
        (HERE / f"{each}.txt").write_text(told(each), encoding="utf-8")
