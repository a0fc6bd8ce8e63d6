"""Script that declines to go out as often as it is told, then goes out.

Uses: its turn, the memo.   Ignores: everything else.
"""

STAYS = 1  # [times] that it declines


def take_discard(view):
    """Take the upcard if the turn's number is odd."""
    return view.memo[view.turn - 1] % 2 == 1


def choose_discard(view):
    """Throw the face that half the turn's number names."""
    return view.memo[view.turn - 1] // 2


def go_out(view):
    """Count the times asked in the last place of the memo."""
    view.memo[15] += 1
    return view.memo[15] > STAYS
