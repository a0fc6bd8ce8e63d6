"""The command as a process of its own: start it, hurt it, look at what is left."""

import os
import re
import signal
import subprocess
import sys
import time
import tomllib
from dataclasses import dataclass

import psutil
import tomli_w

from continental_sim.cli import main
from continental_sim.columns import CONTINENTAL
from continental_sim.play.simulate import run_study
from continental_sim.study import make_study, study_to_dict
from tests.studies import HERE, digests
from tests.tabletop import rules_with, strategy

GONE_WITHIN = 10.0  # [seconds] in which all that a command has started must end with it
AMPLE = 120.0  # [seconds] after which a command hangs
PAUSE = "CONTSIM_TEST_PAUSE"
SEED = 71

# Plays at any speed the same: it rests in each deal as long as the environment says.
PACED = f"""
import os
import time


def take_discard(view):
    if view.turn == 1 and view.seat == 0:
        time.sleep(float(os.environ.get("{PAUSE}", "0")))
    return False


def choose_discard(view):
    return max(face for face in range(53) if view.hand[face] > 0)
"""


@dataclass(frozen=True)
class Ended:
    """How a command ended.

    Attributes
    ----------
    status : int
        Negative if a signal killed it.
    out, err : str
        What it wrote.
    """

    status: int
    out: str
    err: str

    @property
    def sentences(self):
        """What it told a user: each line of standard error must be a sentence of contsim's own."""
        lines = self.err.splitlines()
        strange = [line for line in lines if not line.startswith(("contsim: ", "Kept in "))]
        assert not strange, self.err
        return [line.removeprefix("contsim: ") for line in lines]

    @property
    def sentence(self):
        """The only one that it told."""
        (sentence,) = self.sentences
        return sentence


def paced_study(deals, block_deals, text=PACED, seed=SEED):
    """Make a study of an interpreted strategy whose deals are short."""
    return make_study(rules_with("max_rounds=2"), [strategy(text)], seed, deals, False, block_deals)


def write_study_file(path, study):
    """Write the description of a study; return its path."""
    path.write_bytes(tomli_w.dumps(study_to_dict(study)).encode())
    return path


def start(*arguments, pause=0.0, **options):
    """Start the command as the first process of a group, as a shell does."""
    streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        [sys.executable, "-m", "continental_sim", *map(str, arguments)],
        **{**streams, "env": {**os.environ, PAUSE: str(pause)}, **options},
        text=True,
        start_new_session=True,
    )


def end_of(process, within=AMPLE):
    """Wait for a command, and for all who hold its streams; it may not hang."""
    try:
        out, err = process.communicate(timeout=within)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, err = process.communicate()
        raise AssertionError(f"it hung: {out} {err}") from None
    return Ended(process.returncode, out or "", err or "")


def run(*arguments, within=AMPLE, **options):
    """Run the command to its end."""
    return end_of(start(*arguments, **options), within)


def family_of(process):
    """List the processes that a command has started, directly or through others."""
    try:
        return psutil.Process(process.pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def workers_of(process):
    """List its worker processes."""
    found = []
    for each in family_of(process):
        try:
            command = " ".join(each.cmdline())
        except psutil.Error:
            continue  # it has just ended
        if "popen_loky" in command:
            found.append(each)
    return found


def assert_gone(family, within=GONE_WITHIN):
    """See that all processes end."""
    _, alive = psutil.wait_procs(family, timeout=within)
    assert not alive


def spans_kept(directory, kind="cubes"):
    """List the spans of deals, first and last, of the parts that are in their place."""
    found = []
    for path in (directory / "parts").glob(f"{kind}-*.arrow"):
        first, last = re.fullmatch(rf"{kind}-(\d+)-(\d+)-\w+\.arrow", path.name).groups()
        found.append((int(first), int(last)))
    # Where a join was cut short both are there: the whole and what it was made of.
    return [
        mine
        for mine in sorted(found)
        if not any(o[0] <= mine[0] and mine[1] <= o[1] and o != mine for o in found)
    ]


def deals_kept(directory):
    """Count the deals that are kept."""
    return sum(last - first + 1 for first, last in spans_kept(directory))


def wait_until(condition, process, within=AMPLE, every=0.02):
    """Wait until something is so; return False if the command has ended before."""
    limit = time.monotonic() + within
    while not condition():
        if process.poll() is not None:
            return False
        assert time.monotonic() < limit, "it has not come so far"
        time.sleep(every)
    return True


def wait_for_deals(process, directory, deals):
    """Wait until so many deals are kept, and the command still plays."""
    reached = wait_until(lambda: deals_kept(directory) >= deals, process)
    assert reached, end_of(process)


def manifest_of(directory):
    """Read the manifest of a study."""
    return tomllib.loads((directory / "manifest.toml").read_text(encoding="utf-8"))


def canonical(directory):
    """Return the digests of the files of a complete study, after a look at what else is there."""
    manifest = manifest_of(directory)
    assert manifest["state"]["status"] == "complete"
    assert not (directory / "parts").exists()
    assert not [path for path in directory.iterdir() if path.name.endswith(".tmp")]
    found = digests(directory)
    assert found.keys() >= {f"{file.name}.parquet" for file in CONTINENTAL.study}
    assert ("records.parquet" in found) == manifest["state"]["records"]
    return found


def resumed(directory, kept):
    """Resume a study of which so many deals are kept; see that it plays only what is missing.

    Returns
    -------
    dict of str to str
        As `canonical`.
    """
    assert main(["run", "--resume", str(directory), "--quiet", "--jobs", "1"]) == 0
    manifest = manifest_of(directory)
    assert manifest["runs"][-1]["deals"] == manifest["study"]["deals"] - kept
    return canonical(directory)


def unbroken(study, directory, **options):
    """Play a study to its end, here and at once; return the digests that all others must have."""
    run_study(study, directory, HERE, **options)
    return canonical(directory)


def being_written(directory):
    """Name the parts that are just being written."""
    found = (re.fullmatch(r"\.(.+)\.tmp", path.name) for path in (directory / "parts").iterdir())
    return [name[1] for name in found if name]
