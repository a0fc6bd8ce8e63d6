"""Low: gets rid of what counts much, so as to leave little to whoever wins.

Lays all that it can. Throws the card that counts most, but keeps what it could lay; of equal ones
the card with the fewest chances of a meld. Takes the upcard if it is laid at once, or if it counts
much less than the card that it would throw.
Uses: own hand, the table, the pile, cards seen taken.   Ignores: what others may want, and chances
until cards count alike. Provenance: the advice of books for those who fear to be caught.
"""

from continental_sim.api import FACES, chances, deadwood_without, lays, pips

GAMES = ("basic-rummy",)
LESS = 5  # [points] by which an upcard must count less than the card it would throw


def take_discard(view):
    """Take the upcard if it is laid at once, or if it counts much less than another card."""
    if lays(view, view.upcard):
        return True
    return pips(view, choose_discard(view)) - pips(view, view.upcard) >= LESS


def choose_discard(view):
    """Throw the card whose loss leaves the least deadwood."""
    choice, least = -1, 0
    for face in range(FACES - 1):
        if view.hand[face] > 0 and face != view.barred:
            left = 20 * deadwood_without(view, face) + chances(view, face)
            if choice < 0 or left < least:
                choice, least = face, left
    return choice
