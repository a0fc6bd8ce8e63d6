"""Figures: against published values, and against numbers computed from the raw records."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from continental_sim.columns import CONTINENTAL, DEALT, FIRST_TURN
from continental_sim.cubes import StudyCubes, group_sessions
from continental_sim.figures.estimates import (
    EXACT,
    STRUCTURAL,
    WILSON,
    mean_of,
    proportion,
    z_value,
)
from continental_sim.figures.stats import summarise
from continental_sim.figures.structural import impossible_events
from continental_sim.figures.summary_table import render_table
from continental_sim.files import store
from continental_sim.rules import ContinentalRules, with_settings
from tests.fakes import (
    LINEUP,
    fake_cubes,
    fake_manifest,
    fake_openings,
    fake_outcomes,
    fake_study,
)

RULES = ContinentalRules()
DEALS = 4002  # the last session is not complete
SAME = ("fastest",) * 4


def study_of(cubes, rules=RULES, lineup=LINEUP, **study):
    """A study that was never on the disk."""
    manifest = fake_manifest(rules, lineup, cubes.deals, **study)
    return store.StoredStudy(None, manifest, rules, lineup, cubes)


OUTCOMES = fake_outcomes(RULES, DEALS)
SUMMARY = summarise(study_of(fake_cubes(RULES, OUTCOMES)))


# -- Formulas --------------------------------------------------------------------------------------


def test_zero_of_a_million_has_the_exact_bound():
    estimate = proportion(0, 1_000_000, 0.95)
    assert estimate.method == EXACT
    assert (estimate.rate, estimate.low) == (0, 0)
    assert estimate.high == pytest.approx(3.69e-6, abs=5e-9)


def test_all_of_a_million_is_the_mirror_image():
    estimate = proportion(1_000_000, 1_000_000, 0.95)
    assert estimate.high == 1
    assert 1 - estimate.low == pytest.approx(3.69e-6, abs=5e-9)


def test_wilson_bound_of_zero_would_be_larger():
    z = z_value(0.95)
    assert z * z / (1_000_000 + z * z) == pytest.approx(3.84e-6, abs=5e-9)


@pytest.mark.parametrize(
    ("count", "trials", "low", "high"),
    [
        # Newcombe 1998, Statistics in Medicine 17, table I, method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_agrees_with_published_intervals(count, trials, low, high):
    estimate = proportion(count, trials, 0.95)
    assert estimate.method == WILSON
    assert (estimate.low, estimate.high) == pytest.approx((low, high), abs=5e-5)


@given(trials=st.integers(1, 10**15), part=st.floats(0, 1), level=st.floats(0.5, 0.999999))
def test_interval_holds_the_rate_and_is_a_rate(trials, part, level):
    estimate = proportion(round(part * trials), trials, level)
    assert 0 <= estimate.low <= estimate.rate <= estimate.high <= 1
    assert estimate.low < estimate.high


def test_no_trials_give_no_number():
    assert proportion(0, 0, 0.95).to_json() == {
        "count": 0, "trials": 0, "rate": None, "low": None, "high": None,
    }  # fmt: skip


def test_a_design_effect_widens_as_fewer_trials_do():
    wide, few = proportion(50, 200, 0.95, 2.0), proportion(25, 100, 0.95)
    assert (wide.low, wide.high) == pytest.approx((few.low, few.high))


@given(st.lists(st.tuples(st.integers(-132, 396), st.integers(1, 10**12)), min_size=1))
def test_mean_is_exact_however_many_values(pairs):
    values, counts = map(np.array, zip(*pairs, strict=True))
    mean = mean_of(values, counts, 0.95)
    total = sum(count for _, count in pairs)
    assert mean.n == total
    assert mean.mean == pytest.approx(sum(v * c for v, c in pairs) / total, rel=1e-12, abs=1e-12)


def test_mean_of_equal_values_has_no_interval_of_width_zero():
    mean = mean_of(np.array([0]), np.array([1000]), 0.95)
    assert (mean.mean, mean.low, mean.high, mean.sd) == (0, None, None, 0)
    assert mean_of(np.array([3]), np.array([1]), 0.95).sd is None
    assert mean_of(np.array([], int), np.array([], int), 0.95).mean is None


# -- Against the raw records -----------------------------------------------------------------------


def ledger_of(player, column="winner"):
    """Points of a player in each deal."""
    paid = OUTCOMES["payment"].astype(int)
    return np.where(OUTCOMES[column] == player, 3 * paid, -paid)


def check_mean(mean, values):
    """Compare with numpy on the raw values."""
    n = len(values)
    assert mean.n == n
    assert mean.mean == pytest.approx(values.mean())
    assert mean.sd == pytest.approx(values.std(ddof=1))
    half = 1.959964 * values.std(ddof=1) / math.sqrt(n)
    assert (mean.low, mean.high) == pytest.approx((mean.mean - half, mean.mean + half))
    for share, quantile in mean.quantiles.items():
        assert quantile == np.quantile(values, share, method="inverted_cdf")


def test_lengths():
    check_mean(SUMMARY.turns, OUTCOMES["turns"])
    check_mean(SUMMARY.rounds, np.ceil(OUTCOMES["turns"] / 4))
    check_mean(SUMMARY.recycles, OUTCOMES["recycles"])
    assert SUMMARY.recycled.count == (OUTCOMES["recycles"] > 0).sum()


def test_payments_and_exposed_cards():
    exits = OUTCOMES[OUTCOMES["end"] == 0]
    check_mean(SUMMARY.payment, exits["payment"])
    check_mean(SUMMARY.deuces, exits["deuces"])
    check_mean(SUMMARY.jokers, exits["jokers"])
    for paid, share in SUMMARY.payments.items():
        assert (share.count, share.trials) == ((exits["payment"] == paid).sum(), len(exits))
    assert sum(share.count for share in SUMMARY.payments.values()) == len(exits)
    for bit, share in enumerate(SUMMARY.patterns.values()):
        assert share.count == (exits["patterns"] >> bit & 1).sum()


def test_ledgers_by_seat_take_deals_as_trials():
    for seat in SUMMARY.seats:
        check_mean(seat.ledger, ledger_of(seat.number, "seat"))
    assert sum(seat.ledger.mean for seat in SUMMARY.seats) == pytest.approx(0, abs=1e-12)


def test_ledgers_by_player_take_deals_as_trials_and_sum_to_zero():
    summary = summarise(study_of(fake_cubes(RULES, OUTCOMES), lineup=SAME))
    for player in summary.players:
        check_mean(player.ledger, ledger_of(player.number))
    assert sum(player.ledger.mean for player in summary.players) == pytest.approx(0, abs=1e-12)


def test_exits_by_kind_and_seat():
    assert sum(kind.count for kind in SUMMARY.exits.values()) == SUMMARY.ends["exit"].count
    for seat in SUMMARY.seats:
        here = OUTCOMES["seat"] == seat.number
        first = here & (OUTCOMES["kind"] == FIRST_TURN)
        dealt = here & (OUTCOMES["kind"] == DEALT)
        assert seat.first_turn.count == first.sum()
        assert seat.by_first_turn.count == (first | dealt).sum()
        assert seat.wins.count == here.sum()
        assert seat.wins.trials == DEALS
    natural = (OUTCOMES["deuces"] == 0) & (OUTCOMES["jokers"] == 0)
    assert SUMMARY.natural.count == natural.sum()


def test_exits_by_turn_are_all_exits():
    for name, counts in SUMMARY.exits_by_turn.items():
        assert sum(counts.values()) == SUMMARY.exits[name].count


def test_wins_by_strategy_add_the_players_of_one_strategy():
    assert list(SUMMARY.wins_by_strategy) == ["fastest", "stock", "neighbours"]
    both = SUMMARY.players[0].wins.count + SUMMARY.players[3].wins.count
    assert SUMMARY.wins_by_strategy["fastest"].count == both


def test_tied_sessions_are_split():
    ledgers = np.array([[5, 5, -10, 0], [3, -1, -1, -1], [0, 0, 0, 0], [4, 4, 4, -12]])
    sessions = group_sessions(ledgers, np.zeros_like(ledgers), 0)
    cubes = fake_cubes(RULES, OUTCOMES[:16])
    summary = summarise(study_of(replace(cubes, grouped={**cubes.grouped, "sessions": sessions})))
    shares = np.array([[1 / 2, 1 / 2, 0, 0], [1, 0, 0, 0], [1 / 4] * 4, [1 / 3, 1 / 3, 1 / 3, 0]])
    for player in summary.players:
        share = player.session_share
        assert share.mean == pytest.approx(shares[:, player.number].mean())
        assert share.sd == pytest.approx(shares[:, player.number].std(ddof=1))
    assert sum(player.session_share.mean for player in summary.players) == pytest.approx(1)


def test_a_player_that_never_leads_has_an_upper_bound():
    ledgers = np.tile([9, -3, -3, -3], (1000, 1))
    sessions = group_sessions(ledgers, np.ones_like(ledgers), 0)
    cubes = fake_cubes(RULES, OUTCOMES)
    changed = replace(cubes, grouped={**cubes.grouped, "sessions": sessions})
    summary = summarise(study_of(changed))
    always, never = (summary.players[number].session_share for number in (0, 1))
    assert (never.mean, never.low, never.method) == (0, 0, EXACT)
    assert never.high == pytest.approx(1 - 0.025 ** (1 / 1000))
    assert always.low == pytest.approx(0.025 ** (1 / 1000))


def test_dealt_hands_of_one_deal_count_as_one():
    hands = fake_openings(RULES, OUTCOMES)
    distance = SUMMARY.openings.distance
    assert distance.mean == pytest.approx(hands["distance"].mean())
    half = 1.959964 * hands["distance"].std(ddof=1) / math.sqrt(DEALS)
    assert distance.high - distance.mean == pytest.approx(half)
    for cards, share in SUMMARY.openings.distances.items():
        assert share.count == (hands["distance"] == cards).sum()


def test_what_became_of_hands_is_told_by_distance_and_by_wild_cards():
    hands = fake_openings(RULES, OUTCOMES)
    won = hands["seat"] == OUTCOMES["seat"][:, None]
    paid = OUTCOMES["payment"][:, None].astype(int)
    points = np.where(won, 3 * paid, -paid)
    turns = np.broadcast_to(-(-OUTCOMES["turns"] // 4)[:, None], won.shape)
    wilds = hands["deuces"] + hands["jokers"]
    for sorts, found in (
        (hands["distance"], SUMMARY.openings.by_distance),
        (wilds, SUMMARY.openings.by_wilds),
    ):
        assert list(found) == np.unique(sorts).tolist()
        for sort, fate in found.items():
            here = sorts == sort
            assert (fate.wins.count, fate.wins.trials) == (won[here].sum(), here.sum())
            assert fate.points.mean == pytest.approx(points[here].mean())
            half = 1.959964 * points[here].std(ddof=1) * math.sqrt(4 / here.sum())
            if fate.points.low is not None:
                assert fate.points.mean - fate.points.low == pytest.approx(half)
            mine = turns[here & won]
            if len(mine) > 1 and mine.std():
                half = 1.959964 * mine.std(ddof=1) / math.sqrt(len(mine))
                assert fate.own_turns.mean == pytest.approx(mine.mean())
                assert fate.own_turns.high - fate.own_turns.mean == pytest.approx(half)


def test_cards_of_a_rank_count_as_one_card():
    cubes = fake_cubes(RULES, OUTCOMES)
    faces = np.zeros((53, 2), np.int64)
    exits = SUMMARY.ends["exit"].count
    faces[[0, 13, 26, 39], 0] = exits // 8  # aces
    faces[52, 0] = exits
    found = summarise(study_of(replace(cubes, faces=faces))).ranks_exposed
    assert list(found) == [*"A23456789TJQK", "JK"]
    assert found["A"].rate == pytest.approx(4 * (exits // 8) / (8 * exits))
    one_card = proportion(round(found["A"].rate * exits), exits, 0.95)
    assert found["A"].high - found["A"].low == pytest.approx(one_card.high - one_card.low, 1e-3)
    assert found["JK"].rate == 0.5
    assert found["K"].count == 0


# -- Deals that depend on each other ---------------------------------------------------------------


def seated_study(**options):
    """Player 0 wins all deals of half of the sessions, and none of the others."""
    outcomes = fake_outcomes(RULES, 8000, ends=(1, 0, 0))
    lucky = np.random.default_rng(3).random(2000) < 0.5
    outcomes["winner"] = np.where(np.repeat(lucky, 4), 0, 1 + outcomes["deal"] % 3)
    outcomes["payment"] = 2
    return study_of(fake_cubes(RULES, outcomes), **options), lucky


def test_players_that_are_shuffled_by_session_have_intervals_by_session():
    study, lucky = seated_study()
    player = summarise(study).players[0]
    ledgers = np.where(lucky, 6.0, -2.0)  # a deal, in each session
    half = 1.959964 * ledgers.std(ddof=1) / math.sqrt(2000)
    assert player.ledger.high - player.ledger.mean == pytest.approx(half, rel=1e-3)
    wins = proportion(int(lucky.sum()), 2000, 0.95)
    assert (player.wins.low, player.wins.high) == pytest.approx((wins.low, wins.high), rel=1e-3)


@pytest.mark.parametrize("options", [{"lineup": SAME}, {"fixed_order": True}])
def test_otherwise_deals_are_trials(options):
    study, _ = seated_study(**options)
    summary = summarise(study)
    player = summary.players[0]
    half = 1.959964 * player.ledger.sd / math.sqrt(8000)
    assert player.ledger.high - player.ledger.mean == pytest.approx(half)
    assert not summary.notes


def test_winner_deals_next_makes_deals_depend():
    rules = with_settings(RULES, ["next_dealer=winner"])
    study, _ = seated_study(rules=rules, lineup=SAME)
    summary = summarise(study)
    assert summary.notes
    assert summary.players[0].ledger.high - summary.players[0].ledger.mean > (
        1.9 * 1.96 * summary.players[0].ledger.sd / math.sqrt(8000)
    )


# -- Structural zeros ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "event", "expected"),
    [
        ([], "drawn", True),
        (["seats=6"], "drawn", True),
        (["seats=7"], "drawn", False),  # one loose card: nothing can be recycled
        (["recycles=3"], "drawn", False),
        (["recycles=0", "max_rounds=10"], "drawn", True),  # 40 turns, 45 cards
        (["recycles=0", "max_rounds=12"], "drawn", False),
        (["recycles=0"], "recycled", True),
        ([], "recycled", False),
        (["max_rounds=1"], "later", True),
        ([], "later", False),
        (["deuces_wild=false"], "deuces", True),
        (["jokers=0"], "jokers", True),
        ([], "one_suit", False),
        (["packs=1", "seats=2", "jokers=0", "deuces_wild=false"], "one_suit", True),
        ([], "natural", False),
        # A group of one suit has no more naturals than there are packs.
        (["melds=groups"], "one_suit", False),
        (["melds=groups", "one_suit=physical"], "one_suit", True),
        (["melds=groups", "one_suit=physical", "packs=3"], "one_suit", False),
        (["melds=groups", "packs=1", "seats=3"], "one_suit", True),
        (["jokers=0", "deuces_wild=false"], "one_suit", False),
        (["melds=groups", "jokers=0", "deuces_wild=false"], "one_suit", True),
        (["melds=groups", "packs=1", "seats=3", "patterns=5+5+5"], "natural", True),
        (["melds=groups", "packs=1", "seats=3", "patterns=5+5+5,4+4+4+3"], "natural", False),
    ],
)
def test_what_the_rules_make_impossible(settings, event, expected):
    assert (event in impossible_events(with_settings(RULES, settings))) == expected


def test_structural_zero_has_a_reason_and_no_interval():
    cubes = fake_cubes(RULES, fake_outcomes(RULES, 1000, ends=(1, 0, 0)))
    drawn = summarise(study_of(cubes)).ends["drawn"]
    assert (drawn.method, drawn.low, drawn.high) == (STRUCTURAL, None, None)
    assert "46 cards" in drawn.reason
    possible = with_settings(RULES, ["recycles=1"])
    drawn = summarise(study_of(cubes, rules=possible)).ends["drawn"]
    assert drawn.method == EXACT


def test_an_impossible_event_that_happened_is_not_hidden():
    assert SUMMARY.ends["drawn"].count > 0
    assert SUMMARY.ends["drawn"].method == WILSON


# -- Output ----------------------------------------------------------------------------------------


def test_json_has_the_agreed_keys():
    found = json.loads(json.dumps(SUMMARY.to_json(), allow_nan=False))
    assert list(found) == [
        "deals", "seed", "ends", "exits", "first_turn_by_seat", "by_first_turn_by_seat",
        "one_suit", "natural", "payment", "ledger", "length", "ranks_exposed", "openings",
    ]  # fmt: skip
    assert found["deals"] == DEALS
    assert sum(found["ends"].values()) == DEALS
    assert list(found["ends"]) == ["exit", "drawn", "capped"]
    assert list(found["exits"]) == ["dealt", "first_turn", "later"]
    for estimate in (*found["exits"].values(), found["one_suit"], *found["first_turn_by_seat"]):
        assert list(estimate) == ["count", "trials", "rate", "low", "high"]
        assert estimate["trials"] == DEALS
    assert len(found["by_first_turn_by_seat"]) == 4
    assert set(found["payment"][0]) == {"payment", "count"}
    assert [player["strategy"] for player in found["ledger"]] == list(LINEUP)
    assert set(found["ledger"][0]) == {"strategy", "mean", "low", "high", "sd", "wins"}
    assert found["length"]["turns"]["quantiles"]["0.5"] == np.median(OUTCOMES["turns"])
    assert set(found["openings"]) == {"by_distance", "by_wilds"}
    assert set(found["openings"]["by_wilds"]["0"]) == {"hands", "wins", "own_turns", "points"}
    assert found["ranks_exposed"]["JK"]["trials"] == 2 * found["ends"]["exit"]


STUDIES = {
    "mixed": {},
    "all exits": {"ends": (1, 0, 0)},
    "all capped": {"ends": (0, 0, 1)},
    "one deal": {"deals": 1},
    "long names": {"lineup": ("a" * 200, "ß\x1b[31m\n", "strategies/x.py:KNOB=1", "$x$")},
}


@pytest.mark.parametrize("options", STUDIES.values(), ids=STUDIES)
def test_table_fits_a_terminal(tmp_path, options):
    table = render_table(summarise(fake_study(tmp_path / "study", **options)))
    lines = table.split("\n")
    assert max(map(len, lines)) <= 80
    assert "nan" not in table.lower()
    assert all(line.isprintable() for line in lines)
    assert table.count("capped deals:") == 2, "the capped share stands beside ledgers and lengths"


def test_table_of_no_deals_says_no_trials():
    study = study_of(StudyCubes.empty(CONTINENTAL, 4))
    assert "no trials" in render_table(summarise(study))
    json.dumps(summarise(study).to_json(), allow_nan=False)


def test_table_names_the_bound_of_zero_events():
    study = study_of(fake_cubes(RULES, fake_outcomes(RULES, 1000, ends=(1, 0, 0))))
    table = render_table(summarise(study))
    capped = next(line for line in table.split("\n") if line.startswith("  capped"))
    assert capped.endswith("0 .. 0.00368 exact")
    assert "Clopper-Pearson" in table
    drawn = table.index("  drawn")
    assert "impossible" in table[drawn : drawn + 80]


def test_players_of_one_strategy_are_told_apart():
    table = render_table(SUMMARY)
    assert "fastest (player 0)" in table
    assert "fastest (player 3)" in table
    assert "fastest (2 players)" in table


def test_a_partial_study_says_so():
    manifest = fake_manifest(RULES, LINEUP, DEALS)
    manifest["study"]["deals"] = 10_000
    manifest["state"] |= {"status": "unfinished", "reason": "interrupted"}
    study = store.StoredStudy(None, manifest, RULES, LINEUP, fake_cubes(RULES, OUTCOMES))
    told = f"Unfinished: {DEALS:,} of 10,000 deals are played: interrupted."
    assert told in render_table(summarise(study))


def test_level_changes_the_intervals():
    study = study_of(fake_cubes(RULES, OUTCOMES))
    wide, narrow = summarise(study, 0.99), summarise(study, 0.5)
    assert wide.natural.high > SUMMARY.natural.high > narrow.natural.high
    assert "99 % interval" in render_table(wide)
