"""What the pages of Basic Rummy have of their own."""

from collections.abc import Iterator
from typing import Final

from continental_sim.figures import formats
from continental_sim.figures.rummy_summary import RummySummary
from continental_sim.report.game_report import GameReport, Often
from continental_sim.report.told import mean, rate
from continental_sim.words import counted


def _exits(summary: RummySummary) -> Iterator[str]:
    yield (
        f"Somebody went rummy in {rate(summary.exits['rummy'])} of the deals, which is "
        f"{rate(summary.going_rummy)} of the exits; the last card was thrown in "
        f"{rate(summary.last_card['thrown'])} of them."
    )
    if summary.scores:
        yield (
            f"An exit scores {mean(summary.payment)} points, half of them at most "
            f"{formats.quantile_text(summary.payment, 0.5)}."
        )
    yield (
        f"A hand that did not go out has {mean(summary.left.any_hand)} pips left; a dealt hand "
        f"has {mean(summary.hands.deadwood)} beside its best melds."
    )


def _matches(summary: RummySummary) -> Iterator[str]:
    won = summary.matches.won
    first = max(summary.players, key=lambda player: won[player.number].count)
    if won[first.number].count:
        yield (
            f"Of all matches to {counted(summary.rules.target, 'point')} {first.label} won "
            f"the largest share, {rate(won[first.number])}; one takes "
            f"{mean(summary.matches.deals)} deals."
        )


RUMMY_REPORT: Final = GameReport(
    exits=_exits,
    several=_matches,
    behaviour={
        "cards laid a deal": Often("cards_laid", "deals", 1),
        "layings declined in 1,000 deals": Often("layings_declined", "deals", 1000),
    },
)
