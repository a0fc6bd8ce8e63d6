"""The random streams against numpy, published vectors and plain Python integers."""

import numpy as np
import pytest

from continental_sim.kernels import rng
from tests.reference import WORD, Stream, philox

RANDOM = np.random.default_rng(5)
EDGES = [0, 1, 2, WORD, WORD - 1, 1 << 63, 0x0123456789ABCDEF]
KEYS = [(a, b) for a in EDGES for b in EDGES]
KEYS += [tuple(map(int, RANDOM.integers(0, WORD, 2, np.uint64))) for _ in range(50)]


@pytest.fixture(autouse=True)
def wrapping():
    """Let uint64 wrap without a word, as compiled code does and interpreted numpy does not."""
    with np.errstate(over="ignore"):
        yield


def block(seed, stream, deal=0, index=0):
    state = np.zeros(4, np.uint64)
    rng.philox(np.uint64(seed), np.uint64(stream), np.uint64(deal), np.uint64(index), state)
    return [int(word) for word in state]


def start(seed, stream=rng.DECK, deal=0):
    return np.array(block(seed, stream, deal), np.uint64)


# --- Philox --------------------------------------------------------------------------------------


def numpy_block(counter, key):
    """Take a block from numpy, which adds 1 to the counter before the first one."""
    number = sum(word << 64 * place for place, word in enumerate(counter))
    generator = np.random.Philox(
        counter=(number - 1) % (1 << 256), key=sum(word << 64 * k for k, word in enumerate(key))
    )
    return [int(word) for word in generator.random_raw(4)]


@pytest.mark.parametrize("counter", KEYS[::5])
def test_philox_equals_numpy(counter):
    for key in KEYS:
        expected = numpy_block((*counter, 0, 0), key)
        assert block(*key, *counter) == expected
        assert philox((*counter, 0, 0), key) == expected


def test_philox_has_the_published_value():
    # Random123, kat_vectors, "philox4x64 10": of zeros, and two that use a whole counter.
    zeros = [0x16554D9ECA36314C, 0xDB20FE9D672D0FDC, 0xD7E772CEE186176B, 0x7E68B68AEC7BA23B]
    assert block(0, 0) == zeros
    ones = [0x87B092C3013FE90B, 0x438C3C67BE8D0224, 0x9CC7D7C69CD777B6, 0xA09CAEBF594F0BA0]
    assert philox((WORD,) * 4, (WORD,) * 2) == ones
    pi = (0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89)
    key = (0x452821E638D01377, 0xBE5466CF34E90C6C)
    assert philox(pi, key) == [
        0xA528F45403E61D95, 0x38C72DBD566E9788, 0xA5A1610E72FD18B5, 0x57BD43B5E52B7FE6,
    ]  # fmt: skip


def test_multiply_high():
    for a, b in KEYS:
        assert int(rng.multiply_high(np.uint64(a), np.uint64(b))) == a * b >> 64


def test_streams_do_not_collide():
    # Keys one apart, where `seed + deal` or a child equal to its parent would meet.
    keys = [
        (seed, stream, deal, index)
        for seed in (0, 1, 2, 3)
        for stream in (rng.DECK, rng.RECYCLE, rng.DICE, rng.SESSION)
        for deal in (0, 1, 2, 3, 4)
        for index in (0, 1, 2, 3)
    ]
    states = {tuple(block(*key)) for key in keys}
    assert len(states) == len(keys)
    words = {word for state in states for word in state}
    assert len(words) == 4 * len(keys)  # nor does one state share a word with another
    assert (0, 0, 0, 0) not in states  # from which xoshiro would never move


# --- xoshiro256++ --------------------------------------------------------------------------------


def test_xoshiro_has_the_published_values():
    # The authors' C code from the state 1, 2, 3, 4; also a test of the Rust crate rand_xoshiro.
    expected = [
        41943041, 58720359, 3588806011781223, 3591011842654386, 9228616714210784205,
        9973669472204895162, 14011001112246962877, 12406186145184390807, 15849039046786891736,
        10450023813501588000,
    ]  # fmt: skip
    state = np.array([1, 2, 3, 4], np.uint64)
    assert [int(rng.next_word(state)) for _ in expected] == expected
    plain = Stream.of_state([1, 2, 3, 4])
    assert [plain.word() for _ in expected] == expected


def test_xoshiro_equals_plain_integers():
    for seed, stream in KEYS:
        state, plain = start(seed, stream), Stream(seed, stream)
        for _ in range(20):
            assert int(rng.next_word(state)) == plain.word()
        assert state.tolist() == plain.state


# --- Bounded integers ----------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [1, 2, 3, 15, 53, 106, 1 << 20, (1 << 31) + 1, (1 << 32) - 1])
def test_below_equals_plain_integers(limit):
    state, plain = start(7), Stream(7, 1)
    drawn = [int(rng.below(state, limit)) for _ in range(500)]
    assert drawn == [plain.below(limit) for _ in range(500)]
    assert state.tolist() == plain.state  # as many words were used
    assert 0 <= min(drawn) <= max(drawn) < limit


def chi_square(counts):
    """Return how many sigmas the chi-square of equally likely cells lies above its mean."""
    expected = counts.sum() / len(counts)
    cells = len(counts) - 1
    return (((counts - expected) ** 2 / expected).sum() - cells) / (2 * cells) ** 0.5


@pytest.mark.parametrize("limit", [2, 6, 15, 53, 106])
def test_below_is_uniform(limit):
    state = start(11)
    drawn = [rng.below(state, limit) for _ in range(50_000)]
    assert abs(chi_square(np.bincount(drawn, minlength=limit))) < 4


THREE_QUARTERS = 3 << 30  # of 2**32: every fourth word must be rejected


def naive_below(state, limit):
    """Multiply-high without rejection: as good as exact for small limits, and wrong."""
    return int(rng.next_word(state) >> np.uint64(32)) * limit >> 32


def test_below_rejects_what_would_bias_it():
    def thirds(draw):
        state = start(13)
        drawn = [draw(state, THREE_QUARTERS) % 3 for _ in range(20_000)]
        return chi_square(np.bincount(drawn, minlength=3))

    assert abs(thirds(lambda state, limit: int(rng.below(state, limit)))) < 4
    assert thirds(naive_below) > 100


def test_below_uses_more_words_only_where_it_rejects():
    state, plain = start(17), Stream(17, 1)
    words = 0
    for _ in range(4000):
        before = plain.state.copy()
        assert int(rng.below(state, THREE_QUARTERS)) == plain.below(THREE_QUARTERS)
        seen = Stream.of_state(before)
        while seen.state != plain.state:
            seen.word()
            words += 1
    assert words / 4000 == pytest.approx(4 / 3, abs=4 * (4 / 9 / 4000) ** 0.5)  # 4 sigma
