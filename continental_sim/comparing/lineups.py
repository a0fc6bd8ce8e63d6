"""Which line-ups settle which strategy is better."""

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import Final

from continental_sim.errors import ContsimError
from continental_sim.strategy import Strategy, all_knobs

Lineup = tuple[str, ...]
MOST_LINEUPS: Final = 500


def round_robin(strategies: Sequence[str], seats: int) -> list[Lineup]:
    """Let all strategies sit at one table if they share its seats evenly, else two at a time.

    Parameters
    ----------
    strategies : sequence of str
        All different, two or more.
    seats : int
    """
    if seats % len(strategies) == 0:
        return [tuple(strategies) * (seats // len(strategies))]
    half = seats // 2
    return [
        (one,) * ones + (other,) * (seats - ones)
        for one, other in combinations(strategies, 2)
        for ones in dict.fromkeys((half, seats - half))
    ]


def against_field(strategies: Sequence[str], field: str, seats: int) -> list[Lineup]:
    """Let each strategy sit alone among players of another one."""
    return [(strategy, *[field] * (seats - 1)) for strategy in strategies]


def compositions(strategies: Sequence[str], seats: int) -> list[Lineup]:
    """List all tables at which not everybody plays alike."""
    return [
        lineup
        for lineup in combinations_with_replacement(strategies, seats)
        if len(set(lineup)) > 1
    ]


def lineups_of(
    strategies: Sequence[str], seats: int, *, field: str | None, every: bool
) -> list[Lineup]:
    """Choose the line-ups of a comparison.

    Parameters
    ----------
    strategies : sequence of str
        As the user gave them.
    seats : int
    field : str or None
        Who sits with each strategy.
    every : bool
        Whether all tables are played.

    Raises
    ------
    ContsimError
        If there is nothing to compare, or too much.
    """
    twice = [each for number, each in enumerate(strategies) if each in strategies[:number]]
    if twice:
        raise ContsimError(f"strategy {twice[0]} is named twice: name each once")
    if field is not None:
        if every:
            raise ContsimError(
                f"--all plays every table of the strategies, --field {field} each among players of "
                "one: give --all or --field"
            )
        if field in strategies:
            raise ContsimError(f"strategy {field} is the field itself: compare others with it")
        found = against_field(strategies, field, seats)
    elif len(strategies) < 2:
        raise ContsimError(
            f"{len(strategies)} strategy is too few to compare: name two, or --field with one"
        )
    else:
        found = (compositions if every else round_robin)(strategies, seats)
    if len(found) > MOST_LINEUPS:
        raise ContsimError(
            f"{len(strategies)} strategies make {len(found)} line-ups, and {MOST_LINEUPS} can be "
            "played: name fewer, or compare each with --field"
        )
    return found


def refuse_alike(strategies: Sequence[Strategy]) -> None:
    """Refuse one strategy in two spellings; a copy in a file of another name is another.

    Raises
    ------
    ContsimError
    """
    met: dict[tuple[str, str, str], Strategy] = {}
    for strategy in strategies:
        key = (strategy.name, strategy.text, repr(sorted(all_knobs(strategy).items())))
        if key in met:
            raise ContsimError(
                f"{met[key].spec} and {strategy.spec} are one strategy: the same file with the "
                "same knobs; name it once"
            )
        met[key] = strategy
