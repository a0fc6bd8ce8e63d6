"""Tables of the figures of a study, and those that all games have."""

from collections.abc import Mapping
from typing import Any

from continental_sim.figures import formats
from continental_sim.figures.estimates import STRUCTURAL, Estimate, Mean
from continental_sim.figures.summary import Fate, Summary
from continental_sim.report.tables import Table

_SHOWN = (0.05, 0.25, 0.5, 0.75, 0.95)  # quantiles


def ends_table(summary: Summary) -> Table:
    """Return how deals end."""
    words = {"drawn": summary.words.drawn}
    ends = {words.get(name, name): end for name, end in summary.ends.items()}
    return rates_table(summary, "Ends, of all deals", ends)


def by_seat_table(summary: Summary, titles: Mapping[str, str]) -> Table:
    """Return exits by seat: the fields of a seat, and their titles."""
    by_seat = {
        f"{title}, seat {seat.number}": getattr(seat, name)
        for name, title in titles.items()
        for seat in summary.seats
    }
    return rates_table(summary, "Exits by seat, of all deals", by_seat)


def ledgers_table(summary: Summary) -> Table:
    """Return what players and seats have of a deal."""
    capped = formats.capped_text(summary.ends)
    return means_table(
        summary,
        f"Ledger, points a deal ({capped}; they {summary.words.pay} nothing)",
        {player.label: player.ledger for player in summary.players}
        | {f"seat {seat.number}": seat.ledger for seat in summary.seats},
    )


def wins_table(summary: Summary) -> Table:
    """Return who wins."""
    return rates_table(
        summary,
        "Wins, of all deals",
        {player.label: player.wins for player in summary.players}
        | {f"all {name}": wins for name, wins in summary.shared_strategies.items()},
    )


def lengths_table(summary: Summary) -> Table:
    """Return how long deals are, and what an exit brings."""
    paid = summary.words.paid
    return means_table(
        summary,
        f"Length of a deal, and {paid} of an exit ({formats.capped_text(summary.ends)})",
        {
            "turns": summary.turns,
            "rounds": summary.rounds,
            "recycles": summary.recycles,
            f"{paid} [points]": summary.payment,
        },
    )


def recycling_table(summary: Summary) -> Table:
    """Return how many deals have a recycle."""
    rates = {"at least one recycle": summary.recycled}
    return rates_table(summary, "Recycling, of all deals", rates)


def sessions_table(summary: Summary) -> Table:
    """Return who wins sessions."""
    players = summary.players
    return means_table(
        summary,
        f"Sessions ({summary.sessions:,} complete ones)",
        {f"{player.label}: share won": player.session_share for player in players}
        | {f"{player.label}: ledger": player.session_ledger for player in players},
    )


def behaviour_table(summary: Summary) -> Table:
    """Return what players did, counted over all deals."""
    players = summary.players
    return Table(
        "Counted over all deals",
        ["player", *(name.replace("_", " ") for name in players[0].behaviour)],
        [
            [player.label, *(f"{count:,}" for count in player.behaviour.values())]
            for player in players
        ],
    )


def fates_table(summary: Summary, sorts: Mapping[str, Mapping[Any, Fate]]) -> Table:
    """Return what became of dealt hands of each sort."""
    level = formats.percent(summary.level)
    rows = [
        (
            f"{title} {sort}",
            f"{fate.wins.trials:,}",
            formats.rate_text(fate.wins),
            formats.interval_text(fate.wins),
            formats.mean_text(fate.own_turns),
            formats.mean_text(fate.points),
        )
        for title, fates in sorts.items()
        for sort, fate in fates.items()
    ]
    head = ("what", "hands", "went out", f"{level} interval", "own turns to do so", "points")
    return Table("What became of dealt hands", head, rows)


def rates_table(summary: Summary, title: str, rates: Mapping[str, Estimate]) -> Table:
    """Return rates with their counts and intervals."""
    level = formats.percent(summary.level)
    rows = [
        (label, f"{rate.count:,}", formats.rate_text(rate), _interval(rate))
        for label, rate in rates.items()
    ]
    return Table(title, ("what", "count", "rate", f"{level} interval"), rows)


def _interval(rate: Estimate) -> str:
    return (
        f"impossible: {rate.reason}" if rate.method == STRUCTURAL else formats.interval_text(rate)
    )


def means_table(summary: Summary, title: str, means: Mapping[str, Mean]) -> Table:
    """Return means with their intervals and quantiles."""
    level = formats.percent(summary.level)
    rows = [
        (
            label,
            formats.mean_text(mean),
            formats.sd_text(mean),
            *(formats.quantile_text(mean, share) for share in _SHOWN),
        )
        for label, mean in means.items()
    ]
    quantiles = (f"{formats.percent(share)} quantile" for share in _SHOWN)
    return Table(title, ("what", f"mean ({level} interval)", "sd", *quantiles), rows)
