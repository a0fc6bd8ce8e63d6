"""Pages of a what-if question: complete, in the house style, made of files alone."""

import json
import re

import pytest

from continental_sim.cli import main
from continental_sim.comparing.answers import read_answers
from continental_sim.comparing.difference_plots import difference_chart, difference_charts
from continental_sim.errors import ContsimError
from continental_sim.figures.plot_style import BLUE, GREY
from continental_sim.report import write_report
from tests.unit.test_report import Page

ASKED = (
    *("whatif", "--set", "max_rounds=3", "--set", "recycles=100", "--grid", "jokers=6"),
    *("--deals", "2000", "--seed", "4", "-q", "--level", "0.9"),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    place = tmp_path_factory.mktemp("asked")
    assert main([*ASKED, "--out", str(place / "w")]) == 0
    return place


@pytest.fixture(scope="module")
def report(place):
    return write_report(place / "w", place / "out").parent


def test_a_page_has_question_answers_table_charts_and_the_way_back(report):
    page = Page((report / "report.html").read_text())
    text = " ".join("".join(page.texts).split())
    assert "What changes with max_rounds=3, recycles=100 or jokers=6?" in text
    assert "With recycles=100: nothing changes beyond error." in text
    assert "more capped deals" in text
    assert "difference (90 %, unpaired)" in text
    assert "contsim whatif --rules continental --set max_rounds=3 --set recycles=100" in text
    assert "--seed 4 --level 0.9 --out NEW" in text
    assert "contsim run studies/jokers=6.toml --records --out NEW/jokers=6" in text
    drawn = [attributes for tag, attributes in page.elements if tag == "svg"]
    assert len(drawn) == 2 * len(list(report.glob("charts/difference-*.png"))) > 10
    assert all(len(attributes["aria-label"]) > 40 for attributes in drawn)
    markdown = (report / "report.md").read_text()
    assert "With recycles=100: nothing changes beyond error." in markdown
    assert set(re.findall(r"\]\((.*\.png)\)", markdown)) == {
        f"charts/{path.name}" for path in report.glob("charts/*.png")
    }


def test_verdicts_are_those_of_the_answer(place, report, capsys):
    line = [*ASKED, "--out", str(place / "w"), "--json"]
    assert main(line) == 0
    found = json.loads(capsys.readouterr().out)
    text = (report / "report.md").read_text()
    words = "differs|within error|same in every deal|impossible|nothing to compare"
    verdicts = re.findall(rf"\| ({words}) \|$", text, re.MULTILINE)
    clear = [figure["clear"] for each in found["variants"] for figure in each["figures"]]
    assert [verdict == "differs" for verdict in verdicts] == clear
    assert {True, False} == set(clear)


def test_charts_draw_every_interval_round_zero(place):
    answers = read_answers(place / "w").each
    names = [each.figure.name for each in answers[0].differences]
    chart = difference_chart(answers, names.index("turns"), 0.9)
    (axes,) = chart.figure.axes
    # Lines from low to high: recycles=100 is the same in every deal and has none.
    lines = [each.get_segments()[0][:, 0].tolist() for each in axes.collections]
    turns = [answer.differences[names.index("turns")] for answer in answers]
    assert lines == [[each.low, each.high] for each in turns if each.low is not None]
    assert len(lines) == 2
    low, high = axes.get_xlim()
    assert low < 0 < high
    marks = [line for line in axes.get_lines() if line.get_marker() in {"o", "s"}]
    assert [mark.get_marker() for mark in marks] == ["o", "s"]
    assert {mark.get_color() for mark in marks} <= {BLUE, GREY}
    assert "max_rounds=3" in chart.alt
    assert "recycles=100 same in every deal" in chart.alt


def test_figures_that_nothing_can_change_are_not_drawn(place):
    answers = read_answers(place / "w").each
    drawn = {chart.name for chart in difference_charts(answers, 0.9)}
    assert "difference-ends-drawn" not in drawn
    assert {"difference-turns", "difference-payment", "difference-wins_by_seat-0"} < drawn


def test_the_same_question_gives_the_same_bytes(place, report):
    again = write_report(place / "w", place / "again").parent
    for path in report.rglob("*.*"):
        assert (again / path.relative_to(report)).read_bytes() == path.read_bytes(), path


def test_a_level_of_ones_own_is_used(place):
    mine, wide = (read_answers(place / "w", level).each[0] for level in (None, 0.999))
    widths = [each.differences[-1].high - each.differences[-1].low for each in (mine, wide)]
    assert widths[0] < widths[1] / 1.9


def test_a_report_of_something_else_is_not_overwritten(place, report, tmp_path):
    (tmp_path / "mine").write_text("not to be lost")
    for out in (report, tmp_path):
        with pytest.raises(ContsimError, match="is no report of this"):
            write_report(place / "w" / "baseline", out)
    with pytest.raises(ContsimError, match="is no report of this"):
        write_report(place / "w", tmp_path)


def test_a_question_that_is_not_played_to_its_end_says_how_to_go_on(place, tmp_path, capsys):
    assert main([*ASKED, "--out", str(tmp_path / "w")]) == 0
    (tmp_path / "w" / "jokers=6" / "manifest.toml").unlink()
    capsys.readouterr()
    assert main(["report", str(tmp_path / "w"), "--out", str(tmp_path / "r")]) == 2
    error = capsys.readouterr().err
    assert "is unfinished, jokers=6 is not played to its end: go on with contsim whatif" in error
    assert error.count("\n") == 1
    assert not (tmp_path / "r").exists()


@pytest.mark.parametrize("command", ["show", "report"])
def test_a_report_is_not_taken_for_the_question(report, tmp_path, capsys, monkeypatch, command):
    monkeypatch.chdir(tmp_path)
    assert main([command, str(report)]) == 2
    assert capsys.readouterr().err == (
        f"contsim: {report} is the report of a what-if, without its studies: name the directory "
        "that contsim whatif made\n"
    )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "line",
    [
        ("extend", "w", "--deals", "3000"),
        ("merge", "w", "w/baseline", "--out", "sum"),
        ("run", "--resume", "w"),
        ("run", "w"),
        ("replay", "w", "--deal", "3"),
    ],
)
def test_a_question_is_not_taken_for_a_study(place, capsys, monkeypatch, line):
    monkeypatch.chdir(place)
    assert main([*line]) == 2
    assert capsys.readouterr().err == (
        "contsim: w holds a what-if; its studies are w/baseline, w/jokers=6, w/max_rounds=3 and "
        "1 more: name one of them\n"
    )
    assert not (place / "sum").exists()


def test_a_report_is_not_taken_for_a_study(place, report, capsys):
    assert main(["replay", str(report), "--deal", "3"]) == 2
    assert f"{report} holds a what-if without its studies: name one in" in capsys.readouterr().err


def test_show_prints_the_answer_again(place, capsys):
    assert main([*ASKED, "--out", str(place / "w")]) == 0
    first = capsys.readouterr().out
    assert main(["show", str(place / "w")]) == 0
    assert capsys.readouterr().out == first
    assert main(["show", str(place / "w"), "--level", "0.99", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["level"] == 0.99
