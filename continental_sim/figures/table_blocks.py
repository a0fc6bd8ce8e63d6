"""The blocks of the tables of a study that all games have."""

from collections.abc import Mapping, Sequence

from continental_sim.figures.formats import capped_text
from continental_sim.figures.summary import Summary
from continental_sim.figures.table_parts import (
    OF_DEALS,
    Block,
    Counts,
    FigureT,
    Means,
    OfPlayer,
    Rates,
    Row,
    Team,
    Title,
    Wording,
    rows_of,
)


def ends(summary: Summary) -> Block:
    """Tell how deals end."""
    words = {"drawn": summary.words.drawn}
    ends = {words.get(name, name): end for name, end in summary.ends.items()}
    return (Rates("Ends", OF_DEALS, rows_of(ends)),)


def exits_by_seat(summary: Summary, titles: Mapping[str, Title]) -> Block:
    """Tell of exits by seat: the fields of a seat, and their titles."""
    rows = [
        Row(_of_seat(title, seat.number), getattr(seat, name))
        for name, title in titles.items()
        for seat in summary.seats
    ]
    return (Rates(Wording("Exits by seat", "Exits by seat (0 is first)"), OF_DEALS, rows),)


def _of_seat(title: Title, seat: int) -> Title:
    of_seat = f", seat {seat}"
    if isinstance(title, Wording):
        return Wording(title.page + of_seat, title.line + of_seat)
    return title + of_seat


def ledgers(summary: Summary) -> Block:
    """Tell what players and seats have of a deal."""
    capped, pay = capped_text(summary.ends), summary.words.pay
    title = Wording(
        f"Ledger, points a deal ({capped}; they {pay} nothing)",
        f"Ledger [points a deal]; {capped} ({pay} 0)",
    )
    rows = [Row(player, player.ledger) for player in summary.players]
    seats = {f"seat {seat.number}": seat.ledger for seat in summary.seats}
    return (Means(title, [*rows, *rows_of(seats)]),)


def wins(summary: Summary) -> Block:
    """Tell who wins."""
    rows = [Row(player, player.wins) for player in summary.players]
    return (Rates("Wins", OF_DEALS, [*rows, *teams(summary, summary.shared_strategies)]),)


def teams(summary: Summary, figures: Mapping[str, FigureT]) -> Sequence[Row[FigureT]]:
    """Return a row for each strategy, if any has several players."""
    return [Row(Team(strategy), figures[strategy]) for strategy in summary.shared_strategies]


def lengths(summary: Summary) -> Block:
    """Tell how long deals are."""
    capped, paid = capped_text(summary.ends), summary.words.paid
    title = Wording(
        f"Length of a deal, and {paid} of an exit ({capped})", f"Length of a deal; {capped}"
    )
    rows = rows_of({"turns": summary.turns, "rounds": summary.rounds, "recycles": summary.recycles})
    recycled = Wording("at least one recycle", "deals with a recycle")
    return (
        # The terminal has what an exit brings below the shares of each payment or score.
        Means(title, [*rows, Row(f"{paid} [points]", summary.payment, "page")]),
        Rates(Wording("Recycling", ""), OF_DEALS, [Row(recycled, summary.recycled)]),
    )


def sessions(summary: Summary) -> Block:
    """Tell who wins sessions."""
    title = Wording(
        f"Sessions ({summary.sessions:,} complete ones)",
        f"Sessions: share of {summary.sessions:,} won (m tied leaders: 1/m each)",
    )
    players = summary.players
    shares = [Row(OfPlayer(player, "share won"), player.session_share) for player in players]
    # A session's ledger says no more than that of a deal: a page has room for both.
    ledgers = [Row(OfPlayer(player, "ledger"), player.session_ledger, "page") for player in players]
    return (Means(title, [*shares, *ledgers], plain=True),)


def behaviour(own: Mapping[str, Title]) -> Block:
    """Tell what players did: what all games count, and a game's own, with titles."""
    shared: Mapping[str, Title] = {
        "deals": Wording("deals", ""),  # the same for all, and the terminal has said how many
        "turns": "turns",
        "upcards_taken": "upcards taken",
    }
    return (Counts({**shared, **own}),)
