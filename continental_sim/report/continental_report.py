"""What the pages of Continental have of their own."""

from collections.abc import Iterator
from typing import Final

from continental_sim.figures.continental_summary import ContinentalSummary
from continental_sim.figures.summary import Summary
from continental_sim.report.game_report import GameReport, Often
from continental_sim.report.told import mean, rate


def _exits(summary: ContinentalSummary) -> Iterator[str]:
    exits = summary.exits
    yield (
        f"Dealt exits came in {rate(exits['dealt'])} of the deals, first-turn exits after a draw "
        f"in {rate(exits['first_turn'])}; exits in one suit in {rate(summary.one_suit)}, exits "
        f"without a wild card in {rate(summary.natural)}."
    )
    if summary.payments:
        most = max(summary.payments, key=lambda paid: summary.payments[paid].count)
        yield (
            f"An exit is paid {mean(summary.payment)} points by each opponent, most often {most} "
            f"(in {rate(summary.payments[most])} of the exits)."
        )


def _sessions(summary: Summary) -> Iterator[str]:
    shares = [player for player in summary.players if player.session_share.mean is not None]
    if shares:
        first = max(shares, key=lambda player: player.session_share.mean or 0.0)
        yield (
            f"Of {summary.sessions:,} complete sessions {first.label} won the largest share, "
            f"{mean(first.session_share)}, ties being split."
        )


CONTINENTAL_REPORT: Final = GameReport(
    exits=_exits,
    several=_sessions,
    behaviour={
        "wild cards thrown in 100 turns": Often("wilds_thrown", "turns", 100),
        "exits declined in 1,000 deals": Often("exits_declined", "deals", 1000),
    },
)
