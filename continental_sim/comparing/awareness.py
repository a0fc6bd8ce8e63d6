"""What strategies know of a changed rule, as far as the text of their files tells.

A strategy sees a view and calls the functions of `api`, and the contract lets it reach nothing
else. So what it can know of a rule are the fields and functions that it names.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from continental_sim.comparing.notes import (
    AHEAD,
    AT_THE_END,
    BLIND,
    BY_SEARCH,
    BY_TABLES,
    IDLE,
    KNOBS,
    ONLY_IMAGINED,
    TOLD_NOBODY,
    WEIGHS,
)
from continental_sim.contract import read_contract
from continental_sim.figures.formats import listed
from continental_sim.rules import GameRules, differences
from continental_sim.strategy import Strategy

_TABLES: Final = {
    *("best_discard", "can_go_out", "distance", "distance_with", "distance_without"),
    *(
        "most_outs_discard",
        "natural_discard",
        "natural_distance",
        "natural_distance_with",
        "natural_outs_without",
    ),
    *("near_discards", "nearest_discard", "nearest_discards", "outs", "outs_without"),
    *("paying_discard", "payment_without", "rollouts"),
}
_FITTING: Final = {  # rules of which cards fit: what but the meld tables tells of them
    "ace": {"ace", "company", "neighbours"},
    "max_wilds_per_run": set[str](),
    "melds": {"company", "groups", "neighbours"},
    "min_naturals_per_run": set[str](),
    "natural_two_counts": set[str](),
    "patterns": set[str](),
    "wild_ranks": {"company", "is_wild", "neighbours", "wild", "wilds"},
}
_OF_RUNS: Final = {"ace"}  # where in a run it may stand: of groups it says nothing
_PAID: Final = {"one_suit", "pay_deuce", "pay_joker", "pay_no_wild", "pay_one_suit"}
_OF_TIMES: Final = {"pay_dealt", "pay_exit", "pay_first_turn"}  # alike for all discards
_WEIGHED: Final = {  # look at payments, when the hand can go out
    *("best_discard", "most_outs_discard", "paying_discard"),
}
_IMAGINED: Final = "rollouts"  # deals played by all the rules
_TOLD: Final = {"payment_without", _IMAGINED}  # tell what an exit is paid
_UNTOLD: Final = {"max_rounds", "next_dealer", "recycle_order", "recycles", "stack_first_turn"}

# Basic Rummy: functions that search for melds, and what else tells of a rule.
_SEARCH: Final = {
    *("can_go_out", "deadwood", "deadwood_with", "deadwood_without", "lays", "loose_discard"),
}
_RUMMY_FITTING: Final = {
    "ace": {"ace", "chances"},
    "layoff_needs_meld": {"layoff_needs_meld"},
    "one_meld_per_turn": {"one_meld"},
}
_RUMMY_WEIGHED: Final = {
    "ace_points": {*_SEARCH, "ace_points", "pips"} - {"can_go_out"},
    "going_rummy": {"going_rummy"},
    "must_discard_to_go_out": {"can_go_out", "must_discard"},
}
_RUMMY_UNTOLD: Final = {"max_rounds", "next_dealer", "recycle_order", "recycles", "target"}

# Rules that each player meets in play, whatever its file reads: nothing is said of them.
_AT_THE_TABLE: Final = "it sits at that table, and its view is of it"
_IN_HAND: Final = "it holds and meets those cards"
_ENGINE: Final = "the engine keeps to it: what is against it is not asked, or barred"
MET: Final[Mapping[str, Mapping[str, str]]] = {
    "continental": {
        "seats": _AT_THE_TABLE,
        "packs": _IN_HAND,
        "jokers": _IN_HAND,
        "hand_size": _IN_HAND,
        "return_taken": _ENGINE,
        "wild_discard_takeable": _ENGINE,
        "exit_mandatory": _ENGINE,
    },
    "basic-rummy": {"seats": _AT_THE_TABLE, "dealt": _IN_HAND, "return_taken": _ENGINE},
}
# Rules of which something is said, of what a file reads or of what nobody is told.
TOLD: Final[Mapping[str, frozenset[str]]] = {
    "continental": frozenset({*_FITTING, *_PAID, *_OF_TIMES, *_UNTOLD}),
    "basic-rummy": frozenset({*_RUMMY_FITTING, *_RUMMY_WEIGHED, *_RUMMY_UNTOLD}),
}


def notes_on(base: GameRules, other: GameRules, lineup: Iterable[Strategy]) -> list[str]:
    """Say what the strategies know of the rules that differ, in sentences without a full stop.

    Nothing is said of those that each player meets in play (`MET`).

    Parameters
    ----------
    base, other : GameRules
    lineup : iterable of Strategy
    """
    changed = list(differences(base, other))
    players = list({each.spec: each for each in lineup}.values())
    return list(_NOTES[base.game](other, changed, players))


def _on_continental(
    other: GameRules, changed: Sequence[str], players: Sequence[Strategy]
) -> Iterator[str]:
    idle = [key for key in changed if key in _OF_RUNS and getattr(other, "melds", "") == "groups"]
    yield from (IDLE.format(rule=key) for key in idle)
    fitting = [key for key in changed if key in _FITTING and key not in idle]
    yield from _of_fitting(fitting, players, _TABLES, BY_TABLES, _FITTING)
    yield from _of_payments([key for key in changed if key in _PAID | _OF_TIMES], players)
    yield from _of_nothing([key for key in changed if key in _UNTOLD], players)


def _on_basic_rummy(
    _: GameRules, changed: Sequence[str], players: Sequence[Strategy]
) -> Iterator[str]:
    fitting = [key for key in changed if key in _RUMMY_FITTING]
    yield from _of_fitting(fitting, players, _SEARCH, BY_SEARCH, _RUMMY_FITTING)
    weighed = [key for key in changed if key in _RUMMY_WEIGHED]
    for player in players:
        used = names_used(player.text)
        if told := [key for key in weighed if used & _RUMMY_WEIGHED[key]]:
            yield WEIGHS.format(strategy=player.spec, rules=listed(told))
        if unseen := [key for key in weighed if key not in told]:
            yield BLIND.format(strategy=player.spec, rules=listed(unseen))
    yield from _of_nothing([key for key in changed if key in _RUMMY_UNTOLD], players)


_NOTES: Final[
    Mapping[str, Callable[[GameRules, Sequence[str], Sequence[Strategy]], Iterator[str]]]
] = {
    "continental": _on_continental,
    "basic-rummy": _on_basic_rummy,
}


def names_used(text: str) -> set[str]:
    """Name the fields and functions that a strategy file reads, whatever it does with them."""
    nodes = list(ast.walk(ast.parse(text)))
    attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    imported = {
        alias.name for node in nodes if isinstance(node, ast.ImportFrom) for alias in node.names
    }
    if "*" in imported:
        imported |= {node.id for node in nodes if isinstance(node, ast.Name)}
    return attributes | imported


def _of_fitting(
    keys: Sequence[str],
    players: Sequence[Strategy],
    tools: set[str],
    what: tuple[str, str],
    tells: Mapping[str, set[str]],
) -> Iterator[str]:
    """Say who plays by tools that follow the rules of which cards fit, or by what tells of them."""
    if not keys:
        return
    by_tools, blind = [], []
    for player in players:
        used = names_used(player.text)
        if used & tools:
            by_tools.append(player.spec)
            continue
        unseen = [key for key in keys if not used & tells[key]]
        if unseen:
            blind.append(BLIND.format(strategy=player.spec, rules=listed(unseen)))
    if by_tools:
        yield _of(what, by_tools).format(strategies=listed(by_tools), rules=listed(keys))
    yield from blind
    for player in players:
        knobs = list(read_contract(player.text, player.name).knobs)
        if knobs:
            yield KNOBS.format(strategy=player.spec, knobs=listed(knobs))


def _of_payments(keys: Sequence[str], players: Sequence[Strategy]) -> Iterator[str]:
    if not keys:
        return
    weighing, others = [], []
    for player in players:
        used = names_used(player.text)
        told = [key for key in keys if used & {*_TOLD, key}]
        if told:
            yield WEIGHS.format(strategy=player.spec, rules=listed(told))
        elif used & _WEIGHED:
            weighing.append(player.spec)
        else:
            others.append(player.spec)
    of_cards = [key for key in keys if key not in _OF_TIMES]
    if not of_cards:
        weighing, others = [], [*weighing, *others]
    if weighing:
        at_the_end = _of(AT_THE_END, weighing)
        yield at_the_end.format(strategies=listed(weighing), rules=listed(of_cards))
    if others:
        yield _of(AHEAD, others).format(strategies=listed(others))


def _of_nothing(keys: Sequence[str], players: Sequence[Strategy]) -> Iterator[str]:
    imagining = [each.spec for each in players if _IMAGINED in names_used(each.text)]
    if keys and imagining:
        told = _of(ONLY_IMAGINED, imagining)
        yield told.format(strategies=listed(imagining), rules=listed(keys))
    elif keys:
        yield TOLD_NOBODY.format(rules=listed(keys))


def _of(forms: tuple[str, str], names: Sequence[str]) -> str:
    """Choose the form for one strategy, or for several."""
    return forms[len(names) > 1]
