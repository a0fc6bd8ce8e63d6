"""Banker: goes out when that is worth more than playing on.

Plays as `outs` until it can go out; a hand that can as it was dealt does. Then it weighs the exit,
which each opponent pays now, against one turn more for a hand without wild cards: the chance that a
natural that completes it comes from the stock, times what is paid then; the chance that an opponent
goes out before, times what that costs. An opponent's turn ends the deal with the chance HAZARD *
turn**2, for a payment of COST. While it waits it takes such a natural from the pile, too. Uses: own
hand, upcard, turn, payments, the meld tables, cards seen, known cards of others. Ignores: who needs
what it throws, payments before its first exit, that what it waits for may lie in one suit (to weigh
that changes no card in 240,000 deals). Provenance: optimal stopping with one step of foresight; the
chances are measured of four players of `outs`, and are much the same of two or five.
"""

from continental_sim.api import (
    FACES,
    best_discard,
    can_go_out,
    distance,
    distance_with,
    most_outs_discard,
    natural_discard,
    natural_distance,
    natural_distance_with,
    natural_outs_without,
    payment_without,
    unseen,
)

HAZARD = 0.005  # that an opponent's turn ends the deal, by the square of the turn
COST = 4.6  # [points] paid when an opponent goes out


def take_discard(view):
    """Take the upcard if it shortens the distance, or is what it waits for."""
    if distance_with(view, view.upcard) < distance(view):
        return True
    return view.memo[0] == 1 and natural_distance_with(view, view.upcard) == 0


def choose_discard(view):
    """Throw the best-paying card of an exit, unless waiting is worth more."""
    view.memo[0] = 0
    if not can_go_out(view):
        return most_outs_discard(view)
    best = best_discard(view)
    if view.wilds == 0 or view.must_exit or natural_distance(view) != 1:
        return best
    wait = natural_discard(view)
    if payment_without(view, wait) == 0 or worth_waiting(view, wait) <= payment(view, best):
        return best
    view.memo[0] = 1
    return wait


def go_out(view):
    """Go out unless it chose to wait."""
    return view.memo[0] == 0


def payment(view, face):
    """Return what all opponents together pay for an exit [points]."""
    return (view.seats - 1) * payment_without(view, face)


def worth_waiting(view, face):
    """Return what a turn more is worth after a discard [points]."""
    cards = 0
    for other in range(FACES):
        cards += unseen(view, other)
    chance = natural_outs_without(view, face) / max(cards, 1)
    over = 1 - (1 - min(HAZARD * (view.turn + 0.5) ** 2, 1.0)) ** (view.seats - 1)
    later = payment(view, face)
    if view.turn == 1:
        later -= (view.seats - 1) * view.pay_first_turn
    natural = (view.seats - 1) * (view.pay_exit + view.pay_no_wild)
    return (1 - over) * (chance * natural + (1 - chance) * later) - over * COST
