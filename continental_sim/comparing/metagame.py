"""Who should play what, when everybody may choose: the game of choosing strategies.

Each player chooses a strategy and then plays a deal. What a strategy earns depends on who else
sits at the table, so the tables of all compositions make a symmetric game, in which points only
change hands. A mixture is an equilibrium if no strategy earns more against players who draw theirs
from it than they do themselves, which is nothing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import Final

import numpy as np
import numpy.typing as npt

from continental_sim.comparing.duels import Duels, Table
from continental_sim.comparing.measured import Measured

Floats = npt.NDArray[np.float64]
Others = tuple[int, ...]  # strategies of the other players, by their numbers, ascending

STEPS: Final = 4000  # of the dynamics; what they leave to be gained is told
RATE: Final = 0.1  # by which what earns most of all grows in a step
SAMPLES: Final = 200
SEED: Final = 1  # of the samples, so that the same comparison is told in the same words


@dataclass(frozen=True)
class Metagame:
    """The game of choosing strategies.

    Attributes
    ----------
    strategies : tuple of str
    alone : tuple of tuple of Measured
        By strategy, and by the strategy of all the others: what it earns [points a deal].
    best_responses : tuple of str
        By strategy: what earns most among players of it; itself if nothing earns more.
    mixture : tuple of Measured
        Shares of an equilibrium; the intervals are quantiles of samples from the errors.
    exploitable : float
        The most that a strategy earns against the mixture [points a deal]: 0 in an equilibrium.
    unbeaten : str
        Strategy that is ahead of every other one, on average of the tables where they meet, or "".
    margin : Measured
        The least by which it is [points a deal].
    """

    strategies: tuple[str, ...]
    alone: tuple[tuple[Measured, ...], ...]
    best_responses: tuple[str, ...]
    mixture: tuple[Measured, ...]
    exploitable: float
    unbeaten: str
    margin: Measured


class Payoffs:
    """What each strategy earns beside others, in several samples at once.

    Parameters
    ----------
    earned : sequence of mapping
        By sample: what a strategy earns among others [points a deal].
    number : int
        Of strategies.
    seats : int
    """

    def __init__(
        self, earned: Sequence[Mapping[tuple[int, Others], float]], number: int, seats: int
    ) -> None:
        companies = list(combinations_with_replacement(range(number), seats - 1))
        times = [Counter(others) for others in companies]
        self._counts = np.array([[each[one] for one in range(number)] for each in times])
        self._ways = factorial(seats - 1) / np.array(
            [prod(map(factorial, each.values())) for each in times], float
        )
        places = [[(mine, others) for others in companies] for mine in range(number)]
        self._earned = np.array(
            [[[sample.get(place, 0.0) for place in row] for row in places] for sample in earned]
        )

    def against(self, mixtures: Floats) -> Floats:
        """Return what each strategy earns if all the others draw theirs from a mixture.

        Parameters
        ----------
        mixtures : float64[samples, strategies]

        Returns
        -------
        float64[samples, strategies]
        """
        chances = self._ways * np.prod(mixtures[:, None, :] ** self._counts, axis=2)
        found: Floats = np.einsum("sic,sc->si", self._earned, chances)
        return found

    def equilibria(self) -> Floats:
        """Find mixtures that nobody can beat by much.

        Each strategy alone is tried, since one that is little better than another takes long to
        outgrow it. Then come replicator dynamics, in which what earns more grows, from a mixture of
        all; the mean of the way is taken as well, since the way itself may go round in circles. The
        first of those that can be beaten by least counts.

        Returns
        -------
        float64[samples, strategies]
        """
        samples, number, _ = self._earned.shape
        mixtures = np.full((samples, number), 1 / number)
        scale = np.maximum(np.abs(self._earned).max(axis=(1, 2)), 1e-9)[:, None]
        total = np.zeros_like(mixtures)
        for _ in range(STEPS):
            mixtures = mixtures * np.exp(RATE * self.against(mixtures) / scale)
            mixtures /= mixtures.sum(axis=1, keepdims=True)
            total += mixtures
        alone = np.repeat(np.eye(number)[:, None], samples, axis=1)
        tried = np.concatenate([alone, [mixtures, total / STEPS]])
        beaten_by = np.array([self.against(each).max(axis=1) for each in tried])
        found: Floats = tried[beaten_by.argmin(axis=0), np.arange(samples)]
        return found


def find_metagame(found: Duels) -> Metagame | None:
    """Make the game of choosing strategies of a comparison; None if not all tables were played."""
    comparison, tables = found.comparison, found.tables
    if not comparison.every:
        return None
    names, seats = comparison.strategies, comparison.seats
    means, samples = _earnings(names, tables)
    payoffs = Payoffs([means, *samples], len(names), seats)
    mixtures = payoffs.equilibria()
    tail = (1 - found.level) / 2
    low, high = np.quantile(mixtures[1:], [tail, 1 - tail], axis=0)
    alone = tuple(
        tuple(_alone(tables, one, other, seats, found.level) for other in names) for one in names
    )
    best = tuple(
        names[
            max(range(len(names)), key=lambda one: (alone[one][other].value or 0.0, one == other))
        ]
        for other in range(len(names))
    )
    unbeaten, margin = _unbeaten(found)
    return Metagame(
        strategies=names,
        alone=alone,
        best_responses=best,
        mixture=tuple(map(Measured, mixtures[0].tolist(), low.tolist(), high.tolist())),
        exploitable=max(0.0, float(payoffs.against(mixtures)[0].max())),
        unbeaten=unbeaten,
        margin=margin,
    )


def _earnings(
    names: Sequence[str], tables: Sequence[Table]
) -> tuple[dict[tuple[int, Others], float], list[dict[tuple[int, Others], float]]]:
    """Return what each strategy earns in each company, and samples of it by its errors."""
    dice = np.random.default_rng(SEED)
    means: dict[tuple[int, Others], float] = {}
    samples: list[dict[tuple[int, Others], float]] = [{} for _ in range(SAMPLES)]
    for table in tables:
        here = [name for name in names if table.has(name)]
        earned = np.array([table.lead(name, name).value for name in here])
        drawn = dice.multivariate_normal(
            earned, _covariance(table, here), SAMPLES, check_valid="ignore"
        )
        # Of few packs the errors themselves are little known: Student's t.
        freedom = max(table.packs - 1, 1)
        wider = np.sqrt(freedom / dice.chisquare(freedom, SAMPLES))
        drawn = earned + (drawn - earned) * wider[:, None]
        company = sorted(names.index(name) for name in table.lineup)
        for place, name in enumerate(here):
            others = list(company)
            others.remove(names.index(name))
            key = names.index(name), tuple(others)
            means[key] = float(earned[place])
            for sample, values in zip(samples, drawn[:, place], strict=True):
                sample[key] = float(values)
    return means, samples


def _covariance(table: Table, here: Sequence[str]) -> Floats:
    """Return the covariances of what strategies earn at a table: from those of differences."""
    found = np.zeros((len(here), len(here)))
    for place, name in enumerate(here):
        found[place, place] = table.lead(name, name).error ** 2
    for one, other in combinations(range(len(here)), 2):
        apart = table.lead(here[one], here[other]).error ** 2
        found[one, other] = found[other, one] = (found[one, one] + found[other, other] - apart) / 2
    return found


def _alone(tables: Sequence[Table], one: str, other: str, seats: int, level: float) -> Measured:
    if one == other:
        return Measured(0.0)
    wanted = Counter({one: 1, other: seats - 1})
    table = next(each for each in tables if Counter(each.lineup) == wanted)
    return table.lead(one, one).measured(level)


def _unbeaten(found: Duels) -> tuple[str, Measured]:
    """Find the strategy that is separated from, and ahead of, every other one."""
    for name in found.comparison.strategies:
        mine = [each for each in found.pairs if name in (each.one, each.other)]
        leads = [(each if each.one == name else each.turned()) for each in mine]
        if all(each.adjusted < 1 - found.level and (each.ahead.value or 0) > 0 for each in leads):
            return name, min((each.ahead for each in leads), key=lambda lead: lead.value or 0.0)
    return "", Measured(None)
