"""Random: any legal draw and discard, each as likely as another.

Throws a coin for the draw, and a die over the cards it may throw. Goes out when its cards happen
to fit; in Basic Rummy it lays all that can be laid. Uses: own hand, dice.   Ignores: everything
else. Provenance: the floor of every ladder of strategies.
"""

from continental_sim.api import FACES, first_held, roll

GAMES = ("continental", "basic-rummy")


def take_discard(view):
    """Toss a coin."""
    return roll(view, 2) == 1


def choose_discard(view):
    """Throw one card of the hand at random, a pair counting twice."""
    cards = 0
    for face in range(FACES):
        if face != view.barred:
            cards += view.hand[face]
    place = roll(view, cards)
    for face in range(FACES):
        if face != view.barred:
            place -= view.hand[face]
            if place < 0:
                return face
    return first_held(view)
