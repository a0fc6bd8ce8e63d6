"""One table of a comparison: what its duplicate study says of the strategies that sit there."""

import math
from dataclasses import replace
from typing import Final

import numpy as np

from continental_sim.columns import EXIT
from continental_sim.comparing.measured import Estimated
from continental_sim.figures.estimates import Mean, mean_of, moments
from continental_sim.files.store import StoredStudy
from continental_sim.grouping import Rows, merge

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
    def zero_sum(self) -> bool:
        """Whether points only change hands."""
        stakes = self.rules.stakes
        return stakes.winner + (self.seats - 1) * stakes.other == 0

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
        sides, cube = [], self.cubes.files.cube
        for strategy, against in ((one, other), (other, one)):
            times = len(self.players[against])
            exits = self.exits(strategy)
            exits["winner"] = 0  # whoever they are of
            exits["count"] *= times
            rows = merge([exits], cube)[[*cube.keys, "count"]]
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
        paid = np.where(cube["end"] == EXIT, cube["payment"], 0).astype(np.int64)
        paid *= self.rules.stakes.winner - self.rules.stakes.other
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

    def won_by(self, strategy: str, rounds: int) -> list[Estimated]:
        """Share of deals that a player of a strategy has won by the end of each round.

        How many deals of a pack a player has won by then is not kept, but their mean is, and no
        pack has more of them than the player won of it in the end. So the errors are bounds: those
        of wins that come early in the packs with most wins, as if the wins of the strategy's
        players went up and down together. In the end they are those of `wins`.
        """
        each = [self._won_by(player, rounds) for player in self.players[strategy]]
        shares, errors = np.mean(each, axis=0)
        return [
            Estimated(float(share), float(error), self.packs - 1)
            for share, error in zip(shares, errors, strict=True)
        ]

    def _won_by(self, player: int, rounds: int) -> tuple[np.ndarray, np.ndarray]:
        """Return float64[rounds]: shares of deals, and bounds of their standard errors."""
        exits, rows = self.cubes.cube, self.cubes.sessions
        exits = exits[(exits["end"] == EXIT) & (exits["winner"] == player)]
        ended = np.minimum(rounds_of(exits, self.seats), rounds + 1)
        won = np.cumsum(np.bincount(ended, exits["count"], rounds + 2))[1 : rounds + 1]
        shares = won / self.deals
        rows = np.sort(rows[rows["player"] == player], order="wins")[::-1]
        wins, packs = rows["wins"].astype(np.int64), int(rows["count"].sum())
        if packs < 2:
            return shares, np.zeros(rounds)
        most, squares = (np.cumsum([0, *(rows["count"] * wins**power)]) for power in (1, 2))
        early = shares * self.session * packs
        variance = (np.interp(early, most, squares) - early**2 / packs) / (packs - 1)
        return shares, np.sqrt(np.maximum(variance, 0) / packs) / self.session

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
