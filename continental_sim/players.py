"""Players: strategies compiled, or run interpreted, so that the engine can call them.

Compiled code is cached under a hash of all that it depends on.
"""

import ctypes
import hashlib
import linecache
import re
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numba.core.errors import NumbaError

from continental_sim.contract import QUESTIONS, Contract, read_contract
from continental_sim.errors import ContsimError
from continental_sim.kernels.fields import no_field
from continental_sim.kernels.jit import COMPILED, code_directory, code_hash, entry_address
from continental_sim.kernels.memory import register
from continental_sim.kernels.turns import FOREIGN_FAILED
from continental_sim.kernels.view import VIEW_AT
from continental_sim.strategy import Strategy, check_game

ANSWER_LIMIT = 1 << 62
_FOREIGN = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64)

_ENTRY = """

# Added by contsim: how the engine calls the strategy.
from numba import int64 as _int64, uint64 as _uint64
from continental_sim.kernels import jit as _jit
from continental_sim.kernels.view import VIEW_AT as _VIEW_AT, whole as _whole
_view_at = _VIEW_AT[{game!r}]
{helpers}
"""
_ENTRY_FUNCTION = """

@_jit.author_entry(_int64(_uint64, _uint64, _uint64))
def _enter_{name}(seat_at, public_at, rules_at):
    return _int64(_whole({name}(_view_at(seat_at, public_at, rules_at))))
"""


@dataclass(frozen=True)
class Player:
    """A strategy ready to be called by the engine.

    Attributes
    ----------
    strategy : Strategy
    entries : tuple of int
        Addresses for take, throw and the game's last question; 0 if the file does not define it.
    foreign : bool
        Whether it is interpreted and called back.
    reason : str
        Why it could not be compiled, "" if it was.
    failures : list of str
        Where a foreign strategy leaves what it raised.
    rollouts : tuple of int
        Addresses of what plays them, and of take and throw in them; () if it asks for none.
    """

    strategy: Strategy
    entries: tuple[int, int, int]
    foreign: bool = False
    reason: str = ""
    failures: list[str] = field(default_factory=list)
    keep: tuple[Any, ...] = ()
    rollouts: tuple[int, ...] = ()


_players: dict[tuple[str, str, str], Player] = {}
_loading = threading.Lock()  # two threads that parse at once may fail (a fault of CPython's)


def load_player(strategy: Strategy, game: str = "continental", *, fresh: bool = False) -> Player:
    """Compile a strategy, or make it callable interpreted if it cannot be compiled.

    Parameters
    ----------
    strategy : Strategy
    game : str
        That is played.
    fresh : bool
        Load an interpreted module anew, as for each block, so that its state cannot depend on the
        order of blocks. Compiled players have no state and are always kept.

    Raises
    ------
    ContsimError
        If the file breaks the contract.
    """
    key = (strategy.text, repr(strategy.knobs), game)  # as equals, 1, 1.0 and True would be one
    with _loading:
        player = _players.get(key)
        if player is None:
            contract = read_contract(strategy.text, f"{strategy.name}.py")
            check_game(strategy, game)
            compiled = _compile(strategy, contract, game)
            player = (
                load_interpreted(strategy, compiled, game)
                if isinstance(compiled, str)
                else compiled
            )
            _players[key] = player
        elif player.foreign and fresh:
            player = load_interpreted(strategy, player.reason, game)
    return replace(player, strategy=strategy)


def with_knobs(strategy: Strategy, contract: Contract) -> str:
    """Return the source with the knobs' values written in place, so that line numbers stay."""
    lines = strategy.text.split("\n")  # as Python counts them, which splitlines does not
    places = [(contract.knobs[knob], value) for knob, value in strategy.knobs]
    for node, value in sorted(places, key=lambda place: -place[0].col_offset):
        line = lines[node.lineno - 1].encode()  # columns count bytes
        lines[node.lineno - 1] = (
            line[: node.col_offset] + repr(value).encode() + line[node.end_col_offset :]
        ).decode()
    return "\n".join(lines)


def _module_of(text: str, path: Path) -> ModuleType:
    """Execute the text of a strategy as a module."""
    module = ModuleType(path.stem)
    module.__file__ = str(path)
    if path.is_absolute():  # compiled: numba's cache looks its module up
        sys.modules[path.stem] = module
    linecache.cache[str(path)] = (len(text), None, text.splitlines(keepends=True), str(path))
    exec(compile(text, str(path), "exec"), module.__dict__)  # noqa: S102
    return module


