"""How many packs settle which strategy is better: told from a few that were played."""

import math
from dataclasses import dataclass
from typing import Final

from continental_sim.comparing.duels import Duels
from continental_sim.errors import ContsimError
from continental_sim.figures.student import t_value

LEAST_POWER: Final = 0.5
LEAST_PACKS: Final = 30  # of fewer the error says little of how much a difference varies


@dataclass(frozen=True, slots=True)
class Needed:
    """What it takes to tell two strategies apart.

    Attributes
    ----------
    one, other : str
    packs : int or None
        Of each line-up, each dealt in all seatings; None if the two came out identical.
    deals : int or None
        Of all line-ups.
    plain_deals : int or None
        Of plain play; None if the two do not meet.
    """

    one: str
    other: str
    packs: int | None
    deals: int | None
    plain_deals: int | None


def check_power(power: float) -> None:
    """Refuse what is no better than a guess.

    Raises
    ------
    ContsimError
    """
    if power <= LEAST_POWER:
        raise ContsimError(
            f"power = {power:g} is too little: a difference should be found more often than not, "
            f"give more than {LEAST_POWER:g}"
        )


def check_pilot(packs: int) -> None:
    """Refuse a pilot that tells next to nothing.

    Raises
    ------
    ContsimError
    """
    if packs < LEAST_PACKS:
        raise ContsimError(
            f"--deals {packs} is too few to see how much a difference varies: give at least "
            f"{LEAST_PACKS}"
        )


def plan(pilot: Duels, detect: float, power: float, level: float) -> tuple[Needed, ...]:
    """Tell what it takes to find a difference, pair by pair.

    Parameters
    ----------
    pilot : Duels
        Of some packs: they say how much the difference varies.
    detect : float
        The difference that is to be found [points a deal].
    power : float
        By how often it is to be found.
    level : float
        By how often none is to be found where there is none, in any pair: the smallest chance that
        Holm's correction asks for is taken.
    """
    sessions = sum(seated.session for seated in pilot.comparison.lineups)
    chance = (1 - level) / len(pilot.pairs)
    found = []
    for pair in pilot.pairs:
        spread = pilot.comparison.deals * (pair.error / detect) ** 2  # of a pack, in differences
        packs = _packs(spread, chance, power) if spread else None
        wanted = _wanted(math.inf, chance, power)
        plain = None if pair.variance is None else round(pair.variance * (wanted / detect) ** 2)
        deals = None if packs is None else packs * sessions
        found.append(Needed(pair.one, pair.other, packs, deals, plain if packs else None))
    return tuple(found)


def _packs(spread: float, chance: float, power: float) -> int:
    """Return the fewest packs by whose own errors, of so few, the difference is found."""
    packs = 2
    while packs < (needed := math.ceil(spread * _wanted(packs - 1, chance, power) ** 2)):
        # More packs need fewer standard errors: those of normal values are the least.
        least = math.ceil(spread * _wanted(math.inf, chance, power) ** 2)
        packs = min(max(packs + 1, least), needed)
    return packs


def _wanted(freedom: float, chance: float, power: float) -> float:
    """Return how many standard errors a difference has to be."""
    return t_value(1 - chance, freedom) + t_value(2 * power - 1, freedom)
