"""Figures of Basic Rummy: against numbers computed from the raw records with plain numpy."""

import json
import math

import numpy as np
import pytest

from continental_sim.columns import EXIT, RUMMY
from continental_sim.cubes import StudyCubes
from continental_sim.engine import play_block
from continental_sim.figures import rummy_plots
from continental_sim.figures.estimates import STRUCTURAL, Estimate, Mean, proportion
from continental_sim.figures.metrics import find_metric
from continental_sim.figures.plot_style import bar_width
from continental_sim.figures.plots import charts
from continental_sim.figures.rummy_metrics import RUMMY_METRICS as METRICS
from continental_sim.figures.rummy_stats import RANGES, range_name, ranges_of
from continental_sim.figures.stats import summarise
from continental_sim.figures.structural import impossible_events
from continental_sim.figures.summary_table import render_table
from continental_sim.files.store import StoredStudy
from continental_sim.report.findings import findings
from continental_sim.report.study_tables import study_tables
from continental_sim.rules import BasicRummyRules, with_settings
from continental_sim.rummy_hands import points_of
from continental_sim.strategy import find_strategy
from continental_sim.study import make_study
from tests.fakes import fake_manifest
from tests.tabletop import STRATEGIES

DEALS, SEATS, Z = 2000, 4, 1.959964
RULES = BasicRummyRules()
KEEPER = str(STRATEGIES / "keeper.py")
MIXED = ("fastest", KEEPER, "fastest", "fastest")
FOUR = ("fastest",) * SEATS


def played(rules=RULES, lineup=MIXED, deals=DEALS):
    """Play a study in memory; return its block, and the study as if it were read."""
    players = [find_strategy(spec, rules.game) for spec in lineup]
    block = play_block(make_study(rules, players, 11, deals), 0, deals)
    cubes = StudyCubes.of_block(rules, block)
    names = tuple(player.name for player in players)
    return block, StoredStudy(None, fake_manifest(rules, names, deals), rules, names, cubes)


BLOCK, STUDY = played()
SUMMARY = summarise(STUDY)
OUTCOMES, HANDS = BLOCK.outcomes, BLOCK.openings
WON = OUTCOMES["end"] == EXIT
EXITS = OUTCOMES[WON]
LOST = HANDS["seat"] != OUTCOMES["seat"][:, None]  # of hands: all of a deal without an exit


def check_mean(mean, values, effect=1):
    values = np.asarray(values, float)
    assert mean.n == len(values)
    assert mean.mean == pytest.approx(values.mean())
    assert mean.sd == pytest.approx(values.std(ddof=1))
    half = Z * values.std(ddof=1) * math.sqrt(effect / len(values))
    assert mean.high - mean.mean == pytest.approx(half)
    for share, quantile in mean.quantiles.items():
        assert quantile == np.quantile(values, share, method="inverted_cdf")


def effect_on(player):
    """Variance by session over that of independent deals, of ledger or wins: the larger."""
    won, session = OUTCOMES["winner"] == player, RULES.session_deals
    found = [1.0]
    for values in (won, np.where(won, OUTCOMES["payment"], 0)):
        sums = values.reshape(-1, session).sum(axis=1)
        found.append(sums.var(ddof=1) / (session * values.var(ddof=1)))
    return max(found)


def check_rate(rate, event, effect=1):
    assert (rate.count, rate.trials) == (event.sum(), event.size)
    alone = proportion(int(event.sum()), event.size, 0.95, effect)
    assert (rate.low, rate.high) == (alone.low, alone.high)


# -- Against the raw records -----------------------------------------------------------------------


def test_the_study_has_what_is_to_be_counted():
    assert 0 < (EXITS["kind"] == RUMMY).sum() < len(EXITS) < DEALS
    assert 0 < EXITS["thrown"].sum() < len(EXITS)
    assert BLOCK.behaviour[1, 4] > 0, "the keeper declines to lay"


def test_exits():
    for code, name in enumerate(("rummy", "ordinary")):
        check_rate(SUMMARY.exits[name], OUTCOMES["kind"] == code)
    for code, name in enumerate(("exit", "drawn", "capped")):
        check_rate(SUMMARY.ends[name], OUTCOMES["end"] == code)
    check_rate(SUMMARY.going_rummy, EXITS["kind"] == RUMMY)
    check_rate(SUMMARY.last_card["thrown"], EXITS["thrown"] == 1)
    check_rate(SUMMARY.last_card["laid"], EXITS["thrown"] == 0)
    for seat in SUMMARY.seats:
        here = OUTCOMES["seat"] == seat.number
        check_rate(seat.wins, here)
        check_rate(seat.rummy, here & (OUTCOMES["kind"] == RUMMY))
        check_rate(seat.ordinary, here & (OUTCOMES["kind"] != RUMMY))


