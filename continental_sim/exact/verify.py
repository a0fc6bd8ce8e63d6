"""The simulation against what is counted: exits, distances, wild cards, payments, the shuffle.

Each row compares a number of events with the number that is expected, in standard errors. What is
counted exactly holds for a random hand, so only what is one is compared: the hand of every seat as
it is dealt, and the first turn of seat 0 if it draws from the stock. (A later seat's exits are
conditional on nobody having left before.)
"""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from continental_sim.cards import FACES, JOKER, RANKS
from continental_sim.columns import DEALT, EXIT, FIRST_TURN
from continental_sim.engine import Block, dealt_packs, play_block
from continental_sim.errors import ContsimError
from continental_sim.exact.odds import HandOdds, hand_odds
from continental_sim.figures.estimates import chance_beyond, holm
from continental_sim.rules import ContinentalRules
from continental_sim.spans import Span, cut
from continental_sim.study import make_study
from continental_sim.words import counted

PLAYER = "stock"  # draws as good as random cards, and goes out as soon as it can
AT_ONCE = 50_000  # [deals]
PACKS = 100_000  # whole packs that the shuffle is judged by, at most
LEAST = 25.0  # events expected of a row, so that its error is close to normal
RARE = 0.05  # events of a deal, below which they are counted as single ones
LEAST_DEALS = 1000
LEAST_IN_CELL = 5.0  # events expected of a cell of a chi-square
SIGMAS = 4.0  # beyond which a row is a fault

Packs = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Row:
    """One comparison.

    Attributes
    ----------
    name : str
    expected, observed : float
        Events; of a chi-square its mean and its value.
    z : float
        Their distance in standard errors.
    """

    name: str
    expected: float
    observed: float
    z: float

    @property
    def p(self) -> float:
        """Probability of such a distance, or a larger one, if all is well."""
        return chance_beyond(self.z)


def verify(
    rules: ContinentalRules, deals: int, seed: int, odds: HandOdds | None = None
) -> list[Row]:
    """Play deals, and compare them with what is counted.

    Parameters
    ----------
    rules : ContinentalRules
    deals : int
    seed : int
    odds : HandOdds, optional
        Of these rules.

    Returns
    -------
    list of Row
        Those of which enough events were expected.

    Raises
    ------
    ContsimError
        If the deals are too few to tell their variance.
    """
    if deals < LEAST_DEALS:
        raise ContsimError(f"deals = {deals} are too few to judge by: play {LEAST_DEALS:,} or more")
    odds = odds or hand_odds(rules)
    study = make_study(rules, [PLAYER], seed, deals)
    tally, payments = Tally(), Counter[int]()
    for span in cut(Span(0, deals), AT_ONCE):
        block = play_block(study, span.first, span.deals)
        _add_hands(tally, odds, block)
        payments += _add_exits(tally, odds, block)
    packs = dealt_packs(rules, seed, min(deals, PACKS))
    paid = [(name, each.count) for name, each in odds.payments.items()]
    return [
        *tally.rows(),
        *_distribution("payments of dealt exits of seat 0", paid, payments),
        *shuffle_rows(rules, packs),
    ]


def faults(rows: Sequence[Row]) -> list[Row]:
    """List the rows that are too far off, of so many (Holm).

    Parameters
    ----------
    rows : sequence of Row
    """
    chances = holm([row.p for row in rows])
    return [row for row, p in zip(rows, chances, strict=True) if p < chance_beyond(SIGMAS)]


class Tally:
    """Sums over deals of what is counted in each: a mean and its error need no more."""

    def __init__(self) -> None:
        self._sums: dict[str, tuple[float, int, float, float]] = {}

    def add(self, name: str, expected: float, seen: npt.ArrayLike) -> None:
        """Add deals.

        Parameters
        ----------
        name : str
        expected : float
            Events of a deal.
        seen : array[deals]
            Events in each.
        """
        numbers = np.asarray(seen, float)
        _, deals, total, squares = self._sums.get(name, (expected, 0, 0.0, 0.0))
        total, squares = total + float(numbers.sum()), squares + float((numbers**2).sum())
        self._sums[name] = (expected, deals + len(numbers), total, squares)

    def rows(self) -> Iterator[Row]:
        """Yield a row for each name of which enough events were expected, or seen."""
        for name, (expected, deals, total, squares) in self._sums.items():
            if max(expected * deals, total) < LEAST:
                continue
            whole = deals * expected
            if (
                expected < RARE
            ):  # nearly Poisson; the square root of such a number is close to normal
                z = 2 * (math.sqrt(total + 3 / 8) - math.sqrt(whole + 3 / 8))
            else:
                variance = (squares - total * total / deals) / (deals - 1)
                z = (total - whole) / math.sqrt(deals * (variance or expected))
            yield Row(name, whole, total, z)


def _add_hands(tally: Tally, odds: HandOdds, block: Block) -> None:
    """Count the dealt hands of each deal by distance, and their wild cards."""
    openings, seats = block.openings, odds.rules.seats
    for away, each in enumerate(odds.distances or (odds.dealt_exit,)):
        seen = (openings["distance"] == away).sum(axis=1)
        tally.add(f"dealt hands of distance {away}", seats * each.p, seen)
    rules = odds.rules
    for name, cards in (("deuces", rules.deuces), ("jokers", rules.jokers)):
        dealt = cards * rules.hand_size * seats / rules.cards
        tally.add(f"{name} dealt", dealt, openings[name].sum(axis=1, dtype=np.int64))
    wilds = openings["deuces"].astype(np.int64) + openings["jokers"]
    for number in range(rules.hand_size + 1):
        p = sum(each.p for wild, each in odds.wilds.items() if sum(wild) == number)
        held = counted(number, "wild card")
        tally.add(f"dealt hands with {held}", seats * p, (wilds == number).sum(axis=1))


