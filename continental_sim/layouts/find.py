"""Finding a layout of a hand.

Runs never cross suits, and groups never cross ranks. So the melds of a pattern are shared out among
these parts of the hand, and a `Search` says for one part whether its share can hold its naturals.
How many wild cards a part takes needs no bookkeeping: the cells that no natural fills, altogether
as many as the hand holds.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice, product

from continental_sim.cards import FACES, RANKS, SUITS, Counts, check_copies
from continental_sim.errors import ContsimError
from continental_sim.layouts.layout import Layout, layout_payment
from continental_sim.layouts.rank import RankSearch, only_suit
from continental_sim.layouts.search import Cells, Lengths, Search, splits
from continental_sim.layouts.suit import SuitSearch
from continental_sim.rules import ContinentalRules
from continental_sim.words import are


def find_layout(
    rules: ContinentalRules, counts: Sequence[int] | Counts, pattern: str | None = None
) -> Layout | None:
    """Find a layout of a hand, among those the one that pays best.

    Parameters
    ----------
    rules : ContinentalRules
        What may be laid.
    counts : int8[53]
        The hand: ``rules.hand_size`` cards.
    pattern : str, optional
        One of ``rules.patterns``; all of them by default.

    Returns
    -------
    Layout or None
        Longest runs or groups first; None if the hand cannot go out.

    Raises
    ------
    ContsimError
        If the hand has another number of cards, or more copies of a card than the pack, or there
        is no such pattern.
    """
    hand = _Hand(rules, counts)
    if pattern is None:
        patterns = rules.pattern_lengths
    elif pattern in rules.patterns:
        patterns = (rules.pattern_lengths[rules.patterns.index(pattern)],)
    else:
        raise ContsimError(
            f"pattern {pattern!r} is none of these rules: choose {', '.join(rules.patterns)}"
        )
    # What else a layout pays depends on the cards alone: so runs in a single suit come first. Of
    # groups any layout is in one suit if the naturals are.
    alone = [[suit] for suit in hand.all] if rules.melds == "runs" else []
    for parts, lengths in product([*alone, hand.all], patterns):
        layout = hand.lay(lengths, parts)
        if layout is not None:
            return layout
    return None


def patterns_of(rules: ContinentalRules, counts: Sequence[int] | Counts) -> list[str]:
    """List all patterns that a hand fits.

    Parameters
    ----------
    rules : ContinentalRules
        What may be laid.
    counts : int8[53]
        The hand: ``rules.hand_size`` cards.

    Returns
    -------
    list of str
        In the order of ``rules.patterns``; empty if the hand cannot go out.

    Raises
    ------
    ContsimError
        If the hand has another number of cards, or more copies of a card than the pack.
    """
    hand = _Hand(rules, counts)
    named = zip(rules.patterns, rules.pattern_lengths, strict=True)
    return [pattern for pattern, lengths in named if hand.lay(lengths, hand.all) is not None]


def payment(rules: ContinentalRules, counts: Sequence[int] | Counts, timing: str = "later") -> int:
    """Say what each opponent pays when a hand goes out.

    Parameters
    ----------
    rules : ContinentalRules
        What may be laid, and the amounts.
    counts : int8[53]
        The hand: ``rules.hand_size`` cards.
    timing : {"later", "first_turn", "dealt"}
        After the first turn, in it after a draw, or in it without drawing.

    Returns
    -------
    int
        Payment of one opponent, by the layout that pays best [points].

    Raises
    ------
    ContsimError
        If the hand cannot go out, has another number of cards, or more copies of a card than the
        pack; or there is no such timing.
    """
    layout = find_layout(rules, counts)
    if layout is None:
        raise ContsimError("this hand cannot go out, so that it is paid nothing")
    return layout_payment(rules, layout, timing)


class _Hand:
    """A hand to lay: the parts that no meld leaves, each with its search, and some wild cards."""

    def __init__(self, rules: ContinentalRules, counts: Sequence[int] | Counts) -> None:
        cards = [int(count) for count in counts]
        if (held := sum(cards)) != rules.hand_size:
            raise ContsimError(
                f"an exit lays exactly {rules.hand_size} cards, and here {are(held)} {held}"
            )
        check_copies(cards, rules)
        self._wild_faces = rules.wild_faces
        self._wilds = Counter({face: cards[face] for face in range(FACES) if rules.is_wild(face)})
        self._parts = _searches(rules, cards)
        self._shared: dict[tuple[Lengths, tuple[int, ...]], list[tuple[int, Cells]] | None] = {}
        self.all = range(len(self._parts))

    def lay(self, lengths: Lengths, parts: Iterable[int]) -> Layout | None:
        """Lay the hand as melds of these lengths in these parts; None if that is impossible."""
        # The parts with the most naturals first: they leave the fewest choices.
        order = tuple(sorted(parts, key=lambda part: -self._parts[part].naturals))
        if any(self._parts[part].naturals for part in self.all if part not in order):
            return None
        shares = self._share(lengths, order)
        return None if shares is None else self._with_wilds(shares)

    def _share(self, lengths: Lengths, parts: tuple[int, ...]) -> list[tuple[int, Cells]] | None:
        """Share the melds out among the parts, each with its part; None if that is impossible."""
        if not parts:
            return None if lengths else []
        if (lengths, parts) not in self._shared:
            self._shared[lengths, parts] = self._share_anew(lengths, parts)
        return self._shared[lengths, parts]

    def _share_anew(
        self, lengths: Lengths, parts: tuple[int, ...]
    ) -> list[tuple[int, Cells]] | None:
        part, *later = parts
        naturals_later = sum(self._parts[other].naturals for other in later)
        for rest, chosen in splits(lengths):
            if sum(rest) < naturals_later or (rest and not later):
                continue
            melds = self._parts[part].place(chosen)
            others = None if melds is None else self._share(rest, tuple(later))
            if melds is not None and others is not None:
                return [(part, meld) for meld in melds] + others
        return None

    def _with_wilds(self, shares: list[tuple[int, Cells]]) -> Layout:
        """Fill the cells left open with the wild cards: at its own place if one can lie there."""
        shares = sorted(shares, key=lambda share: (-len(share[1]), share[0], share[1][0][1]))
        cells = [cell for _, meld in shares for cell in meld]
        cards = [card for card, _ in cells]
        spare = self._wilds - Counter(card for card in cards if card is not None)
        for index, (card, place) in enumerate(cells):
            if card is None and spare[place]:
                cards[index] = place
                spare[place] -= 1
        wilds = spare.elements()
        filled = (next(wilds) if card is None else card for card in cards)
        laid = zip(filled, (place for _, place in cells), strict=True)
        melds = tuple(tuple(islice(laid, len(meld))) for _, meld in shares)
        return Layout(melds, self._wild_faces)


def _searches(rules: ContinentalRules, cards: list[int]) -> list[Search]:
    """Part a hand: by suits for runs, by ranks for groups."""
    if rules.melds == "runs":
        return [SuitSearch(rules, cards, suit) for suit in range(len(SUITS))]
    naturals = (face for face in range(FACES) if cards[face] and not rules.is_wild(face))
    suit = only_suit(naturals)
    return [RankSearch(rules, cards, rank, suit) for rank in range(len(RANKS))]
