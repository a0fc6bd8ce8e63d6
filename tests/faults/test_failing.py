"""Strategies that fail, in one deal of many or for want of something outside."""

import shlex

import pytest

from continental_sim.cli import main
from continental_sim.study import make_study
from tests.processes import (
    PACED,
    canonical,
    deals_kept,
    manifest_of,
    paced_study,
    resumed,
    run,
    unbroken,
    write_study_file,
)
from tests.strategy_files import breaks_in
from tests.tabletop import DEFAULT, strategy

BAD = 123_456
SEED = 100  # in which no other deal begins with a hand that looks alike
BLOCK = 4000
NEEDED = "CONTSIM_TEST_NEEDED"

# Reads a file in deals that begin with a certain hand: with seed 99 the first is deal 228.
READS = PACED.replace(
    "    return False",
    f"""    if view.turn == 1 and view.seat == 0 and view.hand[0] == 2:
        with open(os.environ["{NEEDED}"]) as source:
            return bool(source.read())
    return False""",
)


@pytest.mark.full
@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failure_in_one_deal_alone_is_placed_and_replayed(tmp_path, jobs):
    deals = 140_000 if jobs == 1 else 600_000
    study = make_study(DEFAULT, [strategy(breaks_in(BAD, SEED))], SEED, deals, block_deals=BLOCK)
    file, directory = write_study_file(tmp_path / "study.toml", study), tmp_path / "my study"
    ended = run("run", file, "--out", directory, "--jobs", jobs, "-q")
    kept = deals_kept(directory)
    assert ended.status == 1
    assert BAD // BLOCK * BLOCK <= kept < BAD // BLOCK * BLOCK + 2 * BLOCK * jobs
    replay = f"contsim replay {shlex.quote(str(directory))} --deal {BAD}"
    sentence = ended.sentence
    player = sentence.partition("(player ")[2][0]
    assert sentence == (
        f"strategy inline (player {player}) raised ZeroDivisionError: integer division by zero, "
        f"in deal {BAD}, seat 0, turn 1; {kept:,} of {deals:,} deals are kept in {directory}; "
        f"replay it: {replay}"
    )
    assert manifest_of(directory)["state"]["reason"] == sentence.partition("; ")[0]
    # The command as it is printed.
    replayed = run(*shlex.split(replay)[1:])
    assert (replayed.status, replayed.err) == (0, "")
    told = " ".join(replayed.out.split())
    assert told.startswith(f"Deal {BAD} of seed {SEED}")
    assert f"strategy inline (player {player}) raised ZeroDivisionError" in told
    # To go on leads there again, and keeps what there is.
    again = run("run", "--resume", directory, "--jobs", 1, "-q")
    assert again.status == 1
    assert again.sentence.partition("; ")[0] == sentence.partition("; ")[0]
    assert deals_kept(directory) == kept


def test_a_failure_whose_cause_lies_outside_can_be_mended(tmp_path, monkeypatch, capsys):
    deals = 400
    needed = tmp_path / "needed.txt"
    monkeypatch.setenv(NEEDED, str(needed))
    study = paced_study(deals, 40, READS, seed=99)
    file, directory = write_study_file(tmp_path / "study.toml", study), tmp_path / "study"
    assert main(["run", str(file), "--out", str(directory), "--jobs", "1", "-q"]) == 1
    err = capsys.readouterr().err
    assert "FileNotFoundError" in err
    assert err.count("\n") == 1
    kept = deals_kept(directory)
    assert kept == 200
    needed.write_text("")
    expected = unbroken(study, tmp_path / "unbroken")
    assert resumed(directory, kept) == expected
    assert canonical(directory) == expected
