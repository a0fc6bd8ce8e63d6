"""Lines of the text table of a study, and the blocks of it that all games have."""

import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Final

from continental_sim.figures import formats
from continental_sim.figures.estimates import STRUCTURAL, Estimate, Mean
from continental_sim.figures.summary import Fate, Player, Summary
from continental_sim.words import counted

WIDTH: Final = 80
LABEL: Final = 24
NAME: Final = 26
_SHOWN: Final = (0.05, 0.25, 0.5, 0.75, 0.95)  # quantiles


def header(summary: Summary) -> Iterator[str]:
    """Say what was played."""
    for line in summary.header:
        yield from wrapped(line)
    played = f"{counted(summary.deals, 'deal')}, {counted(summary.sessions, 'complete session')}"
    seeds = ", ".join(map(str, summary.seeds))
    yield from wrapped(f"{played}, seed{'s' if len(summary.seeds) > 1 else ''} {seeds}.")
    if summary.ending:
        yield from wrapped(summary.ending)


def ends(summary: Summary) -> Iterator[str]:
    """Tell how deals end."""
    yield heading("Ends", "of deals", summary)
    words = {"drawn": summary.words.drawn}
    yield from rates_lines({words.get(name, name): end for name, end in summary.ends.items()})


def ledgers(summary: Summary) -> Iterator[str]:
    """Tell what players and seats have of a deal."""
    yield from wrapped(
        f"Ledger [points a deal]; {formats.capped_text(summary.ends)} ({summary.words.pay} 0)"
    )
    means = {name_of(player, NAME): player.ledger for player in summary.players}
    yield from means_lines(summary, means)
    yield from means_lines(
        summary, {f"seat {seat.number}": seat.ledger for seat in summary.seats}, ""
    )


def wins(summary: Summary) -> Iterator[str]:
    """Tell who wins."""
    yield heading("Wins", "of deals", summary)
    yield from rates_lines({name_of(player, LABEL): player.wins for player in summary.players})
    names = strategy_names(summary, LABEL)
    for strategy, wins in summary.shared_strategies.items():
        yield from rate_lines(names[strategy], wins)


def strategy_names(summary: Summary, width: int) -> dict[str, str]:
    """Name strategies that share players in a width, each with their number."""
    lineup = [player.strategy for player in summary.players]
    names = formats.short_names(summary.shared_strategies, width - 1 - len(" (99 players)"))
    return {
        strategy: f"{name} ({counted(lineup.count(strategy), 'player')})"
        for strategy, name in names.items()
    }


def name_of(player: Player, width: int) -> str:
    """Name a player in a width."""
    return formats.player_label(player.strategy, player.number, width - 1)


def lengths(summary: Summary) -> Iterator[str]:
    """Tell how long deals are."""
    yield from wrapped(f"Length of a deal; {formats.capped_text(summary.ends)}")
    yield from means_lines(
        summary,
        {"turns": summary.turns, "rounds": summary.rounds, "recycles": summary.recycles},
    )
    yield from rate_lines("deals with a recycle", summary.recycled)


def sessions(summary: Summary) -> Iterator[str]:
    """Tell who wins sessions."""
    yield f"Sessions: share of {summary.sessions:,} won (m tied leaders: 1/m each)"
    for player in summary.players:
        share = formats.mean_text(player.session_share)
        yield f"  {name_of(player, NAME):<{NAME}}{share:>24}"


def footer(summary: Summary) -> Iterator[str]:
    """Say how to read the numbers."""
    yield from wrapped(
        f"Intervals are two-sided, {formats.percent(summary.level)}: for rates Wilson's, where no "
        "trial or every trial was an event the exact one (Clopper-Pearson, marked), for means the "
        "normal one, by deal or session; the dealt hands of one deal count as one. q5 to q95 are "
        "quantiles: 5 % to 95 % of the values are not above them."
    )
    for note in summary.notes:
        yield from wrapped(note)


def heading(title: str, unit: str, summary: Summary) -> str:
    """Write the head of rates."""
    return f"{title:<26}{unit:>14}{'rate':>12}   {formats.percent(summary.level)} interval"


def rates_lines(rates: Mapping[str, Estimate]) -> Iterator[str]:
    """Write rates, one a line."""
    for label, estimate in rates.items():
        yield from rate_lines(label, estimate)


def rate_lines(label: str, estimate: Estimate) -> Iterator[str]:
    """Write a rate, or why it is impossible."""
    start = f"  {label:<{LABEL}}{formats.count_text(estimate.count, 14):>14}"
    if estimate.method == STRUCTURAL:
        yield f"{start}   impossible:"
        yield from wrapped(estimate.reason, indent=6)
        return
    yield f"{start}{formats.rate_text(estimate):>12}   {formats.interval_text(estimate)}"


def means_lines(
    summary: Summary, means: Mapping[str, Mean], title: str = "mean ({level})"
) -> Iterator[str]:
    """Write means, with a head if there is a title."""
    if title:
        shares = "".join(f"{f'q{100 * share:g}':>5}" for share in _SHOWN)
        heading = title.format(level=formats.percent(summary.level))
        yield f"  {'':<{NAME}}{heading:>18}{'sd':>8}{shares}"
    for label, mean in means.items():
        values = "".join(f" {formats.quantile_text(mean, share):>4}" for share in _SHOWN)
        yield f"  {label:<{NAME}} {formats.mean_text(mean):>17} {formats.sd_text(mean):>7}{values}"


def wrapped(text: str, indent: int = 0) -> list[str]:
    """Break a text into lines."""
    return textwrap.wrap(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent or 2)
    )


def fates_lines(summary: Summary, sorts: Mapping[str, Mapping[Any, Fate]]) -> Iterator[str]:
    """Write what became of dealt hands of each sort."""
    level = formats.percent(summary.level)
    yield f"{'What became of hands':<22}{'went out':>22}{'own turns':>16}{'points':>18}"
    for title, fates in sorts.items():
        for sort, fate in fates.items():
            wins = formats.interval_text(fate.wins).removesuffix(" exact")
            turns, points = (formats.mean_text(mean) for mean in (fate.own_turns, fate.points))
            yield f"  {f'{title} {sort}':<20}{wins:>22}{turns:>16}{points:>18}"
    yield from wrapped(
        f"Own turns are those of hands that went out. All with {level} intervals.", indent=2
    )


def behaviour(summary: Summary, titles: Mapping[str, str]) -> Iterator[str]:
    """Tell what players did: sums over all deals, by their names, with titles."""
    yield f"{'Counted':<24}" + "".join(f"{title:>14}" for title in titles.values())
    for player in summary.players:
        counts = (formats.count_text(player.behaviour[name], 14) for name in titles)
        yield f"  {name_of(player, 22):<22}" + "".join(f"{text:>14}" for text in counts)
