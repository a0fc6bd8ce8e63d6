"""A comparison of strategies as its directory keeps it: what was asked, and what is played."""

import shlex
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from continental_sim.comparing.kept import read_asked, write_asked
from continental_sim.files.manifest import COMPARISON, MANIFEST, read_manifest
from continental_sim.rules import ContinentalRules
from continental_sim.rules.load import as_settings, rules_from_dict
from continental_sim.seating import seatings_of

FORMAT: Final = 2
CONTINENTAL: Final = ContinentalRules.game
# Why play ended, if anything but a given number of deals was to decide.
MET: Final = "met"
TIME_OVER: Final = "time over"
ALL_PLAYED: Final = "all played"
_KINDS: Final[Mapping[str, type]] = {
    "game": str,
    "seats": int,
    "field": str,
    "every": bool,
    "deals": int,
    "seed": int,
    "level": float,
    "until": str,
    "max_time": float,
    "looks": int,
    "told_level": float,
    "ended": str,
    "reason": str,
}


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
        Packs of each line-up, dealt in all seatings each: to be played, at the most with `until`;
        those played once it has ended.
    seed : int
    level : float
        That was asked for.
    lineups : tuple of Seated
    settings : tuple of str
        Rules of the game that are not the default, as ``key=value``.
    until : str
        The goal, or "".
    max_time : float
        Limit of play that has not ended [seconds], 0 if there is none.
    looks : int
        Looks that have spent a part of the chance of error of a goal.
    told_level : float
        Of the intervals: with a goal it may be that of a look.
    game : str
        That was played.
    ended, reason : str
        Why play ended, as `MET`, `TIME_OVER` or `ALL_PLAYED` and in words, or "".
    """

    strategies: tuple[str, ...]
    seats: int
    field: str
    every: bool
    deals: int
    seed: int
    level: float
    lineups: tuple[Seated, ...]
    settings: tuple[str, ...]
    until: str
    told_level: float
    game: str = CONTINENTAL
    max_time: float = 0.0
    looks: int = 0
    ended: str = ""
    reason: str = ""

    @property
    def compared(self) -> tuple[str, ...]:
        """The strategies, and the field with them."""
        return (*self.strategies, self.field) if self.field else self.strategies

    def command(self, out: str, rules: str | None = None) -> str:
        """Return the command that plays the same, or goes on with it.

        Parameters
        ----------
        out : str
            Where the studies go.
        rules : str or None
            File of the rules; they are spelled out if None.
        """
        words = ["contsim", "compare", *self.strategies]
        words += ["--field", self.field] if self.field else []
        words += ["--all"] if self.every else []
        if rules is None:
            words += [] if self.game == CONTINENTAL else ["--rules", self.game]
            words += [word for setting in self.settings for word in ("--set", setting)]
        else:
            words += ["--rules", rules]
        words += ["--until", self.until, "--max-deals"] if self.until else ["--deals"]
        words += [str(self.deals), "--seed", str(self.seed), "--level", str(self.level)]
        words += ["--max-time", f"{self.max_time:g}"] if self.max_time else []
        return shlex.join([*words, "--out", out])

    def differences(self, other: "Comparison") -> Iterator[str]:
        """Yield where another comparison differs in what is asked: ``seed: 1 against 2``.

        Of another game that is all: its strategies and rules have to be others.
        """
        if self.game != other.game:
            yield f"game: {self.game} against {other.game}"
            return
        for name, mine, others in (
            ("strategies", ", ".join(self.strategies), ", ".join(other.strategies)),
            ("--field", self.field, other.field),
            ("--all", "yes" * self.every, "yes" * other.every),
            ("rules --set", ", ".join(self.settings), ", ".join(other.settings)),
            ("seed", str(self.seed), str(other.seed)),
            ("--until", self.until, other.until),
        ):
            if mine != others:
                yield f"{name}: {mine or 'none'} against {others or 'none'}"
        # A goal is met at a level; without one the same packs can be told at any.
        if self.until == other.until != "" and self.level != other.level:
            yield f"--level: {self.level} against {other.level}"


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
        If there is none, it is none of this version, or it does not tell of the studies there.
    """

    def parse(table: Mapping[str, Any]) -> Comparison:
        found = _comparison(table)
        for number, seated in enumerate(found.lineups):
            place = directory / seated.directory
            if (place / MANIFEST).is_file():
                manifest = read_manifest(place)
                study, rules = manifest["study"], rules_from_dict(manifest["rules"])
                # Each table has a seed of its own; it comes from that of the first.
                sound = number > 0 or study["seed"] == found.seed
                sound = sound and (rules.game, as_settings(rules)) == (
                    found.game,
                    list(found.settings),
                )
                if not sound or study["lineup"] != list(seated.lineup):
                    raise ValueError(f"{place} is of another comparison")
        return found

    return read_asked(
        directory / COMPARISON,
        parse,
        "compare again with contsim compare, the same strategies, rules, --until",
    )


def _comparison(table: Mapping[str, Any]) -> Comparison:
    fields = dict(table)
    if fields.pop("format") != FORMAT:
        raise ValueError("another format")
    lineups = tuple(
        Seated(_texts(each["lineup"]), f"table-{number}", len(seatings_of(each["lineup"])))
        for number, each in enumerate(fields["lineups"], 1)
    )
    if [asdict(each) | {"lineup": list(each.lineup)} for each in lineups] != fields.pop("lineups"):
        raise ValueError("other tables")
    strategies, settings = _texts(fields.pop("strategies")), _texts(fields.pop("settings"))
    fields.setdefault("game", CONTINENTAL)  # files of before had one game
    for name, kind in _KINDS.items():
        if type(fields[name]) is not kind:
            raise ValueError(f"{name} = {fields[name]!r}")
    found = Comparison(strategies, **fields, settings=settings, lineups=lineups)
    _check(found)
    return found


def _texts(values: Sequence[object]) -> tuple[str, ...]:
    found = tuple(each for each in values if isinstance(each, str))
    if isinstance(values, str) or len(found) != len(values):
        raise ValueError(f"{values!r} are no texts")
    return found


def _check(found: Comparison) -> None:
    """Refuse what no comparison is."""
    if not (0 < found.level < 1 and 0 < found.told_level < 1 and found.deals > 0):
        raise ValueError("out of bounds")
    if any(len(seated.lineup) != found.seats for seated in found.lineups):
        raise ValueError("other seats")
    if {name for seated in found.lineups for name in seated.lineup} != set(found.compared):
        raise ValueError("other strategies")
