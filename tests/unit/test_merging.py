"""Studies added up: other seeds or deals of one experiment, and nothing else."""

import re
import shutil
import signal
from itertools import permutations

import pytest

from continental_sim.cli import main
from continental_sim.engine import play_block
from continental_sim.errors import ContsimError
from continental_sim.figures.stats import summarise
from continental_sim.figures.summary_table import render_table
from continental_sim.files import store
from continental_sim.files.directories import claimed
from continental_sim.files.manifest import MANIFEST, read_manifest, write_manifest
from continental_sim.files.store import read_study
from continental_sim.interrupts import Interrupted
from continental_sim.play import merging
from continental_sim.play.means import Means
from continental_sim.play.merging import merge_studies
from continental_sim.play.segments import load_study_of_deal
from continental_sim.play.simulate import resume_study, run_study
from continental_sim.provenance import describe_run
from continental_sim.rules import BasicRummyRules, rules_to_dict
from continental_sim.study import load_study, make_study
from tests.studies import HERE, MIXED, digests, play_until, small_study, snapshot
from tests.tabletop import DEFAULT, rules_with, strategy

FIVE = rules_with("seats=5", "max_rounds=12")


@pytest.fixture(scope="module")
def studies(tmp_path_factory):
    """Studies to be merged, each named by its seed and deals."""
    room = tmp_path_factory.mktemp("studies")
    for name, seed, first_deal, deals in (
        ("one", 31, 0, 400),
        ("two", 31, 400, 300),
        ("three", 31, 700, 102),
        ("late", 31, 2000, 201),
        ("other", 5, 8, 203),
        ("third", 77, 0, 150),
    ):
        study = small_study(deals, seed=seed, first_deal=first_deal)
        run_study(study, room / name, HERE)
    return room


def merge(out, *directories, **options):
    return merge_studies(directories, out, describe_run(["contsim", "merge"]), **options)


# --- One bigger study ----------------------------------------------------------------------------


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1)])
def test_ranges_that_adjoin_are_one_study(studies, tmp_path, order):
    names = ("one", "two", "three")
    merged = merge(tmp_path / "merged", *(studies / names[place] for place in order))
    run_study(small_study(802), tmp_path / "whole", HERE)
    assert digests(tmp_path / "merged") == digests(tmp_path / "whole")
    assert "segments" not in merged.manifest
    assert read_study(tmp_path / "merged").manifest == merged.manifest
    # It is a study like any other: played again and extended.
    described = load_study(tmp_path / "merged" / MANIFEST)
    assert described == small_study(802)
    resume_study(tmp_path / "merged", HERE, deals=1000)
    run_study(small_study(1000), tmp_path / "larger", HERE)
    assert digests(tmp_path / "merged") == digests(tmp_path / "larger")


def test_five_seats_share_a_study_out_too(tmp_path):
    for name, first_deal, deals in (("one", 0, 205), ("two", 205, 102), ("both", 0, 307)):
        study = small_study(
            deals, rules=FIVE, specs=[*MIXED, "stock"], first_deal=first_deal, block_deals=50
        )
        run_study(study, tmp_path / name, HERE)
    merge(tmp_path / "merged", tmp_path / "two", tmp_path / "one")
    assert digests(tmp_path / "merged") == digests(tmp_path / "both")


def test_the_order_of_the_studies_does_not_matter(studies, tmp_path):
    found = set()
    for number, names in enumerate(permutations(("other", "one", "late"))):
        merge(tmp_path / f"{number}", *(studies / name for name in names))
        found.add(tuple(digests(tmp_path / f"{number}").values()))
    assert len(found) == 1


def test_merging_is_associative(studies, tmp_path):
    names = ("third", "one", "other", "two", "late")
    merge(tmp_path / "all", *(studies / name for name in names))
    merge(tmp_path / "a", studies / "third", studies / "one")
    merge(tmp_path / "b", studies / "other", studies / "late")
    merge(tmp_path / "ab", tmp_path / "b", tmp_path / "a")
    merge(tmp_path / "left", tmp_path / "ab", studies / "two")
    merge(tmp_path / "c", studies / "two", tmp_path / "b")
    merge(tmp_path / "right", tmp_path / "a", tmp_path / "c")
    expected = digests(tmp_path / "all")
    assert digests(tmp_path / "left") == digests(tmp_path / "right") == expected
    segments = {
        name: read_manifest(tmp_path / name)["segments"] for name in ("all", "left", "right")
    }
    assert segments["left"] == segments["right"] == segments["all"]


def test_a_gap_stays_one(studies, tmp_path):
    merged = merge(tmp_path / "merged", studies / "late", studies / "one")
    assert merged.manifest["segments"] == [
        {"seed": 31, "first_deal": 0, "deals": 400, "offset": 0},
        {"seed": 31, "first_deal": 2000, "deals": 201, "offset": 0},
    ]
    assert merged.cubes.deals == 601
    assert merged.seeds == (31,)


