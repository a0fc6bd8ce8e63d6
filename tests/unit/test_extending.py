"""Deals added to a study: it becomes what one run of all of them gives, byte for byte."""

import shutil
from dataclasses import replace

import pytest

from continental_sim.errors import ContsimError
from continental_sim.files import parquet, parts
from continental_sim.files.manifest import read_manifest
from continental_sim.files.store import read_study
from continental_sim.play import opening
from continental_sim.play.means import Watcher
from continental_sim.play.simulate import resume_study, run_study
from tests.studies import HERE, MIXED, digests, play_until, small_study, snapshot, stopper
from tests.tabletop import DEFAULT, rules_with

FIVE = rules_with("seats=5", "next_dealer=winner", "max_rounds=12")


def run(directory, deals, *, records=False, **options):
    """Play a small study; return the checksums of its files."""
    run_study(small_study(deals, **options), directory, HERE, records=records)
    return digests(directory)


def extend(directory, deals, watcher=None):
    stored = resume_study(directory, HERE, watcher, deals=deals)
    assert stored.manifest["study"]["deals"] == stored.cubes.deals == deals
    assert stored.complete
    assert not (directory / "parts").exists()
    return digests(directory)


@pytest.mark.parametrize(
    ("rules", "specs", "first", "records"),
    [
        (DEFAULT, MIXED, 800, True),
        (DEFAULT, MIXED, 803, True),  # in the midst of a session
        (rules_with("next_dealer=winner"), MIXED, 401, False),
        (FIVE, [*MIXED, "stock"], 503, True),
        (FIVE, [*MIXED, "stock"], 99, False),  # in the midst of a block
    ],
)
def test_an_extended_study_is_one_bigger_run(tmp_path, rules, specs, first, records):
    options = {"rules": rules, "specs": specs, "records": records}
    expected = run(tmp_path / "big", 1203, **options)
    run(tmp_path / "study", first, **options)
    assert extend(tmp_path / "study", 1203) == expected
    runs = read_manifest(tmp_path / "study")["runs"]
    assert [each["deals"] for each in runs] == [first, 1203 - first]


def test_a_study_may_be_extended_often_and_little(tmp_path):
    expected = run(tmp_path / "big", 413, records=True)
    run(tmp_path / "study", 1, records=True)
    for deals in (2, 7, 401, 413):
        found = extend(tmp_path / "study", deals)
    assert found == expected


def test_larger_studies_have_larger_blocks(tmp_path):
    expected = run(tmp_path / "big", 4802, block_deals=1000)
    run(tmp_path / "study", 2402, block_deals=100)
    assert extend(tmp_path / "study", 4802) == expected
    assert read_manifest(tmp_path / "study")["study"]["block_deals"] == 1024


def test_an_extension_that_is_interrupted_is_resumed(tmp_path):
    expected = run(tmp_path / "big", 1203, records=True)
    run(tmp_path / "study", 502, records=True)
    with pytest.raises(KeyboardInterrupt, match="1,024 of 1,203 deals are kept"):
        resume_study(tmp_path / "study", HERE, stopper(600), deals=1203)
    with pytest.raises(KeyboardInterrupt, match="1,024 of 1,203 deals are kept"):
        resume_study(tmp_path / "study", HERE, stopper(0))
    assert read_study(tmp_path / "study").cubes.deals == 1024
    resume_study(tmp_path / "study", HERE)
    assert digests(tmp_path / "study") == expected


def test_an_extension_that_is_interrupted_at_once_keeps_the_study(tmp_path):
    run(tmp_path / "study", 502, records=True)
    with pytest.raises(KeyboardInterrupt, match="502 of 1,203 deals are kept"):
        resume_study(tmp_path / "study", HERE, stopper(502), deals=1203)
    assert read_study(tmp_path / "study").cubes.deals == 502
    assert extend(tmp_path / "study", 1203) == run(tmp_path / "big", 1203, records=True)


def test_an_unfinished_study_is_extended_too(tmp_path):
    expected = run(tmp_path / "big", 1203, records=True)
    play_until(small_study(702), tmp_path / "study", 300, records=True)
    assert extend(tmp_path / "study", 1203) == expected
    assert [each["deals"] for each in read_manifest(tmp_path / "study")["runs"]] == [300, 903]


