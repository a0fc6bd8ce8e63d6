"""What Basic Rummy lays, against all lines of play of a turn."""

from collections import Counter
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest

from continental_sim.cards import face_name, hand_text, parse_hand
from continental_sim.game_tables import game_tables
from continental_sim.kernels import laying
from continental_sim.kernels.records import PUBLIC, SEAT
from continental_sim.kernels.table import clear_seat
from tests import rummy_oracle as oracle
from tests.tabletop import rummy_with

GIN_HANDS = Path(__file__).parents[1] / "data/gin_hands.csv"
SWITCHES = [
    tuple(f"{name}=true" for name, on in zip(names, chosen, strict=True) if on) + ace
    for names in [("one_meld_per_turn", "layoff_needs_meld", "must_discard_to_go_out")]
    for chosen in product((False, True), repeat=3)
    for ace in ((), ("ace=both",), ("ace=both", "ace_points=0"))
]


def mask_of(cards):
    """Return the mask of (lane, bit) of cards, or of places."""
    return sum(1 << laying.LANE * lane + bit for lane, bit in cards)


def cards_of(faces):
    return mask_of(divmod(face, 13) for face in faces)


class Situation:
    """A seat in its turn, as the kernels see it, and as the oracle does."""

    def __init__(self, rules, hand, table, *, melded=False, drawn=True):
        self.rules, self.hand, self.table = rules, sorted(hand), table
        self.melded, self.barred, self.drawn = melded, -1, drawn
        self.record = game_tables(rules).record
        self.mine = np.zeros(1, SEAT).view(np.recarray)[0]
        self.public = np.zeros(1, PUBLIC).view(np.recarray)[0]
        clear_seat(self.mine)
        self.mine.hand[self.hand] = 1
        self.mine.cards, self.mine.melded = cards_of(hand), melded
        self.mine.laid = rules.hand_size + drawn - len(hand)
        self.public.sets = mask_of((suit, rank) for rank, suit in table.sets)
        self.public.runs = mask_of(table.runs)
        self.lines = oracle.lines(rules, hand, table, melded)
        self.tables = {line.table for line in self.lines}

    def __str__(self):
        return (
            f"{hand_text(self.hand)} | sets {sorted(self.table.sets)} runs "
            f"{sorted(self.table.runs)} melded {self.melded} barred {self.barred}"
        )

    def left(self, in_sets, in_runs):
        """Return the faces left of the hand by a laying, which is legal."""
        sets = {(rank, s) for s in range(4) for rank in range(13) if _has(in_sets, s, rank)}
        runs = {(s, place) for s in range(4) for place in range(14) if _has(in_runs, s, place)}
        after = oracle.Table(self.table.sets | sets, self.table.runs | runs)
        assert after in self.tables, self
        laid = {13 * suit + rank for rank, suit in sets}
        laid |= {13 * suit + place % 13 for suit, place in runs}
        assert laid <= set(self.hand), self
        assert len(laid) == len(sets) + len(runs), self
        return frozenset(self.hand) - laid


def _has(mask, lane, bit):
    return mask >> laying.LANE * lane + bit & 1


def some_situation(rules, dice, most=11):
    """Draw a hand and a table; often the card that would be left alone is barred."""
    table, free = oracle.some_table(rules, dice)
    size = min(dice.randint(2, most), len(free))
    hand = oracle.some_hand(rules, dice, table, free, size)
    melded = bool(table.sets or table.runs) and dice.random() < 0.5
    at = Situation(rules, hand, table, melded=melded, drawn=dice.random() < 0.8)
    if at.drawn and dice.random() < 0.7:
        alone = sorted(min(line.left) for line in at.lines if len(line.left) == 1)
        at.barred = at.mine.barred = dice.choice(alone or at.hand)
    return at


def check(at):
    """Compare all that `laying` says of a situation; return what is worth counting."""
    rules, record, mine, public = at.rules, at.record, at.mine, at.public
    in_sets, in_runs, chosen = laying.most_laid(
        record, mine.cards, public.sets, public.runs, at.melded
    )
    left = at.left(in_sets, in_runs)
    most = oracle.deadwood(rules, at.lines)
    assert oracle.value(rules, left) == most, at
    if not chosen:
        # Nothing else could have been laid: each line leaves at least these cards.
        assert all(left <= line.left for line in at.lines), at
    assert laying.deadwood(record, mine, public, mine.cards) == most[0], at
    left = at.left(*laying.best_laying(record, mine, public))
    least = oracle.least_kept(rules, at.lines, at.barred)
    line = oracle.Line(left, at.table)
    assert oracle.kept(rules, line, at.barred) == least, at
    out = laying.can_go_out(record, mine, public)
    assert out == oracle.goes_out(rules, at.lines, at.barred, at.drawn), at
    return {
        "lays": len(left) < len(at.hand),
        "goes out": bool(out),
        "keeps a card": oracle.value(rules, left) != most,
    }


