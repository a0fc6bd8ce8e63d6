"""What the searches for runs in one suit and for groups of one rank have in common."""

from collections import Counter
from functools import lru_cache
from itertools import product
from typing import Protocol

Lengths = tuple[int, ...]
# The cells of a meld, each as (card, the face that it stands for); of a wild card that is still to
# be chosen the card is None.
Cells = tuple[tuple[int | None, int], ...]


class Search(Protocol):
    """Places melds in one part of a hand that no meld leaves: a suit, or a rank."""

    @property
    def naturals(self) -> int:
        """Cards that must be placed here [cards]."""

    def place(self, lengths: Lengths) -> tuple[Cells, ...] | None:
        """Place melds of these lengths so that they hold every natural of the part.

        Parameters
        ----------
        lengths : tuple of int
            Longest first [cards].

        Returns
        -------
        tuple of Cells or None
            The melds; None if that is impossible.
        """


@lru_cache(maxsize=4096)
def splits(lengths: Lengths) -> list[tuple[Lengths, Lengths]]:
    """Split lengths into two parts in all ways that differ.

    Parameters
    ----------
    lengths : tuple of int
        Longest first.

    Returns
    -------
    list of (tuple of int, tuple of int)
        The parts, each longest first; those with few in the first part come first.
    """
    held = Counter(lengths)
    choices = product(*(range(count + 1) for count in held.values()))
    parts = [Counter(dict(zip(held, choice, strict=True))) for choice in choices]
    pairs = [(tuple(part.elements()), tuple((held - part).elements())) for part in parts]
    return sorted(pairs, key=lambda pair: len(pair[0]))
