"""What a seat may know, as one object: the view.

A view is three addresses: the seat's own record, the public record of the table, and the facts of
the rules. In compiled code its type is the game's `ViewType`: scalars read as int64, arrays are
read-only but for ``memo``, and no attribute reaches another hand, the stock or the seed, so a
strategy that peeks or writes does not compile. `View` is the same thing in interpreted Python,
where everything reads as plain int or tuple.
"""

import numpy as np
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.extending import (
    NativeValue,
    intrinsic,
    lower_getattr_generic,
    models,
    overload,
    register_model,
    typeof_impl,
    unbox,
)

from continental_sim.kernels.fields import VIEW_FIELDS, no_field
from continental_sim.kernels.memory import registered
from continental_sim.kernels.records import public_type, rules_type, rummy_rules_type, seat_type


class View:
    """A view in interpreted Python: the same attributes, as plain int and `Fixed`.

    It serves one question: what has been read once is kept.
    """

    __slots__ = ("_fields", "_kept", "_public", "_rules", "_seat", "addresses")

    def __init__(self, game, seat, public, rules, addresses=(0, 0, 0)):
        values = (VIEW_FIELDS[game], {}, public, rules, seat, addresses)
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    def __getattr__(self, name):
        if name not in self._kept:
            self._kept[name] = self._read(name)
        return self._kept[name]

    def _read(self, name):
        for record, known in (
            (self._seat, self._fields.seat),
            (self._public, self._fields.public),
            (self._rules, self._fields.rules),
        ):
            if name in known:
                value = record[name]
                if name == "memo":
                    return Memo(value)
                return _frozen(value.tolist()) if isinstance(value, np.ndarray) else int(value)
        if name.startswith("_"):  # numba asks in each call, and needs no hint
            raise AttributeError(name)
        raise AttributeError(no_field(name, [_game_of(self)]))

    def __setattr__(self, name, value):
        raise AttributeError(f"view.{name} cannot be written: only view.memo[...] can")


def _game_of(view):
    return next(game for game, fields in VIEW_FIELDS.items() if fields is view._fields)


class Memo:
    """The memo in interpreted Python: plain ints, which may be written."""

    __slots__ = ("_array",)

    def __init__(self, array):
        self._array = array

    def __len__(self):
        return len(self._array)

    def __getitem__(self, key):
        return self._array[key].tolist()

    def __setitem__(self, key, value):
        self._array[key] = value


class Fixed(tuple):
    """An array of a view in interpreted Python: plain ints, read-only, indexed as an array is."""

    __slots__ = ()

    def __getitem__(self, key):
        if isinstance(key, slice):
            return Fixed(tuple.__getitem__(self, key))
        if not isinstance(key, tuple):
            return tuple.__getitem__(self, key)
        found = self
        for part in key:
            if isinstance(part, slice):
                raise TypeError("interpreted, a view's table takes no slices: loop over it")
            found = tuple.__getitem__(found, part)
        return found

    def _no_arithmetic(self, other):
        raise TypeError("interpreted, a view's arrays are not added up: loop over them")

    __add__ = __radd__ = __mul__ = __rmul__ = _no_arithmetic

    @property
    def shape(self):
        """Lengths of the axes."""
        inner = self[0].shape if self and isinstance(self[0], Fixed) else ()
        return (len(self), *inner)

    @property
    def size(self):
        """Number of all elements."""
        return len(self._flat())

    def _flat(self):
        if self and isinstance(self[0], Fixed):
            return [value for row in self for value in row._flat()]
        return list(self)

    def all(self):
        """Tell whether no element is 0."""
        return all(self._flat())

    def any(self):
        """Tell whether an element is not 0."""
        return any(self._flat())

    def copy(self):
        """Return an array of its own, which may be written."""
        return np.array(self)

    def max(self):
        """Return the largest element."""
        return max(self._flat())

    def min(self):
        """Return the smallest element."""
        return min(self._flat())

    def sum(self):
        """Add up all elements."""
        return sum(self._flat())


def _frozen(value):
    return Fixed(map(_frozen, value)) if isinstance(value, list) else value


