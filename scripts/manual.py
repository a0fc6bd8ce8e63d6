"""Build the manual as a site that needs no network: ``build/site/index.html`` opens it.

    python scripts/manual.py            # into build/site
    python scripts/manual.py --out DIR
    python scripts/manual.py --pages DIR   # those of another checkout

Status 1 if a link leads nowhere, an anchor is missing or a page is not in the menu, which is made
of the lists of docs/index.md. docs/conf.py has the settings.
"""

import argparse
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT)]  # this checkout, wherever it is called from
SITE: Final = ROOT / "build" / "site"


def build(out: Path, pages: Path) -> int:
    """Build the site.

    Parameters
    ----------
    out : Path
        Where it goes.
    pages : Path
        The checkout, or a copy of its pages.

    Returns
    -------
    int
        0 if all is well.
    """
    from sphinx.cmd.build import main as sphinx_build

    strict = ["--fail-on-warning", "--nitpicky", "--fresh-env", "--quiet"]
    places = ["--conf-dir", str(pages / "docs"), "--doctree-dir", f"{out}-read"]
    return int(sphinx_build([*strict, *places, "-b", "html", str(pages), str(out)]))


def main() -> int:
    """Build it, and say where it is."""
    parser = argparse.ArgumentParser(description="Build the manual as a site.")
    parser.add_argument("--out", type=Path, default=SITE, help="where it goes (build/site)")
    parser.add_argument("--pages", type=Path, default=ROOT, help="a checkout (this one)")
    options = parser.parse_args()
    status = build(options.out, options.pages)
    if status == 0:
        print(f"the manual is in {options.out / 'index.html'}")
    return status


if __name__ == "__main__":
    sys.exit(main())
