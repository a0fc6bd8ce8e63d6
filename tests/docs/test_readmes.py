"""What stands beside the code: both READMEs say the same, and the citation is right."""

import re
import tomllib
from itertools import pairwise

import pytest
import yaml
from markdown_it import MarkdownIt

from continental_sim import __version__
from continental_sim.cli.entry import COMMANDS
from continental_sim.strategy import shipped_directory
from tests.docs.test_docs import ROOT, docs, links, parts, read
from tests.script_files import load_script

followed = load_script("followed_pages")
ENGLISH, SPANISH = ROOT / "README.md", ROOT / "README.es.md"
IN_ENGLISH_ALONE = {"commands", "shipped"}  # generated tables; the Spanish ones are below


def shown(page):
    """Blocks of a page, in order: file, language and text."""
    pieces = followed._PIECE.finditer(read(page))
    return [(piece["file"], piece["language"], piece["code"]) for piece in pieces]


def outline(page):
    """Levels of headings, and what is between them: items of lists, tables, blocks."""
    plain = re.sub(r"<!-- generated: (commands|shipped) -->|<!-- end -->", "", read(page))
    blocks = MarkdownIt("commonmark").enable("table").parse(plain)
    kinds = {"fence", "heading_open", "list_item_open", "table_open"}
    return [block.tag or block.type for block in blocks if block.type in kinds]


def named(page, head):
    """First cells of the rows of the table that begins so."""
    table = read(page).partition(f"| {head} |")[2].partition("\n\n")[0]
    return re.findall(r"^\| `([^`]+)` \|", table, re.MULTILINE)


def test_both_begin_with_the_way_to_the_other():
    assert read(ENGLISH).splitlines()[:3] == ["# contsim", "", "English · [Español](README.es.md)"]
    assert read(SPANISH).splitlines()[:3] == ["# contsim", "", "[English](README.md) · Español"]


def test_both_have_the_same_commands_files_and_outputs():
    assert shown(SPANISH) == shown(ENGLISH)
    english = [part for part in parts(ENGLISH) if part[0] not in IN_ENGLISH_ALONE]
    assert parts(SPANISH) == english


def test_both_are_laid_out_alike():
    assert outline(SPANISH) == outline(ENGLISH)
    assert "h2" in outline(ENGLISH)


def test_both_lead_to_the_same_pages():
    others = {"README.md", "README.es.md"}
    assert set(links(SPANISH)) - others == set(links(ENGLISH)) - others


def test_the_spanish_tables_name_every_command_and_strategy():
    assert named(SPANISH, "orden") == [f"contsim {name}" for name in COMMANDS]
    assert named(SPANISH, "nombre") == named(ENGLISH, "name")
    assert set(named(SPANISH, "nombre")) == {path.stem for path in shipped_directory().glob("*.py")}


def test_the_citation_has_what_its_format_requires():
    cited = yaml.safe_load(read(ROOT / "CITATION.cff"))
    assert cited["cff-version"] == "1.2.0"
    assert {"message", "title", "authors", "type", "license"} <= set(cited)
    assert cited["type"] in {"software", "dataset"}
    assert cited["version"] == __version__
    project = tomllib.loads(read(ROOT / "pyproject.toml"))["project"]
    assert cited["license"] == project["license"]
    assert cited["authors"] == project["authors"]
    assert all(isinstance(value, str | list) for value in cited.values())  # 0.1 would be a number


def test_the_licence_is_there():
    assert read(ROOT / "LICENSE").startswith("MIT License\n")
    assert "LICENSE" in set(links(ENGLISH))


@pytest.mark.parametrize("page", docs.PAGES, ids=lambda page: page.name)
def test_a_page_has_one_title_and_skips_no_level(page):
    blocks = MarkdownIt("commonmark").parse(read(page))
    levels = [int(block.tag[1]) for block in blocks if block.type == "heading_open"]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(low - high <= 1 for high, low in pairwise(levels))
