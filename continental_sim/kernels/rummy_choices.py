"""Basic Rummy: which card is best thrown."""

import numpy as np

from continental_sim.kernels.jit import kernel
from continental_sim.kernels.laying import (
    cards_in,
    chances,
    deadwood,
    face_of,
    most_laid,
    pips,
    throwable,
)
from continental_sim.kernels.memory import lowest_bit


@kernel
def loose_discard(rules, mine, public):
    """Return the face to throw: of what need not be laid the one with the fewest chances.

    Of equal ones it is the one that counts most. If all is to be laid it is the one whose loss
    leaves the least deadwood.
    """
    cards = np.int64(mine.cards)
    among = loose_cards(rules, mine, public) & throwable(mine)
    any_loose = among != 0
    if not any_loose:
        among = throwable(mine)
    choice, fewest, most = np.int64(-1), np.int64(0), np.int64(0)
    while among:
        card = among & -among
        among ^= card
        face = face_of(lowest_bit(card))
        if any_loose:
            few = chances(rules, mine, public, face)
        else:
            few = deadwood(rules, mine, public, cards & ~card)
        counts = pips(card, np.int64(rules.ace_points))
        if choice < 0 or few < fewest or (few == fewest and counts > most):
            choice, fewest, most = face, few, counts
    return choice


@kernel
def loose_cards(rules, mine, public):
    """Return the cards of a hand that some way to lay it to the least deadwood leaves in it.

    Of ways that are equal in that, those that lay most cards where aces count nothing.
    """
    cards, sets, runs = np.int64(mine.cards), np.int64(public.sets), np.int64(public.runs)
    in_sets, in_runs, chosen = most_laid(rules, cards, sets, runs, mine.melded != 0)
    laid = in_sets | cards_in(in_runs)
    loose = cards & ~laid
    if chosen:
        points = np.int64(rules.ace_points)
        least = pips(loose, points)
        while laid:
            card = laid & -laid
            laid ^= card
            if deadwood(rules, mine, public, cards & ~card) + pips(card, points) == least:
                loose |= card
    return loose
