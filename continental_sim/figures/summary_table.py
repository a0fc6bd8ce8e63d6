"""The text table of a study: at most 80 columns, every rate with its interval."""

import textwrap
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from continental_sim.figures import formats
from continental_sim.figures import table_parts as parts
from continental_sim.figures.estimates import STRUCTURAL, Estimate, Mean
from continental_sim.figures.game_figures import GAME_FIGURES
from continental_sim.figures.summary import Player, Summary
from continental_sim.figures.table_parts import (
    Counts,
    Fates,
    Label,
    Means,
    OfPlayer,
    Part,
    Rates,
    Sentence,
    Team,
    in_line,
)
from continental_sim.words import counted

WIDTH: Final = 80
LABEL: Final = 24
NAME: Final = 26


class _Head(str):
    """A line that titles those below."""

    __slots__ = ()


def render_table(summary: Summary, emphasise: Callable[[str], str] = str) -> str:
    """Write all figures of a study as text.

    Parameters
    ----------
    summary : Summary
        Of a study.
    emphasise : callable
        Makes a line that titles others stand out.

    Returns
    -------
    str
        Lines of at most 80 columns, without a final newline.
    """
    lines = [*_header(summary)]
    for block in GAME_FIGURES[summary.rules.game].blocks(summary):
        lines += ["", *(line for part in block for line in _lines(summary, part))]
    lines += ["", *_footer(summary)]
    return "\n".join(
        emphasise(line.rstrip()) if isinstance(line, _Head) else line.rstrip() for line in lines
    )


def header(summary: Summary) -> Iterator[str]:
    """Say what was played, each sentence whole."""
    yield from summary.header
    played = f"{counted(summary.deals, 'deal')}, {counted(summary.sessions, 'complete session')}"
    seeds = ", ".join(map(str, summary.seeds))
    yield f"{played}, seed{'s' if len(summary.seeds) > 1 else ''} {seeds}."
    if summary.ending:
        yield summary.ending


def _header(summary: Summary) -> Iterator[str]:
    """Say what was played."""
    for line in header(summary):
        yield from _wrapped(line)


def _footer(summary: Summary) -> Iterator[str]:
    """Say how to read the numbers."""
    yield from _wrapped(
        f"Intervals are two-sided, {formats.percent(summary.level)}: for rates Wilson's, where no "
        "trial or every trial was an event the exact one (Clopper-Pearson, marked), for means the "
        "normal one, by deal or session; the dealt hands of one deal count as one. q5 to q95 are "
        "quantiles: 5 % to 95 % of the values are not above them."
    )
    for note in summary.notes:
        yield from _wrapped(note)


def _lines(summary: Summary, part: Part) -> Iterable[str]:
    match part:
        case Rates():
            return _rates_lines(summary, part)
        case Means():
            return _means_lines(summary, part)
        case Fates():
            return _fates_lines(summary, part)
        case Counts():
            return _counts_lines(summary, part)


def _rates_lines(summary: Summary, rates: Rates) -> Iterator[str]:
    if title := in_line(rates.title):
        unit, interval = in_line(rates.of), parts.interval_title(summary.level)
        yield _Head(f"{title:<26}{unit:>14}{parts.RATE:>12}   {interval}")
    for row in rates.rows:
        if isinstance(row, Sentence):
            yield from _wrapped(row.text, indent=2)
        elif row.medium != "page":
            yield from _rate_lines(_name_of(summary, row.label, LABEL), row.figure)


def _rate_lines(label: str, estimate: Estimate) -> Iterator[str]:
    """Write a rate, or why it is impossible."""
    start = f"  {label:<{LABEL}}{formats.count_text(estimate.count, 14):>14}"
    if estimate.method == STRUCTURAL:
        yield f"{start}   impossible:"
        yield from _wrapped(estimate.reason, indent=6)
        return
    yield f"{start}{formats.rate_text(estimate):>12}   {formats.interval_text(estimate)}"


def _means_lines(summary: Summary, means: Means) -> Iterator[str]:
    if title := in_line(means.title):
        yield from map(_Head, _wrapped(title))
    rows = [row for row in means.rows if row.medium != "page"]
    if rows and not means.plain:
        shares = "".join(f"{parts.quantile_title(share).line:>5}" for share in parts.SHOWN)
        heading = parts.mean_title(summary.level).line
        yield f"  {'':<{NAME}}{heading:>18}{parts.SD:>8}{shares}"
    for row in rows:
        label, mean = _name_of(summary, row.label, NAME), row.figure
        if means.plain:
            yield f"  {label:<{NAME}}{formats.mean_text(mean):>24}"
        else:
            yield _mean_line(label, mean)


def _mean_line(label: str, mean: Mean) -> str:
    values = "".join(f" {formats.quantile_text(mean, share):>4}" for share in parts.SHOWN)
    return f"  {label:<{NAME}} {formats.mean_text(mean):>17} {formats.sd_text(mean):>7}{values}"


def _fates_lines(summary: Summary, fates: Fates) -> Iterator[str]:
    """Write what became of dealt hands of each sort."""
    title, turns = parts.fates_title().line, parts.own_turns_title().line
    yield _Head(f"{title:<22}{parts.WENT_OUT:>22}{turns:>16}{parts.POINTS:>18}")
    for sorts, each in fates.sorts:
        for sort, fate in each.items():
            label = f"{in_line(sorts)} {sort}"
            wins = formats.interval_text(fate.wins).removesuffix(" exact")
            turns, points = (formats.mean_text(mean) for mean in (fate.own_turns, fate.points))
            yield f"  {label:<20}{wins:>22}{turns:>16}{points:>18}"
    level = formats.percent(summary.level)
    yield from _wrapped(
        f"Own turns are those of hands that went out. All with {level} intervals.", indent=2
    )


def _counts_lines(summary: Summary, counts: Counts) -> Iterator[str]:
    columns = {name: in_line(title) for name, title in counts.columns.items() if in_line(title)}
    titles = "".join(f"{title:>14}" for title in columns.values())
    yield _Head(f"{parts.counts_title().line:<24}{titles}")
    for player in summary.players:
        numbers = (formats.count_text(player.behaviour[name], 14) for name in columns)
        yield f"  {_name_of(summary, player, 22):<22}" + "".join(f"{text:>14}" for text in numbers)


def _name_of(summary: Summary, label: Label, width: int) -> str:
    """Write a name in a width; the names of strategies are cut, and stay distinct."""
    match label:
        case Player():
            return formats.player_label(label.strategy, label.number, width - 1)
        case OfPlayer():
            return _name_of(summary, label.player, width)
        case Team():
            return _team_name(summary, label, width)
    return in_line(label)


def _team_name(summary: Summary, team: Team, width: int) -> str:
    lineup = [player.strategy for player in summary.players]
    names = formats.short_names(summary.shared_strategies, width - 1 - len(" (99 players)"))
    return f"{names[team.strategy]} ({counted(lineup.count(team.strategy), 'player')})"


def _wrapped(text: str, indent: int = 0) -> list[str]:
    """Break a text into lines."""
    return textwrap.wrap(
        text, WIDTH, initial_indent=" " * indent, subsequent_indent=" " * (indent or 2)
    )
