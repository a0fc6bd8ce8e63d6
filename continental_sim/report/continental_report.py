"""What the pages of Continental have of their own."""

from collections.abc import Iterator
from typing import Final

from continental_sim.figures import formats
from continental_sim.figures.continental_summary import ContinentalSummary
from continental_sim.figures.summary import Summary
from continental_sim.language import marked, tr
from continental_sim.report.game_report import GameReport, Often
from continental_sim.report.told import mean, rate


def _exits(summary: ContinentalSummary) -> Iterator[str]:
    exits = summary.exits
    yield tr(
        "Dealt exits came in {dealt} of the deals, first-turn exits after a draw in {first_turn}; "
        "exits in one suit in {one_suit}, exits without a wild card in {natural}.",
        dealt=rate(exits["dealt"]),
        first_turn=rate(exits["first_turn"]),
        one_suit=rate(summary.one_suit),
        natural=rate(summary.natural),
    )
    if summary.payments:
        most = max(summary.payments, key=lambda paid: summary.payments[paid].count)
        yield tr(
            "An exit is paid {payment} points by each opponent, most often {most} (in {share} of "
            "the exits).",
            payment=mean(summary.payment),
            most=most,
            share=rate(summary.payments[most]),
        )


def _sessions(summary: Summary) -> Iterator[str]:
    shares = [player for player in summary.players if player.session_share.mean is not None]
    if shares:
        first = max(shares, key=lambda player: player.session_share.mean or 0.0)
        yield tr(
            "Of {sessions} complete sessions {player} won the largest share, {share}, ties being "
            "split.",
            sessions=formats.count(summary.sessions),
            player=first.label,
            share=mean(first.session_share),
        )


CONTINENTAL_REPORT: Final = GameReport(
    exits=_exits,
    several=_sessions,
    behaviour={
        marked("wild cards thrown in {times} turns"): Often("wilds_thrown", "turns", 100),
        marked("exits declined in {times} deals"): Often("exits_declined", "deals", 1000),
    },
)
