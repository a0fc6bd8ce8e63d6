"""The blocks of the tables of a study of Continental."""

from collections.abc import Mapping, Sequence
from typing import Final

from continental_sim.figures import formats
from continental_sim.figures import table_blocks as blocks
from continental_sim.figures.continental_summary import ContinentalSummary
from continental_sim.figures.estimates import Estimate
from continental_sim.figures.table_parts import (
    Block,
    Fates,
    Means,
    Rates,
    Row,
    Sentence,
    Title,
    Wording,
    of_deals,
    of_exits,
    of_hands,
    rows_of,
)
from continental_sim.language import tr
from continental_sim.words import counted, in_number

_MANY_PAYMENTS: Final = 12  # more kinds than this: the terminal has the rare ones in one line
_RARE: Final = 1e-3
_PATTERN: Final = 23  # characters of a pattern that a line of the terminal has room for


def continental_blocks(summary: ContinentalSummary) -> Sequence[Block]:
    """Return the blocks of all figures of a study, in their order."""
    openings = summary.openings
    by_wilds = (Wording(tr("wild cards:"), "wild cards"), openings.by_wilds)
    by_seat: Mapping[str, Title] = {
        "dealt": tr("dealt"),
        "first_turn": tr("first turn"),
        "by_first_turn": Wording(tr("dealt or first turn"), "dealt+first turn"),
        "later": tr("later"),
        "wins": Wording(tr("any exit"), "any"),
    }
    behaviour: Mapping[str, Title] = {
        "wilds_thrown": tr("wilds thrown"),
        "exits_declined": Wording(tr("exits declined"), "declined"),
    }
    return (
        blocks.ends(summary),
        _exits(summary),
        blocks.exits_by_seat(summary, by_seat),
        _payments(summary),
        blocks.ledgers(summary),
        blocks.wins(summary),
        blocks.lengths(summary),
        _hands(summary),
        blocks.sessions(summary),
        _openings(summary),
        (Fates(((tr("distance"), openings.by_distance), by_wilds)),),
        _ranks(summary),
        blocks.behaviour(behaviour),
    )


def _exits(summary: ContinentalSummary) -> Block:
    exits = {
        tr("dealt"): summary.exits["dealt"],
        tr("first turn"): summary.exits["first_turn"],
        tr("later"): summary.exits["later"],
        tr("all in one suit"): summary.one_suit,
        tr("natural (no wild card)"): summary.natural,
    }
    return (Rates(tr("Exits"), of_deals(), rows_of(exits)),)


def _payments(summary: ContinentalSummary) -> Block:
    title = Wording(tr("Payment by each opponent"), "Each opponent's payment")
    paid = Row("payment [points]", summary.payment)
    return (
        Rates(title, of_exits(), _by_payment(summary)),
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
        Row(
            Wording(
                tr("fit {pattern}", pattern=pattern), formats.plain(f"fit {pattern}", _PATTERN)
            ),
            share,
        )
        for pattern, share in summary.patterns.items()
    ]
    means = []
    for name, wild, shares, mean in (
        (
            "deuces",
            _wild(summary, tr("deuces"), tr("cards of wild ranks")),
            summary.deuces_exposed,
            summary.deuces,
        ),
        ("jokers", Wording(tr("jokers"), "jokers"), summary.jokers_exposed, summary.jokers),
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
    return (Rates(tr("Exposed hands"), of_exits(), rows), Means("", means, "line"))


def _wild(summary: ContinentalSummary, deuces: str, others: str) -> Wording:
    """Choose the words for the wild cards other than jokers."""
    if summary.rules.wild_ranks == ("2",):
        return Wording(deuces, "deuces")
    return Wording(others, "wild ranks")


def _openings(summary: ContinentalSummary) -> Block:
    openings = summary.openings
    wild = _wild(summary, tr("deuces dealt"), tr("cards of wild ranks dealt"))
    distances = {
        tr("distance {cards}", cards=cards): share for cards, share in openings.distances.items()
    }
    title = Wording(tr("Dealt hands by distance"), "Dealt hands")
    means = [
        Row(tr("distance"), openings.distance),
        Row(Wording(wild.page, f"{wild.line} dealt"), openings.deuces),
        Row(tr("jokers dealt"), openings.jokers),
    ]
    return (
        Rates(title, of_hands(), rows_of(distances)),
        Means(Wording(tr("Dealt hands"), ""), means),
    )


def _ranks(summary: ContinentalSummary) -> Block:
    title = Wording(tr("Cards laid down"), "Cards in exits, of all")
    rows = [
        Row(
            Wording(tr("jokers"), "jokers")
            if rank == "JK"
            else _rank(rank, summary.rules.wild_ranks),
            share,
        )
        for rank, share in summary.ranks_exposed.items()
    ]
    return (Rates(title, Wording(tr("of all cards of the rank in all exits"), "cards"), rows),)


def _rank(rank: str, wild: Sequence[str]) -> Wording:
    """Name a rank; the rules, which pages show, say which are wild."""
    return Wording(rank, f"{rank} (wild)" if rank in wild else rank)
