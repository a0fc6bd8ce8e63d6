"""Multilevel splitting: weights, unbiasedness, and rates beside those that are known otherwise."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from continental_sim.columns import OUTCOME
from continental_sim.engine import play_block
from continental_sim.errors import ContsimError, StudyFailed
from continental_sim.exact.odds import hand_odds
from continental_sim.figures.estimates import STRUCTURAL, proportion
from continental_sim.kernels import dealing, playing
from continental_sim.kernels import splitting as kernels
from continental_sim.play.means import Means, Watcher
from continental_sim.rare import levels as finding
from continental_sim.rare import roots, splitting
from continental_sim.rare.events import read_event
from continental_sim.rare.goals import find_goal
from continental_sim.rare.learning import learned_scores, no_moves, plain_scores
from continental_sim.rare.levels import find_levels
from continental_sim.rare.rare_table import advice, rare_text, rare_to_json, sentence
from continental_sim.rare.roots import Levels, Replications, play_roots
from continental_sim.rare.splitting import rare_rate
from continental_sim.spans import Span
from tests.tabletop import DEFAULT, rules_with, study_of, table_of

HERE = Means(1)


@pytest.fixture(autouse=True)
def quick(request, monkeypatch):
    """Let the pilot do with little, which costs effort later and shifts nothing."""
    if not request.node.get_closest_marker("full"):
        monkeypatch.setattr(finding, "EFFORT", 200_000)
        monkeypatch.setattr(splitting, "PLAIN_SECONDS", 0.01)


# Rules under which plain play sees what is rare by the default ones.
NINE = rules_with("hand_size=9", "patterns=3+3+3", "seats=3")
SHORT = rules_with("hand_size=6", "patterns=3+3", "seats=3")


def levels_of(rules, scores, copies):
    return Levels(plain_scores(rules), tuple(scores), tuple(copies))


def played(study, text, levels, span, moves=None):
    goal = find_goal(read_event(text), study.rules)
    return play_roots(study, text, goal, levels, span, moves)


def estimated(rules, text, specs="fastest", *, roots, seed=5, means=HERE, level=0.95, **options):
    study = study_of(rules, specs, rules.seats, seed=seed)
    return rare_rate(study, text, level, means, Watcher(), roots=roots, **options)


# -- Weights -----------------------------------------------------------------------------------


@pytest.mark.parametrize("copies", [(), (2, 3, 1, 4), (5, 2, 7, 3)])
def test_the_leaves_of_each_root_weigh_1(copies):
    """Copies are whole numbers, so each sum is 1 but for rounding."""
    study = study_of(NINE, "fastest", 3, seed=2)
    levels = levels_of(NINE, (4, 5, 7, 8)[: len(copies)], copies)
    for root in range(40):
        found = played(study, "one_suit", levels, Span(root, root + 1))
        assert found.weight == pytest.approx(1, abs=1e-12)
        assert found.leaves >= 1
    assert (found.leaves == 1) == (copies == ())


def test_scores_are_reached_with_the_weights_of_the_branches():
    """All deals come to a low score; the rate of a high one is the same with and without copies."""
    study = study_of(DEFAULT, "fastest", 4, seed=3)
    plain = played(study, "one_suit", levels_of(DEFAULT, (), ()), Span(0, 8000))
    split = played(study, "one_suit", levels_of(DEFAULT, (10, 11), (3, 5)), Span(8000, 16000))
    assert plain.reached[5] == split.reached[5] == 8000
    for score in (10, 11, 12):
        rate = plain.reached[score] / plain.roots
        error = (rate / plain.roots) ** 0.5
        # Copies of one root depend on each other: their error is larger, but below twice that.
        assert split.reached[score] / split.roots == pytest.approx(rate, abs=4 * 3 * error)
    assert split.arrivals[12] > 4 * plain.arrivals[12]
    assert (np.diff(split.reached[5:]) <= 1e-9).all()


def test_without_levels_it_is_plain_play():
    study = study_of(DEFAULT, "fastest", 4, seed=3)
    found = played(study, "turns > 25", levels_of(DEFAULT, (), ()), Span(0, 4000))
    block = play_block(study, 0, 4000)
    rate = float((block.outcomes["turns"] > 25).mean())
    error = (2 * rate * (1 - rate) / 4000) ** 0.5
    assert found.total / 4000 == pytest.approx(rate, abs=4 * error)
    assert found.total == found.squares == found.hits == found.hit_roots
    assert found.leaves == 4000
    assert found.turns / 4000 == pytest.approx(
        block.outcomes["turns"].mean(), abs=4 * 8 / 4000**0.5
    )


# -- Unbiasedness ------------------------------------------------------------------------------

PLAIN = 60_000


@cache
def plain_rate(text):
    """Rate of an event in plain play of nine cards."""
    outcomes = play_block(study_of(NINE, "fastest", 3, seed=8), 0, PLAIN).outcomes
    return float(read_event(text).happened(outcomes).mean())


ODD_LEVELS = [
    ((4, 5, 6, 7, 8), (2, 2, 2, 2, 2)),
    ((3, 7), (3, 9)),
    ((7,), (11,)),
    ((1, 2, 3), (2, 2, 2)),
]


@pytest.mark.parametrize(("scores", "copies"), ODD_LEVELS)
def test_the_rate_does_not_depend_on_the_levels(scores, copies):
    """Good levels or poor ones: the mean of many small replications is the rate, to 4 errors."""
    text = "payment >= 21"
    study = study_of(NINE, "fastest", 3, seed=8)
    rate = plain_rate(text)
    parts = [
        played(study, text, levels_of(NINE, scores, copies), Span(k * 200, k * 200 + 200))
        for k in range(60)
    ]
    shares = np.array([part.total / part.roots for part in parts])
    error = (shares.var(ddof=1) / len(shares) + rate / PLAIN) ** 0.5
    assert rate > 5 * error
    assert shares.mean() == pytest.approx(rate, abs=4 * error)


def test_a_wrong_weight_is_seen(monkeypatch):
    """The test above can fail: here each branch weighs as if a level had one copy fewer."""
    real = roots.np.cumprod
    monkeypatch.setattr(
        roots.np, "cumprod", lambda copies: real(np.maximum(1, np.array(copies) - 1))
    )
    with pytest.raises(AssertionError):
        test_the_rate_does_not_depend_on_the_levels(*ODD_LEVELS[0])


def test_copies_go_on_apart():
    """Copies of one deal have stocks, recycled stocks and dice of their own."""
    rules = rules_with("seats=6")
    study = study_of(rules, "random", 6, seed=4)
    goal = find_goal(read_event("turns > 100"), rules)
    levels = levels_of(rules, (3, 40), (5, 4))
    found = play_roots(study, "turns > 100", goal, levels, Span(0, 20))
    once = play_roots(study, "turns > 100", goal, levels_of(rules, (), ()), Span(0, 20))
    assert found.leaves > 20 * 5
    with (
        table_of(rules, "random", log=False) as table,
        roots._records(goal, levels, Span(0, 1), 6) as (wanted, tree),
    ):
        leaves = np.zeros(64, OUTCOME).view(np.recarray)
        number = kernels.next_leaves(
            table.game, table.rules, table.public, wanted, tree, leaves, np.zeros(64),
            np.zeros((64, 4), np.int64), np.zeros(goal.highest + 1),
            np.zeros(goal.highest + 1, np.int64), np.zeros((1, 1, 1, 1), np.int64),
        )  # fmt: skip
    assert number >= 5
    assert len(np.unique(leaves[:number][["turns", "seat", "end"]])) > 1
    assert once.leaves == 20


def test_each_branch_has_streams_of_its_own():
    """The stock by its generator; recycled stocks and dice by the number in place of the deal's."""
    rules = rules_with("seats=3")
    goal = find_goal(read_event("one_suit"), rules)
    numbers, states = set(), set()
    with table_of(rules, "random", log=False) as table:
        for root in (0, 1):
            span = Span(root, root + 1)
            with roots._records(goal, levels_of(rules, (), ()), span, 3) as (_, tree):
                kernels.begin_root(table.game, table.rules, table.public, tree)
                for _ in range(3):
                    assert len({int(seat.deal) for seat in table.seats}) == 1
                    assert not any(seat.dice_ready for seat in table.seats)
                    numbers.add(int(table.seats[0].deal))
                    states.add(table.game.state.tobytes())
                    for seat in table.seats:
                        seat.dice_ready = 1
                    kernels.begin_branch(table.game, table.rules, tree)
    assert len(numbers) == len(states) == 6
    assert min(numbers) >= 0


