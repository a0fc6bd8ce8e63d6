"""Which groups can hold the naturals of one rank, and what their wild cards are declared."""

from collections.abc import Iterable, Sequence

from continental_sim.cards import JOKER, RANKS
from continental_sim.layouts.search import Cells, Lengths
from continental_sim.rules import ContinentalRules


class RankSearch:
    """Places groups of one rank.

    Nothing is to be searched: cards of a rank are alike, and a group takes what it needs.

    Parameters
    ----------
    rules : ContinentalRules
        What may be laid.
    cards : sequence of 53 int
        The hand, as counts of faces.
    rank : int
        0..12.
    suit : int or None
        The one suit in which the hand can lie; None if its naturals are of several.

    Attributes
    ----------
    naturals : int
        Cards that must be placed here [cards].
    """

    def __init__(
        self, rules: ContinentalRules, cards: Sequence[int], rank: int, suit: int | None
    ) -> None:
        self._rules = rules
        self._rank = rank
        self._suit = suit
        faces = () if rules.is_wild(rank) else range(rank, JOKER, len(RANKS))
        self._held = [face for face in faces for _ in range(cards[face])]
        self.naturals = len(self._held)

    def place(self, lengths: Lengths) -> tuple[Cells, ...] | None:
        """Place groups so that they hold every natural of the rank, as `Search` has it."""
        needs = [self._rules.naturals_needed(length) for length in lengths]
        if sum(needs) > self.naturals or sum(lengths) < self.naturals:
            return None
        spare = len(self._held) - sum(needs)
        groups, held = [], list(self._held)
        for length, need in zip(lengths, needs, strict=True):
            own = need + min(spare, length - need)
            spare -= own - need
            groups.append(self._cells(held[:own], length))
            held = held[own:]
        return tuple(groups)

    def _cells(self, own: list[int], length: int) -> Cells:
        """Give a group its cards of the rank; wild cards will take the other cells."""
        laid = tuple((face, wild_place(face, self._rank, self._suit)) for face in own)
        return laid + ((None, wild_place(JOKER, self._rank, self._suit)),) * (length - len(own))


def only_suit(faces: Iterable[int]) -> int | None:
    """Give the suit of faces if they share one (clubs for none at all), else None."""
    suits = {face // len(RANKS) for face in faces}
    return min(suits, default=0) if len(suits) <= 1 else None


def wild_place(card: int, rank: int, suit: int | None) -> int:
    """Declare a card in a group.

    Parameters
    ----------
    card : int
        Its face.
    rank : int
        Of the group.
    suit : int or None
        The one suit in which all cards can lie; None if they cannot.

    Returns
    -------
    int
        The rank's face of that suit; else the card itself if it is of the rank, else clubs.
    """
    if suit is None and card != JOKER and card % len(RANKS) == rank:
        return card
    return (suit or 0) * len(RANKS) + rank
