"""Events: expressions over the columns of an outcome, such as ``one_suit and deuces == 0``.

An expression is judged on *bounds*: for each row the lowest and the highest value of each column.
For deals that were played both are the same. For deals that are only described it tells what may
happen and what must.
"""

import ast
import difflib
import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from continental_sim.columns import CONTINENTAL, EXIT, Column
from continental_sim.errors import ContsimError
from continental_sim.figures.formats import listed, plain

_SHOWN: Final = 60  # characters of a wrong event that a refusal repeats
_LONGEST: Final = 1000  # characters of an event
_LARGEST: Final = 10**9  # number in an event

# What an event may name. Patterns are sets, which have no place in comparisons.
COLUMNS: Final = {
    column.name: column
    for column in CONTINENTAL.records.columns
    if column.name != "deal" and column.stored != "labels"
}
EXAMPLE: Final = "'one_suit and deuces == 0'"

Numbers: TypeAlias = NDArray[np.float64]
Truths: TypeAlias = NDArray[np.bool_]
Bounds: TypeAlias = tuple[Mapping[str, Numbers], Mapping[str, Numbers]]  # lowest, highest
Span: TypeAlias = tuple[Numbers, Numbers]  # of a number: at least, at most
Truth: TypeAlias = tuple[Truths, Truths]  # of a statement: it must hold, it may hold


@dataclass(frozen=True, slots=True)
class Event:
    """What may happen in a deal.

    Attributes
    ----------
    text : str
        As it was written.
    names : frozenset of str
        The columns that it names.
    judge : callable
        From `Bounds` to `Truth`.
    """

    text: str
    names: frozenset[str]
    judge: Callable[[Bounds], Truth]

    def happened(self, outcomes: NDArray[np.void]) -> Truths:
        """Tell in which deals it happened.

        Parameters
        ----------
        outcomes : records OUTCOME[n]

        Returns
        -------
        bool[n]
        """
        rows = {name: outcomes[name].astype(float) for name in {*self.names, "end"}}
        return self.judge((rows, rows))[0]

    def may_happen(self, bounds: Bounds) -> Truths:
        """Tell for each row of bounds, each with one `end`, whether it may happen within them."""
        return self.judge(bounds)[1]


def read_event(text: str) -> Event:
    """Read an event.

    A statement about a column that only exits have (`kind`, `payment` ...) is false in a deal
    without an exit.

    Parameters
    ----------
    text : str
        Comparisons of columns and whole numbers, and columns that are yes or no, joined by ``and``,
        ``or`` and ``not``; numbers may be added, subtracted and multiplied.

    Raises
    ------
    ContsimError
        If it is anything else: it names what is wrong, and what is known.
    """
    return _Reader(text).event()