def test_a_saved_deal_comes_back_as_it_was():
    rules = rules_with("seats=3")
    goal = find_goal(read_event("one_suit"), rules)
    with (
        table_of(rules, "fastest", log=False) as table,
        roots._records(goal, levels_of(rules, (5,), (2,)), Span(0, 1), 3) as (_, tree),
    ):
        dealing.seat_players(table.game, table.rules, 0)
        dealing.deal_cards(table.game, table.rules, table.public, 7)
        dealing.take_seats(table.game, table.rules, 0)
        outcome = np.zeros(1, OUTCOME).view(np.recarray)[0]
        for _ in range(4):
            assert playing.next_turn(table.game, table.rules, table.public, outcome) == 0
        kernels.save(table.game, table.rules, tree, 0)
        records = (table.public, *table.seats)
        before = [table.game[name].copy() for name in ("state", "stock", "position", "where")]
        before += [record.tobytes() for record in records]
        playing.play_deal(table.game, table.rules, table.public, outcome)
        first = outcome.copy()
        kernels.restore(table.game, table.rules, tree, 0)
        after = [table.game[name].copy() for name in ("state", "stock", "position", "where")]
        after += [record.tobytes() for record in records]
        assert all(np.array_equal(one, two) for one, two in zip(before, after, strict=True))
        playing.play_deal(table.game, table.rules, table.public, outcome)
        assert outcome == first


