"""Lock files: one process at a time, whatever becomes of the file."""

import pytest

from continental_sim.errors import ContsimError
from continental_sim.files import locks
from continental_sim.files.locks import locked


def test_one_at_a_time(tmp_path):
    path = tmp_path / "place" / "lock"
    refused = pytest.raises(ContsimError, match="another process is playing the study: wait")
    with locked(path, "the study"), refused, locked(path, "the study"):
        pytest.fail("two have it")
    with locked(path, "the study"):
        pass


@pytest.mark.parametrize("with_directory", [False, True])
def test_a_lock_file_that_was_removed_meanwhile_is_none(tmp_path, monkeypatch, with_directory):
    """The one who held it may remove it between our opening it and our locking it."""
    path, lock = tmp_path / "place" / "lock", locks.fcntl.flock
    removed = []

    def late(descriptor, how):
        if not removed:
            removed.append(path)
            path.unlink()
            if with_directory:
                path.parent.rmdir()
        lock(descriptor, how)

    monkeypatch.setattr(locks.fcntl, "flock", late)
    refused = pytest.raises(ContsimError, match="another process")
    with locked(path, "the study"), refused, locked(path, "the study"):
        pytest.fail("two have it")
    assert removed
