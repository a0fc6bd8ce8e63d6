"""From the cubes of a study of Continental to its figures."""

from continental_sim.columns import DEALT, FIRST_TURN, LATER
from continental_sim.figures.continental_summary import (
    ContinentalSeat,
    ContinentalSummary,
    Openings,
)
from continental_sim.figures.estimates import Estimate, Mean, mean_of
from continental_sim.figures.shared_stats import StudyFigures, distribution
from continental_sim.rules import ContinentalRules


class ContinentalFigures(StudyFigures):
    """Estimates of one study of Continental."""

    rules: ContinentalRules

    def summary(self) -> ContinentalSummary:
        """Estimate all figures of the study."""
        cube, exits = self.cube, self.exits
        natural = self.gone_out & (cube["deuces"] == 0) & (cube["jokers"] == 0)
        return ContinentalSummary(
            **self.shared(),
            one_suit=self.rate(cube["one_suit"] == 1, "one_suit"),
            natural=self.rate(natural, "natural"),
            deuces=self.mean_of_exits("deuces"),
            jokers=self.mean_of_exits("jokers"),
            deuces_exposed=self.shares(exits["deuces"]),
            jokers_exposed=self.shares(exits["jokers"]),
            ranks_exposed=self.ranks("exposed", int(exits["count"].sum())),
            patterns=self._patterns(),
            openings=self._openings(),
        )

    def seat_figures(self, number: int) -> ContinentalSeat:
        """Estimate the figures of one seat."""
        here = self.cube["seat"] == number
        kind = self.cube["kind"]
        return ContinentalSeat(
            number=number,
            ledger=self.mean(self.ledger("seat", number)),
            wins=self.rate(here),
            dealt=self.rate(here & (kind == DEALT)),
            first_turn=self.rate(here & (kind == FIRST_TURN)),
            by_first_turn=self.rate(here & ((kind == DEALT) | (kind == FIRST_TURN))),
            later=self.rate(here & (kind == LATER), "later"),
        )

    def _patterns(self) -> dict[str, Estimate]:
        bits = self.exits["patterns"]
        return {
            pattern: self.rate_of_exits((bits >> place & 1) == 1)
            for place, pattern in enumerate(self.rules.patterns)
        }

    def _openings(self) -> Openings:
        rows, effect = self.cubes.openings, self.seats * self.repeated
        counts = rows["count"]

        def mean(name: str) -> Mean:
            # One hand of each deal would have a mean with `seats` times the variance.
            return mean_of(rows[name], counts, self.level, effect)

        total = int(counts.sum())
        return Openings(
            distance=mean("distance"),
            distances=distribution(rows["distance"], counts, total, self.level, effect),
            deuces=mean("deuces"),
            jokers=mean("jokers"),
            by_distance=self.fates(rows["distance"]),
            by_wilds=self.fates(rows["deuces"] + rows["jokers"]),
        )
