"""Rules that limit the wilds or naturals of a run, by brute force, by layouts, and in play."""

from random import Random

import numpy as np
import pytest

from continental_sim.cards import hand_counts, hand_faces, hand_text
from continental_sim.columns import DEALT, EXIT, FIRST_TURN, LATER, OPENING, OUTCOME
from continental_sim.game_tables import game_tables
from continental_sim.hands import advise, check_hand, looked_up
from continental_sim.kernels import choices, holding, playing, turns
from continental_sim.layouts import find_layout, patterns_of, payment
from continental_sim.tables import load_melds
from tests import oracle
from tests.tabletop import rules_with, table_of

TIMINGS = {"later": LATER, "first_turn": FIRST_TURN, "dealt": DEALT}
SMALL = ("seats=3", "hand_size=5", "patterns=3+2")
SEVEN = ("seats=3", "hand_size=7", "patterns=4+3")

# Few enough layouts to list them all.
LISTED = [
    (*SEVEN, "packs=3", "min_naturals_per_run=2"),
    (*SMALL, "packs=4", "max_wilds_per_run=1", "natural_two_counts=false", "ace=wrap"),
    (*SEVEN, "packs=3", "max_wilds_per_run=1", "deuces_wild=false", "jokers=1"),
    (*SMALL, "melds=groups"),
    (*SMALL, "melds=groups", "max_wilds_per_run=1", "packs=1"),
    (*SMALL, "packs=3", "jokers=1"),
    SMALL,  # ten wilds, five cards: a hand may hold no natural at all
    (*SMALL, "max_wilds_per_run=0"),
    (*SMALL, "natural_two_counts=false", "max_wilds_per_run=1", "ace=low"),
    (*SMALL, "packs=1", "jokers=0", "deuces_wild=false"),
    (*SMALL, "packs=1", "jokers=1", "wild_ranks=A,K", "max_wilds_per_run=1", "ace=wrap"),
    (*SMALL, "max_wilds_per_run=0", "natural_two_counts=false"),
    (*SMALL, "max_wilds_per_run=1"),
    (*SMALL, "min_naturals_per_run=2", "wild_ranks=2,3"),
    (*SMALL, "min_naturals_per_run=0", "max_wilds_per_run=2", "jokers=4"),
    (*SMALL, "wild_ranks=A,2,7,K", "ace=wrap", "max_wilds_per_run=1"),
    (*SMALL, "wild_ranks=A,2,3,4,5,6,7,8,9,T,J,Q,K", "max_wilds_per_run=1"),
    ("seats=3", "hand_size=5", "patterns=3+2,5", "melds=groups", "packs=1", "jokers=2"),
    ("seats=3", "hand_size=6", "patterns=3+3,4+2", "melds=groups", "packs=3", "wild_ranks=2,3"),
    ("seats=2", "hand_size=6", "patterns=2+2+2,3+3", "melds=groups", "min_naturals_per_run=2"),
    (*SMALL, "packs=4", "ace=wrap", "wild_ranks=2,9,K"),
    (*SMALL, "packs=3", "deuces_wild=false", "jokers=0"),
    ("seats=3", "hand_size=6", "patterns=2+2+2,4+2", "packs=4"),
    ("seats=3", "hand_size=5", "patterns=3+2,5", "jokers=30"),
    ("seats=3", "hand_size=5", "patterns=3+2,5", "jokers=30", "natural_two_counts=false"),
    ("seats=3", "hand_size=5", "patterns=5,3+2", "ace=wrap", "packs=1", "max_wilds_per_run=1"),
    ("seats=2", "hand_size=6", "patterns=2+2+2", "max_wilds_per_run=1"),
    ("seats=2", "hand_size=6", "patterns=2+2+2", "max_wilds_per_run=1", "packs=1", "jokers=0"),
    (*SEVEN, "min_naturals_per_run=2"),
    (*SEVEN, "min_naturals_per_run=3", "jokers=8"),
    (*SEVEN, "min_naturals_per_run=3", "natural_two_counts=false"),
    (*SMALL, "packs=3", "max_wilds_per_run=0", "ace=high", "wild_ranks=2,9"),
    (*SMALL, "packs=4", "max_wilds_per_run=1", "wild_ranks=A,2,3,4,5,6,7,8,9,T,J,Q"),
    (*SEVEN, "packs=4", "min_naturals_per_run=3", "wild_ranks=A,K", "ace=wrap"),
    ("seats=2", "hand_size=8", "patterns=2+2+2+2,4+4", "packs=3", "max_wilds_per_run=1"),
    ("seats=2", "hand_size=8", "patterns=2+2+2+2,4+4", "packs=3", "jokers=2", "wild_ranks=none"),
    ("seats=3", "hand_size=7", "patterns=4+3,7", "max_wilds_per_run=2", "ace=high"),
]
WHOLE = [
    ("packs=3", "seats=6", "jokers=3", "min_naturals_per_run=2"),
    ("melds=groups",),
    ("melds=groups", "max_wilds_per_run=2", "packs=3"),
    ("packs=3", "jokers=3"),
    ("melds=groups", "min_naturals_per_run=2", "one_suit=physical"),
    ("melds=groups", "packs=4", "jokers=20", "patterns=5+5+5,8+7,3+3+3+3+3"),
    ("melds=groups", "packs=1", "seats=2", "jokers=6", "wild_ranks=A,2,3"),
    ("packs=3", "jokers=20"),
    ("packs=3", "ace=wrap", "wild_ranks=K", "natural_two_counts=false", "jokers=9"),
    ("jokers=30", "hand_size=14", "patterns=2+2+2+2+2+2+2,7+7"),
    ("max_wilds_per_run=1", "natural_two_counts=false"),
    ("packs=1", "seats=3", "max_wilds_per_run=2", "wild_ranks=2,K", "ace=wrap"),
    ("hand_size=9", "patterns=3+3+3,5+4", "packs=1", "jokers=5", "min_naturals_per_run=2"),
    ("packs=1", "seats=3", "max_wilds_per_run=1", "jokers=0"),
    ("min_naturals_per_run=2", "natural_two_counts=false"),
    ("min_naturals_per_run=3", "natural_two_counts=false"),
    ("jokers=20", "natural_two_counts=false"),
    ("jokers=20",),
    ("max_wilds_per_run=0",),
    ("max_wilds_per_run=1",),
    ("max_wilds_per_run=2",),
    ("max_wilds_per_run=2", "min_naturals_per_run=0", "ace=wrap"),
    ("min_naturals_per_run=2",),
    ("min_naturals_per_run=3",),
    ("wild_ranks=2,3,4", "min_naturals_per_run=2"),
    ("wild_ranks=A,2,3,K", "ace=wrap", "max_wilds_per_run=1"),
    ("patterns=5+5+5,6+5+4", "min_naturals_per_run=4", "ace=low"),
    ("hand_size=13", "patterns=5+4+4,7+6", "max_wilds_per_run=2", "one_suit=physical"),
    ("packs=4", "seats=8", "max_wilds_per_run=1", "ace=wrap"),
    ("packs=3", "max_wilds_per_run=2", "natural_two_counts=false"),
    ("packs=3", "jokers=1", "wild_ranks=none", "max_wilds_per_run=1"),
    ("packs=3", "jokers=3", "wild_ranks=2,3", "min_naturals_per_run=3", "one_suit=physical"),
]


