"""Numbers as people type them: 1e6, 1M, 10m; each refusal names the value and the limit."""

import math
import re
from fractions import Fraction

import typer

MAX_DEALS = 10**15  # sums of payments over the deals still fit 64 bits
MAX_SEED = 2**64 - 1
MAX_JOBS = 1024
MIN_SECONDS, MAX_SECONDS = 0.1, 30 * 86_400.0

_SHOWN = 40  # characters of a wrong value that a refusal repeats
_LEAST = 1e-9  # of a level or a share, and of what it leaves to 1
_SUFFIXES = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "b": 10**9}
_SECONDS = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_LONGEST = 400  # digits, and powers of ten: far above any limit, and quick to compute with
_NUMBER = re.compile(r"([+-]?)(\d+(?:_\d+)*(?:\.\d+)?|\.\d+)(?:e\+?(\d+))?([kmgb]?)", re.IGNORECASE)


class Whole:
    """Reads a whole number within limits; a parser for typer.

    Parameters
    ----------
    name : str
        What the help calls it.
    low, high : int
        Least and greatest allowed.
    example : str
        Ends the refusal: how a right one looks.
    """

    def __init__(self, name: str, low: int, high: int, example: str = "") -> None:
        self.__name__ = name
        self.low = low
        self.high = high
        self.example = example

    def __call__(self, value: object) -> int:
        """Read `value`, or refuse it with one sentence."""
        if isinstance(value, int):
            return value
        text = str(value).strip()
        number = read_whole(text, self.high)
        limits = f"a whole number from {self.low:,} to {self.high:,}"
        if self.example:
            limits += f", such as {self.example}"
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        if number is None:
            raise typer.BadParameter(f"{shown!r} is not {limits}")
        if number < self.low:
            raise typer.BadParameter(f"{shown} is too small; it must be {limits}")
        if number > self.high:
            raise typer.BadParameter(f"{shown} is too large; it must be {limits}")
        return number


class Level:
    """Reads a confidence level, 0.95 or 95%; a parser for typer."""

    __name__ = "level"

    def __call__(self, value: object) -> float:
        """Read `value`, or refuse it with one sentence."""
        if isinstance(value, float):
            return value
        text = str(value).strip()
        percent = text.endswith("%")
        try:
            level = float(text.removesuffix("%"))
        except ValueError:
            wanted = "a level between 0 and 1, such as 0.95"
            raise typer.BadParameter(f"{text!r} is not {wanted}") from None
        if percent:
            level /= 100
        if not 0 < level < 1:  # nan too
            raise typer.BadParameter(f"{text} is not between 0 and 1; write 0.95 for 95 %")
        return _apart(level, text)


def _apart(chance: float, shown: str) -> float:
    """Refuse a chance that cannot be told from 0 or 1 in what is worked out with it."""
    if not _LEAST <= chance <= 1 - _LEAST:
        raise typer.BadParameter(
            f"{shown} is too near to 0 or 1; it must be from {_LEAST:g} to {1 - _LEAST}"
        )
    return chance


class Share:
    """Reads a share of a whole, 0.25, 25% or 1/4; a parser for typer."""

    __name__ = "share"

    def __call__(self, value: object) -> float:
        """Read `value`, or refuse it with one sentence."""
        if isinstance(value, float):
            return value
        text = str(value).strip()
        percent = text.endswith("%")
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        try:
            share = float(Fraction(text.removesuffix("%").strip())) if len(text) <= _SHOWN else 0.0
        except (ValueError, ZeroDivisionError, OverflowError):
            wanted = "a share between 0 and 1, such as 1/4 or 0.25"
            raise typer.BadParameter(f"{shown!r} is not {wanted}") from None
        share /= 100 if percent else 1
        if not 0 < share < 1:
            raise typer.BadParameter(f"{shown} is not between 0 and 1; write 1/4 or 0.25")
        return _apart(share, shown)


class Points:
    """Reads a number of points above 0; a parser for typer."""

    __name__ = "points"

    def __call__(self, value: object) -> float:
        """Read `value`, or refuse it with one sentence."""
        text = str(value).strip()
        try:
            points = float(text)
        except ValueError:
            points = math.nan
        if not 0 < points < math.inf:
            shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
            raise typer.BadParameter(f"{shown!r} is no number of points above 0, such as 0.05")
        return points


class Duration:
    """Reads how long something may take, 0.5, 10s or 2m, as seconds; a parser for typer."""

    __name__ = "duration"

    def __call__(self, value: object) -> float:
        """Read `value`, or refuse it with one sentence."""
        if isinstance(value, int | float):
            return float(value)
        text = str(value).strip()
        limits = "a time from 0.1 seconds to 30 days, such as 0.5, 10s, 5m, 2h or 1d"
        shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
        unit = text[-1:].lower()
        try:
            seconds = float(text[:-1] if unit in _SECONDS else text) * _SECONDS.get(unit, 1)
        except ValueError:
            seconds = math.nan
        if math.isnan(seconds):
            raise typer.BadParameter(f"{shown!r} is not {limits}")
        if seconds < MIN_SECONDS:
            raise typer.BadParameter(f"{shown} is too short; it must be {limits}")
        if seconds > MAX_SECONDS:
            raise typer.BadParameter(f"{shown} is too long; it must be {limits}")
        return seconds


def read_whole(text: str, high: int) -> int | None:
    """Read a whole number with `_`, an exponent or one of the suffixes k, M, G.

    Parameters
    ----------
    text : str
        What was typed.
    high : int
        A number known to be above this may come back as ``high + 1``.

    Returns
    -------
    int or None
        The number; None if the text is not a whole number.
    """
    match = _NUMBER.fullmatch(text)
    if match is None:
        return None
    sign, digits, exponent, suffix = match.groups()
    if len(text) > _LONGEST:
        return None
    mantissa = Fraction(digits.replace("_", ""))
    power = int(exponent or 0)
    if mantissa and power > _LONGEST:
        return -1 if sign == "-" else high + 1
    number = mantissa * 10 ** min(power, _LONGEST) * _SUFFIXES[suffix.lower()]
    if number.denominator != 1:
        return None
    return -int(number) if sign == "-" else int(number)


DEALS = Whole("deals", 1, MAX_DEALS, "1e6, 1_000_000 or 1M")
SEED = Whole("seed", 0, MAX_SEED)
JOBS = Whole("jobs", 1, MAX_JOBS)
DEAL = Whole("deal", 0, MAX_DEALS)
ROOTS = Whole("roots", 2, 10**12, "1e5, 100_000 or 100k")
LEVEL = Level()
SHARE = Share()
POINTS = Points()
DURATION = Duration()
