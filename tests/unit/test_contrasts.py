"""Differences between two sets of deals: right sums, intervals that cover, adjusted chances."""

import math

import numpy as np
import pytest

from continental_sim.columns import OUTCOME
from continental_sim.comparing.compared import find_figures
from continental_sim.comparing.contrasts import Contrast, adjusted
from continental_sim.comparing.variants import read_variants
from continental_sim.errors import ContsimError
from continental_sim.figures.continental_compared import CONTINENTAL_COMPARED
from tests.tabletop import DEFAULT, rules_with

PAIRED = rules_with("recycles=0")
UNPAIRED = rules_with("jokers=4")
RNG = np.random.default_rng(14)


def deals_of(turns, ends):
    """Records of deals: their lengths, and how they ended."""
    rows = np.zeros(len(turns), OUTCOME)
    rows["turns"], rows["end"] = turns, ends
    rows["kind"] = np.where(ends, -1, 2)
    rows["seat"] = rows["deuces"] = rows["jokers"] = rows["one_suit"] = -1
    return rows


def contrast(base, other, rules=PAIRED, cuts=1):
    found = Contrast(DEFAULT, rules)
    for mine, theirs in zip(np.array_split(base, cuts), np.array_split(other, cuts), strict=True):
        found.add(mine, theirs)
    return {each.figure.name: each for each in found.differences(0.95)}


@pytest.fixture(scope="module")
def two():
    cards = RNG.integers(0, 40, 3000)  # what is common to both
    base = deals_of(cards + RNG.integers(1, 4, 3000), np.zeros(3000, bool))
    other = deals_of(cards + RNG.integers(2, 5, 3000), RNG.random(3000) < 0.01)
    return base, other


def test_a_paired_difference_is_that_of_the_deals(two):
    base, other = two
    found = contrast(*two, cuts=7)["turns"]
    each = other["turns"].astype(float) - base["turns"]
    error = each.std(ddof=1) / math.sqrt(len(each))
    assert found.paired
    assert found.value == pytest.approx(each.mean())
    assert found.high - found.value == pytest.approx(1.959964 * error)
    assert found.base.value == pytest.approx(base["turns"].mean())
    spread = base["turns"].std(ddof=1) / math.sqrt(len(base))
    assert found.base.high - found.base.value == pytest.approx(1.959964 * spread)


def test_an_unpaired_difference_has_both_errors(two):
    base, other = two
    found = contrast(*two, UNPAIRED)["turns"]
    variance = base["turns"].var(ddof=1) + other["turns"].var(ddof=1)
    assert not found.paired
    assert found.high - found.value == pytest.approx(1.959964 * math.sqrt(variance / len(base)))
    # What the cards do to both is most of it.
    paired = contrast(*two)["turns"]
    assert found.high - found.low > 5 * (paired.high - paired.low)


def test_what_the_rules_forbid_is_told_as_such(two):
    found = contrast(*two)["ends.drawn"]
    assert found.base.impossible
    assert not found.other.impossible
    assert found.other.value == pytest.approx((two[1]["end"] == 1).mean())
    assert found.p < 1e-6
    assert 0 < found.low < found.value < found.high
    back = contrast(*reversed(two))["ends.drawn"]
    assert back.value == -found.value
    assert (back.low, back.high) == pytest.approx((-found.high, -found.low))


def test_equal_deals_differ_in_nothing(two):
    for found in contrast(two[0], two[0]).values():
        assert found.same
        assert (found.value, found.p) == (0, 1)
        if found.low is None:
            assert not found.figure.rate or found.other.impossible
        else:  # never a width of nought: more deals might differ
            assert found.low < 0 < found.high < 2e-3


@pytest.mark.parametrize("rules", [PAIRED, UNPAIRED])
@pytest.mark.parametrize(("rate", "moved"), [(0.02, 0.004), (0.3, 0.02), (0.002, 0.0)])
def test_intervals_of_rates_cover(rules, rate, moved):
    """Of 2,000 simulated pairs at least 94 % cover; a sigma is 0.5 %."""
    dice = np.random.default_rng(15)
    covered, studies, deals = 0, 2000, 500
    for _ in range(studies):
        luck = dice.random(deals)
        base = luck < rate
        luck = luck if rules is PAIRED else dice.random(deals)
        other = np.where(dice.random(deals) < 0.1, dice.random(deals) < rate + moved, luck < rate)
        truth = 0.1 * moved
        sums = Contrast(DEFAULT, rules, find_figures(["ends.capped"], "continental"))
        sums.add(*(deals_of(np.ones(deals), 2 * each) for each in (base, other)))
        (found,) = sums.differences(0.95)
        covered += found.low <= truth <= found.high
    assert covered / studies >= 0.94


# -- Of exits: ratios of two sums -----------------------------------------------------------------

PAYS = np.array([2, 3, 4, 12])
CHANCES, OTHERS = (0.4, 0.3, 0.2, 0.1), (0.3, 0.4, 0.25, 0.05)
EXITS, OTHER_EXITS, CHANGED = 0.9, 0.6, 0.3  # share of exits; of the deals that the rule changes


def exits_of(dice, deals, chances, share):
    """Records of deals of which a share ends in an exit, paid by chance; 12 is a first turn."""
    rows = deals_of(np.ones(deals), 2 * (dice.random(deals) >= share))
    rows["payment"] = np.where(rows["end"] == 0, dice.choice(PAYS, deals, p=chances), 0)
    rows["kind"] = np.where(rows["end"] == 0, np.where(rows["payment"] == 12, 1, 2), -1)
    return rows