def quick(cases, number):
    """Leave all but the first cases, whose tables take seconds each, to the full tier."""
    marks = [()] * number + [pytest.mark.full] * (len(cases) - number)
    return pytest.mark.parametrize(
        "changes",
        [
            pytest.param(case, marks=mark, id=" ".join(case))
            for case, mark in zip(cases, marks, strict=True)
        ],
    )


def hands(rules, number, seed, extra=(0,)):
    """Yield biased hands, with so many cards more than `hand_size`."""
    dice = Random(seed)
    for _ in range(number):
        size = rules.hand_size + dice.choice(extra)
        yield hand_counts(oracle.biased_hand(rules, dice, size=size))


def without(counts, face):
    rest = counts.copy()
    rest[face] -= 1
    return rest


# --- Distance, against all legal layouts --------------------------------------------------------


def compare_distances(changes, number, seed):
    rules = rules_with(*changes)
    seen = set()
    for counts in hands(rules, number, seed, extra=(0, 0, 1, 2)):
        away = oracle.small_distance(rules, counts)
        with looked_up(rules, counts) as hand:
            assert hand.distance == away, hand_text(hand_faces(counts))
        seen.add(away)
    assert len(seen) > 1


@quick(LISTED, 12)
def test_distance_agrees_with_all_legal_layouts(changes):
    compare_distances(changes, 60, seed=61)


