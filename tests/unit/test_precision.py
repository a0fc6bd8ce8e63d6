"""Targets as they are read and refused, the plan of the looks, and the verdict on a study."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from continental_sim.errors import ContsimError
from continental_sim.figures.estimates import Estimate, Mean, mean_of, proportion
from continental_sim.figures.precision import (
    FIRST_LOOK,
    LEAST_EVENTS,
    NARROWEST,
    Target,
    Verdict,
    judge,
    look_plan,
    read_target,
    weigh,
)
from continental_sim.rules import ContinentalRules, with_settings
from tests.summaries import summary_of

RULES = ContinentalRules()
SUMMARY = summary_of()


# -- Targets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "metric", "width", "relative"),
    [
        ("exits.first_turn=1%", "exits.first_turn", 0.01, True),
        (" ledger[0] = 0.01 ", "ledger[0]", 0.01, False),
        ("one_suit=5 %", "one_suit", 0.05, True),
        ("patterns[4+4+4+3]=1e-3", "patterns[4+4+4+3]", 0.001, False),
        ("turns=2", "turns", 2.0, False),
        ("payments[ 10 ]=7%", "payments[10]", 0.07, True),
    ],
)
def test_targets_are_read(text, metric, width, relative):
    assert read_target(text, RULES) == Target(metric, width, relative)


@given(width=st.floats(1e-14, 0.49), relative=st.booleans())
def test_a_target_reads_back(width, relative):
    target = Target("exits.first_turn", width, relative)
    assert read_target(str(target), RULES) == target


def test_a_target_is_written_as_it_was_typed():
    for text in ("exits.first_turn=1%", "ledger[0]=0.01", "one_suit=0.5%", "turns=2%"):
        assert str(read_target(text, RULES)) == text


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ledger[0]", "is no target: write METRIC=WIDTH, such as ledger[0]=0.01"),
        ("=1%", "is no target"),
        ("one_suit=", "is no target"),
        ("exit.first_turn=1%", "did you mean exits.first_turn?"),
        ("legder[0]=1", "did you mean ledger[PLAYER]?"),
        ("qqqqqq=1%", "use ends.exit, ends.drawn"),
        ("ledger=0.1", "does not say which player: write ledger[PLAYER], such as ledger[0]"),
        ("ledger[0=0.1", "does not say which player"),
        ("ledger[4]=0.1", "player is 0 to 3"),
        ("ledger[-1]=0.1", "player is 0 to 3"),
        ("ledger[00]=0.1", "player is 0 to 3"),
        ("dealt_by_seat[9]=1%", "seat is 0 to 3"),
        ("distances[16]=1%", "cards is 0 to 15"),
        ("payments[34]=1%", "points is 2 to 33: name one of these"),
        ("payments[1]=1%", "points is 2 to 33: name one of these"),
        ("jokers_exposed[3]=1%", "cards is 0 to 2: name one of these"),
        ("deuces_exposed[9]=1%", "cards is 0 to 8: name one of these"),
        ("patterns[5+5+5]=1%", "pattern is 3+3+3+3+3, 4+4+4+3 or 5+4+3+3"),
        ("one_suit[0]=1%", "cannot have brackets: write one_suit"),
        ("one_suit=wide", "is not a finite number"),
        ("one_suit=nan%", "is not a finite number"),
        ("one_suit=inf", "is not a finite number"),
        ("one_suit=snan", "is not a finite number"),
        ("ledger[0]=1e400", "is not a finite number"),
        ("one_suit=1e999999999%", "is not a finite number"),
        ("one_suit=0", "must be positive"),
        ("one_suit=-1%", "must be positive"),
        ("one_suit=1e-14%", f"at least {NARROWEST:g}"),
        ("one_suit=1e-999999999", "must be positive"),
        ("one_suit=100%", "as large as the figure itself: write less than 100 %"),
        ("one_suit=0.5", "between 0 and 1: write less than 0.5, or one_suit=1% for"),
        ("payment=1000", "payment lies between 2 and 33: write less than 15.5, or payment=1% for"),
        ("payment=15.5", "asks nothing"),
        ("session_share[0]=0.9", "between 0 and 1: write less than 0.5, or session_share[0]=1%"),
        ("ledger[2]=66", "ledger lies between -33 and 99: write less than 66"),
        ("session_ledger[2]=264", "between -132 and 396: write less than 264"),
        ("turns=1000", "turns lies between 1 and 2000: write less than 999.5"),
        ("rounds=250", "between 1 and 500"),
        ("distance=7.5", "between 0 and 15"),
        ("jokers=1", "between 0 and 2: write less than 1, or jokers=1% for"),
        ("ledger[1]=1%", "ledger may be 0: give a half width in points, such as ledger[1]=0.01"),
        ("session_ledger[1]=1%", "cannot be relative"),
        ("ledger_by_seat[1]=1%", "cannot be relative"),
    ],
)
def test_targets_that_make_no_sense_are_refused(text, says):
    with pytest.raises(ContsimError) as refusal:
        read_target(text, RULES)
    assert says in str(refusal.value)
    assert text.partition("=")[0].strip() in str(refusal.value)
    assert "\n" not in str(refusal.value)


def test_a_long_name_is_not_repeated_whole():
    with pytest.raises(ContsimError) as refusal:
        read_target("x" * 10_000 + "=1%", RULES)
    assert len(str(refusal.value)) < 1000


def test_gaps_between_what_may_stand_in_brackets_are_told():
    rules = with_settings(RULES, ["pay_joker=100", "pay_deuce=0", "pay_one_suit=0"])
    says = r"points is 1, 8, 11, 18, 21, 101, 108, 111, 201, 208 or 211: name one of these"
    with pytest.raises(ContsimError, match=says):
        read_target("payments[2]=1%", rules)
    plain = [f"pay_{bonus}=0" for bonus in ("first_turn", "dealt", "one_suit")]
    rules = with_settings(RULES, [*plain, "pay_no_wild=12", "jokers=0"])
    with pytest.raises(ContsimError, match="points is 2 to 9 or 13: name one of these"):
        read_target("payments[11]=1%", rules)


@pytest.mark.parametrize("text", ["payment=1%", "payments[3]=1%", "ledger[0]=1"])
def test_payments_that_are_always_equal_need_no_study(text):
    nothing = [f"pay_{what}=0" for what in ("deuce", "joker", "no_wild", "one_suit")]
    same = with_settings(RULES, [*nothing, "pay_first_turn=0", "pay_dealt=0", "pay_exit=3"])
    if text.startswith("ledger"):  # a ledger is known only if nothing is paid at all
        assert read_target(text, same).width == 1
        same = with_settings(same, ["pay_exit=0"])
    with pytest.raises(ContsimError, match="known without a deal, since the rules allow only one"):
        read_target(text, same)


@pytest.mark.parametrize(
    ("setting", "text", "reason"),
    [
        ("seats=4", "ends.drawn=1%", "can always be recycled"),
        ("max_rounds=1", "exits.later=1%", "max_rounds = 1"),
        ("max_rounds=1", "later_by_seat[0]=1%", "max_rounds = 1"),
        ("recycles=0", "recycled=1%", "recycles = 0 forbids it"),
        ("recycles=0", "recycles=1%", "recycles = 0 forbids it"),
        ("deuces_wild=false", "deuces=1%", "no rank is wild"),
        ("deuces_wild=false", "deuces_exposed[0]=1%", "no rank is wild"),
        ("jokers=0", "jokers=1%", "no joker is in the pack"),
        ("jokers=0", "jokers_exposed=1%", "no joker is in the pack"),
        ("max_wilds_per_run=0", "jokers_exposed[1]=1%", "the rules allow only one value"),
        ("max_wilds_per_run=0", "jokers=1%", "the rules allow only one value"),
        ("max_rounds=1", "rounds=1%", "the rules allow only one value"),
        ("patterns=5+4+3+3", "patterns[5+4+3+3]=1%", "the rules allow only one value"),
    ],
)
def test_what_the_rules_settle_is_refused(setting, text, reason):
    with pytest.raises(ContsimError, match=reason):
        read_target(text, with_settings(RULES, [setting]))


# -- Looks -----------------------------------------------------------------------------------------


@given(
    seed=st.integers(0, 2**64 - 1),
    session=st.integers(2, 12),
    most=st.integers(1, 10**15),
)
def test_looks_are_few_whole_sessions_up_to_the_end(seed, session, most):
    looks = look_plan(seed, session, most)
    assert looks[-1] == most
    assert all(look % session == 0 for look in looks[:-1])
    assert all(first < then for first, then in pairwise(looks))
    assert looks[0] >= min(most, FIRST_LOOK)
    assert looks[0] <= FIRST_LOOK * 4 / 3 + session
    assert all(then <= first * 4 / 3 + session for first, then in pairwise(looks))
    assert len(looks) <= 2 + math.log(max(1.0, most / FIRST_LOOK)) / math.log(4 / 3)


def test_looks_of_a_longer_study_are_those_of_a_shorter_one_and_more():
    short, long = look_plan(5, 4, 10**6), look_plan(5, 4, 10**9)
    assert long[: len(short) - 1] == short[:-1]
    assert len(long) in (40, 41)


def test_the_seed_spreads_the_first_look_evenly():
    first = [look_plan(seed, 1, 10**6)[0] for seed in range(2_000)]
    thirds = np.histogram(first, bins=3, range=(FIRST_LOOK, FIRST_LOOK * 4 / 3))[0]
    assert thirds.sum() == 2_000
    # Standard deviation of each: 21; four of them.
    assert max(abs(thirds - 2_000 / 3)) < 84


# -- Verdicts --------------------------------------------------------------------------------------

OTHERS = ", and only 57 other deals of at least 100"
EXTREME = ", and a single extreme value can still move it too much"
RATE = Target("one_suit", 0.2, relative=True)


def reading_of(figure, target=RATE, bounds=(0, 1), deals=None):
    deals = deals or (figure.trials if isinstance(figure, Estimate) else figure.n)
    return weigh(target, figure, bounds, deals)


def mean_with(counts, values=(0, 10)):
    return mean_of(np.array(values), np.array(counts), 0.95)


def test_a_rate_needs_its_events_and_the_other_trials():
    wide = replace(RATE, width=0.9)
    assert not reading_of(proportion(LEAST_EVENTS - 1, 10**6, 0.95), wide).met
    assert reading_of(proportion(LEAST_EVENTS, 10**6, 0.95), wide).met
    assert not reading_of(proportion(10**6 - LEAST_EVENTS + 1, 10**6, 0.95), wide).met
    assert reading_of(proportion(10**6 - LEAST_EVENTS, 10**6, 0.95), wide).met


def test_trials_that_depend_on_each_other_count_as_fewer():
    wide = replace(RATE, width=0.9)
    few = reading_of(proportion(4 * LEAST_EVENTS - 1, 10**6, 0.95, 4.0), wide)
    assert not few.met
    assert "and only 99 independent events of at least 100" in few.text
    assert few.needed == math.ceil(10**6 * LEAST_EVENTS / (LEAST_EVENTS - 0.25))
    assert reading_of(proportion(4 * LEAST_EVENTS, 10**6, 0.95, 4.0), wide).met
    values, counts = np.array([0, 10]), np.array([10**6, 4 * LEAST_EVENTS - 4])
    ledger = Target("ledger[0]", 1.0, relative=False)
    assert reading_of(mean_of(values, counts, 0.95), ledger, (0, 10)).met
    assert not reading_of(mean_of(values, counts, 0.95, 4.0), ledger, (0, 10)).met


def test_the_larger_side_of_the_interval_counts():
    figure = proportion(101, 10**6, 0.95)
    above = figure.high - figure.rate
    assert above > (figure.high - figure.low) / 2 > figure.rate - figure.low
    assert reading_of(figure, Target("one_suit", above * 1.000001, relative=False)).met
    assert not reading_of(figure, Target("one_suit", above * 0.999999, relative=False)).met


@pytest.mark.parametrize(
    "figure",
    [
        proportion(0, 10**6, 0.95),
        proportion(10**6, 10**6, 0.95),
        proportion(0, 0, 0.95),
        mean_with([500, 0]),
        mean_with([1, 0]),
        mean_with([0, 0]),
    ],
)
def test_without_an_event_or_a_spread_nothing_is_met_or_foretold(figure):
    reading = reading_of(figure, Target("one_suit", 0.49, relative=False), (0, 10))
    assert not reading.met
    assert reading.needed is None
    assert "yet" in reading.text


def test_a_share_of_sessions_that_is_always_one_has_bounds_but_is_not_met():
    always = Mean(1000, 1.0, 0.996, 1.0, 0.0, {}, "Clopper-Pearson")
    assert not reading_of(always, Target("session_share[0]", 0.4, relative=False)).met


def test_a_mean_needs_that_no_single_value_moves_it_far():
    # A value of 10 now and then: one deal moves the mean by 10 / n, the standard error is
    # 10 * sqrt(events) / n, so the mean is as sure as its events are many.
    wide = Target("ledger[0]", 1.0, relative=False)
    few, enough = mean_with([10**6, LEAST_EVENTS - 1]), mean_with([10**6, LEAST_EVENTS + 1])
    assert not reading_of(few, wide, (0, 10)).met
    assert reading_of(enough, wide, (0, 10)).met
    # One that was never seen counts too.
    assert not reading_of(enough, wide, (0, 20)).met


def test_the_estimate_of_what_is_needed():
    figure = proportion(400, 10**6, 0.95)  # a relative half width of 0.1, roughly
    reading = reading_of(figure, replace(RATE, width=0.01))
    assert reading.needed == pytest.approx(10**6 * (reading.half / 0.01 / 4e-4) ** 2, abs=2)
    assert reading.needed == pytest.approx(1e8, rel=0.1)
    few = reading_of(proportion(10, 10**6, 0.95), replace(RATE, width=0.9))
    assert few.needed == 10**7  # the minimum of events decides


def test_what_is_needed_is_told_in_deals_where_others_are_counted():
    sessions = mean_with([100, 300], (0, 1))
    target = Target("session_share[0]", 0.01, relative=False)
    assert reading_of(sessions, target, deals=1600).needed == pytest.approx(
        4 * reading_of(sessions, target).needed, abs=4
    )


def test_a_relative_width_of_a_mean_of_zero_is_never_met():
    even = mean_with([500, 500], (-1, 1))
    reading = reading_of(even, Target("payment", 0.5, relative=True), (-1, 1))
    assert not reading.met
    assert reading.needed is None
    assert "payment = 0.000 ±" in reading.text


@pytest.mark.parametrize(
    ("figure", "text"),
    [
        (proportion(13_300, 10**6, 0.95), "one_suit = 0.01330 ± 1.70 %, wanted ± 20 %"),
        (
            proportion(57, 10**6, 0.95),
            "one_suit = 5.7e-5 ± 29.5 %, wanted ± 20 %, and only 57 events of at least 100",
        ),
        (
            proportion(10**6 - 57, 10**6, 0.95),
            "one_suit = 0.999943 ± 0.00168 %, wanted ± 20 %" + OTHERS,
        ),
        (
            proportion(0, 10**6, 0.95),
            "one_suit: no event in 1,000,000 deals yet, rate 0 .. 3.69e-6 exact",
        ),
        (proportion(9, 9, 0.95), "one_suit: nothing but events in 9 deals yet"),
        (proportion(0, 0, 0.95), "one_suit: no deals yet"),
        (mean_with([9, 0]), "one_suit: no two different values in 9 deals yet"),
        (
            mean_with([9_991, 9], (1, 8)),
            "one_suit = 1.0063 ± 0.409 %, wanted ± 20 %" + EXTREME,
        ),
    ],
)
def test_what_is_said_of_a_target(figure, text):
    assert reading_of(figure, bounds=(0, 10)).text == text


def test_a_study_ends_when_all_targets_are_met():
    met, missed = Target("turns", 1.0, relative=False), Target("one_suit", 0.2, relative=True)
    rounds = Target("ledger[0]", 5.0, relative=False)
    summary = summary_of(deals=20_000, ends=(1.0, 0.0, 0.0))
    assert judge(summary, [met, rounds]).met
    verdict = judge(summary, [met, missed])
    assert not verdict.met
    assert [reading.met for reading in verdict.readings] == [True, False]
    assert verdict.needed == verdict.readings[1].needed > summary.deals
    assert verdict.text == "; ".join(reading.text for reading in verdict.readings)


def test_one_target_of_which_nothing_is_known_leaves_the_need_unknown():
    never = next(f"payments[{paid}]" for paid in range(2, 34) if paid not in SUMMARY.payments)
    targets = [read_target(text, RULES) for text in ("turns=10%", f"{never}=10%")]
    verdict = judge(SUMMARY, targets)
    assert verdict.readings[0].needed is not None
    assert verdict.needed is None
    assert f"{never}: no event in 3,8" in verdict.text


def test_no_targets_end_nothing():
    assert not Verdict(()).met
    assert not judge(SUMMARY, []).met


def test_a_higher_level_wants_more_deals():
    target = read_target("ledger[0]=0.01", RULES)
    needed = [judge(summary_of(level=level), [target]).needed for level in (0.8, 0.95, 0.999)]
    z = [1.2816, 1.9600, 3.2905]
    assert [n / needed[0] for n in needed] == pytest.approx([(x / z[0]) ** 2 for x in z], rel=1e-3)
