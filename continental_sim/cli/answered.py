"""What `contsim whatif` prints of an answer, and `contsim show` prints again."""

from pathlib import Path
from typing import TYPE_CHECKING

from continental_sim.cli.options import print_json, print_text
from continental_sim.words import counted

if TYPE_CHECKING:
    from continental_sim.comparing.answers import Answers


def print_answers(
    found: "Answers", level: float, directory: Path, *, reason: str = "", as_json: bool
) -> None:
    """Print the answers to a question.

    Parameters
    ----------
    found : Answers
    level : float
        Of the intervals.
    directory : Path
        Of the question.
    reason : str
        Why no more was played, or "".
    as_json : bool
    """
    from continental_sim.comparing.whatif_table import answer_text, answer_to_json

    deals, seed = found.each[0].deals, found.question.seed
    if as_json:
        print_json(
            {
                "deals": deals,
                "seed": seed,
                "baseline": str(found.base.directory),
                "level": level,
                "reason": reason,
                "variants": [answer_to_json(each, level) for each in found.each],
            }
        )
        return
    print_text(f"{counted(deals, 'deal')} of each, seed {seed}, kept in {directory}.")
    if reason:
        print_text(f"Ended: {reason}.")
    print_text(answer_text(found.each, level))


def show_answers(directory: Path, level: float | None, *, as_json: bool) -> None:
    """Print the answers of a directory again.

    Parameters
    ----------
    directory : Path
        That `contsim whatif --out` made.
    level : float or None
        Of the intervals; that of the question if None.
    as_json : bool
    """
    from continental_sim.comparing.answers import read_answers

    found = read_answers(directory, level)
    level = found.question.level if level is None else level
    print_answers(found, level, directory, as_json=as_json)
