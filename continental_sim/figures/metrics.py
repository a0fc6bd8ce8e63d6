"""The figures of a study that a user may name, such as `exits.first_turn` or `ledger[0]`."""

import difflib
from collections.abc import Iterable

from continental_sim.errors import ContsimError
from continental_sim.figures import formats
from continental_sim.figures.game_figures import GAME_FIGURES
from continental_sim.figures.metric import Metric
from continental_sim.rules import GameRules

_SHOWN = 60  # characters of a wrong name that a refusal repeats


def find_metric(text: str, rules: GameRules) -> tuple[Metric, str]:
    """Find the metric that a text names.

    Parameters
    ----------
    text : str
        ``one_suit`` or ``ledger[0]``.
    rules : GameRules
        What is played: it says which players, seats, payments and patterns there are.

    Returns
    -------
    Metric
    str
        What stands in the brackets.

    Raises
    ------
    ContsimError
        If there is no such metric (the nearest is named), player, seat, payment, number of cards
        or pattern, or if the rules settle the figure.
    """
    metrics = GAME_FIGURES[rules.game].metrics
    name, bracket, rest = (part.strip() for part in text.partition("["))
    key = rest.removesuffix("]").strip()
    metric = metrics.get(name)
    shown = formats.plain(text, _SHOWN)
    if metric is None:
        near = difflib.get_close_matches(name, metrics, n=1)
        hint = f"did you mean {metrics[near[0]].pattern}?" if near else f"use {_one_of(metrics)}"
        raise ContsimError(f"there is no metric {shown!r}: {hint}")
    if not metric.index and bracket:
        raise ContsimError(f"{shown!r} cannot have brackets: write {metric.name}")
    if reason := metric.settled(rules):
        raise ContsimError(
            f"{shown} is known without a deal, since {reason}: name another metric or other rules"
        )
    if metric.keys:
        keys = metric.keys(rules)
        if not rest.endswith("]"):
            raise ContsimError(
                f"{shown!r} does not say which {metric.index}: write {metric.pattern}, "
                f"such as {metric.name}[{keys[0]}]"
            )
        if key not in keys:
            raise ContsimError(
                f"{shown!r} is out of bounds under these rules, where {metric.index} is "
                f"{_one_of(keys)}: name one of these"
            )
    return metric, key


def _one_of(words: Iterable[str]) -> str:
    """List words; numbers in a row by the first and the last."""
    names: list[str] = []
    for word in words:
        first, _, last = names[-1].partition(" to ") if names else ("", "", "")
        if word.isdigit() and (last or first) == str(int(word) - 1):
            names[-1] = f"{first} to {word}"
        else:
            names.append(word)
    return f"{', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else names[0]
