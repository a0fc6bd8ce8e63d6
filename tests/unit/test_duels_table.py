"""Comparisons as tables: 80 columns, and a space between any two of them."""

from dataclasses import replace
from itertools import combinations, cycle
from types import SimpleNamespace

import pytest

from continental_sim.cli import main
from continental_sim.comparing.duel_plots import leads_chart
from continental_sim.comparing.duels import Duel
from continental_sim.comparing.duels_table import (
    _fitted,
    _pairs,
    duel_sentence,
    measured_text,
    ranking_sentence,
)
from continental_sim.comparing.measured import Measured
from continental_sim.figures.formats import count_text, distinct, short_names


def test_many_deals_cost_decimals_but_no_space():
    payment = Measured(4.4417, 4.4324, 4.4510)
    assert measured_text(payment) == "4.4417 ± 0.0093"
    assert _fitted(payment, 13) == "4.442 ± 0.010"
    assert _fitted(payment, 15) == "4.4417 ± 0.0093"


@pytest.mark.parametrize("half", [1e-12, 1e-7, 1e-4, 0.3])
def test_no_half_width_is_rounded_to_nothing(half):
    text = _fitted(Measured(-14.4417, -14.4417 - half, -14.4417 + half), 13)
    assert len(text) <= 13
    assert float(text.split("±")[1]) > 0


def test_counts_leave_a_space():
    assert [count_text(each, 14) for each in (10**9, 10**10, 10**30)] == [
        "1,000,000,000", "1.0000e+10", "1.0000e+30",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "names",
    [
        ("mine:SLACK=0", "mine:SLACK=5"),
        ("mine:SLACK=0,PATIENCE=10", "mine:SLACK=5,PATIENCE=10", "outs"),
        ("a/very/long/place/mine.py", "b/very/long/place/mine.py", "a/very/lang/place/mine.py"),
        (
            "mine:A=10000000000001,B=1234567",
            "mine:A=10000000000002,B=1234567",
            "mine:A=1,B=1234567",
        ),
    ],
)
def test_names_that_are_cut_can_be_told_apart(names):
    shown = distinct(names, 11)
    assert len(set(shown)) == len(names)
    assert max(map(len, shown)) <= 11


def test_nobody_can_go_out_where_nobody_can_draw(capsys, tmp_path):
    line = ["compare", "fastest", "outs", "--seats", "7", "--deals", "2", "--seed", "1"]
    assert main([*line, "--out", str(tmp_path / "out")]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "No deal ended in an exit, so that all come out alike: the stock is empty from" in told


def test_sentences_and_charts_tell_long_names_apart():
    alike = [f"mine:SLACK={slack},PATIENCE=10,CLOSE=4" for slack in (10, 15, 20)]
    pairs = [
        Duel(one, other, Measured(0.5, 0.4, 0.6), 0.05, 0.01, 0.01, 100, 200, None, alike=False)
        for one, other in combinations(alike, 2)
    ]
    standings = [SimpleNamespace(strategy=name, best=1, worst=3) for name in alike]
    asked = SimpleNamespace(compared=alike, ended="", until="")
    found = SimpleNamespace(
        comparison=asked, level=0.95, pairs=pairs, standings=standings, going_on="", deals=600
    )
    sentences = {duel_sentence(pair, found).partition(": ")[0] for pair in pairs}
    assert len(sentences) == 3
    for one, other in map(str.split, (each.replace(" - ", " ") for each in sentences)):
        assert one != other
    open_places = ranking_sentence(found).partition("those of ")[2].replace(" and ", ", ")
    assert len(set(open_places.partition(" are")[0].split(", "))) == 3
    drawn = leads_chart(found).alt.partition(": ")[2].split("; ")
    assert len({each.partition(" 0.5")[0] for each in drawn}) == 3


def test_short_names_are_found_by_name():
    names = ["mine:SLACK=0,PATIENCE=10", "mine:SLACK=5,PATIENCE=10"]
    shown = short_names([*names, *names], 11)
    assert list(shown) == names
    assert len(set(shown.values())) == 2


def test_many_pairs_are_rows_of_80_columns_and_few_are_sentences():
    names = [f"mine:SLACK={slack},PATIENCE=10,CLOSE=4" for slack in range(10, 16)]
    pairs = [
        Duel(one, other, Measured(-12.5, -12.62, -12.38), 0.05, 0.5, p, 100, 200, 1e9, alike=False)
        for p, (one, other) in zip(cycle([1e-20, 0.6]), combinations(names, 2), strict=False)
    ]
    level = replace(pairs[2], ahead=Measured(0.0), error=0.0)
    pairs[2:4] = replace(level, alike=True), replace(level, one=names[0], other=names[4])

    asked = SimpleNamespace(compared=names)
    few, many = (
        SimpleNamespace(comparison=asked, level=0.95, pairs=each) for each in (pairs[:10], pairs)
    )
    assert list(_pairs(few)) == [duel_sentence(each, few) for each in pairs[:10]]
    head, *rows, note = _pairs(many)
    assert len(rows) == len(pairs) == 15
    assert len({row[:32] for row in rows}) == 15
    assert all(len(line) <= 80 for line in (head, *rows, note))
    assert ["~" in row for row in rows] == [k % 2 == 1 and k != 3 for k in range(15)]
    assert rows[0].split()[-7:] == ["-12.50", "±", "0.12", "p", "<", "1e-12", "4.0000e+11"]
    assert rows[2].split()[-3:] == ["identical", "-", "-"]
    assert rows[3].split()[-3:] == ["level", "-", "-"]
