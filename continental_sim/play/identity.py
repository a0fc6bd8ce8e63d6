"""What makes two studies the same: all that an outcome depends on, and where they differ."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from continental_sim.columns import FORMAT
from continental_sim.rules import rules_to_dict
from continental_sim.study import Study, study_to_dict

_DIGITS: Final = 16
# What decides how a deal is played and counted, and how the text of a strategy is made to play; the
# texts come with the study itself.
_CODE: Final = (
    *("kernels/*.py", "rules/*.py", "api/*.py", "cards.py", "columns/*.py", "contract.py"),
    *(
        "cubes.py",
        "grouping.py",
        "engine.py",
        "game_tables.py",
        "players.py",
        "seating.py",
        "strategy.py",
        "tables.py",
    ),
)


@cache
def code_mark() -> str:
    """Name the state of the code that plays: 16 hexadecimal digits."""
    here = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for pattern in _CODE:
        for path in sorted(here.glob(pattern)):
            digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:_DIGITS]


def study_mark(study: Study, code: str) -> str:
    """Name a study without its deals: parts that carry the same mark may be added up.

    Parameters
    ----------
    study : Study
    code : str
        As `code_mark` gives it.

    Returns
    -------
    str
        16 hexadecimal digits.
    """
    content = {
        "format": FORMAT,
        "code": code,
        "seed": study.seed,
        "fixed_order": study.fixed_order,
        "duplicate": study.duplicate,
        "rules": rules_to_dict(study.rules),
        "lineup": [[each.spec, each.sha256, list(each.knobs)] for each in study.lineup],
    }
    text = json.dumps(content, sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:_DIGITS]


def marked(study: Study, code: str) -> dict[str, Any]:
    """Return the tables of a study, the marks of it and of the code that plays it among them."""
    tables = study_to_dict(study)
    marks = {"mark": study_mark(study, code), "code": code}
    return {**tables, "study": {**tables["study"], **marks}}


def differences(kept: Study, other: Study, also: Sequence[str] = ()) -> Iterator[str]:
    """Yield where two studies differ: ``recycles = 1 against 0``.

    Parameters
    ----------
    kept, other : Study
    also : sequence of str
        Fields of a study that do not make another experiment of it, such as ``seed``.
    """
    yield from _experiment(kept, other)
    for name in also:
        if getattr(kept, name) != getattr(other, name):
            yield f"{name} = {getattr(kept, name)} against {getattr(other, name)}"


def _experiment(kept: Study, other: Study) -> Iterator[str]:
    """Yield the differences in what is played; games have other keys, so that they say enough."""
    if kept.rules.game != other.rules.game:
        yield f"{kept.rules.title} against {other.rules.title}"
        return
    mine, others = rules_to_dict(kept.rules), rules_to_dict(other.rules)
    for key in dict.fromkeys([*mine, *others]):
        if mine.get(key) != others.get(key):
            yield f"{key} = {mine.get(key)} against {others.get(key)}"
    for name in ("fixed_order", "duplicate"):
        if getattr(kept, name) != getattr(other, name):
            yield f"{name} = {getattr(kept, name)} against {getattr(other, name)}".lower()
    if kept.specs != other.specs:
        yield f"line-up {', '.join(kept.specs)} against {', '.join(other.specs)}"
        return
    for number, (one, two) in enumerate(zip(kept.lineup, other.lineup, strict=True)):
        if one.sha256 != two.sha256:
            yield f"the file of strategy {one.spec} (player {number})"
