"""Small studies on disk: played, interrupted, and compared byte for byte."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path

import pytest

from continental_sim.cli import main
from continental_sim.files.store import read_study
from continental_sim.interrupts import Interrupted
from continental_sim.play.means import Means, Watcher
from continental_sim.play.simulate import run_study
from tests.tabletop import DEFAULT, study_of

MIXED = ["fastest", "stock", "neighbours", "random"]
HERE = Means(1)  # no workers: a small study is played in this process


def small_study(deals=1600, *, rules=DEFAULT, specs=MIXED, seed=31, block_deals=100, first_deal=0):
    """A study of some blocks, which takes a fraction of a second."""
    study = study_of(rules, specs, deals, seed=seed, block_deals=block_deals)
    return replace(study, first_deal=first_deal)


def digests(directory: Path) -> dict[str, str]:
    """Checksum of each file of a finished study but its manifest."""
    return {
        path.name: sha256(path.read_bytes()).hexdigest()
        for path in sorted(directory.glob("*.parquet"))
    }


def play_until(study, directory, deals, means=HERE, **options):
    """Play a study, and press Ctrl-C once so many deals are finished."""
    with pytest.raises(Interrupted):
        run_study(study, directory, means, stopper(deals), **options)
    assert 0 < read_study(directory).cubes.deals < study.deals


def stopper(deals):
    """A watcher who presses Ctrl-C once so many deals are finished."""

    def progress(done, wanted):
        if done >= deals:
            raise KeyboardInterrupt

    return Watcher(progress)


def part_files(directory, kind=""):
    """Files of parts of a kind, in the order of their deals."""
    return sorted((directory / "parts").glob(f"{kind}*.arrow"))


def snapshot(directory):
    """What a directory holds: name and time of change of each file."""
    return {path.relative_to(directory): path.stat().st_mtime_ns for path in directory.rglob("*")}


def refused(capsys, *arguments):
    """Run a command that is refused; return the sentence."""
    assert main([*arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    return captured.err