# --- Other seeds ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def merged(studies, tmp_path_factory):
    directory = tmp_path_factory.mktemp("merged") / "study"
    return merge(directory, *(studies / name for name in ("one", "other", "late", "third")))


def test_every_deal_and_session_counts_once(studies, merged):
    parts = [read_study(studies / name) for name in ("one", "other", "late", "third")]
    assert merged.cubes.deals == 400 + 203 + 201 + 150
    assert merged.seeds == (5, 31, 77)
    for name in ("cube", "sessions", "openings"):
        total = sum(getattr(part.cubes, name)["count"].sum() for part in parts)
        assert getattr(merged.cubes, name)["count"].sum() == total
    assert (merged.cubes.faces == sum(part.cubes.faces for part in parts)).all()
    assert (merged.cubes.behaviour == sum(part.cubes.behaviour for part in parts)).all()


def test_the_first_deal_of_every_row_replays_to_its_outcome(merged):
    manifest = merged.directory / MANIFEST
    played = {}
    for row in merged.cubes.cube[::5]:
        study, deal = load_study_of_deal(manifest, int(row["first_deal"]))
        lead = deal % study.rules.seats
        key = study.seed, deal - lead
        if key not in played:
            played[key] = play_block(study, deal - lead, study.rules.seats).outcomes
        outcome = played[key][lead]
        assert outcome["deal"] == deal
        for name in ("end", "kind", "payment", "turns", "winner", "seat", "deuces", "recycles"):
            assert outcome[name] == row[name]
    assert {seed for seed, _ in played} == {5, 31, 77}


def test_the_first_session_of_every_row_is_the_one_that_it_counts(merged):
    manifest, found = merged.directory / MANIFEST, set()
    index = merged.cubes.sessions.dtype.names[-1]
    for row in merged.cubes.sessions[::7]:
        study, deal = load_study_of_deal(manifest, int(row[index]) * 4)
        assert deal % 4 == 0
        ledger = [0] * 4
        for outcome in play_block(study, deal, 4).outcomes:
            if outcome.end == 0:
                ledger = [points - outcome.payment for points in ledger]
                ledger[outcome.winner] += 4 * outcome.payment
        assert ledger[row["player"]] == row["ledger"]
        found.add(study.seed)
    assert found == {5, 31, 77}


@pytest.mark.parametrize("deal", [211, 5000, 10**12])
def test_a_deal_that_it_does_not_have_is_refused(merged, deal):
    with pytest.raises(ContsimError, match=rf"has no deal {deal}: it has 8 to 210, "):
        load_study_of_deal(merged.directory / MANIFEST, deal)


def test_the_table_tells_of_all_seeds(merged):
    table = render_table(summarise(merged))
    assert "954 deals" in table
    assert "seeds 5, 31, 77" in table


# --- What is not carried over --------------------------------------------------------------------


class Enough:
    """A stopping rule that has enough at once."""

    needed = None
    text = "payment 10 ± 1"

    def looks(self, study):
        return 200, study.deals

    def enough(self, stored):
        return True

    def table(self):
        return {"until": ["payment=50%"], "level": 0.95}


@pytest.fixture(scope="module")
def early(tmp_path_factory):
    """Studies that ended by a rule, and for the time, and one with records."""
    room = tmp_path_factory.mktemp("early")
    run_study(small_study(400), room / "known", HERE, stopping=Enough())
    brief = Means(1, max_time=1e-9)
    run_study(small_study(400, first_deal=200), room / "brief", brief)
    run_study(small_study(100, seed=5), room / "records", HERE, records=True)
    assert read_manifest(room / "known")["study"]["deals"] == 200
    return room


def test_why_a_study_ended_early_is_kept_in_its_segment(early, studies, tmp_path):
    names = [early / "known", studies / "late", early / "records"]
    merged = merge(tmp_path / "merged", *names)
    known = ["deals 0 to 199: known well enough: payment 10 ± 1"]
    endings = [each.get("endings") for each in merged.manifest["segments"]]
    assert endings == [None, known, None]
    assert read_manifest(tmp_path / "merged") == merged.manifest
    # Merged once more, and the other way round.
    again = merge(tmp_path / "again", tmp_path / "merged", studies / "third")
    assert [each.get("endings") for each in again.manifest["segments"]] == [None, known, None, None]


