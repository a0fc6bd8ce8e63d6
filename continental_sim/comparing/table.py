"""One table of a comparison: what its duplicate study says of the strategies that sit there."""

import math
from dataclasses import replace
from typing import Final

import numpy as np

from continental_sim.columns import CUBE, EXIT
from continental_sim.comparing.measured import Estimated
from continental_sim.cubes import Rows, merge
from continental_sim.figures.estimates import Mean, mean_of, moments
from continental_sim.files.store import StoredStudy

LEVEL: Final = 0.95  # of means of which the interval is not used


class Table:
    """What one duplicate study says of its strategies."""

    def __init__(self, study: StoredStudy, session: int) -> None:
        self.cubes, self.session, self.rules = study.cubes, session, study.rules
        self.deals, self.seats, self.lineup = study.cubes.deals, len(study.lineup), study.lineup
        self.players = {
            strategy: [k for k, each in enumerate(study.lineup) if each == strategy]
            for strategy in study.lineup
        }

    def has(self, *strategies: str) -> bool:
        """Tell whether strategies sit here."""
        return set(strategies) <= set(self.players)

    @property
    def packs(self) -> int:
        """Packs that were dealt, in all seatings each."""
        return self.deals // self.session

    def lead(self, one: str, other: str) -> Estimated:
        """Points a deal that a player of one strategy is ahead of a player of another.

        Of a strategy and itself: the points of one of its players.
        """
        mine, theirs = self.players[one], self.players[other]
        if mine[0] > theirs[0]:
            return replace(turned := self.lead(other, one), value=-turned.value)
        rows = self._leads(mine[0], theirs[0])
        players = len(mine) * (1 if one == other else len(theirs))
        return _of(mean_of(rows["lead"], rows["count"], LEVEL, scale=self.session * players))

    def alike(self, one: str, other: str) -> bool:
        """Tell whether exits in all their columns, and what players do, are the same for two."""
        sides = []
        for strategy, against in ((one, other), (other, one)):
            times = len(self.players[against])
            exits = self.exits(strategy)
            exits["winner"] = 0  # whoever they are of
            exits["count"] *= times
            rows = merge([exits], CUBE)[[*CUBE.keys, "count"]]
            sides.append((rows, self.cubes.behaviour[self.players[strategy]].sum(axis=0) * times))
        return all(np.array_equal(mine, theirs) for mine, theirs in zip(*sides, strict=True))

    def _leads(self, mine: int, theirs: int) -> Rows:
        """Rows of two strategies, told by their first players, of which the first comes before."""
        duels = self.cubes.duels
        rows: Rows = duels[(duels["player"] == mine) & (duels["opponent"] == theirs)]
        return rows

    def extremes(self, one: str, other: str) -> list[tuple[float, int]]:
        """Find the packs in which a strategy was most ahead of another, and least.

        Returns
        -------
        list of (float, int)
            Points a deal, and the number of the pack.
        """
        mine, theirs = self.players[one], self.players[other]
        if mine[0] > theirs[0]:
            return [(-points, pack) for points, pack in self.extremes(other, one)[::-1]]
        rows = self._leads(mine[0], theirs[0])
        scale = self.session * len(mine) * len(theirs)
        ends = rows[[int(rows["lead"].argmax()), int(rows["lead"].argmin())]]
        return [(int(row["lead"]) / scale, int(row["first_session"])) for row in ends]

    def plain_variance(self, one: str, other: str) -> float:
        """Variance of the difference in a single deal."""
        cube, mine, theirs = self.cubes.cube, self.players[one], self.players[other]
        paid = np.where(cube["end"] == EXIT, cube["payment"], 0).astype(np.int64) * self.seats
        won = len(theirs) * np.isin(cube["winner"], mine).astype(np.int64)
        won -= len(mine) * np.isin(cube["winner"], theirs)
        _, _, variance = moments(paid * won, cube["count"])
        return (variance or 0.0) / (len(mine) * len(theirs)) ** 2

    def _sessions(self, strategy: str) -> list[Rows]:
        """Rows of the sessions of a strategy, player by player."""
        rows = self.cubes.sessions
        return [rows[rows["player"] == player] for player in self.players[strategy]]

    def wins(self, strategy: str) -> Estimated:
        """Share of deals that a player of a strategy won, with a bound of its standard error.

        As if its players' wins went up and down together.
        """
        each = self._sessions(strategy)
        means = [_of(mean_of(own["wins"], own["count"], LEVEL, scale=self.session)) for own in each]
        values, errors = (sum(getattr(mean, name) for mean in means) for name in ("value", "error"))
        return Estimated(values / len(each), errors / len(each), self.packs - 1)

    def squared_wins(self, strategy: str) -> float:
        """Sum over the sessions of the square of how many deals a strategy won, or more than that.

        As if its players' wins went up and down together.
        """
        each = self._sessions(strategy)
        squares = [int((own["wins"].astype(np.int64) ** 2 * own["count"]).sum()) for own in each]
        return sum(map(math.sqrt, squares)) ** 2

    def won_by(self, strategy: str, rounds: int) -> tuple[np.ndarray, np.ndarray]:
        """Share of deals that a player of a strategy has won by the end of each round.

        Returns
        -------
        float64[rounds], float64[rounds]
            The shares, and bounds of their standard errors, as if all deals of a session, and the
            players of the strategy, won or lost together.
        """
        exits = self.exits(strategy)
        ended = np.minimum(rounds_of(exits, self.seats), rounds + 1)
        won = np.cumsum(np.bincount(ended, exits["count"], rounds + 2))[1 : rounds + 1]
        shares = won / (self.deals * len(self.players[strategy]))
        return shares, np.sqrt(shares * (1 - shares) / (self.deals // self.session))

    def exits(self, strategy: str) -> Rows:
        """Copy the rows of the cube with exits of a strategy."""
        rows: Rows = self.cubes.cube[np.isin(self.cubes.cube["winner"], self.players[strategy])]
        return rows


def rounds_of(exits: Rows, seats: int) -> np.ndarray:
    """Return the rounds in which exits came: int64[exits]."""
    rounds: np.ndarray = -(-exits["turns"].astype(np.int64) // seats)
    return rounds


def _of(mean: Mean) -> Estimated:
    """Take a mean over packs."""
    return Estimated(mean.mean or 0.0, (mean.sd or 0.0) / math.sqrt(mean.n), mean.n - 1)
