"""One hand: may it go out, how far is it from that, and which card should go."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import numpy as np

from continental_sim.cards import (
    FACES,
    JOKER,
    SUITS,
    Counts,
    check_copies,
    face_name,
    hand_counts,
    parse_face,
    parse_hand,
)
from continental_sim.columns import LATER
from continental_sim.engine import table_for
from continental_sim.errors import ContsimError
from continental_sim.kernels import choices, holding
from continental_sim.layouts import (
    TIMINGS,
    Layout,
    exit_payment,
    find_layout,
    judge_layout,
    layout_payment,
)
from continental_sim.rules import ContinentalRules
from continental_sim.words import are


class Hand:
    """A hand of a seat, looked up in the meld tables.

    Attributes
    ----------
    rules : ContinentalRules
    counts : int8[53]
    """

    def __init__(self, rules: ContinentalRules, seat: Any, record: Any, counts: Counts) -> None:
        self.rules = rules
        self.counts = counts
        self._seat = seat
        self._record = record
        for suit in range(len(SUITS)):  # an empty suit has its class too, and it is not 0
            holding.recode(seat, record, suit)
        for face in range(FACES):
            for _ in range(counts[face]):
                holding.give(seat, record, face)

    @property
    def distance(self) -> int:
        """Fewest cards to replace; of a hand with one card more, after the best discard."""
        return self.rules.hand_size - int(holding.cards_used(self._seat, self._record))

    def distance_with(self, face: int, change: int = 1) -> int:
        """Distance with a card more, or less (-1)."""
        return self.rules.hand_size - int(holding.used_if(self._seat, self._record, face, change))

    @property
    def discard(self) -> int:
        """The best-paying discard that lets the rest go out, -1 if there is none."""
        return int(choices.best_paying_discard(self._seat, self._record))

    @property
    def payment(self) -> int:
        """Points that each opponent pays on a later turn for a hand that can go out."""
        return int(choices.exit_payment(self._seat, self._record, LATER))


@contextmanager
def looked_up(rules: ContinentalRules, counts: Counts) -> Iterator[Hand]:
    """Open the tables for a hand.

    Parameters
    ----------
    rules : ContinentalRules
    counts : int8[53]
        Of the hand, at most as many copies as the pack has.
    """
    check_copies(counts, rules)
    with table_for(rules, (), 0) as memory:
        memory.seats[0].barred = -1
        yield Hand(rules, memory.seats[0], memory.rules, counts)


def distance(rules: ContinentalRules, counts: Counts) -> int:
    """Return the fewest cards to replace before a hand can go out [cards]."""
    with looked_up(rules, counts) as hand:
        return hand.distance


def read_hand(text: str, sizes: tuple[int, ...]) -> Counts:
    """Read a hand and refuse a wrong number of cards."""
    counts = hand_counts(parse_hand(text))
    if (held := int(counts.sum())) not in sizes:
        wanted = " or ".join(str(size) for size in sizes)
        raise ContsimError(f"a hand has {wanted} cards, and here {are(held)} {held}")
    return counts


def check_hand(rules: ContinentalRules, text: str) -> dict[str, Any]:
    """Judge a hand of 15 cards, or of 16 of which one is to be thrown (by `hand_size`).

    Returns
    -------
    dict
        ``valid``, ``distance``, ``layout`` (text or None), ``payments`` (``later``, ``first_turn``,
        ``dealt``: points an opponent, None where it cannot be), ``discard`` (or None), ``reason``.

    Raises
    ------
    ContsimError
        If the text is no such hand.
    """
    size = rules.hand_size
    counts = read_hand(text, (size, size + 1))
    drawn = counts.sum() > size
    with looked_up(rules, counts) as hand:
        away = hand.distance
        discard = hand.discard if drawn and away == 0 else -1
    layout = None
    if away == 0:
        if drawn:
            counts[discard] -= 1
        layout = find_layout(rules, counts)
        reason = (
            "the cards fit" if not drawn else f"the cards fit after throwing {face_name(discard)}"
        )
    else:
        reason = f"at most {size - away} of the cards fit one layout"
    return _verdict(rules, layout, drawn, away, discard, reason)


def check_layout(rules: ContinentalRules, text: str, held: str | None = None) -> dict[str, Any]:
    """Judge a declared layout, perhaps against the hand that its cards must come from.

    Returns
    -------
    dict
        As `check_hand`; ``distance`` is that of the cards laid.
    """
    size = rules.hand_size
    hand = read_hand(held, (size, size + 1)) if held else None
    verdict = judge_layout(rules, text, hand)
    away = 0 if verdict.valid else distance(rules, verdict.counts)
    drawn = hand is not None and hand.sum() > size
    discard = int(np.flatnonzero(hand - verdict.counts)[0]) if drawn and verdict.valid else -1  # type: ignore[operator]
    reason = verdict.reason or "the layout is valid"
    return _verdict(rules, verdict.layout, drawn, away, discard, reason)


def _verdict(
    rules: ContinentalRules,
    layout: Layout | None,
    drawn: bool,
    away: int,
    discard: int,
    reason: str,
) -> dict[str, Any]:
    payments: dict[str, int | None] = dict.fromkeys(TIMINGS)
    if layout is not None:
        for timing in TIMINGS:
            if timing != "dealt" or not drawn:
                payments[timing] = layout_payment(rules, layout, timing)
    return {
        "valid": layout is not None,
        "distance": away,
        "layout": None if layout is None else str(layout),
        "payments": payments,
        "discard": face_name(discard) if discard >= 0 else None,
        "reason": reason,
    }


def check_text(verdict: Mapping[str, Any]) -> str:
    """Put a verdict into lines."""
    if not verdict["valid"]:
        return f"cannot go out: {verdict['reason']} (distance {verdict['distance']})"
    told = {
        "later": "on a later turn",
        "first_turn": "on the first turn",
        "dealt": "without drawing",
    }
    lines = [f"can go out: {verdict['reason']}", f"  {verdict['layout']}", "  each opponent pays"]
    lines += [
        f"  {payment:>4}  {told[timing]}"
        for timing, payment in verdict["payments"].items()
        if payment is not None
    ]
    return "\n".join(lines)


def advise(
    rules: ContinentalRules, text: str, upcard: str | None = None, seen: str = ""
) -> list[dict[str, Any]]:
    """Weigh each discard of a hand with one card more than `hand_size`.

    Parameters
    ----------
    rules : ContinentalRules
    text : str
        The hand.
    upcard : str, optional
        The top of the discard pile, which is not to be drawn any more.
    seen : str
        Other cards known to be gone.

    Returns
    -------
    list of dict
        Best first: ``discard``, ``distance`` after it, ``outs`` (unseen cards that shorten it),
        ``out_faces`` (which), ``payment`` (points an opponent on a later turn, for an exit with the
        wild cards kept, and in one suit if the naturals kept are of one).
    """
    counts = read_hand(text, (rules.hand_size + 1,))
    gone = hand_counts([*parse_hand(seen), *([parse_face(upcard)] if upcard else [])])
    together = counts.astype(np.int64) + gone
    check_copies(together, rules)
    unseen = np.array([rules.copies(face) for face in range(FACES)]) - together
    advice = []
    for face in np.flatnonzero(counts):
        kept = counts.copy()
        kept[face] -= 1
        with looked_up(rules, kept) as hand:
            away = hand.distance
            better = [
                other
                for other in np.flatnonzero(unseen)
                if away and hand.distance_with(int(other)) < away
            ]
            payment = _payment_ahead(rules, kept) if away else hand.payment
        advice.append(
            {
                "discard": face_name(int(face)),
                "distance": away,
                "outs": int(unseen[better].sum()),
                "out_faces": [face_name(int(other)) for other in better],
                "payment": payment,
            }
        )
    return sorted(advice, key=lambda row: (row["distance"], -row["outs"], -row["payment"]))


def _payment_ahead(rules: ContinentalRules, kept: Counts) -> int:
    wild = np.array(rules.wild_faces)
    jokers = int(kept[JOKER])
    physical = rules.one_suit == "physical"
    judged = np.flatnonzero(kept if physical else kept * ~wild)
    one_suit = len({int(face) // 13 for face in judged}) <= 1 and not (physical and jokers)
    return exit_payment(rules, int(kept[wild].sum()) - jokers, jokers, one_suit=one_suit)


def advise_text(advice: list[dict[str, Any]]) -> str:
    """Put advice into a table of at most 80 columns."""
    lines = ["throw  distance  outs  payment  outs are"]
    for row in advice:
        outs = " ".join(row["out_faces"])
        if len(outs) > 44:
            outs = outs[:41].rpartition(" ")[0] + " ..."
        lines.append(
            f"{row['discard']:<5}  {row['distance']:>8}  {row['outs']:>4}  "
            f"{row['payment']:>7}  {outs}"
        )
    return "\n".join(line.rstrip() for line in lines)
