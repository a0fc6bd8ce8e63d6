"""The figures of a study as tables of text, whatever the page is made of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from continental_sim.columns import GameFiles
from continental_sim.figures import formats
from continental_sim.figures.estimates import STRUCTURAL, Estimate, Mean
from continental_sim.figures.summary import Summary
from continental_sim.rules import GameRules, rule_keys, rules_to_dict

_SHOWN = (0.05, 0.25, 0.5, 0.75, 0.95)  # quantiles


@dataclass(frozen=True, slots=True)
class Table:
    """A table of text.

    Attributes
    ----------
    title : str
        Stands above it.
    head : sequence of str
        Titles of the columns; the first column names the row.
    rows : sequence of sequence of str
    numeric : bool
        Whether all columns but the first hold numbers.
    """

    title: str
    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    numeric: bool = True


def figure_tables(summary: Summary) -> list[Table]:
    """Return all figures of a study, in the order of the table on the screen."""
    capped = formats.capped_text(summary.ends)
    players, seats = summary.players, summary.seats
    by_seat = {
        f"{title}, seat {seat.number}": getattr(seat, name)
        for name, title in (
            ("dealt", "dealt"),
            ("first_turn", "first turn"),
            ("by_first_turn", "dealt or first turn"),
            ("later", "later"),
            ("wins", "any exit"),
        )
        for seat in seats
    }
    wild = "deuces" if summary.rules.wild_ranks == ("2",) else "cards of wild ranks"
    return [
        _rates(summary, "Ends, of all deals", summary.ends),
        _rates(
            summary,
            "Exits, of all deals",
            {
                "dealt": summary.exits["dealt"],
                "first turn": summary.exits["first_turn"],
                "later": summary.exits["later"],
                "all in one suit": summary.one_suit,
                "natural (no wild card)": summary.natural,
            },
        ),
        _rates(summary, "Exits by seat, of all deals", by_seat),
        _rates(
            summary,
            "Payment by each opponent, of the exits",
            {f"{paid} points": share for paid, share in summary.payments.items()},
        ),
        _means(
            summary,
            f"Ledger, points a deal ({capped}; they pay nothing)",
            {player.label: player.ledger for player in players}
            | {f"seat {seat.number}": seat.ledger for seat in seats},
        ),
        _rates(
            summary,
            "Wins, of all deals",
            {player.label: player.wins for player in players}
            | {f"all {name}": wins for name, wins in summary.shared_strategies.items()},
        ),
        _means(
            summary,
            f"Length of a deal, and payment of an exit ({capped})",
            {
                "turns": summary.turns,
                "rounds": summary.rounds,
                "recycles": summary.recycles,
                "payment [points]": summary.payment,
            },
        ),
        _rates(summary, "Recycling, of all deals", {"at least one recycle": summary.recycled}),
        _rates(
            summary,
            "Exposed hands, of the exits",
            {f"fit {pattern}": share for pattern, share in summary.patterns.items()}
            | {f"{wild}: {cards}": share for cards, share in summary.deuces_exposed.items()}
            | {f"jokers: {cards}": share for cards, share in summary.jokers_exposed.items()},
        ),
        _means(
            summary,
            f"Sessions ({summary.sessions:,} complete ones)",
            {f"{player.label}: share won": player.session_share for player in players}
            | {f"{player.label}: ledger": player.session_ledger for player in players},
        ),
        _rates(
            summary,
            "Dealt hands by distance, of all hands",
            {f"distance {cards}": share for cards, share in summary.openings.distances.items()},
        ),
        _means(
            summary,
            "Dealt hands",
            {
                "distance": summary.openings.distance,
                f"{wild} dealt": summary.openings.deuces,
                "jokers dealt": summary.openings.jokers,
            },
        ),
        _fates(summary),
        _rates(
            summary,
            "Cards laid down, of all cards of the rank in all exits",
            {
                ("jokers" if rank == "JK" else rank): share
                for rank, share in summary.ranks_exposed.items()
            },
        ),
        Table(
            "Counted over all deals",
            ["player", *(name.replace("_", " ") for name in players[0].behaviour)],
            [
                [player.label, *(f"{count:,}" for count in player.behaviour.values())]
                for player in players
            ],
        ),
    ]


def _fates(summary: Summary) -> Table:
    level = formats.percent(summary.level)
    rows = [
        (
            f"{title} {cards}",
            f"{fate.wins.trials:,}",
            formats.rate_text(fate.wins),
            formats.interval_text(fate.wins),
            formats.mean_text(fate.own_turns),
            formats.mean_text(fate.points),
        )
        for title, fates in (
            ("distance", summary.openings.by_distance),
            ("wild cards:", summary.openings.by_wilds),
        )
        for cards, fate in fates.items()
    ]
    head = ("what", "hands", "went out", f"{level} interval", "own turns to do so", "points")
    return Table("What became of dealt hands", head, rows)


def _rates(summary: Summary, title: str, rates: Mapping[str, Estimate]) -> Table:
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


def _means(summary: Summary, title: str, means: Mapping[str, Mean]) -> Table:
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


def rules_table(rules: GameRules) -> Table:
    """Return every rule as it was played."""
    keys = rule_keys(type(rules))
    rows = [
        (name, value_of(value), keys[name].doc)
        for name, value in rules_to_dict(rules).items()
        if name in keys
    ]
    return Table("All rules", ("rule", "value", "meaning"), rows, numeric=False)


def provenance_table(manifest: Mapping[str, Any]) -> Table:
    """Return where the numbers come from: the study, and what it was played with."""
    found = {**manifest["study"], **manifest.get("stopping", {})}
    for number, segment in enumerate(manifest.get("segments", []), start=1):
        found[f"segment {number}"] = segment
    for number, run in enumerate(manifest.get("runs", []), start=1):
        found |= run if len(manifest["runs"]) == 1 else {f"run {number}": run}
    rows = [(name.replace("_", " "), value_of(value)) for name, value in _flat(found)]
    return Table("Where the numbers come from", ("what", "value"), rows, numeric=False)


def _flat(values: Mapping[str, Any], before: str = "") -> Iterable[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, Mapping):
            yield from _flat(value, f"{before}{name} ")
        else:
            yield before + name, value


def definition_tables(files: GameFiles) -> list[Table]:
    """Return what every column of every file of a game means."""
    return [
        Table(
            f"{file.name}.parquet: a row is {file.row}",
            ("column", "type", "unit", "meaning"),
            [(c.name, c.stored, c.unit, c.meaning) for c in file.columns],
            numeric=False,
        )
        for file in files.all
    ]


def value_of(value: object) -> str:
    """Write the value of a rule, or of anything else that a manifest holds."""
    if isinstance(value, list | tuple):
        return ", ".join(str(part) for part in value) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)
