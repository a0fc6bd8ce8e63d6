"""A complete study that is no longer whole: it is played again, and why is always told."""

import pytest

from continental_sim.files.manifest import MANIFEST
from continental_sim.play.means import Watcher
from continental_sim.play.simulate import resume_study, run_study
from tests.studies import HERE, digests, small_study

STUDY = small_study(400)
DIFFERS = "it is not the file that this study wrote: its checksum differs"
ASIDE = "it lies in {}/set-aside now, and all deals are played again"


@pytest.fixture
def study(tmp_path):
    """A complete study with records, and the checksums of its files."""
    run_study(STUDY, tmp_path / "study", HERE, records=True)
    return tmp_path / "study", digests(tmp_path / "study")


def drop(path):
    path.unlink()


def damage(path):
    path.write_bytes(path.read_bytes()[:-1])


@pytest.mark.parametrize(
    ("name", "harm", "told"),
    [
        ("cube", drop, "cube.parquet is missing in {}: all deals are played again"),
        ("records", drop, "records.parquet is missing in {}: all deals are played again"),
        ("faces", damage, f"faces.parquet is damaged or foreign ({DIFFERS}): {ASIDE}"),
    ],
)
def test_what_is_missing_or_damaged_is_told(study, name, harm, told):
    directory, expected = study
    harm(directory / f"{name}.parquet")
    said = []
    stored = resume_study(directory, HERE, Watcher(say=said.append))
    assert said == [told.format(directory)]
    assert digests(directory) == expected
    assert stored.manifest["runs"][-1]["deals"] == STUDY.deals


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (("deals = 400\nreason", "deals = 404\nreason"), "it does not agree with the cubes beside"),
        (("[files.cube]", "[files.cubes]"), "it has no checksum of cube.parquet"),
    ],
)
def test_a_fault_of_the_manifest_is_told(study, change, why):
    directory, expected = study
    path = directory / MANIFEST
    text = path.read_text(encoding="utf-8")
    assert change[0] in text
    path.write_text(text.replace(*change), encoding="utf-8")
    said = []
    resume_study(directory, HERE, Watcher(say=said.append))
    (told,) = said
    assert told.startswith(f"{MANIFEST} in {directory} is damaged or foreign ({why}")
    assert told.endswith("): all deals are played again")
    assert digests(directory) == expected
