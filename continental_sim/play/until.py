"""Play until figures are known well enough: `precision` as a rule of when a study may stop."""

from collections.abc import Mapping, Sequence
from typing import Any

from continental_sim.figures.precision import Target, Verdict, judge, look_plan, read_target
from continental_sim.figures.stats import summarise
from continental_sim.files.store import StoredStudy
from continental_sim.rules import GameRules
from continental_sim.study import Study


class Until:
    """A study may stop at a planned look where all targets are met.

    Parameters
    ----------
    targets : sequence of Target
    level : float
        Confidence level of the intervals that are looked at.
    """

    def __init__(self, targets: Sequence[Target], level: float) -> None:
        self.targets = tuple(targets)
        self.level = level
        self._verdict = Verdict(())

    @classmethod
    def of_table(cls, table: Mapping[str, Any], rules: GameRules) -> "Until":
        """Make the rule that a manifest holds; `table` turns it back."""
        return cls([read_target(text, rules) for text in table["until"]], float(table["level"]))

    def table(self) -> dict[str, Any]:
        """Return the table ``stopping`` of a manifest."""
        return {"until": [str(target) for target in self.targets], "level": self.level}

    def looks(self, study: Study) -> tuple[int, ...]:
        """Return after how many deals to look."""
        return look_plan(study.seed, study.unit, study.deals)

    def enough(self, stored: StoredStudy) -> bool:
        """Tell whether all targets are met by these deals."""
        self._verdict = judge(summarise(stored, self.level), self.targets)
        return self._verdict.met

    @property
    def needed(self) -> int | None:
        """Deals that will probably be enough, told by the last look."""
        return self._verdict.needed

    @property
    def text(self) -> str:
        """How far each target was at the last look, without a full stop."""
        return self._verdict.text
