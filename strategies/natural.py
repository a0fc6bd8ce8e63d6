"""Natural: plays for the no-wild amount while there is time.

With at most WILDS wild cards, at most CLOSE cards from a hand without them, and in its first LATE
turns it aims at such a hand: it takes what shortens the natural distance, throws what leaves the
least natural distance and of these most natural outs (a wild card once every natural is of use),
and declines an exit that exposes wild cards, but for one that it is dealt, if FEWEST natural outs
or more are left. Otherwise it plays as `outs`; with its own knobs that is nearly always. Uses: own
hand, upcard, turn, the meld tables, cards seen, known cards of others. Ignores: who needs what it
throws, how far others are. Provenance: the usual advice for Continental, that a hand without wild
cards is worth waiting for.
"""

from continental_sim.api import (
    best_discard,
    can_go_out,
    distance,
    distance_with,
    is_wild,
    most_outs_discard,
    natural_discard,
    natural_distance,
    natural_distance_with,
    natural_outs_without,
    payment_without,
)

WILDS = 1  # [cards] most wild cards that it is ready to give up
CLOSE = 3  # [cards] largest natural distance at which it aims
LATE = 4  # [turns] after which it goes out with what it has
FEWEST = 3  # [cards] natural outs that make waiting worth while


def take_discard(view):
    """Take the upcard if it shortens the distance, in its aim the natural one."""
    if aims(view):
        return natural_distance_with(view, view.upcard) < natural_distance(view)
    return distance_with(view, view.upcard) < distance(view)


def choose_discard(view):
    """Throw the best-paying card of an exit that is good enough, else what serves the aim."""
    view.memo[0] = 0
    if not aims(view):
        return most_outs_discard(view)
    if can_go_out(view):
        best = best_discard(view)
        if is_good(view, best):
            return best
        view.memo[0] = 1
    return natural_discard(view)


def go_out(view):
    """Decline the exit that is not good enough."""
    return view.memo[0] == 0


def aims(view):
    """Tell whether it plays for a hand without wild cards."""
    if view.wilds > WILDS or view.turn > LATE:
        return False
    return natural_distance(view) <= CLOSE


def is_good(view, best):
    """Tell whether an exit is not worth waiting: without wild cards, or hardly to be made so."""
    kept = view.wilds - is_wild(view, best)
    if kept == 0 or view.must_exit or natural_distance(view) > WILDS:
        return True
    wait = natural_discard(view)
    return payment_without(view, wait) == 0 or natural_outs_without(view, wait) < FEWEST
