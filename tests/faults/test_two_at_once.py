"""Two processes and one study: one plays, the other is refused; all may read."""

import json
import time

import pytest

from continental_sim.cli import main
from tests.processes import (
    canonical,
    deals_kept,
    end_of,
    manifest_of,
    paced_study,
    run,
    start,
    unbroken,
    wait_for_deals,
    write_study_file,
)

BLOCK = 8
DEALS = 200


def test_the_second_is_refused_and_the_first_undisturbed(tmp_path, capsys):
    study = paced_study(DEALS, BLOCK)
    expected = unbroken(study, tmp_path / "unbroken")
    file, directory = write_study_file(tmp_path / "study.toml", study), tmp_path / "study"
    first = start("run", file, "--out", directory, "--jobs", 1, "-q", pause=0.03)
    wait_for_deals(first, directory, 2 * BLOCK)
    begun = time.monotonic()
    for line, part in (
        (["run", str(file), "--out", str(directory)], f"{directory} is "),
        (
            ["run", "--resume", str(directory)],
            f"another process is playing the study in {directory}",
        ),
        (["extend", str(directory), "--deals", "400"], "another process is playing the study in"),
    ):
        assert main([*line, "-q"]) == 2
        out, err = capsys.readouterr()
        assert out == ""
        assert part in err
        assert err.count("\n") == 1
    assert time.monotonic() - begun < 10
    assert first.poll() is None
    shown = look_on(first, directory, capsys, every=0.3)
    assert len(set(shown)) > 1
    assert shown == sorted(shown)
    ended = end_of(first)
    assert (ended.status, ended.err) == (0, "")
    assert canonical(directory) == expected
    assert manifest_of(directory)["runs"][-1]["deals"] == DEALS


def look_on(process, directory, capsys, every=0.0):
    """Show a study over and over while it is played; return how many deals each found."""
    shown = []
    while process.poll() is None:
        assert main(["show", str(directory), "--json"]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        shown.append(json.loads(out)["deals"])
        time.sleep(every)
    return shown


@pytest.mark.full
def test_a_study_is_shown_at_any_time(tmp_path, capsys):
    # Blocks without a rest, of few deals: parts are written and joined all the time.
    study = paced_study(4000, 4)
    file, directory = write_study_file(tmp_path / "study.toml", study), tmp_path / "study"
    process = start("run", file, "--out", directory, "--jobs", 1, "-q")
    wait_for_deals(process, directory, 4)
    shown = look_on(process, directory, capsys)
    assert shown == sorted(shown)
    assert end_of(process).status == 0
    assert main(["show", str(directory)]) == 0


@pytest.mark.full
@pytest.mark.parametrize("attempt", range(5))
def test_of_two_that_start_together_one_plays(tmp_path, attempt):
    study = paced_study(80, BLOCK)
    file, directory = write_study_file(tmp_path / "study.toml", study), tmp_path / "study"
    line = ("run", file, "--out", directory, "--jobs", 1, "-q")
    both = [start(*line, pause=0.05), start(*line, pause=0.05)]
    ended = sorted((end_of(each) for each in both), key=lambda each: each.status)
    assert [each.status for each in ended] == [0, 2]
    assert len(ended[1].sentences) == 1
    assert canonical(directory)
    # Likewise those that go on with it.
    process = start(*line[:3], tmp_path / "again", *line[4:], pause=0.05)
    wait_for_deals(process, tmp_path / "again", 2 * BLOCK)
    process.kill()
    end_of(process)
    line = ("run", "--resume", tmp_path / "again", "--jobs", 1, "-q")
    both = [start(*line, pause=0.1), start(*line, pause=0.1)]
    ended = sorted((end_of(each) for each in both), key=lambda each: each.status)
    assert [each.status for each in ended] == [0, 2]
    assert "another process is playing the study" in ended[1].sentence


@pytest.mark.full
def test_the_lock_of_a_killed_process_is_free(tmp_path):
    study = paced_study(160, BLOCK)
    file, directory = write_study_file(tmp_path / "study.toml", study), tmp_path / "study"
    process = start("run", file, "--out", directory, "--jobs", 2, "-q", pause=0.05)
    wait_for_deals(process, directory, 6 * BLOCK)
    process.kill()
    process.wait(timeout=10)
    again = run("run", "--resume", directory, "--jobs", 1, "-q")
    assert (again.status, again.err) == (0, "")
    assert deals_kept(directory) == 0  # the parts are gone: it is complete
    end_of(process)
