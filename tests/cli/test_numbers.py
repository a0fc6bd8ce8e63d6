"""Numbers as people type them."""

import pytest
import typer

from continental_sim import study
from continental_sim.cli.numbers import (
    DEALS,
    DURATION,
    LEVEL,
    MAX_DEALS,
    MAX_SEED,
    SEED,
    read_whole,
)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1", 1),
        ("1e6", 10**6),
        ("1E6", 10**6),
        ("1e+6", 10**6),
        ("1_000_000", 10**6),
        ("1M", 10**6),
        ("1m", 10**6),
        ("10k", 10**4),
        ("2.5M", 2_500_000),
        ("1.5e3", 1500),
        ("2G", 2 * 10**9),
        ("+5", 5),
        (" 7 ", 7),
        ("1e15", MAX_DEALS),
    ],
)
def test_deals_that_are_understood(text, number):
    assert DEALS(text) == number


REFUSED = """
    0 -1 -1e9 1e400 1e999999999 nan inf 2.5 1e-3 1e 1_ _1 1__0 1e16 ten 0x10 1kk 1T 1001T --5
""".split()


@pytest.mark.parametrize("text", [*REFUSED, "", "1 0", "9" * 300, "9" * 5000])
def test_deals_that_are_refused_with_the_value_and_the_limit(text):
    with pytest.raises(typer.BadParameter) as refused:
        DEALS(text)
    assert text[:20] in refused.value.message
    assert "from 1 to 1,000,000,000,000,000" in refused.value.message


def test_seeds_have_64_bits():
    assert SEED("0") == 0
    assert SEED(str(MAX_SEED)) == MAX_SEED
    for text in (str(MAX_SEED + 1), "-1", "0.5"):
        with pytest.raises(typer.BadParameter, match="from 0 to 18,446,744,073,709,551,615"):
            SEED(text)


@pytest.mark.parametrize(
    ("text", "level"), [("0.95", 0.95), ("95%", 0.95), (".5", 0.5), ("1e-3", 1e-3)]
)
def test_levels_that_are_understood(text, level):
    assert LEVEL(text) == level


@pytest.mark.parametrize("text", ["0", "1", "95", "100%", "-0.5", "nan", "inf", "high", ""])
def test_levels_that_are_refused(text):
    with pytest.raises(typer.BadParameter, match="between 0 and 1"):
        LEVEL(text)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("0.1", 0.1), ("5", 5), (" 7 ", 7), ("10s", 10), ("10S", 10), ("2.5s", 2.5), ("2m", 120),
        ("1.5h", 5400), ("0.5d", 43200), ("30d", 2_592_000), ("2592000", 2_592_000), ("2 m", 120),
        (60.0, 60),
    ],
)  # fmt: skip
def test_durations_that_are_understood(text, seconds):
    assert DURATION(text) == seconds


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0", "too short"), ("-5", "too short"), ("0.09", "too short"), ("-inf", "too short"),
        ("30.001d", "too long"), ("1e9", "too long"), ("1e999", "too long"), ("inf", "too long"),
        ("nan", "is not"), ("nanm", "is not"), ("", "is not"), ("s", "is not"), ("5x", "is not"),
        ("5ms", "is not"), ("1h30m", "is not"), ("soon", "is not"), ("9" * 300, "too long"),
    ],
)  # fmt: skip
def test_durations_that_are_refused_with_the_value_and_the_limit(text, why):
    with pytest.raises(typer.BadParameter, match=why) as refused:
        DURATION(text)
    assert text[:20] in refused.value.message
    assert "from 0.1 seconds to 30 days" in refused.value.message
    assert len(refused.value.message) < 150


def test_digits_are_kept_exactly():
    assert read_whole("18446744073709551615", MAX_SEED) == MAX_SEED
    assert read_whole("18446744073709551615.000000000000000000001", MAX_SEED) is None


def test_limits_are_those_of_a_study():
    assert MAX_DEALS == study.MOST_DEALS
    assert MAX_SEED == study.SEED_LIMIT - 1
