"""From the cubes of a study of Basic Rummy to its figures."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from continental_sim.columns import ORDINARY, RUMMY, RUMMY_KINDS
from continental_sim.figures import formats
from continental_sim.figures.estimates import Estimate, Mean, mean_of, proportion
from continental_sim.figures.rummy_summary import (
    DealtHands,
    Matches,
    PipsLeft,
    RummySeat,
    RummySummary,
)
from continental_sim.figures.shared_stats import StudyFigures, distribution
from continental_sim.language import tr
from continental_sim.rules import BasicRummyRules

# Where ranges of points begin: one list for all rules, so that studies can be compared. No score is
# above 73,600, the pips of a pack whose aces count 100, a hundredfold; hardly any come near to it.
RANGES: Final = (
    *(0, 5, *range(10, 100, 10), 100, 150, 200, 300, 500),
    *(1000, 2000, 5000, 10_000, 20_000, 50_000),
)


def range_name(place: int) -> str:
    """Name a range of points by its place in `RANGES`."""
    if place == len(RANGES) - 1:
        return tr("{first} or more", first=formats.count(RANGES[place]))
    return tr(
        "{first} to {last}",
        first=formats.count(RANGES[place]),
        last=formats.count(RANGES[place + 1] - 1),
    )


def ranges_of(points: NDArray[Any]) -> NDArray[np.int64]:
    """Find the range that each number of points lies in: int64[n], places in `RANGES`."""
    return np.searchsorted(RANGES, points, side="right").astype(np.int64) - 1


class RummyFigures(StudyFigures):
    """Estimates of one study of Basic Rummy."""

    rules: BasicRummyRules

    def summary(self) -> RummySummary:
        """Estimate all figures of the study."""
        thrown = self.exits["thrown"] == 1
        return RummySummary(
            **self.shared(),
            going_rummy=self.rate_of_exits(self.exits["kind"] == RUMMY),
            last_card={
                "thrown": self.rate_of_exits(thrown),
                "laid": self.rate_of_exits(~thrown, "last_card_laid"),
            },
            scores=self._scores(),
            score_by_kind={name: self._mean_of_kind(code) for code, name in enumerate(RUMMY_KINDS)},
            left=self._left(),
            matches=self._matches(),
            hands=self._hands(),
            ranks_laid=self.ranks("laid", self.deals),
        )

    def seat_figures(self, number: int) -> RummySeat:
        """Estimate the figures of one seat."""
        here, kind = self.cube["seat"] == number, self.cube["kind"]
        return RummySeat(
            number=number,
            ledger=self.mean(self.ledger("seat", number)),
            wins=self.rate(here),
            rummy=self.rate(here & (kind == RUMMY)),
            ordinary=self.rate(here & (kind == ORDINARY), "ordinary"),
        )

    def _scores(self) -> dict[str, Estimate]:
        """Share of the exits in each range of scores, from the first that occurred to the last."""
        places = ranges_of(self.exits["payment"])
        shown = range(places.min(initial=len(RANGES)), places.max(initial=-1) + 1)
        return {range_name(place): self.rate_of_exits(places == place) for place in shown}

    def _mean_of_kind(self, kind: int) -> Mean:
        rows = self.exits[self.exits["kind"] == kind]
        return mean_of(rows["payment"], rows["count"], self.level, self.repeated)

    def _left(self) -> PipsLeft:
        everybody = range(self.seats)
        factor = np.where(self.exits["kind"] == RUMMY, self.rules.going_rummy, 1)
        return PipsLeft(
            any_hand=self._left_in_hands(everybody, self.seats * self.repeated),
            by_player=tuple(self._left_in_hands([k], self.effect_on(k)) for k in everybody),
            by_strategy={
                name: self._left_in_hands(mine, len(mine) * max(map(self.effect_on, mine)))
                for name, mine in self._players_of().items()
            },
            when_won=mean_of(
                self.exits["payment"] // factor, self.exits["count"], self.level, self.repeated
            ),
        )

    def _players_of(self) -> dict[str, list[int]]:
        """Return the players of each strategy."""
        lineup = self.study.lineup
        return {name: [k for k, each in enumerate(lineup) if each == name] for name in lineup}

    def _matches(self) -> Matches:
        rows = self.cubes.grouped["matches"]
        counts, won = rows["count"], rows["deals"] > 0
        total = int(counts[rows["player"] == 0].sum())

        def share(chosen: NDArray[np.bool_]) -> Estimate:
            return proportion(int(counts[chosen].sum()), total, self.level)

        decided = int(counts[won].sum())
        return Matches(
            won=tuple(share(won & (rows["player"] == k)) for k in range(self.seats)),
            won_by_strategy={
                name: share(won & np.isin(rows["player"], mine))
                for name, mine in self._players_of().items()
            },
            undecided=proportion(total - decided, total, self.level),
            deals=mean_of(rows["deals"][won], counts[won], self.level),
            longest=int(rows["deals"].max(initial=0)),
        )

    def _left_in_hands(self, players: Sequence[int], effect: float) -> Mean:
        """Mean of the pips left in the hands of some players that did not go out."""
        rows = self.cubes.grouped["endings"]
        counts = rows["count"].copy()
        # The file has the hands of winners too: each is one of its player's without a pip.
        for place in np.flatnonzero(rows["left"] == 0):
            counts[place] -= self.counts[self.cube["winner"] == rows["player"][place]].sum()
        mine = np.isin(rows["player"], players) & (counts > 0)
        return mean_of(rows["left"][mine], counts[mine], self.level, effect)

    def _hands(self) -> DealtHands:
        rows, effect = self.cubes.openings, self.seats * self.repeated
        counts = rows["count"]
        by_range = self.fates(ranges_of(rows["deadwood"]))
        return DealtHands(
            # One hand of each deal would have a mean with `seats` times the variance.
            deadwood=mean_of(rows["deadwood"], counts, self.level, effect),
            melded=mean_of(rows["melded"], counts, self.level, effect),
            melds=distribution(rows["melded"], counts, int(counts.sum()), self.level, effect),
            by_melded=self.fates(rows["melded"]),
            by_deadwood={range_name(place): fate for place, fate in by_range.items()},
        )
