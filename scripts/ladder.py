"""Play champion against every other shipped strategy, into docs/ladder.json.

    python scripts/ladder.py    # about six minutes on two cores
    python scripts/docs.py ladder

Each pair is compared twice, in duplicate seatings: one player of champion among players of the
other, and two players of each. The seed is not one on which champion was tuned.
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from measuring import note

from continental_sim.comparing.compare import make_comparison, play_comparison
from continental_sim.play.means import Means, Watcher
from continental_sim.rules import load_rules
from continental_sim.strategy import shipped_directory

FIGURES: Final = Path(__file__).resolve().parent.parent / "docs" / "ladder.json"
CHAMPION: Final = "champion"
LEVEL: Final = 0.999
SEED: Final = 7
PACKS: Final = 40_000
MORE: Final = {"defender": 200_000}  # the closest
FEW: Final = {"lookahead": 2_000}  # thinks for long
LINEUPS: Final = ("alone", "even")  # one among players of the other; as many of each


def measure(scale: float) -> Iterator[dict[str, Any]]:
    """Compare champion with each strategy; yield what came of it."""
    for path in sorted(shipped_directory().glob("*.py")):
        if path.stem != CHAMPION:
            packs = int(scale * {**MORE, **FEW}.get(path.stem, PACKS))
            found = {lineup: compared(path.stem, lineup, packs) for lineup in LINEUPS}
            note(f"{path.stem}: {found['alone']['ahead']:.4f}, {found['even']['ahead']:.4f}")
            yield {"strategy": path.stem, **found}


def compared(other: str, lineup: str, packs: int) -> dict[str, float]:
    """Return by how much a player of champion is ahead of one of another strategy."""
    alone = lineup == "alone"
    comparison, studies = make_comparison(
        [CHAMPION] if alone else [CHAMPION, other],
        load_rules("continental"),
        field=other if alone else None,
        deals=packs,
        seed=SEED,
        level=LEVEL,
    )
    with tempfile.TemporaryDirectory() as room:
        out = Path(room) / "comparison"
        found = play_comparison(comparison, studies, out, Means(), Watcher())
    pair = found.pairs[0] if found.pairs[0].one == CHAMPION else found.pairs[0].turned()
    return {
        "packs": packs,
        "deals": pair.deals,
        "ahead": pair.ahead.value or 0.0,
        "low": pair.ahead.low or 0.0,
        "high": pair.ahead.high or 0.0,
    }


def main() -> None:
    """Measure and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--scale", type=float, default=1.0, help="of all packs, for a trial")
    parser.add_argument("--into", type=Path, default=FIGURES, help="file for the figures")
    options = parser.parse_args()
    rows = sorted(measure(options.scale), key=lambda row: row["even"]["ahead"])
    told = {"seed": SEED, "level": LEVEL, "rows": rows}
    options.into.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
