"""Intervals of matches: matches follow each other in a span, and what that does to them."""

from functools import cache

import numpy as np
import pytest

from continental_sim.columns import BASIC_RUMMY, DRAWN, EXIT
from continental_sim.cubes import group_matches
from continental_sim.figures.estimates import mean_of, proportion
from continental_sim.rules import BasicRummyRules

RULES = BasicRummyRules(seats=2, target=30)
SPANS, STUDIES = 4, 2_000
PAID = {5: 0.4, 9: 0.4, 25: 0.1, 0: 0.1}  # points of a deal and their chances; 0 is a draw
FIRST = 0.6  # chance that the first player wins a deal that is won


@cache
def exactly(mine: int, other: int) -> tuple[float, float]:
    """From these scores on: deals to go, and the chance that the first player wins the match."""
    deals = chance = 0.0
    for points, share in PAID.items():
        if not points:
            continue
        for first, weight in ((True, FIRST), (False, 1 - FIRST)):
            scores = (mine + points, other) if first else (mine, other + points)
            ended = max(scores) >= RULES.target
            to_go, wins = (0.0, float(first)) if ended else exactly(*scores)
            deals += share * weight * to_go
            chance += share * weight * wins
    # A draw leaves the scores as they are.
    return (1 + deals) / (1 - PAID[0]), chance / (1 - PAID[0])


def deals_of(rng: np.random.Generator, count: int) -> np.ndarray:
    """Outcomes with the chances above."""
    outcomes = np.zeros(count, BASIC_RUMMY.outcome_dtype)
    outcomes["deal"] = np.arange(count)
    outcomes["payment"] = rng.choice(list(PAID), count, p=list(PAID.values()))
    outcomes["end"] = np.where(outcomes["payment"] > 0, EXIT, DRAWN)
    outcomes["winner"] = np.where(rng.random(count) < FIRST, 0, 1)
    return outcomes


def test_intervals_of_matches_cover_as_often_as_they_say():
    rng = np.random.default_rng(20261201)
    length, chance = exactly(0, 0)
    covered = {"length": 0, "won": 0}
    means, shares, matches = [], [], []
    for _ in range(STUDIES):
        outcomes = deals_of(rng, SPANS * RULES.counted_together)
        rows = group_matches(outcomes, 2, RULES, BASIC_RUMMY.matches)
        won = rows["deals"] > 0
        total = int(rows["count"].sum()) // 2
        mean = mean_of(rows["deals"][won], rows["count"][won], 0.95)
        share = proportion(int(rows["count"][won & (rows["player"] == 0)].sum()), total, 0.95)
        covered["length"] += mean.low <= length <= mean.high
        covered["won"] += share.low <= chance <= share.high
        means.append(mean.mean)
        shares.append(share.rate)
        matches.append(total)
    # 0.95 within four standard errors of so many studies, and 0.01 for studies as small as these.
    for name, count in covered.items():
        assert 0.95 - 0.03 < count / STUDIES < 0.95 + 0.03, name
    # The ratio of two sums is off by far less than its own error.
    assert np.mean(means) == pytest.approx(length, abs=0.15 * np.std(means))
    assert np.mean(shares) == pytest.approx(chance, abs=0.15 * np.std(shares))
    assert np.mean(matches) > 40
