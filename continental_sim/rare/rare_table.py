"""What is known of a rare event: as text of 80 columns, in a sentence, and as plain data."""

from collections.abc import Iterator
from typing import Any, Final

from continental_sim.figures.estimates import STRUCTURAL
from continental_sim.figures.formats import (
    count_text,
    interval_text,
    lineup_text,
    percent,
    rate_text,
)
from continental_sim.rare.levels import FREQUENT
from continental_sim.rare.splitting import RareRate
from continental_sim.rules import describe
from continental_sim.words import counted

FEW: Final = 30  # events, below which an interval may miss more often than it says
NO_GAIN: Final = 2.0  # gain below which plain play does as well


def rare_text(rare: RareRate) -> str:
    """Write an estimate as lines of text.

    Parameters
    ----------
    rare : RareRate
    """
    return "\n".join(_lines(rare))


def sentence(rare: RareRate) -> str:
    """Say in words how often an event happens."""
    found = rare.estimate
    if found.method == STRUCTURAL:
        return f"This is impossible: {found.reason}."
    if not found.rate:
        return f"No such deal was seen: it is at most one in {_one_in(found.high)}."
    if found.low is None or found.high is None or found.rate >= FREQUENT:
        return f"This happens in {_share(found.rate)} of the deals."
    return (
        f"This happens in about one of {_one_in(found.rate)} deals "
        f"({_one_in(found.high)} to {_one_in(found.low)})."
    )


def advice(rare: RareRate) -> str:
    """Say what else one should know of an estimate, or ""."""
    if rare.played is None:
        return ""
    if (rare.estimate.rate or 0) >= FREQUENT:
        return "The event is frequent: contsim run counts it as well, and all else."
    if not rare.estimate.rate:
        return "The bound holds for plain play of as many deals; more roots lower it."
    if rare.estimate.count < FEW:
        return (
            "So few roots tell most of it that the interval is rough: play longer (--max-time) "
            "or to an --error."
        )
    if rare.gain is not None and rare.gain < NO_GAIN:
        return "Copies gain little here: contsim run counts it as well, and all else."
    return ""


def rare_to_json(rare: RareRate) -> dict[str, Any]:
    """Return an estimate as plain data; all but `seconds` and `gain` comes again with the seed.

    Parameters
    ----------
    rare : RareRate
    """
    played, found = rare.played, rare.estimate
    return {
        "event": rare.event.text,
        "seed": rare.study.seed,
        "level": rare.level,
        "impossible": found.reason or None,
        "rate": found.rate,
        "low": found.low,
        "high": found.high,
        "method": found.method,
        "one_in": 1 / found.rate if found.rate else None,
        "sentence": sentence(rare),
        "advice": advice(rare),
        "roots": played.roots if played else 0,
        "hit_roots": played.hit_roots if played else 0,
        "hits": played.hits if played else 0,
        "plain_events": found.count,
        "branches": played.leaves if played else 0,
        "cards": played.cards if played else 0,
        "turns": played.turns if played else 0,
        "seconds": played.seconds if played else 0.0,
        "plain_seconds_a_deal": rare.plain_seconds,
        "gain": rare.gain,
        "score": _score(rare),
        "levels": _levels(rare),
    }


def _score(rare: RareRate) -> str:
    return "turns" if rare.goal.by_turns else "chance"


def _levels(rare: RareRate) -> list[dict[str, Any]]:
    """List the levels: at which score, how many copies, the rate at which deals reach it."""
    if rare.played is None or rare.levels is None:
        return []
    return [
        {
            "score": score,
            "copies": copies,
            "reached": float(rare.played.reached[score]) / rare.played.roots,
            "branches": int(rare.played.arrivals[score]),
        }
        for score, copies in zip(rare.levels.scores, rare.levels.copies, strict=True)
    ]


def _lines(rare: RareRate) -> Iterator[str]:
    played, found = rare.played, rare.estimate
    yield f"Event: {rare.event.text}"
    yield from describe(rare.study.rules)
    yield lineup_text(rare.study.specs, fixed_order=rare.study.fixed_order)
    if played is not None:
        yield (
            f"{counted(played.roots, 'root deal')}, {played.leaves:,} branches, "
            f"{counted(played.turns, 'turn')}; "
            f"seed {rare.study.seed}."
        )
        yield ""
        yield _row("", "rate", f"{percent(rare.level)} interval")
        yield _row("of deals", rate_text(found), interval_text(found))
        if found.rate and found.low and found.high:
            yield _row(
                "one of", _one_in(found.rate), f"{_one_in(found.high)} .. {_one_in(found.low)}"
            )
        yield _row(
            "branches that are the event",
            f"{played.hits:,}",
            f"of {counted(played.hit_roots, 'root')}",
        )
        yield _row("tell as much as plain events", f"{found.count:,}", "")
        if rare.gain is not None:
            two_digits = float(f"{rare.gain:.2g}")
            yield _row("gain over plain play", f"{two_digits:,.12g}", "at equal time, as measured")
        levels = _levels(rare)
        if levels:
            yield ""
            what = "turns played" if rare.goal.by_turns else "score of a hand"
            yield f"{what:<28} {'copies':>12} {'branches':>14}   reached by"
        for each in levels:
            yield (
                f"{each['score']:>8}{'':<20} {each['copies']:>12,} "
                f"{count_text(each['branches'], 14):>14}   {each['reached']:.3g}"
            )
        yield ""
    yield sentence(rare)
    if more := advice(rare):
        yield more


def _row(name: str, rate: str, interval: str) -> str:
    return f"{name:<28} {rate:>12}   {interval}".rstrip()


def _one_in(rate: float | None) -> str:
    """Write how many deals have one event, to three digits."""
    deals = 1 / (rate or 1)
    shown = float(f"{deals:.3g}")
    return f"{shown:,.0f}" if shown >= 100 else f"{shown:g}"


def _share(rate: float) -> str:
    return f"{100 * rate:.3g} %"
