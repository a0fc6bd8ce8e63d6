"""Finding a layout of a hand.

Runs never cross suits. So the runs of a pattern are shared out among the suits, and `SuitSearch`
says for one suit whether its share can hold its naturals. How many wild cards a suit takes needs
no bookkeeping: the cells that no natural fills, altogether as many as the hand holds.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import islice, product

from continental_sim.cards import FACES, SUITS, Counts, check_copies
from continental_sim.errors import ContsimError
from continental_sim.layouts.layout import Layout, layout_payment
from continental_sim.layouts.suit import Lengths, Run, SuitSearch, splits
from continental_sim.rules import ContinentalRules

_ALL_SUITS = range(len(SUITS))


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
        Longest runs first; None if the hand cannot go out.

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
    # What else a layout pays depends on the cards alone: so those in a single suit come first.
    choices = [*([suit] for suit in _ALL_SUITS), list(_ALL_SUITS)]
    for suits, lengths in product(choices, patterns):
        layout = hand.lay(lengths, suits)
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
    return [pattern for pattern, lengths in named if hand.lay(lengths, _ALL_SUITS) is not None]


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
    """A hand to lay: four suits and some wild cards."""

    def __init__(self, rules: ContinentalRules, counts: Sequence[int] | Counts) -> None:
        cards = [int(count) for count in counts]
        if sum(cards) != rules.hand_size:
            raise ContsimError(
                f"an exit lays exactly {rules.hand_size} cards, and here are {sum(cards)}"
            )
        check_copies(cards, rules)
        self._wild_faces = rules.wild_faces
        self._wilds = Counter({face: cards[face] for face in range(FACES) if rules.is_wild(face)})
        self._suits = [self._search(rules, cards, suit) for suit in _ALL_SUITS]

    @staticmethod
    def _search(rules: ContinentalRules, cards: list[int], suit: int) -> SuitSearch:
        faces = range(suit * 13, suit * 13 + 13)
        counted = [rules.natural_two_counts or not rules.is_wild(face) for face in faces]
        supply = [cards[face] * counts for face, counts in zip(faces, counted, strict=True)]
        return SuitSearch(rules, supply, [rules.is_wild(face) for face in faces])

    def lay(self, lengths: Lengths, suits: Iterable[int]) -> Layout | None:
        """Lay the hand as runs of these lengths in these suits; None if that is impossible."""
        # The suits with the most naturals first: they leave the fewest choices.
        order = sorted(suits, key=lambda suit: -self._suits[suit].naturals)
        if any(self._suits[suit].naturals for suit in _ALL_SUITS if suit not in order):
            return None
        shares = self._share(lengths, order)
        return None if shares is None else self._with_wilds(shares)

    def _share(self, lengths: Lengths, suits: list[int]) -> list[tuple[int, Run]] | None:
        """Share the runs out among the suits, each with its suit; None if that is impossible."""
        if not suits:
            return None if lengths else []
        suit, *later = suits
        naturals_later = sum(self._suits[other].naturals for other in later)
        for rest, chosen in splits(lengths):
            if sum(rest) < naturals_later or (rest and not later):
                continue
            runs = self._suits[suit].place(chosen)
            others = None if runs is None else self._share(rest, later)
            if runs is not None and others is not None:
                return [(suit, run) for run in runs] + others
        return None

    def _with_wilds(self, shares: list[tuple[int, Run]]) -> Layout:
        """Fill the cells left open with the wild cards: at its own place if one can lie there."""
        shares = sorted(shares, key=lambda share: (-share[1].length, share[0], share[1].start))
        places: list[int] = []
        cards: list[int | None] = []
        for suit, run in shares:
            for position in range(run.start, run.start + run.length):
                place = suit * 13 + self._suits[suit].ranks[position]
                places.append(place)
                cards.append(place if position in run.filled else None)
        spare = self._wilds - Counter(card for card in cards if card is not None)
        for index, place in enumerate(places):
            if cards[index] is None and spare[place]:
                cards[index] = place
                spare[place] -= 1
        wilds = spare.elements()
        cells = ((next(wilds) if card is None else card) for card in cards)
        laid = zip(cells, places, strict=True)
        return Layout(tuple(tuple(islice(laid, run.length)) for _, run in shares), self._wild_faces)
