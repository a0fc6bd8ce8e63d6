"""The documentation: generated parts are current, links lead somewhere, and what it shows works."""

import hashlib
import json
import re
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from markdown_it import MarkdownIt

from continental_sim.cli.entry import COMMANDS, command
from continental_sim.cli.framework import explained
from tests.script_files import load_script

ROOT = Path(__file__).resolve().parents[2]

docs = load_script("docs")

AGAIN = "run python scripts/docs.py"
LIGHT = [name for name in docs.GENERATED if name != "sample"]
ELSEWHERE = set()  # every link of the pages to another site
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


@pytest.mark.parametrize("name", [name for name in PAGES if name != "README.es.md"])
def test_what_a_page_shows_works(name, tmp_path):
    """Every `sh` block is read by a shell; what can be tried is tried, from top to bottom.

    The Spanish README shows what the English one does: `test_readmes.py` compares them.
    """
    shown = [text for part, text in parts(PAGES[name]) if part in docs.FOLLOWED]
    got = [text.strip() for text in docs.follow(read(PAGES[name]), tmp_path)]
    assert got == shown, AGAIN


def test_the_readme_opens_with_the_two_commands():
    blocks = re.findall(r"```sh\n(.*?)```", read(ROOT / "README.md"), re.DOTALL)
    assert blocks[0].splitlines() == ["./scripts/contsim run --deals 1e6", "./scripts/test"]


def slug(heading):
    """Name of the anchor of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def spans(page):
    """Every piece of running text of a page: links, images, code."""
    for block in MarkdownIt("commonmark").enable("table").parse(read(page)):
        yield from block.children or ()


def anchors(page):
    blocks = MarkdownIt("commonmark").parse(read(page))
    return {slug(text.content) for head, text in pairwise(blocks) if head.type == "heading_open"}


def links(page):
    """Where links and images of a page lead."""
    for span in spans(page):
        if span.type in {"link_open", "image"}:
            yield span.attrs["href" if span.type == "link_open" else "src"]


def is_elsewhere(target):
    return bool(urlsplit(target).scheme or urlsplit(target).netloc)


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    page = PAGES[name]
    for target in links(page):
        if is_elsewhere(target):
            continue
        path, _, anchor = unquote(target).partition("#")
        other = (page.parent / path).resolve() if path else page
        assert other.exists(), target
        assert other.is_relative_to(ROOT), target
        if anchor:
            assert anchor in anchors(other), target


@pytest.mark.parametrize("name", PAGES)
def test_every_link_is_looked_at(name):
    """None is written in a way that `links` does not know: as HTML, or by a missing reference."""
    text = re.sub(r"```.*?```|`[^`\n]*`", "", read(PAGES[name]), flags=re.DOTALL)
    assert not re.search(r"<(a|img)\b|\]\[", text)
    assert text.count("](") == len(list(links(PAGES[name])))


def test_links_to_other_sites_are_listed():
    """They are not fetched: a test must not need the network. A new one is looked at by a human."""
    found = {target for page in docs.PAGES for target in links(page) if is_elsewhere(target)}
    assert found == ELSEWHERE


@pytest.mark.parametrize("readme", ["README.md", "README.es.md"])
def test_every_page_of_docs_is_named_in_the_readme(readme):
    linked = {target for target in links(ROOT / readme) if target.startswith("docs/")}
    notebooks = {str(path.relative_to(ROOT)) for path in (ROOT / "docs").glob("*.ipynb")}
    wanted = notebooks | {name for name in PAGES if name.startswith("docs/")}
    assert {target.partition("#")[0] for target in linked} == wanted


def options():
    """Options of every command, by its name."""
    return {
        each.name: {
            word.rstrip(",")
            for typed, _ in each.parts.get("Options", ())
            for word in typed.split()
            if word.startswith("-")
        }
        for each in explained(command(), "contsim")
    }


def unknown(line, known):
    """Return what a command line within a sentence has that contsim does not."""
    called, words = "contsim", re.split(r"[\s|=\[\]]+", line)[1:]
    while words and f"{called} {words[0]}" in known:
        called = f"{called} {words.pop(0)}"
    if called == "contsim" and words and re.match("[a-z]", words[0]):
        return words[:1]
    allowed = known[called] | known["contsim"]
    return [word for word in words if re.match(r"--?[a-z]", word) and word not in allowed]


@pytest.mark.parametrize("name", PAGES)
def test_commands_within_sentences_exist_and_have_their_options(name):
    known = options()
    for span in spans(PAGES[name]):
        if span.type == "code_inline":
            for line in re.split(r" (?:&&|\||;) ", span.content):
                if line.startswith("contsim "):
                    assert not unknown(line, known), line


def test_commands_that_do_not_exist_are_noticed():
    known = options()
    assert unknown("contsim frobnicate", known) == ["frobnicate"]
    assert unknown("contsim rules show --jobs 2 --keys", known) == ["--jobs"]
    assert unknown("contsim COMMAND --help", known) == []


def test_every_command_is_shown():
    shown = "\n".join(read(page) for page in docs.PAGES)
    for name in COMMANDS:
        assert re.search(rf"^(\./scripts/)?contsim {name}\b", shown, re.MULTILINE), name


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
