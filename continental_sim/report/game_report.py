"""What the pages of a game have of their own."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

Sentences = Callable[[Any], Iterator[str]]  # from the summary of a study of the game


class Often(NamedTuple):
    """How often players do something: what is counted, in what, and in how many of these."""

    counted: str
    unit: str
    times: int


@dataclass(frozen=True, slots=True)
class GameReport:
    """The parts of pages that differ by game.

    Attributes
    ----------
    exits, several : callable
        From the summary of a study to what it says of exits, and of several deals together.
    behaviour : mapping of str to Often
        What a comparison tells of players, by its title.
    """

    exits: Sentences
    several: Sentences
    behaviour: Mapping[str, Often]
