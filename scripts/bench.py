"""Measure what the project promises: speed, scaling, memory, start-up.

    python scripts/bench.py            # everything, about three minutes on two cores
    python scripts/bench.py --quick    # a tenth of the deals
    python scripts/bench.py --json
    python scripts/bench.py --size     # how far it goes, about half an hour; into docs/scale.json
    python scripts/bench.py --figures-of STUDY > docs/billion.json

Each figure is the median of several runs, each ratio is taken inside one run: shared machines
drift. The floor is a compiled loop that only shuffles and deals 61 of 106 cards with a plain
xoshiro256++; it is the yardstick of a machine, whatever the project itself uses.
"""

import argparse
import functools
import json
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

import bench_size
import bench_strategies
import numba
import numpy as np
from measuring import CORES, STRATEGY, Figure, contsim, figure, play, seconds, versions

from continental_sim.engine import play_block, warm_up
from continental_sim.rules import load_rules
from continental_sim.study import make_study

SIZE_FIGURES: Final = Path(__file__).resolve().parent.parent / "docs" / "scale.json"


def _floor(deals: int, seed: int) -> int:
    """Shuffle and deal 61 of 106 cards, again and again."""
    s0, s1, s2, s3 = np.uint64(seed), np.uint64(2), np.uint64(3), np.uint64(4)
    deck = np.arange(106).astype(np.int8)
    total = 0
    for _ in range(deals):
        for place in range(61):
            total_word = s0 + s3
            word = ((total_word << np.uint64(23)) | (total_word >> np.uint64(41))) + s0
            t = s1 << np.uint64(17)
            s2 ^= s0
            s3 ^= s1
            s1 ^= s2
            s0 ^= s3
            s2 ^= t
            s3 = (s3 << np.uint64(45)) | (s3 >> np.uint64(19))
            other = place + np.int64(
                ((word >> np.uint64(32)) * np.uint64(106 - place)) >> np.uint64(32)
            )
            deck[place], deck[other] = deck[other], deck[place]
        total += deck[0]
    return total


floor: Any = numba.njit(_floor)


def engine_against_floor(strategy: str, deals: int, runs: int) -> list[float]:
    """Return floor rate over engine rate of each run, both on one core, one after the other."""
    rules = load_rules("continental")
    warm_up(rules)
    study = make_study(rules, [strategy], 1, deals)
    play_block(study, 0, rules.seats)
    floor(10, 1)
    ratios = []
    for run in range(runs):
        engine = seconds(functools.partial(play_block, study, run * deals, deals)) / deals
        ratios.append(engine / (seconds(lambda: floor(10 * deals, 1)) / (10 * deals)))
    return ratios


def rummy_rates(deals: int, runs: int) -> list[float]:
    """Return the deals of Basic Rummy that one core plays in a second, run by run."""
    rules = load_rules("basic-rummy")
    warm_up(rules)
    study = make_study(rules, ["fastest"], 1, deals * runs)
    play_block(study, 0, rules.seats)
    return [
        deals / seconds(functools.partial(play_block, study, run * deals, deals))
        for run in range(runs)
    ]


# A turn with more packs must take at most three times as long as one with two.
MORE_PACKS: Final = {"three packs": "three-packs", "four packs": "four-packs", "groups": "groups"}


def turn_time(rules_name: str, first_deal: int, deals: int) -> float:
    """Time the turns of a study, by the clock of this process alone [seconds a turn]."""
    study = make_study(load_rules(rules_name), [STRATEGY], 1, first_deal + deals)
    played = []
    time_taken = seconds(lambda: played.append(play_block(study, first_deal, deals)))
    return time_taken / int(played[0].outcomes["turns"].sum())


def turns_against_two_packs(rules_name: str, deals: int, runs: int) -> list[float]:
    """Return how many times as long a turn takes as under the default rules, run by run."""
    for name in (rules_name, "continental"):
        warm_up(load_rules(name))
        turn_time(name, 0, 100)
    return [
        turn_time(rules_name, run * deals, deals) / turn_time("continental", run * deals, deals)
        for run in range(runs)
    ]


