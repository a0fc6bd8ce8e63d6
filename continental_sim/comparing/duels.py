"""Which strategy is better, and by how much: differences of duplicate studies.

In a session each pack was dealt again in all seatings, so what the cards gave and who sat behind
whom is the same for all: the differences by session are paired. Sessions are independent.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

import numpy as np

from continental_sim.columns import CUBE, EXIT
from continental_sim.comparing.comparison import Comparison
from continental_sim.comparing.measured import Estimated, Measured
from continental_sim.cubes import Counts, Rows, merge
from continental_sim.figures.estimates import Mean, holm, mean_of, moments, proportion
from continental_sim.files.store import StoredStudy

LEVEL: Final = 0.95  # of means of which the interval is not used


@dataclass(frozen=True, slots=True)
class Duel:
    """Two strategies, compared.

    Attributes
    ----------
    one, other : str
    ahead : Measured
        Points a deal that a player of the one is ahead.
    error : float
        Standard error of that.
    p : float
        Probability of such a difference, or a larger one, if there is none.
    adjusted : float
        The same after Holm's correction for all pairs.
    sessions : int
        Packs that were dealt, in all seatings each.
    deals : int
    variance : float or None
        Of the difference in one deal, if each pack were dealt once; None if the two never met.
    alike : bool
        Whether all that is kept of the two is the same: exits, and what their players do.
    """

    one: str
    other: str
    ahead: Measured
    error: float
    p: float
    adjusted: float
    sessions: int
    deals: int
    variance: float | None
    alike: bool

    @property
    def even(self) -> bool:
        """Whether the two came out equal in every pack; one alone may be so by chance."""
        return self.sessions > 1 and self.error == 0 and self.ahead.value == 0

    @property
    def identical(self) -> bool:
        """Whether nothing tells the two apart.

        What differs from deal to deal may cancel out in every pack, but then exits differ.
        """
        return self.even and self.alike

    @property
    def plain_deals(self) -> int | None:
        """Deals of plain play that would tell as much; None if that is not known."""
        if self.variance is None or not self.error:
            return None
        return round(self.variance / self.error**2)

    @property
    def gain(self) -> float | None:
        """By what factor the seatings cut the variance, against as many deals of plain play."""
        plain = self.plain_deals
        return None if plain is None else plain / self.deals

    def turned(self) -> "Duel":
        """See it from the other side."""
        low, high = (None if end is None else -end for end in (self.ahead.high, self.ahead.low))
        ahead = Measured(-(self.ahead.value or 0.0), low, high)
        return replace(self, one=self.other, other=self.one, ahead=ahead)


@dataclass(frozen=True, slots=True)
class Standing:
    """How one strategy did.

    Attributes
    ----------
    strategy : str
    best, worst : int
        Places that it may have, from 1: those before and behind are separated from it.
    ledger : Measured
        Points a deal of one of its players.
    wins : Measured
        Share of the deals that one of its players won.
    payment : Measured
        Mean payment of its exits [points].
    rounds : Measured
        Mean rounds that its exits took.
    """

    strategy: str
    best: int
    worst: int
    ledger: Measured
    wins: Measured
    payment: Measured
    rounds: Measured


@dataclass(frozen=True)
class Duels:
    """A comparison and what came of it.

    Attributes
    ----------
    comparison : Comparison
    level : float
        Of all intervals.
    standings : tuple of Standing
        The best first.
    pairs : tuple of Duel
        In the order of the standings.
    deals : int
        Played in all.
    tables : tuple of Table
    going_on : str
        The command that plays what is missing, or "".
    """

    comparison: Comparison
    level: float
    standings: tuple[Standing, ...]
    pairs: tuple[Duel, ...]
    deals: int
    tables: tuple["Table", ...]
    going_on: str = ""

    @property
    def packs(self) -> int:
        """Packs that are dealt at every table."""
        return min(table.deals // table.session for table in self.tables)

    def ended(self, end: int) -> int:
        """Count the deals of all tables with an end, such as `columns.CAPPED`."""
        cubes = (table.cubes.cube for table in self.tables)
        return sum(int(cube["count"][cube["end"] == end].sum()) for cube in cubes)


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
        duels = self.cubes.duels
        rows = duels[(duels["player"] == mine[0]) & (duels["opponent"] == theirs[0])]
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
        duels = self.cubes.duels
        rows = duels[(duels["player"] == mine[0]) & (duels["opponent"] == theirs[0])]
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

    def wins(self, strategy: str) -> Estimated:
        """Share of deals that a player of a strategy won, with a bound of its standard error.

        As if its players' wins went up and down together.
        """
        rows, mine = self.cubes.sessions, self.players[strategy]
        each = [rows[rows["player"] == player] for player in mine]
        means = [_of(mean_of(own["wins"], own["count"], LEVEL, scale=self.session)) for own in each]
        values, errors = (sum(getattr(mean, name) for mean in means) for name in ("value", "error"))
        return Estimated(values / len(mine), errors / len(mine), self.packs - 1)

    def squared_wins(self, strategy: str) -> float:
        """Sum over the sessions of the square of how many deals a strategy won, or more than that.

        As if its players' wins went up and down together.
        """
        rows, mine = self.cubes.sessions, self.players[strategy]
        each = [rows[rows["player"] == player] for player in mine]
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


def find_duels(comparison: Comparison, studies: Sequence[StoredStudy], level: float) -> Duels:
    """Compare the strategies of the studies of a comparison.

    Parameters
    ----------
    comparison : Comparison
    studies : sequence of StoredStudy
        One for each line-up.
    level : float
        Of the intervals.
    """
    tables = [
        Table(study, lineup.session)
        for study, lineup in zip(studies, comparison.lineups, strict=True)
    ]
    pairs = [
        _duel(tables, one, other, level) for one, other in combinations(comparison.compared, 2)
    ]
    adjusted = holm([each.p for each in pairs])
    pairs = [replace(each, adjusted=p) for each, p in zip(pairs, adjusted, strict=True)]
    standings = sorted(
        (_standing(tables, strategy, pairs, level) for strategy in comparison.compared),
        key=lambda each: -(each.ledger.value or 0.0),
    )
    place = {each.strategy: number for number, each in enumerate(standings)}
    pairs = [each if place[each.one] < place[each.other] else each.turned() for each in pairs]
    pairs.sort(key=lambda each: (place[each.one], place[each.other]))
    deals = sum(study.cubes.deals for study in studies)
    return Duels(comparison, level, tuple(standings), tuple(pairs), deals, tuple(tables))


def _duel(tables: Sequence[Table], one: str, other: str, level: float) -> Duel:
    """Compare two strategies: where they meet, else by what each does in the same company.

    The packs of each table are its own, so that tables are independent.
    """
    met = [table for table in tables if table.has(one, other)]
    if met:
        lead = Estimated.mean([table.lead(one, other) for table in met])
        variance = sum(table.plain_variance(one, other) for table in met) / len(met)
        alike = all(table.alike(one, other) for table in met)
    else:
        met = [table for table in tables if table.has(one) or table.has(other)]
        mine, theirs = (
            Estimated.mean([table.lead(each, each) for table in met if table.has(each)])
            for each in (one, other)
        )
        lead, variance = mine - theirs, None
        alike = all(table.alike(*table.players) for table in met)
    return Duel(
        one=one,
        other=other,
        ahead=lead.measured(level),
        error=lead.error,
        p=lead.p,
        adjusted=1.0,
        sessions=sum(table.packs for table in met),
        deals=sum(table.deals for table in met),
        variance=variance,
        alike=alike,
    )


def _of(mean: Mean) -> Estimated:
    """Take a mean over packs."""
    return Estimated(mean.mean or 0.0, (mean.sd or 0.0) / math.sqrt(mean.n), mean.n - 1)


def _wins(tables: Sequence[Table], strategy: str, level: float) -> Measured:
    """Return the share of deals that a player of a strategy won.

    Where it won none, or all, packs do not differ, and their number tells what may be missing: no
    more of the deals than of the packs.
    """
    share = Estimated.mean([table.wins(strategy) for table in tables])
    won = sum(int(table.exits(strategy)["count"].sum()) for table in tables)
    packs = sum(table.packs for table in tables)
    if packs == len(tables) or 0 < won < sum(table.deals for table in tables):
        return share.measured(level)
    fewest = min(len(table.players[strategy]) for table in tables)
    missing = (proportion(0, packs, level).high or 0.0) / fewest
    if won == 0:
        return Measured(0.0, 0.0, missing)
    return Measured(share.value, share.value - missing, share.value)


def _standing(
    tables: Sequence[Table], strategy: str, pairs: Sequence[Duel], level: float
) -> Standing:
    here = [table for table in tables if table.has(strategy)]
    better = worse = 0
    for each in pairs:
        duel = each.turned() if each.other == strategy else each
        if duel.one == strategy and duel.adjusted < 1 - level:
            better += (duel.ahead.value or 0.0) < 0
            worse += (duel.ahead.value or 0.0) > 0
    exits = np.concatenate([table.exits(strategy) for table in here])
    # As if all exits of a session were alike: sessions with many count for more (Kish 1965).
    squares = sum(table.squared_wins(strategy) for table in here)
    effect = max(1.0, squares / max(int(exits["count"].sum()), 1))
    seats, freedom = here[0].seats, sum(table.packs - 1 for table in here)

    def of_exits(values: Counts) -> Measured:
        mean = mean_of(values, exits["count"], level, effect)
        if mean.mean is None or not freedom:
            return Measured(mean.mean)
        error = (mean.sd or 0.0) * math.sqrt(effect / mean.n)
        return Estimated(mean.mean, error, freedom).measured(level)

    return Standing(
        strategy=strategy,
        best=better + 1,
        worst=len({name for each in pairs for name in (each.one, each.other)}) - worse,
        ledger=Estimated.mean([table.lead(strategy, strategy) for table in here]).measured(level),
        wins=_wins(here, strategy, level),
        payment=of_exits(exits["payment"]),
        rounds=of_exits(rounds_of(exits, seats)),
    )
