"""How far the cards of banks are from an exit: cards that they lack, and cards to spare.

Say that an exit has some cards of a bank in their own places, naturals or cards of wild ranks; its
other cells hold wild cards. Beside it, a bank *lacks* what it does not hold of them, and its
naturals that are not among them are *spare*.
"""

import numpy as np

from continental_sim.kernels.jit import kernel
from continental_sim.kernels.meld_rows import Plane, bits, cards_held, planes_of
from continental_sim.kernels.meld_rules import MeldRules

FAR = np.int8(60)  # no bank has as many spare cards; a sum of two is still an int8


def exit_planes(rules: MeldRules) -> list[Plane]:
    """List what matters of the part of an exit that lies in a bank: its selection.

    Where the pack has few wild cards, also those that the part has, in their own places or not.
    """
    if rules.limit is not None:
        return planes_of(rules)
    return [Plane(number, 0, 0) for number in range(len(rules.selections))]


def spare_rows(rules: MeldRules, planes, laid, most):
    """Find the fewest spare cards of each vector, by the cards that it may lack.

    Parameters
    ----------
    rules : MeldRules
    planes : list of Plane
    laid : uint64[vectors]
        Selections that all cards of a vector can be laid as, as a mask.
    most : int
        Cards that may be lacking.

    Returns
    -------
    int8[most + 1, vectors, planes]
        `FAR` where no part of an exit of that plane lacks so few.
    """
    base, sizes = rules.counted + 1, cards_held(rules, rules.digits)
    own = cards_held(rules, rules.own_digits)
    rows = np.full((most + 1, len(laid), len(planes)), FAR)
    for number, plane in enumerate(planes):
        of_exit = bits(laid, plane.selection) != 0
        if rules.limit is not None:
            wilds = sum(rules.selections[plane.selection]) - sizes
            of_exit &= (wilds == plane.wilds) & (own == plane.own)
        rows[:, of_exit, number] = 0
    for digit in rules.digits:
        by_copies = rows.reshape(most + 1, -1, base, base**digit * len(planes))
        _from_exit_to_held(by_copies, np.int8(digit in rules.natural_digits))
    return np.minimum(rows, FAR, out=rows)


def _from_exit_to_held(spare, natural):
    """Turn what an exit has of a rank into what is held: int8[lacking, ., copies + 1, .], in place.

    A card more in the exit is one more that is lacking; a natural more in the hand is spare.
    """
    most = spare.shape[2] - 1
    for copies in range(most - 1, -1, -1):
        fewer, more = spare[1:, :, copies], spare[:-1, :, copies + 1]
        np.minimum(fewer, more, out=fewer)
    for copies in range(1, most + 1):
        fewer, more = spare[:, :, copies - 1], spare[:, :, copies]
        np.minimum(more, fewer + natural, out=more)


@kernel
def join_spares(first, second, joins, joined):
    """Join each row with each of others.

    Parameters
    ----------
    first, second : int8[rows, planes, lacking]
        Fewest spare cards, if at most so many may be lacking.
    joins : int32[., 3]
        Two planes, and that of both together.
    joined : int8[rows * rows, planes, lacking]
        In: `FAR`. Out: the second row's number counts up first.
    """
    for number in range(joined.shape[0]):
        mine, other = first[number // second.shape[0]], second[number % second.shape[0]]
        both = joined[number]
        for k in range(joins.shape[0]):
            one, two, plane = joins[k]
            for lacking in range(mine.shape[1]):
                if _is_news(mine[one], lacking):
                    for more in range(mine.shape[1] - lacking):
                        spare = np.int8(mine[one, lacking] + other[two, more])
                        both[plane, lacking + more] = min(both[plane, lacking + more], spare)


@kernel
def _is_news(spare, lacking):
    """Tell whether a card more that may be lacking makes a difference."""
    return spare[lacking] < (FAR if lacking == 0 else spare[lacking - 1])


@kernel
def count_distances(first, second, exits, free, ways, found):
    """Count what each row and each of others are away from an exit together.

    Parameters
    ----------
    first : int8[rows, planes, lacking]
    second : int8[planes, lacking, others]
    exits : int32[., 2]
        Two planes that make an exit.
    free : int
        Spare cards that need not be replaced: they can be thrown.
    ways : int64[others]
        How often each of them counts.
    found : int64[rows, distances]
        In: 0. Out; the last is for all that is as far, or farther.
    """
    others = second.shape[2]
    best = np.zeros(others, np.int8)
    for row in range(first.shape[0]):
        for column in range(others):
            best[column] = found.shape[1] - 1
        for k in range(exits.shape[0]):
            mine, theirs = first[row, exits[k, 0]], second[exits[k, 1]]
            for lacking in range(mine.shape[0]):
                if _is_news(mine, lacking):
                    spare = np.int8(mine[lacking] - free)
                    for more in range(mine.shape[0] - lacking):
                        all_lacking, spares = np.int8(lacking + more), theirs[more]
                        for column in range(others):
                            away = max(all_lacking, np.int8(spare + spares[column]))
                            best[column] = min(best[column], away)
        for column in range(others):
            found[row, best[column]] += ways[column]
