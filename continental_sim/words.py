"""Words of sentences that hang on a number."""


def counted(count: float, noun: str, plural: str = "") -> str:
    """Write a number and what it counts: `1 pack`, `1,500 packs`, `0.5 seconds`, `2 copies`.

    Parameters
    ----------
    count : int or float
        A count has its thousands separated.
    noun : str
        In the singular.
    plural : str
        Of the noun, if an s is not enough.
    """
    number = f"{count:,}" if isinstance(count, int) else f"{count:g}"
    return f"{number} {in_number(count, noun, plural)}"


def in_number(count: float, noun: str, plural: str = "") -> str:
    """Return a noun as it stands after a number, for one that is written otherwise."""
    return noun if count == 1 else plural or f"{noun}s"


def are(count: int) -> str:
    """Return the verb of a count."""
    return "is" if count == 1 else "are"


def time_over(seconds: float | None) -> str:
    """Say that the time for play is over, without a full stop."""
    return f"the time of {counted(seconds or 0, 'second')} was over"


def most_played(count: int, noun: str) -> str:
    """Say that play has come to the most that was allowed, without a full stop."""
    return f"the most, {counted(count, noun)}, {are(count)} played"
