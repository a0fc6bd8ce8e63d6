"""A comparison of strategies: as a table, in sentences, and as plain data."""

import math
from collections.abc import Iterator
from typing import Any

from continental_sim.columns import CAPPED, DRAWN, EXIT
from continental_sim.comparing.comparison import MET, TIME_OVER, Comparison
from continental_sim.comparing.duels import Duel, Duels, Standing
from continental_sim.comparing.measured import Measured
from continental_sim.comparing.metagame import Metagame, find_metagame
from continental_sim.figures.formats import (
    count,
    count_text,
    decimals_for,
    distinct,
    listed,
    number,
    percent,
    short,
    short_names,
)
from continental_sim.figures.tabular import Number
from continental_sim.language import numeral, tr
from continental_sim.words import counted, reason_again

_NAME = 12  # characters of a strategy's name in a table
_WIDTHS = (17, 18, 14, 14)  # of its columns of figures
_MOST_DECIMALS = 20
_SENTENCE = 24  # ... and in a sentence
_MOST_SENTENCES = 10  # pairs that have a sentence each
_NAME_IN_PAIR = 14
_PAIR_WIDTHS = (18, 15, 15)
_LEAST_WIDTH = 9  # of a column of points
_SMALL = 1e-12  # chances below are not told
_EXPLOITED = 5e-5  # [points a deal] less against a mixture is not told


def duels_text(found: Duels) -> str:
    """Write a comparison as lines of at most 80 columns."""
    return "\n".join(_lines(found))


def _lines(found: Duels) -> Iterator[str]:
    comparison = found.comparison
    tables = len(comparison.lineups)
    seatings = sorted({seated.session for seated in comparison.lineups})
    yield from ended_sentences(found)
    yield (
        f"{counted(found.packs, 'pack')} at {'one table' if tables == 1 else f'{tables} tables'}, "
        f"each dealt again in {listed([str(each) for each in seatings], 'or')} seatings: "
        f"{counted(found.deals, 'deal')}, seed {comparison.seed}. All with "
        f"{percent(round(found.level, 4))} intervals."
    )
    yield ""
    head = ("rank", "strategy", "points a deal", "wins", found.words.paid, "rounds")
    yield _row(*head)
    names = short_names(found.comparison.compared, _NAME - 1)
    for each in found.standings:
        cells = zip((each.ledger, each.wins, each.payment, each.rounds), _WIDTHS, strict=True)
        yield _row(
            places_text(each),
            names[each.strategy],
            *(_fitted(cell, width - 1) for cell, width in cells),
        )
    yield ""
    yield from _pairs(found)
    yield ""
    yield ranking_sentence(found)
    yield from no_exit_sentences(found)
    game = find_metagame(found)
    if game is not None:
        yield ""
        yield from _companies(game)
        yield from game_sentences(game)


def _pairs(found: Duels) -> Iterator[str]:
    """Say how each two compare; many pairs are rows of a table, in which they are found again."""
    if len(found.pairs) <= _MOST_SENTENCES:
        for pair in found.pairs:
            yield duel_sentence(pair, found)
        return
    names = short_names(found.comparison.compared, _NAME_IN_PAIR)
    yield _pair_row("pair", "points ahead", "chance", "plain deals")
    for pair in found.pairs:
        told = f"{names[pair.one]} - {names[pair.other]}"
        if pair.even:
            yield _pair_row(told, "identical" if pair.identical else "level", "-", "-")
            continue
        mark = "" if pair.adjusted < 1 - found.level else "~ "
        yield _pair_row(
            told,
            _fitted(pair.ahead, _PAIR_WIDTHS[0] - 1),
            mark + chance_text(pair.adjusted),
            "-" if pair.plain_deals is None else count_text(pair.plain_deals, _PAIR_WIDTHS[-1]),
        )
    yield "~ not yet separated; so many plain deals, with new cards each, tell as much"


def _pair_row(pair: str, *cells: str) -> str:
    told = (f"{cell:>{width}}" for cell, width in zip(cells, _PAIR_WIDTHS, strict=True))
    return f"{pair:<{2 * _NAME_IN_PAIR + 4}}{''.join(told)}"


def _companies(game: Metagame) -> Iterator[str]:
    """Write what one player of a strategy earns among players of another, if there is room."""
    width = 80 // (len(game.strategies) + 1)
    if width >= _LEAST_WIDTH:
        points = f"{game.points[0].upper()}{game.points[1:]}"
        yield f"{points} of one player of ... among players of ..."
        names = distinct(game.strategies, width - 1)
        yield " " * width + "".join(f"{name:>{width}}" for name in names)
        for name, row in zip(names, game.alone, strict=True):
            cells = (f"{each.value or 0:>{width}.2f}" for each in row)
            yield f"{name:<{width}}" + "".join(cells)
        yield ""


