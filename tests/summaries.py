"""Summaries of made-up studies that lie on no disk."""

from typing import Any

from continental_sim.figures.stats import summarise
from continental_sim.figures.summary import Summary
from continental_sim.files.store import StoredStudy
from continental_sim.rules import ContinentalRules
from tests.fakes import LINEUP, fake_cubes, fake_manifest, fake_outcomes


def summary_of(
    rules: ContinentalRules | None = None, deals: int = 4000, level: float = 0.95, **options: Any
) -> Summary:
    """Summarise a study of the first players of `LINEUP`; `options` are of `fake_outcomes`."""
    rules = rules or ContinentalRules()
    lineup = LINEUP[: rules.seats]
    cubes = fake_cubes(rules, fake_outcomes(rules, deals, **options))
    manifest = fake_manifest(rules, lineup, deals)
    return summarise(StoredStudy(None, manifest, rules, lineup, cubes), level)
