"""`contsim luck`: exact chances of a score, and deals that tell a player from luck."""

import json
import math
from fractions import Fraction

import pytest

from continental_sim.cli import main
from continental_sim.figures.estimates import proportion
from continental_sim.figures.luck import binomial_tail, deals_to_tell, exact_bounds


@pytest.mark.parametrize(
    ("least", "trials", "chance"),
    [(60, 100, "1/2"), (40, 100, "1/2"), (0, 9, "1/4"), (9, 9, "1/4"), (300, 1000, "1/4")],
)
def test_tails_are_those_of_exact_fractions(least, trials, chance):
    p = Fraction(chance)
    exact = sum(
        math.comb(trials, events) * p**events * (1 - p) ** (trials - events)
        for events in range(least, trials + 1)
    )
    assert binomial_tail(least, trials, float(p)) == pytest.approx(float(exact), rel=1e-10)


def test_bounds_are_where_a_score_would_be_as_uneven():
    low, high = exact_bounds(60, 100, 0.95)
    assert binomial_tail(60, 100, low) == pytest.approx(0.025)
    assert binomial_tail(40, 100, 1 - high) == pytest.approx(0.025)
    assert (low, high) == pytest.approx((0.4972, 0.6967), abs=1e-4)  # as published tables have it
    same = proportion(0, 50, 0.9)
    assert exact_bounds(0, 50, 0.9) == pytest.approx((same.low, same.high))


def power_of(deals, share, by_luck, level):
    """How often so many deals tell, exactly: the least score that is more than luck, or more."""
    least = next(
        wins
        for wins in range(math.ceil(deals * by_luck), deals + 1)
        if 2 * binomial_tail(wins, deals, by_luck) < 1 - level
    )
    return binomial_tail(least, deals, share)


@pytest.mark.parametrize(
    ("share", "by_luck"), [(0.55, 0.5), (0.6, 0.5), (0.7, 0.5), (0.3, 0.25), (0.52, 0.5)]
)
def test_so_many_deals_are_enough_as_often_as_is_said(share, by_luck):
    deals = deals_to_tell(share, by_luck, 0.95, 0.8)
    # Whole scores make the power jump by some per cent from deal to deal: the average is told.
    around = [power_of(deals + more, share, by_luck, 0.95) for more in range(-10, 11)]
    assert sum(around) / len(around) == pytest.approx(0.8, abs=0.025)


def test_a_famous_score(capsys):
    assert main(["luck", "60", "100", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["as_many"] == pytest.approx(0.02844397, rel=1e-6)
    assert found["as_uneven"] == pytest.approx(2 * 0.02844397, rel=1e-6)
    assert main(["luck", "60", "100"]) == 0
    text = capsys.readouterr().out
    assert "0.0569: no proof at a level of 95 %." in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80
    assert main(["luck", "600", "1000"]) == 0
    assert "more than luck" in capsys.readouterr().out
    assert main(["luck", "10", "100", "--share", "1/4"]) == 0  # unluckier than luck
    assert "more than luck" in " ".join(capsys.readouterr().out.split())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (["61", "60"], "61 wins in 60 deals cannot be: name the wins first"),
        (["1", "0"], "0 is too small"),
        (["1", "1e9"], "1,000,000,000 deals are more than can be judged: give at most 10,000,000"),
        (["1", "9", "--share", "2"], "2 is not between 0 and 1; write 1/4 or 0.25"),
        (["1", "9", "--share", "1e-300"], "1e-300 is too near to 0 or 1"),
        (["1", "9", "--level", "1e-300"], "1e-300 is too near to 0 or 1"),
        (["1", "9", "--level", "0.9999999999999999"], "is too near to 0 or 1"),
        (["1", "9", "--share", "1/0"], "'1/0' is not a share between 0 and 1"),
        (["1", "9", "--share", "50 percent"], "is not a share between 0 and 1"),
    ],
)
def test_what_makes_no_sense_is_refused(line, message, capsys):
    assert main(["luck", *line]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_shares_are_read_as_people_write_them(capsys):
    for text in ("1/4", "0.25", "25%"):
        assert main(["luck", "3", "9", "--share", text, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["by_luck"] == 0.25


def test_a_large_score_is_judged_at_once(capsys):
    assert binomial_tail(9 * 10**8, 10**9, 0.5) == 0
    assert main(["luck", "1e6", "2e6"]) == 0
    assert "with a chance of 0.5, so uneven a score" in " ".join(capsys.readouterr().out.split())
