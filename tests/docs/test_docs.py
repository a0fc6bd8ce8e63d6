"""The documentation: generated parts are current, links lead somewhere, and what it shows works."""

import hashlib
import json
import re
from pathlib import Path

import pytest

from continental_sim.cli.entry import COMMANDS
from tests.script_files import load_script

ROOT = Path(__file__).resolve().parents[2]

docs = load_script("docs")

AGAIN = "run python scripts/docs.py"
LIGHT = [name for name in docs.GENERATED if name != "sample"]
PAGES = {str(page.relative_to(ROOT)): page for page in docs.PAGES}


def read(page):
    return page.read_text(encoding="utf-8")


def parts(page):
    """Generated parts of a page: (name, text)."""
    return [(part["name"], part["text"].strip()) for part in docs._PART.finditer(read(page))]


def text_of(name):
    """What the pages hold for a generated part."""
    found = {text for page in docs.PAGES for part, text in parts(page) if part == name}
    assert len(found) == 1, f"{name} is on no page, or differs between pages"
    return found.pop()


@pytest.mark.parametrize("name", LIGHT)
def test_generated_parts_are_current(name):
    assert text_of(name) == docs.GENERATED[name]().strip(), AGAIN


def test_marks_are_whole():
    for page in docs.PAGES:
        text = read(page)
        assert text.count("<!-- generated: ") == text.count("<!-- end -->") == len(parts(page))
        assert {name for name, _ in parts(page)} <= {*docs.GENERATED, *docs.FOLLOWED}, page


def test_the_sample_is_what_the_command_prints():
    """Its fingerprint is of the same command with fewer deals; the full tier plays all of them."""
    shown = text_of("sample")
    assert shown.endswith(docs.played_docs.fingerprint().strip()), AGAIN
    assert "1,000,000 deals" in shown
    assert "seed 1." in shown


@pytest.mark.full
def test_the_whole_sample_is_what_the_command_prints():
    assert text_of("sample") == docs.played_docs.sample().strip(), AGAIN


@pytest.mark.parametrize("name", PAGES)
def test_what_a_page_shows_works(name, tmp_path):
    """Every `sh` block is read by a shell; what can be tried is tried, from top to bottom."""
    shown = [text for part, text in parts(PAGES[name]) if part in docs.FOLLOWED]
    got = [text.strip() for text in docs.follow(read(PAGES[name]), tmp_path)]
    assert got == shown, AGAIN


def test_the_readme_opens_with_the_two_commands():
    blocks = re.findall(r"```sh\n(.*?)```", read(ROOT / "README.md"), re.DOTALL)
    assert blocks[0].splitlines() == ["./scripts/contsim run --deals 1e6", "./scripts/test"]