def test_as_many_deals_as_it_has_are_nothing_to_do(tmp_path):
    run(tmp_path / "study", 402)
    before = snapshot(tmp_path / "study")
    extend(tmp_path / "study", 402)
    assert snapshot(tmp_path / "study") == before


def test_a_study_that_begins_later_keeps_its_first_deal(tmp_path):
    expected = run(tmp_path / "big", 900, first_deal=400)
    run(tmp_path / "study", 301, first_deal=400)
    assert extend(tmp_path / "study", 900) == expected


class CrashError(Exception):
    """The machine goes off."""


@pytest.mark.parametrize(
    ("module", "name"),
    [(parts.CubeParts, "keep"), (parts.RecordParts, "keep"), (opening, "write_manifest")],
)
def test_a_crash_while_an_extension_begins_loses_nothing(tmp_path, monkeypatch, module, name):
    def crash(*arguments):
        raise CrashError

    run(tmp_path / "study", 502, records=True)
    before = digests(tmp_path / "study")
    with monkeypatch.context() as crashes:
        crashes.setattr(module, name, crash)
        with pytest.raises(CrashError):
            resume_study(tmp_path / "study", HERE, deals=1203)
    assert read_study(tmp_path / "study").cubes.deals == 502
    shutil.copytree(tmp_path / "study", tmp_path / "copy")
    resume_study(tmp_path / "copy", HERE)  # it is complete, and what was begun is tidied up
    assert not (tmp_path / "copy" / "parts").exists()
    assert digests(tmp_path / "copy") == before
    assert extend(tmp_path / "study", 1203) == run(tmp_path / "big", 1203, records=True)


# --- The records of the study before -------------------------------------------------------------


def test_records_that_are_gone_are_played_again(tmp_path):
    expected = run(tmp_path / "big", 903, records=True)
    run(tmp_path / "study", 402, records=True)
    (tmp_path / "study" / "records.parquet").unlink()
    assert extend(tmp_path / "study", 903) == expected


@pytest.mark.parametrize("place", [0, -1])
def test_damaged_records_are_set_aside_and_played_again(tmp_path, monkeypatch, place):
    monkeypatch.setattr(parquet, "ROW_GROUP", 100)
    expected = run(tmp_path / "big", 903, records=True)
    run(tmp_path / "study", 402, records=True)
    path = tmp_path / "study" / "records.parquet"
    data = bytearray(path.read_bytes())
    data[place] ^= 16
    path.write_bytes(data)
    said = []
    assert extend(tmp_path / "study", 903, Watcher(say=said.append)) == expected
    assert len(said) == 1
    assert said[0].startswith("records.parquet is damaged or foreign")


def test_records_of_another_study_are_set_aside_and_played_again(tmp_path):
    expected = run(tmp_path / "big", 903, records=True)
    run(tmp_path / "study", 402, records=True)
    run(tmp_path / "other", 402, records=True, seed=32)
    shutil.copy(tmp_path / "other" / "records.parquet", tmp_path / "study")
    said = []
    assert extend(tmp_path / "study", 903, Watcher(say=said.append)) == expected
    assert said[0].startswith("records.parquet is damaged or foreign")


# --- Refusals ------------------------------------------------------------------------------------


def test_fewer_deals_are_refused_and_nothing_is_touched(tmp_path):
    run(tmp_path / "study", 402)
    before = snapshot(tmp_path / "study")
    with pytest.raises(ContsimError, match="has 402 deals, 401 are fewer: extend it to more"):
        resume_study(tmp_path / "study", HERE, deals=401)
    assert snapshot(tmp_path / "study") == before


def test_other_code_adds_nothing(tmp_path, monkeypatch):
    run(tmp_path / "study", 402)
    before = snapshot(tmp_path / "study")
    monkeypatch.setattr(opening, "code_mark", lambda: "another")
    with pytest.raises(ContsimError, match="begun by other code"):
        resume_study(tmp_path / "study", HERE, deals=802)
    assert snapshot(tmp_path / "study") == before


def test_blocks_of_an_extended_study_grow_but_never_shrink():
    study = small_study(1600)
    assert opening.extended(study, 1601) == small_study(1601, block_deals=1024)
    large = replace(study, block_deals=10_000)
    assert opening.extended(large, 1601) == replace(large, deals=1601)
