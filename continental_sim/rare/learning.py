"""The score of a hand, learned: how likely the event is when a hand stands so.

A hand's worth, by the time, is taken for a Markov chain. Its moves are counted, whatever copies
they are of, and the chance of the event is worked out backwards from the last time to the first.
The chain need not be true: a poor score costs effort, and shifts no rate.
"""

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from continental_sim.columns import KINDS, LATER
from continental_sim.kernels.splitting import ROUNDS
from continental_sim.rare.goals import MOST_SCORE
from continental_sim.rules import ContinentalRules

STEPS: Final = 2  # of the score for each doubling of the chance
DOUBT: Final = 3.0  # hands like those of all times together, which count beside those of a time
UNKNOWN: Final = 2.0  # times the chance with a card less, where no hand has stood
LAST_STEPS: Final = 30  # that a hand may take at the last time, which all later ones share

Moves = NDArray[np.int64]  # [kinds, times, hand_size + 1, hand_size + 3], see `roots.play_roots`
Chances = NDArray[np.float64]


def no_moves(rules: ContinentalRules) -> Moves:
    """Return moves of no hand."""
    size = rules.hand_size
    return np.zeros((len(KINDS), size + ROUNDS, size + 1, size + 3), np.int64)


def plain_scores(rules: ContinentalRules) -> NDArray[np.uint8]:
    """Score each hand by its worth, as long as nothing is known."""
    worths = np.arange(rules.hand_size + 1, dtype=np.uint8)
    return np.tile(worths, (len(KINDS), rules.hand_size + ROUNDS, 1))


def learned_scores(moves: Moves, first: Moves, rate: float) -> tuple[NDArray[np.uint8], int]:
    """Score each hand by the chance of the event from where it stands.

    Parameters
    ----------
    moves : Moves
    first : Moves
        Of play without copies: it tells how often a hand comes to its next turn.
    rate : float
        Of the event in all deals.

    Returns
    -------
    uint8[kinds, times, hand_size + 1]
        `STEPS` more for each doubling of the chance.
    int
        Score of a hand whose chance is that of all deals.
    """
    goes_on = _going_on(first[LATER])
    chances = np.stack([_chances(each, goes_on) for each in moves])
    usual = 2 * STEPS  # as hands with less chance are alike
    with np.errstate(divide="ignore"):
        scores = usual + np.floor(STEPS * np.log2(chances / rate))
    return np.clip(scores, 0, MOST_SCORE).astype(np.uint8), usual


def _going_on(later: Moves) -> Chances:
    """Return, by the time, the share of the hands that come to their next step."""
    came = later[:-1, :, :-2].sum(axis=(1, 2))
    took = later[1:, :, -2].sum(axis=1)
    shares = np.ones(len(later))
    shares[1:] = np.minimum(1, (took + 1) / (came + 2))
    return shares


def _chances(moves: Moves, goes_on: Chances) -> Chances:
    """Work out the chance of the event by time and worth, for one kind of exit."""
    times, sizes = moves.shape[:2]
    played = sizes - 2  # the time of a hand that is dealt
    chances = np.zeros((times, sizes))
    alike = [_shares(moves[:played].sum(axis=0)), _shares(moves[played:].sum(axis=0))]
    for time in [*[times - 1] * LAST_STEPS, *range(times - 2, -1, -1)]:
        seen = moves[time] + DOUBT * alike[time >= played]
        after = np.append(chances[min(time + 1, times - 1)], (0, 1))
        share = _shares(seen) @ after
        below = 0.0  # a hand that is worth more is not worse
        for worth in range(sizes):
            found = goes_on[time] * share[worth] if seen[worth, -2] else UNKNOWN * below
            below = chances[time, worth] = min(1.0, max(below, found))
    return chances


def _shares(moves: NDArray[Any]) -> Chances:
    """Divide what hands have come to by the number of hands; 0 where there was none."""
    hands = moves[:, -2:-1]
    shares: Chances = np.divide(moves, hands, where=hands > 0, out=np.zeros(moves.shape))
    return shares
