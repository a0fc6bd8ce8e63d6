"""Kinds of values that a rule can take: how each is checked, read and written.

A kind turns three things into each other: the value in the record (``None`` for no limit,
tuples), the plain value of a TOML file (``"unlimited"``, lists) and the text after ``--set``.
"""

from dataclasses import dataclass
from typing import Protocol

from continental_sim.cards import RANKS
from continental_sim.errors import ContsimError

UNLIMITED = "unlimited"
SHORTEST_MELD, LONGEST_MELD = 2, 13  # cards of a run or group
_MOST_SHOWN = 60  # characters of a refused value
MOST_PATTERNS = 8  # an outcome names the patterns that a hand fits in the bits of one byte


class Kind(Protocol):
    """A kind of value."""

    @property
    def allowed(self) -> str:
        """Say in words what is allowed, to follow "must be"."""

    def read(self, name: str, value: object) -> object:
        """Check a plain value (or one of the record) and return the value of the record."""

    def parse(self, text: str) -> object:
        """Turn text into a plain value; what makes no sense is left to `read` to refuse."""

    def plain(self, value: object) -> object:
        """Turn a value of the record into a plain one, as in a TOML file."""


def _refusal(kind: Kind, name: str, value: object) -> ContsimError:
    shown = repr(value)
    shown = shown if len(shown) <= _MOST_SHOWN else shown[:_MOST_SHOWN] + "..."
    return ContsimError(f"{name} = {shown} is not allowed: it must be {kind.allowed}")


def _whole_number(text: str) -> object:
    try:
        return int(text)
    except ValueError:
        return text


@dataclass(frozen=True)
class Integer:
    """A whole number between two limits, inclusive."""

    low: int
    high: int

    @property
    def allowed(self) -> str:
        """Say in words what is allowed."""
        return f"a whole number from {self.low} to {self.high}"

    def read(self, name: str, value: object) -> int:
        """Check that the value is a whole number (no bool, no float) within the limits."""
        if isinstance(value, bool) or not isinstance(value, int):
            raise _refusal(self, name, value)
        if not self.low <= value <= self.high:
            raise _refusal(self, name, value)
        return value

    def parse(self, text: str) -> object:
        """Read a number."""
        return _whole_number(text)

    def plain(self, value: object) -> object:
        """Return the number itself."""
        return value


@dataclass(frozen=True)
class Limit:
    """A whole number, or no limit (``None`` in the record), for which there may be another word."""

    high: int
    low: int = 0
    none: str = UNLIMITED

    @property
    def allowed(self) -> str:
        """Say in words what is allowed."""
        return f'a whole number from {self.low} to {self.high} or "{self.none}"'

    def read(self, name: str, value: object) -> int | None:
        """Check a number, or turn the word into None."""
        if value is None or value == self.none:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise _refusal(self, name, value)
        if not self.low <= value <= self.high:
            raise _refusal(self, name, value)
        return value

    def parse(self, text: str) -> object:
        """Read a number or the word."""
        return _whole_number(text)

    def plain(self, value: object) -> object:
        """Write None as the word."""
        return self.none if value is None else value


@dataclass(frozen=True)
class Flag:
    """True or false."""

    @property
    def allowed(self) -> str:
        """Say in words what is allowed."""
        return "true or false"

    def read(self, name: str, value: object) -> bool:
        """Check that the value is a bool."""
        if not isinstance(value, bool):
            raise _refusal(self, name, value)
        return value

    def parse(self, text: str) -> object:
        """Read true or false in any case."""
        return {"true": True, "false": False}.get(text.lower(), text)

    def plain(self, value: object) -> object:
        """Return the bool itself."""
        return value


@dataclass(frozen=True)
class Choice:
    """One of several words."""

    names: tuple[str, ...]

    @property
    def allowed(self) -> str:
        """Say in words what is allowed."""
        return " or ".join(f'"{name}"' for name in self.names)

    def read(self, name: str, value: object) -> str:
        """Check that the value is one of the words."""
        if not isinstance(value, str) or value not in self.names:
            raise _refusal(self, name, value)
        return value

    def parse(self, text: str) -> object:
        """Read a word in any case."""
        return text.lower()

    def plain(self, value: object) -> object:
        """Return the word itself."""
        return value


@dataclass(frozen=True)
class Ranks:
    """A set of ranks, kept as a tuple in the order of the ladder."""

    @property
    def allowed(self) -> str:
        """Say in words what is allowed."""
        return f'a list of ranks out of {" ".join(RANKS)}, such as ["2"], or [] for none'

    def read(self, name: str, value: object) -> tuple[str, ...]:
        """Check each rank, drop repeats and put them in order."""
        if isinstance(value, str):
            value = self.parse(value)
        if not isinstance(value, list | tuple) or any(isinstance(rank, bool) for rank in value):
            raise _refusal(self, name, value)
        ranks = [str(rank).upper().replace("10", "T") for rank in value]
        if any(len(rank) != 1 or rank not in RANKS for rank in ranks):
            raise _refusal(self, name, value)
        return tuple(sorted(set(ranks), key=RANKS.index))

    def parse(self, text: str) -> list[str]:
        """Read ranks separated by commas or spaces; "none" and nothing are the empty set."""
        words = text.strip("[]").replace(",", " ").replace('"', " ").split()
        return [] if [word.lower() for word in words] == ["none"] else words

    def plain(self, value: object) -> object:
        """Write a list."""
        return list(value) if isinstance(value, tuple) else value


@dataclass(frozen=True)
class Patterns:
    """Patterns of a layout: lengths of its runs or groups, longest first, joined by plus signs."""

    @property
    def allowed(self) -> str:
        """Say in words what is allowed."""
        return (
            f"a list of one to {MOST_PATTERNS} different patterns, each of runs or groups of "
            f'{SHORTEST_MELD} to {LONGEST_MELD} cards, such as ["3+3+3+3+3", "4+4+4+3"]'
        )

    def read(self, name: str, value: object) -> tuple[str, ...]:
        """Check each pattern and sort its lengths; the order of the patterns is kept."""
        if isinstance(value, str):
            value = self.parse(value)
        if not isinstance(value, list | tuple) or not 1 <= len(value) <= MOST_PATTERNS:
            raise _refusal(self, name, value)
        patterns = tuple(self._canonical(name, pattern) for pattern in value)
        if len(set(patterns)) < len(patterns):
            raise _refusal(self, name, value)
        return patterns

    def _canonical(self, name: str, pattern: object) -> str:
        words = pattern.split("+") if isinstance(pattern, str) else []
        lengths = [_whole_number(word.strip()) for word in words]
        whole = [length for length in lengths if isinstance(length, int)]
        if not words or len(whole) < len(words):
            raise _refusal(self, name, pattern)
        if min(whole) < SHORTEST_MELD or max(whole) > LONGEST_MELD:
            raise _refusal(self, name, pattern)
        return "+".join(str(length) for length in sorted(whole, reverse=True))

    def parse(self, text: str) -> list[str]:
        """Read patterns separated by commas or spaces."""
        return text.strip("[]").replace(",", " ").replace('"', " ").split()

    def plain(self, value: object) -> object:
        """Write a list."""
        return list(value) if isinstance(value, tuple) else value
