"""Where runs may stand."""

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