def test_scores():
    check_mean(SUMMARY.payment, EXITS["payment"])
    for code, name in enumerate(("rummy", "ordinary")):
        check_mean(SUMMARY.score_by_kind[name], EXITS["payment"][EXITS["kind"] == code])
    ends = [*RANGES[1:], 10**6]
    shown = list(SUMMARY.scores)
    for place, (low, high) in enumerate(zip(RANGES, ends, strict=True)):
        inside = (EXITS["payment"] >= low) & (EXITS["payment"] < high)
        name = range_name(place)
        if name in SUMMARY.scores:
            check_rate(SUMMARY.scores[name], inside)
        else:
            assert not inside.any()
    assert shown == [range_name(k) for k in range(len(RANGES)) if range_name(k) in shown]
    assert sum(share.count for share in SUMMARY.scores.values()) == len(EXITS)


def test_ranges_of_points():
    assert ranges_of(np.array([0, 4, 5, 9, 10, 99, 100, 149, 150, 300, 999])).tolist() == [
        0, 0, 1, 1, 2, 10, 11, 11, 12, 14, 15,
    ]  # fmt: skip
    names = [range_name(place) for place in (0, 1, 2, 11, 14, 16, len(RANGES) - 1)]
    assert names == [
        "0 to 4", "5 to 9", "10 to 19", "100 to 149", "300 to 499", "1,000 to 1,999",
        "50,000 or more",
    ]  # fmt: skip


def test_no_score_is_above_the_last_range_by_much():
    most = BasicRummyRules(ace_points=100, going_rummy=100)
    pips = points_of(most, range(52))
    assert RANGES[-2] < RANGES[-1] < pips * most.going_rummy == 73_600


@pytest.mark.parametrize("factor", [2, 20, 100])
def test_scores_of_other_rules_are_not_mostly_of_the_last_range(factor):
    rules = BasicRummyRules(seats=6, dealt=3, ace_points=100, going_rummy=factor)
    summary = summarise(played(rules, lineup=["fastest"] * 6, deals=600)[1])
    told = summary.scores
    assert sum(share.count for share in told.values()) == summary.payment.n
    assert f"{range_name(len(RANGES) - 1)}" not in told
    lines = [line for line in render_table(summary).splitlines() if " points" in line]
    assert len(lines) >= len(told)
    assert all(len(line) <= 80 for line in lines)


def test_only_the_winner_scores():
    for seat in SUMMARY.seats:
        mine = np.where(OUTCOMES["seat"] == seat.number, OUTCOMES["payment"], 0)
        check_mean(seat.ledger, mine)
    same = summarise(played(lineup=FOUR, deals=400)[1])
    total = sum(player.ledger.mean for player in same.players)
    assert total == pytest.approx((same.payment.mean or 0) * same.payment.n / 400)
    assert total > 1, "points do not only change hands"


def test_pips_left_in_hands_that_did_not_go_out():
    left = SUMMARY.left
    check_mean(left.any_hand, HANDS["left"][LOST], effect=SEATS)
    for number, mean in enumerate(left.by_player):
        # Players of two strategies: the deals of a session depend on each other.
        check_mean(mean, HANDS["left"][LOST & (HANDS["player"] == number)], effect_on(number))
    others = LOST & (HANDS["player"] != 1)
    effect = 3 * max(map(effect_on, (0, 2, 3)))
    check_mean(left.by_strategy["fastest"], HANDS["left"][others], effect)
    all_others = HANDS["left"].sum(axis=1)[WON]
    check_mean(left.when_won, all_others)
    factor = np.where(EXITS["kind"] == RUMMY, RULES.going_rummy, 1)
    assert (all_others * factor == EXITS["payment"]).all()


def test_pips_of_players_of_one_strategy_take_deals_as_trials():
    block, study = played(lineup=FOUR, deals=400)
    hands = block.openings
    lost = hands["seat"] != block.outcomes["seat"][:, None]
    for number, mean in enumerate(summarise(study).left.by_player):
        check_mean(mean, hands["left"][lost & (hands["player"] == number)])


