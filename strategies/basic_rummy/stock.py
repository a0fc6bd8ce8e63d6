"""Stock: always draws from the stock, and throws what counts most.

Lays all that can be laid, and goes out as soon as it can. Uses: own hand.   Ignores: the upcard,
the table, opponents, cards seen. Provenance: draws that are as good as random cards, for figures
that are counted exactly (`contsim verify`).
"""

from continental_sim.api import FACES, deadwood_without

GAMES = ("basic-rummy",)


def take_discard(view):
    """Leave the upcard."""
    return False


def choose_discard(view):
    """Throw the card without which the fewest pips are left."""
    choice, least = -1, 0
    for face in range(FACES - 1):
        if view.hand[face] > 0 and face != view.barred:
            left = deadwood_without(view, face)
            if choice < 0 or left < least:
                choice, least = face, left
    return choice