_RULES_TYPES = {"continental": rules_type, "basic-rummy": rummy_rules_type}
_PARTS = ("seat", "public", "rules")


class ViewType(types.Type):
    """Numba's type of a view of a game."""

    def __init__(self, game):
        super().__init__(name=f"View({game})")
        fields = VIEW_FIELDS[game]
        records = (seat_type, public_type, _RULES_TYPES[game])
        known = (fields.seat, fields.public, fields.rules)
        self.parts = tuple(zip(_PARTS, records, known, strict=True))

    def part_of(self, name):
        """Return (part of the view, its record type, field) of an attribute, or None."""
        for part, record, known in self.parts:
            if name == f"_{part}":
                return part, record, None
            if name in known:
                return part, record, name
        return None


_VIEW_TYPES = {game: ViewType(game) for game in VIEW_FIELDS}


@register_model(ViewType)
class _ViewModel(models.StructModel):
    def __init__(self, manager, fe_type):
        super().__init__(manager, fe_type, [(part, types.uint64) for part in _PARTS])


@typeof_impl.register(View)
def _typeof_view(value, context):
    return _VIEW_TYPES[_game_of(value)]


@infer_getattr
class _ViewAttributes(AttributeTemplate):
    key = ViewType

    def generic_resolve(self, view, name):
        found = view.part_of(name)
        if found is None:
            return None
        _, record, field = found
        if field is None:
            return record
        inner = record.typeof(field)
        if isinstance(inner, types.NestedArray):
            return types.Array(inner.dtype, inner.ndim, "C", readonly=name != "memo")
        return types.int64


@lower_getattr_generic(ViewType)
def _lower_view_attribute(context, builder, view, value, name):
    part, record, field = view.part_of(name)
    pointer = cgutils.create_struct_proxy(view)(context, builder, value)
    pointer = builder.inttoptr(getattr(pointer, part), context.get_value_type(record))
    if field is None:
        return pointer
    inner = record.typeof(field)
    got = context.get_getattr(record, field)(context, builder, record, pointer, field)
    if isinstance(inner, types.NestedArray):
        return got
    return context.cast(builder, got, inner, types.int64)


@unbox(ViewType)
def _unbox_view(typ, obj, c):
    addresses = c.pyapi.object_getattr_string(obj, "addresses")
    packed = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    for index, part in enumerate(_PARTS):
        item = c.pyapi.tuple_getitem(addresses, index)
        setattr(packed, part, c.pyapi.long_as_ulonglong(item))
    c.pyapi.decref(addresses)
    return NativeValue(
        packed._getvalue(), is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred())
    )


def _view_maker(game):
    """Make a function that makes the view of a seat from its three addresses."""
    view_type = _VIEW_TYPES[game]

    @intrinsic
    def pack(typingctx, seat_at, public_at, rules_at):
        def codegen(context, builder, signature, args):
            packed = cgutils.create_struct_proxy(view_type)(context, builder)
            for part, address in zip(_PARTS, args, strict=True):
                setattr(packed, part, address)
            return packed._getvalue()

        return view_type(types.uint64, types.uint64, types.uint64), codegen

    def view_at(seat_at, public_at, rules_at):
        addresses = (int(seat_at), int(public_at), int(rules_at))
        return View(game, *(registered(address) for address in addresses), addresses)

    @overload(view_at)
    def _view_at(seat_at, public_at, rules_at):
        return lambda seat_at, public_at, rules_at: pack(seat_at, public_at, rules_at)

    return view_at


# For each game what makes the view of a seat from the addresses of its three records.
VIEW_AT = {game: _view_maker(game) for game in VIEW_FIELDS}


def whole(answer):
    """Return a strategy's answer, a whole number or a truth value; nothing else is one."""
    if not isinstance(answer, int | np.integer | np.bool_):
        raise TypeError(f"it answers {answer!r}, which is no whole number")
    return answer


@overload(whole)
def _whole(answer):
    if not isinstance(answer, types.Integer | types.Boolean):
        raise TypingError(f"it answers with {answer}, which is no whole number")
    return lambda answer: answer