@pytest.mark.full
@quick(LISTED, 0)
def test_distance_agrees_with_all_legal_layouts_on_many_hands(changes):
    compare_distances(changes, 1000, seed=62)


@quick(LISTED, 12)
def test_a_dead_card_can_go_without_loss(changes):
    # Whatever wilds and cards of other suits come.
    rules = rules_with(*changes)
    record, melds = game_tables(rules).record, load_melds(rules)
    dice = Random(63)
    for counts in hands(rules, 120, seed=63):
        with looked_up(rules, counts) as hand:
            seat = hand._seat
            dead = [
                int(choices._dead_beyond(seat, hand._record, bank))
                if seat.beyond[bank]
                else int(melds.dead[seat.code[bank]])
                for bank in range(4)
            ]
        for bank in range(4):
            for place in range(16):
                face = int(record.face_at[bank, place])
                if not dead[bank] >> place & 1 or not counts[face]:
                    continue
                mine = (record.bank == bank) & ~np.array(rules.wild_faces)
                others = [
                    other
                    for other in np.flatnonzero(~mine).tolist()
                    for _ in range(rules.copies(other))
                ]
                held = np.where(mine, counts, 0).astype(np.int8)
                held += hand_counts(dice.sample(others, dice.randint(0, rules.hand_size)))
                away = oracle.small_distance(rules, held)
                assert oracle.small_distance(rules, without(held, face)) == away


# --- Verdicts, patterns, payments and discards, against the layouts -----------------------------


def compare_with_layouts(changes, number, seed):
    rules = rules_with(*changes)
    complete = 0
    for counts in hands(rules, number, seed, extra=(0, 0, 1)):
        text = hand_text(hand_faces(counts))
        drawn = counts.sum() > rules.hand_size
        if drawn:
            complete += compare_discards(rules, counts, text)
            continue
        fitting = patterns_of(rules, counts)
        with looked_up(rules, counts) as hand:
            seat, record = hand._seat, hand._record
            assert (hand.distance == 0) == bool(fitting), text
            if not fitting:
                continue
            complete += 1
            mask = int(choices.patterns_fitted(seat, record))
            assert [p for k, p in enumerate(rules.patterns) if mask >> k & 1] == fitting, text
            for timing, kind in TIMINGS.items():
                paid = int(choices.exit_payment(seat, record, kind))
                assert paid == payment(rules, counts, timing), text
    assert complete > 0


def compare_discards(rules, counts, text):
    """Compare what each discard leaves; return whether one lets the hand go out."""
    paid = {}
    for face in set(hand_faces(counts)):
        if find_layout(rules, without(counts, face)) is not None:
            paid[face] = payment(rules, without(counts, face))
    with looked_up(rules, counts) as hand:
        assert (hand.distance == 0) == bool(paid), text
        left = {face: hand.distance_with(face, -1) for face in set(hand_faces(counts))}
        assert {face for face, away in left.items() if away == 0} == set(paid), text
        thrown = int(choices.nearest_discard(hand._seat, hand._record))
        assert left[thrown] == min(left.values()) == hand.distance, text
        discard = hand.discard
    if paid:
        assert paid[discard] == max(paid.values()), text
        assert check_hand(rules, text)["payments"]["later"] == max(paid.values())
    else:
        assert discard == -1, text
    told = {row["discard"]: row for row in advise(rules, text)} if len(paid) > 1 else {}
    for face, points in paid.items():
        row = told.get(hand_text([face]))
        assert row is None or (row["distance"], row["payment"]) == (0, points), text
    return bool(paid)


