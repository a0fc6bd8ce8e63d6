"""The page of a comparison."""

import re
import shlex

import numpy as np
import pytest

from continental_sim.cli.entry import main
from continental_sim.comparing.metagame import _covariance
from continental_sim.comparing.reading import read_duels
from continental_sim.strategy import find_strategy


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    here = tmp_path_factory.mktemp("report")
    (here / "a<b>.py").write_text(find_strategy("fastest").text, encoding="utf-8")
    line = [str(here / "a<b>.py"), "stock", "--all", "--seats", "3", "--set", "jokers=4"]
    out = str(here / "compared")
    assert main(["compare", *line, "--deals", "60", "--seed", "6", "--out", out]) == 0
    assert main(["report", out, "--out", str(here / "page")]) == 0
    return here


def test_the_page_tells_who_is_better(place):
    page = (place / "page" / "report.html").read_text(encoding="utf-8")
    assert "a<b>" not in page  # a name is text, never a tag
    assert "a&lt;b&gt;" in page
    for words in ("All places are separated", "A mixture that nobody can beat", "Holm"):
        assert words in page
    assert 2 * page.count("<figure") == page.count("<svg") == 10
    assert not re.search(r"(src|href)=\"https?:", page)
    assert {path.name for path in (place / "page" / "charts").glob("*.png")} == {
        f"{name}.png" for name in ("points", "leads", "payments", "lengths", "company")
    }


def test_the_markdown_has_the_figures_of_the_comparison(place):
    page = (place / "page" / "report.md").read_text(encoding="utf-8")
    found = read_duels(place / "compared")
    for standing in found.standings:
        assert f"{standing.ledger.value:.2f}" in page
    (pair,) = found.pairs
    assert f"| {pair.plain_deals:,} | {pair.gain:.1f} x |" in page
    turns = sum(int(table.cubes.behaviour[:, 1].sum()) for table in found.tables)
    assert turns > 0
    assert "0.00 | 0.00 | 0.00" in page.split("**What they do**")[1]  # `stock` takes no upcards


def test_the_best_pack_replays(place, capsys):
    page = (place / "page" / "report.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if "contsim replay" in line)
    command = re.search(r"contsim replay (.*?) *\|", row)[1].replace("\\", "")
    words = shlex.split(command)
    assert words[0].startswith(str(place / "compared" / "table-"))
    capsys.readouterr()
    assert main(["replay", *words]) == 0
    assert capsys.readouterr().out.startswith(f"Deal {words[-1]} of seed")


def test_the_same_comparison_can_be_played_from_the_page(place, capsys, monkeypatch):
    page = (place / "page" / "report.md").read_text(encoding="utf-8")
    line = next(line for line in page.splitlines() if line.startswith("contsim compare"))
    monkeypatch.chdir(place / "page")
    capsys.readouterr()
    assert main([*shlex.split(line)[1:-1], str(place / "again"), "--json"]) == 0
    again, found = read_duels(place / "again"), read_duels(place / "compared")
    assert again.pairs == found.pairs
    assert again.standings == found.standings


@pytest.mark.parametrize(
    "line",
    [
        ("extend", "compared", "--deals", "3000"),
        ("run", "--resume", "compared"),
        ("replay", "compared", "--deal", "3"),
    ],
)
def test_a_comparison_is_not_taken_for_a_study(place, capsys, monkeypatch, line):
    monkeypatch.chdir(place)
    capsys.readouterr()
    assert main([*line]) == 2
    assert "compared holds a comparison; its studies are compared/table-1, compared" in " ".join(
        capsys.readouterr().err.split()
    )


def test_another_report_is_not_written_over(place, capsys):
    (place / "other").mkdir(exist_ok=True)
    (place / "other" / "mine.txt").write_text("mine", encoding="utf-8")
    assert main(["report", str(place / "compared"), "--out", str(place / "other")]) == 2
    assert "is there already" in capsys.readouterr().err


def test_the_best_and_the_worst_pack_are_those_of_the_file(place):
    found = read_duels(place / "compared")
    (pair,) = found.pairs
    for table in found.tables:
        rows = table.cubes.duels[table.cubes.duels["player"] < table.cubes.duels["opponent"]]
        first, second = dict.fromkeys(table.lineup)
        scale = table.session * 2  # one of the two has two players
        ends = [rows["lead"].max() / scale, rows["lead"].min() / scale]
        assert [points for points, _ in table.extremes(first, second)] == pytest.approx(ends)
        assert [-points for points, _ in table.extremes(second, first)] == pytest.approx(ends[::-1])
        for points, pack in table.extremes(first, second):
            (row,) = rows[np.isclose(rows["lead"] / scale, points)]
            assert row["first_session"] == pack
    assert {pair.one, pair.other} == set(found.tables[0].lineup)


def test_points_only_change_hands(place):
    # What all players of a table earn is nothing, so the covariances add up to nothing, too.
    found = read_duels(place / "compared")
    for table in found.tables:
        here = list(table.players)
        players = np.array([len(table.players[name]) for name in here])
        covariance = _covariance(table, here)
        assert covariance.diagonal().min() > 0
        assert covariance @ players == pytest.approx(np.zeros(len(here)), abs=1e-9)


def test_the_curve_of_lengths_ends_at_the_share_of_wins(place):
    """By the last round everything is won that a player has won at all."""
    found = read_duels(place / "compared")
    for standing in found.standings:
        shares = []
        for table in found.tables:
            if not table.has(standing.strategy):
                continue
            by_round = table.won_by(standing.strategy, 1000)
            share = np.array([each.value for each in by_round])
            assert (np.diff(share) >= 0).all()
            assert share[0] < share[-1]
            wins = table.wins(standing.strategy)
            assert share[-1] == pytest.approx(wins.value)
            assert by_round[-1].error == pytest.approx(wins.error)
            assert by_round[-1].freedom == wins.freedom
            exits = table.exits(standing.strategy)
            early = exits[exits["turns"] <= 2 * table.seats]["count"].sum()
            players = len(table.players[standing.strategy])
            assert share[1] == pytest.approx(early / table.deals / players)
            shares.append(share[-1])
        assert np.mean(shares) == pytest.approx(standing.wins.value)
