"""Who sits where when one deal is replayed: balanced seatings of a line-up.

In the seatings of a deal each strategy sits in each seat, and behind each other strategy, equally
often. Turning a table round alone would leave the same player behind a careless thrower in all of
its seats.
"""

from collections.abc import Hashable, Sequence
from math import gcd

Seating = tuple[int, ...]  # by seat: a player of the line-up


def balanced_seatings(players: int) -> list[Seating]:
    """Seat players so that each sits in each seat, and behind each other one, equally often.

    Parameters
    ----------
    players : int
        As many as there are seats, 2 or more.

    Returns
    -------
    list of tuple of int
        By seating and seat: a player.

    Notes
    -----
    The players sit round in circles, each of which is turned to all seats. One player stays, the
    m others move on by one place from circle to circle, modulo m. Beside the one that stays they
    sit in a zigzag 0, m - 1, 1, m - 2 ... If m is even, the steps of the zigzag are all different,
    so that in its m circles everybody sits behind everybody once. If m is odd, each step comes
    twice or not at all, and those that do not are the steps of the mirrored zigzag, so that
    both together do it twice.
    """
    others = players - 1
    zigzag = [place // 2 if place % 2 == 0 else others - 1 - place // 2 for place in range(others)]
    lines = [zigzag] if others % 2 == 0 else [zigzag, [-place for place in zigzag]]
    circles = [
        [others, *((place + step) % others for place in line)]
        for line in lines
        for step in range(others)
    ]
    return [
        tuple(circle[turned:] + circle[:turned]) for circle in circles for turned in range(players)
    ]


def seatings_of(lineup: Sequence[Hashable]) -> list[Seating]:
    """Seat a line-up: as `balanced_seatings`, but those that come to the same are one.

    Parameters
    ----------
    lineup : sequence
        Strategy of each player; equal ones are alike.

    Returns
    -------
    list of tuple of int
        By seating and seat: a player.
    """
    alike: dict[tuple[Hashable, ...], list[Seating]] = {}
    for seating in balanced_seatings(len(lineup)):
        alike.setdefault(tuple(lineup[player] for player in seating), []).append(seating)
    spare = gcd(*(len(seatings) for seatings in alike.values()))
    return [
        seating for seatings in alike.values() for seating in seatings[: len(seatings) // spare]
    ]
