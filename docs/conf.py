"""The manual as a site: how Sphinx reads the Markdown pages and lays them out.

`scripts/manual.py` builds it. The pages stay as they read on a code host: what is in the menu, and
in which order, are the links in the lists of docs/index.md, under its headings. A page that is not
there, a link that leads nowhere and an anchor that is missing are warnings, and a warning ends the
build.
"""

import re
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx

from continental_sim import __version__

HOME: Final = "docs/index"

project = "contsim"
author = "the contsim developers"
project_copyright = "2026, the contsim developers"
version = release = __version__

extensions = ["myst_parser"]
root_doc = HOME
include_patterns = ["*.md", "docs/*.md"]
exclude_patterns = [".*", "*/**/.*", "build", "dist", "runs", "reports", "tests", "continental_sim"]
nitpicky = True
smartquotes = False  # --out is an option, and no dash
myst_heading_anchors = 4
myst_links_external_new_tab = False

html_theme = "furo"
html_title = f"contsim {release}"
html_show_sourcelink = False
html_copy_source = False
DOOR: Final = f"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="refresh" content="0; url={HOME}.html">
<title>{html_title}</title>
<a href="{HOME}.html">The manual of contsim</a>
"""

_HEADING: Final = re.compile(r"^## (?P<heading>.+)$")
_ENTRY: Final = re.compile(r"^- \[(?P<title>[^\]]+)\]\((?P<page>[^)#]+)\.md\)")


def menu(text: str) -> dict[str, list[str]]:
    """Read the menu off the home page.

    Parameters
    ----------
    text : str
        The page: links that begin an item of a list, under headings.

    Returns
    -------
    dict of str to list of str
        For each heading its entries, as a toctree has them.
    """
    found: dict[str, list[str]] = {}
    for line in text.splitlines():
        if heading := _HEADING.match(line):
            found[heading["heading"]] = []
        elif (entry := _ENTRY.match(line)) and found:
            found[list(found)[-1]].append(f"{entry['title']} <{entry['page']}>")
    return {heading: entries for heading, entries in found.items() if entries}


def add_menu(_app: Sphinx, page: str, source: list[str]) -> None:
    """Put the menu at the end of the home page, where Sphinx looks for it."""
    if page != HOME:
        return
    for heading, entries in menu(source[0]).items():
        lines = "\n".join(entries)
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {heading}\n\n{lines}\n```\n"


def name_language(
    _app: Sphinx, page: str, _template: str, context: dict[str, object], _tree: object
) -> None:
    """Tell browsers that NAME.es.md is Spanish."""
    if page.endswith(".es"):
        context["language"] = "es"


def add_door(app: Sphinx, failed: Exception | None) -> None:
    """Write the page that opens the site."""
    if failed is None:
        Path(app.outdir, "index.html").write_text(DOOR, encoding="utf-8")


def setup(app: Sphinx) -> None:
    """Connect these to the build."""
    app.connect("source-read", add_menu)
    app.connect("html-page-context", name_language)
    app.connect("build-finished", add_door)