class _Reader:
    """Turns the syntax tree of an event into functions of bounds."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.names: set[str] = set()

    def event(self) -> Event:
        if len(self.text) > _LONGEST:
            raise self._refusal(f"is {len(self.text):,} characters long: write at most {_LONGEST}")
        try:
            tree = ast.parse(self.text.strip(), mode="eval").body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            raise self._refusal(
                "is no expression: compare columns with ==, != or <, and join by and, or, not, as "
                f"in {EXAMPLE}"
            ) from None
        judge = self._truth(tree)
        return Event(self.text.strip(), frozenset(self.names), judge)

    # -- Statements ----------------------------------------------------------------------------

    def _truth(self, node: ast.expr) -> Callable[[Bounds], Truth]:
        if isinstance(node, ast.BoolOp):
            parts = [self._truth(each) for each in node.values]
            join = operator.and_ if isinstance(node.op, ast.And) else operator.or_
            return lambda bounds: _joined(join, [part(bounds) for part in parts])
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            inner = self._truth(node.operand)
            return lambda bounds: _opposite(inner(bounds))
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            pairs = zip(sides, node.ops, sides[1:], strict=False)
            compared = [self._comparison(*each) for each in pairs]
            return lambda bounds: _joined(operator.and_, [each(bounds) for each in compared])
        column = self._column(node)
        if column is not None and column.stored == "bool":
            holds = self._bounds_of(column)
            return _where_there_is_one(
                [column], lambda bounds: (holds(bounds)[0] > 0, holds(bounds)[1] > 0)
            )
        raise self._wrong(node, "no statement: compare it, as in deuces == 0")

    def _comparison(
        self, left: ast.expr, sign: ast.cmpop, right: ast.expr
    ) -> Callable[[Bounds], Truth]:
        compare = _COMPARISONS.get(type(sign))
        if compare is None:
            raise self._refusal("has a comparison that is not known: use == != < <= > >=")
        columns: list[Column] = []
        words = self._words(left, right) or self._words(right, left)
        if words:
            if not isinstance(sign, ast.Eq | ast.NotEq):
                raise self._wrong(left, "compared by order, and words have none: use == or !=")
            column, code = words
            columns.append(column)
            one, two = self._bounds_of(column), _constant(code)
        else:
            one, two = self._number(left, columns), self._number(right, columns)
        return _where_there_is_one(columns, lambda bounds: compare(one(bounds), two(bounds)))

    def _words(self, left: ast.expr, right: ast.expr) -> tuple[Column, int] | None:
        """Read a column of words and one of its words; None if the left is no such column."""
        column = self._column(left)
        if column is None or not column.labels:
            return None
        if not isinstance(right, ast.Name) or right.id not in column.labels:
            words = listed(column.labels, "or")
            raise self._wrong(right, f"no {column.name}: it is {words}")
        return column, column.labels.index(right.id)

    # -- Numbers -------------------------------------------------------------------------------

    def _number(self, node: ast.expr, columns: list[Column]) -> Callable[[Bounds], Span]:
        """Read a number; add the columns that it depends on to those given."""
        if isinstance(node, ast.Constant) and type(node.value) is int:
            if node.value > _LARGEST:
                raise self._wrong(node, f"too large: the limit is {_LARGEST:,}")
            return _constant(node.value)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self._number(node.operand, columns)
            return lambda bounds: _minus(_NOTHING, inner(bounds))
        if isinstance(node, ast.BinOp):
            combine = _OPERATIONS.get(type(node.op))
            if combine is None:
                raise self._wrong(node, "not computed: only + - * are")
            one, two = self._number(node.left, columns), self._number(node.right, columns)
            return lambda bounds: combine(one(bounds), two(bounds))
        column = self._column(node)
        if column is None:
            raise self._wrong(node, "neither a column nor a whole number")
        if column.stored == "bool":
            raise self._wrong(node, f"yes or no: write {column.name} or not {column.name}")
        if column.labels:
            raise self._wrong(node, f"a word: write {column.name} == {column.labels[0]}")
        columns.append(column)
        return self._bounds_of(column)

    def _column(self, node: ast.expr) -> Column | None:
        """Find the column that a name names; None if it is no name."""
        if not isinstance(node, ast.Name):
            return None
        if node.id not in COLUMNS:
            words = {word: each for each in COLUMNS.values() for word in each.labels}
            if node.id in words:
                column = words[node.id]
                raise self._wrong(
                    node, f"a word of {column.name}: write {column.name} == {node.id}"
                )
            near = difflib.get_close_matches(node.id, [*COLUMNS, *words], n=1)
            known = f"did you mean {near[0]}?" if near else f"there are {', '.join(COLUMNS)}"
            raise self._wrong(node, f"no column: {known}")
        return COLUMNS[node.id]

    def _bounds_of(self, column: Column) -> Callable[[Bounds], Span]:
        self.names.add(column.name)
        return lambda bounds: (bounds[0][column.name], bounds[1][column.name])

    def _wrong(self, node: ast.expr, why: str) -> ContsimError:
        return self._refusal(f"cannot be read, as {plain(ast.unparse(node), _SHOWN)} is {why}")

    def _refusal(self, what: str) -> ContsimError:
        return ContsimError(f"event {plain(self.text, _SHOWN)!r} {what}")


# -- How bounds are computed and compared ------------------------------------------------------

_NOTHING: Final[Span] = (np.zeros(1), np.zeros(1))


def _constant(value: int) -> Callable[[Bounds], Span]:
    span = (np.array([float(value)]), np.array([float(value)]))
    return lambda _: span


def _plus(one: Span, two: Span) -> Span:
    return one[0] + two[0], one[1] + two[1]


def _minus(one: Span, two: Span) -> Span:
    return one[0] - two[1], one[1] - two[0]


def _times(one: Span, two: Span) -> Span:
    products = [first * second for first in one for second in two]
    return reduce(np.minimum, products), reduce(np.maximum, products)


def _less(one: Span, two: Span) -> Truth:
    return one[1] < two[0], one[0] < two[1]


def _at_most(one: Span, two: Span) -> Truth:
    return one[1] <= two[0], one[0] <= two[1]


def _equal(one: Span, two: Span) -> Truth:
    may = (one[0] <= two[1]) & (two[0] <= one[1])
    return may & (one[0] == one[1]) & (two[0] == two[1]), may


_OPERATIONS: Final[Mapping[type[ast.operator], Callable[[Span, Span], Span]]] = {
    ast.Add: _plus,
    ast.Sub: _minus,
    ast.Mult: _times,
}
_COMPARISONS: Final[Mapping[type[ast.cmpop], Callable[[Span, Span], Truth]]] = {
    ast.Lt: _less,
    ast.LtE: _at_most,
    ast.Gt: lambda one, two: _less(two, one),
    ast.GtE: lambda one, two: _at_most(two, one),
    ast.Eq: _equal,
    ast.NotEq: lambda one, two: _opposite(_equal(one, two)),
}


def _opposite(truth: Truth) -> Truth:
    return ~truth[1], ~truth[0]


def _joined(join: Callable[[Any, Any], Any], truths: Sequence[Truth]) -> Truth:
    must, may = zip(*truths, strict=True)
    return reduce(join, must), reduce(join, may)


def _where_there_is_one(
    columns: Sequence[Column], judge: Callable[[Bounds], Truth]
) -> Callable[[Bounds], Truth]:
    """Let a statement be false where the deal had no exit, if it is about exits."""
    if not any(column.nullable for column in columns):
        return lambda bounds: _as_long_as(bounds, judge(bounds))

    def judged(bounds: Bounds) -> Truth:
        must, may = judge(bounds)
        there = bounds[0]["end"] == EXIT
        return must & there, may & there

    return judged


def _as_long_as(bounds: Bounds, truth: Truth) -> Truth:
    """Repeat a statement about numbers alone, such as ``1 < 2``, for each row."""
    rows = len(bounds[0]["end"])
    return np.broadcast_to(truth[0], rows), np.broadcast_to(truth[1], rows)
