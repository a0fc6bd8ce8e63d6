"""Intervals of comparisons hold what they say."""

from pathlib import Path

import numpy as np
import pytest

from continental_sim.comparing.compare import make_comparison
from continental_sim.comparing.duels import Table, find_duels
from continental_sim.comparing.measured import Estimated
from continental_sim.comparing.settling import Goal
from continental_sim.cubes import StudyCubes
from continental_sim.engine import play_block, play_cubes
from continental_sim.figures.estimates import z_value
from continental_sim.files.store import StoredStudy
from continental_sim.study import make_study
from tests.tabletop import DEFAULT, rules_with, strategy

SAMPLES, PACKS = 400, 50
LINEUP = ("fastest", "stock", "fastest", "stock")


@pytest.fixture(scope="module")
def samples():
    """Duels of many small studies, and of all of them together."""
    return sampled(PACKS)


def sampled(packs):
    comparison, (study,) = make_comparison(LINEUP[:2], DEFAULT, deals=packs, seed=31)
    assert study.specs == LINEUP

    def duels(cubes):
        manifest = {"study": {"duplicate": True}, "state": {}}
        return find_duels(
            comparison, [StoredStudy(Path(), manifest, DEFAULT, LINEUP, cubes)], comparison.level
        )

    parts = [
        play_cubes(study, k * study.deals, study.deals, records=False)[0] for k in range(SAMPLES)
    ]
    return [duels(part) for part in parts], duels(StudyCubes.merge(parts))


def covered(values, truth):
    return np.mean([value.low <= truth <= value.high for value in values])


def test_the_interval_of_a_difference_covers_it_as_often_as_it_says(samples):
    # Of 400 samples 95 % have a standard error of 1.1 %: 4 of them. The mean of all has a tenth of
    # a sample's error, which costs a fraction of a percent.
    small, whole = samples
    (pair,) = whole.pairs
    assert (pair.one, pair.other) == LINEUP[:2]
    ahead = [each.pairs[0] for each in small]
    ahead = [each if each.one == pair.one else each.turned() for each in ahead]
    assert abs(covered([each.ahead for each in ahead], pair.ahead.value) - 0.95) < 0.044
    # Errors are told right, too.
    spread = np.std([each.ahead.value for each in ahead])
    assert spread == pytest.approx(np.mean([each.error for each in ahead]), rel=0.15)


@pytest.mark.parametrize("packs", [2, 3, 5])
def test_few_packs_claim_no_more_than_they_tell(samples, packs):
    # 4 standard errors, as above. With normal intervals 3 packs miss it 19 % of the time.
    (truth,) = samples[1].pairs
    small = [each.pairs[0] for each in sampled(packs)[0]]
    small = [each if each.one == truth.one else each.turned() for each in small]
    known = [each.ahead for each in small if each.error]
    assert len(known) > 0.95 * SAMPLES
    assert abs(covered(known, truth.ahead.value) - 0.95) < 0.044


@pytest.mark.parametrize("tables", [1, 2, 6])
@pytest.mark.parametrize("packs", [2, 3, 5])
def test_equal_strategies_are_seldom_told_apart_by_few_packs(packs, tables):
    # Of 4000 samples 5 % have a standard error of 0.35 %: 4 of them.
    dice, samples = np.random.default_rng(35), 4000
    leads = dice.normal(size=(samples, tables, packs))
    means, errors = leads.mean(axis=2), leads.std(axis=2, ddof=1) / packs**0.5
    found = [
        Estimated.mean([Estimated(m, e, packs - 1) for m, e in zip(*each, strict=True)])
        for each in zip(means.tolist(), errors.tolist(), strict=True)
    ]
    apart = np.array([each.p < 0.05 for each in found])
    outside = [not each.low <= 0 <= each.high for each in (one.measured(0.95) for one in found)]
    assert np.array_equal(apart, outside)
    assert apart.mean() < 0.05 + 0.014
    if tables == 1:
        assert apart.mean() > 0.05 - 0.014


def test_a_single_pack_has_no_interval():
    (whole,) = {each.packs for each in sampled(1)[1].tables}
    assert whole == SAMPLES
    for found in sampled(1)[0][:20]:
        (pair,) = found.pairs
        assert (pair.ahead.low, pair.ahead.high, pair.p) == (None, None, 1.0)
        assert not pair.identical
        for each in found.standings:
            for name in ("ledger", "wins", "payment", "rounds"):
                assert getattr(each, name).low is None