def test_matches():
    winners, lengths, span, longest = [], [], RULES.counted_together, RULES.match_deals
    assert DEALS % span == 0
    begin = 0
    while begin < DEALS:
        scores, number = [0] * SEATS, 0
        while max(scores) < RULES.target:
            outcome = OUTCOMES[begin + number]
            number += 1
            if outcome["end"] == EXIT:
                scores[outcome["winner"]] += outcome["payment"]
        winners.append(outcome["winner"])
        lengths.append(number)
        begin += -(-number // SEATS) * SEATS
        if begin % span > span - longest:  # a match might reach beyond the span
            begin = (begin // span + 1) * span
    winners = np.array(winners)
    found = SUMMARY.matches
    for number, share in enumerate(found.won):
        check_rate(share, winners == number)
    check_rate(found.won_by_strategy["fastest"], np.isin(winners, [0, 2, 3]))
    check_rate(found.undecided, winners == -1)
    check_mean(found.deals, lengths)
    assert found.longest == max(lengths)
    assert len(lengths) > 100
    assert len(set(lengths)) > 1


def test_matches_that_no_session_decides_are_told():
    rules = with_settings(RULES, ["target=40", "max_rounds=2"])
    found = summarise(played(rules, lineup=FOUR, deals=400)[1]).matches
    assert found.undecided.count > 0
    assert found.undecided.count + sum(share.count for share in found.won) >= 400 // 40 * 4 // 5


def test_dealt_hands():
    found = SUMMARY.hands
    check_mean(found.deadwood, HANDS["deadwood"].ravel(), effect=SEATS)
    check_mean(found.melded, HANDS["melded"].ravel(), effect=SEATS)
    for cards, share in found.melds.items():
        check_rate(share, HANDS["melded"] == cards, effect=SEATS)
    won = ~LOST
    points = np.where(won, OUTCOMES["payment"][:, None], 0)
    turns = np.broadcast_to(-(-OUTCOMES["turns"] // SEATS)[:, None], won.shape)
    ranges = ranges_of(HANDS["deadwood"])
    for sorts, fates in (
        (HANDS["melded"], found.by_melded),
        (np.array([range_name(k) for k in ranges.ravel()]).reshape(ranges.shape),
         found.by_deadwood),
    ):  # fmt: skip
        assert set(fates) == set(np.unique(sorts).tolist())
        for sort, fate in fates.items():
            here = sorts == sort
            assert (fate.wins.count, fate.wins.trials) == (won[here].sum(), here.sum())
            assert fate.points.mean == pytest.approx(points[here].mean())
            mine = turns[here & won]
            if len(mine):
                assert fate.own_turns.mean == pytest.approx(mine.mean())


def test_cards_laid():
    laid = BLOCK.faces[:52, 0].reshape(4, 13).sum(axis=0)
    assert laid.sum() == BLOCK.behaviour[:, 3].sum(), "by face and by player"
    assert list(SUMMARY.ranks_laid) == list("A23456789TJQK")
    for rate, count in zip(SUMMARY.ranks_laid.values(), laid, strict=True):
        assert (rate.count, rate.trials) == (count, 4 * DEALS)
        one_card = proportion(round(count / 4), DEALS, 0.95)
        assert rate.high - rate.low == pytest.approx(one_card.high - one_card.low, 1e-2)
    for player in SUMMARY.players:
        assert player.behaviour["layings_declined"] == BLOCK.behaviour[player.number, 4]


# -- What can be named -----------------------------------------------------------------------------


def index_of(metric):
    return metric.keys(RULES)[-1] if metric.keys else ""


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_each_metric_is_in_the_summary(metric):
    name = f"{metric.name}[{index_of(metric)}]" if metric.index else metric.name
    found, key = find_metric(name, RULES)
    assert found is metric
    figure = metric.get(SUMMARY, key)
    assert isinstance(figure, Estimate if metric.bounds is None else Mean)
    if metric.bounds:
        low, high = metric.within(SUMMARY)
        assert low < figure.mean < high
        assert low <= min(figure.quantiles.values())
        assert max(figure.quantiles.values()) <= high


def test_a_number_of_cards_in_melds_that_no_hand_had_is_a_rate_too():
    never = next(cards for cards in (7, 5) if cards not in SUMMARY.hands.melds)
    figure = METRICS["melds"].get(SUMMARY, str(never))
    check_rate(figure, HANDS["melded"] == never, effect=SEATS)


def test_bounds_of_scores():
    two = with_settings(RULES, ["seats=2", "dealt=3", "ace_points=20", "going_rummy=3"])
    # Three aces of 20 left, by going rummy; a deuce is the least.
    assert METRICS["score"].allowed(two) == (2, 180)
    assert METRICS["ledger"].allowed(two) == (0, 180)
    assert METRICS["left"].allowed(two) == (2, 60)
    # 16 court cards and tens, four nines and an eight in three hands of seven.
    assert METRICS["score"].allowed(RULES) == (3, 2 * (160 + 36 + 8))


# -- What the rules make impossible ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "event", "expected"),
    [
        ([], "drawn", False),
        (["recycles=unlimited"], "drawn", True),
        (["recycles=0", "max_rounds=5"], "drawn", True),  # 20 turns, 23 cards in the stock
        (["recycles=0", "max_rounds=6"], "drawn", False),
        (["recycles=0"], "recycled", True),
        ([], "recycled", False),
        (["max_rounds=1"], "ordinary", True),
        (["max_rounds=2"], "ordinary", False),
        (["must_discard_to_go_out=true"], "last_card_laid", True),
        ([], "last_card_laid", False),
    ],
)
def test_what_is_impossible(settings, event, expected):
    rules = with_settings(RULES, settings)
    assert (event in impossible_events(rules)) == expected


@pytest.mark.parametrize(
    ("settings", "event"),
    [
        ("recycles=unlimited max_rounds=40", lambda s: s.ends["drawn"]),
        ("recycles=0 max_rounds=5", lambda s: s.ends["drawn"]),
        ("recycles=0", lambda s: s.recycled),
        ("max_rounds=1", lambda s: s.exits["ordinary"]),
        ("must_discard_to_go_out=true", lambda s: s.last_card["laid"]),
    ],
)
def test_what_is_impossible_does_not_happen(settings, event):
    found = event(summarise(played(with_settings(RULES, settings.split()), deals=400)[1]))
    assert (found.method, found.count, found.low) == (STRUCTURAL, 0, None)
    assert found.reason


# -- Output ----------------------------------------------------------------------------------------


def test_the_table_fits_a_terminal_and_has_the_words_of_the_game():
    table = render_table(SUMMARY)
    lines = table.split("\n")
    assert max(map(len, lines)) <= 80
    assert all(line.isprintable() for line in lines)
    assert "nan" not in table.lower().replace("finance", "")
    for words in (
        "deadlock (drawn)",
        "going rummy",
        "score [points]",
        "(score 0)",
        "deadwood",
        "Matches to 100",
    ):
        assert words in table
    for words in ("opponent", "payment", "wild", "joker"):
        assert words not in table
    rate = SUMMARY.ends["drawn"]
    row = next(line for line in lines if line.startswith("  deadlock (drawn)"))
    assert row.split()[2:4] == [f"{rate.count:,}", f"{rate.rate:.3f}"]


def test_pages_and_charts_have_the_words_of_the_game():
    texts = [
        *findings(SUMMARY),
        *(str(cell) for each in study_tables(SUMMARY) for row in each.rows for cell in row),
        *(each.title for each in study_tables(SUMMARY)),
        *(f"{chart.alt} {chart.finding}" for chart in charts(SUMMARY)),
    ]
    whole = "\n".join(texts)
    assert "deadlock" in whole
    for words in ("opponent", "payment", "wild", "joker"):
        assert words not in whole
    names = [chart.name for chart in charts(SUMMARY)]
    assert len(set(names)) == len(names)
    assert {"scores", "scores-log", "left", "melds"} <= set(names)


def test_bars_of_scores_have_all_exits(monkeypatch):
    drawn = {}

    def payments_chart(summary, shares, *, width, **words):
        drawn[width] = shares

    monkeypatch.setattr(rummy_plots, "payments_chart", payments_chart)
    rummy_plots.rummy_charts(SUMMARY)
    ((width, shares),) = drawn.items()
    assert width == bar_width(SUMMARY.payment.quantiles[0.99]) > 1
    for first, share in shares.items():
        check_rate(share, (EXITS["payment"] >= first) & (EXITS["payment"] < first + width))
    assert sum(share.count for share in shares.values()) == len(EXITS)


@pytest.mark.parametrize(("most", "width"), [(0, 1), (40, 1), (41, 2), (81, 5), (1e20, 10**9)])
def test_few_bars_hold_all_numbers(most, width):
    assert bar_width(most) == width


def test_json():
    found = json.loads(json.dumps(SUMMARY.to_json(), allow_nan=False))
    assert list(found) == [
        "deals", "seed", "ends", "exits", "rummy_by_seat", "going_rummy", "last_card",
        "score_by_kind", "score", "ledger", "length", "left", "matches", "ranks_laid", "openings",
    ]  # fmt: skip
    assert sum(each["count"] for each in found["score"]) == len(EXITS)
    assert found["going_rummy"]["count"] == (EXITS["kind"] == RUMMY).sum()
    assert len(found["left"]["by_player"]) == SEATS


@pytest.mark.parametrize("settings", ["max_rounds=1", "seats=2", "seats=6"])
def test_studies_of_all_sorts_are_told(settings):
    rules = with_settings(RULES, [settings])
    _, study = played(rules, lineup=(KEEPER,) * rules.seats, deals=20)
    summary = summarise(study)
    table = render_table(summary)
    assert max(map(len, table.split("\n"))) <= 80
    json.dumps(summary.to_json(), allow_nan=False)
    assert charts(summary)
    assert study_tables(summary)


def test_a_study_without_deals_is_told():
    names = ("fastest",) * SEATS
    cubes = StudyCubes.empty(STUDY.files, SEATS)
    summary = summarise(StoredStudy(None, fake_manifest(RULES, names, 0), RULES, names, cubes))
    assert "no trials" in render_table(summary)
    json.dumps(summary.to_json(), allow_nan=False)
    assert charts(summary)
    assert findings(summary)
