"""`contsim odds` and `contsim verify`: what can be counted, and play beside it."""

import json
from dataclasses import replace

import pytest

from continental_sim.cli import main
from continental_sim.exact import rummy_odds
from continental_sim.exact import verify as verifying
from continental_sim.exact.odds import hand_odds
from continental_sim.exact.odds_table import odds_table
from continental_sim.play.prepare import SLOW_ONCE
from continental_sim.rules import ContinentalRules


def printed(capsys, *line, status=0):
    assert main([*line]) == status
    out, err = capsys.readouterr()
    assert not err or err.startswith(f"contsim: {SLOW_ONCE.format('')}")
    assert all(len(each) <= 80 for each in out.splitlines())
    return out


def test_odds_as_text(capsys):
    out = printed(capsys, "odds")
    for line in (
        "can go out                         205,752,709,423,432  0.000317345        3,151",
        "A hand of 16 cards",
        "mean 4.0626",
        "Payment of a dealt exit",
    ):
        assert line in out


def test_odds_as_data(capsys):
    found = json.loads(main_json(capsys, "odds"))
    assert found["dealt_exit"]["count"] == 205_752_709_423_432
    assert found["dealt_exit"]["total"] == 648_356_897_091_253_280
    assert found["dealt_exit"]["p"] == pytest.approx(3.17344830e-4, rel=1e-8)
    assert found["sixteen_card_exit"]["p"] == pytest.approx(2.240920925e-3, rel=1e-9)
    assert found["distance"][0] == found["dealt_exit"]
    assert sum(each["p"] for each in found["distance"]) == pytest.approx(1)
    assert found["dealt_one_suit"]["count"] == 6_397_219_912
    assert found["rules"]["seats"] == 4


def main_json(capsys, *line, status=0):
    assert main([*line, "--json"]) == status
    out, err = capsys.readouterr()
    assert not err or err.startswith(f"contsim: {SLOW_ONCE.format('')}")
    assert out.count("\n") == 1
    return out


def test_odds_say_what_they_do_not_count(capsys):
    small = ("packs=3", "seats=3", "hand_size=5", "patterns=3+2", "max_wilds_per_run=1")
    rules = [part for each in small for part in ("--set", each)]
    found = json.loads(main_json(capsys, "odds", *rules))
    assert found["distance"] is None
    assert found["sixteen_card_exit"] is None
    assert found["dealt_exit"]["count"] > 0
    assert found["uncounted"]
    out = printed(capsys, "odds", *rules)
    assert "Distances and hands of 6 cards are not counted: where runs of three packs" in out
    told = printed(capsys, "verify", "--deals", "2e3", *rules)
    assert "dealt hands of distance 0" in told
    assert "dealt hands of distance 1" not in told


def test_odds_without_an_exit_say_that_nothing_is_paid():
    counted = hand_odds(ContinentalRules(hand_size=3, patterns=("3",)))
    assert "Payment of a dealt exit" in odds_table(counted)
    out = odds_table(replace(counted, exits=()))
    assert "There are no payments: no dealt hand can go out." in out
    assert "Payment of a dealt exit" not in out


RUMMY = ("odds", "--game", "basic-rummy", "--seats", "2")


@pytest.fixture
def few_listed(monkeypatch):
    """List few hands, as if they were many."""
    monkeypatch.setattr(rummy_odds, "MOST_TRIED", 100_000)
    rummy_odds.whole_hands.cache_clear()
    yield
    rummy_odds.whole_hands.cache_clear()


def test_headings_of_basic_rummy_fit_a_line(capsys):
    out = printed(capsys, *RUMMY)
    heads = [line for line in out.splitlines() if line.endswith("1 in")]
    assert [line.split("   ")[0] for line in heads] == [
        "A dealt hand of 10 cards",
        "11 cards, empty table",
    ]
    assert "not counted" not in out


TOO_MANY = "are not counted: too many of"
ONE_MELD = "First-turn exits are not counted: one_meld_per_turn is true."


@pytest.mark.usefixtures("few_listed")
@pytest.mark.parametrize(
    ("settings", "reasons"),
    [
        (["dealt=5"], []),
        (["dealt=6"], [f"First-turn exits {TOO_MANY} 7 cards."]),
        (["dealt=12"], [f"Hands laid whole and first-turn exits {TOO_MANY} 12 cards."]),
        (["dealt=6", "one_meld_per_turn=true"], [ONE_MELD]),
        (
            ["dealt=12", "one_meld_per_turn=true"],
            [f"Hands laid whole {TOO_MANY} 12 cards.", ONE_MELD],
        ),
    ],
)
def test_odds_of_basic_rummy_say_in_a_line_each_what_they_leave_out(capsys, settings, reasons):
    line = [*RUMMY, *(part for each in settings for part in ("--set", each))]
    told = [each for each in printed(capsys, *line).splitlines() if "not counted" in each]
    assert told == reasons
    found = json.loads(main_json(capsys, *line))
    assert bool(found["uncounted"]) == bool(reasons)
    assert (found["whole"] is None or found["first_turn"] is None) == bool(reasons)


def test_verify_tells_each_row(capsys):
    out = printed(capsys, "verify", "--deals", "2e4")
    assert "dealt hands of distance 4" in out
    assert "standard errors" in out
    found = json.loads(main_json(capsys, "verify", "--deals", "2e4", "--seed", "2"))
    assert {"name", "expected", "observed", "z", "fault"} == found["rows"][0].keys()
    assert not any(row["fault"] for row in found["rows"])


def test_verify_fails_if_a_row_is_too_far_off(capsys, monkeypatch):
    rows = [verifying.Row("exits", 100.0, 900.0, 80.0), verifying.Row("others", 100.0, 99.0, -0.1)]
    monkeypatch.setattr(verifying, "verify", lambda *_, progress: rows)
    out = printed(capsys, "verify", "--deals", "100", status=1)
    assert "80.00 !" in out
    assert "1 of 2 is too far off (!): this is no chance." in out
    found = json.loads(main_json(capsys, "verify", "--deals", "100", status=1))
    assert [row["fault"] for row in found["rows"]] == [True, False]
