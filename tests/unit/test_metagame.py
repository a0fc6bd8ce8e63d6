"""The game of choosing strategies."""

import numpy as np
import pytest

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


def test_known_games_of_two_have_their_known_mixtures():
    payoffs = of_two(SCISSORS, BETTER, UNEVEN)
    found = payoffs.equilibria()
    expected = [[1 / 3, 1 / 3, 1 / 3], [1, 0, 0], [0.25, 0.5, 0.25]]
    assert found == pytest.approx(np.array(expected), abs=0.02)
    assert payoffs.against(found).max() < 0.02


def test_more_players_draw_from_the_mixture_each():
    # A player of 1 among two others earns as many points as there are of 0 among them.
    earned = {(1, (0, 0)): 2.0, (1, (0, 1)): 1.0, (0, (0, 1)): -1.0, (0, (1, 1)): -1.0}
    payoffs = Payoffs([earned], 2, 3)
    mixture = np.array([[0.3, 0.7]])
    assert payoffs.against(mixture)[0] == pytest.approx(
        [-2 * 0.3 * 0.7 - 0.7**2, 2 * 0.3**2 + 2 * 0.3 * 0.7]
    )
    assert payoffs.equilibria()[0] == pytest.approx([0, 1], abs=0.02)


def test_what_is_a_little_better_is_all_of_the_mixture_beside_something_much_worse():
    # The dynamics go by the largest payoff, and so tell the first two apart slowly.
    earned = [[0.0, 0.02, 6.0], [-0.02, 0.0, 6.0], [-6.0, -6.0, 0.0]]
    payoffs = of_two(earned)
    assert payoffs.equilibria().tolist() == [[1, 0, 0]]
    assert payoffs.against(payoffs.equilibria()).max() == 0
