"""How fast the strategies play, how long a comparison takes, and what its seatings save."""

import functools
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from measuring import STRATEGY, Figure, contsim, figure, seconds

from continental_sim.comparing.reading import read_duels
from continental_sim.engine import play_block
from continental_sim.rules import load_rules
from continental_sim.study import Study, make_study

# Least share, and the share aimed at, of the deals a second of four players of `fastest`.
SHARES: Final = {
    "outs": (0.2, 0.4),
    "banker": (0.1, 0.2),
    "natural": (0.1, 0.2),
    "suit_hunter": (0.1, 0.2),
    "defender": (0.1, 0.2),
    "champion": (0.1, 0.2),
}
COMPARED: Final = ("fastest", "neighbours", "outs", "stock")
PACKS: Final = 1e5
PAIRS: Final = (("outs", "fastest"), ("champion", "defender"), ("banker", "outs"))


def measure(scale: float, runs: int) -> Iterator[Figure]:
    """Measure all of it."""
    deals = int(20_000 * scale)
    for name, (must, aim) in SHARES.items():
        shares = speed_against_fastest(name, deals, runs)
        yield figure(
            f"deals a second, 4 x {name} / 4 x {STRATEGY}", "", shares, must, aim, more=True
        )
    packs = PACKS * scale
    times = [compare(COMPARED, packs)[0] for _ in range(max(runs // 2, 1))]
    yield figure(f"contsim compare, four strategies, {packs:.0e} packs", "s", times, 15, 10)
    for pair in PAIRS:
        _, gain = compare(pair, packs / 5)
        name = f"variance without seatings / with them, {pair[0]} - {pair[1]}"
        yield figure(name, "x", [gain], 1, 2, more=True)


def speed_against_fastest(name: str, deals: int, runs: int) -> list[float]:
    """Return what share of the speed of `fastest` a strategy has, run by run, on one core."""
    rules = load_rules("continental")
    studies = [make_study(rules, [each], 1, runs * deals) for each in (name, STRATEGY)]
    for study in studies:
        play_block(study, 0, rules.seats)

    def taken(study: Study, run: int) -> float:
        return seconds(functools.partial(play_block, study, run * deals, deals))

    return [taken(studies[1], run) / taken(studies[0], run) for run in range(runs)]


def compare(strategies: tuple[str, ...], packs: float) -> tuple[float, float]:
    """Compare strategies; return the time [s], and what the seatings save of the first pair.

    That is the variance of the difference in as many deals of plain play over that with the
    seatings.
    """
    with tempfile.TemporaryDirectory() as room:
        out = Path(room) / "comparison"
        words = ("--deals", str(int(packs)), "--seed", "1", "--quiet", "--out", str(out))
        wall = contsim("compare", *strategies, *words).wall
        gain = read_duels(out).pairs[0].gain
    return wall, gain or 0.0
