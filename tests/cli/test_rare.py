"""`contsim rare`: what it prints, and what it refuses."""

import json

import pytest

from continental_sim.cli import main
from continental_sim.rare import levels, splitting
from tests.studies import refused

QUICK = ("--set", "hand_size=9", "--set", "patterns=3+3+3", "--seats", "3", "--seed", "4")


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    monkeypatch.setattr(levels, "EFFORT", 200_000)
    monkeypatch.setattr(splitting, "PLAIN_SECONDS", 0.01)


def printed(capsys, *line):
    assert main(["rare", *line, "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_the_table(capsys):
    out = printed(capsys, "payment >= 21", *QUICK, "--roots", "2000")
    assert all(len(line) <= 80 for line in out.splitlines())
    for part in (
        "Event: payment >= 21\n",
        "Line-up: fastest (order shuffled each session).\n",
        "2,000 root deals, ",
        "; seed 4.\n",
        "95 % interval\n",
        "gain over plain play",
        "score of a hand",
        "This happens in about one of ",
    ):
        assert part in out
    assert "turns played" in printed(capsys, "turns > 40", *QUICK, "--roots", "200")


def test_data(capsys):
    line = ("payment >= 21", *QUICK, "--roots", "2000", "--level", "90%", "--json")
    found = json.loads(printed(capsys, *line))
    again = json.loads(printed(capsys, *line, "--jobs", "1"))
    for name in ("seconds", "plain_seconds_a_deal", "gain"):
        assert found.pop(name) > 0
        assert again.pop(name) > 0
    assert found == again
    assert 0 < found["low"] < found["rate"] < found["high"] < 1
    assert found["one_in"] == pytest.approx(1 / found["rate"])
    assert found["level"] == 0.9
    assert found["impossible"] is None
    assert found["roots"] == 2000
    assert found["hits"] >= found["hit_roots"] > 0
    rates = [level["reached"] for level in found["levels"]]
    assert rates == sorted(rates, reverse=True)
    assert all(level["copies"] > 1 for level in found["levels"])


def test_what_is_impossible(capsys):
    out = printed(capsys, "end == drawn")
    assert "This is impossible: stock and discard pile together always hold 46 cards" in out
    found = json.loads(printed(capsys, "payment > 99", "--json"))
    assert found["rate"] == 0
    assert found["low"] is None
    assert found["impossible"]
    assert found["roots"] == 0


def test_what_is_refused(capsys):
    assert "did you mean one_suit?" in refused(capsys, "rare", "one_suite")
    assert "1 strategies" not in refused(capsys, "rare", "one_suit", "-s", "fast")
    assert "2 strategies for 4 seats" in refused(
        capsys, "rare", "one_suit", "-s", "fastest", "-s", "stock"
    )
    for value in ("0", "200%", "nan", "-1", "x"):
        assert "between 0 and 1" in refused(capsys, "rare", "one_suit", "--error", value), value
    assert "a whole number from 2" in refused(capsys, "rare", "one_suit", "--roots", "1")
    assert "missing argument" in refused(capsys, "rare")
    assert "--scheduler x is for clusters" in refused(
        capsys, "rare", "one_suit", "--scheduler", "x"
    )
    assert "next_dealer = winner" in refused(
        capsys, "rare", "winner == 1", "--set", "next_dealer=winner"
    )
