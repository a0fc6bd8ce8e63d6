"""Laws of spans: what is missing, and how it is cut."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from continental_sim.spans import Span, cut, gaps, tapered

PLACES = st.integers(0, 60)
SPANS = st.builds(lambda first, deals: Span(first, first + deals), PLACES, st.integers(1, 20))


def deals_of(*spans):
    return {deal for span in spans for deal in range(span.first, span.end)}


@given(st.lists(SPANS), SPANS)
def test_gaps_are_what_of_the_whole_is_in_no_span(done, whole):
    found = list(gaps(done, whole))
    assert deals_of(*found) == deals_of(whole) - deals_of(*done)
    assert sum(span.deals for span in found) == len(deals_of(*found))
    assert all(span.deals > 0 for span in found)
    # In order, and never two where one would do.
    assert all(one.end < two.first for one, two in pairwise(found))


@given(SPANS, st.integers(1, 9))
def test_blocks_are_cut_at_multiples_wherever_the_span_begins(span, deals):
    blocks = list(cut(span, deals))
    assert blocks[0].first == span.first
    assert blocks[-1].end == span.end
    for one, two in pairwise(blocks):
        assert one.end == two.first
        assert one.end % deals == 0
    assert all(0 < block.deals <= deals for block in blocks)


@given(SPANS, SPANS, st.integers(1, 9))
def test_the_blocks_of_two_spans_meet_only_where_the_spans_do(one, two, deals):
    mine, others = set(cut(one, deals)), set(cut(two, deals))
    whole = {block for block in mine | others if block.deals == deals}
    assert {block for block in whole if one.holds(block) and two.holds(block)} <= mine & others


@given(SPANS, SPANS)
def test_spans_hold_and_meet_as_sets_of_deals_do(one, two):
    assert one.holds(two) == (deals_of(two) <= deals_of(one))
    assert one.meets(two) == bool(deals_of(one) & deals_of(two)) == two.meets(one)


def test_an_empty_span_is_one_of_no_blocks_and_no_gaps():
    assert not list(cut(Span(5, 5), 3))
    assert not list(gaps([], Span(5, 5)))


@pytest.mark.parametrize(
    ("span", "text"), [(Span(0, 4), "deals 0 to 3"), (Span(7, 8), "deals 7 to 7")]
)
def test_a_span_is_told_with_its_last_deal(span, text):
    assert str(span) == text


@given(SPANS, st.integers(1, 9), st.integers(0, 4))
def test_the_last_blocks_are_cut_smaller_and_none_is_lost(span, deals, count):
    blocks = list(cut(span, 2 * deals))
    found = list(tapered(blocks, count, deals))
    middle = max(len(blocks) - count, 0)
    whole, last = blocks[:middle], blocks[middle:]
    assert found[: len(whole)] == whole
    assert found[len(whole) :] == [part for block in last for part in cut(block, deals)]
