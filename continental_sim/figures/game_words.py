"""What games call the same things: the words of tables, charts and pages."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Words:
    """The words of a game.

    Attributes
    ----------
    drawn : str
        The end of a deal without a card to draw.
    were_drawn : str
        What such deals were.
    ended_drawn : str
        How such deals ended.
    paid : str
        What an exit brings.
    pay : str
        What deals do, or do not.
    unpaid : str
        What comes of deals without an exit.
    of_exit : str
        What an exit brings, on the axis of a chart.
    """

    drawn: str
    were_drawn: str
    ended_drawn: str
    paid: str
    pay: str
    unpaid: str
    of_exit: str


WORDS: Final[Mapping[str, Words]] = {
    "continental": Words(
        drawn="drawn",
        were_drawn="drawn",
        ended_drawn="drawn",
        paid="payment",
        pay="pay",
        unpaid="nobody is paid there",
        of_exit="what each opponent pays",
    ),
    "basic-rummy": Words(
        drawn="deadlock (drawn)",
        were_drawn="deadlocks (drawn)",
        ended_drawn="in a deadlock (drawn)",
        paid="score",
        pay="score",
        unpaid="nobody scores there",
        of_exit="score of an exit",
    ),
}
