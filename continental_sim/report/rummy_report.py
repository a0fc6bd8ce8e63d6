"""What the pages of Basic Rummy have of their own."""

from collections.abc import Iterator
from typing import Final

from continental_sim.figures import formats
from continental_sim.figures.rummy_summary import RummySummary
from continental_sim.language import marked, tr
from continental_sim.report.game_report import GameReport, Often
from continental_sim.report.told import mean, rate
from continental_sim.words import counted


def _exits(summary: RummySummary) -> Iterator[str]:
    yield tr(
        "Somebody went rummy in {deals} of the deals, which is {exits} of the exits; the last card "
        "was thrown in {thrown} of them.",
        deals=rate(summary.exits["rummy"]),
        exits=rate(summary.going_rummy),
        thrown=rate(summary.last_card["thrown"]),
    )
    if summary.scores:
        yield tr(
            "An exit scores {points} points, half of them at most {half}.",
            points=mean(summary.payment),
            half=formats.quantile_text(summary.payment, 0.5),
        )
    yield tr(
        "A hand that did not go out has {left} pips left; a dealt hand has {deadwood} beside its "
        "best melds.",
        left=mean(summary.left.any_hand),
        deadwood=mean(summary.hands.deadwood),
    )


def _matches(summary: RummySummary) -> Iterator[str]:
    won = summary.matches.won
    first = max(summary.players, key=lambda player: won[player.number].count)
    if won[first.number].count:
        yield tr(
            "Of all matches to {target} {player} won the largest share, {share}; one takes {deals} "
            "deals.",
            target=counted(summary.rules.target, "point"),
            player=first.label,
            share=rate(won[first.number]),
            deals=mean(summary.matches.deals),
        )


RUMMY_REPORT: Final = GameReport(
    exits=_exits,
    several=_matches,
    behaviour={
        marked("cards laid a deal"): Often("cards_laid", "deals", 1),
        marked("layings declined in {times} deals"): Often("layings_declined", "deals", 1000),
    },
)