# -- Rates that are known otherwise ------------------------------------------------------------


def test_dealt_exits_are_those_that_are_counted():
    odds = hand_odds(DEFAULT)
    for text, exact in (
        ("kind == dealt and seat == 0", odds.dealt_exit.p),
        ("kind == dealt and seat == 0 and one_suit", odds.dealt_one_suit.p),
    ):
        found = estimated(DEFAULT, text, roots=10_000, level=0.9999)
        assert found.estimate.low < exact < found.estimate.high, text
        assert found.estimate.high / found.estimate.low < 4
    assert exact == pytest.approx(1 / 101e6, rel=0.01)
    assert found.gain > 100


@pytest.mark.parametrize(
    ("rules", "specs", "text"),
    [
        (NINE, "fastest", "payment >= 21"),
        (NINE, ["fastest", "stock", "random"], "kind == first_turn and seat == 1"),
        (SHORT, "fastest", "payment >= 21"),
        (rules_with("melds=groups", "patterns=3+3+3", "hand_size=9"), "fastest", "payment >= 18"),
        pytest.param(
            *(rules_with("packs=4", "seats=8"), "fastest", "kind == dealt"), marks=pytest.mark.full
        ),
        (SHORT, "neighbours", "one_suit and deuces + jokers == 0"),
        (rules_with("seats=6"), "stock", "recycles >= 1 and turns > 60"),
        (rules_with("seats=7", "max_rounds=30"), "fastest", "end == drawn"),
        (rules_with("natural_two_counts=false", "min_naturals_per_run=2"), "fastest", "deuces > 4"),
    ],
)
def test_rates_that_plain_play_sees(rules, specs, text):
    study = study_of(rules, specs, 20_000, seed=9)
    seen = int(read_event(text).happened(play_block(study, 0, study.deals).outcomes).sum())
    plain = proportion(seen, study.deals, 0.9999)
    found = estimated(rules, text, specs, roots=3000, level=0.9999).estimate
    assert seen >= 10
    assert found.low < plain.high
    assert plain.low < found.high
    assert found.high < 4 * plain.high


