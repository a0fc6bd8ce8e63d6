"""Find the weights of strategies/champion.py.

    python scripts/tune.py                # about ten minutes on two cores
    python scripts/tune.py --deals 2000   # a try
    python scripts/tune.py --write        # puts what it finds into strategies/champion.py

Round by round: champion plays among a population, and each discard of many of its decisions is
played to the end on the same cards (`decisions`). How likely the next player wants a card is a
logistic regression on what is counted about it. What a discard is worth is a regression within
decisions: least squares, as each weight then rests on all decisions at once. (An optimiser that
only sees ledgers needs millions of deals to tell two settings that differ by 0.01 points, and has
twenty weights to set.) The next round plays with the weights of the last. They are judged by
`contsim compare` on other deals than they were found on.
"""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
from decisions import chunks_of, play_chunk
from joblib import Parallel, delayed

from continental_sim.contract import read_contract
from continental_sim.players import with_knobs
from continental_sim.rules import ContinentalRules
from continental_sim.strategy import Strategy, all_knobs, find_strategy

CHAMPION: Final = Path(__file__).resolve().parent.parent / "strategies" / "champion.py"
CHUNK_DEALS: Final = 2500
SEED: Final = 2_026
DIGITS: Final = 3  # of a weight that count

# Knobs by the place of what they weigh among the counts. The unit is a held card one rank away.
UNIT: Final = 1
WORTH: Final = {"COPY": 0, "HELD_GAP": 2, "UNSEEN_SAME": 3, "UNSEEN_NEXT": 4, "UNSEEN_GAP": 5}
WANT: Final = {
    "WANT_UNSEEN_SAME": 3, "WANT_UNSEEN_NEXT": 4, "WANT_UNSEEN_GAP": 5,
    "WANT_KNOWN_SAME": 6, "WANT_KNOWN_NEXT": 7, "WANT_KNOWN_GAP": 8,
    "WANT_THROWN_SAME": 9, "WANT_THROWN_NEXT": 10, "WANT_THROWN_GAP": 11,
    "WANT_REFUSED": 12,
}  # fmt: skip
DISTANCES: Final = 4  # told apart: 1, 2, 3, and all beyond
RISKS: Final = 3  # of them, those at which the next player matters


def fit_want(options: np.ndarray) -> tuple[dict[str, float], np.ndarray]:
    """Fit how likely the next player wants a card.

    Parameters
    ----------
    options : records OPTION

    Returns
    -------
    dict of str to float
        Knobs [log odds].
    float64[options]
        The chances.
    """
    seen = np.column_stack([np.ones(len(options)), options["counts"][:, list(WANT.values())]])
    weights = np.zeros(seen.shape[1])
    for _ in range(20):  # Newton's steps; it takes about eight
        chance = 1 / (1 + np.exp(-seen @ weights))
        slope = seen.T @ (options["wanted"] - chance)
        curve = (seen * (chance * (1 - chance))[:, None]).T @ seen
        weights += np.linalg.solve(curve + np.eye(len(weights)), slope)
    names = ["WANT", *WANT]
    return dict(zip(names, weights.tolist(), strict=True)), 1 / (1 + np.exp(-seen @ weights))


