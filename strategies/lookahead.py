"""Lookahead: throws what earns most in deals that it imagines.

Takes the upcard if it shortens the distance. Of the discards that leave the least distance, and at
most SLACK outs fewer than the best, it looks at MOST. For each it imagines the same ROLLOUTS deals,
with the cards that it does not know of dealt at random, in which all play on as `fastest`; it
throws the one that earns most there. What few deals tell is mostly luck, so an out more counts as
OUT points, earned once in all of them. Goes out when it can, with the discard that is paid most.
Uses: own hand, upcard, the meld tables, cards seen, known cards of others, rules, dice. Ignores:
what the throws of others tell of their hands, exits that are worth declining. Provenance:
determinised rollouts, the Monte Carlo players of bridge and backgammon.
"""

from continental_sim.api import (
    FACES,
    can_go_out,
    distance,
    distance_with,
    most_outs_discard,
    near_discards,
    outs_without,
    rollouts,
)

ROLLOUTS = 32  # [deals] that it imagines for each card that it may throw
SLACK = 6  # [outs] that a card may cost and still be looked at
MOST = 6  # [cards] that it looks at
OUT = 50.0  # [points] that an out is worth, over all deals that it imagines


def take_discard(view):
    """Take the upcard if it shortens the distance."""
    return distance_with(view, view.upcard) < distance(view)


def choose_discard(view):
    """Throw the best-paying card of an exit, else the one of a few that is worth most."""
    best = most_outs_discard(view)
    left = near_discards(view, SLACK) & ~(1 << best)
    if left == 0 or can_go_out(view):
        return best
    most, looked_at = worth(view, best), 1
    for step in range(FACES):
        face = (13 * (view.seat + view.turn) + step) % FACES
        if left >> face & 1 and looked_at < MOST:
            earned = worth(view, face)
            looked_at += 1
            if earned > most:
                best, most = face, earned
    return best


def worth(view, face):
    """Return what a discard earns in all deals that it imagines, and its outs, as points."""
    return ROLLOUTS * rollouts(view, face, ROLLOUTS) + OUT * outs_without(view, face)