def game_sentences(game: Metagame) -> Iterator[str]:
    """Say who should play what."""
    names = short_names(game.strategies, _SENTENCE)
    for other, (name, best) in enumerate(zip(game.strategies, game.best_responses, strict=True)):
        against = names[name]
        if best == name:
            yield tr(
                "Among players of {strategy} nothing earns more than {strategy}.", strategy=against
            )
        else:
            earned = measured_text(game.alone[game.strategies.index(best)][other])
            yield tr(
                "Among players of {strategy} a player of {best} earns most, {earned} {points}.",
                strategy=against,
                best=names[best],
                earned=earned,
                points=tr(game.points),
            )
    shares = listed(
        [
            f"{names[name]} {_share(share.value)} ({_share(share.low)} .. {_share(share.high)})"
            for name, share in zip(game.strategies, game.mixture, strict=True)
        ]
    )
    if game.exploitable >= _EXPLOITED:
        yield tr(
            "A mixture that nobody can beat by more than {most} {points}: {shares}.",
            most=numeral(f"{game.exploitable:.4f}"),
            points=tr(game.points),
            shares=shares,
        )
    else:
        yield tr("A mixture that nobody can beat: {shares}.", shares=shares)
    if game.unbeaten:
        yield tr(
            "{strategy} is ahead of every other one; its least lead is {lead} points a deal.",
            strategy=names[game.unbeaten],
            lead=measured_text(game.margin),
        )
    else:
        yield tr("No strategy is ahead of every other one beyond error.")


def _share(value: float | None) -> str:
    return tr("{number}%", number=numeral(f"{value:.1%}".removesuffix("%")))


def _row(place: str, name: str, *cells: str) -> str:
    told = (f"{cell:>{width}}" for cell, width in zip(cells, _WIDTHS, strict=True))
    return f"{place:<5}{name:<{_NAME}}{''.join(told)}"


def _fitted(measured: Measured, width: int) -> str:
    """Write a number in a width, with fewer decimals if need be."""
    fewer = 0
    while len(text := measured_text(measured, fewer)) > width and fewer < _MOST_DECIMALS:
        fewer += 1
    return text


def places_text(standing: Standing) -> str:
    """Write the places that a strategy may have, as `2` or `2-3`."""
    best, worst = standing.best, standing.worst
    return str(best) if best == worst else f"{best}-{worst}"


def measured_text(measured: Measured, fewer: int = 0) -> str:
    """Write a number as `0.412 ± 0.021`, or as `0 .. 0.0037` if it is at an end of its interval.

    With fewer decimals, half width and interval are rounded up.
    """
    if measured.value is None:
        return "-"
    if measured.low is None or measured.high is None:
        return short(measured.value)
    half = (measured.high - measured.low) / 2
    decimals = max(decimals_for(half) - fewer, 0)
    if measured.value in (measured.low, measured.high):
        scale: int = 10**decimals
        low, high = math.floor(measured.low * scale), math.ceil(measured.high * scale)
        return f"{short(low / scale)} .. {short(high / scale)}"
    if fewer:
        half = math.ceil(half * 10**decimals) / 10**decimals
    return f"{number(measured.value, decimals)} ± {number(half, decimals)}"


def measured_cell(measured: Measured) -> Number:
    """Return a number with its interval."""
    return Number(measured_text(measured), measured.value, measured.low, measured.high)


def ahead_cell(duel: Duel) -> Number:
    """Return by how much one is ahead of the other."""
    return Number(ahead_text(duel), duel.ahead.value, duel.ahead.low, duel.ahead.high)


def duel_sentence(duel: Duel, found: Duels) -> str:
    """Say how two strategies of a comparison compare."""
    names = short_names(found.comparison.compared, _SENTENCE)
    one, other = names[duel.one], names[duel.other]
    if duel.even:
        return tr("{one} and {other} come out {how}.", one=one, other=other, how=ahead_text(duel))
    clear = duel.adjusted < 1 - found.level
    separated = (
        tr("{one} - {other}: {lead} points a deal ({chance})"),
        tr("{one} - {other}: {lead} points a deal ({chance}, not yet separated)"),
    )
    told = separated[not clear].format(
        one=one,
        other=other,
        lead=measured_text(duel.ahead),
        chance=chance_text(duel.adjusted),
    )
    if duel.gain is None:
        return f"{told}."
    plain = tr(
        "plain play would need {deals}, {times} x as many",
        deals=counted(duel.plain_deals or 0, "deal"),
        times=number(duel.gain, 1),
    )
    return f"{told}; {plain}."


def ahead_text(duel: Duel) -> str:
    """Write by how much the one is ahead, or that the two are the same."""
    if duel.identical:
        return tr("identical in every deal")
    return tr("level in every pack") if duel.even else measured_text(duel.ahead)


