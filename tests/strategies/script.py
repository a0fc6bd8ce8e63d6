"""Script: plays what the test has written into its memo, one number a turn.

Counts in the last but one place of the memo how often it is asked about the upcard.
Uses: its turn, the memo.   Ignores: everything else.
"""


def take_discard(view):
    """Take the upcard if the turn's number is odd."""
    view.memo[14] += 1
    return view.memo[view.turn - 1] % 2 == 1


def choose_discard(view):
    """Throw the face that half the turn's number names."""
    return view.memo[view.turn - 1] // 2
