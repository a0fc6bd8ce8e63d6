"""The page of a comparison of strategies: who is better, by how much, and how to play it again."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import tomli_w

from continental_sim.comparing.duel_plots import duel_charts
from continental_sim.comparing.duels import Duels
from continental_sim.comparing.duels_table import (
    ahead_cell,
    chance_text,
    duel_sentence,
    ended_sentences,
    game_sentences,
    measured_cell,
    no_exit_sentences,
    places_text,
    ranking_sentence,
)
from continental_sim.comparing.metagame import find_metagame
from continental_sim.comparing.reading import read_duels
from continental_sim.errors import typed
from continental_sim.figures import formats
from continental_sim.figures.tabular import Number, Table, whole
from continental_sim.files.manifest import COMPARISON, read_manifest
from continental_sim.language import marked, numeral, tr
from continental_sim.report.game_report import Often
from continental_sim.report.games import GAME_REPORTS
from continental_sim.report.pages import kept_beside, write_pages
from continental_sim.report.tables import provenance_table, rules_table
from continental_sim.rules import describe, rules_from_dict, rules_to_dict
from continental_sim.words import counted

_RULES: Final = "rules.toml"  # beside a page
# What players of all games do, before and after what they do in one of them.
_UPCARDS: Final = {marked("upcards taken in {times} turns"): Often("upcards_taken", "turns", 100)}
_TURNS: Final = {marked("own turns a deal"): Often("turns", "deals", 1)}


def write_comparison_report(directory: Path, target: Path, level: float | None = None) -> Path:
    """Draw a comparison and write a page around the charts.

    Parameters
    ----------
    directory : Path
        That `contsim compare --out` made.
    target : Path
        As `write_pages` takes it. It gets the comparison and the manifests of its studies, too.
    level : float or None
        Confidence level of all intervals; that of the comparison if None.

    Returns
    -------
    Path
        The HTML page.

    Raises
    ------
    ContsimError
        If a study cannot be read or the page cannot be written.
    """
    found = read_duels(directory, level)
    places = [seated.directory for seated in found.comparison.lineups]
    manifest = read_manifest(directory / places[0])
    game = find_metagame(found)
    sentences = [duel_sentence(each, found) for each in found.pairs]
    rules = rules_from_dict(manifest["rules"])
    return write_pages(
        target,
        COMPARISON,
        {
            **kept_beside(directory, COMPARISON, places),
            _RULES: tomli_w.dumps(rules_to_dict(rules)).encode(),
        },
        "compare",
        {
            "title": tr(
                "{game}, compared: {name}", game=tr(rules.title), name=directory.resolve().name
            ),
            "header": [*_header(found), *describe(rules)],
            "sentences": [
                ranking_sentence(found),
                *no_exit_sentences(found),
                *sentences,
                *([] if game is None else game_sentences(game)),
            ],
            "figures": [
                _standings(found),
                _pairs(found),
                _behaviour(found),
                _packs(found, directory),
            ],
            "command": found.comparison.command("NEW", _RULES),
            "words": found.words,
            "rules": rules_table(rules),
            "provenance": provenance_table(manifest),
        },
        duel_charts(found, game),
    )


def _header(found: Duels) -> Iterator[str]:
    comparison = found.comparison
    yield tr("Which of {strategies} is better?", strategies=formats.listed(comparison.compared))
    yield tr(
        "{packs} of each of {lineups}, dealt again in balanced seatings: {deals}, seed {seed}, "
        "{level} intervals.",
        packs=counted(found.packs, "pack"),
        lineups=counted(len(comparison.lineups), "line-up"),
        deals=counted(found.deals, "deal"),
        seed=comparison.seed,
        level=formats.percent(round(found.level, 4)),
    )
    yield from ended_sentences(found)
    if found.going_on:
        yield tr("Go on with {command}", command=found.going_on)


def _standings(found: Duels) -> Table:
    head = (
        *(tr("strategy"), tr("place"), tr("points a deal"), tr("share of deals won")),
        *(tr(found.words.paid), tr("rounds")),
    )
    rows = [
        (
            each.strategy,
            places_text(each),
            *map(measured_cell, (each.ledger, each.wins, each.payment, each.rounds)),
        )
        for each in found.standings
    ]
    return Table(tr("Standings"), head, rows)


def _pairs(found: Duels) -> Table:
    head = (
        *(tr("pair"), tr("points ahead a deal"), tr("chance, Holm"), tr("plain deals")),
        tr("seatings save"),
    )
    rows = [
        (
            f"{each.one} - {each.other}",
            ahead_cell(each),
            "-" if each.even else Number(chance_text(each.adjusted), each.adjusted),
            "-" if each.plain_deals is None else whole(each.plain_deals),
            "-" if each.gain is None else _times(each.gain),
        )
        for each in found.pairs
    ]
    return Table(tr("Pairs"), head, rows)


def _behaviour(found: Duels) -> Table:
    """Say what each strategy does, in a hundred of its turns and a thousand of its deals."""
    columns = {**_UPCARDS, **GAME_REPORTS[found.rules.game].behaviour, **_TURNS}
    rows, counted_by = [], columns.values()
    for standing in found.standings:
        sums: Counter[str] = Counter()
        for table in found.tables:
            for player in table.players.get(standing.strategy, ()):
                names = table.cubes.files.behaviour_sums
                sums.update(dict(zip(names, table.cubes.behaviour[player].tolist(), strict=True)))
        rows.append(
            (
                standing.strategy,
                *(
                    Number(numeral(f"{often:.2f}"), often)
                    for name, per, times in counted_by
                    for often in (times * sums[name] / max(sums[per], 1),)
                ),
            )
        )
    titles = (tr(what, times=formats.count(often.times)) for what, often in columns.items())
    head = (tr("strategy"), *titles)
    return Table(tr("What they do"), head, rows)


def _times(gain: float) -> Number:
    return Number(tr("{times} x", times=formats.number(gain, 1)), gain)


def _packs(found: Duels, directory: Path) -> Table:
    """List, for each pair, the packs that were the best and the worst for the one."""
    rows = []
    for pair in found.pairs:
        table = next((each for each in found.tables if each.has(pair.one, pair.other)), None)
        if table is None or pair.even:
            continue
        place = found.comparison.lineups[found.tables.index(table)].directory
        for words, (points, session) in zip(
            (tr("best"), tr("worst")), table.extremes(pair.one, pair.other), strict=True
        ):
            first = session * table.session
            rows.append(
                (
                    f"{pair.one} - {pair.other}, {words}",
                    formats.number(points, 2),
                    tr("{first} to {last}", first=first, last=first + table.session - 1),
                    f"contsim replay {typed(directory / place)} --deal {first}",
                )
            )
    head = (*(tr("pair"), tr("points ahead a deal"), tr("deals"), tr("replay the first of them")),)
    return Table(tr("Best and worst packs"), head, rows, numeric=False)
