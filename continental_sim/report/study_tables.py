"""The tables of the figures of a study, as pages have them."""

from collections.abc import Iterator

from continental_sim.figures import table_parts as parts
from continental_sim.figures.game_figures import GAME_FIGURES
from continental_sim.figures.summary import Summary
from continental_sim.figures.table_parts import (
    Counts,
    Fates,
    Means,
    Part,
    Rates,
    Sentence,
    on_page,
)
from continental_sim.figures.tabular import (
    Cell,
    Table,
    fate_cells,
    fates_head,
    mean_cell,
    quantile_cell,
    rate_cells,
    sd_cell,
    whole,
)
from continental_sim.language import tr


def study_tables(summary: Summary) -> list[Table]:
    """Return all figures of a study, in the order of the table on the screen."""
    return [
        _table(summary, part)
        for block in GAME_FIGURES[summary.rules.game].blocks(summary)
        for part in block
        if not (isinstance(part, Means) and part.medium == "line")
    ]


def _table(summary: Summary, part: Part) -> Table:
    match part:
        case Rates():
            return _rates_table(summary, part)
        case Means():
            return _means_table(summary, part)
        case Fates():
            return _fates_table(summary, part)
        case Counts():
            return _counts_table(summary, part)


def _rates_table(summary: Summary, rates: Rates) -> Table:
    """Return rates with their counts and intervals."""
    rows = [
        (on_page(row.label), *rate_cells(row.figure))
        for row in rates.rows
        if not isinstance(row, Sentence) and row.medium != "line"
    ]
    head = (tr("what"), tr("count"), tr(parts.RATE), parts.interval_title(summary.level))
    return Table(f"{on_page(rates.title)}, {on_page(rates.of)}", head, rows)


def _means_table(summary: Summary, means: Means) -> Table:
    """Return means with their intervals and quantiles."""
    rows = [
        (
            on_page(row.label),
            mean_cell(row.figure),
            sd_cell(row.figure),
            *(quantile_cell(row.figure, share) for share in parts.SHOWN),
        )
        for row in means.rows
        if row.medium != "line"
    ]
    quantiles = (on_page(parts.quantile_title(share)) for share in parts.SHOWN)
    head = (tr("what"), on_page(parts.mean_title(summary.level)), tr(parts.SD), *quantiles)
    return Table(on_page(means.title), head, rows)


def _fates_table(summary: Summary, fates: Fates) -> Table:
    """Return what became of dealt hands of each sort."""
    head = fates_head(tr("what"), summary.level)
    return Table(on_page(parts.fates_title()), head, [*_fates_rows(fates)])


def _fates_rows(fates: Fates) -> Iterator[tuple[Cell, ...]]:
    for sorts, each in fates.sorts:
        for sort, fate in each.items():
            yield (f"{on_page(sorts)} {sort}", *fate_cells(fate))


def _counts_table(summary: Summary, counts: Counts) -> Table:
    """Return what players did, counted over all deals."""
    head = (tr("player"), *map(on_page, counts.columns.values()))
    rows = [
        (player.label, *(whole(player.behaviour[name]) for name in counts.columns))
        for player in summary.players
    ]
    return Table(on_page(parts.counts_title()), head, rows)
