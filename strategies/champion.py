"""Champion: weighs its own hand and what the next player wants.

Takes the upcard if it shortens the distance. Of the discards that leave the least distance, and at
most SLACK outs fewer than the best, it throws the one of least worth: outs that go with it, its
company held and unseen, and how likely the next player wants it. Near an exit outs and the next
player weigh most, far from it the company. What the next player wants is told from the cards that
nobody has shown, that it is known to hold, that it threw, and that it refused. Goes out when it
can, with the discard that is paid most. Uses: own hand, upcard, the meld tables, cards seen, known
cards of others, throws of the next player. Ignores: payments until the exit, all players but the
next. Provenance: the weights are found by scripts/tune.py, which plays each discard of many
decisions to the end on the same cards.
"""

from math import exp

from continental_sim.api import (
    can_go_out,
    company,
    distance,
    distance_with,
    first_face,
    most_outs_discard,
    near_discards,
    outs_lost,
    rank,
    unseen,
)

SLACK = 6  # [outs] what a discard may cost more than another
OUT_1 = 0.905  # [held neighbours] weight of an out at distance 1
OUT_2 = 0.571  # [held neighbours] at distance 2
OUT_3 = 0.327  # [held neighbours] at distance 3
OUT_4 = 0.18  # [held neighbours] farther away
RISK_1 = 5.72  # [held neighbours] weight of a card that the next player wants, at distance 1
RISK_2 = 1.89  # [held neighbours] at distance 2
RISK_3 = 0.677  # [held neighbours] at distance 3; none beyond
COPY = -1.49  # [held neighbours] weight of a card of which another copy is held
HELD_GAP = 0.272  # [held neighbours] weight of a held card two ranks away
UNSEEN_SAME = -0.247  # [held neighbours] weight of an unseen copy
UNSEEN_NEXT = 0.192  # [held neighbours] weight of an unseen card one rank away
UNSEEN_GAP = -0.0523  # [held neighbours] weight of an unseen card two ranks away
WANT = -2.51  # [log odds] that the next player wants a card, and what each card of a kind adds:
WANT_UNSEEN_SAME = -0.343
WANT_UNSEEN_NEXT = 0.384
WANT_UNSEEN_GAP = 0.236
WANT_KNOWN_SAME = -2.47
WANT_KNOWN_NEXT = 1.38
WANT_KNOWN_GAP = 0.662
WANT_THROWN_SAME = -4.6
WANT_THROWN_NEXT = -0.0916
WANT_THROWN_GAP = -0.225
WANT_REFUSED = -1.68  # a copy was in reach of the next player, who did not take it

# What is counted about a card, in view.memo: by kind, the copies, cards one rank away, two away.
HELD, UNSEEN, KNOWN, THROWN, REFUSED, COUNTED = range(0, 18, 3)


def take_discard(view):
    """Take the upcard if it shortens the distance."""
    return distance_with(view, view.upcard) < distance(view)


def choose_discard(view):
    """Throw the best-paying card of an exit, else what is worth least."""
    if can_go_out(view):
        return most_outs_discard(view)
    near = near_discards(view, SLACK)
    if near & (near - 1) == 0:  # only one
        return most_outs_discard(view)
    away, choice, least = distance(view), -1, 1e9
    while near:
        face = first_face(near)
        near &= near - 1
        count_near(view, face)
        if away <= 3:
            count_thrown(view, face)
        cost = worth(view, outs_lost(view, face), away)
        if cost < least:
            choice, least = face, cost
    return choice


def count_near(view, face):
    """Count what is near a card in the own hand, unseen, and known to be the next player's."""
    after = (view.seat + 1) % view.seats
    near = company(view, face) | 1 << face
    view.memo[:COUNTED] = 0
    while near:
        other = first_face(near)
        near &= near - 1
        kind = apart(face, other)
        view.memo[HELD + kind] += view.hand[other] > 0
        view.memo[UNSEEN + kind] += unseen(view, other)
        view.memo[KNOWN + kind] += view.known[after, other]
    view.memo[HELD] = view.hand[face] - 1


def count_thrown(view, face):
    """Count what the next player has thrown near a card, and the copies that it did not take."""
    after = (view.seat + 1) % view.seats
    near = company(view, face) | 1 << face
    for k in range(view.pile_size):
        card = view.pile[k]
        if near >> card & 1:
            if view.thrower[k] == after:
                view.memo[THROWN + apart(face, card)] += 1
            elif view.thrower[k] == view.seat and card == face:
                view.memo[REFUSED] += 1


def apart(face, other):
    """Return 0 for a copy, 1 for a card that may lie beside another, 2 for one farther away."""
    if face == other:
        return 0
    step = abs(rank(face) - rank(other))
    return 2 if 2 <= step <= 11 else 1


def worth(view, lost, away):
    """Weigh a card of which all has been counted."""
    seen = view.memo
    found = COPY * seen[HELD] + seen[HELD + 1] + HELD_GAP * seen[HELD + 2]
    found += UNSEEN_SAME * seen[UNSEEN]
    found += UNSEEN_NEXT * seen[UNSEEN + 1] + UNSEEN_GAP * seen[UNSEEN + 2]
    if away == 1:
        return found + OUT_1 * lost + RISK_1 * wanted(view)
    if away == 2:
        return found + OUT_2 * lost + RISK_2 * wanted(view)
    if away == 3:
        return found + OUT_3 * lost + RISK_3 * wanted(view)
    return found + OUT_4 * lost


def wanted(view):
    """Return how likely the next player wants a card of which all has been counted."""
    seen = view.memo
    odds = WANT + WANT_UNSEEN_SAME * seen[UNSEEN]
    odds += WANT_UNSEEN_NEXT * seen[UNSEEN + 1] + WANT_UNSEEN_GAP * seen[UNSEEN + 2]
    odds += WANT_KNOWN_SAME * seen[KNOWN]
    odds += WANT_KNOWN_NEXT * seen[KNOWN + 1] + WANT_KNOWN_GAP * seen[KNOWN + 2]
    odds += WANT_THROWN_SAME * seen[THROWN]
    odds += WANT_THROWN_NEXT * seen[THROWN + 1] + WANT_THROWN_GAP * seen[THROWN + 2]
    return 1 / (1 + exp(-odds - WANT_REFUSED * seen[REFUSED]))