def _add_exits(tally: Tally, odds: HandOdds, block: Block) -> Counter[int]:
    """Count the first turns of seat 0; return the payments of its dealt exits."""
    outcomes = block.outcomes
    mine = (outcomes["end"] == EXIT) & (outcomes["seat"] == 0)
    dealt = mine & (outcomes["kind"] == DEALT)
    tally.add("dealt exits of seat 0", odds.dealt_exit.p, dealt)
    for number, (pattern, each) in enumerate(odds.patterns.items()):
        fits = outcomes["patterns"] >> number & 1 == 1
        tally.add(f"dealt exits of seat 0 as {pattern}", each.p, dealt & fits)
    if odds.one_more is not None and odds.rules.stock_size > 0:  # else there is nothing to draw
        seen = dealt | (mine & (outcomes["kind"] == FIRST_TURN))
        tally.add("exits of seat 0 in its first turn", odds.one_more.p, seen)
    return Counter(outcomes["payment"][dealt].tolist())


def _distribution(
    name: str, expected: Sequence[tuple[int, int]], seen: Counter[int]
) -> Iterator[Row]:
    """Compare a distribution by chi-square; cells of which too little is expected are pooled."""
    number, whole = seen.total(), sum(ways for _, ways in expected)
    cells, here, pooled = [], 0, 0.0
    for value, ways in expected:
        here, pooled = here + seen[value], pooled + number * ways / whole
        if pooled >= LEAST_IN_CELL:
            cells.append((here, pooled))
            here, pooled = 0, 0.0
    if len(cells) < 2:
        return
    last, more = cells[-1]
    cells[-1] = (last + here, more + pooled)
    stray = number - sum(count for count, _ in cells)  # values that cannot be
    chi_square = sum((count - mean) ** 2 / mean for count, mean in cells) + stray * number
    yield _chi_square(name, chi_square, len(cells) - 1)


def _chi_square(name: str, value: float, freedom: int) -> Row:
    """Judge a chi-square: its cube root is close to normal (Wilson and Hilferty 1931)."""
    spread = 2 / (9 * freedom)
    z = ((value / freedom) ** (1 / 3) - (1 - spread)) / math.sqrt(spread)
    return Row(name, freedom, value, z)


def shuffle_rows(rules: ContinentalRules, packs: Packs) -> Iterator[Row]:
    """Judge a shuffle: where each card lies, which follows which, and from deal to deal.

    Parameters
    ----------
    rules : ContinentalRules
        Say which cards are in a pack.
    packs : int8[deals, cards]
        Faces in the order in which they are dealt and drawn.
    """
    cards = rules.cards
    copies = np.array([rules.copies(face) for face in range(FACES)])
    yield _chi_square("faces by place in the pack", *_places(packs, copies))
    tally = Tally()
    suits = np.where(packs == JOKER, -1 - np.arange(cards), packs // len(RANKS))
    same_suit = sum(n * (n - 1) for n in [len(RANKS) * rules.packs] * 4) / cards
    tally.add(
        "cards followed by their suit", same_suit, (suits[:, 1:] == suits[:, :-1]).sum(axis=1)
    )
    steps = (packs[:, 1:] == packs[:, :-1] + 1) & (suits[:, 1:] == suits[:, :-1])
    next_rank = 4 * (len(RANKS) - 1) * rules.packs**2 / cards
    tally.add("cards followed by the next of their suit", next_rank, steps.sum(axis=1))
    again = float((copies**2).sum() / cards)
    tally.add("cards at the place of the deal before", again, (packs[1:] == packs[:-1]).sum(axis=1))
    yield from tally.rows()


def _places(packs: Packs, copies: npt.NDArray[np.int64]) -> tuple[float, int]:
    """Return chi-square and degrees of freedom of the faces at each place.

    Of random permutations of n cards, chi-square times (n - 1) / n has (n - 1) (faces - 1).
    """
    deals, cards = packs.shape
    there = copies > 0
    expected = deals * copies[there] / cards
    value = 0.0
    for place in range(cards):
        counts = np.bincount(packs[:, place], minlength=FACES)[there]
        value += float(((counts - expected) ** 2 / expected).sum())
    return value * (cards - 1) / cards, (cards - 1) * (int(there.sum()) - 1)


def verify_table(rows: Sequence[Row], wrong: Sequence[Row], deals: int) -> str:
    """Write rows as text of at most 80 columns.

    Parameters
    ----------
    rows : sequence of Row
    wrong : sequence of Row
        As `faults` finds them.
    deals : int
        That were played.
    """
    lines = [f"{counted(deals, 'deal'):<40} {'expected':>14} {'observed':>14} {'z':>6}"]
    for row in rows:
        mark = " !" if row in wrong else ""
        lines.append(
            f"{row.name:<40} {row.expected:>14,.1f} {row.observed:>14,.1f} {row.z:>6.2f}{mark}"
        )
    if wrong:
        lines += ["", f"{len(wrong)} of {len(rows)} are too far off (!): this is no chance."]
    else:
        lines += [
            "",
            f"All {len(rows)} are within {SIGMAS:g} standard errors, as many as they are.",
        ]
    return "\n".join(lines)