def pair_of(dice, deals, rules):
    """Two sets of deals: paired, the rule changes some of the deals and leaves the others."""
    base = exits_of(dice, deals, CHANCES, EXITS)
    again = exits_of(dice, deals, OTHERS, OTHER_EXITS)
    kept = base if rules is PAIRED else exits_of(dice, deals, CHANCES, EXITS)
    return base, np.where(dice.random(deals) < CHANGED, again, kept)


def true_difference(of):
    """How much larger a figure of exits is with the rule, `of` being its value for each payment."""
    mine, others = np.dot(of, CHANCES), np.dot(of, OTHERS)
    weights = (1 - CHANGED) * EXITS, CHANGED * OTHER_EXITS
    return np.dot(weights, (mine, others)) / sum(weights) - mine


@pytest.mark.parametrize("rules", [PAIRED, UNPAIRED])
@pytest.mark.parametrize(("name", "of"), [("payment", PAYS), ("first_turn_share", PAYS == 12)])
def test_intervals_of_figures_of_exits_cover(rules, name, of):
    """Of 1,000 simulated pairs 93.3 % to 97 % cover; a sigma is 0.7 %."""
    dice = np.random.default_rng(16)
    covered, studies = 0, 1000
    for _ in range(studies):
        sums = Contrast(DEFAULT, rules, find_figures([name], "continental"))
        sums.add(*pair_of(dice, 500, rules))
        (found,) = sums.differences(0.95)
        covered += found.low <= true_difference(of) <= found.high
    assert 0.933 <= covered / studies <= 0.97


def test_the_error_of_a_paired_ratio_is_that_of_what_each_deal_adds():
    base, other = pair_of(np.random.default_rng(17), 3000, PAIRED)
    found = contrast(base, other, cuts=4)["payment"]
    means = [each["payment"][each["end"] == 0].mean() for each in (base, other)]
    adds = [
        (each["payment"] - mean * (each["end"] == 0)) / (each["end"] == 0).mean()
        for each, mean in zip((base, other), means, strict=True)
    ]
    error = (adds[1] - adds[0]).std(ddof=1) / math.sqrt(3000)
    assert found.value == pytest.approx(means[1] - means[0])
    assert found.high - found.value == pytest.approx(1.959964 * error)
    alone = adds[1].std(ddof=1) / math.sqrt(3000)
    assert found.other.high - found.other.value == pytest.approx(1.959964 * alone)


def test_where_no_deal_ends_in_an_exit_there_is_nothing_to_compare():
    base = exits_of(np.random.default_rng(18), 200, CHANCES, EXITS)
    none = deals_of(np.ones(200), 2 * np.ones(200))
    found = contrast(base, none)["payment"]
    assert found.settled
    assert (found.value, found.low, found.other.value) == (None, None, None)
    assert found.base.value == pytest.approx(base["payment"][base["end"] == 0].mean())
    assert math.isinf(found.half)


def test_chances_are_adjusted_for_all_comparisons(two):
    base, other = two
    alike = deals_of(base["turns"] + RNG.integers(-1, 2, 3000), np.zeros(3000, bool))
    families = [list(contrast(base, each).values()) for each in (other, alike)]
    after_all = adjusted(families)
    chances = sorted(
        (each.p, each.adjusted)
        for family in after_all
        for each in family
        if not each.same and not (each.base.impossible and each.other.impossible)
    )
    assert len(chances) > 2
    assert all(p <= after <= 1 for p, after in chances)
    assert [after for _, after in chances] == sorted(after for _, after in chances)
    assert chances[0][1] == pytest.approx(min(1, chances[0][0] * len(chances)))
    assert {each.figure.name for each in after_all[0]} == {
        figure.name for figure in CONTINENTAL_COMPARED
    }


# --- Variants ------------------------------------------------------------------------------------


def test_variants_are_settings_grids_and_files(tmp_path):
    (tmp_path / "mine.toml").write_text('about = "Mine."\ngame = "continental"\nace = "low"\n')
    found = read_variants(
        DEFAULT,
        ["recycles=0", "seats=5   ace=high"],
        ["jokers=0,2", "seats=4,5"],
        ["block", str(tmp_path / "mine.toml")],
    )
    assert [each.name for each in found] == [
        "recycles=0", "seats=5 ace=high", "jokers=0 seats=4", "jokers=0 seats=5",
        "jokers=2 seats=5", "mine",
    ]  # fmt: skip
    assert found[1].rules == rules_with("seats=5", "ace=high")
    (tmp_path / "baseline.toml").write_text('about = "B."\ngame = "continental"\nace = "low"\n')
    names = [each.name for each in read_variants(
        DEFAULT, ["ace = high", "wild_ranks=2, 3"], [], [str(tmp_path / "baseline.toml")]
    )]  # fmt: skip
    assert names == ["ace=high", "wild_ranks=2,3", "baseline-2"]
    (first, second) = read_variants(DEFAULT, [], ["patterns=3+3+3+3+3/5+4+3+3,4+4+4+3"])
    assert first.rules.patterns == ("3+3+3+3+3",)
    assert second.rules.patterns == ("5+4+3+3", "4+4+4+3")


@pytest.mark.parametrize(
    ("settings", "grids", "name"),
    [
        (["ace = low seats=5 ace=high"], [], "ace=low seats=5 ace=high"),
        ([], ["ace=low,high", "seats=5", "ace=wrap"], "ace=low seats=5 ace=wrap"),
    ],
)
def test_a_key_given_twice_is_refused(settings, grids, name):
    with pytest.raises(ContsimError, match=f"^the variant '{name}' has ace twice: give each key"):
        read_variants(DEFAULT, settings, grids)
