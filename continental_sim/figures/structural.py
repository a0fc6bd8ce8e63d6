"""What the rules make impossible, with the reason: such zeros are facts, not estimates."""

from continental_sim.figures import formats
from continental_sim.language import tr
from continental_sim.rules import GameRules
from continental_sim.words import counted


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
    found = {"drawn": _drawn(rules), "recycled": _recycled(rules), **rules.impossible_events()}
    return {event: reason for event, reason in found.items() if reason}


def _drawn(rules: GameRules) -> str:
    loose = rules.cards - rules.hand_size * rules.seats
    if rules.recycles is None and loose >= 2:
        return tr(
            "stock and discard pile together always hold {cards} cards, so {recycled} of them can "
            "always be recycled",
            cards=loose,
            recycled=loose - 1,
        )
    return _cards_outlast(rules, (rules.recycles or 0) * max(loose - 1, 0))


def _recycled(rules: GameRules) -> str:
    if rules.recycles == 0:
        return tr("recycles = 0 forbids it")
    if rules.cards - rules.hand_size * rules.seats < 2:
        return tr("the only card that nobody holds is the top of the discard pile, which stays")
    return _cards_outlast(rules, 0)


def _cards_outlast(rules: GameRules, recycled: int) -> str:
    """Say that a deal is over before the stock, and what is recycled into it, can be."""
    turns = rules.max_rounds * rules.seats
    if turns > rules.stock_size + recycled:
        return ""
    said = tr(
        "a deal has at most {turns} turns (max_rounds = {rounds}), and the stock starts with "
        "{cards}",
        turns=turns,
        rounds=rules.max_rounds,
        cards=counted(rules.stock_size, "card"),
    )
    if not recycled:
        return said
    if recycled == 1:
        return f"{said}{tr(', and 1 more is recycled before it is out')}"
    more = tr(", and {cards} more are recycled before it is out", cards=formats.count(recycled))
    return f"{said}{more}"
