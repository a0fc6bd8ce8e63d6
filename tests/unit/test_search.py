"""Hands that are searched for layouts, since no tables can hold their rules."""

import threading
from itertools import combinations
from random import Random

import numpy as np
import pytest

from continental_sim import game_tables as game
from continental_sim import tables
from continental_sim.cards import hand_counts, hand_faces, hand_text
from continental_sim.errors import ContsimError
from continental_sim.exact.odds import SEARCHED, hand_odds
from continental_sim.game_tables import game_tables
from continental_sim.hands import distance, looked_up
from continental_sim.kernels import choices, holding, meld_rules
from continental_sim.kernels.search_plan import search_plan
from continental_sim.kernels.suit_search import COUNTING, _fill_need
from continental_sim.tables import load_melds
from tests import oracle
from tests.tabletop import rules_with

SMALL = ("seats=3", "hand_size=7", "patterns=4+3", "packs=3")
# Of two packs, which have tables: what the search says of them is known.
KNOWN = [
    ("min_naturals_per_run=2",),
    ("max_wilds_per_run=1", "ace=wrap"),
    ("max_wilds_per_run=2", "natural_two_counts=false"),
    ("min_naturals_per_run=2", "wild_ranks=none", "jokers=2"),
    ("max_wilds_per_run=1", "wild_ranks=2,K", "ace=high"),
]
# Without wild cards, or with one: runs of seven all want a seven, and of a suit there are two.
SEVENS = ("hand_size=21", "patterns=7+7+7", "seats=2", "wild_ranks=none", "ace=low",
          "min_naturals_per_run=2")  # fmt: skip


@pytest.fixture
def searched(monkeypatch, tmp_path):
    """Do without tables where suits hold a card twice, too."""

    def begin():
        monkeypatch.setattr(meld_rules, "MOST_COUNTED", 1)
        monkeypatch.setattr(tables, "cache_root", lambda: tmp_path)
        vars(game._THREAD).clear()

    yield begin
    vars(game._THREAD).clear()


def said_of(rules, hands):
    """What is said of hands: distance, and of exits their patterns and whether in one suit."""
    said = []
    for counts in hands:
        with looked_up(rules, counts) as hand:
            seat, record = hand._seat, hand._record
            exits = hand.distance == 0 and counts.sum() == rules.hand_size
            mask = int(choices.patterns_fitted(seat, record)) if exits else 0
            suited = bool(choices.in_one_suit(seat, record)) if exits else False
            said.append((hand_text(hand_faces(counts)), hand.distance, mask, suited))
    return said


def hands_of(rules, number, seed):
    dice = Random(seed)
    return [
        hand_counts(oracle.biased_hand(rules, dice, size=rules.hand_size + dice.choice((0, 0, 1))))
        for _ in range(number)
    ]


@pytest.mark.parametrize("changes", KNOWN, ids=" ".join)
def test_the_search_says_what_the_tables_say(searched, changes):
    rules = rules_with(*changes)
    hands = hands_of(rules, 80, seed=71)
    assert not load_melds(rules).searched
    told = said_of(rules, hands)
    searched()
    assert load_melds(rules).searched
    assert said_of(rules, hands) == told
    assert len({mask for _, _, mask, _ in told}) > 2


@pytest.mark.parametrize("changes", KNOWN[:3], ids=" ".join)
def test_exits_read_rank_by_rank_are_those_of_all_suit_vectors(searched, changes):
    rules = rules_with("hand_size=9", "patterns=3+3+3,5+4", *changes)
    counted = hand_odds(rules)
    searched()
    read = hand_odds(rules)
    assert read.exits == counted.exits
    assert read.patterns == counted.patterns
    assert read.uncounted == SEARCHED


@pytest.mark.parametrize("jokers", ["jokers=0", "jokers=1"])
def test_cards_that_the_pack_does_not_have_are_not_waited_for(searched, jokers):
    rules = rules_with(*SEVENS, jokers)
    low, high = list(range(6)), list(range(7, 13))
    hands = [
        hand_counts([*low, *low, *high, 14, 15, 16]),
        hand_counts([*low, 6, *low, 6, *high, 14]),
        hand_counts([*low, *high, *high, 6, 6, 14]),
        *hands_of(rules, 40, seed=74),
    ]
    told = said_of(rules, hands)
    searched()
    assert load_melds(rules).searched
    assert said_of(rules, hands) == told
    away = [distance for _, distance, _, _ in told[:3]]
    assert away == ([6, 6, 6] if jokers == "jokers=0" else [3, 1, 1])


def test_what_does_not_stay_in_memory_is_found_again(monkeypatch):
    rules = rules_with(*SMALL, "min_naturals_per_run=2")
    hands = hands_of(rules, 150, seed=72)
    told = said_of(rules, hands)
    monkeypatch.setattr(game, "ROWS_IN_MEMORY", 160)  # of two or three suits
    vars(game._THREAD).clear()
    assert said_of(rules, hands) == told
    (keys,) = (kept for kept in game_tables(rules).kept if kept.dtype == np.uint64)
    assert 1 < len(keys) == np.count_nonzero(keys) < 20
    vars(game._THREAD).clear()


