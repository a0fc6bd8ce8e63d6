"""What a study found, in sentences."""

from collections.abc import Iterator

from continental_sim.figures import formats
from continental_sim.figures.summary import Summary
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
    yield (
        f"Of {counted(summary.deals, 'deal')} a share of {rate(ends['exit'])} ended in an exit, "
        f"{rate(ends['drawn'])} were {summary.words.were_drawn} and {rate(ends['capped'])} were "
        "stopped as capped."
    )
    if summary.ending:
        yield summary.ending
    yield (
        f"A deal lasts {mean(summary.turns)} turns, which is {mean(summary.rounds)} rounds; half "
        f"of the deals last at most {formats.quantile_text(summary.turns, 0.5)} turns and 95 % at "
        f"most {formats.quantile_text(summary.turns, 0.95)} ({formats.capped_text(ends)})."
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
        f"The highest mean ledger has {best.label} with {mean(best.ledger)} points a deal, the "
        f"lowest {worst.label} with {mean(worst.ledger)}; their intervals {overlap} "
        f"(the extremes of {len(known)} players lie further apart than two named beforehand)."
    )


def _seats(summary: Summary) -> Iterator[str]:
    seats = sorted(summary.seats, key=lambda seat: seat.wins.rate or 0.0)
    if seats[-1].wins.count:
        yield (
            f"Seat {seats[-1].number} wins most deals, {rate(seats[-1].wins)}, and seat "
            f"{seats[0].number} fewest, {rate(seats[0].wins)} (seat 0 acts first)."
        )
