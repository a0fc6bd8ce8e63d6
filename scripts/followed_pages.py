"""Pages as a reader follows them: their commands, from top to bottom, in an empty directory."""

import contextlib
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from markdown_parts import fenced

from continental_sim.cli import main as contsim
from continental_sim.comparing.answers import read_answers
from continental_sim.comparing.difference_plots import difference_charts
from continental_sim.comparing.question import is_question
from continental_sim.figures.plot_style import to_svg
from continental_sim.figures.plots import charts
from continental_sim.figures.stats import summarise
from continental_sim.files.store import read_study
from continental_sim.report.markdown import markdown_text

_PIECE = re.compile(
    r"<!-- generated: output -->\n.*?<!-- end -->"
    r"|<!-- chart: (?P<chart>\S+) -->\n<!-- generated: chart -->\n.*?<!-- end -->"
    r"|(?:<!-- file: (?P<file>\S+) -->\n+)?```(?P<language>\w+)\n(?P<code>.*?)```\n",
    re.DOTALL,
)

ROOT = Path(__file__).resolve().parent.parent
CHARTS = "charts"  # where the images of a page lie
MANY, SMALL = ("1e5", "1e6"), 400  # [deals] of a page, and instead where it is only tried out
SKIPPED = {"cd", "git", "pip", "pipx", "python", "python3", "uv", "./scripts/test", ".ci/run"}
PLAIN = {"cat", "cmp", "echo", "printf"}  # run by a shell, as are those that contsim pipes into
REFUSED = "# refused"  # ends a line that shows an error; its output is the message


@dataclass(frozen=True)
class Done:
    """A command that has run: its exit status and what it printed."""

    status: int
    text: str
    errors: str


def run_contsim(arguments: Sequence[str]) -> Done:
    """Run a command of contsim in this process."""
    out, errors = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
        status = contsim(arguments)
    return Done(status, out.getvalue(), errors.getvalue())


def run_shell(line: str, room: Path, given: str = "") -> Done:
    """Run a line in a shell that knows contsim, with a text as its standard input."""
    shim = f'contsim() {{ {shlex.quote(sys.executable)} -m continental_sim "$@"; }}\n'
    here = {**os.environ, "PYTHONPATH": str(ROOT)}  # this checkout, as in the docs' own process
    done = subprocess.run(
        ["sh", "-c", shim + line],
        cwd=room,
        env=here,
        input=given,
        capture_output=True,
        text=True,
        check=False,
    )
    return Done(done.returncode, done.stdout, done.stderr)


def lines_of(block: str) -> list[str]:
    """Split a block of shell into command lines, without comments."""
    joined = block.replace("\\\n", " ").splitlines()
    return [line for line in joined if shlex.split(line, comments=True)]


def passed_over(line: str) -> bool:
    """Tell whether a line is not for its page: `tests/docs/test_set_aside.py` tries it."""
    first = shlex.split(line, comments=True)[0]
    return first in SKIPPED or first.startswith(".venv/")


def try_line(line: str, room: Path) -> Done | None:
    """Run a command line of a page with few deals, or return None if it is not for trying.

    Raises
    ------
    ValueError
        If it begins with a command that is on no list here.
    """
    if passed_over(line):
        return None
    words = shlex.split(line, comments=True)
    if words[0] not in {"contsim", "./scripts/contsim", *PLAIN}:
        raise ValueError(f"{words[0]} is not a command that the pages may show: {line}")
    if words[0] in PLAIN or {">", "<"} & set(words):
        return run_shell(line, room)
    if "|" in words:
        command, _, others = line.partition("|")
        with contextlib.chdir(room):
            done = run_contsim(shlex.split(command)[1:])
        picked = run_shell(others, room, done.text)
        return Done(done.status or picked.status, picked.text, done.errors + picked.errors)
    for place, word in enumerate(words[:-1]):
        if word == "--deals" and words[place + 1] in MANY:
            words[place + 1] = str(SMALL)
    with contextlib.chdir(room):
        return run_contsim(words[1:])


def may_return(line: str) -> tuple[int, ...]:
    """Exit statuses that a line may have: 1 of `check` is a hand that cannot go out."""
    if line.rstrip().endswith(REFUSED):
        return (1, 2)
    return (0, 1) if "contsim check" in line else (0,)


def shown(done: Done, line: str) -> str:
    """Return the output of a line: of one that is refused, what came before it, and the message."""
    if line.rstrip().endswith(REFUSED):
        return done.text + done.errors
    return done.text or done.errors


def follow(text: str, room: Path) -> Iterator[str]:
    """Do what a page says, from top to bottom, in an empty directory.

    Parameters
    ----------
    text : str
        The page.
    room : Path
        The directory.

    Yields
    ------
    str
        For each part called ``output`` or ``chart``, in order, what it should hold: what the last
        command, or piece of Python, above it printed. Charts are drawn into `CHARTS` in the
        directory.

    Raises
    ------
    ValueError
        If a line fails.
    """
    last = ""
    names: dict[str, object] = {"__name__": "page"}
    for piece in _PIECE.finditer(text):
        body, language = piece["code"], piece["language"]
        if piece["chart"]:
            yield draw_chart(room, piece["chart"])
        elif body is None:
            yield fenced(last)
        elif piece["file"]:
            path = room / piece["file"]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body, encoding="utf-8")
        elif language == "sh":
            parsed = subprocess.run(
                ["sh", "-n"], input=body, capture_output=True, text=True, check=False
            )
            if parsed.returncode:
                raise ValueError(f"no shell reads this: {body}{parsed.stderr}")
            for line in lines_of(body):
                done = try_line(line, room)
                if done is not None and done.status not in may_return(line):
                    raise ValueError(f"{line}: status {done.status}, {done.errors or done.text}")
                if done is not None:
                    last = shown(done, line)
        elif language == "python":
            last = run_python(body, room, names) or last


def draw_chart(room: Path, name: str) -> str:
    """Draw a chart of a directory that a command of the page has made.

    Parameters
    ----------
    room : Path
    name : str
        Directory and name of the chart, as its report has it: ``study/payments``.

    Returns
    -------
    str
        The image, as a page shows it.

    Raises
    ------
    ValueError
        If the report has no such chart.
    """
    directory, _, wanted = name.rpartition("/")
    place = room / directory
    if is_question(place):
        found = read_answers(place)
        drawn = difference_charts(found.each, found.question.level)
    else:
        drawn = charts(summarise(read_study(place)))
    chart = next((each for each in drawn if each.name == wanted), None)
    if chart is None:
        raise ValueError(f"the report of {directory} has no chart {wanted}")
    path = room / CHARTS / f"{name.replace('/', '-')}.svg"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"{to_svg(chart.figure, chart.name).rstrip()}\n", encoding="utf-8")
    return f"![{markdown_text(chart.alt)}]({CHARTS}/{path.name})\n"


def run_python(body: str, room: Path, names: dict[str, object]) -> str:
    """Run a piece of Python of a page, and return what it printed.

    Parameters
    ----------
    body : str
    room : Path
        Where it runs.
    names : dict
        What the pieces before it have defined; it adds its own.
    """
    out = io.StringIO()
    with contextlib.chdir(room), contextlib.redirect_stdout(out):
        exec(compile(body, "<page>", "exec"), names)  # noqa: S102
    return out.getvalue()
