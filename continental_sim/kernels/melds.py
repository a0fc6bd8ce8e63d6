"""Meld tables: may these cards go out, and how far are they from it, by look-ups.

Runs never cross suits, so a hand is four suits plus a number of wilds. Groups never mix ranks, so
it may as well be four heaps of ranks plus wilds. Either is a *bank* here. A *selection* is a
multiset of lengths that fits inside a legal pattern, (), (3,), (4, 3) ... For one bank, a *row*
says for each selection how many of the bank's cards so many melds can use. Banks combine by
(max, +) over disjoint selections. Rows that no other cards can tell apart are one *class*
(Myhill-Nerode), and the answer for a hand is read off in four steps::

    vector -> class,  class x class -> pair class,  pair x pair -> naturals used,  + wilds

That the wilds come on top holds where a wild fits any place. Where a meld takes few wilds only, a
row says what so many melds can use with 0, 1, 2 ... wilds, the wilds are shared out among the banks
too, and the last table has a level for each number of wilds, with nothing to come on top. A wild
card that counts as a natural in its own place is tried as both: as one of its suit, and as a wild.

Everything is built from the rules; no count in this file depends on them.
"""

from dataclasses import dataclass, fields, replace
from math import comb

import numpy as np

from continental_sim.kernels.meld_classes import minimised
from continental_sim.kernels.meld_copies import all_suits, automaton, most_wilds_in_suit
from continental_sim.kernels.meld_rows import (
    all_vectors,
    bits,
    cards_held,
    most_wild_cards,
    most_wilds_laid,
    planes_of,
    selection_joins,
    vector_sums,
)
from continental_sim.kernels.meld_rules import BANKS, RANKS_IN_SUIT, MeldRules

MOST_SELECTIONS = 64  # they are bits of a mask
FACES_OF_SUITS = 52


