"""A layout: cards laid as melds, with a place declared for each wild card, and what it pays."""

from dataclasses import dataclass, field
from functools import cached_property

from continental_sim.cards import JOKER, face_name
from continental_sim.errors import ContsimError
from continental_sim.rules import ContinentalRules

TIMINGS = ("later", "first_turn", "dealt")


@dataclass(frozen=True)
class Layout:
    """Cards laid as runs, or as groups.

    Attributes
    ----------
    melds : tuple of tuples of (int, int)
        For each run or group its cards in order, each as (face of the card, face that it stands
        for); the two are the same for a natural card.
    wild_faces : tuple of 53 bool
        Which faces are wild.
    """

    melds: tuple[tuple[tuple[int, int], ...], ...]
    wild_faces: tuple[bool, ...] = field(repr=False)

    def __str__(self) -> str:
        """Write it as `judge_layout` reads it, with a place declared for each wild card."""
        return " / ".join(
            " ".join(self._card_text(card, place) for card, place in meld) for meld in self.melds
        )

    def _card_text(self, card: int, place: int) -> str:
        declared = f"={face_name(place)}" if self.wild_faces[card] else ""
        return face_name(card) + declared

    @property
    def pattern(self) -> str:
        """Lengths of the runs or groups, longest first, such as "5+4+3+3"."""
        return "+".join(str(length) for length in sorted(map(len, self.melds), reverse=True))

    @cached_property
    def cards(self) -> tuple[int, ...]:
        """Faces of the cards, meld by meld."""
        return tuple(card for meld in self.melds for card, _ in meld)

    @property
    def deuces(self) -> int:
        """Exposed wild cards that are no jokers: the deuces, by default [cards]."""
        return sum(self.wild_faces[card] and card != JOKER for card in self.cards)

    @property
    def jokers(self) -> int:
        """Exposed jokers [cards]."""
        return self.cards.count(JOKER)

    def in_one_suit(self, rules: ContinentalRules) -> bool:
        """Tell whether it earns the one-suit bonus: by declared or by physical suits."""
        if rules.one_suit == "physical":
            return JOKER not in self.cards and len({card // 13 for card in self.cards}) == 1
        return len({place // 13 for meld in self.melds for _, place in meld}) == 1


def layout_payment(rules: ContinentalRules, layout: Layout, timing: str = "later") -> int:
    """Say what each opponent pays for a layout.

    Parameters
    ----------
    rules : ContinentalRules
        The amounts.
    layout : Layout
        What is exposed.
    timing : {"later", "first_turn", "dealt"}
        After the first turn, in it after a draw, or in it without drawing.

    Returns
    -------
    int
        Payment of one opponent [points].

    Raises
    ------
    ContsimError
        If there is no such timing.
    """
    one_suit = layout.in_one_suit(rules)
    return exit_payment(rules, layout.deuces, layout.jokers, one_suit=one_suit, timing=timing)


def exit_payment(
    rules: ContinentalRules, deuces: int, jokers: int, *, one_suit: bool, timing: str = "later"
) -> int:
    """Say what each opponent pays for an exit that exposes so many wild cards.

    Parameters
    ----------
    rules : ContinentalRules
        The amounts.
    deuces, jokers : int
        Exposed cards of a wild rank, and exposed jokers [cards].
    one_suit : bool
        Whether the one-suit bonus is earned.
    timing : {"later", "first_turn", "dealt"}
        After the first turn, in it after a draw, or in it without drawing.

    Returns
    -------
    int
        Payment of one opponent [points].

    Raises
    ------
    ContsimError
        If there is no such timing.
    """
    if timing not in TIMINGS:
        raise ContsimError(f"timing {timing!r} is unknown: choose {', '.join(TIMINGS)}")
    points = rules.pay_exit
    if deuces or jokers:
        points += rules.pay_deuce * deuces + rules.pay_joker * jokers
    else:
        points += rules.pay_no_wild
    if timing == "dealt":
        points += rules.pay_dealt
    if timing == "first_turn" or (timing == "dealt" and rules.stack_first_turn):
        points += rules.pay_first_turn
    return points + (rules.pay_one_suit if one_suit else 0)
