"""Studies of Basic Rummy: run, show, report, --until, whatif, compare, plan; what refuses them."""

import json

import pytest

from continental_sim.cli import main
from continental_sim.comparing.comparison import read_comparison
from continental_sim.files.manifest import COMPARISON
from continental_sim.files.store import read_study
from tests.studies import refused
from tests.tabletop import STRATEGIES

GAME = ("--rules", "basic-rummy")
KEEPER = str(STRATEGIES / "keeper.py")
FOREIGN = ("opponent", "payment", "wild", "joker")  # words of Continental


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    directory = tmp_path_factory.mktemp("runs") / "mine"
    line = ["run", *GAME, "--deals", "800", "--seed", "3", "-q", "--out", str(directory)]
    assert main([*line, "--strategy", "fastest"]) == 0
    return directory


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    directory = tmp_path_factory.mktemp("compare") / "two"
    line = ["compare", "fastest", KEEPER, *GAME, "--all", "--deals", "30", "--seed", "5"]
    assert main([*line, "--out", str(directory), "-q"]) == 0
    return directory


def printed(capsys, *line):
    assert main([*map(str, line)]) == 0
    return capsys.readouterr().out


def test_show(study, capsys):
    told = printed(capsys, "show", study)
    assert all(len(line) <= 80 for line in told.splitlines())
    assert told.startswith("Basic Rummy: 4 seats")
    assert "deadlock (drawn)" in told
    assert not [word for word in FOREIGN if word in told.lower()]


def test_show_as_json_adds_up(study, capsys):
    found = json.loads(printed(capsys, "show", study, "--json"))
    cube = read_study(study).cubes.cube
    assert found["deals"] == 800
    assert found["ends"]["drawn"] == cube["count"][cube["end"] == 1].sum()
    scored = sum(each["score"] * each["count"] for each in found["score"])
    assert scored == (cube["payment"] * cube["count"]).sum()
    assert sum(player["mean"] for player in found["ledger"]) == pytest.approx(scored / 800)


def test_report(study, capsys, tmp_path):
    printed(capsys, "report", study, "--out", tmp_path / "page")
    page = (tmp_path / "page" / "report.md").read_text(encoding="utf-8")
    assert page.startswith("# Basic Rummy: mine")
    assert {"scores.png", "left.png"} <= {
        path.name for path in (tmp_path / "page" / "charts").iterdir()
    }
    read = page.partition("## Rules as played")[0]
    assert not [word for word in FOREIGN if word in read.lower()]
    assert "they score nothing" in read


def test_until(capsys, tmp_path):
    line = ("run", *GAME, "--until", "ends.drawn=5%", "--max-deals", "2e5", "--seed", "1", "-q")
    told = printed(capsys, *line, "--strategy", "fastest", "--out", tmp_path / "u")
    assert "ends.drawn = " in " ".join(told.split())
    assert read_study(tmp_path / "u").cubes.deals < 200_000


def test_metrics_are_those_of_the_game(capsys):
    err = refused(capsys, "run", *GAME, "--until", "payment=1%")
    assert "there is no metric 'payment': use ends.exit, " in err
    assert ", score, " in err


def test_whatif(capsys, tmp_path):
    line = ("whatif", *GAME, "--set", "recycles=0", "--set", "ace=both", "--seed", "4", "-q")
    more = ("--strategy", "fastest", "--deals", "600", "--out", tmp_path / "w")
    told = printed(capsys, *line, *more)
    assert all(len(each) <= 80 for each in told.splitlines())
    assert "more deadlocks (drawn)" in " ".join(told.split())
    assert "the share going rummy and the last cards laid are of exits" in " ".join(told.split())
    found = json.loads(printed(capsys, "show", tmp_path / "w", "--json"))
    figures = {each["name"]: each for each in found["variants"][0]["figures"]}
    for name, side in (("baseline", "baseline"), ("recycles=0", "variant")):
        cube = read_study(tmp_path / "w" / name).cubes.cube
        scored = (cube["payment"] * cube["count"]).sum() / 600
        assert figures["scored"][side]["value"] == pytest.approx(scored)
    assert "fastest plays by the search for melds, which follows ace" in told
    page = printed(capsys, "report", tmp_path / "w", "--out", tmp_path / "page")
    assert "report.html" in page
    text = (tmp_path / "page" / "report.md").read_text(encoding="utf-8")
    assert text.startswith("# Basic Rummy, what if: w")


def test_compare(compared, capsys):
    told = printed(capsys, "show", compared)
    assert all(len(line) <= 80 for line in told.splitlines())
    assert "score" in told.splitlines()[3].split()
    assert "Points a deal above the table's mean of one player of" in told
    assert ": nobody scores there." in " ".join(told.split())
    assert not [word for word in FOREIGN if word in told.lower()]
    found = json.loads(printed(capsys, "show", compared, "--json"))
    assert {"score"} <= set(found["standings"][0])
    # One among others: what is above the mean of a table adds up to nothing.
    one, other = (each["value"] for each in found["metagame"]["alone"][0])
    assert one == 0 < other


def test_compare_keeps_the_game(compared, capsys):
    comparison = read_comparison(compared)
    assert comparison.game == "basic-rummy"
    assert "--rules basic-rummy " in comparison.command("NEW")
    # The command that is kept goes on with what was begun.
    words = comparison.command(str(compared)).replace("'", "").split()[1:]
    assert printed(capsys, *words, "-q") == printed(capsys, "show", compared)
    path = compared / COMPARISON
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('game = "basic-rummy"\n', ""), encoding="utf-8")
    try:
        assert "comparison.toml is damaged" in refused(capsys, "show", str(compared))
    finally:
        path.write_text(text, encoding="utf-8")


def test_compare_report(compared, capsys, tmp_path):
    printed(capsys, "report", compared, "--out", tmp_path / "page")
    page = (tmp_path / "page" / "report.md").read_text(encoding="utf-8")
    assert page.startswith("# Basic Rummy, compared: two")
    read, _, rest = page.partition("**All rules**")
    assert not [word for word in FOREIGN if word in read.lower()]
    assert "layings declined in 1,000 deals" in read
    assert "Errors of shares, scores and rounds are bounds" in rest


def test_plan(capsys):
    line = ("plan", "fastest", KEEPER, *GAME, "--deals", "30", "--seed", "2", "--detect", "5")
    (pair,) = json.loads(printed(capsys, *line, "--json", "-q"))["pairs"]
    assert pair["packs"] > 1


@pytest.mark.parametrize(
    "line",
    [
        ("rare", "turns > 100", "-q"),
        ("advise", "3C"),
    ],
)
def test_what_is_for_continental_alone_says_so(line, capsys):
    err = refused(capsys, *line, *GAME)
    assert " is for Continental, and these rules are of Basic Rummy: " in err
