"""Judging a layout that a player declares, in words."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from continental_sim.cards import (
    FACES,
    JOKER,
    RANKS,
    SUITS,
    Counts,
    check_copies,
    face_name,
    hand_counts,
    parse_face,
)
from continental_sim.errors import ContsimError
from continental_sim.layouts.ladder import Ladder
from continental_sim.layouts.layout import Layout
from continental_sim.layouts.rank import only_suit, wild_place
from continental_sim.rules import ContinentalRules
from continental_sim.words import are, counted

_LADDER_TEXT = {
    "both": "A 2 3 ... Q K A",
    "low": "A 2 3 ... Q K",
    "high": "2 3 4 ... Q K A",
    "wrap": "A 2 3 ... Q K",
}


@dataclass(frozen=True)
class Verdict:
    """What is to be said of a declared layout.

    Attributes
    ----------
    valid : bool
        Whether it may be laid.
    reason : str or None
        Why not, in one sentence; None if it may.
    layout : Layout or None
        The layout with every wild card declared; None if it may not be laid.
    counts : int8[53]
        The cards laid.
    """

    valid: bool
    reason: str | None
    layout: Layout | None
    counts: Counts


@dataclass(frozen=True)
class _Card:
    """A card of a declared meld, and the place that is declared for it, if any."""

    face: int
    place: int | None

    def __str__(self) -> str:
        """Write it as it was declared."""
        declared = "" if self.place is None else f"={face_name(self.place)}"
        return face_name(self.face) + declared

    def stands_for(self, rules: ContinentalRules) -> int | None:
        """Give the place that it must take, None for a wild card that is free."""
        return self.place if rules.is_wild(self.face) else self.face


class _RefusedError(Exception):
    """The layout may not be laid; the message says why."""


def judge_layout(
    rules: ContinentalRules, text: str, held: Sequence[int] | Counts | None = None
) -> Verdict:
    """Judge a declared layout.

    The order of the cards is kept. A wild card without a declared place takes whichever lets its
    run or group pass, if one does; in a group it takes a suit that leaves all in one suit, if one
    does.

    Parameters
    ----------
    rules : ContinentalRules
        What may be laid.
    text : str
        Runs, or groups, separated by ``/``, with ``=`` for the place of a wild card, such as
        ``"2D=4C 5C 6C / QD KD AD / ..."``.
    held : int8[53], optional
        The hand that the cards must come from.

    Returns
    -------
    Verdict
        With the reason if it is refused.

    Raises
    ------
    ContsimError
        If the text is no layout: an unknown card, an empty meld, a place that is no card of a
        suit, more copies of a card than the pack, or a number of cards other than
        ``rules.hand_size``.
    """
    melds = [_parse_meld(rules, part, number) for number, part in enumerate(text.split("/"), 1)]
    cards = [card for meld in melds for card in meld]
    counts = hand_counts(card.face for card in cards)
    check_copies(counts, rules)
    if (given := int(counts.sum())) != rules.hand_size:
        raise ContsimError(
            f"a layout lays exactly {rules.hand_size} cards, and here {are(given)} {given}"
        )
    try:
        if held is not None:
            _check_held(counts, held)
        _check_pattern(rules, melds)
        suit = only_suit(place for card in cards if (place := card.stands_for(rules)) is not None)
        laid = tuple(_judge_meld(rules, meld, number, suit) for number, meld in enumerate(melds, 1))
    except _RefusedError as refusal:
        return Verdict(valid=False, reason=str(refusal), layout=None, counts=counts)
    layout = Layout(laid, rules.wild_faces)
    return Verdict(valid=True, reason=None, layout=layout, counts=counts)


def _parse_meld(rules: ContinentalRules, text: str, number: int) -> list[_Card]:
    words = re.sub(r"\s*=\s*", "=", text).replace(",", " ").split()
    if not words:
        example = "3C 4C 5C" if rules.melds == "runs" else "3C 3D 3S"
        raise ContsimError(
            f"{rules.meld} {number} of the layout is empty: write {rules.melds} as {example} / ..."
        )
    cards = []
    for word in words:
        name, *declared = word.split("=")
        if len(declared) > 1:
            raise ContsimError(f"{word!r} declares more than one place: write it as 2D=4C")
        place = parse_face(declared[0]) if declared else None
        if place == JOKER:
            raise ContsimError(f"{word!r} declares no place: name a card of a suit, as in JK=4C")
        cards.append(_Card(parse_face(name), place))
    return cards


def _check_held(counts: Counts, held: Sequence[int] | Counts) -> None:
    for face in range(FACES):
        if counts[face] > held[face]:
            raise _RefusedError(
                f"{face_name(face)} is laid {counted(int(counts[face]), 'time')}, but the hand "
                f"holds {held[face]}"
            )


def _check_pattern(rules: ContinentalRules, melds: list[list[_Card]]) -> None:
    lengths = tuple(sorted(map(len, melds), reverse=True))
    if lengths not in rules.pattern_lengths:
        raise _RefusedError(
            f"{rules.melds} of {'+'.join(map(str, lengths))} cards are none of the patterns "
            f"{', '.join(rules.patterns)}"
        )


def _judge_meld(
    rules: ContinentalRules, meld: list[_Card], number: int, suit: int | None
) -> tuple[tuple[int, int], ...]:
    """Give each card of a meld its place, or refuse the meld."""
    name = f"{rules.meld} {number} ({' '.join(map(str, meld))})"
    known = _known_places(rules, meld, name)
    faces = [card.face for card in meld]
    if rules.melds == "groups":
        _check_rank(known, meld, name)
        choices = list(_groups(faces, known, suit))
    else:
        _check_order(known, meld, name)
        choices = list(_runs(rules, len(meld), known))
    if not choices:
        raise _RefusedError(f"{name} leaves the ladder {_LADDER_TEXT[rules.ace]}")
    # More naturals are never worse, neither for their minimum nor for the wilds' maximum.
    places = max(choices, key=lambda places: _naturals(rules, faces, places))
    naturals = _naturals(rules, faces, places)
    if naturals < rules.min_naturals_per_run:
        held = counted(naturals, "natural card")
        raise _RefusedError(f"{name} holds {held} and needs {rules.min_naturals_per_run}")
    if naturals < rules.naturals_needed(len(meld)):
        wilds = counted(len(meld) - naturals, "wild card")
        raise _RefusedError(f"{name} holds {wilds} and may hold {rules.max_wilds_per_run}")
    return tuple(zip(faces, places, strict=True))


def _known_places(rules: ContinentalRules, meld: list[_Card], name: str) -> dict[int, int]:
    """Give the places that are settled, by the index of the card in its meld."""
    known = {}
    for index, card in enumerate(meld):
        if not rules.is_wild(card.face) and card.place not in (None, card.face):
            raise _RefusedError(
                f"in {name}, {face_name(card.face)} is natural: it stands for itself"
            )
        place = card.stands_for(rules)
        if place is not None:
            known[index] = place
    return known


def _check_order(known: dict[int, int], run: list[_Card], name: str) -> None:
    """Refuse a run whose known places are not consecutive cards of one suit."""
    if not known:
        return
    first, anchor = next(iter(known.items()))
    suit, rank = divmod(anchor, 13)
    for index, place in known.items():
        expected = suit * 13 + (rank + index - first) % 13
        if place != expected:
            raise _RefusedError(f"in {name}, {run[index]} lies where {face_name(expected)} belongs")


def _check_rank(known: dict[int, int], group: list[_Card], name: str) -> None:
    """Refuse a group whose known places are not of one rank."""
    if not known:
        return
    first, anchor = next(iter(known.items()))
    for index, place in known.items():
        if place % len(RANKS) != anchor % len(RANKS):
            raise _RefusedError(f"in {name}, {group[index]} is not of the rank of {group[first]}")


def _runs(rules: ContinentalRules, length: int, known: dict[int, int]) -> Iterator[list[int]]:
    """Yield all places on the ladder that a run may take, given those that are known."""
    ladder = Ladder(rules)
    for suit in range(len(SUITS)):
        for start in ladder.starts(length):
            places = [suit * 13 + rank for rank in ladder.ranks[start : start + length]]
            if all(places[index] == place for index, place in known.items()):
                yield places


def _groups(faces: list[int], known: dict[int, int], suit: int | None) -> Iterator[list[int]]:
    """Yield the places that a group may take at each rank, given those that are known."""
    ranks: Iterable[int] = {place % len(RANKS) for place in known.values()} or range(len(RANKS))
    for rank in ranks:
        yield [
            known[index] if index in known else wild_place(face, rank, suit)
            for index, face in enumerate(faces)
        ]


def _naturals(rules: ContinentalRules, faces: list[int], places: list[int]) -> int:
    """Count the cards of a meld that count as naturals."""
    return sum(
        _is_at_home(rules, face, place) and (rules.counts_at_home or not rules.is_wild(face))
        for face, place in zip(faces, places, strict=True)
    )


def _is_at_home(rules: ContinentalRules, face: int, place: int) -> bool:
    """Tell whether a card stands for itself: in a group for its rank, whatever the suit."""
    if rules.melds == "groups":
        return face != JOKER and face % len(RANKS) == place % len(RANKS)
    return face == place
