"""A what-if question as its directory keeps it: what was asked, and which studies answer it."""

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from continental_sim.comparing.kept import read_asked, write_asked
from continental_sim.files.manifest import QUESTION

FORMAT: Final = 1
_KINDS: Final = {"rules": str, "deals": int, "seed": int, "level": float}  # else lists of texts
_OPTIONS: Final = {  # of `contsim whatif`, by the field that holds what was given
    "settings": "--set",
    "grids": "--grid",
    "files": "--variant",
    "metrics": "--metric",
    "strategies": "--strategy",
    "until": "--until",
}


@dataclass(frozen=True)
class Asked:
    """One of the studies that answer a question.

    Attributes
    ----------
    name : str
        Of the baseline or the variant.
    directory : str
        Within that of the question.
    notes : tuple of str
        What to keep in mind, sentences without a full stop.
    """

    name: str
    directory: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Question:
    """What was asked, as the options of `contsim whatif`.

    Attributes
    ----------
    rules : str
        Preset or file of the baseline.
    settings, grids, files : tuple of str
        Variants.
    metrics : tuple of str
        What is compared; everything if empty.
    strategies : tuple of str
    until : tuple of str
        How well differences were to be known; () if the deals were given.
    deals : int
        Of each study, or the most with `until`.
    seed : int
    level : float
        Of every interval.
    studies : tuple of Asked
        The baseline's first.
    """

    rules: str
    settings: tuple[str, ...]
    grids: tuple[str, ...]
    files: tuple[str, ...]
    metrics: tuple[str, ...]
    strategies: tuple[str, ...]
    until: tuple[str, ...]
    deals: int
    seed: int
    level: float
    studies: tuple[Asked, ...]

    def command(self, out: str, deals: int | None = None) -> str:
        """Return the command that asks the same again.

        Parameters
        ----------
        out : str
            Where the answer goes.
        deals : int or None
            That were played, if the time ended play and not the question.
        """
        words = ["contsim", "whatif", "--rules", self.rules]
        for field, option in _OPTIONS.items():
            words += [word for value in getattr(self, field) for word in (option, value)]
        if self.until:
            words += ["--max-deals", str(self.deals)]
        else:
            words += ["--deals", str(deals or self.deals)]
        words += ["--seed", str(self.seed), "--level", str(self.level), "--out", out]
        return shlex.join(words)


def is_question(directory: Path) -> bool:
    """Tell whether a directory holds a question."""
    return (directory / QUESTION).is_file()


def write_question(directory: Path, question: Question) -> None:
    """Write a question into its directory, atomically."""
    write_asked(directory / QUESTION, {"format": FORMAT, **asdict(question)})


def read_question(directory: Path) -> Question:
    """Read the question of a directory.

    Raises
    ------
    ContsimError
        If there is none, or it is none of this version.
    """
    return read_asked(directory / QUESTION, _question, "ask again with contsim whatif")


def _question(table: Mapping[str, Any]) -> Question:
    fields: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in table.items()
    }
    if fields.pop("format") != FORMAT:
        raise ValueError("another format")
    studies = [
        Asked(str(each["name"]), str(each["directory"]), tuple(each["notes"]))
        for each in fields.pop("studies")
    ]
    _check(fields, studies)
    return Question(**fields, studies=tuple(studies))


def _check(fields: Mapping[str, Any], studies: Sequence[Asked]) -> None:
    for name, value in fields.items():
        texts = isinstance(value, tuple) and all(isinstance(each, str) for each in value)
        if not (type(value) is _KINDS[name] if name in _KINDS else texts):
            raise ValueError(f"{name} = {value!r}")
    if not (0 < fields["level"] < 1 and fields["deals"] > 0 and len(studies) > 1):
        raise ValueError("out of bounds")
