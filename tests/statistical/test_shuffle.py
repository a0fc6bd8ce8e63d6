"""The shuffle, and the test of the shuffle: what is deliberately naive must fail it.

Everything has a fixed seed; limits are in sigmas of the statistic.
"""

from collections.abc import Callable

import numpy as np
import pytest
from numba import njit

from continental_sim.engine import dealt_packs
from continental_sim.kernels import dealing, rng
from tests.tabletop import rules_with, table_of

RULES = rules_with("packs=1", "jokers=0", "seats=3")  # 52 different cards
CARDS = 52
PACKS = 20_000
LIMIT = 4.5  # [sigma]


def position_by_card(packs):
    """Count how often each card lies at each place: sigmas of chi-square above its mean.

    For random permutations of n cards, chi-square times (n - 1) / n has (n - 1)**2 degrees of
    freedom: a card lies somewhere, and somewhere lies a card.
    """
    counts = np.zeros((CARDS, CARDS))
    for place in range(CARDS):
        counts[place] = np.bincount(packs[:, place], minlength=CARDS)
    return _sigmas(counts, len(packs) / CARDS, CARDS - 1)


def adjacent_pairs(packs):
    """Count how often each card follows each other one, with an end mark that closes the circle.

    Then every card has one follower, never itself: n + 1 things, as many degrees of freedom as
    a table of n + 1 rows and columns without its diagonal.
    """
    size = CARDS + 1
    ends = np.full((len(packs), 1), CARDS)
    circle = np.hstack([ends, packs, ends]).astype(np.int64)
    codes = (circle[:, :-1] * size + circle[:, 1:]).ravel()
    counts = np.bincount(codes, minlength=size * size).reshape(size, size)
    off_diagonal = counts[~np.eye(size, dtype=bool)]
    return _sigmas(off_diagonal, len(packs) / CARDS, CARDS)


def _sigmas(counts, expected, rows):
    chi_square = ((counts - expected) ** 2 / expected).sum() * rows / (rows + 1)
    freedom = rows**2
    return (chi_square - freedom) / (2 * freedom) ** 0.5


CHECKS: list[Callable] = [position_by_card, adjacent_pairs]


@pytest.fixture(scope="module")
def dealt():
    """Whole packs as the engine deals and draws them: the places in the order of the shuffle."""
    packs = dealt_packs(RULES, 2, PACKS)
    assert (np.sort(packs, axis=1) == np.arange(CARDS)).all()
    return packs


def shuffled_by(shuffle, seed=3):
    """Shuffle packs with a function of (pack, generator state)."""
    packs = np.tile(np.arange(CARDS, dtype=np.int8), (PACKS, 1))
    state = np.zeros(4, np.uint64)
    rng.philox(np.uint64(seed), rng.DECK, 0, 0, state)
    shuffle(packs, state)
    return packs


@njit
def swap_with_any(packs, state):
    """The classic fault: each place is swapped with any other, not with those still to come."""
    for pack in packs:
        for place in range(len(pack)):
            other = rng.below(state, len(pack))
            pack[place], pack[other] = pack[other], pack[place]


@njit
def swap_with_later(packs, state):
    """Sattolo's cycle: never leaves a card where it was."""
    for pack in packs:
        for place in range(len(pack) - 1):
            other = place + 1 + rng.below(state, len(pack) - 1 - place)
            pack[place], pack[other] = pack[other], pack[place]


@njit
def cut(packs, state):
    """Only cuts the pack: every card is anywhere equally often, and the order is as it was."""
    for row in range(len(packs)):
        packs[row] = np.roll(packs[row], rng.below(state, packs.shape[1]))


@njit
def forget_last(packs, state):
    """Off by one: the last place never moves."""
    for pack in packs:
        for place in range(len(pack) - 1):
            other = place + rng.below(state, len(pack) - 1 - place)
            pack[place], pack[other] = pack[other], pack[place]


@pytest.mark.parametrize("check", CHECKS)
def test_a_dealt_pack_is_in_random_order(dealt, check):
    assert abs(check(dealt)) < LIMIT


@pytest.mark.parametrize("check", CHECKS)
def test_the_checks_hold_for_shuffles_of_numpy(check):
    packs = np.tile(np.arange(CARDS), (PACKS, 1))
    sigmas = [check(np.random.default_rng(seed).permuted(packs, axis=1)) for seed in range(12)]
    assert max(map(abs, sigmas)) < LIMIT
    assert abs(np.mean(sigmas)) < 4 / 12**0.5  # centred: 4 sigma of a mean of 12
    assert 0.4 < np.std(sigmas) < 1.9  # and of the size that was worked out


@pytest.mark.parametrize(
    ("naive", "check"),
    [
        (swap_with_any, position_by_card),
        (swap_with_later, position_by_card),
        (forget_last, position_by_card),
        (cut, adjacent_pairs),
    ],
)
def test_a_naive_shuffle_fails(naive, check):
    assert check(shuffled_by(naive)) > 20


def test_a_check_of_places_alone_would_not_see_a_cut():
    assert position_by_card(shuffled_by(cut)) < LIMIT


def test_two_packs_of_one_face_are_alike():
    # The default pack: each copy of a face lies in each hand, in the stock and on the pile.
    rules = rules_with()
    deals = 4000
    seen = np.zeros((6, 53))
    with table_of(rules, "stock", seed=4) as memory:
        for deal in range(deals):
            dealing.deal_cards(memory.game, memory.rules, memory.public, deal)
            for seat in memory.seats:
                seen[int(seat.seat)] += seat.hand
            seen[4, int(memory.public.upcard)] += 1
    seen[5] = deals * np.array([rules.copies(face) for face in range(53)]) - seen[:5].sum(axis=0)
    places = np.array([15, 15, 15, 15, 1, 45])
    chances = np.outer(places, [rules.copies(face) for face in range(53)]) / rules.cards
    # A face with two copies in k places: var = 2 k/N (1 - k/N) (N - 2)/(N - 1); never above mean.
    sigmas = (seen - deals * chances) / np.sqrt(deals * chances)
    assert np.abs(sigmas).max() < LIMIT
    assert 0.7 < sigmas.std() < 1.1
