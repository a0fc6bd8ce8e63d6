"""Where runs may stand, and what each of them needs."""

from continental_sim.rules import ContinentalRules


class Ladder:
    """The positions on which the runs of a suit stand.

    Attributes
    ----------
    ranks : tuple of int
        Rank at each position. An ace that is low and high stands at both ends; a circle is
        unrolled as far as its longest run reaches round. So a rank may come again 13 positions
        later, but never within one run.
    """

    def __init__(self, rules: ContinentalRules) -> None:
        ace, *others = range(13)
        self._circular = rules.ace == "wrap"
        self.ranks: tuple[int, ...] = {
            "both": (ace, *others, ace),
            "low": (ace, *others),
            "high": (*others, ace),
            "wrap": (ace, *others, *range(max(rules.run_lengths) - 1)),
        }[rules.ace]

    def starts(self, length: int) -> range:
        """Give the positions at which a run of a length (2..13 cards) may start."""
        return range(13 if self._circular else len(self.ranks) - length + 1)


def naturals_needed(rules: ContinentalRules, length: int) -> int:
    """Count the naturals that a run must hold.

    Parameters
    ----------
    rules : ContinentalRules
        Their minimum of naturals and maximum of wilds in a run.
    length : int
        Cards of the run.

    Returns
    -------
    int
        The minimum, or what the wilds must leave to naturals if that is more [cards].
    """
    if rules.max_wilds_per_run is None:
        return rules.min_naturals_per_run
    return max(rules.min_naturals_per_run, length - rules.max_wilds_per_run)
