"""What a study found, in sentences."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from continental_sim.figures import formats
from continental_sim.figures.continental_summary import ContinentalSummary
from continental_sim.figures.estimates import STRUCTURAL, Estimate, Mean
from continental_sim.figures.rummy_summary import RummySummary
from continental_sim.figures.summary import Summary
from continental_sim.words import counted


def findings(summary: Summary) -> list[str]:
    """Say the main results of a study, each number with its interval.

    Parameters
    ----------
    summary : Summary
        Of a study.

    Returns
    -------
    list of str
        Sentences.
    """
    exits, several = _OWN[summary.rules.game]
    return [
        *_ends(summary),
        *exits(summary),
        *_players(summary),
        *several(summary),
        *_seats(summary),
    ]


def _ends(summary: Summary) -> Iterator[str]:
    ends = summary.ends
    yield (
        f"Of {counted(summary.deals, 'deal')} a share of {_rate(ends['exit'])} ended in an exit, "
        f"{_rate(ends['drawn'])} were {summary.words.were_drawn} and {_rate(ends['capped'])} were "
        "stopped as capped."
    )
    if summary.ending:
        yield summary.ending
    yield (
        f"A deal lasts {_mean(summary.turns)} turns, which is {_mean(summary.rounds)} rounds; half "
        f"of the deals last at most {formats.quantile_text(summary.turns, 0.5)} turns and 95 % at "
        f"most {formats.quantile_text(summary.turns, 0.95)} ({formats.capped_text(ends)})."
    )


def _of_continental(summary: ContinentalSummary) -> Iterator[str]:
    exits = summary.exits
    yield (
        f"Dealt exits came in {_rate(exits['dealt'])} of the deals, first-turn exits after a draw "
        f"in {_rate(exits['first_turn'])}; exits in one suit in {_rate(summary.one_suit)}, exits "
        f"without a wild card in {_rate(summary.natural)}."
    )
    if summary.payments:
        most = max(summary.payments, key=lambda paid: summary.payments[paid].count)
        yield (
            f"An exit is paid {_mean(summary.payment)} points by each opponent, most often {most} "
            f"(in {_rate(summary.payments[most])} of the exits)."
        )


def _of_basic_rummy(summary: RummySummary) -> Iterator[str]:
    yield (
        f"Somebody went rummy in {_rate(summary.exits['rummy'])} of the deals, which is "
        f"{_rate(summary.going_rummy)} of the exits; the last card was thrown in "
        f"{_rate(summary.last_card['thrown'])} of them."
    )
    if summary.scores:
        yield (
            f"An exit scores {_mean(summary.payment)} points, half of them at most "
            f"{formats.quantile_text(summary.payment, 0.5)}."
        )
    yield (
        f"A hand that did not go out has {_mean(summary.left.any_hand)} pips left; a dealt hand "
        f"has {_mean(summary.hands.deadwood)} beside its best melds."
    )


def _players(summary: Summary) -> Iterator[str]:
    known = [player for player in summary.players if player.ledger.low is not None]
    if not known:
        return
    best = max(known, key=lambda player: player.ledger.mean or 0.0)
    worst = min(known, key=lambda player: player.ledger.mean or 0.0)
    apart = (best.ledger.low or 0.0) > (worst.ledger.high or 0.0)
    overlap = "do not overlap" if apart else "overlap"
    yield (
        f"The highest mean ledger has {best.label} with {_mean(best.ledger)} points a deal, the "
        f"lowest {worst.label} with {_mean(worst.ledger)}; their intervals {overlap} "
        f"(the extremes of {len(known)} players lie further apart than two named beforehand)."
    )


def _sessions(summary: Summary) -> Iterator[str]:
    shares = [player for player in summary.players if player.session_share.mean is not None]
    if shares:
        first = max(shares, key=lambda player: player.session_share.mean or 0.0)
        yield (
            f"Of {summary.sessions:,} complete sessions {first.label} won the largest share, "
            f"{_mean(first.session_share)}, ties being split."
        )


def _matches(summary: RummySummary) -> Iterator[str]:
    won = summary.matches.won
    first = max(summary.players, key=lambda player: won[player.number].count)
    if won[first.number].count:
        yield (
            f"Of all matches to {counted(summary.rules.target, 'point')} {first.label} won "
            f"the largest share, {_rate(won[first.number])}; one takes "
            f"{_mean(summary.matches.deals)} deals."
        )


def _seats(summary: Summary) -> Iterator[str]:
    seats = sorted(summary.seats, key=lambda seat: seat.wins.rate or 0.0)
    if seats[-1].wins.count:
        yield (
            f"Seat {seats[-1].number} wins most deals, {_rate(seats[-1].wins)}, and seat "
            f"{seats[0].number} fewest, {_rate(seats[0].wins)} (seat 0 acts first)."
        )


def _rate(rate: Estimate) -> str:
    if rate.method == STRUCTURAL:
        return f"0 (impossible: {rate.reason})"
    return f"{formats.rate_text(rate)} ({formats.interval_text(rate)})"


def _mean(mean: Mean) -> str:
    return formats.mean_text(mean)


# What a game says of exits, and of several deals together.
_OWN: Final[Mapping[str, tuple[Callable[[Any], Iterator[str]], Callable[[Any], Iterator[str]]]]] = {
    "continental": (_of_continental, _sessions),
    "basic-rummy": (_of_basic_rummy, _matches),
}
