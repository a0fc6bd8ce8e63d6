"""Exact odds of Basic Rummy: hands that can be laid down whole, and hands without a meld.

The hands that can be laid whole are listed: each is a union of melds that share no card. A run of
six or more is two shorter ones, so sets of three and four and runs of three to five make them all.
Hands without a meld are counted rank by rank: what comes next depends on the two ranks before.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

from continental_sim.cards import RANKS, SUITS
from continental_sim.exact.odds import Odds
from continental_sim.rules import BasicRummyRules

SHORTEST, LONGEST = 3, 5  # cards of the melds that make all others
MOST_TRIED: Final = 30_000_000  # hands that are put together, to list those that are different

Masks = npt.NDArray[np.int64]  # bit f is set for face f


@dataclass(frozen=True, slots=True)
class RummyOdds:
    """What is counted of the hands of some rules.

    Attributes
    ----------
    rules : BasicRummyRules
    whole : Odds or None
        Dealt hands that can be laid down whole; None if they are too many to be listed.
    no_meld : Odds
        Dealt hands without a meld.
    first_turn : Odds or None
        Hands with a card drawn from the stock that go out, when nothing lies on the table: laid
        whole, or all but a card that is thrown.
    """

    rules: BasicRummyRules
    whole: Odds | None
    no_meld: Odds
    first_turn: Odds | None

    @property
    def uncounted(self) -> tuple[str, ...]:
        """What is not counted and why, a sentence without a full stop for each reason."""
        of_one_meld = self.rules.one_meld_per_turn
        left_out = {
            "hands laid whole": self.whole is None,
            "first-turn exits": self.first_turn is None and not of_one_meld,
        }
        too_many = " and ".join(name for name, out in left_out.items() if out)
        size = self.rules.hand_size + (self.whole is not None)
        return (
            *((f"{too_many} are not counted: too many of {size} cards",) if too_many else ()),
            *(
                ("first-turn exits are not counted: one_meld_per_turn is true",)
                if of_one_meld
                else ()
            ),
        )


def rummy_odds(rules: BasicRummyRules) -> RummyOdds:
    """Count the hands of some rules.

    With ``one_meld_per_turn`` a whole hand is still one that melds hold; what goes out in the first
    turn is then not counted.
    """
    size = rules.hand_size
    whole = whole_hands(rules, size)
    first = None if rules.one_meld_per_turn or whole is None else _going_out(rules, size + 1)
    return RummyOdds(
        rules,
        None if whole is None else _odds(len(whole), size),
        _odds(hands_without_meld(rules, size), size),
        None if first is None else _odds(first, size + 1),
    )


def _odds(count: int, size: int) -> Odds:
    return Odds(count, math.comb(len(SUITS) * len(RANKS), size))


def melds(rules: BasicRummyRules) -> Iterator[tuple[int, int]]:
    """Yield sets, and runs of at most five cards, as masks with their sizes."""
    ranks, suits = len(RANKS), range(len(SUITS))
    for rank in range(ranks):
        for size in (SHORTEST, len(SUITS)):
            for chosen in combinations(suits, size):
                yield sum(1 << suit * ranks + rank for suit in chosen), size
    ladder = [*range(ranks), *([0] if rules.ace == "both" else [])]
    for size in range(SHORTEST, LONGEST + 1):
        for first in range(len(ladder) - size + 1):
            run = sum(1 << rank for rank in ladder[first : first + size])
            yield from ((run << suit * ranks, size) for suit in suits)


@lru_cache(maxsize=64)
def whole_hands(rules: BasicRummyRules, size: int) -> Masks | None:
    """List the hands of so many cards that melds hold: int64[hands], ascending; None if too many.

    Parameters
    ----------
    rules : BasicRummyRules
        Say where the ace stands.
    size : int
        [cards]
    """
    if size == 0:
        return np.zeros(1, np.int64)
    of_length: dict[int, list[int]] = {}
    for mask, length in melds(rules):
        of_length.setdefault(length, []).append(mask)
    found, tried = [np.zeros(0, np.int64)], 0
    for length, masks in of_length.items():
        rest = whole_hands(rules, size - length) if size >= length else found[0]
        tried += 0 if rest is None else len(rest) * len(masks)
        if rest is None or tried > MOST_TRIED:
            return None
        found += [rest[rest & mask == 0] | mask for mask in masks]
    return np.unique(np.concatenate(found))


def _going_out(rules: BasicRummyRules, size: int) -> int | None:
    """Count the hands that are laid whole, or all but one card."""
    all_but_one, whole = whole_hands(rules, size - 1), whole_hands(rules, size)
    cards = len(SUITS) * len(RANKS)
    if all_but_one is None or whole is None or len(all_but_one) * cards > MOST_TRIED:
        return None
    found = [] if rules.must_discard_to_go_out else [whole]
    for face in range(cards):
        card = 1 << face
        found.append(all_but_one[all_but_one & card == 0] | card)
    return len(np.unique(np.concatenate(found)))


def hands_without_meld(rules: BasicRummyRules, size: int) -> int:
    """Count the hands of so many cards that hold neither a set nor a run.

    Rank by rank, from the ace: at most two cards of each, and no suit in three ranks in a row.
    """
    few = [suits for suits in range(1 << len(SUITS)) if suits.bit_count() < SHORTEST]
    total = 0
    for ace in few:
        # By the suits of the last two ranks, and the cards so far: how many ways.
        ways = {(0, ace, ace.bit_count()): 1}
        # Where the ace is high too, it stands behind the king once more, of the same suits.
        for options in [few] * (len(RANKS) - 1) + ([[ace]] if rules.ace == "both" else []):
            again = len(options) == 1
            following: dict[tuple[int, int, int], int] = {}
            for (before, last, cards), number in ways.items():
                for suits in options:
                    if before & last & suits:
                        continue
                    held = cards + (0 if again else suits.bit_count())
                    if held <= size:
                        key = (last, suits, held)
                        following[key] = following.get(key, 0) + number
            ways = following
        total += sum(number for (_, _, cards), number in ways.items() if cards == size)
    return total
