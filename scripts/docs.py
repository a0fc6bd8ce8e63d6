"""Write the generated parts of the README and of docs/, or tell which are out of date.

    python scripts/docs.py                   # all; the sample in the README plays a million deals
    python scripts/docs.py rule-keys bench   # only some
    python scripts/docs.py --check           # change nothing; status 1 if one is out of date

A generated part stands between two marks, ``<!-- generated: NAME -->`` and ``<!-- end -->``. The
part called ``output`` is what the last command of the ``sh`` block above it printed. With it are
made those called ``chart``: each is an image of docs/charts, drawn of what the commands above it
have kept; the line before it names the directory and the chart. The figures of ``bench`` come from
docs/benchmarks.json, where ``scripts/bench.py --json`` has written them, and those of ``scale-...``
and ``billion`` from files that it writes too. With ``scale-sizes`` goes the chart docs/scale.svg.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]  # this checkout, wherever it is called from

import billion_docs  # noqa: E402
import module_docs  # noqa: E402
import played_docs  # noqa: E402
import reference_docs  # noqa: E402
import scale_docs  # noqa: E402
from followed_pages import CHARTS, follow  # noqa: E402

PAGES: Final = (*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md")))
_PART = re.compile(r"<!-- generated: (?P<name>[\w-]+) -->\n(?P<text>.*?)<!-- end -->", re.DOTALL)

GENERATED: Final[dict[str, Callable[[], str]]] = {
    "billion": billion_docs.billion,
    **module_docs.PARTS,
    **played_docs.PARTS,
    **reference_docs.PARTS,
    **scale_docs.PARTS,
}
FOLLOWED: Final = ("output", "chart")  # parts that are made by following their page
CHART: Final = "scale-sizes"  # the part with which docs/scale.svg is drawn


def renew(page: Path, wanted: Iterable[str], drawn: dict[Path, str] | None = None) -> str:
    """Return the text of a page with the wanted parts generated anew.

    Parameters
    ----------
    page : Path
    wanted : iterable of str
        Names of parts.
    drawn : dict of Path to str
        Gets the charts of the page.
    """
    text = page.read_text(encoding="utf-8")
    followed: list[str] = []
    if "output" in wanted and "<!-- generated: output -->" in text:
        with tempfile.TemporaryDirectory() as room:
            followed = list(follow(text, Path(room)))
            charts = Path(room, CHARTS).glob("*.svg")
            images = {page.parent / CHARTS / path.name: kept(path) for path in charts}
        if drawn is not None:
            drawn |= images

    def fresh(part: re.Match[str]) -> str:
        name = part["name"]
        if name in FOLLOWED:
            if not followed:
                return part[0]
            new = followed.pop(0)
        elif name in wanted:
            new = GENERATED[name]()
        else:
            return part[0]
        return f"<!-- generated: {name} -->\n\n{new}\n<!-- end -->"

    return _PART.sub(fresh, text)


def changed(wanted: Iterable[str]) -> dict[Path, str]:
    """Return the pages and charts of which a wanted part is out of date, as they should be."""
    drawn: dict[Path, str] = {}
    new = {page: renew(page, wanted, drawn) for page in PAGES} | drawn
    if CHART in wanted and (chart := scale_docs.fresh_chart()) is not None:
        new[scale_docs.CHART] = chart
    return {path: text for path, text in new.items() if text != kept(path)}


def kept(path: Path) -> str:
    """Return what a file holds, "" if it is not there."""
    return path.read_text(encoding="utf-8") if path.exists() else ""


def main() -> int:
    """Write or check."""
    names = (*GENERATED, "output")
    parser = argparse.ArgumentParser(description="Write the generated parts of the documentation.")
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"{', '.join(names)} (default: all)"
    )
    parser.add_argument("--check", action="store_true", help="change nothing, only tell")
    options = parser.parse_args()
    wanted = options.parts or names
    if unknown := set(wanted) - set(names):
        parser.error(f"there is no part {', '.join(sorted(unknown))}: choose {', '.join(names)}")
    new = changed(wanted)
    for path, text in new.items():
        name = path.relative_to(ROOT)
        if options.check:
            print(f"{name} is out of date: run python scripts/docs.py")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            print(f"wrote {name}")
    return 1 if options.check and new else 0


if __name__ == "__main__":
    sys.exit(main())
