"""The benchmarks measure what they say: the right process, whole, and no more than once."""

import json
import os
import resource
import sys
import time

import pytest

from tests.script_files import load_script

measuring = load_script("measuring")
size = load_script("bench_size")


def python(code):
    return [sys.executable, "-S", "-c", code]


def test_a_process_is_measured_without_the_one_that_measures():
    """Linux counts the memory of whoever starts a process; this one is far larger than Python."""
    ballast = bytearray(os.urandom(1)) * 200_000_000
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024 > 190
    done = measuring.run(python("sum(range(2_000_000))"))
    assert len(ballast) == 200_000_000
    assert 2 < done.memory < 60
    assert 0.01 < done.processor < 5
    assert done.wall > 0.01


def test_workers_count_too():
    code = "import os; pid = os.fork(); pid and os.wait(); pid or sum(range(20_000_000))"
    alone = measuring.run(python("pass"))
    assert measuring.run(python(code)).processor > alone.processor + 0.1


def test_a_failure_tells_what_was_said():
    code = "import sys; print('so it is', file=sys.stderr); sys.exit(3)"
    for on_terminal in (False, True):
        with pytest.raises(SystemExit, match="status 3: so it is"):
            measuring.run(python(code), on_terminal=on_terminal)


def test_a_terminal_is_one_where_it_is_asked_for():
    code = "import sys; sys.exit(4 if sys.stderr.isatty() else 5)"
    with pytest.raises(SystemExit, match="status 4"):
        measuring.run(python(code), on_terminal=True)
    with pytest.raises(SystemExit, match="status 5"):
        measuring.run(python(code))


def test_a_directory_is_watched_at_its_fullest(tmp_path, monkeypatch):
    monkeypatch.setattr(measuring, "SAMPLE_EVERY", 0.001)
    room = tmp_path / "study"
    with measuring.Watch(room) as watch:
        (room / "parts").mkdir(parents=True)
        for number in range(3):
            (room / "parts" / str(number)).write_bytes(b"x" * 10)
        while watch.size < 30:
            time.sleep(0.001)
        (room / "parts" / "0").unlink()
    assert (watch.files, watch.size) == (3, 30)


@pytest.fixture
def two_steps(monkeypatch):
    """Two steps of a benchmark, and the names of those that were measured."""
    done = []

    def step(name):
        def work():
            if name in failing:
                raise KeyboardInterrupt
            done.append(name)
            return {"deals": len(done)}

        return size.Step("played", name, work)

    failing = set()
    monkeypatch.setattr(size, "steps", lambda scale, study: [step("a"), step("b")])
    return done, failing


def test_what_was_measured_before_a_stop_is_kept(tmp_path, two_steps):
    done, failing = two_steps
    path = tmp_path / "scale.json"
    failing.add("b")
    with pytest.raises(KeyboardInterrupt):
        size.measure(path, 1.0, None)
    failing.clear()
    size.measure(path, 1.0, None)
    assert done == ["a", "b"]
    assert json.loads(path.read_text())["played"] == {"a": {"deals": 1}, "b": {"deals": 2}}
    size.measure(path, 1.0, None)
    assert done == ["a", "b"]


def test_figures_of_another_scale_are_not_mixed_in(tmp_path, two_steps, capsys):
    done, _ = two_steps
    path = tmp_path / "scale.json"
    size.measure(path, 0.5, None)
    size.measure(path, 1.0, None)
    assert done == ["a", "b", "a", "b"]
    assert "all is measured anew" in capsys.readouterr().err


def test_each_step_has_a_place_of_its_own():
    places = [(step.group, step.name) for step in size.steps(1.0, None)]
    assert len(places) == len(set(places))
    model = load_script("scale_model")
    assert {group for group, _ in places} - {"pairs"} == set(model.NEEDED)


def test_a_bare_run_plays_the_whole_study(monkeypatch):
    bare = load_script("bare_run")
    monkeypatch.setattr(bare, "AT_ONCE", 3)
    study = bare.make_study(bare.load_rules("continental"), ["stock"], 1, 400, block_deals=40)
    cubes = bare.play_bare(study, 1)
    whole = bare.play_task(study, bare.Span(0, 400), False, bare.code_mark(), None)
    for name, rows in cubes.rows().items():
        assert (rows == whole.cubes.rows()[name]).all(), name


def test_costs_of_blocks_are_measured(monkeypatch):
    monkeypatch.setattr(size, "DIFFERENT", 2)
    monkeypatch.setattr(size, "KEPT", 17)
    found = size.cost_of_blocks(400)
    assert found["deals"] % 4 == 0
    assert 0 < found["keep"] < 5
    assert 0 < found["keep_records"] < 5
    assert found["result_size"] < found["records_size"]


def test_a_study_is_watched_and_told_of(tmp_path, monkeypatch):
    monkeypatch.setattr(size, "REPEATS", 0)  # resumed twice
    played = size.played(400, "--records", "--jobs", "1")
    assert played["deals"] == 400
    assert played["most_files"] >= 2
    assert 0 < played["records"] < played["size"]
    out = tmp_path / "study"
    measuring.play(400, "--jobs", "1", out=out)
    told = size.figures_of(out)
    assert told["summary"]["deals"] == 400
    assert [run["deals"] for run in told["runs"]] == [400]
    assert told["rules_changed"] == []
    resumed = size.resumed(out, 0)
    assert (resumed["deals"], len(resumed["walls"])) == (400, 2)
    text = load_script("billion_docs").study_text(told)
    assert text.startswith("400 deals of 4 x fastest, seed 1.")


@pytest.mark.full
def test_tasks_of_a_cluster_are_timed():
    found = size.cost_of_tasks(20)
    assert found["tasks"] == 20
    assert found["seconds"] > 0