@pytest.mark.full
@pytest.mark.parametrize(
    ("text", "seen"),
    [  # in a study of 10**9 deals of fastest
        ("one_suit", 186_957),
        ("one_suit and deuces + jokers == 0", 303),
        ("payment >= 21", 1_880),
        ("payment >= 25", 76),
        ("one_suit and kind == first_turn", 439),
        ("deuces + jokers >= 8", 8_469),
        ("turns > 80", 468),
        ("recycles >= 1", 103_581),
    ],
)
def test_rates_that_a_thousand_million_deals_have_shown(text, seen):
    found = estimated(DEFAULT, text, roots=60_000, level=0.999).estimate
    plain = proportion(seen, 10**9, 0.999)
    assert found.low < plain.high
    assert plain.low < found.high < 10 * plain.high


@pytest.mark.full
def test_intervals_cover():
    """Of 300 small estimates at 90 %, at least 90 % - 3 standard errors cover the exact rate."""
    exact = hand_odds(DEFAULT).dealt_exit.p
    text = "kind == dealt and seat == 0"
    study = study_of(DEFAULT, "fastest", 4, seed=77)
    goal = find_goal(read_event(text), DEFAULT)
    levels = find_levels(study, text, goal, 1, lambda: None).levels
    covered = 0
    for k in range(300):
        part = play_roots(study, text, goal, levels, Span(k * 400, k * 400 + 400))
        found = splitting._estimate(part, 0.9)
        covered += found.low <= exact <= found.high
    assert covered >= 300 * 0.9 - 3 * (300 * 0.09) ** 0.5


# -- The same again ----------------------------------------------------------------------------


def numbers(rare):
    """All but what is measured."""
    return {
        name: value
        for name, value in rare_to_json(rare).items()
        if name not in ("seconds", "plain_seconds_a_deal", "gain", "advice")
    }


def test_the_seed_gives_the_same_estimate_whoever_plays():
    text = "one_suit and deuces + jokers == 0"
    first = estimated(NINE, text, roots=2000)
    assert first.played.roots == 2000
    for means in (HERE, Means(2, "threading")):
        assert numbers(estimated(NINE, text, roots=2000, means=means)) == numbers(first)
    assert numbers(estimated(NINE, text, roots=2000, seed=6)) != numbers(first)


def test_workers_change_nothing(monkeypatch):
    text = "payment >= 22"
    monkeypatch.setattr(splitting, "BATCH", 200_000)
    alone = estimated(SHORT, text, roots=4000)
    monkeypatch.setattr(splitting, "WORKERS_PAY", 0.0)
    for backend in ("loky", "threading"):
        assert numbers(estimated(SHORT, text, roots=4000, means=Means(2, backend))) == numbers(
            alone
        )


def test_play_ends_when_the_error_is_small_enough(monkeypatch):
    monkeypatch.setattr(splitting, "BATCH", 100_000)
    found = estimated(DEFAULT, "kind == dealt and seat == 0", roots=None, error=0.2)
    wide = estimated(DEFAULT, "kind == dealt and seat == 0", roots=None, error=0.5)
    rate, low, high = found.estimate.rate, found.estimate.low, found.estimate.high
    assert max(high - rate, rate - low) <= 0.2 * rate
    assert found.estimate.count >= splitting.LEAST_EVENTS <= wide.estimate.count
    assert wide.played.roots <= found.played.roots
    few = estimated(DEFAULT, "kind == dealt and seat == 0", roots=500, error=0.01)
    assert few.played.roots == 500


def test_play_ends_when_the_time_is_over():
    begun = estimated(DEFAULT, "one_suit", roots=None, means=Means(1, max_time=0.1))
    assert 0 < begun.played.roots < 10**6


def test_the_roots_of_the_pilot_do_not_count(monkeypatch):
    spans = []
    real = roots.play_roots

    def spy(study, text, goal, levels, span, moves=None):
        spans.append((span, moves is None))
        return real(study, text, goal, levels, span, moves)

    monkeypatch.setattr("continental_sim.rare.levels.play_roots", spy)
    monkeypatch.setattr("continental_sim.rare.splitting.play_roots", spy)
    estimated(NINE, "one_suit", roots=500)
    pilot = [span for span, counts in spans if not counts]
    counted = [span for span, counts in spans if counts]
    assert pilot
    assert sum(span.deals for span in counted if span.deals > 1) == 500
    assert not any(one.meets(two) for one in pilot for two in counted)
    ordered = sorted(pilot)
    assert not any(one.meets(two) for one, two in pairwise(ordered))


