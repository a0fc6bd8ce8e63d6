"""What a study found, in sentences."""

from collections.abc import Iterator

from continental_sim.figures import formats
from continental_sim.figures.summary import Summary
from continental_sim.language import tr
from continental_sim.report.games import GAME_REPORTS
from continental_sim.report.told import mean, rate
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
    game = GAME_REPORTS[summary.rules.game]
    return [
        *_ends(summary),
        *game.exits(summary),
        *_players(summary),
        *game.several(summary),
        *_seats(summary),
    ]


def _ends(summary: Summary) -> Iterator[str]:
    ends = summary.ends
    yield tr(
        "Of {deals} a share of {exits} ended in an exit, {drawn} were {were_drawn} and {capped} "
        "were stopped as capped.",
        deals=counted(summary.deals, "deal"),
        exits=rate(ends["exit"]),
        drawn=rate(ends["drawn"]),
        were_drawn=tr(summary.words.were_drawn),
        capped=rate(ends["capped"]),
    )
    if summary.ending:
        yield summary.ending
    yield tr(
        "A deal lasts {turns} turns, which is {rounds} rounds; half of the deals last at most "
        "{half} turns and 95 % at most {most} ({capped}).",
        turns=mean(summary.turns),
        rounds=mean(summary.rounds),
        half=formats.quantile_text(summary.turns, 0.5),
        most=formats.quantile_text(summary.turns, 0.95),
        capped=formats.capped_text(ends),
    )


def _players(summary: Summary) -> Iterator[str]:
    known = [player for player in summary.players if player.ledger.low is not None]
    if not known:
        return
    best = max(known, key=lambda player: player.ledger.mean or 0.0)
    worst = min(known, key=lambda player: player.ledger.mean or 0.0)
    apart = (best.ledger.low or 0.0) > (worst.ledger.high or 0.0)
    yield tr(
        "The highest mean ledger has {best} with {high} points a deal, the lowest {worst} with "
        "{low}; their intervals {overlap} (the extremes of {players} players lie further apart "
        "than two named beforehand).",
        best=best.label,
        high=mean(best.ledger),
        worst=worst.label,
        low=mean(worst.ledger),
        overlap=tr("do not overlap") if apart else tr("overlap"),
        players=len(known),
    )


def _seats(summary: Summary) -> Iterator[str]:
    seats = sorted(summary.seats, key=lambda seat: seat.wins.rate or 0.0)
    if seats[-1].wins.count:
        yield tr(
            "Seat {best} wins most deals, {most}, and seat {worst} fewest, {fewest} (seat 0 acts "
            "first).",
            best=seats[-1].number,
            most=rate(seats[-1].wins),
            worst=seats[0].number,
            fewest=rate(seats[0].wins),
        )