def test_why_studies_ended_early_is_kept_if_they_become_one(early, studies, tmp_path):
    brief = read_manifest(early / "brief")["study"]["deals"]
    merged = merge(tmp_path / "merged", early / "brief", early / "known")
    assert "segments" not in merged.manifest
    expected = [
        "deals 0 to 199: known well enough: payment 10 ± 1",
        f"deals 200 to {199 + brief}: the time of 1e-09 seconds was over",
    ]
    assert merged.manifest["state"]["endings"] == expected
    again = merge(tmp_path / "again", tmp_path / "merged", studies / "other")
    assert [each.get("endings") for each in again.manifest["segments"]] == [None, expected]
    # It goes on like any other study, and its table does not end with a part of it.
    assert render_table(summarise(merged)).count("known well enough") == 0
    resume_study(tmp_path / "merged", HERE, deals=600)
    assert read_manifest(tmp_path / "merged")["state"]["endings"] == expected


def test_what_is_not_carried_over_is_told(early, studies, tmp_path):
    said, (known, records) = [], (early / "known", early / "records")
    merged = merge(tmp_path / "a", records, known, say=said.append)
    rule = f"the stopping rule of {known} is not carried over: the new manifest.toml tells why"
    assert said == [
        f"the records of {records} are not carried over: they stay where they are",
        f"{rule} the deals ended where they did",
    ]
    assert not merged.manifest["state"]["records"]
    said.clear()
    merge(tmp_path / "b", studies / "one", studies / "other", say=said.append)
    assert not said


@pytest.mark.parametrize("quiet", [False, True])
def test_a_user_is_told_too_unless_quiet(early, studies, tmp_path, capsys, quiet):
    names = [str(early / "records"), str(studies / "one")]
    assert main(["merge", *names, "--out", str(tmp_path / "out"), *["-q"] * quiet]) == 0
    told = f"contsim: the records of {names[0]} are not carried over: they stay where they are\n"
    assert capsys.readouterr().err.startswith(told) != quiet


# --- All or nothing ------------------------------------------------------------------------------


def presses_ctrl_c():
    signal.raise_signal(signal.SIGINT)


def fills_the_disk():
    raise OSError(28, "No space left on device")


@pytest.mark.parametrize("new", [True, False])
@pytest.mark.parametrize("at", [1, 4])
@pytest.mark.parametrize(
    ("event", "raised"), [(presses_ctrl_c, Interrupted), (fills_the_disk, ContsimError)]
)
def test_nothing_is_left_of_a_sum_that_is_cut_short(
    studies, tmp_path, monkeypatch, new, at, event, raised
):
    out, calls, work = tmp_path / "out", [], store.parquet.write_table
    if not new:
        out.mkdir()

    def write(path, table):
        calls.append(path)
        work(path, table)
        if len(calls) == at:
            with store.parquet.explained(path):
                event()

    monkeypatch.setattr(store.parquet, "write_table", write)
    with pytest.raises(raised):
        merge(out, studies / "one", studies / "other")
    assert calls[0].parent == out
    assert out.exists() != new
    assert new or not list(out.iterdir())


def test_a_sum_is_not_mixed_with_a_study_that_is_played_there(studies, tmp_path, monkeypatch):
    with claimed(tmp_path / "out"):
        with pytest.raises(ContsimError, match="another process is playing"):
            merge(tmp_path / "out", studies / "one", studies / "other")
        assert (tmp_path / "out" / "parts" / "lock").exists()
    refusals, write = [], merging.write_study

    def meanwhile(*arguments):
        with pytest.raises(ContsimError, match="another process is playing") as error:
            run_study(small_study(40), tmp_path / "out", HERE)
        refusals.append(error)
        return write(*arguments)

    monkeypatch.setattr(merging, "write_study", meanwhile)
    merge(tmp_path / "out", studies / "one", studies / "other")
    assert refusals
    assert not (tmp_path / "out" / "parts").exists()


# --- Refusals ------------------------------------------------------------------------------------


def refused(out, pattern, *directories):
    before = [snapshot(directory) for directory in directories]
    with pytest.raises(ContsimError, match=pattern) as error:
        merge(out, *directories)
    assert "\n" not in str(error.value)
    assert not out.exists()
    assert [snapshot(directory) for directory in directories] == before


@pytest.fixture
def another(tmp_path):
    """Play something else."""

    def play(study):
        run_study(study, tmp_path / "else", HERE)
        return tmp_path / "else"

    return play


def test_other_rules_are_refused_by_the_keys_that_differ(studies, another, tmp_path):
    rules = rules_with("pay_dealt=9", "max_rounds=50")
    other = another(small_study(40, rules=rules, seed=9))
    mine = rules_to_dict(DEFAULT)
    pattern = (
        f"not of the same experiment: max_rounds = {mine['max_rounds']} against 50; "
        f"pay_dealt = {mine['pay_dealt']} against 9; only studies that differ in seed or deals"
    )
    with pytest.raises(ContsimError, match="same experiment") as error:
        merge(tmp_path / "out", studies / "one", other)
    told = sorted(str(error.value).partition(": ")[2].partition("; only")[0].split("; "))
    assert told == sorted(pattern.partition(": ")[2].partition("; only")[0].split("; "))