# -- The score ---------------------------------------------------------------------------------


def test_learned_scores_rise_with_what_a_hand_is_worth():
    study = study_of(NINE, "fastest", 3, seed=8)
    moves = no_moves(NINE)
    found = played(study, "one_suit", levels_of(NINE, (5, 7), (3, 3)), Span(0, 2000), moves)
    scores, usual = learned_scores(moves, moves, found.total / found.roots)
    assert (np.diff(scores.astype(int), axis=2) >= 0).all()
    size = NINE.hand_size
    later = scores[2]
    assert later[size - 1, 8] > later[size - 1, 6] > usual > later[size - 1, 4]
    assert later[5, 6] > later[size - 1, 6]  # six of six cards are more than six of nine
    assert moves[..., -2].sum() > moves[..., :-2].sum() > 0  # some hands end, or others do
    assert moves[..., -1].sum() == found.hits


def test_nothing_learned_is_no_score():
    scores, usual = learned_scores(no_moves(DEFAULT), no_moves(DEFAULT), 0.1)
    assert scores.max() < usual


# -- What is said ------------------------------------------------------------------------------


def test_what_is_impossible_is_not_played(monkeypatch):
    monkeypatch.setattr(splitting, "play_roots", None)
    found = estimated(DEFAULT, "end == drawn", roots=100)
    assert found.estimate.method == STRUCTURAL
    assert "This is impossible: stock and discard pile together always hold" in rare_text(found)
    assert rare_to_json(found)["roots"] == 0


def test_what_is_frequent_is_said_to_be():
    found = estimated(DEFAULT, "seat == 0", roots=2000)
    assert found.levels.scores == ()
    assert advice(found).startswith("The event is frequent: contsim run")
    assert "% of the deals" in sentence(found)
    assert found.estimate.method == "Wilson"


def test_what_was_not_seen_has_a_bound(monkeypatch):
    monkeypatch.setattr(finding, "MOST_ROUNDS", 1)
    found = estimated(DEFAULT, "kind == dealt and one_suit and jokers == 2", roots=200)
    assert found.played.hits == 0
    assert found.estimate.rate == 0
    assert found.estimate.high == pytest.approx(1 - 0.025 ** (1 / 200))
    assert found.gain is None
    assert sentence(found) == "No such deal was seen: it is at most one in 54.7."
    assert "more roots lower it" in advice(found)


def test_few_roots_are_said_to_be_few():
    few = estimated(NINE, "payment >= 21", roots=100)
    assert 0 < few.estimate.count < 30
    assert "the interval is rough" in advice(few)
    assert not advice(estimated(NINE, "kind == dealt and one_suit", roots=3000))


def test_deals_that_depend_on_each_other_are_refused():
    rules = rules_with("next_dealer=winner")
    for specs, text in ((["fastest", *["stock"] * 3], "one_suit"), ("fastest", "winner == 1")):
        with pytest.raises(ContsimError, match="or --set next_dealer=left"):
            estimated(rules, text, specs, roots=10)


def test_a_strategy_that_fails_is_named():
    wrong = (
        '"""Wrong: throws what it does not hold. Uses: nothing. Provenance: a test."""\n'
        "def take_discard(view):\n    return 0\n"
        "def choose_discard(view):\n    return 60\n"
    )
    with pytest.raises(StudyFailed, match="threw card 60, which is no face"):
        played(study_of(DEFAULT, wrong, 4), "one_suit", levels_of(DEFAULT, (), ()), Span(0, 10))


def test_sums_of_parts_are_those_of_the_whole():
    study = study_of(SHORT, "fastest", 3, seed=1)
    levels = levels_of(SHORT, (4, 5), (2, 2))
    whole = played(study, "one_suit", levels, Span(0, 300))
    parts = [played(study, "one_suit", levels, Span(k, k + 100)) for k in (0, 100, 200)]
    summed = Replications.sum_of(parts)
    for name in ("roots", "hits", "leaves", "cards", "turns", "largest"):
        assert getattr(summed, name) == getattr(whole, name), name
    assert summed.total == pytest.approx(whole.total)
    assert np.allclose(summed.reached, whole.reached)
