"""The text table of a study: at most 80 columns, every rate with its interval."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Final

from continental_sim.figures import formats
from continental_sim.figures.estimates import STRUCTURAL, Estimate, Mean
from continental_sim.words import counted

if TYPE_CHECKING:  # `Summary.table` imports this module
    from collections.abc import Iterator, Mapping

    from continental_sim.figures.summary import Player, Summary

WIDTH: Final = 80
_LABEL: Final = 24
_NAME: Final = 26
_MANY_PAYMENTS: Final = 12  # more kinds than this: the rare ones share a line
_RARE: Final = 1e-3
_SHOWN: Final = (0.05, 0.25, 0.5, 0.75, 0.95)  # quantiles


def render_table(summary: Summary) -> str:
    """Write all figures of a study as text.

    Parameters
    ----------
    summary : Summary
        Of a study.

    Returns
    -------
    str
        Lines of at most 80 columns, without a final newline.
    """
    lines = [*_header(summary)]
    for block in (
        _ends(summary),
        _exits(summary),
        _exits_by_seat(summary),
        _payments(summary),
        _ledgers(summary),
        _wins(summary),
        _lengths(summary),
        _hands(summary),
        _sessions(summary),
        _openings(summary),
        _fates(summary),
        _ranks(summary),
        _behaviour(summary),
        _footer(summary),
    ):
        lines += ["", *block]
    return "\n".join(line.rstrip() for line in lines)


def _header(summary: Summary) -> Iterator[str]:
    for line in summary.header:
        yield from _wrapped(line)
    played = f"{counted(summary.deals, 'deal')}, {counted(summary.sessions, 'complete session')}"
    seeds = ", ".join(map(str, summary.seeds))
    yield from _wrapped(f"{played}, seed{'s' if len(summary.seeds) > 1 else ''} {seeds}.")
    if summary.ending:
        yield from _wrapped(summary.ending)


def _ends(summary: Summary) -> Iterator[str]:
    yield _heading("Ends", "of deals", summary)
    yield from _rates(summary.ends)


def _exits(summary: Summary) -> Iterator[str]:
    yield _heading("Exits", "of deals", summary)
    yield from _rates(
        {
            "dealt": summary.exits["dealt"],
            "first turn": summary.exits["first_turn"],
            "later": summary.exits["later"],
            "all in one suit": summary.one_suit,
            "natural (no wild card)": summary.natural,
        }
    )


def _exits_by_seat(summary: Summary) -> Iterator[str]:
    yield _heading("Exits by seat (0 is first)", "of deals", summary)
    for title, name in (
        ("dealt", "dealt"),
        ("first turn", "first_turn"),
        ("dealt+first turn", "by_first_turn"),
        ("later", "later"),
        ("any", "wins"),
    ):
        for seat in summary.seats:
            label = f"{title}, seat {seat.number}"
            yield from _rate(label, getattr(seat, name))


def _payments(summary: Summary) -> Iterator[str]:
    yield _heading("Each opponent's payment", "of exits", summary)
    shares = summary.payments
    rare = [paid for paid, share in shares.items() if (share.rate or 0) < _RARE]
    folded = rare if len(shares) > _MANY_PAYMENTS and len(rare) > 1 else []
    for paid, share in shares.items():
        if paid not in folded:
            yield from _rate(f"{paid:>2} points", share)
    if folded:
        count = sum(shares[paid].count for paid in folded)
        payments = f"{counted(len(folded), 'rarer payment')}, {folded[0]} to {folded[-1]} points"
        yield f"  {payments}: {counted(count, 'exit')}"
    yield from _means(summary, {"payment [points]": summary.payment})


def _ledgers(summary: Summary) -> Iterator[str]:
    yield from _wrapped(f"Ledger [points a deal]; {formats.capped_text(summary.ends)} (pay 0)")
    means = {_name(player, _NAME): player.ledger for player in summary.players}
    yield from _means(summary, means)
    yield from _means(summary, {f"seat {seat.number}": seat.ledger for seat in summary.seats}, "")


def _wins(summary: Summary) -> Iterator[str]:
    yield _heading("Wins", "of deals", summary)
    yield from _rates({_name(player, _LABEL): player.wins for player in summary.players})
    lineup = [player.strategy for player in summary.players]
    names = formats.short_names(summary.shared_strategies, _LABEL - 1 - len(" (99 players)"))
    for strategy, wins in summary.shared_strategies.items():
        yield from _rate(f"{names[strategy]} ({counted(lineup.count(strategy), 'player')})", wins)


def _name(player: Player, width: int) -> str:
    return formats.player_label(player.strategy, player.number, width - 1)


def _lengths(summary: Summary) -> Iterator[str]:
    yield from _wrapped(f"Length of a deal; {formats.capped_text(summary.ends)}")
    yield from _means(
        summary,
        {"turns": summary.turns, "rounds": summary.rounds, "recycles": summary.recycles},
    )
    yield from _rate("deals with a recycle", summary.recycled)


def _hands(summary: Summary) -> Iterator[str]:
    yield _heading("Exposed hands", "of exits", summary)
    for pattern, share in summary.patterns.items():
        yield from _rate(formats.plain(f"fit {pattern}", _LABEL - 1), share)
    means = {}
    for name, title, shares, mean in (
        ("deuces", _wild(summary), summary.deuces_exposed, summary.deuces),
        ("jokers", "jokers", summary.jokers_exposed, summary.jokers),
    ):
        if name in summary.impossible:
            yield from _wrapped(f"{title}: impossible, {summary.impossible[name]}", indent=2)
        else:
            yield from _rates({f"{title}: {cards}": share for cards, share in shares.items()})
            means[title] = mean
    if means:
        yield from _means(summary, means)


def _wild(summary: Summary) -> str:
    return "deuces" if summary.rules.wild_ranks == ("2",) else "wild ranks"


def _sessions(summary: Summary) -> Iterator[str]:
    yield f"Sessions: share of {summary.sessions:,} won (m tied leaders: 1/m each)"
    for player in summary.players:
        share = formats.mean_text(player.session_share)
        yield f"  {_name(player, _NAME):<{_NAME}}{share:>24}"


def _openings(summary: Summary) -> Iterator[str]:
    yield _heading("Dealt hands", "of hands", summary)
    for distance, share in summary.openings.distances.items():
        yield from _rate(f"distance {distance}", share)
    yield from _means(
        summary,
        {
            "distance": summary.openings.distance,
            f"{_wild(summary)} dealt": summary.openings.deuces,
            "jokers dealt": summary.openings.jokers,
        },
    )


def _fates(summary: Summary) -> Iterator[str]:
    level = formats.percent(summary.level)
    yield f"{'What became of hands':<22}{'went out':>22}{'own turns':>16}{'points':>18}"
    for title, fates in (
        ("distance", summary.openings.by_distance),
        ("wild cards", summary.openings.by_wilds),
    ):
        for cards, fate in fates.items():
            wins = formats.interval_text(fate.wins).removesuffix(" exact")
            turns, points = (formats.mean_text(mean) for mean in (fate.own_turns, fate.points))
            yield f"  {f'{title} {cards}':<20}{wins:>22}{turns:>16}{points:>18}"
    yield from _wrapped(
        f"Own turns are those of hands that went out. All with {level} intervals.", indent=2
    )


def _ranks(summary: Summary) -> Iterator[str]:
    yield _heading("Cards in exits, of all", "cards", summary)
    for rank, share in summary.ranks_exposed.items():
        wild = " (wild)" if rank in summary.rules.wild_ranks else ""
        yield from _rate("jokers" if rank == "JK" else f"{rank}{wild}", share)


def _behaviour(summary: Summary) -> Iterator[str]:
    titles = {
        "turns": "turns",
        "upcards_taken": "upcards taken",
        "wilds_thrown": "wilds thrown",
        "exits_declined": "declined",
    }
    yield f"{'Counted':<24}" + "".join(f"{title:>14}" for title in titles.values())
    for player in summary.players:
        counts = (formats.count_text(player.behaviour[name], 14) for name in titles)
        yield f"  {_name(player, 22):<22}" + "".join(f"{text:>14}" for text in counts)


def _footer(summary: Summary) -> Iterator[str]:
    yield from _wrapped(
        f"Intervals are two-sided, {formats.percent(summary.level)}: for rates Wilson's, where no "
        "trial or every trial was an event the exact one (Clopper-Pearson, marked), for means the "
        "normal one, by deal or session; the dealt hands of one deal count as one. q5 to q95 are "
        "quantiles: 5 % to 95 % of the values are not above them."
    )
    for note in summary.notes:
        yield from _wrapped(note)


def _heading(title: str, unit: str, summary: Summary) -> str:
    return f"{title:<26}{unit:>14}{'rate':>12}   {formats.percent(summary.level)} interval"


def _rates(rates: Mapping[str, Estimate]) -> Iterator[str]:
    for label, estimate in rates.items():
        yield from _rate(label, estimate)


def _rate(label: str, estimate: Estimate) -> Iterator[str]:
    start = f"  {label:<{_LABEL}}{formats.count_text(estimate.count, 14):>14}"
    if estimate.method == STRUCTURAL:
        yield f"{start}   impossible:"
        yield from _wrapped(estimate.reason, indent=6)
        return
    yield f"{start}{formats.rate_text(estimate):>12}   {formats.interval_text(estimate)}"


def _means(
    summary: Summary, means: Mapping[str, Mean], title: str = "mean ({level})"
) -> Iterator[str]:
    if title:
        shares = "".join(f"{f'q{100 * share:g}':>5}" for share in _SHOWN)
        heading = title.format(level=formats.percent(summary.level))
        yield f"  {'':<{_NAME}}{heading:>18}{'sd':>8}{shares}"
    for label, mean in means.items():
        values = "".join(f"{formats.quantile_text(mean, share):>5}" for share in _SHOWN)
        yield f"  {label:<{_NAME}}{formats.mean_text(mean):>18}{formats.sd_text(mean):>8}{values}"


def _wrapped(text: str, indent: int = 0) -> list[str]:
    return textwrap.wrap(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent or 2)
    )