@dataclass(frozen=True)
class MeldTables:
    """What the compiled code knows of the melds of one rules record.

    Attributes
    ----------
    banks : int32[52]
        Bank of each face.
    weights : int32[52]
        What a card of each face adds to its bank's vector number, 0 for one that is only wild.
    places : int32[52]
        Bit number of each face in a mask of naturals of its bank, -1 for a wild face.
    counted : int64[1]
        Copies of a card that a vector counts; 0 if hands are searched, and the tables say nothing.
    kinds : uint16[vectors]
        Class of each vector. Frequent classes have low numbers, so that the part of the
        tables that is much used stays in the processor's cache (measured: 20 % less time a deal).
    kind_states : int32[states * (copies + 1)]
        Of three packs or four: for suits with more copies of a card than a vector counts, the
        steps to their class, rank by rank (`meld_copies.automaton`).
    dead : uint16[vectors of naturals]
        Mask of the dead faces of each vector without wild ranks: a copy of them, if held, can go
        without loss, whatever wilds and cards of other banks are held.
    pairs : uint16[classes * classes]
        Pair class of two banks.
    used : uint8[levels * pair classes * pair classes]
        By the tier of patterns, or the number of wilds, the most cards that one legal layout can
        use, of four banks.
    wilds_add : bool[1]
        Whether the wilds still come on top of `used`; then its levels are tiers.
    most_wild_cards : int64[1]
        Wild cards that the pack must have for the tables to hold.
    covers : uint16[vectors]
        Number of the set of selections whose melds can cover every card of the bank.
    cover_states : int32[states * (copies + 1)]
        The same for the set of selections.
    cover_masks : uint64[sets]
        The sets, as masks of selections.
    cover_pairs : uint16[sets * sets]
        Number of what two banks can cover together.
    fits : uint8[pair sets * pair sets]
        Patterns (bit k: the k-th of the rules) that cover every card of four banks.
    """

    banks: np.ndarray
    weights: np.ndarray
    places: np.ndarray
    counted: np.ndarray
    kinds: np.ndarray
    kind_states: np.ndarray
    dead: np.ndarray
    pairs: np.ndarray
    used: np.ndarray
    wilds_add: np.ndarray
    most_wild_cards: np.ndarray
    covers: np.ndarray
    cover_states: np.ndarray
    cover_masks: np.ndarray
    cover_pairs: np.ndarray
    fits: np.ndarray

    @property
    def searched(self) -> bool:
        """Whether the tables know nothing, since hands are searched for layouts."""
        return int(self.counted[0]) == 0

    @property
    def classes(self) -> int:
        """Number of classes of banks."""
        return round(len(self.pairs) ** 0.5)

    @property
    def pair_classes(self) -> int:
        """Number of pair classes."""
        return int(self.pairs.max()) + 1

    @property
    def levels(self) -> int:
        """Tiers of patterns, or numbers of wilds told apart."""
        return len(self.used) // self.pair_classes**2

    @property
    def cover_sets(self) -> int:
        """Number of sets of selections that cover a bank."""
        return round(len(self.cover_pairs) ** 0.5)

    @property
    def cover_pair_sets(self) -> int:
        """Number of sets of selections that cover two banks."""
        return round(len(self.fits) ** 0.5)

    def arrays(self) -> dict[str, np.ndarray]:
        """Return the tables by name, for storage."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def build_tables(rules: MeldRules) -> MeldTables:
    """Build the tables of reduced rules.

    Raises
    ------
    TooManyRowsError
        If they would be too big.
    """
    if rules.searched:
        return _of_no_use(rules)
    planes, joins = planes_of(rules), selection_joins(rules)
    if rules.counted < rules.copies:
        held = all_suits(rules)
        in_banks = [most_wilds_in_suit(rules)] * BANKS
    else:
        held = all_vectors(rules, planes)
        in_banks = most_wilds_laid(rules, held.laid)
    row_class, pairs, used = minimised(rules, planes, held.rows, joins)
    met = np.bincount(held.row_of[held.ends], _frequency(rules), len(row_class))
    row_class, pairs, used = _frequent_first(row_class, pairs, used, met)
    kinds = row_class[held.row_of]
    cover_masks, covers = np.unique(held.laid, return_inverse=True)
    cover_pairs, fits = cover_tables(rules, cover_masks, joins)
    needed = most_wild_cards(rules, in_banks, joins) if rules.limit is None else rules.limit
    return MeldTables(
        **_faces(rules),
        counted=np.array([rules.counted]),
        kinds=kinds[held.ends],
        kind_states=automaton(held.layers, kinds),
        dead=_dead_faces(rules, kinds[held.ends]),
        pairs=pairs.ravel(),
        used=used.ravel(),
        wilds_add=np.array([rules.wilds_add]),
        most_wild_cards=np.array([needed]),
        covers=covers[held.ends].astype(np.uint16),
        cover_states=automaton(held.layers, covers),
        cover_masks=cover_masks,
        cover_pairs=cover_pairs.ravel(),
        fits=fits.ravel(),
    )


def _of_no_use(rules):
    """Return tables in which all hands are alike, for rules whose hands are searched."""
    one = np.zeros(1, np.uint16)
    steps = np.zeros(rules.copies + 1, np.int32)
    return MeldTables(
        **_faces(replace(rules, own=())),
        counted=np.array([rules.counted]),
        kinds=one,
        kind_states=steps,
        dead=one,
        pairs=one,
        used=np.zeros(1, np.uint8),
        wilds_add=np.array([False]),
        most_wild_cards=np.array([0]),
        covers=one,
        cover_states=steps,
        cover_masks=np.zeros(1, np.uint64),
        cover_pairs=one,
        fits=np.zeros(1, np.uint8),
    )


def _faces(rules):
    """Return, for each face, its bank, what it adds to a vector, and its bit of a mask."""
    banks, weights = np.zeros(FACES_OF_SUITS, np.int32), np.zeros(FACES_OF_SUITS, np.int32)
    places = np.full(FACES_OF_SUITS, -1, np.int32)
    for face in range(FACES_OF_SUITS):
        suit, rank = divmod(face, RANKS_IN_SUIT)
        place = rules.place_of(rank, suit)
        if place is not None:
            banks[face], digit = place
            weights[face] = (rules.counted + 1) ** digit
            if digit in rules.natural_digits:
                places[face] = digit * BANKS + suit if rules.groups else digit
    return {"banks": banks, "weights": weights, "places": places}


def _frequency(rules):
    """Return how often each vector is met in hands, up to a factor."""
    ways = [float(np.log(comb(rules.copies, held))) for held in range(rules.counted + 1)]
    sizes = cards_held(rules, rules.digits)
    hand = 15  # of the usual size among a hundred cards: the order of the classes asks for no more
    rest = np.array([comb(80, max(hand - size, 0)) for size in range(int(sizes.max()) + 1)], float)
    return np.exp(vector_sums([ways] * len(rules.digits), float)) * rest[sizes]


def _frequent_first(row_class, pairs, used, frequency):
    """Renumber classes and pair classes so that the most frequent come first."""
    weight = np.bincount(row_class, frequency, len(pairs))
    order = np.argsort(-weight, kind="stable")
    pair_weight = np.bincount(pairs.ravel(), np.outer(weight, weight).ravel(), used.shape[1])
    pair_order = np.argsort(-pair_weight, kind="stable")
    rank, pair_rank = np.argsort(order), np.argsort(pair_order)
    return (
        rank[row_class].astype(np.uint16),
        pair_rank[pairs[np.ix_(order, order)]].astype(np.uint16),
        np.ascontiguousarray(used[:, pair_order[:, None], pair_order]).view(np.uint8),
    )


def _dead_faces(rules, kinds):
    """Return, for vectors of naturals, the faces whose loss leaves the class as it is.

    Whatever cards of wild ranks lie beside them in the bank.
    """
    base, places = rules.counted + 1, len(rules.natural_digits)
    beside = kinds.reshape(-1, base**places)
    dead = np.zeros(base**places, np.uint16)
    faces = (1 << BANKS) - 1 if rules.groups else 1  # of a digit
    step = BANKS if rules.groups else 1
    for place in range(places):
        alike = beside.reshape(len(beside), -1, base, base**place)
        same = (alike[:, :, 1:] == alike[:, :, :-1]).all(axis=0)
        mask = np.where(same, np.uint16(faces << step * place), np.uint16(0))
        dead.reshape(-1, base, base**place)[:, 1:] |= mask
    return dead


def cover_tables(rules, masks, joins):
    """Build what tells the patterns of a complete hand from the selections that cover its banks.

    Parameters
    ----------
    rules : MeldRules
    masks : uint64[sets]
        The different sets of selections, as masks.
    joins : int16[selections, selections]

    Returns
    -------
    uint16[sets, sets], uint8[pair sets, pair sets]
        Number of what two sets cover together; patterns of two such pairs.
    """
    joined = np.zeros((len(masks), len(masks)), np.uint64)
    for first, second in np.argwhere(joins >= 0):
        both = bits(masks, first)[:, None] & bits(masks, second)
        joined |= both << np.uint64(joins[first, second])
    pairs, cover_pairs = np.unique(joined, return_inverse=True)
    fits = np.zeros((len(pairs), len(pairs)), np.uint8)
    for k, pattern in enumerate(rules.patterns):
        for first, second in np.argwhere(joins == rules.selections.index(pattern)):
            both = bits(pairs, first)[:, None] & bits(pairs, second)
            fits |= both.astype(np.uint8) << np.uint8(k)
    return cover_pairs.reshape(joined.shape).astype(np.uint16), fits