def fit_worth(options: np.ndarray, chance: np.ndarray) -> dict[str, float]:
    """Fit what a discard costs, against the others of its decision.

    At each distance a cost is some multiple of the *company*, which is weighed alike at all of
    them, and an amount for each out and for the chance that the next player wants the card. The
    two are fitted in turns, each by least squares, until they stay.

    Parameters
    ----------
    options : records OPTION
    chance : float64[options]
        That the next player wants the card.

    Returns
    -------
    dict of str to float
        Knobs [held neighbours].
    """
    away = np.minimum(options["distance"], DISTANCES)
    at = [(away == k + 1).astype(float) for k in range(DISTANCES)]
    company = options["counts"][:, [UNIT, *WORTH.values()]].astype(float)
    kinds = company.shape[1]
    columns = [company * here[:, None] for here in at]
    columns += [(options["lost"] * here)[:, None] for here in at]
    columns += [(chance * here)[:, None] for here in at[:RISKS]]
    seen = within(np.column_stack([*columns, -options["ledger"]]), options)
    products = seen.T @ seen
    square, right = products[:-1, :-1], products[:-1, -1]
    others = np.eye(len(right))[:, DISTANCES * kinds :]
    shape = np.eye(kinds)[0]
    for _ in range(100):
        by_scale = np.zeros((len(right), DISTANCES))
        for k in range(DISTANCES):
            by_scale[k * kinds : (k + 1) * kinds, k] = shape
        found = solve(np.column_stack([by_scale, others]), square, right)
        scales, rest = found[:DISTANCES], found[DISTANCES:]
        by_shape = np.zeros((len(right), kinds))
        by_shape[: DISTANCES * kinds] = np.kron(scales[:, None], np.eye(kinds))
        shape = solve(by_shape, square, right - square @ others @ rest)
        shape /= shape[0]
    weights = dict(zip(WORTH, shape[1:].tolist(), strict=True))
    for k in range(DISTANCES):
        weights[f"OUT_{k + 1}"] = float(rest[k] / scales[k])
    for k in range(RISKS):
        weights[f"RISK_{k + 1}"] = float(rest[DISTANCES + k] / scales[k])
    return weights


def solve(base: np.ndarray, square: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solve a least squares problem for weights that are combinations of the columns of a base."""
    found: np.ndarray = np.linalg.solve(base.T @ square @ base, base.T @ right)
    return found


def within(columns: np.ndarray, options: np.ndarray) -> np.ndarray:
    """Take from each column its mean over the options of a decision."""
    _, number, size = np.unique(options["decision"], return_inverse=True, return_counts=True)
    means = [np.bincount(number, column) / size for column in columns.T]
    return columns - np.column_stack(means)[number]


def population(learner: Strategy, seats: int) -> list[list[Strategy]]:
    """Return the line-ups among which it learns."""
    others = [find_strategy(name) for name in ("defender", "outs", "fastest")]
    return [
        [learner] * seats,
        [learner] * (seats // 2) + [others[0]] * (seats - seats // 2),
        [learner, *others][:seats],
    ]


def tuned(learner: Strategy, deals: int, seed: int, jobs: int) -> tuple[Strategy, int]:
    """Play a round, and return the strategy with what it has taught, and how many decisions."""
    rules = ContinentalRules()
    chunks = chunks_of(
        rules, population(learner, rules.seats), learner, seed, deals, min(deals, CHUNK_DEALS)
    )
    parts = Parallel(jobs)(delayed(play_chunk)(chunk) for chunk in chunks)
    options = np.concatenate(parts)
    want, chance = fit_want(options)
    weights = {**want, **fit_worth(options, chance)}
    weights = {name: float(f"{value:.{DIGITS}g}") for name, value in weights.items()}
    known = dict(learner.knobs) | weights
    decisions = len(np.unique(options["decision"]))
    return replace(learner, knobs=tuple(sorted(known.items()))), decisions


def main(arguments: Sequence[str] | None = None) -> None:
    """Tune, and print or write the knobs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--deals", type=int, default=30_000, help="of each line-up, each round")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--jobs", type=int, default=-1)
    parser.add_argument("--write", action="store_true", help=f"put the knobs into {CHAMPION.name}")
    asked = parser.parse_args(arguments)
    learner = find_strategy(str(CHAMPION))
    for number in range(asked.rounds):
        learner, decisions = tuned(learner, asked.deals, asked.seed + number, asked.jobs)
        print(f"round {number + 1}: {decisions:,} decisions")
    for knob, value in all_knobs(learner).items():
        print(f"{knob} = {value}")
    if asked.write:
        text = with_knobs(learner, read_contract(learner.text, CHAMPION.name))
        CHAMPION.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
