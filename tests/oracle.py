"""A small brute force for verdicts and distances, written apart from the program.

It shares nothing with the program but the rules record and the numbering of the faces (suit * 13 +
rank, the ace first, 52 for a joker). Suits mean nothing to groups: under such rules each card is
taken for the club of its rank (`in_clubs`), of which there are four times as many, and a group is
a run that stays where it is. Three ways, each as plain as it can be:

- `fits` lays a hand card by card: exact under every rule, for any hand;
- `small_distance` lists every legal layout of small rules (two short runs) and compares the hand
  with each: exact under every rule;
- `distance` tries every place of every run of a pattern, suit by suit, under rules that ask for at
  most one natural in a run and do not limit its wilds, for hands with as many naturals as runs.
"""

from functools import cache
from itertools import combinations_with_replacement, product

import numpy as np

JOKER = 52


def windows(rules, length):
    """List the ranks of each run of a length, in order; of each group all the same."""
    if rules.melds == "groups":
        return [(rank,) * length for rank in range(13)]
    if rules.ace == "wrap":
        return [tuple((low + step) % 13 for step in range(length)) for low in range(13)]
    ladder = {
        "both": [*range(13), 0],
        "low": [*range(13)],
        "high": [*range(1, 13), 0],
    }[rules.ace]
    return [tuple(ladder[low : low + length]) for low in range(len(ladder) - length + 1)]


def is_wild(rules, face):
    return face == JOKER or "A23456789TJQK"[face % 13] in rules.wild_ranks


def counts_at_home(rules):
    """Tell whether a wild card may be the natural of a run: at its own place. Of groups none is."""
    return rules.natural_two_counts and rules.melds == "runs"


def suits_apart(rules):
    """List the suits that are told apart."""
    return range(1) if rules.melds == "groups" else range(4)


def copies(rules):
    """Count the copies of a card, as suits are told apart."""
    return rules.packs * 4 // len(suits_apart(rules))


def in_clubs(rules, counts):
    """Take each card of a hand for a club if suits are not told apart; return a list of counts."""
    cards = [int(count) for count in counts]
    if rules.melds == "runs":
        return cards
    return [sum(cards[rank:52:13]) for rank in range(13)] + [0] * 39 + [cards[JOKER]]


def _run_is_legal(rules, naturals, length):
    most_wilds = length if rules.max_wilds_per_run is None else rules.max_wilds_per_run
    return naturals >= rules.min_naturals_per_run and length - naturals <= most_wilds


def fits(rules, counts):
    """Name the patterns that a hand of exactly `hand_size` cards can be laid in."""
    assert sum(counts) == rules.hand_size
    cards = tuple(in_clubs(rules, counts))
    wilds = sum(cards[face] for face in range(53) if is_wild(rules, face))
    laying = _Laying(rules)
    return {
        pattern
        for pattern in rules.patterns
        if laying.lay(cards, wilds, tuple(int(length) for length in pattern.split("+")))
    }


class _Laying:
    """Lays a hand run by run, the lowest natural first, in every way there is."""

    def __init__(self, rules):
        self.rules = rules
        self.lay = cache(self.lay)
        self.left_after = cache(self.left_after)

    def lay(self, cards, wilds, lengths):
        """Tell whether cards, `wilds` of them wild, can be laid as runs of these lengths."""
        naturals = [face for face in range(52) if cards[face] and not is_wild(self.rules, face)]
        if not lengths:
            return not naturals and wilds == 0
        if not naturals:  # then every run is still to be laid, the first of them anywhere
            return any(
                self.lay(*left, lengths[1:])
                for suit in suits_apart(self.rules)
                for window in windows(self.rules, lengths[0])
                for left in self.left_after(cards, wilds, suit, window)
            )
        lowest = naturals[0]
        suit, rank = divmod(lowest, 13)
        return any(
            self.lay(after, wilds_after, lengths[:index] + lengths[index + 1 :])
            for index, length in enumerate(lengths)
            for window in windows(self.rules, length)
            if rank in window
            for after, wilds_after in self.left_after(cards, wilds, suit, window)
            if after[lowest] < cards[lowest]
        )

    def left_after(self, cards, wilds, suit, window):
        """List what may be left of the hand after a run, as (cards, wilds)."""
        faces = [suit * 13 + rank for rank in window]
        at_home = counts_at_home(self.rules)
        counted = [at_home or not is_wild(self.rules, face) for face in faces]
        choices = [
            (False, True) if cards[face] and counts else (False,)
            for face, counts in zip(faces, counted, strict=True)
        ]
        left = set()
        for own in product(*choices):
            placed = [face for face, at_its_place in zip(faces, own, strict=True) if at_its_place]
            own_wilds = sum(is_wild(self.rules, face) for face in placed)
            wilds_after = wilds - (len(faces) - len(placed)) - own_wilds
            after = tuple(count - placed.count(face) for face, count in enumerate(cards))
            if (
                wilds_after >= 0
                and min(after) >= 0
                and _run_is_legal(self.rules, len(placed), len(faces))
            ):
                left.add((after, wilds_after))
        return sorted(left)