def _compile(strategy: Strategy, contract: Contract, game: str) -> "Player | str":
    """Compile a strategy; return the player, or the reason why it cannot be compiled."""
    if contract.interpreted_only:
        return contract.interpreted_only
    text = with_knobs(strategy, contract)
    helpers = "\n".join(f"{name} = _jit.author({name})" for name in contract.functions)
    asked = [name for name in QUESTIONS[game] if name in contract.functions]
    text += _ENTRY.format(helpers=helpers, game=game)
    text += "".join(_ENTRY_FUNCTION.format(name=name) for name in asked)
    mark = hashlib.sha256(f"{text} {code_hash()}".encode()).hexdigest()[:20]
    path = code_directory() / f"contsim_strategy_{strategy.name}_{mark}.py"
    if not path.exists():
        with tempfile.NamedTemporaryFile(
            "w", dir=path.parent, delete=False, encoding="utf-8"
        ) as file:
            file.write(text)
        Path(file.name).replace(path)
    try:
        module = _module_of(text, path)
    except NumbaError as error:
        return _numba_reason(str(error), strategy)
    except ContsimError:
        raise
    except Exception as error:  # noqa: BLE001 - whatever an author's file raises
        raise ContsimError(
            f"strategy {strategy.name} cannot be loaded: {_where(error, strategy)}"
        ) from None
    functions = [
        getattr(module, f"_enter_{name}") if name in asked else None for name in QUESTIONS[game]
    ]
    entries = tuple(entry_address(function) if function else 0 for function in functions)
    return Player(
        strategy,
        entries,  # type: ignore[arg-type]
        keep=(module,),
        rollouts=_rollouts_for(contract),
    )


def _rollouts_for(contract: Contract) -> tuple[int, ...]:
    """Return where rollouts lie in memory; they are compiled for those alone who ask for them."""
    if not contract.rolls_out:
        return ()
    from continental_sim.kernels import imagined

    return tuple(map(entry_address, (imagined.play, imagined.take, imagined.discard)))


def load_interpreted(strategy: Strategy, reason: str = "", game: str = "continental") -> Player:
    """Load a strategy as plain Python that the engine calls back.

    Parameters
    ----------
    strategy : Strategy
    reason : str
        Why it is not compiled.
    game : str
        That is played.
    """
    path = Path(f"{strategy.name}.py")
    contract = read_contract(strategy.text, path.name)
    text = with_knobs(strategy, contract)
    try:
        module = _module_of(text, path)
    except Exception as error:  # noqa: BLE001 - whatever an author's file raises
        raise ContsimError(
            f"strategy {strategy.name} cannot be loaded: {_where(error, strategy)}"
        ) from None
    failures: list[str] = []
    callbacks: list[Any] = []
    entries: list[int] = []
    for name in QUESTIONS[game]:
        function = getattr(module, name, None)
        if function is None:
            entries.append(0)
            continue
        answer = _answering(function, name, strategy, failures, VIEW_AT[game])
        if COMPILED:
            callback = _FOREIGN(answer)
            callbacks.append(callback)
            entries.append(ctypes.cast(callback, ctypes.c_void_p).value or 0)
        else:
            entries.append(register(id(answer), answer))
            callbacks.append(answer)
    take, throw, last = entries
    keep, rollouts = (module, *callbacks), _rollouts_for(contract)
    return Player(strategy, (take, throw, last), True, reason, failures, keep, rollouts)


def _answering(
    function: Callable[[Any], Any],
    name: str,
    strategy: Strategy,
    failures: list[str],
    view_at: Callable[[int, int, int], Any],
) -> Callable[[int, int, int], int]:
    """Wrap an interpreted function: what it raises ends the deal, not the process."""

    def answer(seat_at: int, public_at: int, rules_at: int) -> int:
        try:
            given = function(view_at(seat_at, public_at, rules_at))
            if isinstance(given, int | np.integer | np.bool_) and abs(int(given)) < ANSWER_LIMIT:
                return int(given)
            failures.append(f"{name} returned {given!r}, not a whole number of 64 bits")
        except BaseException as error:  # noqa: BLE001 - whatever an author's file raises
            failures.append(_where(error, strategy))
        return FOREIGN_FAILED

    return answer


def _where(error: BaseException, strategy: Strategy) -> str:
    """Say what was raised and on which line of the strategy's file."""
    frames = traceback.extract_tb(error.__traceback__)
    mine = [frame for frame in frames if strategy.name in Path(frame.filename).stem]
    place = f" (line {mine[-1].lineno} of {strategy.name}.py)" if mine else ""
    return f"{type(error).__name__}: {error}{place}"


def _numba_reason(message: str, strategy: Strategy) -> str:
    """Shorten numba's message to the cause and the line of the strategy's file.

    Raises
    ------
    ContsimError
        If it is a mistake, which running interpreted would only hide.
    """
    length = strategy.text.count("\n") + 1  # what comes after is ours
    numbers = [int(number) for number in re.findall(r'contsim_strategy_\S+", line (\d+):', message)]
    line = next((number for number in numbers if number <= length), 0)
    place = f"line {line} of {strategy.name}.py"
    unknown = re.search(r"Unknown attribute '(\w+)' of type View\((.*?)\)", message)
    if unknown:
        raise ContsimError(f"{place}: {no_field(unknown[1], [unknown[2]])}")
    if "Cannot modify readonly array" in message:
        raise ContsimError(f"{place}: this array cannot be written: of a view only memo[...] can")
    answers = re.search(r"it answers with .*, which is no whole number", message)
    lines = [text.strip() for text in message.splitlines() if text.strip()]
    skip = ("Failed in", "During:", "File ", "def ", "<source", "- Resolution", "Overload")
    cause = next((text for text in lines if not text.startswith(skip)), "not compilable")
    return f"{answers[0] if answers else cause}{f' (line {line})' if line else ''}"