def chance_text(p: float) -> str:
    """Write a chance as `p = 0.012`."""
    return f"p = {numeral(f'{p:.2g}')}" if p >= _SMALL else f"p < {short(_SMALL)}"


def ended_sentences(found: Duels) -> Iterator[str]:
    """Say why play ended, or that it has not, if that is to be said."""
    comparison = found.comparison
    if found.going_on:
        told = (
            tr("Unfinished: {played} of at most {packs} are played at every table.")
            if comparison.until
            else tr("Unfinished: {played} of {packs} are played at every table.")
        )
        yield told.format(played=count(found.packs), packs=counted(comparison.deals, "pack"))
    elif comparison.reason:
        yield tr("Ended: {reason}.", reason=reason_again(comparison.reason))


def ranking_sentence(found: Duels) -> str:
    """Say which places are not separated yet, and what may separate them."""
    open_places = [each for each in found.standings if each.best != each.worst]
    if not open_places:
        return tr("All places are separated.")
    names = short_names(found.comparison.compared, _SENTENCE)
    listed_names = listed([names[each.strategy] for each in open_places])
    told = tr(
        "Not all places are separated yet: those of {strategies} are open", strategies=listed_names
    )
    apart = (each.identical or each.adjusted < 1 - found.level for each in found.pairs)
    if found.going_on or all(apart):  # no number of deals separates what is identical
        return f"{told}."
    return f"{told}; {_what_plays_more(found.comparison)}."


def _what_plays_more(comparison: Comparison) -> str:
    if comparison.ended == MET:
        return tr(
            "--until {goal} asked for no more, ask for more with another --out",
            goal=comparison.until,
        )
    if comparison.ended == TIME_OVER:
        return tr("play on with more --max-time")
    return tr("play more {option}", option="--max-deals" if comparison.until else "--deals")


def no_exit_sentences(found: Duels) -> Iterator[str]:
    """Say how many deals had no exit, if any: nobody pays in them, and means have them in."""
    if not found.ended(EXIT):
        if found.rules.stock_size == 0:
            yield tr(
                "No deal ended in an exit, so that all come out alike: the stock is empty from the "
                "start, and only a hand that is dealt can go out."
            )
        else:
            yield tr("No deal ended in an exit, so that all come out alike.")
    for told, deals in (
        (tr("{deals} ({share}) had to stop at max_rounds: {unpaid}."), found.ended(CAPPED)),
        (tr("{deals} ({share}) ended {drawn}: {unpaid}."), found.ended(DRAWN)),
    ):
        if deals:
            yield told.format(
                deals=counted(deals, "deal"),
                share=percent(round(deals / found.deals, 4)),
                drawn=tr(found.words.ended_drawn),
                unpaid=tr(found.words.unpaid),
            )


def duels_to_json(found: Duels) -> dict[str, Any]:
    """Return a comparison as plain data."""
    comparison = found.comparison
    return {
        "strategies": list(comparison.strategies),
        "field": comparison.field or None,
        "seats": comparison.seats,
        "packs": found.packs,
        "deals": found.deals,
        "seed": comparison.seed,
        "level": found.level,
        "lineups": [list(seated.lineup) for seated in comparison.lineups],
        "standings": [_standing(each, found.words.paid) for each in found.standings],
        "pairs": [_pair(each) for each in found.pairs],
        "ranking": ranking_sentence(found),
        "until": comparison.until or None,
        "reason": comparison.reason,
        "going_on": found.going_on or None,
        "capped": found.ended(CAPPED),
        "drawn": found.ended(DRAWN),
        "metagame": None if (game := find_metagame(found)) is None else _game_to_json(game),
    }


def _game_to_json(game: Metagame) -> dict[str, Any]:
    return {
        "strategies": list(game.strategies),
        "alone": [[_measured(each) for each in row] for row in game.alone],
        "best_responses": list(game.best_responses),
        "mixture": [_measured(each) for each in game.mixture],
        "exploitable": game.exploitable,
        "unbeaten": game.unbeaten or None,
        "margin": _measured(game.margin) if game.unbeaten else None,
    }


def _standing(each: Standing, paid: str) -> dict[str, Any]:
    return {
        "strategy": each.strategy,
        "places": [each.best, each.worst],
        "ledger": _measured(each.ledger),
        "wins": _measured(each.wins),
        paid: _measured(each.payment),
        "rounds": _measured(each.rounds),
    }


def _pair(each: Duel) -> dict[str, Any]:
    return {
        "one": each.one,
        "other": each.other,
        "ahead": _measured(each.ahead),
        "p": each.p,
        "adjusted": each.adjusted,
        "identical": each.identical,
        "packs": each.sessions,
        "deals": each.deals,
        "plain_deals": each.plain_deals,
        "gain": each.gain,
    }


def _measured(each: Measured) -> dict[str, float | None]:
    return {"value": each.value, "low": each.low, "high": each.high}
