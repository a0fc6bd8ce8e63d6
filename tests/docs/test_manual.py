"""The manual as a site: whole, strict, and readable from the disk with no network."""

import re
import subprocess
import sys
from urllib.parse import unquote, urlsplit

import pytest
from bs4 import BeautifulSoup

from tests.docs.test_docs import PAGES, ROOT

NEEDED = {"audio", "iframe", "img", "link", "script", "source", "video"}  # what a page fetches


def build(out, pages=ROOT):
    """Build the site as a user does; status and what is said."""
    done = subprocess.run(
        [sys.executable, ROOT / "scripts" / "manual.py", "--out", out, "--pages", pages],
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("manual") / "site"
    status, told = build(out)
    assert (status, told) == (0, f"the manual is in {out / 'index.html'}\n")
    return out


@pytest.fixture(scope="module")
def read(site):
    """Every page of the site, parsed."""
    return {
        path: BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")
        for path in site.rglob("*.html")
    }


def test_every_page_is_on_the_site_and_in_the_menu_of_its_home(site, read):
    pages = {site / name.replace(".md", ".html") for name in PAGES}
    assert pages <= set(read)
    home = site / "docs" / "index.html"
    menu = read[home].select(".sidebar-tree a")
    assert {(home.parent / each["href"]).resolve() for each in menu} == pages - {home}
    titles = [each.text for each in read[home].select(".sidebar-tree .caption")]
    assert titles == ["Start here", "How to", "Reference", "Explanation", "The project"]


def test_the_site_opens_at_its_home(site, read):
    door = read[site / "index.html"]
    (turn,) = door.select("meta[http-equiv=refresh]")
    assert turn["content"] == "0; url=docs/index.html"
    assert (site / door.a["href"]).exists()


def test_nothing_is_fetched_from_elsewhere(site, read):
    for path, page in read.items():
        for each in page.find_all(NEEDED):
            for key in ("src", "href", "srcset"):
                assert not urlsplit(each.get(key, "")).netloc, f"{path.name}: {each}"
    for path in site.rglob("*.css"):
        text = re.sub(r"url\(['\"]?data:.*?\)", "", path.read_text(encoding="utf-8"))
        assert "@import" not in text, path
        assert not re.search(r"url\(['\"]?(https?:)?//", text), path


def test_links_on_the_site_lead_to_files_and_anchors(site, read):
    there = {path: {each["id"] for each in page.select("[id]")} for path, page in read.items()}
    links = 0
    for path, page in read.items():
        for each in page.select("a[href]"):
            target = urlsplit(each["href"])
            if target.scheme:
                continue
            other = (path.parent / unquote(target.path)).resolve() if target.path else path
            assert other.is_relative_to(site), each  # a folder that can be moved
            assert other.exists(), each
            if target.fragment and path.name != "genindex.html":
                assert unquote(target.fragment) in there[other] | {""}, (path, each)
            links += 1
    assert links > 500


def test_pages_are_made_for_narrow_screens_too(read):
    for path, page in read.items():
        if path.parent.name == "docs" or path.name.startswith("README"):
            assert "width=device-width" in page.select("meta[name=viewport]")[0]["content"]
            assert all(table.find_parent(class_="table-wrapper") for table in page.select("table"))


def test_the_spanish_page_says_so(site, read):
    languages = {path.name: page.html["lang"] for path, page in read.items() if path.parent == site}
    assert languages.pop("README.es.html") == "es"
    assert set(languages.values()) == {"en"}


@pytest.fixture
def small(tmp_path):
    """Two pages, with the settings of the real ones."""
    docs = tmp_path / "pages" / "docs"
    docs.mkdir(parents=True)
    (docs / "conf.py").write_bytes((ROOT / "docs" / "conf.py").read_bytes())
    (docs / "index.md").write_text("# Home\n\n## How to\n\n- [One](one.md): a page\n")
    (docs / "one.md").write_text("# One\n\n## Part\n\n[home](index.md), [part](#part)\n\n")
    return docs


def test_a_page_that_a_checkout_may_have_finds_its_place(small, tmp_path):
    (small / "library.md").write_text("# The library\n")
    status, told = build(tmp_path / "site", small.parent)
    assert status == 0, told
    home = BeautifulSoup((tmp_path / "site/docs/index.html").read_text("utf-8"), "html.parser")
    assert [each.text for each in home.select(".sidebar-tree a")] == ["One", "The library"]


@pytest.mark.parametrize(
    ("page", "text", "sentence"),
    [
        ("one.md", "[x](two.md)", "target not found: 'two.md'"),
        ("one.md", "[x](index.md#nowhere)", "local id not found in doc 'docs/index': 'nowhere'"),
        ("one.md", "[x](#nowhere)", "target not found: 'nowhere'"),
        ("one.md", "![x](charts/none.svg)", "image file not readable"),
        ("two.md", "# Two", "document isn't included in any toctree"),
        ("index.md", "- [Two](two.md): none", "nonexisting document 'docs/two'"),
    ],
)
def test_what_is_broken_ends_the_build(small, tmp_path, page, text, sentence):
    with (small / page).open("a") as file:
        file.write(f"{text}\n")
    status, told = build(tmp_path / "site", small.parent)
    assert status == 1
    assert sentence in told
