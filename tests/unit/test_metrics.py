"""The figures that a user may name: what may stand in brackets, their values and their bounds."""

import math

import pytest

from continental_sim.figures.continental_metrics import CONTINENTAL_METRICS as METRICS
from continental_sim.figures.estimates import Estimate, Mean
from continental_sim.figures.metrics import find_metric
from continental_sim.rules import ContinentalRules, with_settings
from tests.summaries import summary_of

RULES = ContinentalRules()
SUMMARY = summary_of()


def index_of(metric, rules=RULES):
    """Something that may stand in the brackets of a metric."""
    return metric.keys(rules)[1] if metric.keys else ""


def named(metric):
    return f"{metric.name}[{index_of(metric)}]" if metric.index else metric.name


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_each_metric_is_in_the_summary(metric):
    rules = with_settings(RULES, ["recycles=1"])  # nothing is impossible under these
    found, key = find_metric(named(metric), rules)
    assert found is metric
    figure = metric.get(summary_of(rules), key)
    assert isinstance(figure, Estimate if metric.bounds is None else Mean)


@pytest.mark.parametrize("metric", [each for each in METRICS.values() if each.bounds], ids=str)
def test_no_value_lies_out_of_the_bounds_of_its_mean(metric):
    low, high = metric.within(SUMMARY)
    mean = metric.get(SUMMARY, index_of(metric))
    assert low < mean.mean < high
    assert low <= min(mean.quantiles.values())
    assert max(mean.quantiles.values()) <= high


def test_metrics_are_those_of_the_json_where_both_have_them():
    plain = SUMMARY.to_json()
    for name in ("one_suit", "natural"):
        assert METRICS[name].get(SUMMARY, "").to_json() == plain[name]
    for kind, rate in plain["exits"].items():
        assert METRICS[f"exits.{kind}"].get(SUMMARY, "").to_json() == rate
    for name in ("first_turn_by_seat", "by_first_turn_by_seat"):
        assert METRICS[name].get(SUMMARY, "2").to_json() == plain[name][2]
    assert METRICS["ledger"].get(SUMMARY, "3").mean == plain["ledger"][3]["mean"]
    assert METRICS["turns"].get(SUMMARY, "").to_json() == plain["length"]["turns"]


@pytest.mark.parametrize("name", ["payments[7]", "deuces_exposed[8]", "distances[14]"])
def test_a_value_that_has_not_occurred_has_a_bound(name):
    metric, key = find_metric(name, RULES)
    figure = metric.get(SUMMARY, key)
    trials = {"exits": SUMMARY.ends["exit"].count, "hands": SUMMARY.openings.distance.n}
    if name == "payments[7]":  # it may occur: find one that has not
        key = str(next(paid for paid in range(2, 34) if paid not in SUMMARY.payments))
        figure = metric.get(SUMMARY, key)
    assert (figure.count, figure.trials) == (0, trials[metric.unit])
    assert 0 < figure.high < 0.01


def test_the_highest_payment_is_one_that_can_be_paid():
    # 8 deuces and 2 jokers, dealt, in one suit
    assert METRICS["payment"].allowed(RULES) == (1 + 1, 1 + 8 + 2 * 2 + 10 + 10)
    natural = with_settings(RULES, ["pay_no_wild=50", "pay_first_turn=30"])
    assert METRICS["payment"].allowed(natural) == (1 + 1, 1 + 50 + 30 + 10)
    assert METRICS["ledger"].allowed(natural) == (-91, 3 * 91)
    assert METRICS["session_ledger"].allowed(natural) == (-4 * 91, 12 * 91)


@pytest.mark.parametrize(
    ("settings", "name", "keys"),
    [
        ([], "jokers_exposed", range(3)),
        ([], "deuces_exposed", range(9)),
        ([], "payments", range(2, 34)),
        # A natural in each run of 4+4+4+3 leaves room for 11 jokers.
        (["jokers=50"], "jokers_exposed", range(12)),
        (["jokers=50", "min_naturals_per_run=0"], "jokers_exposed", range(16)),
        (["max_wilds_per_run=0"], "deuces_exposed", range(6)),  # in the own place, one a run
        (["max_wilds_per_run=1", "natural_two_counts=false"], "deuces_exposed", range(6)),
        (["melds=groups", "max_wilds_per_run=0"], "deuces_exposed", range(1)),
        # 36 naturals for 36 cards or fewer: some hands of 15 do without a wild card.
        (["wild_ranks=2,3,4", "packs=1", "jokers=0", "seats=2"], "deuces_exposed", range(13)),
        # Only 12 naturals, 3 in a suit: each exit has 3 wild cards or more, in one suit 12.
        (
            ["wild_ranks=A,2,3,4,5,6,7,8,9,T", "packs=1", "jokers=0", "seats=2", "pay_deuce=3"],
            "payments",
            sorted(
                {1 + 3 * wild + timing for wild in range(3, 16) for timing in (0, 7, 10)}
                | {11 + 3 * wild + timing for wild in range(12, 16) for timing in (0, 7, 10)}
            ),
        ),
        # A card shows its suit, a joker none, and nobody goes out after the first turn.
        (
            ["one_suit=physical", "pay_joker=100", "pay_deuce=0", "max_rounds=1"],
            "payments",
            sorted({1 + n + t for n in (0, 10, 20, 100, 200) for t in (7, 10)}),
        ),
    ],
)
def test_what_may_stand_in_brackets_is_what_an_exit_may_show(settings, name, keys):
    rules = with_settings(RULES, settings)
    assert METRICS[name].keys(rules) == tuple(map(str, keys))


def test_the_longest_deal_is_the_cap_only_if_one_was_capped():
    assert METRICS["turns"].within(SUMMARY) == METRICS["turns"].allowed(RULES)
    assert METRICS["turns"].allowed(RULES) == (1, RULES.seats * RULES.max_rounds)
    never = summary_of(ends=(1.0, 0.0, 0.0))
    longest = max(turn for turns in never.exits_by_turn.values() for turn in turns)
    assert METRICS["turns"].within(never) == (1, longest)


@pytest.mark.parametrize("seats", [2, 4])
def test_hands_and_sessions_bring_their_dependence_along(seats):
    rules = with_settings(RULES, [f"seats={seats}"])
    figures = summary_of(rules)
    for name in ("distance", "distances[4]", "distances[14]"):
        metric, key = find_metric(name, rules)
        assert metric.get(figures, key).design_effect == seats
        assert metric.get(figures, key).to_json().keys().isdisjoint({"design_effect"})
    ledger = figures.players[0].ledger
    z = 1.959964
    wide = (ledger.high - ledger.low) / (2 * z * ledger.sd / math.sqrt(figures.deals))
    assert wide**2 == pytest.approx(ledger.design_effect, rel=1e-4)
    assert figures.seats[0].ledger.design_effect == 1