def test_studies_of_two_games_are_refused_in_a_sentence(studies, another, tmp_path):
    other = another(small_study(40, rules=BasicRummyRules(), specs=["fastest"], seed=9))
    told = (
        f"{studies / 'one'} and {other} are of different games, Continental and Basic Rummy: only "
        "studies that differ in seed or deals alone can be merged"
    )
    refused(tmp_path / "out", f"^{re.escape(told)}$", studies / "one", other)


def test_another_line_up_is_refused(studies, another, tmp_path):
    other = another(small_study(40, specs=[*MIXED[:3], "stock"], seed=9))
    pattern = "line-up fastest, stock, neighbours, random against fastest, stock, neighbours, stock"
    refused(tmp_path / "out", pattern, studies / "one", other)


def test_a_strategy_file_that_was_changed_is_refused(tmp_path):
    text = (
        "from continental_sim.api import best_discard\n\n\ndef take_discard(view):\n"
        "    return False\n\n\ndef choose_discard(view):\n    return best_discard(view)\n"
    )
    for name, source, seed in (("one", text, 1), ("two", f"{text}# better\n", 2)):
        study = make_study(DEFAULT, [*MIXED[:2], strategy(source), "random"], seed, 40)
        run_study(study, tmp_path / name, HERE)
    pattern = r"the file of strategy inline \(player 2\); only"
    refused(tmp_path / "out", pattern, tmp_path / "one", tmp_path / "two")


def test_another_order_of_the_players_is_refused(studies, tmp_path):
    study = make_study(DEFAULT, MIXED, 9, 40, fixed_order=True)
    run_study(study, tmp_path / "else", HERE)
    pattern = "fixed_order = false against true"
    refused(tmp_path / "out", pattern, studies / "one", tmp_path / "else")


def test_other_code_is_refused(studies, tmp_path):
    other = shutil.copytree(studies / "other", tmp_path / "other")
    manifest = read_manifest(other)
    code = manifest["study"]["code"]
    write_manifest(other, {**manifest, "study": {**manifest["study"], "code": "0123"}})
    refused(tmp_path / "out", f"code {code} against 0123", studies / "one", other)


@pytest.mark.parametrize(("first_deal", "shared"), [(0, "0 to 399"), (396, "396 to 399")])
def test_deals_that_would_count_twice_are_refused(studies, another, tmp_path, first_deal, shared):
    other = another(small_study(600, first_deal=first_deal))
    pattern = f"share deals {shared} of seed 31, which would count twice: .*--first-deal, or .*--se"
    refused(tmp_path / "out", pattern, studies / "one", other)
    refused(tmp_path / "out", pattern, other, studies / "other", studies / "one")


def test_a_study_is_not_merged_with_itself_nor_twice(studies, merged, tmp_path):
    refused(tmp_path / "out", "share deals 0 to 399", studies / "one", studies / "one")
    refused(tmp_path / "out", "share deals 0 to 149", merged.directory, studies / "third")


def test_an_unfinished_study_is_refused(studies, tmp_path):
    play_until(small_study(800, seed=9), tmp_path / "else", 200)
    pattern = rf"else is unfinished: contsim run --resume {tmp_path / 'else'} first"
    refused(tmp_path / "out", pattern, studies / "one", tmp_path / "else")


def test_a_damaged_study_is_refused(studies, tmp_path):
    other = shutil.copytree(studies / "other", tmp_path / "other")
    (other / "cube.parquet").write_bytes(b"PAR1")
    refused(tmp_path / "out", "cube.parquet is damaged", studies / "one", other)


def test_a_merged_study_that_is_damaged_is_merged_again(merged, tmp_path):
    other = shutil.copytree(merged.directory, tmp_path / "other")
    (other / "cube.parquet").unlink()
    with pytest.raises(ContsimError, match="it is missing; merge the studies that it is the sum"):
        read_study(other)


def test_nothing_is_written_over(studies, tmp_path):
    (tmp_path / "notes.txt").write_text("kept")
    with pytest.raises(ContsimError, match="not empty"):
        merge(tmp_path, studies / "one", studies / "two")


@pytest.mark.parametrize("deals", [None, 2000])
def test_a_merged_study_cannot_be_played_as_one(merged, deals):
    before = snapshot(merged.directory)
    if deals is None:  # it is complete
        assert resume_study(merged.directory, HERE).manifest == merged.manifest
    else:
        with pytest.raises(ContsimError, match="merged study, which cannot be played as one"):
            resume_study(merged.directory, HERE, deals=deals)
    assert snapshot(merged.directory) == before
