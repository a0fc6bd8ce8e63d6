"""Lines that pages show and that cannot be followed on the page: each is tried here in its own way.

`followed_pages.follow` does what a page says, but it installs nothing, measures nothing and runs
no whole test suite. What it passes over stands here, line by line, with what is done instead.
"""

import functools
import shlex
import subprocess
import sys
import tomllib
import zipfile

import pytest

from continental_sim import __version__
from tests.docs.test_docs import PAGES, ROOT, docs, read
from tests.script_files import load_script

followed = load_script("followed_pages")
AUTHORS_PAGE = (ROOT / "tests" / "docs" / "test_authors_page.py").read_text(encoding="utf-8")


def python(*arguments, cwd=ROOT):
    """Run this Python; what it prints."""
    words = [sys.executable, *map(str, arguments)]
    done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@functools.cache
def help_of(script):
    return python(script, "--help")


def names_tests(words, room):
    """What `scripts/test` is asked for is there; `tests/cli/test_scripts.py` tries the script."""
    wanted = [word for word in words[1:] if word != "--full"]
    if wanted:
        folder, _, pattern = wanted
        assert list((ROOT / folder).glob(f"test_*{pattern}*.py"))


def is_in_ci(words, room):
    """The run that every change must pass has the line."""
    tool = words[0].removeprefix(".venv/bin/")
    line = shlex.join(words[1:])
    steps = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    shown = [step.replace(" --check .", " .") for step in steps]
    assert f'"$bin/{tool}" {line}'.rstrip() in shown


def writes_parts(words, room):
    """The script knows the parts, and each is on a page; `test_docs.py` compares what they hold."""
    for part in words[2:]:
        assert part in docs.GENERATED
        assert any(f"<!-- generated: {part} -->" in read(page) for page in docs.PAGES)


def collects(words, room):
    """The script, which would write into the checkout, finds that all is collected already."""
    assert python(*words[1:], "--check") == ""


def makes_a_lock(words, room):
    """The lock says in its own first lines that this command has made it."""
    lock = (ROOT / words[-1]).read_text(encoding="utf-8").splitlines()
    assert lock[1] == f"#    {shlex.join(words)}"


def installs(words, room):
    """The folder makes a wheel, as these tools ask for one, and its command says its version."""
    options = ("--no-deps", "--no-build-isolation", "--quiet")
    pip = ("-m", "pip", "--disable-pip-version-check")
    python(*pip, "wheel", *options, "--wheel-dir", room / "dist", ROOT)
    (wheel,) = (room / "dist").glob("contsim-*.whl")
    with zipfile.ZipFile(wheel) as archive:
        (points,) = [name for name in archive.namelist() if name.endswith("entry_points.txt")]
        assert "contsim = continental_sim.cli:main" in archive.read(points).decode()
    python(*pip, "install", *options, "--no-index", "--target", room / "there", wheel)
    code = f"import sys; sys.path.insert(0, {str(room / 'there')!r}); import continental_sim as c"
    told = python("-P", "-c", f"{code}; print(c.__file__, c.__version__)", cwd=room).split()
    assert told == [str(room / "there" / "continental_sim" / "__init__.py"), __version__]


def has_options(words, room):
    """The script is there and has these options; it is not run, because it measures for minutes."""
    told = help_of(words[1])
    until = words.index(">") if ">" in words else len(words)
    for word in words[2:until]:
        assert not word.startswith("-") or word in told, word


def is_followed_elsewhere(words, room):
    """`test_authors_page.py` takes the line from the page and runs it in the files of the page."""
    assert f'command("{shlex.join(words[:3])}' in AUTHORS_PAGE


def is_built_elsewhere(words, room):
    """`test_authors_page.py` builds the package and finds its strategy, as pip would install it."""
    folder = words[-1].removeprefix("./")
    assert f'"{folder}"' in AUTHORS_PAGE
    assert "build.build_wheel(" in AUTHORS_PAGE


TRIED = {
    "./scripts/test": names_tests,
    "./scripts/test --full": names_tests,
    "./scripts/test tests/unit -k melds": names_tests,
    ".venv/bin/ruff check .": is_in_ci,
    ".venv/bin/ruff format .": is_in_ci,
    ".venv/bin/mypy": is_in_ci,
    ".venv/bin/python scripts/manual.py": is_in_ci,
    ".venv/bin/python scripts/docs.py": writes_parts,
    ".venv/bin/python scripts/docs.py bench": writes_parts,
    ".venv/bin/python scripts/docs.py scale-sizes scale-limits billion scale-machines"
    " scale-runs-out scale-rare": writes_parts,
    ".venv/bin/python scripts/catalogue.py": collects,
    "uv pip compile pyproject.toml --group dev --group docs --universal --generate-hashes"
    " --python-version 3.11 --no-annotate -o requirements.lock": makes_a_lock,
    "uv pip compile --group full -c requirements.lock --universal --generate-hashes"
    " --python-version 3.11 --no-annotate -o requirements-full.lock": makes_a_lock,
    "pip install .": installs,
    "pipx install .": installs,
    "uv tool install .": installs,
    "pip wheel --no-deps --wheel-dir dist .": installs,
    "pip install dist/contsim-*.whl": installs,
    ".venv/bin/python scripts/bench.py --json > docs/benchmarks.json": has_options,
    ".venv/bin/python scripts/bench.py --size": has_options,
    ".venv/bin/python scripts/bench.py --figures-of STUDY > docs/billion.json": has_options,
    "python scripts/ladder.py": has_options,
    "python -m pytest test_mine.py": is_followed_elsewhere,
    "python -m cProfile -s tottime -m continental_sim run --deals 200 --jobs 1 -s slow.py": (
        is_followed_elsewhere
    ),
    "python -m pip install ./rummy-mine": is_built_elsewhere,
}


def pieces(page, language):
    return [
        piece["code"]
        for piece in followed._PIECE.finditer(read(page))
        if piece["code"] and piece["language"] == language
    ]


def set_aside():
    """Lines of all pages that are passed over, without comments."""
    for page in PAGES.values():
        for block in pieces(page, "sh"):
            for line in followed.lines_of(block):
                if followed.passed_over(line):
                    yield " ".join(line.partition(" #")[0].split())


def test_every_line_that_is_passed_over_is_tried_here():
    assert set(set_aside()) == set(TRIED)


@pytest.mark.parametrize("attempt", sorted(set(TRIED.values()), key=lambda each: each.__name__))
def test_lines_do_what_they_say(attempt, tmp_path):
    lines = [line for line, how in TRIED.items() if how is attempt]
    for line in lines[:1] if attempt is installs else lines:  # they all make one wheel
        attempt(shlex.split(line.replace(" > ", " '>' ")), tmp_path)


@pytest.mark.parametrize("name", PAGES)
def test_a_page_has_blocks_of_known_languages_alone(name):
    """`sh` and `python` are followed, `toml` is read here, `text` is what something prints."""
    fences = [
        line for line in read(PAGES[name]).splitlines() if line.lstrip().startswith(("```", "~~~"))
    ]
    assert all(
        fence.startswith("```") for fence in fences
    )  # none is indented, where none would look
    assert {fence[3:] for fence in fences[::2]} <= {"sh", "python", "toml", "text"}
    assert set(fences[1::2]) <= {"```"}
    for block in pieces(PAGES[name], "toml"):
        assert tomllib.loads(block)
