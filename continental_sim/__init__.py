"""Monte Carlo simulator for Continental Rummy.

``import continental_sim as cs``, then ``cs.simulate(cs.Study("fastest", deals=1e5, seed=1))``.
"""

from importlib import import_module
from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from continental_sim.library import (
        ComparisonResult,
        ContsimError,
        Estimate,
        GameRules,
        Interrupted,
        Mean,
        Study,
        StudyFailed,
        StudyResult,
        Summary,
        WhatifResult,
        compare,
        exact_odds,
        load_rules,
        open_study,
        replay,
        simulate,
        whatif,
    )
else:

    def __getattr__(name: str) -> object:
        """Load the library when it is used: this package is imported by every command."""
        if name in __all__:
            return getattr(import_module("continental_sim.library"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
    "__version__",
    "compare",
    "exact_odds",
    "load_rules",
    "open_study",
    "replay",
    "simulate",
    "whatif",
]


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