def compare(changes, number, seed):
    """Check situations of a seed; count what they showed."""
    rules = rummy_with(*changes)
    dice, seen = Random(seed), Counter()
    for _ in range(number):
        seen.update(check(some_situation(rules, dice)))
    return seen


@pytest.mark.parametrize("changes", SWITCHES, ids=", ".join)
def test_laying_agrees_with_all_lines_of_play(changes):
    seen = compare(changes, 120, seed=61)
    assert min(seen.values()) > 2, seen


@pytest.mark.full
@pytest.mark.parametrize("changes", SWITCHES, ids=", ".join)
def test_laying_agrees_with_all_lines_of_play_of_many_hands(changes):
    compare(changes, 3000, seed=62)


def test_melds_alone_agree_with_public_implementations_of_gin():
    # Their aces are low; made by tests/data/gin_hands.py.
    record, none, melds = game_tables(rummy_with()).record, np.int64(0), 0
    lines = GIN_HANDS.read_text(encoding="utf-8").splitlines()[3:]
    assert len(lines) == 3000
    for line in lines:
        hand, deadwood = line.split(",")
        cards = cards_of(parse_hand(hand))
        in_sets, in_runs, _ = laying.most_laid(record, cards, none, none, False)
        laid = in_sets | laying.cards_in(in_runs)
        assert laying.pips(cards & ~laid, 1) == int(deadwood), hand
        melds += laid != 0
    assert melds > 1000


def test_an_end_of_an_ace_that_lays_less_may_leave_more_for_sets():
    # The kings in a set, the ace below: not the queen, the king and the ace above.
    hand = parse_hand("KS KH KD QS AS 2S 3S 2H 2D 2C")
    at = Situation(rummy_with("ace=both"), hand, oracle.Table())
    assert check(at)["keeps a card"] is False
    assert laying.deadwood(at.record, at.mine, at.public, at.mine.cards) == 10  # the queen


def test_a_whole_suit_has_its_ace_once():
    hand = parse_hand("AS 2S 3S 4S 5S 6S 7S 8S 9S TS JS QS KS 4C")
    for changes in ((), ("one_meld_per_turn=true",)):
        rules = rummy_with("ace=both", "seats=3", "dealt=13", *changes)
        at = Situation(rules, hand, oracle.Table())
        assert at.left(*laying.best_laying(at.record, at.mine, at.public)) == set(parse_hand("4C"))


@pytest.mark.parametrize("ace", ["low", "both"])
@pytest.mark.parametrize("ace_points", [0, 1, 15])
def test_what_is_asked_of_one_card_agrees_with_all_lines_of_play(ace, ace_points):
    rules = rummy_with(f"ace={ace}", f"ace_points={ace_points}")
    dice, laid, wanted = Random(63), 0, 0
    for _ in range(60):
        at = some_situation(rules, dice, most=8)
        unseen = hide_some(at, dice)
        for face in [*at.hand, dice.choice(sorted(unseen))]:
            with_it, without = set(at.hand) | {face}, set(at.hand) - {face}
            of_face = (at.record, at.mine, at.public, face)
            counted = oracle.chances(rules, at.hand, unseen, face)
            assert laying.chances(*of_face) == counted, (str(at), face_name(face))
            more, less = (
                oracle.deadwood(rules, oracle.lines(rules, hand, at.table, at.melded))
                for hand in (with_it, without)
            )
            if oracle.points(rules, [face]):
                more, less = more[0], less[0]
            assert laying.lays(*of_face) == (more <= less), (str(at), face_name(face))
            laid += more <= less
            wanted += counted
    assert laid > 50
    assert wanted > 100


def hide_some(at, dice):
    """Let some cards that are neither held nor on the table be seen; return the unseen."""
    on_table = {13 * suit + rank for rank, suit in at.table.sets}
    on_table |= {13 * suit + place % 13 for suit, place in at.table.runs}
    hidden = sorted(set(range(52)) - set(at.hand) - on_table)
    unseen = set(dice.sample(hidden, dice.randint(5, len(hidden))))
    at.public.seen = cards_of(set(range(52)) - set(at.hand) - unseen)
    return unseen