@quick(WHOLE, 7)
def test_tables_agree_with_the_layouts(changes):
    compare_with_layouts(changes, 40, seed=64)


@pytest.mark.full
@quick(WHOLE, 0)
def test_tables_agree_with_the_layouts_on_many_hands(changes):
    compare_with_layouts(changes, 1000, seed=65)


# --- Distances of whole hands: each is one more than the least of the hands one card away -------


def walk_out(rules, counts):
    """Replace cards, each time by one that helps, until the hand can go out; return how many."""
    steps = 0
    with looked_up(rules, counts) as hand:
        while hand.distance:
            seat, record, text = hand._seat, hand._record, hand_text(hand_faces(hand._seat.hand))
            away, helping = hand.distance, []
            for face in np.flatnonzero(seat.hand):
                holding.take_away(seat, record, face)
                for other in range(53):
                    if other != face and seat.hand[other] < rules.copies(other):
                        left = hand.distance_with(other)
                        assert left >= away - 1, text
                        helping += [(face, other)] * (left < away)
                holding.give(seat, record, face)
            assert helping, text
            face, other = helping[len(helping) // 2]
            holding.take_away(seat, record, face)
            holding.give(seat, record, other)
            steps += 1
        assert find_layout(rules, seat_hand(hand)) is not None
    return steps


def seat_hand(hand):
    return hand._seat.hand.copy()


@quick(WHOLE, 7)
def test_distance_is_the_length_of_the_shortest_way_out(changes):
    rules = rules_with(*changes)
    assert sum(walk_out(rules, counts) for counts in hands(rules, 6, seed=66)) > 0


@pytest.mark.full
@quick(WHOLE, 0)
def test_distance_is_the_length_of_the_shortest_way_out_of_many_hands(changes):
    rules = rules_with(*changes)
    for counts in hands(rules, 100, seed=67):
        walk_out(rules, counts)
    pack = [face for face in range(53) for _ in range(rules.copies(face))]
    for seed in range(50):
        walk_out(rules, hand_counts(Random(seed).sample(pack, rules.hand_size)))


# --- In play ------------------------------------------------------------------------------------


def watch_exits(changes, deals, seed):
    """Play; check each exit, card by card."""
    rules = rules_with(*changes, "max_rounds=60")
    outcomes = np.zeros(1, OUTCOME).view(np.recarray)
    openings = np.zeros((1, rules.seats), OPENING).view(np.recarray)
    exits = 0
    kinds = {kind: timing for timing, kind in TIMINGS.items()}
    players = (["fastest", "neighbours", "fastest", "stock"] * 3)[: rules.seats]
    with table_of(rules, players, seed=seed) as it:
        for deal in range(deals):
            status = playing.play_block(it.game, it.rules, it.public, deal, outcomes, openings)
            assert status == turns.DONE
            outcome = outcomes[0]
            if outcome.end != EXIT:
                continue
            exits += 1
            counts = it.seats[outcome.seat].hand.copy()
            text = hand_text(hand_faces(counts))
            assert find_layout(rules, counts) is not None, text
            assert outcome.payment == payment(rules, counts, kinds[int(outcome.kind)]), text
            named = [p for k, p in enumerate(rules.patterns) if outcome.patterns >> k & 1]
            assert named == patterns_of(rules, counts), text
            assert outcome.jokers == counts[52]
            assert outcome.deuces + outcome.jokers == counts[np.array(rules.wild_faces)].sum()
    assert exits > 0


@quick(WHOLE, 7)
def test_every_exit_in_play_is_legal_and_paid_right(changes):
    watch_exits(changes, 30, seed=68)


@pytest.mark.full
@quick(WHOLE, 0)
def test_every_exit_of_many_deals_is_legal_and_paid_right(changes):
    watch_exits(changes, 1500, seed=69)
