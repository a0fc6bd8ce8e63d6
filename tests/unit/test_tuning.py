"""How champion's weights are found: the fits, and the plays that they rest on."""

import numpy as np
import pytest

from continental_sim.kernels import weighing
from continental_sim.rules import load_rules
from continental_sim.strategy import all_knobs, find_strategy
from tests.script_files import load_script

decisions, tune = load_script("decisions"), load_script("tune")

CHAMPION = find_strategy(str(tune.CHAMPION))
KNOBS = all_knobs(CHAMPION)


def made_up(number: int, seed: int) -> np.ndarray:
    """Return options of decisions among four, with counts as they may come."""
    rng = np.random.default_rng(seed)
    options = np.zeros(number, weighing.OPTION)
    options["decision"] = np.arange(number) // 4
    options["distance"] = 1 + options["decision"] % 5
    options["counts"] = rng.integers(0, 3, (number, weighing.COUNTS))
    options["lost"] = rng.integers(0, 7, number)
    return options


def test_what_the_next_player_wants_is_found_again():
    options = made_up(50_000, 1)
    truth = {"WANT": -1.0, **{name: 0.1 * k - 0.5 for k, name in enumerate(tune.WANT)}}
    odds = truth["WANT"] + sum(
        truth[name] * options["counts"][:, place] for name, place in tune.WANT.items()
    )
    chance = 1 / (1 + np.exp(-odds))
    options["wanted"] = np.random.default_rng(2).random(len(options)) < chance
    found, fitted = tune.fit_want(options)
    # The standard error of each is below 0.02; 5 of them.
    assert found == pytest.approx(truth, abs=0.1)
    assert fitted == pytest.approx(chance, abs=0.1)


def test_what_a_discard_is_worth_is_found_again():
    options = made_up(100_000, 3)
    rng = np.random.default_rng(4)
    chance = rng.random(len(options))
    scales = np.array([0.2, 0.15, 0.1, 0.05])
    shape = {"COPY": -1.5, "HELD_GAP": 0.3, "UNSEEN_SAME": -0.2, "UNSEEN_NEXT": 0.2}
    shape["UNSEEN_GAP"] = 0.1
    amounts = {"OUT_1": 1.0, "OUT_2": 0.5, "OUT_3": 0.25, "OUT_4": 0.125}
    risks = {"RISK_1": 6.0, "RISK_2": 2.0, "RISK_3": 0.5}
    at = np.minimum(options["distance"], tune.DISTANCES) - 1
    company = options["counts"][:, tune.UNIT] + sum(
        weight * options["counts"][:, tune.WORTH[name]] for name, weight in shape.items()
    )
    cost = company + np.array([*amounts.values()])[at] * options["lost"]
    cost += np.array([*risks.values(), 0.0])[at] * chance
    of_the_decision = rng.normal(0, 20, len(options) // 4)[options["decision"]]
    options["ledger"] = of_the_decision - scales[at] * cost + rng.normal(0, 0.05, len(options))
    found = tune.fit_worth(options, chance)
    assert found == pytest.approx({**shape, **amounts, **risks}, abs=0.1)


def test_means_are_those_of_the_decision():
    options = np.zeros(5, weighing.OPTION)
    options["decision"] = [7, 7, 3, 3, 3]
    left = tune.within(np.array([[1.0], [3.0], [0.0], [3.0], [9.0]]), options)
    assert left[:, 0].tolist() == [-1, 1, -4, -1, 5]


@pytest.fixture(scope="module")
def options():
    rules = load_rules("continental")
    chunks = decisions.chunks_of(rules, [[CHAMPION] * 4], CHAMPION, 5, 800, 400)
    assert [(chunk.first_deal, chunk.deals) for chunk in chunks] == [(0, 400), (400, 400)]
    return np.concatenate([decisions.play_chunk(chunk) for chunk in chunks])


def test_options_are_those_among_which_the_strategy_chooses(options):
    _, sizes = np.unique(options["decision"], return_counts=True)
    assert sizes.min() >= 2
    assert (np.diff(options["decision"]) >= 0).all()
    least = np.minimum.reduceat(options["lost"], np.r_[0, np.cumsum(sizes)[:-1]])
    spread = options["lost"] - np.repeat(least, sizes)
    assert 0 < spread.max() <= KNOBS["SLACK"]
    for decision in np.split(options, np.cumsum(sizes)[:-1])[:200]:
        assert len(set(decision["distance"])) == 1  # all leave the least


def test_what_is_weighed_lightest_is_played_best(options):
    """The plays bear out the weights: what champion throws earns more than the others."""
    cost = worth(options)
    _, number, sizes = np.unique(options["decision"], return_inverse=True, return_counts=True)
    order = np.lexsort((cost, number))
    first = order[np.r_[0, np.cumsum(sizes)[:-1]]]
    gain = options["ledger"][first] - np.bincount(number, options["ledger"]) / sizes
    error = gain.std() / np.sqrt(len(gain))
    assert gain.mean() > 2 * error
    assert 0.02 < gain.mean() < 0.3


def worth(options):
    """Weigh options as champion does, by its knobs."""
    counts = options["counts"]
    at = np.minimum(options["distance"], tune.DISTANCES)
    odds = KNOBS["WANT"] + sum(KNOBS[name] * counts[:, k] for name, k in tune.WANT.items())
    found = counts[:, tune.UNIT] + sum(KNOBS[name] * counts[:, k] for name, k in tune.WORTH.items())
    for k in range(1, tune.DISTANCES + 1):
        found += (at == k) * KNOBS[f"OUT_{k}"] * options["lost"]
        if k <= tune.RISKS:
            found += (at == k) * KNOBS[f"RISK_{k}"] / (1 + np.exp(-odds))
    return found


def test_the_same_deals_give_the_same_options(options):
    rules = load_rules("continental")
    chunk = decisions.chunks_of(rules, [[CHAMPION] * 4], CHAMPION, 5, 800, 400)[1]
    again = decisions.play_chunk(chunk)
    assert (again == options[-len(again) :]).all()


def test_a_round_gives_a_strategy_that_plays(capsys):
    tune.main(["--deals", "60", "--rounds", "1", "--jobs", "1"])
    printed = capsys.readouterr().out
    knobs = ",".join(line.replace(" ", "") for line in printed.splitlines()[1:])
    tuned = find_strategy(f"{tune.CHAMPION}:{knobs}")
    assert dict(tuned.knobs) != KNOBS
    assert dict(tuned.knobs).keys() == KNOBS.keys()
