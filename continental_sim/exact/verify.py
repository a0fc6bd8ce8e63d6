"""The simulation against what is counted: exits, distances, wild cards, payments, the shuffle.

Each row compares a number of events with the number that is expected, in standard errors. What is
counted exactly holds for a random hand, so only what is one is compared: the hand of every seat as
it is dealt, and the first turn of seat 0 if it draws from the stock. (A later seat's exits are
conditional on nobody having left before.)
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from continental_sim.cards import FACES, JOKER, RANKS
from continental_sim.engine import dealt_packs, play_block
from continental_sim.errors import ContsimError
from continental_sim.exact.expected import PLAYER, Expected
from continental_sim.exact.game_odds import expected_of
from continental_sim.exact.tally import Row, Tally, chi_square_row
from continental_sim.figures.estimates import chance_beyond, holm
from continental_sim.rules import GameRules
from continental_sim.spans import Span, cut
from continental_sim.study import make_study
from continental_sim.words import are, counted

AT_ONCE = 50_000  # [deals]
PACKS = 100_000  # whole packs that the shuffle is judged by, at most
LEAST_DEALS = 1000
SIGMAS = 4.0  # beyond which a row is a fault

Packs = npt.NDArray[np.int8]


def verify(
    rules: GameRules,
    deals: int,
    seed: int,
    expected: Expected | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Row]:
    """Play deals, and compare them with what is counted.

    Parameters
    ----------
    rules : GameRules
    deals : int
    seed : int
    expected : Expected, optional
        Of these rules.
    progress : callable, optional
        Called with the deals played and those wanted.

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
    expected = expected or expected_of(rules)
    study = make_study(rules, [PLAYER], seed, deals)
    tally = Tally()
    for span in cut(Span(0, deals), AT_ONCE):
        block = play_block(study, span.first, span.deals)
        expected.add(tally, block)
        if progress:
            progress(span.end, deals)
    packs = dealt_packs(rules, seed, min(deals, PACKS))
    return [*tally.rows(), *expected.more_rows(), *shuffle_rows(rules, packs)]


def faults(rows: Sequence[Row]) -> list[Row]:
    """List the rows that are too far off, of so many (Holm).

    Parameters
    ----------
    rows : sequence of Row
    """
    chances = holm([row.p for row in rows])
    return [row for row, p in zip(rows, chances, strict=True) if p < chance_beyond(SIGMAS)]


def shuffle_rows(rules: GameRules, packs: Packs) -> Iterator[Row]:
    """Judge a shuffle: where each card lies, which follows which, and from deal to deal.

    Parameters
    ----------
    rules : GameRules
        Say which cards are in a pack.
    packs : int8[deals, cards]
        Faces in the order in which they are dealt and drawn.
    """
    cards = rules.cards
    copies = np.array([rules.copies(face) for face in range(FACES)])
    yield chi_square_row("faces by place in the pack", *_places(packs, copies))
    tally = Tally()
    suits = np.where(packs == JOKER, -1 - np.arange(cards), packs // len(RANKS))
    same_suit = sum(n * (n - 1) for n in [len(RANKS) * rules.copies_of_card] * 4) / cards
    tally.add(
        "cards followed by their suit", same_suit, (suits[:, 1:] == suits[:, :-1]).sum(axis=1)
    )
    steps = (packs[:, 1:] == packs[:, :-1] + 1) & (suits[:, 1:] == suits[:, :-1])
    next_rank = 4 * (len(RANKS) - 1) * rules.copies_of_card**2 / cards
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
        lines += [
            "",
            f"{len(wrong)} of {len(rows)} {are(len(wrong))} too far off (!): this is no chance.",
        ]
    else:
        lines += [
            "",
            f"All {len(rows)} are within {SIGMAS:g} standard errors, as many as they are.",
        ]
    return "\n".join(lines)
