"""`contsim plan`."""

import json
import math

import pytest

from continental_sim.cli.entry import main

PAIR = ("fastest", "stock")


def plan(capsys, *line, status=0):
    assert main(["plan", *line]) == status
    return capsys.readouterr()


def planned(capsys, *line):
    return json.loads(plan(capsys, *PAIR, "--seed", "1", "--json", *line).out)["pairs"][0]


def test_twice_the_difference_takes_a_quarter_of_the_packs(capsys):
    one, two = (planned(capsys, "--detect", each) for each in ("0.1", "0.2"))
    assert one["packs"] == pytest.approx(4 * two["packs"], rel=0.01)
    assert one["deals"] == 6 * one["packs"]
    assert one["plain_deals"] > one["deals"]


def test_so_many_packs_find_it_as_often_as_asked(capsys, tmp_path):
    # With so many packs the standard error is the difference over (1.96 + 0.84).
    needed = planned(capsys, "--detect", "0.3", "--deals", "2000")
    line = ["compare", *PAIR, "--deals", str(needed["packs"]), "--seed", "2", "--json", "-q"]
    assert main([*line, "--out", str(tmp_path / "out")]) == 0
    (pair,) = json.loads(capsys.readouterr().out)["pairs"]
    error = (pair["ahead"]["high"] - pair["ahead"]["low"]) / 2 / 1.96
    packs = pair["packs"]
    # The error of an error is 1 / sqrt(2 n).
    assert error * (1.96 + 0.8416) == pytest.approx(0.3, rel=4 / math.sqrt(2 * packs))


def test_a_table_of_80_columns_and_a_field(capsys):
    told = plan(capsys, *PAIR, "--field", "neighbours", "--deals", "40", "--seed", "1").out
    assert all(len(line) <= 80 for line in told.splitlines())
    rows = [line for line in told.splitlines() if " - " in line]
    assert len(rows) == 3
    assert sum(row.endswith(" -") for row in rows) == 1  # the two do not meet


def test_more_pairs_need_more(capsys):
    few = planned(capsys, "--detect", "0.1")
    line = ("fastest", "stock", "neighbours", "random", "--seed", "1", "--json", "--deals", "60")
    many = json.loads(plan(capsys, *line, "--detect", "0.1").out)["pairs"]
    assert len(many) == 6
    assert few["plain_deals"] < max(each["plain_deals"] for each in many)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (["--power", "0.4"], "power = 0.4 is too little"),
        (["--deals", "1"], "--deals 1 is too few to see how much a difference varies"),
        (["--detect", "0"], "'0' is no number of points above 0"),
        (["--detect", "nan"], "'nan' is no number of points"),
    ],
)
def test_what_makes_no_plan_is_refused(capsys, line, words):
    assert words in " ".join(plan(capsys, *PAIR, *line, status=2).err.split())
