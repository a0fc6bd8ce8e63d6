"""What games call the same things: the words of tables, charts and pages.

They are names, too, of what `--json` tells: `tr` says them where they are shown.
"""

from dataclasses import dataclass


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
