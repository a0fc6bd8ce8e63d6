"""Numbers and the words that hang on them."""

import re

import pytest

from continental_sim.authors.check import _counted, _played
from continental_sim.authors.legality import Played
from continental_sim.cards import check_copies, hand_counts, parse_hand
from continental_sim.cli import main
from continental_sim.errors import ContsimError
from continental_sim.exact import tally, verify
from continental_sim.figures.estimates import proportion
from continental_sim.figures.precision import Reading, read_target
from continental_sim.hands import check_layout, read_hand
from continental_sim.rules import BasicRummyRules, ContinentalRules
from continental_sim.words import are, counted, in_number, most_played, time_over

NOUNS = (
    r"(deals|packs|complete sessions|line-ups|turns|pairs|seconds|exits|wins|roots|tables|points|"
    r"copies|events|matches|(wild |natural |other )?cards)"
)


def test_one_is_singular():
    told = [counted(count, "deal") for count in (0, 1, 2, 1500)]
    assert told == ["0 deals", "1 deal", "2 deals", "1,500 deals"]
    assert [counted(count, "second") for count in (0.5, 1.0, 3000.0, 1e-9)] == [
        "0.5 seconds", "1 second", "3000 seconds", "1e-09 seconds",
    ]  # fmt: skip
    assert [counted(count, "copy", "copies") for count in (1, 2)] == ["1 copy", "2 copies"]
    assert [in_number(count, "copy", "copies") for count in (1, 2)] == ["copy", "copies"]
    assert (are(1), are(2)) == ("is", "are")
    assert time_over(1) == "the time of 1 second was over"
    assert most_played(1, "pack") == "the most, 1 pack, is played"
    assert most_played(2000, "pack") == "the most, 2,000 packs, are played"


@pytest.mark.parametrize(
    "line",
    [
        ["run", "--seats", "2", "--deals", "1", "--jobs", "1"],
        ["run", "--rules", "basic-rummy", "--set", "target=1", "--deals", "1", "--jobs", "1"],
        ["run", "--set", "pay_exit=0", "--set", "pay_no_wild=1", "--deals", "500", "--jobs", "1"],
        ["compare", "fastest", "stock", "--seats", "2", "--deals", "1"],
        ["compare", "fastest", "stock", "--seats", "2", "--until", "0.01", "--max-deals", "1"],
    ],
)
def test_a_single_deal_is_no_plural(capsys, tmp_path, line):
    out = str(tmp_path / "out")
    assert main([*line, "--seed", "1", "--out", out]) == 0
    assert main(["show", out]) == 0
    assert main(["report", out, "--out", str(tmp_path / "page")]) == 0
    captured = capsys.readouterr()
    page = (tmp_path / "page" / "report.md").read_text(encoding="utf-8")
    for text in (captured.out, captured.err, page):
        assert not re.search(rf"\b(?<![.,\d])1 {NOUNS}\b", " ".join(text.split()))


@pytest.mark.parametrize(
    ("refuse", "told"),
    [
        (
            lambda: check_copies(hand_counts(parse_hand("JK")), BasicRummyRules()),
            "1 copy of JK: the pack of these rules holds 0",
        ),
        (lambda: read_hand("2C", (15,)), "a hand has 15 cards, and here is 1"),
        (lambda: check_layout(ContinentalRules(), "2C"), "lays exactly 15 cards, and here is 1"),
        (
            lambda: ContinentalRules(
                packs=1,
                jokers=0,
                wild_ranks=(),
                melds="groups",
                hand_size=5,
                patterns=("5",),
                seats=2,
            ),
            "its groups need 1 wild card with 4 of a rank (packs = 1), and the pack has 0",
        ),
    ],
)
def test_a_refusal_of_one_is_no_plural(refuse, told):
    with pytest.raises(ContsimError, match=re.escape(told)):
        refuse()


@pytest.mark.parametrize(
    ("rules", "layout", "told"),
    [
        ({"min_naturals_per_run": 2}, "3C JK JK", "holds 1 natural card and needs 2"),
        ({"max_wilds_per_run": 0}, "3C 4C JK", "holds 1 wild card and may hold 0"),
    ],
)
def test_a_meld_with_one_card_too_many_is_no_plural(rules, layout, told):
    found = check_layout(ContinentalRules(hand_size=3, patterns=("3",), **rules), layout)
    assert told in found["reason"]


def test_findings_of_one_are_no_plural():
    target = read_target("natural=1e-9", ContinentalRules())
    one = Reading(target, "deals", proportion(1, 4000, 0.95), 0.001, 1e-9, 1.0, None)
    assert "and only 1 event of at least" in one.text
    none = Reading(target, "matches", proportion(0, 1, 0.95), None, None, 0.0, None)
    assert "no event in 1 match yet" in none.text
    row = tally.Row("exits", 100.0, 900.0, 80.0)
    assert "1 of 1 is too far off" in verify.verify_table([row], [row], 1)


def test_a_check_of_one_deal_is_no_plural():
    told = [
        _played("legal", "it plays", Played(deals, 1, 20.0), ["table"] * tables, wanted).text
        for deals, tables, wanted in ((1, 1, 1), (1, 2, 10), (5, 1, 5))
    ]
    assert told == [
        "it plays: 1 deal at 1 table",
        "it plays: 1 of 10 deals at 1 of 2 tables, as 20 s were over",
        "it plays: 5 deals at 1 table",
    ]
    assert [_counted(value, "deal") for value in (1.02, 1234.0)] == ["1 deal", "1,200 deals"]
