"""The blocks of the tables of a study that all games have."""

from collections.abc import Mapping, Sequence

from continental_sim.figures.estimates import Estimate
from continental_sim.figures.formats import capped_text, count
from continental_sim.figures.summary import Summary
from continental_sim.figures.table_parts import (
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
    in_line,
    of_deals,
    on_page,
    rows_of,
)
from continental_sim.language import tr


def ends(summary: Summary) -> Block:
    """Tell how deals end."""
    return (Rates(tr("Ends"), of_deals(), rows_of(ends_of(summary))),)


def ends_of(summary: Summary) -> Mapping[str, Estimate]:
    """Return the ends of deals by what the game calls them."""
    words = {"exit": tr("exit"), "drawn": tr(summary.words.drawn), "capped": tr("capped")}
    return {words[name]: end for name, end in summary.ends.items()}


def exits_by_seat(summary: Summary, titles: Mapping[str, Title]) -> Block:
    """Tell of exits by seat: the fields of a seat, and their titles."""
    rows = [
        Row(_of_seat(title, seat.number), getattr(seat, name))
        for name, title in titles.items()
        for seat in summary.seats
    ]
    return (Rates(Wording(tr("Exits by seat"), "Exits by seat (0 is first)"), of_deals(), rows),)


def _of_seat(title: Title, seat: int) -> Title:
    page = tr("{what}, seat {seat}", what=on_page(title), seat=seat)
    return Wording(page, f"{in_line(title)}, seat {seat}")


def ledgers(summary: Summary) -> Block:
    """Tell what players and seats have of a deal."""
    capped, pay = capped_text(summary.ends), summary.words.pay
    title = Wording(
        tr("Ledger, points a deal ({capped}; they {pay} nothing)", capped=capped, pay=tr(pay)),
        f"Ledger [points a deal]; {capped} ({pay} 0)",
    )
    rows = [Row(player, player.ledger) for player in summary.players]
    seats = {tr("seat {number}", number=seat.number): seat.ledger for seat in summary.seats}
    return (Means(title, [*rows, *rows_of(seats)]),)


def wins(summary: Summary) -> Block:
    """Tell who wins."""
    rows = [Row(player, player.wins) for player in summary.players]
    return (Rates(tr("Wins"), of_deals(), [*rows, *teams(summary, summary.shared_strategies)]),)


def teams(summary: Summary, figures: Mapping[str, FigureT]) -> Sequence[Row[FigureT]]:
    """Return a row for each strategy, if any has several players."""
    return [Row(Team(strategy), figures[strategy]) for strategy in summary.shared_strategies]


def lengths(summary: Summary) -> Block:
    """Tell how long deals are."""
    capped, paid = capped_text(summary.ends), tr(summary.words.paid)
    title = Wording(
        tr("Length of a deal, and {paid} of an exit ({capped})", paid=paid, capped=capped),
        f"Length of a deal; {capped}",
    )
    means = {
        tr("turns"): summary.turns,
        tr("rounds"): summary.rounds,
        tr("recycles"): summary.recycles,
    }
    recycled = Wording(tr("at least one recycle"), "deals with a recycle")
    return (
        # The terminal has what an exit brings below the shares of each payment or score.
        Means(
            title,
            [*rows_of(means), Row(tr("{paid} [points]", paid=paid), summary.payment, "page")],
        ),
        Rates(Wording(tr("Recycling"), ""), of_deals(), [Row(recycled, summary.recycled)]),
    )


def sessions(summary: Summary) -> Block:
    """Tell who wins sessions."""
    title = Wording(
        tr("Sessions ({number} complete ones)", number=count(summary.sessions)),
        f"Sessions: share of {summary.sessions:,} won (m tied leaders: 1/m each)",
    )
    players = summary.players
    shares = [Row(OfPlayer(player, tr("share won")), player.session_share) for player in players]
    # A session's ledger says no more than that of a deal: a page has room for both.
    ledgers = [
        Row(OfPlayer(player, tr("ledger")), player.session_ledger, "page") for player in players
    ]
    return (Means(title, [*shares, *ledgers], plain=True),)


def behaviour(own: Mapping[str, Title]) -> Block:
    """Tell what players did: what all games count, and a game's own, with titles."""
    shared: Mapping[str, Title] = {
        # The same for all, and the terminal has said how many.
        "deals": Wording(tr("deals"), ""),
        "turns": tr("turns"),
        "upcards_taken": tr("upcards taken"),
    }
    return (Counts({**shared, **own}),)
