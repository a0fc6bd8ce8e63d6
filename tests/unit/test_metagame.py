"""The game of choosing strategies."""

import numpy as np
import pytest

from continental_sim.comparing import metagame
from continental_sim.comparing.metagame import Payoffs

# By strategy and by the other player's.
SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
BETTER = [[0, 2, 1], [-2, 0, -1], [-1, 1, 0]]
# Rock counts twice: the mixture that nobody beats is 1/4, 1/2, 1/4.
UNEVEN = [[0, -1, 2], [1, 0, -1], [-2, 1, 0]]


def of_two(*games):
    return Payoffs(
        [
            {(one, (other,)): float(game[one][other]) for one in range(3) for other in range(3)}
            for game in games
        ],
        3,
        2,
    )


MIXTURES = [[1 / 3, 1 / 3, 1 / 3], [1, 0, 0], [0.25, 0.5, 0.25]]


def test_known_games_of_two_have_their_known_mixtures():
    payoffs = of_two(SCISSORS, BETTER, UNEVEN)
    found = payoffs.equilibria()
    assert found == pytest.approx(np.array(MIXTURES), abs=1e-12)
    assert payoffs.against(found).max() < 1e-12


def test_games_of_too_many_strategies_are_grown(monkeypatch):
    monkeypatch.setattr(metagame, "MOST_TRIED", 2)
    payoffs = of_two(SCISSORS, BETTER, UNEVEN)
    found = payoffs.equilibria()
    assert found == pytest.approx(np.array(MIXTURES), abs=0.02)
    assert payoffs.against(found).max() < 0.02


@pytest.mark.parametrize("worse", [6.0, 1000.0])
def test_a_mixture_of_close_ones_is_found_beside_something_much_worse(worse):
    # Of three players the first earns -0.01 beside one of each, the second -0.015 twice beside it.
    #   -0.01 * 2 p (1 - p) + 0.03 * (1 - p)**2 = 0 at p = 0.6.
    close = {(0, (0, 1)): -0.01, (1, (0, 0)): 0.02, (0, (1, 1)): 0.03, (1, (0, 1)): -0.015}
    beside = {(one, others): worse for one in (0, 1) for others in ((0, 2), (1, 2), (2, 2))}
    far = {(2, others): -worse for others in ((0, 0), (0, 1), (1, 1), (0, 2), (1, 2))}
    payoffs = Payoffs([close | beside | far], 3, 3)
    found = payoffs.equilibria()
    assert found[0] == pytest.approx([0.6, 0.4, 0], abs=1e-9)
    assert payoffs.against(found)[0, :2] == pytest.approx([0, 0], abs=1e-12)


def test_what_nobody_beats_is_found_in_games_of_many(monkeypatch):
    # 30 games of six, of two players each: what one earns the other loses.
    games = np.random.default_rng(9).normal(size=(30, 6, 6))
    games -= games.transpose(0, 2, 1)
    earned = [
        {(one, (other,)): game[one, other] for one in range(6) for other in range(6)}
        for game in games
    ]
    monkeypatch.setattr(metagame, "STEPS", 0)  # none is left to the dynamics
    payoffs = Payoffs(earned, 6, 2)
    found = payoffs.equilibria()
    assert found.min() >= 0
    assert found.sum(axis=1) == pytest.approx(np.ones(30))
    assert payoffs.against(found).max() < 1e-9
    assert {(each > 0).sum() for each in found} >= {1, 3, 5}


def test_more_players_draw_from_the_mixture_each():
    # A player of 1 among two others earns as many points as there are of 0 among them.
    earned = {(1, (0, 0)): 2.0, (1, (0, 1)): 1.0, (0, (0, 1)): -1.0, (0, (1, 1)): -1.0}
    payoffs = Payoffs([earned], 2, 3)
    mixture = np.array([[0.3, 0.7]])
    assert payoffs.against(mixture)[0] == pytest.approx(
        [-2 * 0.3 * 0.7 - 0.7**2, 2 * 0.3**2 + 2 * 0.3 * 0.7]
    )
    assert payoffs.equilibria()[0] == pytest.approx([0, 1], abs=1e-12)


def test_what_is_a_little_better_is_all_of_the_mixture_beside_something_much_worse():
    earned = [[0.0, 0.02, 6.0], [-0.02, 0.0, 6.0], [-6.0, -6.0, 0.0]]
    payoffs = of_two(earned)
    assert payoffs.equilibria().tolist() == [[1, 0, 0]]
    assert payoffs.against(payoffs.equilibria()).max() == 0