def test_each_thread_keeps_what_it_finds():
    rules, addresses = rules_with(*SMALL, "max_wilds_per_run=1"), []
    for _ in range(2):
        thread = threading.Thread(target=lambda: addresses.append(game_tables(rules).address))
        thread.start()
        thread.join()
    assert game_tables(rules).address == game_tables(rules).address
    # One thread may be given the number of another that has ended; never that of one that lives.
    assert game_tables(rules).address not in addresses


def test_wild_cards_are_watched_where_the_pack_has_few():
    five = rules_with("packs=3", "deuces_wild=false", "jokers=5", "max_wilds_per_run=1", "seats=3")
    plans = [search_plan(meld_rules.meld_rules(five, 5), jokers) for jokers in (0, 1, 5, 6)]
    # Of five runs of three two can lie wholly where no card is left: six wild cards.
    assert [plan.watched for plan in plans] == [True, True, True, False]
    assert [plan.spans.max() for plan in plans] == [1, 2, 6, 1]


def test_dead_cards_are_thrown_first():
    # A fourth nine can serve no run; the lonely king could.
    rules = rules_with(*SMALL, "packs=4", "min_naturals_per_run=2")
    with looked_up(rules, hand_counts([8, 8, 8, 20, 33, 34, 35, 36])) as hand:
        assert choices.nearest_discard(hand._seat, hand._record) == 8
        alike = holding.search(hand._seat, hand._record, holding.ALIKE + 8)
        lonely = holding.search(hand._seat, hand._record, holding.ALIKE + 20)
        assert (bool(alike), bool(lonely)) == (True, False)


def matched(cells, needs, copies):
    """Fill needs one by one as far as it goes, by trying all ways; ranks are bits."""
    if not needs:
        return 0
    (cell, *cells), (need, *needs) = cells, needs
    ranks = [rank for rank in range(13) if cell >> rank & 1 and copies[rank]]
    most = 0
    for size in range(min(need, len(ranks)) + 1):
        for chosen in combinations(ranks, size):
            left = [held - (rank in chosen) for rank, held in enumerate(copies)]
            most = max(most, size + matched(cells, needs, left))
    return most


def test_needs_are_filled_as_far_as_can_be():
    dice, others_had_to_change = Random(73), 0
    for _ in range(300):
        runs = dice.randint(2, 4)
        cells = np.zeros((runs, 4), np.int64)
        cells[:, COUNTING] = [
            sum(1 << rank for rank in dice.sample(range(5), dice.randint(1, 4)))
            for _ in range(runs)
        ]
        needs = [dice.randint(1, 3) for _ in range(runs)]
        copies = [dice.choice((0, 0, 1, 1, 2)) for _ in range(5)] + [0] * 8
        free = np.array(
            [sum(1 << rank for rank in range(5) if copies[rank] > k) for k in range(4)], np.int64
        )
        filled, path = np.zeros(runs, np.int64), np.zeros((2, runs), np.int64)
        number = 0
        for run, need in enumerate(needs):
            for _ in range(need):
                before = filled[:run].copy()
                number += bool(_fill_need(cells, np.arange(runs), run + 1, filled, free, path))
                others_had_to_change += bool((before != filled[:run]).any())
        taken = sum(int(mask).bit_count() for mask in filled)
        assert number == taken == matched(cells[:, COUNTING].tolist(), needs, copies)
    assert others_had_to_change > 20


def test_runs_that_need_the_same_cards_cannot_all_be_laid():
    # Of natural ranks there are A, 2 and 3, and no run may hold a wild card: each has a two. So
    # three runs can lie in clubs, and no fourth, whatever the threes would do there.
    runs = "+".join("2" * 12)
    rules = rules_with(
        "packs=3", "seats=2", "hand_size=24", f"patterns={runs}", "ace=low", "max_wilds_per_run=0",
        "natural_two_counts=false", "wild_ranks=4,5,6,7,8,9,T,J,Q,K",
    )  # fmt: skip
    hand = [0] * 3 + [2] * 3 + [3, 4, 5, 6, 7, 8] * 3
    assert distance(rules, hand_counts(hand)) == 24 - 3
    assert distance(rules, hand_counts([1] * 3 + hand[3:])) == 24 - 6


@pytest.mark.parametrize("limits", [("max_wilds_per_run=1",), ()])
def test_rules_with_too_many_layouts_are_refused_at_once(limits):
    runs = "+".join("2" * 12)
    rules = rules_with("packs=3", "seats=2", "hand_size=24", f"patterns={runs}", *limits)
    with pytest.raises(ContsimError, match=r"too many ways to lay runs in a suit, \d,\d+,\d+"):
        tables.check_tables(rules)
    tables.check_tables(rules_with("packs=2", "seats=2", "hand_size=24", f"patterns={runs}"))


def test_layouts_are_counted():
    small = meld_rules.meld_rules(rules_with(*SMALL, "ace=low"))
    # 11 places of three and 10 of four ... and none; two lengths, in all choices of them.
    assert small.selections == [(), (3,), (4,), (4, 3)]
    assert small.layouts == 1 + 11 + 10 + 11 * 10
    pairs = ("seats=2", "hand_size=6", "patterns=2+2+2", "packs=3", "ace=low")
    assert meld_rules.meld_rules(rules_with(*pairs)).layouts == 1 + 12 + 12 * 13 // 2 + 364
