"""Random streams in plain Python integers, written apart from the program.

Philox4x64-10 after Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3"
(2011); xoshiro256++ after Blackman and Vigna (2019); bounded integers after Lemire, "Fast random
integer generation in an interval" (2019), with 32 bits. Slow, exact, and short enough to be read.
"""

WORD = (1 << 64) - 1
DECK, RECYCLE, DICE, SESSION = 1, 2, 3, 4


def philox(counter, key):
    """Return one block, four words, of a counter of four words and a key of two."""
    c, k = list(counter), list(key)
    for _ in range(10):
        first = 0xD2E7470EE14C6C93 * c[0]
        second = 0xCA5A826395121157 * c[2]
        c = [(second >> 64) ^ c[1] ^ k[0], second & WORD, (first >> 64) ^ c[3] ^ k[1], first & WORD]
        k = [(k[0] + 0x9E3779B97F4A7C15) & WORD, (k[1] + 0xBB67AE8584CAA73B) & WORD]
    return c


class Stream:
    """The generator of a key (seed, stream, deal, index)."""

    def __init__(self, seed, stream, deal=0, index=0):
        self.state = philox((deal, index, 0, 0), (seed, stream))

    @classmethod
    def of_state(cls, state):
        """Go on from a state of four words."""
        made = cls.__new__(cls)
        made.state = [int(word) for word in state]
        return made

    def word(self):
        """Draw 64 bits."""
        s = self.state
        word = (_rotate((s[0] + s[3]) & WORD, 23) + s[0]) & WORD
        t = s[1] << 17 & WORD
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = _rotate(s[3], 45)
        return word

    def below(self, limit):
        """Draw an integer of 0 .. limit - 1."""
        while True:
            product = (self.word() >> 32) * limit
            if product % (1 << 32) >= (1 << 32) % limit:
                return product >> 32

    def shuffled(self, cards):
        """Yield the cards in random order, one more each time that one is asked for."""
        cards = list(cards)
        for place in range(len(cards)):
            other = place + self.below(len(cards) - place)
            card, cards[other] = cards[other], cards[place]
            yield card


def _rotate(word, bits):
    return (word << bits | word >> (64 - bits)) & WORD


def pack_order(rules, seed, deal):
    """List the faces of a deal's pack from the first dealt to the last of the stock."""
    pack = [face for face in range(53) for _ in range(rules.copies(face))]
    return list(Stream(seed, DECK, deal).shuffled(pack))


def seating(rules, seed, deal, *, fixed_order=False):
    """Return the players round the table and the place of the first dealer of a deal's session."""
    stream = Stream(seed, SESSION, deal // rules.session_deals)
    dealer = stream.below(rules.seats)
    order = list(range(rules.seats))
    return (order if fixed_order else list(stream.shuffled(order))), dealer
