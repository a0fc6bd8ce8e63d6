"""`scripts/contsim` and `scripts/test`: set up once, start at once, mend what is broken."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parents[2]
SCRIPTS = ("contsim", "test", "venv.sh", "bootstrap.py")
FOLLOWED = ("requirements.lock", "pyproject.toml")
FULL = "requirements-full.lock"

# Stands in for a Python: fit for everything, sets up by making a .venv of itself, and says what it
# is asked to run.
FAKE_PYTHON = """#!/bin/sh
case "$1 $2" in
*"bootstrap.py --probe") exit {fit} ;;
*"bootstrap.py --full")
    echo "set-up for all tests" >&2
    cp requirements-full.lock .venv/contsim-stamp ;;
*bootstrap.py*)
    root=$(dirname "$(dirname "$1")")
    echo "set-up" >&2
    mkdir -p "$root/.venv/bin" "$root/.venv/contsim-stamp"
    cp "$0" "$root/.venv/bin/python"
    cp "$root/requirements.lock" "$root/pyproject.toml" "$root/.venv/contsim-stamp"
    echo "$root" > "$root/.venv/contsim-stamp/root" ;;
*)
    for argument; do echo "<$argument>"; done ;;
esac
"""


@pytest.fixture
def checkout(tmp_path):
    """The scripts in a directory with a space in its name, and a PATH with nothing else."""
    root = tmp_path / "a checkout"
    (root / "scripts").mkdir(parents=True)
    for name in SCRIPTS:
        shutil.copy(CHECKOUT / "scripts" / name, root / "scripts")
    for name in (*FOLLOWED, FULL):
        (root / name).write_text("# one\n")
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in ("sh", "dirname", "cmp", "mkdir", "cp"):
        (tools / tool).symlink_to(shutil.which(tool))
    return root


def add_python(checkout, name, *, fit=0):
    path = checkout.parent / "bin" / name
    path.write_text(FAKE_PYTHON.format(fit=fit))
    path.chmod(0o755)
    return path


def call(checkout, script, *arguments, **environment):
    return subprocess.run(
        [checkout / "scripts" / script, *arguments],
        env={"PATH": str(checkout.parent / "bin"), **environment},
        cwd=checkout.parent,
        capture_output=True,
        text=True,
        check=False,
    )


def test_first_use_sets_up_and_later_uses_do_not(checkout):
    add_python(checkout, "python3")
    first = call(checkout, "contsim", "run", "--out", "a b")
    assert (first.returncode, first.stderr) == (0, "set-up\n")
    assert first.stdout.splitlines()[-4:] == ["<continental_sim>", "<run>", "<--out>", "<a b>"]
    later = call(checkout, "contsim", "run", "--out", "a b")
    assert (later.returncode, later.stderr, later.stdout) == (0, "", first.stdout)


@pytest.mark.parametrize("name", FOLLOWED)
def test_a_changed_lock_sets_up_again(checkout, name):
    add_python(checkout, "python3")
    call(checkout, "contsim")
    (checkout / name).write_text("# two\n")
    assert call(checkout, "contsim").stderr == "set-up\n"
    assert call(checkout, "contsim").stderr == ""


def test_a_moved_checkout_sets_up_again(checkout):
    add_python(checkout, "python3")
    call(checkout, "contsim")
    moved = checkout.with_name("moved")
    checkout.rename(moved)
    assert call(moved, "contsim").stderr == "set-up\n"


@pytest.mark.parametrize("broken", ["bin/python", "contsim-stamp/root", "contsim-stamp"])
def test_a_broken_venv_is_mended(checkout, broken):
    add_python(checkout, "python3")
    call(checkout, "contsim")
    path = checkout / ".venv" / broken
    shutil.rmtree(path) if path.is_dir() else path.unlink()
    assert call(checkout, "contsim").stderr == "set-up\n"


@pytest.mark.parametrize("script", ["contsim", "test"])
def test_no_python_is_one_sentence_and_status_2(checkout, script):
    add_python(checkout, "python3", fit=1)
    done = call(checkout, script)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("contsim: needs CPython 3.11 to 3.14")
    assert done.stderr.count("\n") == 1


def test_another_python_is_found(checkout):
    add_python(checkout, "python3", fit=1)
    add_python(checkout, "python3.12")
    assert call(checkout, "contsim").returncode == 0


def test_a_named_python_is_used_or_refused(checkout):
    add_python(checkout, "python3")
    done = call(checkout, "contsim", CONTSIM_PYTHON="/no/python")
    assert done.returncode == 2
    assert "/no/python" in done.stderr
    mine = add_python(checkout, "mine")
    assert call(checkout, "contsim", CONTSIM_PYTHON=str(mine)).returncode == 0


def test_tests_in_two_tiers(checkout):
    add_python(checkout, "python3")
    fast = call(checkout, "test", "-x")
    assert fast.stdout.split() == ["<-m>", "<pytest>", "<-x>"]
    full = call(checkout, "test", "--full", "-x")
    words = ["<-m>", "<pytest>", "<-m>", "<full or not full>", "<-x>"]
    assert full.stdout.splitlines() == words
    assert full.stderr == "set-up for all tests\n"
    assert call(checkout, "test", "--full").stderr == ""
    (checkout / FULL).write_text("# two\n")
    assert call(checkout, "test").stderr == ""
    assert call(checkout, "test", "--full").stderr == "set-up for all tests\n"


@pytest.fixture
def bootstrap(checkout):
    path = checkout / "scripts" / "bootstrap.py"
    spec = importlib.util.spec_from_file_location("contsim_bootstrap", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def make_venv(bootstrap, commands):
    """A stand-in for pip and venv: the .venv is a link to this Python."""

    def call(command, failure):
        commands.append(command)
        if "venv" in command:
            bootstrap.PYTHON.parent.mkdir(parents=True)
            bootstrap.PYTHON.symlink_to(sys.executable)

    return call


def test_bootstrap_makes_then_mends(bootstrap, monkeypatch, capsys):
    commands = []
    monkeypatch.setattr(bootstrap, "call", make_venv(bootstrap, commands))
    assert not bootstrap.ready()
    assert bootstrap.main([]) == 0
    assert bootstrap.ready()
    assert len(commands) == 3
    assert bootstrap.main([]) == 0
    assert len(commands) == 3
    (bootstrap.ROOT / "requirements.lock").write_text("# two\n")
    assert bootstrap.main([]) == 0
    assert len(commands) == 5
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("contsim: set up.") == 2


def test_bootstrap_adds_what_all_tests_need(bootstrap, monkeypatch, capsys):
    commands = []
    monkeypatch.setattr(bootstrap, "call", make_venv(bootstrap, commands))
    assert bootstrap.main([]) == 0
    assert not any(FULL in word for command in commands for word in command)
    assert not bootstrap.ready(full=True)
    assert bootstrap.main(["--full"]) == 0
    assert str(bootstrap.ROOT / FULL) in commands[-2]
    assert bootstrap.ready(full=True)
    assert bootstrap.ready()
    assert len(commands) == 6
    assert bootstrap.main(["--full"]) == 0
    assert len(commands) == 6
    assert f"requirements.lock and {FULL}" in capsys.readouterr().err


def test_bootstrap_starts_afresh_after_an_interruption(bootstrap, monkeypatch, capsys):
    def stopped(command, failure):
        raise KeyboardInterrupt

    monkeypatch.setattr(bootstrap, "call", stopped)
    assert bootstrap.main([]) == 130
    leftover = bootstrap.VENV / "half"
    leftover.touch()
    monkeypatch.setattr(bootstrap, "call", make_venv(bootstrap, []))
    assert bootstrap.main([]) == 0
    assert not leftover.exists()
    assert "unfinished" in capsys.readouterr().err


def test_a_failing_pip_is_one_sentence(bootstrap):
    with pytest.raises(bootstrap.SetupError, match="it failed; see above"):
        bootstrap.call([sys.executable, "-c", "raise SystemExit(1)"], "it failed")


@pytest.mark.full
def test_two_first_uses_at_once_in_a_real_checkout(tmp_path):
    root = tmp_path / "checkout"
    root.mkdir()
    for name in (*FOLLOWED, "README.md", "LICENSE"):
        shutil.copy(CHECKOUT / name, root)
    for name in ("scripts", "continental_sim", "strategies"):
        shutil.copytree(CHECKOUT / name, root / name)
    environment = {**os.environ, "CONTSIM_PYTHON": sys.executable}
    both = [
        subprocess.Popen(
            [root / "scripts" / "contsim", "--version"],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    outputs = [process.communicate(timeout=600) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert {out for out, _ in outputs} == {
        subprocess.check_output([sys.executable, "-m", "continental_sim", "--version"], text=True)
    }
    assert sum("first use" in err for _, err in outputs) == 1


def test_the_locks_hold_whatever_the_project_asks_for():
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))
    groups, extras = project["dependency-groups"], project["project"]["optional-dependencies"]
    usual = [
        *project["project"]["dependencies"],
        *groups["dev"],
        *project["build-system"]["requires"],
    ]
    everything = [*usual, *groups["full"], *extras["dask"], *extras["ray"]]
    locks = {name: (CHECKOUT / name).read_text(encoding="utf-8") for name in (FOLLOWED[0], FULL)}
    pinned = {
        name: dict(re.findall(r"^([a-z0-9-]+)==([^ ]+)", lock, re.MULTILINE))
        for name, lock in locks.items()
    }
    assert names_of(usual) <= set(pinned[FOLLOWED[0]])
    assert names_of(everything) <= set(pinned[FOLLOWED[0]]) | set(pinned[FULL])
    both = set(pinned[FOLLOWED[0]]) & set(pinned[FULL])
    assert both
    assert all(pinned[FOLLOWED[0]][name] == pinned[FULL][name] for name in both)
    for lock in locks.values():
        assert "://" not in lock
        assert "--hash" in lock


def names_of(requirements):
    return {re.split(r"[<>=]", requirement)[0] for requirement in requirements}
