"""For Python and notebooks: studies, comparisons, what-ifs and odds, and results that show well."""

from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.figures.estimates import Estimate, Mean
from continental_sim.figures.summary import Summary
from continental_sim.interrupts import Interrupted
from continental_sim.library.asking import compare, whatif
from continental_sim.library.counting import exact_odds, load_rules
from continental_sim.library.playing import open_study, replay, simulate
from continental_sim.library.results import ComparisonResult, StudyResult, WhatifResult
from continental_sim.rules import GameRules
from continental_sim.study import Study

__all__ = [
    "ComparisonResult",
    "ContsimError",
    "Estimate",
    "GameRules",
    "Interrupted",
    "Mean",
    "Study",
    "StudyFailed",
    "StudyResult",
    "Summary",
    "WhatifResult",
    "compare",
    "exact_odds",
    "load_rules",
    "open_study",
    "replay",
    "simulate",
    "whatif",
]
