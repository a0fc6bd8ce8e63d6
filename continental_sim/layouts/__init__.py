"""Concrete layouts: found for a hand, judged when a player declares one, and paid.

One hand at a time in plain Python, exact under every rule of the record; the millions of hands of
a study go through the tables of `continental_sim.kernels` instead.
"""

from continental_sim.layouts.declared import Verdict, judge_layout
from continental_sim.layouts.find import find_layout, patterns_of, payment
from continental_sim.layouts.layout import (
    TIMINGS,
    Layout,
    exit_payment,
    layout_payment,
)

__all__ = [
    "TIMINGS",
    "Layout",
    "Verdict",
    "exit_payment",
    "find_layout",
    "judge_layout",
    "layout_payment",
    "patterns_of",
    "payment",
]
