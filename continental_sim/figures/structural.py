"""What the rules make impossible, with the reason: such zeros are facts, not estimates."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from continental_sim.cards import RANKS, SUITS
from continental_sim.rules import BasicRummyRules, ContinentalRules, GameRules
from continental_sim.words import are, counted


def impossible_events(rules: GameRules) -> dict[str, str]:
    """Name the events that cannot happen under the rules.

    Parameters
    ----------
    rules : GameRules
        What is played.

    Returns
    -------
    dict of str to str
        For each impossible event ("drawn", "recycled" and a game's own, such as "one_suit") the
        reason. An event that is not named may happen, or is not known not to.
    """
    found = {"drawn": _drawn(rules), "recycled": _recycled(rules), **_OWN[rules.game](rules)}
    return {event: reason for event, reason in found.items() if reason}


def _drawn(rules: GameRules) -> str:
    loose = rules.cards - rules.hand_size * rules.seats
    if rules.recycles is None and loose >= 2:
        return (
            f"stock and discard pile together always hold {loose} cards, so {loose - 1} of them "
            "can always be recycled"
        )
    return _cards_outlast(rules, (rules.recycles or 0) * max(loose - 1, 0))


def _recycled(rules: GameRules) -> str:
    if rules.recycles == 0:
        return "recycles = 0 forbids it"
    if rules.cards - rules.hand_size * rules.seats < 2:
        return "the only card that nobody holds is the top of the discard pile, which stays"
    return _cards_outlast(rules, 0)


def _cards_outlast(rules: GameRules, recycled: int) -> str:
    """Say that a deal is over before the stock, and what is recycled into it, can be."""
    turns = rules.max_rounds * rules.seats
    if turns > rules.stock_size + recycled:
        return ""
    recycling = (
        f", and {recycled:,} more {are(recycled)} recycled before it is out" if recycled else ""
    )
    return (
        f"a deal has at most {turns} turns (max_rounds = {rules.max_rounds}), and the stock starts "
        f"with {counted(rules.stock_size, 'card')}{recycling}"
    )


def _later(rules: ContinentalRules) -> str:
    return "" if rules.max_rounds > 1 else "max_rounds = 1 stops a deal after the first turns"


def _one_suit(rules: ContinentalRules) -> str:
    most = rules.packs * (len(RANKS) - len(rules.wild_ranks))
    if rules.melds == "groups":  # of which each has few cards of one suit and rank
        laid = [sum(min(n, rules.packs) for n in lengths) for lengths in rules.pattern_lengths]
        most = min(most, max(laid))
    if rules.one_suit == "physical":  # a joker has no suit
        most += rules.packs * len(rules.wild_ranks)
    else:
        most += rules.wilds
    if most >= rules.hand_size:
        return ""
    what = "one suit" if rules.melds == "runs" else "groups of one suit"
    return f"{what} and the wild cards that fit make {counted(most, 'card')} of {rules.hand_size}"


def _natural(rules: ContinentalRules) -> str:
    naturals = rules.cards - rules.wilds
    if naturals < rules.hand_size:
        return f"the pack has {counted(naturals, 'natural card')} for a hand of {rules.hand_size}"
    copies = len(SUITS) * rules.packs
    longest = min(max(lengths) for lengths in rules.pattern_lengths)
    if rules.melds == "groups" and longest > copies:
        return f"each pattern has a group of {longest} or more, and {copies} cards are of a rank"
    return ""


def _of_continental(rules: ContinentalRules) -> dict[str, str]:
    return {
        "later": _later(rules),
        "one_suit": _one_suit(rules),
        "natural": _natural(rules),
        "deuces": "" if rules.wild_ranks else "no rank is wild",
        "jokers": "" if rules.jokers else "no joker is in the pack",
    }


def _of_basic_rummy(rules: BasicRummyRules) -> dict[str, str]:
    one_turn = "max_rounds = 1 gives each seat one turn, and nothing was laid before it"
    thrown = "must_discard_to_go_out = true has the last card thrown"
    return {
        "ordinary": one_turn if rules.max_rounds == 1 else "",
        "last_card_laid": thrown if rules.must_discard_to_go_out else "",
    }


_OWN: Final[Mapping[str, Callable[[Any], dict[str, str]]]] = {
    "continental": _of_continental,
    "basic-rummy": _of_basic_rummy,
}
