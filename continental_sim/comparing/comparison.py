"""A comparison of strategies as its directory keeps it: what was asked, and what is played."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from continental_sim.comparing.kept import read_asked, write_asked
from continental_sim.files.manifest import COMPARISON

FORMAT: Final = 1


@dataclass(frozen=True)
class Seated:
    """A line-up of a comparison.

    Attributes
    ----------
    lineup : tuple of str
    directory : str
        Of its study, within that of the comparison.
    session : int
        Deals of each pack: one for each seating.
    """

    lineup: tuple[str, ...]
    directory: str
    session: int


@dataclass(frozen=True)
class Comparison:
    """What was asked with `contsim compare`.

    Attributes
    ----------
    strategies : tuple of str
        As they were given.
    seats : int
    field : str
        Who sat with each strategy, or "".
    every : bool
        Whether all tables were played.
    deals : int
        Packs of each line-up, dealt in all seatings each.
    seed : int
    level : float
        Of the intervals.
    lineups : tuple of Seated
    """

    strategies: tuple[str, ...]
    seats: int
    field: str
    every: bool
    deals: int
    seed: int
    level: float
    lineups: tuple[Seated, ...]

    @property
    def compared(self) -> tuple[str, ...]:
        """The strategies, and the field with them."""
        return (*self.strategies, self.field) if self.field else self.strategies


def is_comparison(directory: Path) -> bool:
    """Tell whether a directory holds a comparison."""
    return (directory / COMPARISON).is_file()


def write_comparison(directory: Path, comparison: Comparison) -> None:
    """Write a comparison into its directory, atomically."""
    write_asked(directory / COMPARISON, {"format": FORMAT, **asdict(comparison)})


def read_comparison(directory: Path) -> Comparison:
    """Read the comparison of a directory.

    Raises
    ------
    ContsimError
        If there is none, or it is none of this version.
    """
    again = "compare again with contsim compare"
    return read_asked(directory / COMPARISON, _comparison, again)


def _comparison(table: Mapping[str, Any]) -> Comparison:
    fields = dict(table)
    if fields.pop("format") != FORMAT:
        raise ValueError("another format")
    lineups = tuple(
        Seated(tuple(map(str, each["lineup"])), str(each["directory"]), int(each["session"]))
        for each in fields.pop("lineups")
    )
    strategies = tuple(map(str, fields.pop("strategies")))
    found = Comparison(strategies, **fields, lineups=lineups)
    if not (0 < found.level < 1 and found.deals > 0 and lineups and found.strategies):
        raise ValueError("out of bounds")
    return found
