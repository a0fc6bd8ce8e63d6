"""Numbers for things in the order in which they first appear: a hash table of 64-bit keys."""

import numpy as np

from continental_sim.kernels.jit import kernel
from continental_sim.kernels.meld_rows import SPREAD


class Numbers:
    """Numbers for uint64 keys, in the order in which these first appear: a hash table."""

    def __init__(self):
        self._count = 0
        self._keys, self._numbers = np.zeros(1 << 12, np.uint64), np.zeros(1 << 12, np.int32)

    def __len__(self):
        return self._count

    def of(self, keys):
        """Return the numbers of keys, and where in them those are that are new."""
        numbers, new = np.zeros(len(keys), np.int32), np.zeros(len(keys), np.int64)
        done, before = 0, self._count
        while True:
            table, found = (self._keys, self._numbers), new[self._count - before :]
            done, self._count = number_keys(keys, done, table, self._count, numbers, found)
            if done == len(keys):
                return numbers, new[: self._count - before]
            self._grow()

    def _grow(self):
        kept = self._numbers > 0
        known, order = self._keys[kept], np.argsort(self._numbers[kept])
        size = 4 * len(self._keys)
        self._keys, self._numbers = np.zeros(size, np.uint64), np.zeros(size, np.int32)
        nowhere = np.zeros(len(known), np.int32), np.zeros(len(known), np.int64)
        number_keys(known[order], 0, (self._keys, self._numbers), 0, *nowhere)


@kernel
def number_keys(keys, start, table, count, numbers, new):
    """Give keys numbers, from a start until the table is half full.

    Parameters
    ----------
    keys : uint64[keys]
    start : int
    table : uint64[2**n], int32[2**n]
        In and out, a hash table: keys, and their numbers plus 1.
    count : int
        Numbers given so far.
    numbers : int32[keys]
        Out, from the start.
    new : int64[.]
        Out: where keys are new.

    Returns
    -------
    int, int
        How far it came, and how many numbers there are.
    """
    known, known_numbers = table
    mask, found = known.shape[0] - 1, 0
    for k in range(start, keys.shape[0]):
        slot = np.int64(keys[k] * SPREAD >> np.uint64(32)) & mask
        while known_numbers[slot] > 0 and known[slot] != keys[k]:
            slot = (slot + 1) & mask
        if known_numbers[slot] == 0:
            if 2 * count > mask:
                return k, count
            count += 1
            known[slot], known_numbers[slot] = keys[k], count
            new[found] = k
            found += 1
        numbers[k] = known_numbers[slot] - 1
    return keys.shape[0], count
