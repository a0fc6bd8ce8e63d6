"""Words of sentences that hang on a number."""

from typing import Final

from continental_sim.language import again, marked, numeral, plural

# Why play ended: kept in English beside what was played, and said `again` on pages.
_REASONS: Final = (
    *(marked("known well enough"), marked("told apart well enough"), marked("interrupted")),
    marked("the time of {time} was over"),
    *(marked("the most, {most}, is played"), marked("the most, {most}, are played")),
    marked("{metric} = {value} ± {error}, wanted ± {wanted}"),
    *(
        marked("differences to ± {half}, wanted ± {wanted}"),
        marked("all are identical in every deal"),
    ),
    *(marked("{apart} of {pairs} is separated"), marked("{apart} of {pairs} are separated")),
    *(marked("1 second"), marked("{number} seconds"), marked("1 deal"), marked("{number} deals")),
    *(marked("1 pack"), marked("{number} packs"), marked("1 pair"), marked("{number} pairs")),
)


def counted(count: float, noun: str, several: str = "") -> str:
    """Write a number and what it counts: `1 pack`, `1,500 packs`, `0.5 seconds`, `2 copies`.

    Parameters
    ----------
    count : int or float
        A count has its thousands separated.
    noun : str
        In the singular.
    several : str
        Plural of the noun, if an s is not enough.
    """
    number = numeral(f"{count:,}" if isinstance(count, int) else f"{count:g}")
    return f"{number} {in_number(count, noun, several)}"


def in_number(count: float, noun: str, several: str = "") -> str:
    """Return a noun as it stands after a number, for one that is written otherwise."""
    return plural(count, noun, several or f"{noun}s")


def are(count: int) -> str:
    """Return the verb of a count."""
    return "is" if count == 1 else "are"


def reason_again(reason: str) -> str:
    """Say why play ended, as a file keeps it: one reason, and how far each target was."""
    why, colon, targets = reason.partition(": ")
    told = "; ".join(again(each, _REASONS) for each in targets.split("; "))
    return f"{again(why, _REASONS)}{colon}{told}"


def time_over(seconds: float | None) -> str:
    """Say that the time for play is over, without a full stop."""
    return f"the time of {counted(seconds or 0, 'second')} was over"


def most_played(count: int, noun: str) -> str:
    """Say that play has come to the most that was allowed, without a full stop."""
    return f"the most, {counted(count, noun)}, {are(count)} played"
