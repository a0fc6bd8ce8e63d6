"""Numbers in sentences: each with its interval, or why it is impossible."""

from continental_sim.figures import formats
from continental_sim.figures.estimates import STRUCTURAL, Estimate, Mean
from continental_sim.language import tr


def rate(estimate: Estimate) -> str:
    """Write a rate with its interval, or why it is impossible."""
    if estimate.method == STRUCTURAL:
        return tr("0 (impossible: {reason})", reason=estimate.reason)
    return f"{formats.rate_text(estimate)} ({formats.interval_text(estimate)})"


def mean(estimate: Mean) -> str:
    """Write a mean with its interval."""
    return formats.mean_text(estimate)
