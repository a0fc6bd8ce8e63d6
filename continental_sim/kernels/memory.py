"""Addresses: how tables and records of any size reach compiled code whose types are fixed.

A record or a table travels as one 64-bit address, so one specialisation of the engine serves
every rule set, line-up and strategy. Interpreted code (``NUMBA_DISABLE_JIT=1``) looks the address
up in a register instead.
"""

import ctypes
from typing import Any

import numpy as np
from llvmlite import ir
from numba import carray, types
from numba.core import cgutils
from numba.core.typing.templates import ConcreteTemplate, infer_global, signature
from numba.extending import intrinsic, lower_builtin, overload

_REGISTER: dict[int, Any] = {}


def address_of(array: np.ndarray) -> int:
    """Return an array's address and remember the array, or the one record it holds, under it.

    The caller keeps the array alive, and calls `forget` before it goes.
    """
    address = int(array.ctypes.data)
    _REGISTER[address] = array[0] if array.dtype.names else array
    return address


def register(address: int, thing: Any) -> int:
    """Remember anything (a function of a strategy) under an address for interpreted code."""
    _REGISTER[address] = thing
    return address


def registered(address: int) -> Any:
    """Return what `address_of` or `register` was given."""
    return _REGISTER[int(address)]


def forget(addresses: list[int]) -> None:
    """Drop addresses from the register, when their memory is about to go."""
    for address in addresses:
        _REGISTER.pop(address, None)


@intrinsic
def _pointer(typingctx, address):
    def codegen(context, builder, signature, args):
        return builder.inttoptr(args[0], cgutils.voidptr_t)

    return types.voidptr(types.uint64), codegen


def array8_at(address, length):
    """View uint8[length] at an address."""
    return registered(address)


def array16_at(address, length):
    """View uint16[length] at an address."""
    return registered(address)


def array32_at(address, length):
    """View uint32[length] at an address."""
    return registered(address)


def array64_at(address, length):
    """View uint64[length] at an address."""
    return registered(address)


def _compile_view(function, dtype):
    @overload(function)
    def view(address, length):
        return lambda address, length: carray(_pointer(address), (length,), dtype)


for _function, _dtype in (
    (array8_at, np.uint8),
    (array16_at, np.uint16),
    (array32_at, np.uint32),
    (array64_at, np.uint64),
):
    _compile_view(_function, _dtype)


@intrinsic
def _move(typingctx, target, source, size):
    def codegen(context, builder, signature, args):
        to, start = (builder.inttoptr(each, cgutils.voidptr_t) for each in args[:2])
        cgutils.raw_memcpy(builder, to, start, args[2], 1)
        return context.get_dummy_value()

    return types.none(types.uint64, types.uint64, types.int64), codegen


def copy_memory(target, source, size):
    """Copy bytes from an address to another; they do not overlap."""
    ctypes.memmove(int(target), int(source), int(size))


@overload(copy_memory)
def _copy_memory(target, source, size):
    return lambda target, source, size: _move(target, source, size)


def _marks(function, attribute):
    """Make a call of a function, which does nothing, mark for LLVM the code that it stands in.

    It is no overload to be inlined: numba takes away what it believes is never read after that, and
    a store through an address is among it.
    """

    @infer_global(function)
    class _Marking(ConcreteTemplate):
        cases = (signature(types.none),)

    @lower_builtin(function)
    def mark(context, builder, signature, args):
        builder.function.attributes.add(attribute)
        return context.get_dummy_value()


def inlined():
    """Copy the function that begins with this call into its callers' code.

    For what is called everywhere, all the time, and is small where it matters.
    """


def apart():
    """Keep the function that begins with this call out of its callers' code.

    For what few rules need: inlined, it takes registers from the rest and is compiled for each
    caller (measured, of both marks: without them 17 % more time a deal).
    """


_marks(inlined, "alwaysinline")
_marks(apart, "noinline")


@intrinsic
def _trailing_zeros(typingctx, mask):
    def codegen(context, builder, signature, args):
        return builder.cttz(args[0], context.get_constant(types.boolean, 1))

    return types.int64(types.int64), codegen


def lowest_bit(mask: int) -> int:
    """Return the number of the lowest bit set in a mask, an int64 that is not 0."""
    return (int(mask) & -int(mask)).bit_length() - 1


@overload(lowest_bit)
def _lowest_bit(mask):
    return lambda mask: _trailing_zeros(np.int64(mask))


@intrinsic
def _population(typingctx, mask):
    def codegen(context, builder, signature, args):
        return builder.ctpop(args[0])

    return types.int64(types.int64), codegen


def bits_set(mask: int) -> int:
    """Count the bits set in a mask, an int64 that is not negative."""
    return int(mask).bit_count()


@overload(bits_set)
def _bits_set(mask):
    return lambda mask: _population(np.int64(mask))


@intrinsic
def _address_of(typingctx, record):
    def codegen(context, builder, signature, args):
        return builder.ptrtoint(args[0], cgutils.intp_t)

    return types.uint64(record), codegen


def record_address(record):
    """Return the address of a record."""
    return record.__array_interface__["data"][0]


@overload(record_address)
def _record_address(record):
    return lambda record: _address_of(record)


@intrinsic
def _call_compiled(typingctx, address, first, second, third):
    """Call a compiled entry point; an exception in it travels on."""
    signature = types.int64(types.uint64, types.uint64, types.uint64, types.uint64)

    def codegen(context, builder, sig, args):
        convention = context.call_conv
        taken = (types.uint64,) * 3
        function_type = convention.get_function_type(types.int64, taken)
        function = builder.inttoptr(args[0], function_type.as_pointer())
        status, result = convention.call_function(builder, function, types.int64, taken, args[1:])
        with cgutils.if_unlikely(builder, status.is_error):
            convention.return_status_propagate(builder, status)
        return result

    return signature, codegen


@intrinsic
def _call_foreign(typingctx, address, first, second, third):
    """Call a function of the C convention: an interpreted strategy's call back."""
    signature = types.int64(types.uint64, types.uint64, types.uint64, types.uint64)

    def codegen(context, builder, sig, args):
        word = context.get_value_type(types.uint64)
        function_type = ir.FunctionType(word, [word] * 3)
        function = builder.inttoptr(args[0], function_type.as_pointer())
        return builder.call(function, args[1:])

    return signature, codegen


def call_compiled(entry, first, second, third):
    """Call the compiled function at an address with three numbers; it returns one."""
    return registered(entry)(first, second, third)


@overload(call_compiled)
def _call(entry, first, second, third):
    return lambda entry, first, second, third: _call_compiled(entry, first, second, third)


def call_entry(entry, foreign, seat_at, public_at, tables_at):
    """Ask a strategy: call the function at an address with the three addresses of a view.

    Parameters
    ----------
    entry : uint64
        Address of the function.
    foreign : bool
        Whether it follows the C convention (an interpreted strategy) or numba's.
    seat_at, public_at, tables_at : uint64
        What the view consists of.

    Returns
    -------
    int64
        The strategy's answer.
    """
    return registered(entry)(seat_at, public_at, tables_at)


@overload(call_entry)
def _call_entry(entry, foreign, seat_at, public_at, tables_at):
    def implementation(entry, foreign, seat_at, public_at, tables_at):
        if foreign:
            return _call_foreign(entry, seat_at, public_at, tables_at)
        return _call_compiled(entry, seat_at, public_at, tables_at)

    return implementation
