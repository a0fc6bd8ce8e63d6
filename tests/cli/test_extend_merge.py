"""`contsim extend` and `contsim merge` as a user sees them."""

import json

import pytest

from continental_sim.cli import main
from continental_sim.files.manifest import read_manifest
from continental_sim.play.simulate import run_study
from tests.studies import HERE, digests, play_until, refused, small_study, snapshot

ALONE = ["--jobs", "1", "--quiet"]


@pytest.fixture
def room(tmp_path, monkeypatch):
    """Work in a directory with two studies that share a bigger one out."""
    monkeypatch.chdir(tmp_path)
    run_study(small_study(400), tmp_path / "one", HERE)
    run_study(small_study(202, first_deal=400), tmp_path / "two", HERE)
    return tmp_path


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    directory = tmp_path_factory.mktemp("whole") / "study"
    run_study(small_study(602), directory, HERE)
    return digests(directory)


# --- extend --------------------------------------------------------------------------------------


def test_an_extended_study_is_shown_with_all_its_deals(room, whole, capsys):
    assert main(["extend", "one", "--deals", "602", *ALONE, "--json"]) == 0
    printed = capsys.readouterr()
    assert json.loads(printed.out)["deals"] == 602
    assert printed.err == ""
    assert digests(room / "one") == whole
    runs = read_manifest(room / "one")["runs"]
    assert [run["deals"] for run in runs] == [400, 202]
    assert runs[1]["command"] == ["contsim", "extend", "one", "--deals", "602", *ALONE, "--json"]


def test_where_an_extended_study_is_kept_is_told(room, capsys):
    assert main(["extend", "one", "--deals", "602", "--jobs", "1"]) == 0
    assert "Kept in one; draw it: contsim report one" in capsys.readouterr().err


def test_an_extension_beyond_its_time_goes_no_further_than_it_came(room, monkeypatch):
    monkeypatch.setattr("continental_sim.play.running.Run.seconds", property(lambda run: 9.0))
    assert main(["extend", "one", "--deals", "602", "--max-time", "1s", *ALONE]) == 0
    manifest = read_manifest(room / "one")
    assert manifest["study"]["deals"] == 400
    assert manifest["state"]["reason"] == "the time of 1 second was over"


def test_a_study_that_had_stopped_early_goes_on_without_its_rule(room, capsys):
    line = ["run", "--until", "payment=50%", "--max-deals", "400", "--seed", "3", "--out", "known"]
    assert main([*line, *ALONE]) == 0
    assert "stopping" in read_manifest(room / "known")
    assert main(["extend", "known", "--deals", "600", *ALONE]) == 0
    manifest = read_manifest(room / "known")
    assert "stopping" not in manifest
    assert (manifest["study"]["deals"], manifest["state"]["reason"]) == (600, "")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["one", "--deals", "300"], "the study has 400 deals, 300 are fewer: extend it to more"),
        (["nowhere", "--deals", "300"], "there is no study in nowhere"),
        (["one"], "missing option '--deals'"),
    ],
)
def test_what_cannot_be_extended_is_refused(room, capsys, arguments, sentence):
    before = snapshot(room)
    assert refused(capsys, "extend", *arguments).startswith(f"contsim: {sentence}")
    assert snapshot(room) == before


# --- merge ---------------------------------------------------------------------------------------


def test_studies_that_share_one_out_are_that_one(room, whole, capsys):
    assert main(["merge", "two", "one", "--out", "both"]) == 0
    captured = capsys.readouterr()
    assert "602 deals" in captured.out
    assert captured.err == "Kept in both; draw it: contsim report both\n"
    assert digests(room / "both") == whole
    assert read_manifest(room / "both")["runs"][-1]["command"] == [
        "contsim", "merge", "two", "one", "--out", "both",
    ]  # fmt: skip
    assert main(["show", "both"]) == 0
    assert capsys.readouterr().out == captured.out


def test_a_study_is_shared_out_by_its_first_deal(room, whole):
    base = ["run", "one", "--deals", "202", "--first-deal", "400", "--out", "rest"]
    assert main([*base, *ALONE]) == 0
    assert digests(room / "rest") == digests(room / "two")


def test_a_first_deal_in_the_midst_of_a_session_is_refused(room, capsys):
    sentence = refused(capsys, "run", "one", "--first-deal", "402", "--deals", "8", "--out", "x")
    assert "first deal 402 does not begin a session of 4 deals: 400 does" in sentence
    assert not (room / "x").exists()


def test_a_merged_study_is_shown_drawn_and_replayed(room, capsys):
    run_study(small_study(200, seed=5), room / "three", HERE)
    assert main(["merge", "one", "three", "--out", "both", "--json", "-q"]) == 0
    assert json.loads(capsys.readouterr().out)["deals"] == 600
    assert main(["show", "both"]) == 0
    assert main(["report", "both", "--out", "page"]) == 0
    for name in ("report.html", "report.md"):
        page = (room / "page" / name).read_text(encoding="utf-8")
        assert "contsim replay manifest.toml --deal N" in page
        assert "contsim run manifest.toml" not in page  # which would be refused
        assert "segment 2 seed" in page
    assert main(["replay", "page/manifest.toml", "--deal", "7"]) == 0
    capsys.readouterr()
    (first, second) = read_manifest(room / "both")["segments"]
    for segment in (first, second):
        deal = segment["offset"] + segment["first_deal"] + 7
        assert main(["replay", "both", "--deal", str(deal)]) == 0
        told = capsys.readouterr().out
        assert told.startswith(f"Deal {segment['first_deal'] + 7} of seed {segment['seed']}")
    assert "has no deal 600" in refused(capsys, "replay", "both", "--deal", "600")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["one"], "one study, one, has nothing to be merged with: name two"),
        (["one", "one"], "one and one share deals 0 to 399 of seed 31, which would count twice"),
        (["one", "part"], "the study in part is unfinished: contsim run --resume part first"),
        (["one", "else"], "one and else are not of the same experiment: seats = 4 against 2; "),
        (["one", "nowhere"], "there is no study in nowhere"),
    ],
)
def test_what_cannot_be_merged_is_refused(room, capsys, arguments, sentence):
    play_until(small_study(400, seed=6), room / "part", 200)
    assert main(["run", "--seats", "2", "--deals", "40", "--out", "else", *ALONE]) == 0
    capsys.readouterr()
    assert sentence in refused(capsys, "merge", *arguments, "--out", "both")
    assert not (room / "both").exists()


def test_a_merge_overwrites_nothing(room, capsys):
    before = snapshot(room)
    assert "is not empty" in refused(capsys, "merge", "one", "two", "--out", "two")
    assert snapshot(room) == before
