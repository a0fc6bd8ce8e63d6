"""The blocks of the text table of a study of Continental."""

from collections.abc import Iterable, Iterator
from typing import Final

from continental_sim.figures import formats
from continental_sim.figures import table_blocks as blocks
from continental_sim.figures.continental_summary import ContinentalSummary
from continental_sim.figures.table_blocks import (
    LABEL,
    heading,
    means_lines,
    rate_lines,
    rates_lines,
    wrapped,
)
from continental_sim.words import counted, in_number

_MANY_PAYMENTS: Final = 12  # more kinds than this: the rare ones share a line
_RARE: Final = 1e-3
_BEHAVIOUR: Final = {
    "turns": "turns",
    "upcards_taken": "upcards taken",
    "wilds_thrown": "wilds thrown",
    "exits_declined": "declined",
}


def continental_blocks(summary: ContinentalSummary) -> Iterable[Iterable[str]]:
    """Return the blocks between the header and the footer."""
    by_sort = {
        "distance": summary.openings.by_distance,
        "wild cards": summary.openings.by_wilds,
    }
    return (
        blocks.ends(summary),
        _exits(summary),
        _exits_by_seat(summary),
        _payments(summary),
        blocks.ledgers(summary),
        blocks.wins(summary),
        blocks.lengths(summary),
        _hands(summary),
        blocks.sessions(summary),
        _openings(summary),
        blocks.fates_lines(summary, by_sort),
        _ranks(summary),
        blocks.behaviour(summary, _BEHAVIOUR),
    )


def _exits(summary: ContinentalSummary) -> Iterator[str]:
    yield heading("Exits", "of deals", summary)
    yield from rates_lines(
        {
            "dealt": summary.exits["dealt"],
            "first turn": summary.exits["first_turn"],
            "later": summary.exits["later"],
            "all in one suit": summary.one_suit,
            "natural (no wild card)": summary.natural,
        }
    )


def _exits_by_seat(summary: ContinentalSummary) -> Iterator[str]:
    yield heading("Exits by seat (0 is first)", "of deals", summary)
    for title, name in (
        ("dealt", "dealt"),
        ("first turn", "first_turn"),
        ("dealt+first turn", "by_first_turn"),
        ("later", "later"),
        ("any", "wins"),
    ):
        for seat in summary.seats:
            label = f"{title}, seat {seat.number}"
            yield from rate_lines(label, getattr(seat, name))


def _payments(summary: ContinentalSummary) -> Iterator[str]:
    yield heading("Each opponent's payment", "of exits", summary)
    shares = summary.payments
    rare = [paid for paid, share in shares.items() if (share.rate or 0) < _RARE]
    folded = rare if len(shares) > _MANY_PAYMENTS and len(rare) > 1 else []
    for paid, share in shares.items():
        if paid not in folded:
            yield from rate_lines(f"{paid:>2} {in_number(paid, 'point')}", share)
    if folded:
        count = sum(shares[paid].count for paid in folded)
        payments = f"{counted(len(folded), 'rarer payment')}, {folded[0]} to {folded[-1]} points"
        yield f"  {payments}: {counted(count, 'exit')}"
    yield from means_lines(summary, {"payment [points]": summary.payment})


def _hands(summary: ContinentalSummary) -> Iterator[str]:
    yield heading("Exposed hands", "of exits", summary)
    for pattern, share in summary.patterns.items():
        yield from rate_lines(formats.plain(f"fit {pattern}", LABEL - 1), share)
    means = {}
    for name, title, shares, mean in (
        ("deuces", _wild(summary), summary.deuces_exposed, summary.deuces),
        ("jokers", "jokers", summary.jokers_exposed, summary.jokers),
    ):
        if name in summary.impossible:
            yield from wrapped(f"{title}: impossible, {summary.impossible[name]}", indent=2)
        else:
            yield from rates_lines({f"{title}: {cards}": share for cards, share in shares.items()})
            means[title] = mean
    if means:
        yield from means_lines(summary, means)


def _wild(summary: ContinentalSummary) -> str:
    return "deuces" if summary.rules.wild_ranks == ("2",) else "wild ranks"


def _openings(summary: ContinentalSummary) -> Iterator[str]:
    yield heading("Dealt hands", "of hands", summary)
    for distance, share in summary.openings.distances.items():
        yield from rate_lines(f"distance {distance}", share)
    yield from means_lines(
        summary,
        {
            "distance": summary.openings.distance,
            f"{_wild(summary)} dealt": summary.openings.deuces,
            "jokers dealt": summary.openings.jokers,
        },
    )


def _ranks(summary: ContinentalSummary) -> Iterator[str]:
    yield heading("Cards in exits, of all", "cards", summary)
    for rank, share in summary.ranks_exposed.items():
        wild = " (wild)" if rank in summary.rules.wild_ranks else ""
        yield from rate_lines("jokers" if rank == "JK" else f"{rank}{wild}", share)
