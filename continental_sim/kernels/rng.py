"""Random streams: a key (seed, deal, stream, index) gives a generator, with nothing in between.

One Philox4x64-10 block (Salmon et al., 2011), a function of the key alone, fills the 256-bit
state of a xoshiro256++ generator (Blackman and Vigna, 2019). Hence no outcome depends on how
deals are split into blocks or workers, and any deal replays alone.
"""

import numpy as np

from continental_sim.kernels.jit import kernel

DECK = np.uint64(1)  # the shuffled pack of a deal
RECYCLE = np.uint64(2)  # index: how many recycles came before
DICE = np.uint64(3)  # index: the player
SESSION = np.uint64(4)  # keyed by the session: first dealer and order round the table
BRANCH = np.uint64(5)  # keyed by a root deal: what comes next in a branch; index: the branch
WORLD = np.uint64(6)  # under the key of the dice: a deal that a player imagines

_M0 = np.uint64(0xD2E7470EE14C6C93)
_M1 = np.uint64(0xCA5A826395121157)
_W0 = np.uint64(0x9E3779B97F4A7C15)
_W1 = np.uint64(0xBB67AE8584CAA73B)
_LOW = np.uint64(0xFFFFFFFF)
_32 = np.uint64(32)


@kernel
def multiply_high(a, b):
    """Return the upper 64 of the 128 bits of a product of two uint64."""
    a_low, a_high = a & _LOW, a >> _32
    b_low, b_high = b & _LOW, b >> _32
    middle = a_high * b_low + ((a_low * b_low) >> _32)
    other = a_low * b_high + (middle & _LOW)
    return a_high * b_high + (middle >> _32) + (other >> _32)


@kernel
def philox(seed, stream, deal, index, state):
    """Fill uint64[4] with the block of key (seed, stream) and counter (deal, index, 0, 0)."""
    zero = np.uint64(0)
    c0, c1, c2, c3 = np.uint64(deal), np.uint64(index), zero, zero
    k0, k1 = np.uint64(seed), np.uint64(stream)
    for _ in range(10):
        high0, low0 = multiply_high(_M0, c0), _M0 * c0
        high1, low1 = multiply_high(_M1, c2), _M1 * c2
        c0, c1, c2, c3 = high1 ^ c1 ^ k0, low1, high0 ^ c3 ^ k1, low0
        k0 += _W0
        k1 += _W1
    state[0], state[1], state[2], state[3] = c0, c1, c2, c3


@kernel
def next_word(state):
    """Advance a xoshiro256++ state, uint64[4], and return its next uint64."""
    s0, s1, s2, s3 = state[0], state[1], state[2], state[3]
    total = s0 + s3
    word = ((total << np.uint64(23)) | (total >> np.uint64(41))) + s0
    t = s1 << np.uint64(17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= t
    s3 = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
    state[0], state[1], state[2], state[3] = s0, s1, s2, s3
    return word


@kernel
def below(state, limit):
    """Draw an unbiased integer of 0..limit-1, 1 <= limit < 2**32 (multiply-high with rejection.

    Lemire, 2019).
    """
    n = np.uint64(limit)
    product = (next_word(state) >> _32) * n
    if (product & _LOW) < n:
        threshold = (np.uint64(1 << 32) - n) % n
        while (product & _LOW) < threshold:
            product = (next_word(state) >> _32) * n
    return np.int64(product >> _32)


@kernel
def draw_shuffled(cards, position, size, state):
    """Take a step of a Fisher-Yates shuffle of cards[position:size]; return the first of them."""
    other = position + below(state, size - position)
    card = cards[other]
    cards[other] = cards[position]
    cards[position] = card
    return card