def slug(heading):
    """Name of the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def anchors(page):
    text = re.sub(r"```.*?```", "", read(page), flags=re.DOTALL)
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    page = PAGES[name]
    text = re.sub(r"```.*?```", "", read(page), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if target.startswith(("http:", "https:", "mailto:")):
            continue
        path, _, anchor = target.partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.exists(), target
        if anchor:
            assert anchor in anchors(other), target


def test_every_page_of_docs_is_named_in_the_readme():
    linked = set(re.findall(r"\]\((docs/[^)#\s]+)\)", read(ROOT / "README.md")))
    notebooks = {str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.ipynb")}
    assert linked == notebooks | {name for name in PAGES if name.startswith("docs/")}


def test_every_command_is_shown():
    shown = "\n".join(read(page) for page in docs.PAGES)
    for command in COMMANDS:
        assert re.search(rf"^(\./scripts/)?contsim {command}\b", shown, re.MULTILINE), command


def test_figures_of_the_benchmark_become_a_table():
    figure = {"name": "start", "unit": "s", "value": 0.3, "runs": [0.2, 0.3], "more": False}
    gain = {"name": "gain", "unit": "x", "value": 1.5, "runs": [1.5], "more": True}
    measured = {
        "cores": 2,
        "versions": {"numba": "1.2"},
        "figures": [{**figure, "must": 0.5, "aim": 0.25}, {**gain, "must": 1.7, "aim": 1.9}],
    }
    lines = docs.played_docs.figures_table(measured).splitlines()
    assert lines[0] == "Measured on 2 cores with numba 1.2."
    assert lines[-2] == "| start | 0.3 s | 0.2 to 0.3 | at most 0.5 | 0.25 | limit kept |"
    assert lines[-1] == "| gain | 1.5 x | one run | at least 1.7 | 1.9 | missed |"


def test_kept_figures_are_those_of_the_benchmark():
    if docs.played_docs.FIGURES.exists():
        measured = json.loads(docs.played_docs.FIGURES.read_text(encoding="utf-8"))
        assert measured["figures"]


@pytest.mark.parametrize(
    "line",
    [
        "rm -rf /",
        "contsim run --deals 0",
        "contsim frobnicate",
        "contsim show nowhere",
        "contsim show nowhere | cat",
        "contsim luck 60 100 | grep nothing-of-this",
    ],
)
def test_a_page_that_shows_what_does_not_work_is_found(line, tmp_path):
    with pytest.raises(ValueError, match=r"status [12]|not a command"):
        list(docs.follow(f"```sh\n{line}\n```\n", tmp_path))


def test_a_refusal_is_shown_as_such(tmp_path):
    page = (
        "```sh\ncontsim show nowhere  # refused\n```\n\n<!-- generated: output -->\n<!-- end -->\n"
    )
    (shown,) = docs.follow(page, tmp_path)
    assert shown.startswith("```text\ncontsim: there is no study in nowhere")


def test_a_stale_part_is_written_anew(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text("a\n\n<!-- generated: bench -->\nold\n<!-- end -->\n\nb\n", encoding="utf-8")
    monkeypatch.setattr(docs.played_docs, "FIGURES", tmp_path / "none.json")
    new, bench = docs.renew(page, ["bench"]), docs.played_docs.bench()
    assert new == f"a\n\n<!-- generated: bench -->\n\n{bench}\n<!-- end -->\n\nb\n"
    assert docs.renew(page, ["commands"]) == read(page)


def test_a_chart_that_is_out_of_date_is_drawn_anew(tmp_path, monkeypatch):
    chart = tmp_path / "scale.svg"
    monkeypatch.setattr(docs.scale_docs, "CHART", chart)
    monkeypatch.setattr(docs.scale_docs, "fresh_chart", lambda: "new")
    monkeypatch.setattr(docs, "PAGES", ())
    assert docs.changed(["bench"]) == {}
    assert docs.changed(["scale-sizes"]) == {chart: "new"}
    chart.write_text("new", encoding="utf-8")
    assert docs.changed(["scale-sizes"]) == {}


def test_charts_are_drawn_of_what_the_commands_have_kept(tmp_path, monkeypatch):
    page = tmp_path / "page.md"
    page.write_text(
        "```sh\ncontsim run --deals 100 --seed 1 --quiet --out mine\n```\n\n"
        "<!-- generated: output -->\n<!-- end -->\n\n"
        "<!-- chart: mine/payments -->\n<!-- generated: chart -->\n<!-- end -->\n",
        encoding="utf-8",
    )
    drawn = {}
    new = docs.renew(page, ["output"], drawn)
    assert re.search(r"\n!\[Each opponent pays .*\]\(charts/mine-payments\.svg\)\n", new)
    ((path, image),) = drawn.items()
    assert path == tmp_path / "charts" / "mine-payments.svg"
    assert image.startswith("<svg")
    page.write_text(new.replace("mine/payments", "mine/nothing"), encoding="utf-8")
    with pytest.raises(ValueError, match="the report of mine has no chart nothing"):
        docs.renew(page, ["output"])


def test_the_fingerprint_is_of_the_printed_text(monkeypatch):
    monkeypatch.setattr(docs.played_docs, "printed", lambda *arguments: " ".join(arguments))
    digest = hashlib.sha256(b"run --deals 20000 --seed 1").hexdigest()[:16]
    assert digest in docs.played_docs.fingerprint()