def test_bounds_of_other_figures_are_not_too_narrow(samples):
    small, whole = samples
    for name in ("ledger", "wins", "payment", "rounds"):
        for truth in whole.standings:
            values = [
                getattr(standing, name)
                for each in small
                for standing in each.standings
                if standing.strategy == truth.strategy
            ]
            assert covered(values, getattr(truth, name).value) > 0.95 - 0.044, name


def test_exits_that_come_together_in_some_packs_have_no_narrow_interval():
    # One table has twice as many players of stock as the other, and some packs suit them.
    rules, packs = rules_with("seats=3"), 1000
    comparison, studies = make_comparison(LINEUP[:2], rules, every=True, deals=packs, seed=34)
    stored = [
        StoredStudy(
            Path(), {}, rules, study.specs, play_cubes(study, 0, 3 * packs, records=False)[0]
        )
        for study in studies
    ]
    payment = find_duels(comparison, stored, 0.95).standings[-1].payment
    squares, count = 0.0, 0
    for study in studies:
        outcomes = play_block(study, 0, 3 * packs).outcomes
        mine = [k for k, spec in enumerate(study.specs) if spec == "stock"]
        won = np.isin(outcomes["winner"], mine)
        far = np.where(won, outcomes["payment"] - payment.value, 0.0).reshape(packs, 3)
        squares, count = squares + (far.sum(axis=1) ** 2).sum(), count + won.sum()
    assert (payment.high - payment.low) / 2 > z_value(0.95) * squares**0.5 / count


def test_wins_by_round_have_errors_that_are_no_narrower_than_theirs():
    # What is not kept, the wins of each pack by each round, is counted here from the deals.
    rules, packs, rounds = rules_with("seats=3"), 400, 25
    comparison, (study, _) = make_comparison(LINEUP[:2], rules, every=True, deals=packs, seed=36)
    cubes, _ = play_cubes(study, 0, 3 * packs, records=False)
    table = Table(StoredStudy(Path(), {}, rules, study.specs, cubes), study.session)
    outcomes = play_block(study, 0, 3 * packs).outcomes
    for name in comparison.compared:
        players = table.players[name]
        found, share = table.won_by(name, rounds), 0.0
        for number, each in enumerate(found, 1):
            early = -(-outcomes["turns"].astype(int) // 3) <= number
            won = [early & (outcomes["winner"] == player) for player in players]
            shares = np.array([one.reshape(packs, 3).mean(axis=1) for one in won])
            share = shares.mean()
            errors = shares.std(axis=1, ddof=1) / packs**0.5
            assert each.value == pytest.approx(share)
            assert errors.mean() * (1 - 1e-9) <= each.error
            # Far narrower than if all deals of a pack were alike, once most are over.
            if number == rounds:
                assert each.error == pytest.approx(errors.mean())
                assert each.error < 0.8 * (share * (1 - share) / packs) ** 0.5
        assert share > 0.2


def test_what_the_seatings_save_is_told_right(samples):
    # One deal of each pack, in a seating that comes round, is plain play.
    study = make_study(DEFAULT, [strategy(spec) for spec in LINEUP], 32, 12_000)
    cubes, _ = play_cubes(study, 0, 12_000, records=False)
    rows = cubes.cube[cubes.cube["end"] == 0]
    mine = np.isin(rows["winner"], [0, 2])
    lead = np.where(mine, 1, -1) * rows["payment"].astype(int) * 2
    mean = (lead * rows["count"]).sum() / 12_000
    variance = (lead**2 * rows["count"]).sum() / 12_000 - mean**2
    (pair,) = samples[1].pairs
    assert pair.variance == pytest.approx(variance, rel=0.1)
    assert mean == pytest.approx(pair.ahead.value, abs=4 * (variance / 12_000) ** 0.5)
    assert pair.gain == pytest.approx(pair.variance / pair.error**2 / pair.deals, rel=1e-3)
    assert pair.gain > 1


def test_looking_often_does_not_find_what_is_not_there():
    # Two strategies that are equal, looked at 12 times: at each look with twice the packs.
    dice, samples = np.random.default_rng(33), 20_000
    packs = 2 ** np.arange(12)
    steps = dice.normal(size=(samples, 12)) * np.sqrt(np.diff(packs, prepend=0))
    z = np.abs(steps.cumsum(axis=1)) / np.sqrt(packs)
    levels = [Goal(None).level(0.95, look) for look in range(1, 13)]
    spent = (z > [z_value(level) for level in levels]).any(axis=1).mean()
    naive = (z > z_value(0.95)).any(axis=1).mean()
    assert naive > 0.25
    assert 0.03 < spent < 0.05
    assert sum(1 - level for level in levels) < 0.05
