"""What a directory keeps of a comparison: to go on with the same, and never to tell another."""

import json
import os
import shlex
import subprocess
import sys

import pytest

from continental_sim.cli.entry import main
from continental_sim.comparing import compare as comparing
from continental_sim.comparing.comparison import read_comparison
from continental_sim.comparing.playing import SideBySide
from continental_sim.errors import StudyMoved
from continental_sim.files.manifest import COMPARISON
from continental_sim.play.means import Watcher
from continental_sim.strategy import find_strategy
from tests.studies import HERE
from tests.tabletop import DEFAULT

INTERRUPTED = 130
TWO = ["fastest", "stock", "--seed", "3"]
NEAR = ["fastest", "outs", "--seed", "3"]  # not told apart by a few packs
PAIRS = ["fastest", "stock", "random", "--seed", "3"]  # three tables or more


def told(capsys, *line, status=0):
    """Run a command, and return what it prints on one line."""
    capsys.readouterr()
    assert main([*line]) == status
    found = capsys.readouterr()
    return " ".join((found.out if status == 0 else found.err).split())


@pytest.fixture
def out(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path / "D"


def interrupt(monkeypatch, *line, after=1):
    """Begin a comparison, and stop it before a table."""
    play = SideBySide.play

    def some(self, number, *others):
        if number == after:
            raise KeyboardInterrupt
        return play(self, number, *others)

    with monkeypatch.context() as cut:
        cut.setattr(SideBySide, "play", some)
        assert main(["compare", *line, "--out", "D"]) == INTERRUPTED


def stop_early(monkeypatch, *line, part=3):
    """Begin a comparison, and stop it when every table has a part of its packs."""
    play_to = comparing._Tables._play_to

    def some(self, packs):
        play_to(self, packs // part)
        raise KeyboardInterrupt

    with monkeypatch.context() as cut:
        cut.setattr(comparing._Tables, "_play_to", some)
        assert main(["compare", *line, "--out", "D"]) == INTERRUPTED


def cut_short(monkeypatch, *line, part=20):
    """Play a comparison whose time is over before its first look."""
    play_to = comparing._Tables._play_to
    with monkeypatch.context() as cut:
        cut.setattr(comparing._Tables, "_play_to", lambda self, packs: play_to(self, packs // part))
        assert main(["compare", *line, "--max-time", "60", "--out", "D"]) == 0


def change(out, *pairs):
    """Edit what is kept by hand."""
    text = (out / COMPARISON).read_text(encoding="utf-8")
    for old, new in pairs:
        assert old in text
        text = text.replace(old, new)
    (out / COMPARISON).write_text(text, encoding="utf-8")


def test_all_tables_and_a_field_are_refused_before_anything_is_played(capsys, out):
    line = ["compare", "fastest", "stock", "--all", "--field", "outs", "--out", "D"]
    assert "give --all or --field" in told(capsys, *line, status=2)
    assert not out.exists()


def test_another_comparison_does_not_take_over_an_interrupted_one(capsys, out, monkeypatch):
    line = ["fastest", "stock", "neighbours", "--deals", "20", "--seed", "3"]
    interrupt(monkeypatch, *line)
    kept = (out / COMPARISON).read_bytes()
    for other, what in (
        (["fastest", "stock", "random"], "strategies: fastest, stock, neighbours against"),
        (["fastest", "stock", "neighbours", "--all"], "--all: none against yes"),
        ([*line[:3], "--set", "recycles=0"], "rules --set: none against recycles=0"),
        ([*line[:3], "--seed", "4"], "seed: 3 against 4"),
        (["fastest", "stock", "--rules", "basic-rummy"], "game: continental against basic-rummy)"),
    ):
        error = told(capsys, "compare", *other, "--deals", "20", "--out", "D", status=2)
        assert f"D holds another comparison ({what}" in error
        assert (out / COMPARISON).read_bytes() == kept
    assert "fastest" in told(capsys, "compare", *line, "--out", "D")


def test_a_goal_is_kept_and_stays(capsys, out):
    goal = ["compare", *TWO, "--until", "separated", "--out", "D", "-q"]
    first = told(capsys, *goal)
    assert "Ended: told apart well enough: 1 of 1 pair is separated. " in first
    assert told(capsys, "show", "D") == first
    kept = (out / COMPARISON).read_bytes()
    for other, what in (
        (["--deals", "5000"], "--until: separated against none"),
        (["--until", "0.5"], "--until: separated against 0.5"),
        (["--until", "separated", "--level", "0.9"], "--level: 0.95 against 0.9"),
    ):
        assert what in told(capsys, "compare", *TWO, *other, "--out", "D", status=2)
        assert (out / COMPARISON).read_bytes() == kept
    assert told(capsys, *goal) == told(capsys, *goal, "--max-deals", "1e6") == first
    assert read_comparison(out).level == 0.95  # though its intervals are wider


def test_a_width_is_told_as_it_was_given(capsys, out):
    assert main(["compare", *TWO, "--until", "9", "--out", "D"]) == 0
    assert read_comparison(out).until == "9"
    error = told(capsys, "compare", *TWO, "--until", "0.00012", "--out", "D", status=2)
    assert "--until: 9 against 0.00012" in error


def test_a_width_in_two_spellings_is_one_goal(capsys, out):
    first = told(capsys, "compare", *TWO, "--until", "9", "--until", "9.0", "--out", "D", "-q")
    kept = out / COMPARISON
    assert read_comparison(out).until == "9"
    kept.write_text(kept.read_text("utf-8").replace('until = "9"', 'until = "9.0"'), "utf-8")
    assert read_comparison(out).until == "9.0"
    assert told(capsys, "compare", *TWO, "--until", "9e0", "--out", "D", "-q") == first
    assert read_comparison(out).until == "9"
    line = ["compare", *TWO, "--until", "9.0", "--until", "8", "--out", "D"]
    assert "--until 9.0 and --until 8: a comparison is played" in told(capsys, *line, status=2)


def test_a_single_pack_meets_no_width(capsys, out):
    line = ["compare", *TWO, "--until", "90", "--out", "D"]
    found = told(capsys, *line, "--max-deals", "1")
    assert (
        "Ended: the most, 1 pack, is played: differences without an interval, wanted ± 90" in found
    )
    assert "told apart well enough: differences to" in told(capsys, *line, "--max-deals", "50")


def test_what_is_identical_is_known_to_any_width(capsys, out, tmp_path):
    (tmp_path / "twin.py").write_text(find_strategy("fastest").text + "\n", encoding="utf-8")
    line = ["compare", "fastest", str(tmp_path / "twin.py"), "--until", "0.001"]
    found = told(capsys, *line, "--max-deals", "20", "--seed", "3", "--out", "D")
    assert "Ended: told apart well enough: all are identical in every deal." in found


def test_a_reader_that_goes_away_is_told_where_it_is_kept(out):
    read, write = os.pipe()
    os.close(read)
    line = [sys.executable, "-m", "continental_sim", "compare", *TWO, "--deals", "2", "--out", "D"]
    done = subprocess.run(line, stdout=write, stderr=subprocess.PIPE, check=False)
    os.close(write)
    assert done.returncode == 141
    assert done.stderr.decode().endswith("contsim: kept in D; print it again: contsim show D\n")


def test_a_comparison_that_is_moved_goes_on_by_its_own_command(out):
    def move(done, wanted):
        if out.exists():
            out.rename(out.with_name("moved"))

    comparison, studies = comparing.make_comparison(
        ["fastest", "stock"], DEFAULT, deals=3000, seed=3
    )
    with pytest.raises(StudyMoved, match=r"go on with it there \(the same command with --out\)"):
        comparing.play_comparison(comparison, studies, out, HERE, Watcher(move))


def test_a_comparison_without_a_goal_takes_none(capsys, out):
    assert main(["compare", *TWO, "--deals", "20", "--out", "D"]) == 0
    error = told(capsys, "compare", *TWO, "--until", "0.5", "--out", "D", status=2)
    assert "--until: none against 0.5" in error


def test_a_report_says_why_it_ended_and_plays_the_same_again(capsys, out):
    line = ["--until", "separated", "--max-deals", "20", "--level", "0.9"]
    assert main(["compare", *NEAR, *line, "--out", "D"]) == 0
    assert main(["report", "D", "--out", "page"]) == 0
    page = (out.parent / "page" / "report.md").read_text(encoding="utf-8")
    assert "Ended: the most, 20 packs, are played" in page
    command = next(row for row in page.splitlines() if row.startswith("contsim compare"))
    assert "--until separated --max-deals 20 --seed 3 --level 0.9" in command
    words = shlex.split(command.replace("rules.toml", "page/rules.toml"))[1:]
    mine, again = (
        json.loads(told(capsys, *each, "--json")) for each in (["show", "D"], [*words, "-q"])
    )
    assert mine == again


def test_the_last_look_is_spent_when_more_is_played(capsys, out):
    line = ["compare", *NEAR, "--until", "separated", "--out", "D"]
    assert main([*line, "--max-deals", "20"]) == 0
    first = read_comparison(out)
    assert (first.looks, first.ended) == (1, "all played")
    assert main([*line, "--max-deals", "20"]) == 0
    assert read_comparison(out) == first  # the same look spends nothing again
    assert main([*line, "--max-deals", "30"]) == 0
    assert read_comparison(out).looks == 2


def test_a_look_that_the_time_cut_ends_by_the_time(capsys, out, monkeypatch):
    line = [*TWO, "--until", "0.5"]
    cut_short(monkeypatch, *line)
    assert "Ended: the time of 60 seconds was over: differences to" in told(capsys, "show", "D")
    assert read_comparison(out).looks == 0
    whole = told(capsys, "compare", *line, "--out", "D", "-q")
    assert "Ended: told apart well enough" in whole
    again = told(capsys, "compare", *line, "--max-time", "1s", "--out", "D", "-q")
    assert again == whole


def test_what_is_unfinished_is_told_as_that(capsys, out, monkeypatch):
    stop_early(monkeypatch, *PAIRS, "--deals", "30", "--set", "recycles=0")
    capsys.readouterr()
    assert main(["show", "D"]) == 0
    shown, note = capsys.readouterr()
    assert shown.startswith("Unfinished: 10 of 30 packs are played at every table.\n10 packs at 3")
    assert note.startswith("contsim: go on with contsim compare fastest stock random --set recycl")
    assert main(["report", "D", "--out", "page"]) == 0
    page = (out.parent / "page" / "report.md").read_text(encoding="utf-8")
    assert "Unfinished: 10 of 30 packs" in page
    assert "10 packs of each of 3 line-ups" in page
    assert "Go on with contsim compare fastest stock random" in page
    found = json.loads(told(capsys, "show", "D", "--json"))
    assert found["packs"] == 10
    told(capsys, *shlex.split(found["going_on"])[1:])
    found = json.loads(told(capsys, "show", "D", "--json"))
    assert (found["packs"], found["going_on"]) == (30, None)


def test_tables_without_a_deal_are_told_with_what_goes_on(capsys, out, monkeypatch):
    interrupt(monkeypatch, *PAIRS, "--deals", "20")
    for command in (["show", "D"], ["report", "D", "--out", "page"]):
        error = told(capsys, *command, status=2)
        assert "the comparison in D is unfinished, and nothing is played of table-2 yet" in error
    words = shlex.split(error.partition("go on with ")[2])
    told(capsys, *words[1:])
    assert "20 packs at 3 tables" in told(capsys, "show", "D")


def test_a_page_is_no_comparison(capsys, out):
    assert main(["compare", *TWO, "--deals", "20", "--out", "D"]) == 0
    assert main(["report", "D", "--out", "page"]) == 0
    assert "page is the report of a comparison" in told(capsys, "show", "page", status=2)


@pytest.fixture
def kept(out):
    assert main(["compare", *TWO, "--deals", "20", "--out", "D"]) == 0
    return out


@pytest.mark.parametrize(
    "pairs",
    [
        [('    "stock",\n]', '    "outs",\n]')],
        [("stock", "outs")],  # everywhere: only the study tells
        [("seed = 3", 'seed = "x"')],
        [("seed = 3", "seed = 4")],
        [("deals = 20", "deals = 20.0")],
        [("seats = 4", "seats = true")],
        [("level = 0.95", "level = 2.0")],
        [('field = ""', 'field = "random"')],
        [('"table-1"', '"../table-1"')],
        [("session = 6", "session = 0")],
        [("settings = []", 'settings = ["recycles=0"]')],
        [("settings = []", "settings = 5")],
        [("lineups", "lines")],
    ],
)
def test_what_was_changed_by_hand_is_damaged(capsys, kept, pairs):
    change(kept, *pairs)
    error = told(capsys, "show", "D", status=2)
    assert "comparison.toml is damaged, or of another version: compare again with" in error
    assert "the same strategies, rules, --until and --out D" in error
    assert main(["compare", *TWO[:2], "--deals", "20", "--out", "D"]) == 0  # with its seed
    noted = " ".join(capsys.readouterr().err.split())
    assert "D/comparison.toml is damaged: it is written anew as asked now, and a goal" in noted
    assert "20 packs at one table" in told(capsys, "show", "D")


def test_hints_of_a_table_name_the_comparison(capsys, kept):
    cube = kept / "table-1" / "cube.parquet"
    cube.write_bytes(cube.read_bytes() + b"x")
    error = told(capsys, "show", "D", status=2)
    assert "play the study again with the same contsim compare and --out D" in error
    told(capsys, "compare", *TWO, "--deals", "20", "--out", "D")
    assert "20 packs at one table" in told(capsys, "show", "D")


@pytest.mark.parametrize(
    "line", [["extend", "D/table-1", "--deals", "240"], ["run", "--resume", "D/table-1"]]
)
def test_a_table_is_not_played_on_alone(capsys, kept, line):
    before = (kept / "table-1" / "manifest.toml").read_bytes()
    error = told(capsys, *line, status=2)
    assert "D/table-1 is a table of the comparison in D" in error
    assert "the same contsim compare, more deals and --out D" in error
    assert (kept / "table-1" / "manifest.toml").read_bytes() == before


def test_the_advice_names_the_option_that_plays_more(capsys, out, tmp_path, monkeypatch):
    near = ["compare", *NEAR, "-q"]
    assert "are open; play more --deals." in told(capsys, *near, "--deals", "20")
    most = told(capsys, *near, "--until", "0.01", "--max-deals", "20")
    assert "are open; play more --max-deals." in most
    wide = told(capsys, *near, "--until", "9", "--max-deals", "20")
    assert "are open; --until 9 asked for no more, ask for more with another --out." in wide
    cut_short(monkeypatch, *NEAR, part=1000)
    assert "are open; play on with more --max-time." in told(capsys, "show", "D")


def test_no_more_deals_are_advised_for_what_is_identical(capsys, out, tmp_path):
    from continental_sim.strategy import find_strategy

    (tmp_path / "copy.py").write_text(find_strategy("fastest").text, encoding="utf-8")
    shown = told(capsys, "compare", "fastest", "copy.py", "--deals", "20", "-q")
    assert "those of fastest and copy.py are open." in shown
