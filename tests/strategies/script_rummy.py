"""Script of Basic Rummy: plays what the test has written into its memo, one number a turn.

Counts in the last places of the memo how often it is asked about the upcard, and to lay.
Uses: its turn, the memo.   Ignores: everything else.
"""

GAMES = ("basic-rummy",)


def take_discard(view):
    """Take the upcard if the turn's number is odd."""
    view.memo[14] += 1
    return view.memo[view.turn - 1] % 2 == 1


def lay_down(view):
    """Lay nothing if the turn's number says so."""
    view.memo[15] += 1
    return view.memo[view.turn - 1] < 128


def choose_discard(view):
    """Throw the face that the turn's number names."""
    return view.memo[view.turn - 1] % 128 // 2
