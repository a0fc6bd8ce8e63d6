"""Exact odds: against numbers counted elsewhere, and against every hand of small rules."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

import numpy as np
import pytest

from continental_sim.exact.odds import hand_odds
from continental_sim.layouts import payment
from continental_sim.tables import load_melds
from tests.oracle import fits, small_distance
from tests.tabletop import DEFAULT, rules_with

GO_OUT = 205_752_709_423_432  # dealt hands of 15 that can go out, of C(106, 15)
SMALL = ("seats=2", "hand_size=3", "patterns=3")
TWO_RUNS = ("seats=2", "hand_size=4", "patterns=2+2", "packs=1", "jokers=3", "wild_ranks=2,7")
PAIRS = ("seats=2", "hand_size=4", "patterns=2+2,4", "packs=1", "jokers=1", "melds=groups")
FOUR = ("seats=2", "hand_size=4", "patterns=4,2+2", "packs=1", "jokers=1", "wild_ranks=none",
        "natural_two_counts=false")  # fmt: skip
OWN = ("seats=2", "hand_size=4", "patterns=4,2+2", "packs=1", "jokers=2", "wild_ranks=2,7",
       "max_wilds_per_run=1")  # fmt: skip
ALL_WILD = (*SMALL, "melds=groups", "packs=1", "jokers=1", "min_naturals_per_run=0",
            "wild_ranks=A,2,3,4,5,6,7,8,9,T,J,Q,K")  # fmt: skip
ONE_MORE = [
    (*SMALL, "packs=1", "jokers=1", "melds=groups"),
    (*SMALL, "packs=1", "jokers=5", "wild_ranks=2,3"),
    (*SMALL, "packs=1", "jokers=1", "min_naturals_per_run=0"),
    (*SMALL, "packs=1", "ace=wrap", "wild_ranks=none", "jokers=0"),
    (*SMALL, "packs=1", "jokers=3", "wild_ranks=2,3", "min_naturals_per_run=2"),
    (*SMALL, "jokers=1", "max_wilds_per_run=0"),
]
QUICK = [
    (*SMALL, "ace=high", "packs=1", "wild_ranks=A,7"),
    (*SMALL, "wild_ranks=2,3,9", "jokers=5", "packs=1"),
    (*SMALL, "max_wilds_per_run=1", "natural_two_counts=false", "packs=1"),
    (*SMALL, "max_wilds_per_run=0", "wild_ranks=J,Q,K", "packs=1"),
    (*SMALL, "melds=groups", "packs=1"),
]
VARIANTS = [
    (*SMALL, "max_wilds_per_run=1", "packs=3", "jokers=2"),
    (*SMALL, "min_naturals_per_run=2", "packs=3", "natural_two_counts=false", "ace=wrap"),
    (*SMALL, "min_naturals_per_run=3", "packs=3", "wild_ranks=2,3", "one_suit=physical"),
    *QUICK,
    SMALL,
    (*SMALL, "jokers=0", "wild_ranks=none"),
    (*SMALL, "ace=wrap", "jokers=3"),
    (*SMALL, "ace=low", "one_suit=physical"),
    (*SMALL, "min_naturals_per_run=0", "jokers=4", "one_suit=physical"),
    (*SMALL, "min_naturals_per_run=0", "jokers=4"),
    (*SMALL, "min_naturals_per_run=2"),
    (*SMALL, "min_naturals_per_run=2", "wild_ranks=2,3", "jokers=3"),
    (*SMALL, "min_naturals_per_run=3", "wild_ranks=2,3", "one_suit=physical"),
    (*SMALL, "wild_ranks=3,Q", "jokers=4", "packs=1", "one_suit=physical"),
    (*SMALL, "wild_ranks=A", "jokers=4", "packs=1", "natural_two_counts=false"),
    (*SMALL, "packs=3", "ace=wrap"),
    (*SMALL, "melds=groups", "packs=1", "jokers=5", "one_suit=physical", "wild_ranks=2,9"),
    (*SMALL, "melds=groups", "min_naturals_per_run=2"),
    (*SMALL, "melds=groups", "packs=3", "wild_ranks=none"),
    (*SMALL, "packs=4", "wild_ranks=none"),
    ALL_WILD,
]


def hands(rules, size):
    """Yield every hand, as counts of faces, and how many times it lies in the pack."""
    copies = [rules.copies(face) for face in range(53)]
    for faces in combinations_with_replacement(range(53), size):
        held = Counter(faces)
        ways = prod(comb(copies[face], count) for face, count in held.items())
        if ways:
            counts = np.zeros(53, np.int8)
            counts[list(held)] = list(held.values())
            yield counts, ways


class BruteForce:
    """The odds of small rules, hand by hand."""

    def __init__(self, rules):
        self.patterns, self.exits, self.distances, self.total = Counter(), Counter(), Counter(), 0
        self.fits = cache(lambda cards: fits(rules, cards))
        for counts, ways in hands(rules, rules.hand_size):
            self.total += ways
            self.distances[small_distance(rules, counts)] += ways
            for pattern in (fitted := self.fits(tuple(counts.tolist()))):
                self.patterns[pattern] += ways
            if fitted:
                jokers = int(counts[52])
                deuces = sum(int(counts[face]) for face in range(52) if rules.is_wild(face))
                self.exits[deuces, jokers, payment(rules, counts, "dealt")] += ways

    def one_more(self, rules):
        return sum(
            ways
            for counts, ways in hands(rules, rules.hand_size + 1)
            if any(self.fits(tuple(fewer)) for fewer in without_one(counts.tolist()))
        )


def without_one(counts):
    for face in np.flatnonzero(counts):
        yield [count - (place == face) for place, count in enumerate(counts)]


def check(rules, *, with_one_more):
    odds, brute = hand_odds(rules), BruteForce(rules)
    assert odds.total == brute.total == comb(rules.cards, rules.hand_size)
    assert {
        name: each.count for name, each in odds.patterns.items() if each.count
    } == brute.patterns
    exits = Counter()
    for each in odds.exits:
        exits[each.deuces, each.jokers, each.payment] += each.odds.count
    assert exits == brute.exits
    assert odds.dealt_exit.count == sum(exits.values()) > 0
    one_suit = sum(e.odds.count for e in odds.exits if e.one_suit)
    assert odds.dealt_one_suit.count == one_suit
    if odds.distances is None:
        assert odds.uncounted
        assert load_melds(rules).searched
        assert not with_one_more
        assert odds.one_more is None
        return
    assert {a: o.count for a, o in enumerate(odds.distances) if o.count} == brute.distances
    if with_one_more:
        assert odds.one_more.count == brute.one_more(rules)
        assert odds.one_more.total == comb(rules.cards, rules.hand_size + 1)


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param(each, marks=() if each in QUICK else pytest.mark.full, id=" ".join(each))
        for each in VARIANTS
    ],
)
def test_every_hand_of_small_rules_is_counted_once(settings):
    check(rules_with(*settings), with_one_more=False)


@pytest.mark.full
@pytest.mark.parametrize("settings", [FOUR, TWO_RUNS, PAIRS, OWN], ids=" ".join)
def test_every_hand_of_four_cards_is_counted_once(settings):
    check(rules_with(*settings), with_one_more=False)


@pytest.mark.full
@pytest.mark.parametrize("settings", ONE_MORE, ids=" ".join)
def test_every_hand_of_a_card_more_is_counted_once(settings):
    check(rules_with(*settings), with_one_more=True)


# --- Numbers that others have counted ------------------------------------------------------------


@pytest.fixture(scope="module")
def default():
    return hand_odds(DEFAULT)


def test_the_default_rules_have_the_known_odds(default):
    assert default.dealt_exit.count == GO_OUT
    assert default.dealt_exit.p == pytest.approx(3.17344830e-4, rel=1e-8)
    assert default.one_more.p == pytest.approx(2.240920925e-3, rel=1e-9)
    assert 1 / default.dealt_one_suit.p == pytest.approx(101e6, rel=0.01)


def test_the_parts_make_the_whole(default):
    assert sum(each.count for each in default.distances) == default.total == comb(106, 15)
    assert sum(each.count for each in default.wilds.values()) == default.total
    assert sum(each.count for each in default.payments.values()) == default.dealt_exit.count
    # Distances are counted from the classes of suits, exits from what their cards can be laid as.
    assert default.distances[0] == default.dealt_exit
    assert max(each.count for each in default.patterns.values()) < default.dealt_exit.count
    assert default.mean_payment == Fraction(
        sum(amount * each.count for amount, each in default.payments.items()), GO_OUT
    )


def test_groups_of_wild_cards_alone_need_no_rank_that_is_natural():
    odds = hand_odds(rules_with(*ALL_WILD))
    assert odds.dealt_exit.count == odds.distances[0].count == odds.total
    assert odds.patterns["3"].count == odds.dealt_one_suit.count == odds.total


def test_what_cannot_be_is_nought():
    odds = hand_odds(rules_with("max_wilds_per_run=0", "packs=1", "seats=3"))
    assert {(each.deuces, each.jokers) for each in odds.exits} <= {(n, 0) for n in range(5)}
    none = hand_odds(rules_with(*SMALL, "min_naturals_per_run=3", "jokers=0", "wild_ranks=none"))
    assert none.wilds.keys() == {(0, 0)}
    assert none.payments.keys() == {31}  # a run is of one suit


@pytest.mark.parametrize(
    "changes",
    [
        ("melds=groups", "wild_ranks=none"),  # 13 ranks: one bank has a rank more than the others
        ("melds=groups", "packs=4", "jokers=4", "wild_ranks=2,3"),
        ("packs=3", "jokers=3"),
        ("jokers=30",),
        ("packs=1", "seats=3", "min_naturals_per_run=2"),
        # A layout in one suit can ask for more wild cards than the pack has.
        ("packs=1", "seats=2", "jokers=0", "hand_size=18", "patterns=3+3+3+3+3+3",
         "min_naturals_per_run=2"),
        pytest.param(("min_naturals_per_run=2",), marks=pytest.mark.full),
        pytest.param(("max_wilds_per_run=0", "jokers=6"), marks=pytest.mark.full),
        pytest.param(("max_wilds_per_run=1", "wild_ranks=A,K", "ace=wrap"), marks=pytest.mark.full),
    ],
    ids=" ".join,
)  # fmt: skip
def test_the_parts_of_other_rules_make_the_whole(changes):
    odds = hand_odds(rules_with(*changes))
    assert sum(each.count for each in odds.distances) == odds.total
    assert odds.distances[0] == odds.dealt_exit
