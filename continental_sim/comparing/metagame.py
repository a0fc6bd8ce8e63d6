"""Who should play what, when everybody may choose: the game of choosing strategies.

Each player chooses a strategy and then plays a deal. What a strategy earns depends on who else
sits at the table, so the tables of all compositions make a symmetric game. Points only change hands
in it: where they do not in the game that is played, those above the table's mean count. A mixture
is an equilibrium if no strategy earns more against players who draw theirs from it than they do
themselves, which is nothing.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, combinations_with_replacement
from math import factorial, prod
from typing import Final

import numpy as np
import numpy.typing as npt

from continental_sim.comparing.duels import Duels
from continental_sim.comparing.measured import Measured
from continental_sim.comparing.table import Table
from continental_sim.language import marked

Floats = npt.NDArray[np.float64]
Indices = npt.NDArray[np.int64]
Others = tuple[int, ...]  # strategies of the other players, by their numbers, ascending

MOST_TRIED: Final = 8  # strategies of which all sets are tried
NEWTON: Final = 12  # steps
CLOSE: Final = 1e-9  # of the largest payoff that an equilibrium may leave to be gained
TINY: Final = 1e-9  # [points a deal] taken for the largest payoff if it is less
STEPS: Final = 4000  # of the dynamics; what they leave to be gained is told
RATE: Final = 0.1  # by which what earns most of all grows in a step
SAMPLES: Final = 200
POINTS: Final = marked("points a deal")
ABOVE_MEAN: Final = marked("points a deal above the table's mean")
SEED: Final = 1  # of the samples, so that the same comparison is told in the same words


@dataclass(frozen=True)
class Metagame:
    """The game of choosing strategies.

    Attributes
    ----------
    strategies : tuple of str
    points : str
        What is earned, in words.
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
    points: str
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
        companies = list(combinations_with_replacement(range(number), seats - 2))
        times = [Counter(others) for others in companies]
        self._counts = np.array([[each[one] for one in range(number)] for each in times])
        self._ways = factorial(seats - 2) / np.array(
            [prod(map(factorial, each.values())) for each in times], float
        )
        places = [
            [
                [(mine, tuple(sorted((one, *others)))) for others in companies]
                for one in range(number)
            ]
            for mine in range(number)
        ]
        self._earned = np.array(
            [
                [[[sample.get(place, 0.0) for place in row] for row in each] for each in places]
                for sample in earned
            ]
        )
        self._others = seats - 1

    def beside(self, mixtures: Floats, samples: Indices | None = None) -> Floats:
        """Return what each strategy earns beside one player of each, if the rest draw theirs.

        Parameters
        ----------
        mixtures : float64[samples, strategies]
        samples : int64[samples], optional
            Which they are of; all in their order if left out.

        Returns
        -------
        float64[samples, strategies, strategies]
        """
        chances = self._ways * np.prod(mixtures[:, None, :] ** self._counts, axis=2)
        earned = self._earned if samples is None else self._earned[samples]
        found: Floats = (earned @ chances[:, None, :, None])[..., 0]
        return found

    def against(self, mixtures: Floats, samples: Indices | None = None) -> Floats:
        """Return what each strategy earns if all the others draw theirs from a mixture.

        Parameters
        ----------
        mixtures, samples
            As for `beside`.

        Returns
        -------
        float64[samples, strategies]
        """
        found: Floats = (self.beside(mixtures, samples) @ mixtures[..., None])[..., 0]
        return found

    def equilibria(self) -> Floats:
        """Find mixtures that nobody can beat.

        All sets of strategies are tried, the smallest first: in an equilibrium those that are
        played earn the same. Samples of which no set gives one, or of too many strategies, are left
        to dynamics (`_grown`), which get near.

        Returns
        -------
        float64[samples, strategies]
        """
        samples, number = self._earned.shape[:2]
        scale = np.maximum(np.abs(self._earned).max(axis=(1, 2, 3)), TINY)
        found = np.zeros((samples, number))
        left = np.arange(samples)
        sizes = range(1, (number if number <= MOST_TRIED else 1) + 1)
        for played in chain.from_iterable(combinations(range(number), size) for size in sizes):
            if len(left) == 0:
                break
            mixtures = self._levelled(left, list(played))
            settled = self.against(mixtures, left).max(axis=1) <= CLOSE * scale[left]
            settled &= (mixtures >= 0).all(axis=1)
            settled &= np.abs(mixtures.sum(axis=1) - 1) < CLOSE
            found[left[settled]] = mixtures[settled]
            left = left[~settled]
        if len(left):
            found[left] = self._grown(left, scale[left, None])
        return found

    def _levelled(self, samples: Indices, played: list[int]) -> Floats:
        """Find shares of some strategies with which all of them earn the same, by Newton's steps.

        Between two players one step gets there. Where there are no such shares, anything may come
        out.
        """
        size = len(played)
        mixtures = np.zeros((len(samples), self._earned.shape[1]))
        mixtures[:, played] = 1 / size
        for _ in range(NEWTON if size > 1 else 0):
            beside = self.beside(mixtures, samples)[:, played][:, :, played]
            shares = mixtures[:, played]
            # What they earn, less what all earn alike; and the shares add up to 1.
            wrong = np.zeros((len(samples), size + 1))
            wrong[:, :size] = (beside @ shares[..., None])[..., 0]
            slope = np.zeros((len(samples), size + 1, size + 1))
            slope[:, :size, :size] = self._others * beside
            slope[:, :size, size], slope[:, size, :size] = -1, 1
            step = (np.linalg.pinv(slope) @ wrong[..., None])[:, :size, 0]
            mixtures[:, played] = np.clip(shares - step, -1, 2)
        return mixtures

    def _grown(self, samples: Indices, scale: Floats) -> Floats:
        """Let what earns more grow, from a mixture of all (replicator dynamics).

        The mean of the way is taken as well, since the way itself may go round in circles. What can
        be beaten by least counts.
        """
        number = self._earned.shape[1]
        mixtures = np.full((len(samples), number), 1 / number)
        total = np.zeros_like(mixtures)
        for _ in range(STEPS):
            mixtures = mixtures * np.exp(RATE * self.against(mixtures, samples) / scale)
            mixtures /= mixtures.sum(axis=1, keepdims=True)
            total += mixtures
        alone = np.repeat(np.eye(number)[:, None], len(samples), axis=1)
        tried = np.concatenate([alone, [mixtures, total / STEPS]])
        beaten_by = np.array([self.against(each, samples).max(axis=1) for each in tried])
        found: Floats = tried[beaten_by.argmin(axis=0), np.arange(len(samples))]
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
        points=POINTS if tables[0].zero_sum else ABOVE_MEAN,
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
        earned, covariance = _earned(table, here)
        drawn = dice.multivariate_normal(earned, covariance, SAMPLES, check_valid="ignore")
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


def _earned(table: Table, here: Sequence[str]) -> tuple[Floats, Floats]:
    """Return what strategies earn at a table, and the covariances of its errors."""
    earned = np.array([table.lead(name, name).value for name in here])
    covariance = _covariance(table, here)
    if table.zero_sum:  # the mean of the table is nothing
        return earned, covariance
    shares = np.array([len(table.players[name]) for name in here]) / table.seats
    above_mean = np.eye(len(here)) - shares
    return above_mean @ earned, above_mean @ covariance @ above_mean.T


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
    if table.zero_sum:
        return table.lead(one, one).measured(level)
    return table.lead(one, other).times((seats - 1) / seats).measured(level)


def _unbeaten(found: Duels) -> tuple[str, Measured]:
    """Find the strategy that is separated from, and ahead of, every other one."""
    for name in found.comparison.strategies:
        mine = [each for each in found.pairs if name in (each.one, each.other)]
        leads = [(each if each.one == name else each.turned()) for each in mine]
        if all(each.adjusted < 1 - found.level and (each.ahead.value or 0) > 0 for each in leads):
            return name, min((each.ahead for each in leads), key=lambda lead: lead.value or 0.0)
    return "", Measured(None)
