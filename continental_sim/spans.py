"""Spans of consecutive deals: what is done, what is missing, how it is cut into blocks."""

from collections import deque
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

NEIGHBOURS: Final = 16  # blocks that make a larger one: how they are cut smaller, and parts joined


class Span(NamedTuple):
    """The deals first .. end - 1."""

    first: int
    end: int

    @property
    def deals(self) -> int:
        """How many there are."""
        return self.end - self.first

    def __str__(self) -> str:
        return f"deals {self.first} to {self.end - 1}"

    def holds(self, other: "Span") -> bool:
        """Tell whether all of `other` lies in this one."""
        return self.first <= other.first and other.end <= self.end

    def meets(self, other: "Span") -> bool:
        """Tell whether any deal is in both."""
        return self.first < other.end and other.first < self.end


def gaps(done: Iterable[Span], whole: Span) -> Iterator[Span]:
    """Yield what of `whole` is in none of the spans that are done, in order."""
    place = whole.first
    for span in sorted(done):
        if span.first >= whole.end:
            break
        if span.first > place:
            yield Span(place, span.first)
        place = max(place, span.end)
    if place < whole.end:
        yield Span(place, whole.end)


def cut(span: Span, deals: int) -> Iterator[Span]:
    """Cut a span at the multiples of `deals`: the same blocks wherever the span begins."""
    place = span.first
    while place < span.end:
        end = min((place // deals + 1) * deals, span.end)
        yield Span(place, end)
        place = end


def tapered(spans: Iterable[Span], count: int, deals: int) -> Iterator[Span]:
    """Yield spans, the last of them cut smaller: whoever shares them out ends at the same time.

    Parameters
    ----------
    spans : iterable of Span
    count : int
        How many are cut.
    deals : int
        As for `cut`.
    """
    last: deque[Span] = deque()
    for span in spans:
        last.append(span)
        if len(last) > count:
            yield last.popleft()
    for span in last:
        yield from cut(span, deals)
