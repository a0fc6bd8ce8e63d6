"""The blocks of the tables of a study of Continental."""

from collections.abc import Mapping, Sequence
from typing import Final

from continental_sim.figures import formats
from continental_sim.figures import table_blocks as blocks
from continental_sim.figures.continental_summary import ContinentalSummary
from continental_sim.figures.estimates import Estimate
from continental_sim.figures.table_parts import (
    OF_DEALS,
    OF_EXITS,
    OF_HANDS,
    Block,
    Fates,
    Means,
    Rates,
    Row,
    Sentence,
    Title,
    Wording,
    rows_of,
)
from continental_sim.words import counted, in_number

_MANY_PAYMENTS: Final = 12  # more kinds than this: the terminal has the rare ones in one line
_RARE: Final = 1e-3
_PATTERN: Final = 23  # characters of a pattern that a line of the terminal has room for
_BY_SEAT: Final[Mapping[str, Title]] = {
    "dealt": "dealt",
    "first_turn": "first turn",
    "by_first_turn": Wording("dealt or first turn", "dealt+first turn"),
    "later": "later",
    "wins": Wording("any exit", "any"),
}
_BEHAVIOUR: Final[Mapping[str, Title]] = {
    "wilds_thrown": "wilds thrown",
    "exits_declined": Wording("exits declined", "declined"),
}


def continental_blocks(summary: ContinentalSummary) -> Sequence[Block]:
    """Return the blocks of all figures of a study, in their order."""
    openings = summary.openings
    by_wilds = (Wording("wild cards:", "wild cards"), openings.by_wilds)
    return (
        blocks.ends(summary),
        _exits(summary),
        blocks.exits_by_seat(summary, _BY_SEAT),
        _payments(summary),
        blocks.ledgers(summary),
        blocks.wins(summary),
        blocks.lengths(summary),
        _hands(summary),
        blocks.sessions(summary),
        _openings(summary),
        (Fates((("distance", openings.by_distance), by_wilds)),),
        _ranks(summary),
        blocks.behaviour(_BEHAVIOUR),
    )


def _exits(summary: ContinentalSummary) -> Block:
    exits = {
        "dealt": summary.exits["dealt"],
        "first turn": summary.exits["first_turn"],
        "later": summary.exits["later"],
        "all in one suit": summary.one_suit,
        "natural (no wild card)": summary.natural,
    }
    return (Rates("Exits", OF_DEALS, rows_of(exits)),)


def _payments(summary: ContinentalSummary) -> Block:
    title = Wording("Payment by each opponent", "Each opponent's payment")
    paid = Row("payment [points]", summary.payment)
    return (
        Rates(title, OF_EXITS, _by_payment(summary)),
        Means("", [paid], "line"),  # pages have it with the lengths of deals
    )


def _by_payment(summary: ContinentalSummary) -> list[Row[Estimate] | Sentence]:
    shares = summary.payments
    rare = [paid for paid, share in shares.items() if (share.rate or 0) < _RARE]
    folded = rare if len(shares) > _MANY_PAYMENTS and len(rare) > 1 else []
    rows: list[Row[Estimate] | Sentence] = [
        Row(
            Wording(counted(paid, "point"), f"{paid:>2} {in_number(paid, 'point')}"),
            share,
            "page" if paid in folded else "both",
        )
        for paid, share in shares.items()
    ]
    if folded:
        count = sum(shares[paid].count for paid in folded)
        payments = f"{counted(len(folded), 'rarer payment')}, {folded[0]} to {folded[-1]} points"
        rows.append(Sentence(f"{payments}: {counted(count, 'exit')}"))
    return rows


def _hands(summary: ContinentalSummary) -> Block:
    rows: list[Row[Estimate] | Sentence] = [
        Row(Wording(f"fit {pattern}", formats.plain(f"fit {pattern}", _PATTERN)), share)
        for pattern, share in summary.patterns.items()
    ]
    means = []
    for name, wild, shares, mean in (
        ("deuces", _wild(summary), summary.deuces_exposed, summary.deuces),
        ("jokers", Wording("jokers", "jokers"), summary.jokers_exposed, summary.jokers),
    ):
        impossible = name in summary.impossible
        rows += [
            Row(
                Wording(f"{wild.page}: {cards}", f"{wild.line}: {cards}"),
                share,
                "page" if impossible else "both",
            )
            for cards, share in shares.items()
        ]
        if impossible:
            rows.append(Sentence(f"{wild.line}: impossible, {summary.impossible[name]}"))
        else:
            means.append(Row(wild.line, mean))
    # A page has the shares alone: they tell the means.
    return (Rates("Exposed hands", OF_EXITS, rows), Means("", means, "line"))


def _wild(summary: ContinentalSummary) -> Wording:
    """Name the wild cards other than jokers."""
    if summary.rules.wild_ranks == ("2",):
        return Wording("deuces", "deuces")
    return Wording("cards of wild ranks", "wild ranks")


def _openings(summary: ContinentalSummary) -> Block:
    openings, wild = summary.openings, _wild(summary)
    distances = {f"distance {cards}": share for cards, share in openings.distances.items()}
    title = Wording("Dealt hands by distance", "Dealt hands")
    means = [
        Row("distance", openings.distance),
        Row(Wording(f"{wild.page} dealt", f"{wild.line} dealt"), openings.deuces),
        Row("jokers dealt", openings.jokers),
    ]
    return (Rates(title, OF_HANDS, rows_of(distances)), Means(Wording("Dealt hands", ""), means))


def _ranks(summary: ContinentalSummary) -> Block:
    title = Wording("Cards laid down", "Cards in exits, of all")
    rows = [
        Row(
            Wording("jokers", "jokers") if rank == "JK" else _rank(rank, summary.rules.wild_ranks),
            share,
        )
        for rank, share in summary.ranks_exposed.items()
    ]
    return (Rates(title, Wording("of all cards of the rank in all exits", "cards"), rows),)


def _rank(rank: str, wild: Sequence[str]) -> Wording:
    """Name a rank; the rules, which pages show, say which are wild."""
    return Wording(rank, f"{rank} (wild)" if rank in wild else rank)
