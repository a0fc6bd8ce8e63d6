"""What can be counted exactly: the tables count it to the last hand, play agrees within 4 sigma.

The numbers are those of an independent count, confirmed there by a simulation of 10 million hands.
"""

from math import comb

import numpy as np
import pytest

from continental_sim.engine import play_block
from continental_sim.exact.odds import hand_odds
from continental_sim.tables import load_melds
from tests.tabletop import DEFAULT, rules_with, study_of

GO_OUT = 205_752_709_423_432  # dealt hands of 15 that can go out, of C(106, 15)
DEALT = 3.17344830e-4
SIXTEEN = 2.240920925e-3  # 16 random cards of which some 15 can go out
# Distance of a dealt hand, of 10 million: known to 4 decimals, and to a sigma of 1.5e-4 at most.
DISTANCES = [0.0003, 0.0072, 0.0605, 0.2229, 0.3681, 0.2611, 0.0721, 0.0076, 0.0003]


# --- Counted -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def hands_by_use():
    """Hands by (naturals held, naturals that one layout can use), without their wild cards."""
    melds = load_melds(DEFAULT)
    digits = np.arange(len(melds.kinds))[:, None] // 3 ** np.arange(12) % 3
    sizes, ways = digits.sum(axis=1), 2 ** (digits == 1).sum(axis=1)
    suits = np.zeros((melds.classes, 17), np.int64)
    few = sizes <= 16
    np.add.at(suits, (np.asarray(melds.kinds)[few], sizes[few]), ways[few])

    pairs = np.asarray(melds.pairs).reshape(melds.classes, melds.classes)
    counts = np.zeros((melds.pair_classes, 17), np.int64)
    for first in range(17):
        for second in range(17 - first):
            both = np.outer(suits[:, first], suits[:, second])
            np.add.at(counts[:, first + second], pairs.ravel(), both.ravel())

    used = np.asarray(melds.used).reshape(melds.pair_classes, melds.pair_classes)
    hands = np.zeros((17, 17), np.int64)
    for first in range(17):
        for second in range(17 - first):
            for most in range(first + second + 1):
                way = (used == most).astype(np.int64)
                hands[first + second, most] += counts[:, first] @ way @ counts[:, second]
    return hands


def by_distance(hands_by_use, size):
    """Count the hands of `size` cards by their distance."""
    counts = [0] * 16
    for naturals in range(size - 10, size + 1):
        wilds = size - naturals
        for used in range(naturals + 1):
            distance = 15 - min(15, used + wilds)
            counts[distance] += int(hands_by_use[naturals, used]) * comb(10, wilds)
    assert sum(counts) == comb(106, size)
    return counts


def test_the_tables_count_the_dealt_hands_that_can_go_out(hands_by_use):
    counts = by_distance(hands_by_use, 15)
    assert counts[0] == GO_OUT
    assert counts[0] / comb(106, 15) == pytest.approx(DEALT, rel=1e-8)
    for distance, share in enumerate(DISTANCES):
        assert counts[distance] / comb(106, 15) == pytest.approx(share, abs=5e-5 + 4 * 1.5e-4)


def test_the_tables_count_the_hands_of_16_that_can_go_out(hands_by_use):
    counts = by_distance(hands_by_use, 16)
    assert counts[0] / comb(106, 16) == pytest.approx(SIXTEEN, rel=1e-9)


# --- Played --------------------------------------------------------------------------------------


def play_stock(deals, seed, rules=DEFAULT):
    """Play `stock`; count seat 0's exits by its first turn, its hands by distance, and wilds."""
    study = study_of(rules, "stock", deals, seed=seed)
    dealt = by_first_turn = 0
    distances, wilds = np.zeros(16, np.int64), []
    for span in study.blocks():
        block = play_block(study, span.first, span.deals)
        outcomes = block.outcomes
        mine = (outcomes.end == 0) & (outcomes.seat == 0)
        dealt += int((mine & (outcomes.kind == 0)).sum())
        by_first_turn += int((mine & (outcomes.kind <= 1)).sum())
        distances += np.bincount(block.openings["distance"][:, 0], minlength=16)
        wilds.append((block.openings["deuces"] + block.openings["jokers"]).sum(axis=1))
    return dealt, by_first_turn, distances, np.concatenate(wilds)


def check(deals, seed, sigmas=4):
    dealt, by_first_turn, distances, wilds = play_stock(deals, seed)
    for events, chance in (
        (dealt, DEALT),
        (by_first_turn, SIXTEEN),
        *((distances[away], share) for away, share in enumerate(DISTANCES) if 0 < away < 8),
    ):
        rounding = 0 if chance in (DEALT, SIXTEEN) else deals * (5e-5 + 4 * 1.5e-4)
        limit = sigmas * (deals * chance * (1 - chance)) ** 0.5 + rounding
        assert abs(events - deals * chance) < limit, chance
    # Wild cards in all four hands of a deal, 60 of the 106 cards: hypergeometric.
    mean, share = 60 * 10 / 106, 10 / 106
    variance = 60 * share * (1 - share) * (106 - 60) / (106 - 1)
    assert abs(wilds.mean() - mean) < sigmas * (variance / deals) ** 0.5
    assert abs(wilds.var() / variance - 1) < 0.02


def test_play_agrees_with_what_was_counted():
    check(200_000, seed=91)


@pytest.mark.full
@pytest.mark.parametrize("seed", [92, 93])
def test_play_of_many_deals_agrees_with_what_was_counted(seed):
    check(2_000_000, seed)


# --- Hands of rules that watch the naturals of a run, or its wild cards --------------------------


def check_limits(changes, deals, seed):
    """Compare the hands of seat 0, one a deal, with what is counted: within 4 sigma."""
    rules = rules_with("max_rounds=1", *changes)
    _, by_first_turn, distances, _ = play_stock(deals, seed, rules)
    odds = hand_odds(rules)
    one_more, chances = odds.one_more.p, [each.p for each in odds.distances]
    assert abs(by_first_turn - deals * one_more) < 4 * (deals * one_more) ** 0.5 + 1
    assert distances[len(chances) :].sum() == 0
    expected, seen = deals * np.array(chances), distances[: len(chances)]
    rare = expected < 10
    expected = np.append(expected[~rare], expected[rare].sum())
    seen = np.append(seen[~rare], seen[rare].sum())
    off = ((seen - expected) ** 2 / expected).sum()
    # The cube root of a chi-square is nearly normal (Wilson and Hilferty).
    freedom = len(expected) - 1
    spread = 2 / (9 * freedom)
    assert (off / freedom) ** (1 / 3) < 1 - spread + 4 * spread**0.5


def test_play_of_two_naturals_a_run_agrees_with_what_was_counted():
    check_limits(("packs=1", "seats=3", "min_naturals_per_run=2"), 100_000, seed=94)


@pytest.mark.full
@pytest.mark.parametrize(
    "changes",
    [
        ("min_naturals_per_run=2",),
        ("max_wilds_per_run=0",),
        ("max_wilds_per_run=1", "jokers=8"),
        ("max_wilds_per_run=2",),
        ("min_naturals_per_run=2", "wild_ranks=2,3"),
        ("min_naturals_per_run=3", "ace=wrap", "wild_ranks=A"),
    ],
    ids=" ".join,
)
def test_play_of_other_limits_agrees_with_what_was_counted(changes):
    check_limits(changes, 400_000, seed=95)
