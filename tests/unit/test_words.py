"""Numbers and the words that hang on them."""

import re

import pytest

from continental_sim.cli import main
from continental_sim.words import are, counted, most_played, time_over

NOUNS = r"(deals|packs|complete sessions|line-ups|turns|pairs|seconds|exits|wins|roots|tables)"


def test_one_is_singular():
    told = [counted(count, "deal") for count in (0, 1, 2, 1500)]
    assert told == ["0 deals", "1 deal", "2 deals", "1,500 deals"]
    assert [counted(count, "second") for count in (0.5, 1.0, 3000.0, 1e-9)] == [
        "0.5 seconds", "1 second", "3000 seconds", "1e-09 seconds",
    ]  # fmt: skip
    assert (are(1), are(2)) == ("is", "are")
    assert time_over(1) == "the time of 1 second was over"
    assert most_played(1, "pack") == "the most, 1 pack, is played"
    assert most_played(2000, "pack") == "the most, 2,000 packs, are played"


@pytest.mark.parametrize(
    "line",
    [
        ["run", "--seats", "2", "--deals", "1", "--jobs", "1"],
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
