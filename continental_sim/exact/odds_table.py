"""Exact odds as text for a terminal of 80 columns, and as plain data."""

from collections.abc import Iterator
from typing import Any

from continental_sim.exact.odds import HandOdds, Odds
from continental_sim.exact.rummy_odds import RummyOdds
from continental_sim.figures.formats import count_text, number


def odds_table(odds: HandOdds) -> str:
    """Write odds as lines of text.

    Parameters
    ----------
    odds : HandOdds
    """
    return "\n".join(_lines(odds))


def rummy_odds_table(odds: RummyOdds) -> str:
    """Write odds of Basic Rummy as lines of text.

    Parameters
    ----------
    odds : RummyOdds
    """
    size = odds.rules.hand_size
    lines = [_head(f"A dealt hand of {size} cards")]
    if odds.whole is not None:
        lines.append(_row("can be laid down whole", odds.whole))
    lines.append(_row("holds no meld", odds.no_meld))
    if odds.first_turn is not None:
        lines += [
            "",
            _head(f"{size + 1} cards, empty table"),
            _row("goes out", odds.first_turn),
        ]
    if odds.uncounted:
        lines += ["", *(f"{reason[0].upper()}{reason[1:]}." for reason in odds.uncounted)]
    return "\n".join(lines)


def rummy_odds_to_json(odds: RummyOdds) -> dict[str, Any]:
    """Return odds of Basic Rummy as plain data; what is not counted is None.

    Parameters
    ----------
    odds : RummyOdds

    Returns
    -------
    dict
        ``whole``, ``no_meld`` (of dealt hands), ``first_turn`` (of hands with a card drawn), and
        ``uncounted``: why something is not counted, or "".
    """
    counted = {"whole": odds.whole, "no_meld": odds.no_meld, "first_turn": odds.first_turn}
    return {
        **{name: None if each is None else each.to_json() for name, each in counted.items()},
        "uncounted": "; ".join(odds.uncounted),
    }


def odds_to_json(odds: HandOdds) -> dict[str, Any]:
    """Return odds as plain data; what is not counted is None.

    Parameters
    ----------
    odds : HandOdds

    Returns
    -------
    dict
        ``dealt_exit``, ``sixteen_card_exit`` (a hand of one card more than is dealt),
        ``dealt_one_suit``, ``distance`` (a list, from 0), ``patterns``, ``wilds`` (dealt),
        ``exits`` (by what decides the payment), ``payments``, ``mean_payment``, ``mean_distance``.
        Each of the odds is count, total, p and the fraction in lowest terms.
    """
    mean_payment, mean_distance = odds.mean_payment, odds.mean_distance
    return {
        "dealt_exit": odds.dealt_exit.to_json(),
        "sixteen_card_exit": odds.one_more.to_json() if odds.one_more else None,
        "dealt_one_suit": odds.dealt_one_suit.to_json(),
        "distance": [each.to_json() for each in odds.distances] if odds.distances else None,
        "mean_distance": None if mean_distance is None else float(mean_distance),
        "patterns": {pattern: each.to_json() for pattern, each in odds.patterns.items()},
        "wilds": [
            {"deuces": deuces, "jokers": jokers, **each.to_json()}
            for (deuces, jokers), each in odds.wilds.items()
        ],
        "exits": [
            {
                "deuces": each.deuces,
                "jokers": each.jokers,
                "one_suit": each.one_suit,
                "payment": each.payment,
                **each.odds.to_json(),
            }
            for each in odds.exits
        ],
        "payments": [
            {"payment": amount, **each.to_json()} for amount, each in odds.payments.items()
        ],
        "mean_payment": None if mean_payment is None else float(mean_payment),
        "uncounted": odds.uncounted,
    }


def _lines(odds: HandOdds) -> Iterator[str]:
    size = odds.rules.hand_size
    yield _head(f"A dealt hand of {size} cards")
    yield _row("can go out", odds.dealt_exit)
    for pattern, each in odds.patterns.items():
        yield _row(f"  as {pattern}", each)
    yield _row("  in one suit", odds.dealt_one_suit)
    yield _row("there are", Odds(odds.total, odds.total))
    if odds.one_more is not None:
        yield ""
        yield _head(f"A hand of {size + 1} cards")
        yield _row(f"can go out with {size}", odds.one_more)
    yield ""
    yield from _distances(odds)
    yield ""
    yield from _wilds(odds)
    yield ""
    yield from _payments(odds)


def _distances(odds: HandOdds) -> Iterator[str]:
    if odds.distances is None:
        more = odds.rules.hand_size + 1
        yield f"Distances and hands of {more} cards are not counted: {odds.uncounted}."
        return
    yield _head("Distance of a dealt hand")
    for away, each in enumerate(odds.distances):
        yield _row(f"{away:>4}", each)
    yield f"mean {number(float(odds.mean_distance or 0), 4)}"


def _wilds(odds: HandOdds) -> Iterator[str]:
    yield _head("Wild cards in a dealt hand")
    by_number: dict[int, int] = {}
    for wild, each in odds.wilds.items():
        by_number[sum(wild)] = by_number.get(sum(wild), 0) + each.count
    for wilds, count in sorted(by_number.items()):
        yield _row(f"{wilds:>4}", Odds(count, odds.total))


def _payments(odds: HandOdds) -> Iterator[str]:
    if not odds.dealt_exit.count:
        yield "There are no payments: no dealt hand can go out."
        return
    yield _head("Payment of a dealt exit", "of exits")
    for amount, each in odds.payments.items():
        share = Odds(each.count, odds.dealt_exit.count)
        yield _row(f"{amount:>4}", share)
    yield f"mean {number(float(odds.mean_payment or 0), 4)}"


def _head(title: str, rate: str = "probability") -> str:
    return f"{title:<28} {'hands':>25} {rate:>12} {'1 in':>12}"


def _row(name: str, odds: Odds) -> str:
    if not odds.count:
        return f"{name:<28} {0:>25} {'impossible':>12}"
    times = 1 / odds.p
    one_in = f"{times:,.0f}" if times < 1e9 else f"{times:.3g}"
    if times < 100:
        one_in = f"{times:.2f}"
    return f"{name:<28} {count_text(odds.count, 26):>25} {odds.p:>12.6g} {one_in:>12}"
