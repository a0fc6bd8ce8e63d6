"""A comparison of strategies as its directory keeps it: what was asked, and what is played."""

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import tomli_w

from continental_sim.errors import ContsimError, typed
from continental_sim.files import parquet
from continental_sim.rules import ContinentalRules
from continental_sim.strategy import Strategy, find_strategy
from continental_sim.study import Study, make_study

COMPARISON: Final = "comparison.toml"
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
    rules : str
        Preset or file.
    settings : tuple of str
        Rules that were changed.
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
    rules: str
    settings: tuple[str, ...]
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


def studies_of(
    rules: ContinentalRules, lineups: Sequence[Sequence[str]], seed: int | None, deals: int
) -> list[Study]:
    """Make the duplicate studies of line-ups, each with packs of its own.

    Parameters
    ----------
    rules : ContinentalRules
    lineups : sequence of sequence of str
    seed : int or None
        A random one if None.
    deals : int
        Packs of each.
    """
    found: dict[str, Strategy] = {}
    studies: list[Study] = []
    for number, lineup in enumerate(lineups):
        players = [found.setdefault(spec, find_strategy(spec)) for spec in lineup]
        own = seed if number == 0 else _seed(studies[0].seed, number)
        one = make_study(rules, players, own, 1, duplicate=True)
        studies.append(make_study(rules, players, one.seed, deals * one.session, duplicate=True))
    return studies


def _seed(seed: int, number: int) -> int:
    text = f"{seed} line-up {number}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def seated(lineups: Sequence[Sequence[str]], studies: Sequence[Study]) -> tuple[Seated, ...]:
    """Name the directories of line-ups."""
    return tuple(
        Seated(tuple(lineup), f"table-{number + 1}", study.session)
        for number, (lineup, study) in enumerate(zip(lineups, studies, strict=True))
    )


def is_comparison(directory: Path) -> bool:
    """Tell whether a directory holds a comparison."""
    return (directory / COMPARISON).is_file()


def write_comparison(directory: Path, comparison: Comparison) -> None:
    """Write a comparison into its directory, atomically."""
    with parquet.explained(directory):
        directory.mkdir(parents=True, exist_ok=True)
    with parquet.atomic_file(directory / COMPARISON) as sink:
        tomli_w.dump({"format": FORMAT, **asdict(comparison)}, sink)


def read_comparison(directory: Path) -> Comparison:
    """Read the comparison of a directory.

    Raises
    ------
    ContsimError
        If there is none, or it is none of this version.
    """
    path = directory / COMPARISON
    try:
        return _comparison(tomllib.loads(path.read_text(encoding="utf-8")))
    except OSError as error:
        raise ContsimError(f"cannot read {path}: {error.strerror}") from error
    except (KeyError, TypeError, ValueError) as error:  # neither TOML nor UTF-8 among them
        raise ContsimError(
            f"{path} is damaged, or of another version: compare again with contsim compare and "
            f"--out {typed(directory)}, which plays nothing twice"
        ) from error


def _comparison(table: Mapping[str, Any]) -> Comparison:
    fields = dict(table)
    if fields.pop("format") != FORMAT:
        raise ValueError("another format")
    lineups = tuple(
        Seated(tuple(map(str, each["lineup"])), str(each["directory"]), int(each["session"]))
        for each in fields.pop("lineups")
    )
    for name in ("strategies", "settings"):
        fields[name] = tuple(map(str, fields[name]))
    found = Comparison(**fields, lineups=lineups)
    if not (0 < found.level < 1 and found.deals > 0 and lineups and found.strategies):
        raise ValueError("out of bounds")
    return found
