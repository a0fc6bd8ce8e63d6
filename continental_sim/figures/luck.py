"""Is a score luck or skill: chances of a score by luck alone, and the deals that would tell."""

import math
from dataclasses import dataclass

from continental_sim.errors import ContsimError
from continental_sim.figures.estimates import EXACT, Estimate, z_value
from continental_sim.words import counted

MOST_DEALS = 10**7  # beyond, the sums lose digits
_HALVINGS = 50  # of an interval, to the last digits of a float
_NEGLIGIBLE = 1e-18  # of the sum of a tail


@dataclass(frozen=True, slots=True)
class Score:
    """Deals that somebody won, against what luck alone would give.

    Attributes
    ----------
    share : Estimate
        Of the deals that were won.
    by_luck : float
        Share that luck alone would give.
    as_many : float
        Chance that luck alone gives as many, or more.
    as_uneven : float
        Chance that luck alone gives as uneven a score, one way or the other: twice the smaller
        tail.
    """

    share: Estimate
    by_luck: float
    as_many: float
    as_uneven: float


def judge_score(wins: int, deals: int, by_luck: float, level: float) -> Score:
    """Compare a score with luck, exactly.

    Parameters
    ----------
    wins, deals : int
    by_luck : float
        Share that luck alone would give, between 0 and 1.
    level : float
        Of the interval.

    Raises
    ------
    ContsimError
        If there are more wins than deals, or more deals than can be judged.
    """
    if deals > MOST_DEALS:
        raise ContsimError(
            f"{deals:,} deals are more than can be judged: give at most {MOST_DEALS:,}"
        )
    if wins > deals:
        raise ContsimError(
            f"{counted(wins, 'win')} in {counted(deals, 'deal')} cannot be: name the wins first"
        )
    many = binomial_tail(wins, deals, by_luck)
    few = binomial_tail(deals - wins, deals, 1 - by_luck)
    share = Estimate(wins, deals, wins / deals, *exact_bounds(wins, deals, level), EXACT)
    return Score(share, by_luck, many, min(1.0, 2 * min(many, few)))


def exact_bounds(count: int, trials: int, level: float) -> tuple[float, float]:
    """Return the bounds of a rate by Clopper and Pearson: no share outside gives so many so often.

    They agree with the chance of as uneven a score: a share is outside if that is below 1 - level.
    """
    tail = (1 - level) / 2

    def edge(least: int) -> float:
        """Find the share of which so many or more come with the chance `tail`."""
        low, high = 0.0, 1.0
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            below = binomial_tail(least, trials, middle) < tail
            low, high = (middle, high) if below else (low, middle)
        return high

    return edge(count) if count else 0.0, 1 - edge(trials - count) if count < trials else 1.0


def binomial_tail(least: int, trials: int, chance: float) -> float:
    """Return the chance of at least so many events.

    Parameters
    ----------
    least, trials : int
    chance : float
        Of an event, between 0 and 1.
    """
    if least <= 0:
        return 1.0
    if least <= trials * chance:  # the other tail is the short one
        return 1.0 - binomial_tail(trials - least + 1, trials, 1 - chance)
    odds = chance / (1 - chance)
    term = math.exp(
        math.lgamma(trials + 1)
        - math.lgamma(least + 1)
        - math.lgamma(trials - least + 1)
        + least * math.log(chance)
        + (trials - least) * math.log1p(-chance)
    )
    total = 0.0
    for events in range(least, trials + 1):
        total += term
        if term <= _NEGLIGIBLE * total:  # both may be too small for a float
            break
        term *= odds * (trials - events) / (events + 1)
    return total


def deals_to_tell(share: float, by_luck: float, level: float, power: float) -> int:
    """Return after how many deals a player is told from luck.

    Parameters
    ----------
    share : float
        Of the deals, that the player wins in the long run.
    by_luck : float
        That luck alone would give.
    level : float
        At which a score counts as more than luck, two-sided.
    power : float
        How often so many deals are to be enough.

    Returns
    -------
    int
        By the normal approximation of the binomial distribution, with Fleiss' correction for
        scores being whole.
    """
    luck, skill = (math.sqrt(each * (1 - each)) for each in (by_luck, share))
    # A level of 2 * power - 1 reaches, on two sides, what `power` does on one.
    needed = z_value(level) * luck + z_value(2 * power - 1) * skill
    apart = abs(share - by_luck)
    deals = (needed / apart) ** 2
    return math.ceil(deals / 4 * (1 + math.sqrt(1 + 2 / (deals * apart))) ** 2)
