"""Suit_hunter: collects one suit when it holds enough of it.

It hunts while its wild cards and the naturals of its longest suit are ENOUGH or more. Then it takes
wild upcards that shorten the distance, and those of the suit that shorten it or find company;
throws first the cards of other suits, of these what leaves the least distance; and in its first
LATE turns declines an exit that is not all of the suit, but for one that it is dealt. Otherwise,
and where melds are groups, it plays as `outs`. Uses: own hand, upcard, turn, the
meld tables, cards seen, known cards of others. Ignores: who needs what it throws, how far others
are. Provenance: the other great hand of the game; a yardstick for what hunting it costs.
"""

from continental_sim.api import (
    JOKER,
    can_go_out,
    distance,
    distance_with,
    distance_without,
    is_wild,
    most_outs_discard,
    neighbours,
    suit,
)

ENOUGH = 10  # [cards] of one suit, wild cards counted, that make it hunt
LATE = 4  # [turns] in which it declines an exit of more suits


def take_discard(view):
    """Take what shortens the distance, and when it hunts what serves the suit alone."""
    shortens = distance_with(view, view.upcard) < distance(view)
    hunted = suit_hunted(view)
    if hunted < 0 or is_wild(view, view.upcard):
        return shortens
    if suit(view.upcard) != hunted:
        return False
    return shortens or (view.hand[view.upcard] == 0 and neighbours(view, view.upcard) > 1)


def choose_discard(view):
    """Throw the best-paying card of an exit, or of another suit than the one it hunts."""
    view.memo[0] = 0
    hunted = suit_hunted(view)
    if hunted < 0:
        return most_outs_discard(view)
    stray = loosest_stray(view, hunted)
    if stray < 0 or (can_go_out(view) and (view.turn > LATE or view.must_exit)):
        return most_outs_discard(view)
    view.memo[0] = 1
    return stray


def go_out(view):
    """Decline while it hunts and holds cards of other suits."""
    return view.memo[0] == 0 or loosest_stray(view, suit_hunted(view)) < 0


def suit_hunted(view):
    """Return the longest suit if it is long enough, else -1."""
    longest, most = -1, ENOUGH - 1 - view.wilds
    if view.groups:  # they take a card of each suit
        return -1
    for each in range(4):
        held = 0
        for face in range(13 * each, 13 * each + 13):
            if not is_wild(view, face):
                held += view.hand[face]
        if held > most:
            longest, most = each, held
    return longest


def loosest_stray(view, hunted):
    """Return the natural of another suit whose loss costs least, -1 if none may be thrown."""
    choice, least = -1, 99
    for face in range(JOKER):
        stray = suit(face) != hunted and view.hand[face] > 0 and not is_wild(view, face)
        if stray and face != view.barred and distance_without(view, face) < least:
            choice, least = face, distance_without(view, face)
    return choice
