"""Words of sentences that hang on a number."""

from continental_sim.language import numeral, plural


def counted(count: float, noun: str) -> str:
    """Write a number and what it counts: `1 pack`, `1,500 packs`, `0.5 seconds`.

    Parameters
    ----------
    count : int or float
        A count has its thousands separated.
    noun : str
        In the singular; its plural has an s.
    """
    number = numeral(f"{count:,}" if isinstance(count, int) else f"{count:g}")
    return f"{number} {plural(count, noun, f'{noun}s')}"


def are(count: int) -> str:
    """Return the verb of a count."""
    return "is" if count == 1 else "are"


def time_over(seconds: float | None) -> str:
    """Say that the time for play is over, without a full stop."""
    return f"the time of {counted(seconds or 0, 'second')} was over"


def most_played(count: int, noun: str) -> str:
    """Say that play has come to the most that was allowed, without a full stop."""
    return f"the most, {counted(count, noun)}, {are(count)} played"