@cache
def _legal_layouts(rules):
    """List what each legal layout lays: cards at their own place (52), and other wilds (1)."""
    rows = set()
    for lengths in rules.pattern_lengths:
        places = [
            [tuple(13 * suit + rank for rank in run) for suit in suits_apart(rules) for run in runs]
            for runs in (windows(rules, length) for length in lengths)
        ]
        for runs in product(*places):
            cells = [face for run in runs for face in run]
            for own in product((False, True), repeat=len(cells)):
                row = _row(rules, runs, cells, own)
                if row is not None:
                    rows.add(row)
    return np.array(sorted(rows), dtype=np.int8)


def _row(rules, runs, cells, own):
    start = 0
    for run in runs:
        if not _run_is_legal(rules, sum(own[start : start + len(run)]), len(run)):
            return None
        start += len(run)
    row = [0] * 53
    for face, stands_for_itself in zip(cells, own, strict=True):
        if stands_for_itself and is_wild(rules, face) and not counts_at_home(rules):
            return None  # counted as a wild card elsewhere
        row[face if stands_for_itself else 52] += 1
    wilds = row[52] + sum(row[face] for face in range(52) if is_wild(rules, face))
    if max(row[:52]) > copies(rules) or wilds > rules.wilds:
        return None
    return tuple(row)


def small_distance(rules, counts):
    """Count the cards to replace before a hand can go out, under small rules."""
    layouts = _legal_layouts(rules)
    hand = np.array(in_clubs(rules, counts))
    wild = np.array([is_wild(rules, face) for face in range(52)])
    at_their_place = np.minimum(layouts[:, :52], hand[:52])
    own_wilds = at_their_place[:, wild].sum(axis=1)
    other_wilds = hand[:52][wild].sum() + hand[JOKER] - own_wilds
    used = at_their_place.sum(axis=1) + np.minimum(layouts[:, 52], other_wilds)
    return rules.hand_size - int(used.max())


@cache
def _coverage(rules, lengths):
    """Count, for every placing of runs in one suit, the cells over each rank (int8[n, 13]).

    Placings for which the pack has too few wild cards are left out.
    """
    choices = [
        combinations_with_replacement(windows(rules, length), lengths.count(length))
        for length in sorted(set(lengths))
    ]
    rows = {
        tuple(sum(run.count(rank) for runs in placing for run in runs) for rank in range(13))
        for placing in product(*choices)
    }
    legal = [row for row in rows if _wilds_needed(rules, row) <= rules.wilds]
    return np.array(sorted(legal), dtype=np.int8).reshape(-1, 13)


def _wilds_needed(rules, row):
    """Count the wild cards without which the pack cannot fill so many cells over each rank."""
    naturals = [0 if is_wild(rules, rank) else copies(rules) for rank in range(13)]
    return sum(max(0, cells - there) for cells, there in zip(row, naturals, strict=True))


def distance(rules, counts):
    """Count the cards to replace before a hand can go out: hand_size less those it can use."""
    assert rules.min_naturals_per_run <= 1
    assert rules.max_wilds_per_run is None
    cards = in_clubs(rules, counts)
    wild = [is_wild(rules, face) for face in range(53)]
    wilds = sum(cards[face] for face in range(53) if wild[face])
    suits = [
        np.array([0 if wild[face] else cards[face] for face in range(low, low + 13)])
        for low in (0, 13, 26, 39)
    ]

    @cache
    def covered(suit, lengths):
        used = np.minimum(_coverage(rules, lengths), suits[suit]).sum(axis=1)
        return int(used.max()) if len(used) else None

    most = 0
    for lengths in rules.pattern_lengths:
        for shares in _shares(rules, lengths):
            each = [covered(suit, share) for suit, share in enumerate(shares)]
            if None not in each:
                most = max(most, sum(each) + min(wilds, rules.hand_size - sum(each)))
    return rules.hand_size - most


@cache
def _shares(rules, lengths):
    """List every way to share the runs of a pattern out among the suits."""
    return {
        tuple(
            tuple(length for length, owner in zip(lengths, owners, strict=True) if owner == suit)
            for suit in suits_apart(rules)
        )
        for owners in product(suits_apart(rules), repeat=len(lengths))
    }


def biased_hand(rules, dice, size=None, most_wilds=10):
    """Deal a hand of the kind that goes wrong: many wilds, few suits, broken runs or groups.

    `dice` is a `random.Random`. The faces come in no order.
    """
    size = rules.hand_size if size is None else size
    pack = [face for face in range(53) for _ in range(rules.jokers if face == 52 else rules.packs)]
    wilds = [face for face in pack if is_wild(rules, face)]
    while True:
        suits = dice.sample(range(4), dice.choice((1, 1, 2, 2, 3, 4)))
        pool = [face for face in pack if not is_wild(rules, face) and face // 13 in suits]
        hand = dice.sample(wilds, dice.randint(0, min(size, len(wilds), most_wilds)))
        if len(pool) >= size - len(hand):
            break
    in_melds = dice.random() < 0.7
    while len(hand) < size:
        if in_melds and rules.melds == "groups":
            rank = dice.choice(pool) % 13
            faces = [13 * dice.choice(suits) + rank for _ in range(dice.randint(2, 5))]
        elif in_melds:
            low, suit = dice.randrange(13), dice.choice(suits)
            faces = [suit * 13 + (low + step) % 13 for step in range(dice.randint(2, 5))]
        else:
            faces = [dice.choice(pool)]
        for face in faces:
            if face in pool and len(hand) < size:
                pool.remove(face)
                hand.append(face)
    dice.shuffle(hand)
    return hand
