"""Variants of rules: what differs from a baseline, each with a name."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from continental_sim.errors import ContsimError
from continental_sim.rules import GameRules, load_rules, with_settings

BASELINE = "baseline"  # name of what variants are compared with


@dataclass(frozen=True)
class Variant:
    """Rules beside a baseline.

    Attributes
    ----------
    name : str
        How they differ, or where they are from.
    rules : GameRules
    """

    name: str
    rules: GameRules


def read_variants(
    base: GameRules,
    settings: Iterable[str] = (),
    grids: Sequence[str] = (),
    files: Iterable[str] = (),
) -> list[Variant]:
    """Read what a user wants to compare with a baseline.

    Parameters
    ----------
    base : GameRules
    settings : iterable of str
        Each a variant: ``key=value``, or several parted by spaces.
    grids : sequence of str
        Each ``key=value,value...``; every combination is a variant. Values that have commas
        themselves are parted by ``/``.
    files : iterable of str
        Each a preset or a rules file.

    Returns
    -------
    list of Variant
        In the order given, without the baseline itself and without repeats.

    Raises
    ------
    ContsimError
        If a setting makes no sense, a variant has a key twice, or nothing differs from the
        baseline.
    """
    named = [(" ".join(changes), changes) for changes in map(_changes, settings)]
    named += [(" ".join(chosen), list(chosen)) for chosen in _combinations(grids)]
    for name, changes in named:
        _refuse_twice(name, changes)
    found = [Variant(name, with_settings(base, changes)) for name, changes in named]
    found += [_of_file(name, base) for name in files]
    kept: dict[GameRules, Variant] = {}
    for variant in found:
        if variant.rules != base and variant.rules not in kept:
            kept[variant.rules] = Variant(_unique(variant.name, kept.values()), variant.rules)
    if not kept:
        raise ContsimError(
            "no variant differs from the baseline: name one with --set key=value, "
            "--grid key=value,value or --variant FILE"
        )
    return list(kept.values())


def _of_file(name: str, base: GameRules) -> Variant:
    rules = load_rules(name)
    if rules.game != base.game:
        raise ContsimError(
            f"the variant {name} is of {rules.title}, and the baseline of {base.title}: name rules "
            "of one game"
        )
    return Variant(Path(name).stem, rules)


def _changes(text: str) -> list[str]:
    """Part the settings of one variant, which may have spaces round their signs."""
    return re.sub(r"\s*([=,])\s*", r"\1", text).split()


def _refuse_twice(name: str, changes: Sequence[str]) -> None:
    keys = [change.partition("=")[0] for change in changes]
    for key in keys:
        if keys.count(key) > 1:
            raise ContsimError(
                f"the variant {name!r} has {key} twice: give each key once, with all values that "
                "are to be compared in one --grid"
            )


def _unique(name: str, others: Iterable[Variant]) -> str:
    """Add a number to a name that is taken: it becomes that of a directory."""
    taken = {BASELINE, *(each.name for each in others)}
    names = (name, *(f"{name}-{number}" for number in range(2, len(taken) + 3)))
    return next(each for each in names if each not in taken)


def _combinations(grids: Sequence[str]) -> Iterable[tuple[str, ...]]:
    if not grids:
        return []
    return product(*map(_values, grids))


def _values(grid: str) -> list[str]:
    key, equals, text = (part.strip() for part in grid.partition("="))
    values = [value.strip() for value in text.split("/" if "/" in text else ",")]
    if not equals or not all(values):
        raise ContsimError(
            f"the grid {grid!r} lists no values: write key=value,value..., such as jokers=0,2,4"
        )
    return [f"{key}={value}" for value in values]
