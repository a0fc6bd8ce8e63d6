"""Basic Rummy by brute force: every line of play of a turn, as sets of cards, in plain Python.

It shares nothing with the kernels but the numbers of the faces. A card on the table lies in a set,
as ``(rank, suit)``, or in a run, as ``(suit, place)``: place 0 is the ace below the two, 12 the
king, 13 the ace above it. A meld that grows is not told from two side by side: what may be laid
next to it is the same.
"""

from dataclasses import dataclass
from itertools import combinations

ACE_HIGH = 13


@dataclass(frozen=True)
class Table:
    """The melds on the table.

    Attributes
    ----------
    sets : frozenset of (rank, suit)
    runs : frozenset of (suit, place)
    """

    sets: frozenset = frozenset()
    runs: frozenset = frozenset()


@dataclass(frozen=True)
class Line:
    """What a turn has laid so far."""

    left: frozenset  # faces in the hand
    table: Table
    melds: int = 0  # laid in this turn, lay-offs apart


def points(rules, faces):
    """Add up what cards count."""
    return sum(rules.ace_points if face % 13 == 0 else min(10, face % 13 + 1) for face in faces)


def places(rules, face):
    """List where in a run of its suit a card may lie."""
    rank = face % 13
    return [rank, ACE_HIGH] if rank == 0 and rules.ace == "both" else [rank]


def new_sets(left):
    """Yield the cards of each set that a hand could lay."""
    for rank in range(13):
        alike = [face for face in left if face % 13 == rank]
        for size in (3, 4):
            yield from combinations(alike, size)


def new_runs(rules, left):
    """Yield each run that a hand could lay: its suit, and its cards by their places."""
    for suit in range(4):
        lies = {p: f for f in left if f // 13 == suit for p in places(rules, f)}
        for first in lies:
            run = {}
            for place in range(first, ACE_HIGH + 1):
                if place not in lies or lies[place] in run.values():
                    break
                run[place] = lies[place]
                if len(run) >= 3:
                    yield suit, dict(run)


def steps(rules, line, melded):
    """Yield each line of play that goes on from a line by one meld or one card laid off."""
    left, table = line.left, line.table
    if not (rules.one_meld_per_turn and line.melds):
        for cards in new_sets(left):
            laid = frozenset((face % 13, face // 13) for face in cards)
            yield Line(left - set(cards), Table(table.sets | laid, table.runs), line.melds + 1)
        for suit, run in new_runs(rules, left):
            laid = frozenset((suit, place) for place in run)
            cards = set(run.values())
            yield Line(left - cards, Table(table.sets, table.runs | laid), line.melds + 1)
    if rules.layoff_needs_meld and not (melded or line.melds):
        return
    for face in left:
        suit, rank = divmod(face, 13)
        if any(rank == other for other, _ in table.sets):
            laid = table.sets | {(rank, suit)}
            yield Line(left - {face}, Table(laid, table.runs), line.melds)
        for place in places(rules, face):
            if (suit, place - 1) in table.runs or (suit, place + 1) in table.runs:
                laid = table.runs | {(suit, place)}
                yield Line(left - {face}, Table(table.sets, laid), line.melds)


def lines(rules, hand, table, melded):
    """List every line of play of a turn: what may be laid, in any order, nothing among them."""
    most = 1 if rules.one_meld_per_turn or rules.layoff_needs_meld else 0
    start = Line(frozenset(hand), table)
    found, waiting = {start}, [start]
    while waiting:
        for line in steps(rules, waiting.pop(), melded):
            # More melds than the rules ask about are alike.
            alike = Line(line.left, line.table, min(line.melds, most))
            if alike not in found:
                found.add(alike)
                waiting.append(alike)
    return found


def value(rules, faces):
    """Return what a turn makes small: the pips left, then the cards."""
    return points(rules, faces), len(faces)


def deadwood(rules, played):
    """Return the least value that lines of play leave, whatever is thrown."""
    return min(value(rules, line.left) for line in played)


def kept(rules, line, barred):
    """Return the least value after the best discard that is legal; None if there is none."""
    if not line.left and not rules.must_discard_to_go_out:
        return 0, 0
    throws = [line.left - {face} for face in line.left if face != barred]
    return min((value(rules, rest) for rest in throws), default=None)


def least_kept(rules, played, barred):
    """Return the least value that a turn can leave behind; None if no line has a discard."""
    found = [kept(rules, line, barred) for line in played]
    return min((each for each in found if each is not None), default=None)


def goes_out(rules, played, barred, drawn):
    """Tell whether a line of play ends the deal; with no card drawn yet, that one is thrown."""
    if not drawn:
        return any(not line.left for line in played)
    return least_kept(rules, played, barred) is not None and any(
        kept(rules, line, barred) == (0, 0) for line in played
    )


def chances(rules, hand, unseen, face):
    """Count the unseen cards that make a meld of three with a card and another of the hand."""
    number = 0
    others = set(hand) - {face}
    for new in set(unseen) - {face}:
        number += any(is_meld(rules, (face, new, other)) for other in others)
    return number


def is_meld(rules, cards):
    """Tell whether three cards make a set or a run."""
    if len({face % 13 for face in cards}) == 1:
        return True
    return any(len(run) == 3 for _, run in new_runs(rules, set(cards)))


# --- Hands and tables ----------------------------------------------------------------------------


def some_table(rules, dice, most=4):
    """Draw a table of real melds, and the faces that are not on it."""
    free = set(range(52))
    table = Table()
    for _ in range(dice.randint(0, most)):
        melds = [(set(cards), None) for cards in new_sets(free)]
        runs = [(suit, run) for suit, run in new_runs(rules, free) if len(run) <= 7]
        if dice.random() < 0.4 and melds:
            cards, _ = dice.choice(melds)
            sets = table.sets | {(face % 13, face // 13) for face in cards}
            table = Table(sets, table.runs)
        elif runs:
            suit, run = dice.choice(runs)
            cards = set(run.values())
            table = Table(table.sets, table.runs | {(suit, place) for place in run})
        else:
            continue
        free -= cards
    return table, free


def some_hand(rules, dice, table, free, size):
    """Draw a hand in which sets, runs and lay-offs often want the same cards."""
    hand = set()
    near = [
        suit * 13 + (place + step) % 13
        for suit, place in table.runs
        for step in (-2, -1, 1, 2)
        if 0 <= place + step <= (ACE_HIGH if rules.ace == "both" else 12)
    ] + [suit * 13 + rank for rank, _ in table.sets for suit in range(4)]
    while len(hand) < size:
        way = dice.random()
        rank, suit = dice.randrange(13), dice.randrange(4)
        if hand and way < 0.5:
            suit, rank = divmod(dice.choice(sorted(hand)), 13)
        if way < 0.25 or 0.5 <= way < 0.6:
            faces = [13 * other + rank for other in range(4)]
        elif way < 0.72:
            first, length = rank - dice.randrange(4), dice.randint(2, 4)
            faces = [13 * suit + place % 13 for place in range(first, first + length)]
        elif way < 0.75:
            faces = [13 * suit + place % 13 for place in range(11, 16)]  # Q K A 2 3
        elif way < 0.88 and near:
            faces = [dice.choice(near)]
        else:
            faces = [dice.randrange(52)]
        new = [face for face in faces if face in free and face not in hand]
        hand.update(new[: size - len(hand)])
    return hand