def measure(scale: float, runs: int) -> Iterator[Figure]:
    """Measure everything."""
    with tempfile.TemporaryDirectory() as cache:
        first = play(1000, cache=cache)
    yield figure("first use ever", "s", [first.wall], 45, 20)
    ratios = engine_against_floor(STRATEGY, int(200_000 * scale), runs)
    yield figure("floor rate / engine rate, 4 x fastest", "", ratios, 45, 33)
    for shown, name in MORE_PACKS.items():
        ratios = turns_against_two_packs(name, int(50_000 * scale), runs)
        yield figure(f"a turn with {shown} / with two packs", "", ratios, 3, 1.5)
    rates = rummy_rates(int(100_000 * scale), runs)
    yield figure("Basic Rummy, 4 x fastest on one core", "/s", rates, 20_000, 50_000, more=True)
    whole = [play(1e6 * scale) for _ in range(runs)]
    yield figure(f"contsim run --deals {1e6 * scale:.0e}", "s", [each.wall for each in whole], 8, 5)
    pairs = [
        (play(1e7 * scale, "--jobs", str(jobs)) for jobs in (1, 2))
        for _ in range(max(runs // 2, 1))
    ]
    gains, peaks = [], []
    for pair in pairs:
        one, two = pair
        gains.append(one.wall / two.wall)
        peaks += [one.memory, two.memory]
    if CORES > 1:
        yield figure(
            f"two workers against one, {1e7 * scale:.0e} deals", "x", gains, 1.8, 1.9, more=True
        )
    yield figure(
        "peak memory of the largest process, 1e6 deals",
        "MB",
        [max(each.memory for each in whole)],
        500,
        300,
    )
    yield figure("peak memory of the largest process, 1e7 deals", "MB", [max(peaks)], 500, 300)
    yield from bench_strategies.measure(scale, runs)
    yield figure("contsim --help", "s", [contsim("--help").wall for _ in range(runs)], 0.5, 0.25)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Measure speed, scaling, memory and start-up.")
    parser.add_argument("--quick", action="store_true", help="a tenth of the deals, fewer runs")
    parser.add_argument("--json", action="store_true", help="print one object")
    size = parser.add_argument_group("how far it goes")
    size.add_argument("--size", action="store_true", help="measure it; goes on where it stopped")
    size.add_argument("--into", type=Path, metavar="FILE", help="for the figures of --size")
    size.add_argument("--study", type=Path, metavar="DIR", help="a finished study to resume")
    size.add_argument("--scale", type=float, default=1.0, help="of all deals, for a trial")
    size.add_argument("--figures-of", type=Path, metavar="DIR", help="print those of a study")
    options = parser.parse_args()
    if options.size:
        if options.scale != 1 and options.into is None:
            parser.error("--scale is for a trial, whose figures are not kept in docs: add --into")
        bench_size.measure(options.into or SIZE_FIGURES, options.scale, options.study)
    elif options.figures_of is not None:
        print(json.dumps(bench_size.figures_of(options.figures_of), indent=1))
    else:
        print_figures(quick=options.quick, as_json=options.json)


def print_figures(*, quick: bool, as_json: bool) -> None:
    """Measure speed, scaling, memory and start-up; print a table or one object."""
    figures = []
    for each in measure(0.1 if quick else 1, 3 if quick else 5):
        figures.append(each)
        if not as_json:
            print(
                f"{each.name:<48} {each.value:>8.4g} {each.unit:<3} "
                f"must {each.must:g}, aim {each.aim:g}: {each.verdict}"
            )
    if as_json:
        shown = [asdict(each) for each in figures]
        print(json.dumps({"cores": CORES, "versions": versions(), "figures": shown}, indent=1))


if __name__ == "__main__":
    main()
