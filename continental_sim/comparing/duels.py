"""Which strategy is better, and by how much: differences of duplicate studies.

In a session each pack was dealt again in all seatings, so what the cards gave and who sat behind
whom is the same for all: the differences by session are paired. Sessions are independent.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from continental_sim.comparing.comparison import Comparison
from continental_sim.comparing.measured import Estimated, Measured
from continental_sim.comparing.table import Table, rounds_of
from continental_sim.figures.estimates import holm, mean_of, proportion
from continental_sim.figures.game_figures import GAME_FIGURES
from continental_sim.figures.game_words import Words
from continental_sim.files.store import StoredStudy
from continental_sim.grouping import Counts
from continental_sim.rules import GameRules


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
    tables: tuple[Table, ...]
    going_on: str = ""

    @property
    def rules(self) -> GameRules:
        """What was played."""
        return self.tables[0].rules

    @property
    def words(self) -> Words:
        """What the game calls things."""
        return GAME_FIGURES[self.rules.game].words

    @property
    def packs(self) -> int:
        """Packs that are dealt at every table."""
        return min(table.deals // table.session for table in self.tables)

    def ended(self, end: int) -> int:
        """Count the deals of all tables with an end, such as `columns.CAPPED`."""
        cubes = (table.cubes.cube for table in self.tables)
        return sum(int(cube["count"][cube["end"] == end].sum()) for cube in cubes)


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
