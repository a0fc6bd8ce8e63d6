"""What the rules of every game have: a record of declared values, checked when it is made."""

from dataclasses import field, fields
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

from continental_sim.cards import FACES, JOKER
from continental_sim.errors import ContsimError
from continental_sim.rules.values import Choice, Integer, Kind

MAX_ROUNDS = Integer(1, 100_000)
MOST_RECYCLES = 10_000
NEXT_DEALER = Choice(("left", "winner"))
RECYCLE_ORDER = Choice(("shuffled", "turned"))
RETURN_TAKEN = Choice(("allow", "forbid"))


class Stakes(NamedTuple):
    """What a deal that somebody wins is worth to each player, in payments."""

    winner: int
    other: int


def rule(default: object, kind: Kind, guide: str, doc: str) -> Any:
    """Declare a rule: its default, what it allows, its paragraph in the guide, its meaning."""
    return field(default=default, metadata={"kind": kind, "guide": guide, "doc": doc})


class GameRules:
    """The rules of a game, as one frozen record.

    The parameters, their types, limits, paragraphs in the guide and meanings are listed by
    `continental_sim.rules.keys.rule_keys`, which reads them from the record's fields. A record that
    exists is valid: making an impossible one raises `ContsimError`.

    Attributes
    ----------
    game : str
        As in a rules file, and after ``--game``.
    title : str
        What people call it.
    """

    game: ClassVar[str]
    title: ClassVar[str]

    seats: int
    return_taken: str
    recycles: int | None
    recycle_order: str
    max_rounds: int
    next_dealer: str

    def __post_init__(self) -> None:
        """Check each value, then what they make together."""
        for entry in fields(self):  # type: ignore[arg-type]
            value = entry.metadata["kind"].read(entry.name, getattr(self, entry.name))
            object.__setattr__(self, entry.name, value)
        self.check()
        needed = self.seats * self.hand_size + 1
        if needed > self.cards:
            raise ContsimError(
                f"seats = {self.seats} cannot be dealt: {self.seats} hands of {self.hand_size} "
                f"and an upcard need {needed} cards, and the pack has {self.cards}"
                f"{self.made_of}: at most {(self.cards - 1) // self.hand_size} seats"
            )

    def check(self) -> None:
        """Refuse values that are impossible together; that they can be dealt is checked after."""

    @property
    def hand_size(self) -> int:
        """Cards dealt to each seat [cards]."""
        raise NotImplementedError

    @property
    def cards(self) -> int:
        """Cards in the pack [cards]."""
        raise NotImplementedError

    @property
    def made_of(self) -> str:
        """What makes the pack as large as it is, in brackets, if rules do."""
        return ""

    @property
    def session_deals(self) -> int:
        """Deals that the players sit in one order for: each deals once [deals]."""
        return self.seats

    @property
    def counted_together(self) -> int:
        """Deals that something is counted of together: whole sessions [deals]."""
        return self.session_deals

    @property
    def stakes(self) -> Stakes:
        """What the winner of a deal gets, and each other player."""
        raise NotImplementedError

    @cached_property
    def stock_size(self) -> int:
        """Cards in the stock after the deal and the first upcard [cards]."""
        return self.cards - self.seats * self.hand_size - 1

    def copies(self, face: int) -> int:
        """Count the copies of a face in the pack.

        Parameters
        ----------
        face : int
            0..52.

        Returns
        -------
        int
            Copies [cards].
        """
        if not 0 <= face < FACES:
            raise ValueError(f"face {face} is not in 0..{FACES - 1}")
        return self.copies_of_joker if face == JOKER else self.copies_of_card

    @property
    def copies_of_card(self) -> int:
        """Copies of each card that is no joker [cards]."""
        return 1

    @property
    def copies_of_joker(self) -> int:
        """Jokers in the pack [cards]."""
        return 0

    def impossible_events(self) -> dict[str, str]:
        """Name events of the game's own that its rules may exclude: the reason, "" if they do not.

        What they exclude in all games is added by `figures.structural.impossible_events`.
        """
        return {}

    def description(self) -> list[str]:
        """Describe the equipment and how a deal is won, in two lines."""
        raise NotImplementedError
