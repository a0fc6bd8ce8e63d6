"""A comparison of strategies as its directory keeps it: what was asked, and what is played."""

import hashlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import tomli_w

from continental_sim.comparing.lineups import lineups_of
from continental_sim.errors import ContsimError, typed
from continental_sim.files import parquet
from continental_sim.rules import ContinentalRules
from continental_sim.strategy import find_strategy
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


def make_comparison(
    strategies: Sequence[str],
    rules: ContinentalRules,
    *,
    field: str | None = None,
    every: bool = False,
    deals: int,
    seed: int | None = None,
    level: float = 0.95,
) -> tuple[Comparison, list[Study]]:
    """Make a comparison of what a user gives, and the duplicate studies that answer it.

    Parameters
    ----------
    strategies : sequence of str
    rules : ContinentalRules
    field : str or None
        Who sits with each strategy.
    every : bool
        Whether all tables are played.
    deals : int
        Packs of each line-up; each has packs of its own.
    seed : int or None
        A random one if None.
    level : float
        Of the intervals.

    Raises
    ------
    ContsimError
        If there is nothing to compare, or too much, or a strategy is not found.
    """
    lineups = lineups_of(strategies, rules.seats, field=field, every=every)
    found = {spec: find_strategy(spec) for lineup in lineups for spec in lineup}
    studies: list[Study] = []
    for number, lineup in enumerate(lineups):
        players = [found[spec] for spec in lineup]
        own = seed if number == 0 else _seed(studies[0].seed, number)
        one = make_study(rules, players, own, 1, duplicate=True)
        studies.append(make_study(rules, players, one.seed, deals * one.session, duplicate=True))
    comparison = Comparison(
        strategies=tuple(strategies),
        seats=rules.seats,
        field=field or "",
        every=every,
        deals=deals,
        seed=studies[0].seed,
        level=level,
        lineups=tuple(
            Seated(tuple(lineup), f"table-{number}", study.session)
            for number, (lineup, study) in enumerate(zip(lineups, studies, strict=True), 1)
        ),
    )
    return comparison, studies


def _seed(seed: int, number: int) -> int:
    text = f"{seed} line-up {number}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


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
    strategies = tuple(map(str, fields.pop("strategies")))
    found = Comparison(strategies, **fields, lineups=lineups)
    if not (0 < found.level < 1 and found.deals > 0 and lineups and found.strategies):
        raise ValueError("out of bounds")
    return found
