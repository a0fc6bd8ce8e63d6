"""Tables of a study: described once, drawn in the terminal and on pages."""

from dataclasses import replace

import numpy as np
import pytest

from continental_sim.figures.estimates import mean_of, proportion
from continental_sim.figures.game_figures import GAME_FIGURES
from continental_sim.figures.stats import summarise
from continental_sim.figures.summary_table import render_table
from continental_sim.figures.table_parts import (
    Counts,
    Means,
    OfPlayer,
    Rates,
    Row,
    Sentence,
    Team,
    Wording,
    of_exits,
)
from continental_sim.files.store import StoredStudy
from continental_sim.report.study_tables import study_tables
from continental_sim.rules import ContinentalRules
from tests.fakes import LINEUP, fake_cubes, fake_manifest, fake_outcomes

RULES = ContinentalRules()
CUBES = fake_cubes(RULES, fake_outcomes(RULES, 400))
SUMMARY = summarise(StoredStudy(None, fake_manifest(RULES, LINEUP, 400), RULES, LINEUP, CUBES))
HALF, THIRD = proportion(50, 100, 0.95), proportion(33, 100, 0.95)
MEAN = mean_of(np.arange(3), np.ones(3, np.int64), 0.95)


@pytest.fixture
def drawn(monkeypatch):
    """Draw parts of a block: the lines of the terminal, and the tables of the page."""

    def draw(*parts):
        described = replace(GAME_FIGURES[RULES.game], blocks=lambda _: [parts])
        monkeypatch.setitem(GAME_FIGURES, RULES.game, described)
        _, block, _ = render_table(SUMMARY).split("\n\n")
        return block.split("\n"), study_tables(SUMMARY)

    return draw


def test_rates_in_two_widths(drawn):
    rows = [
        Row("alike", HALF),
        Row(Wording("said at length", "short"), THIRD),
        Row("rare", THIRD, "page"),
        Sentence("1 rarer kind"),
    ]
    lines, (table,) = drawn(Rates(Wording("How exits come", "Exits"), of_exits(), rows))
    assert [line.split()[0] for line in lines] == ["Exits", "alike", "short", "1"]
    assert lines[0].split()[1:4] == ["of", "exits", "rate"]
    assert lines[1].split()[1:3] == ["50", "0.500"]
    assert table.title == "How exits come, of the exits"
    assert table.head == ("what", "count", "rate", "95 % interval")
    assert [row[0] for row in table.rows] == ["alike", "said at length", "rare"]
    assert [str(cell) for cell in table.rows[0][1:3]] == ["50", "0.500"]


def test_means_in_two_widths(drawn):
    first = SUMMARY.players[0]
    shown = Means(
        Wording("Shares of sessions", ""),
        [Row(OfPlayer(first, "share"), MEAN), Row("all", MEAN, "line"), Row("more", MEAN, "page")],
    )
    lines, (table,) = drawn(shown, Means("", [Row("hidden", MEAN)], "line"))
    assert lines[0].split() == ["mean", "(95", "%)", "sd", "q5", "q25", "q50", "q75", "q95"]
    assert lines[1].startswith("  fastest (player 0)       ")
    assert [line.split()[0] for line in lines] == ["mean", "fastest", "all", "mean", "hidden"]
    assert table.title == "Shares of sessions"
    assert table.head[1:4] == ("mean (95 % interval)", "sd", "5 % quantile")
    assert [row[0] for row in table.rows] == ["fastest (player 0): share", "more"]


def test_columns_and_teams_in_two_widths(drawn):
    columns = {"deals": Wording("deals", ""), "turns": "turns"}
    teams = Rates("Wins", of_exits(), [Row(Team("fastest"), HALF)])
    lines, (_, counted) = drawn(teams, Counts(columns))
    assert lines[1].startswith("  fastest (2 players)")
    assert lines[2].split() == ["Counted", "turns"]
    assert counted.head == ("player", "deals", "turns")
    assert [len(row) for row in counted.rows] == [3] * RULES.seats
