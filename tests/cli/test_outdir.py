"""Where a study is kept."""

import pytest

from continental_sim.cli.outdir import claim_directory, fresh_directory, release_directory
from continental_sim.errors import ContsimError


def test_fresh_directories_differ_and_name_the_study(tmp_path):
    first = fresh_directory({"seed": 1}, tmp_path)
    first.mkdir(parents=True)
    again = fresh_directory({"seed": 1}, tmp_path)
    other = fresh_directory({"seed": 2}, tmp_path)
    assert len({first, again, other}) == 3
    assert first.name[16:24] == again.name[16:24] != other.name[16:24]


def test_claims_a_new_and_an_empty_directory(tmp_path):
    claim_directory(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()
    claim_directory(tmp_path / "a" / "b")
    assert not list((tmp_path / "a" / "b").iterdir())


def test_refuses_what_is_not_empty(tmp_path):
    (tmp_path / "x").write_text("kept")
    with pytest.raises(ContsimError, match="not empty; name a new directory"):
        claim_directory(tmp_path)
    with pytest.raises(ContsimError, match="is a file"):
        claim_directory(tmp_path / "x")
    assert (tmp_path / "x").read_text() == "kept"


def test_refuses_what_cannot_be_written(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ContsimError, match=r"--out .*file.study cannot be written"):
        claim_directory(tmp_path / "file" / "study")


def test_releases_only_an_empty_directory(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "x").write_text("")
    release_directory(kept)
    assert kept.is_dir()
    (kept / "x").unlink()
    release_directory(kept)
    release_directory(kept)
    assert not kept.exists()
