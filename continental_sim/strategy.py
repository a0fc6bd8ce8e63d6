"""Strategies: find a file, load it, compile it or run it interpreted.

A strategy travels as its text and knobs, so that a worker on another machine, or a replay a year
later, plays the very file that was meant. Compiled code is cached under a hash of all that it
depends on.
"""

import ast
import ctypes
import difflib
import hashlib
import importlib.metadata
import importlib.util
import linecache
import math
import re
import sys
import tempfile
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
from continental_sim.kernels.continental import FOREIGN_FAILED
from continental_sim.kernels.jit import COMPILED, code_directory, code_hash
from continental_sim.kernels.memory import register
from continental_sim.kernels.view import view_at

ENTRY_POINTS = "continental_sim.strategies"
ANSWER_LIMIT = 1 << 62
INTERRUPTED = "interrupted"  # what a foreign strategy leaves if Ctrl-C came while it thought
_FOREIGN = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_uint64, ctypes.c_uint64, ctypes.c_uint64)

_ENTRY = """

# Added by contsim: how the engine calls the strategy.
from numba import int64 as _int64, uint64 as _uint64
from continental_sim.kernels import jit as _jit
from continental_sim.kernels.view import view_at as _view_at, whole as _whole
{helpers}
"""
_ENTRY_FUNCTION = """

@_jit.author_entry(_int64(_uint64, _uint64, _uint64))
def _enter_{name}(seat_at, public_at, rules_at):
    return _int64(_whole({name}(_view_at(seat_at, public_at, rules_at))))
"""


@dataclass(frozen=True)
class Strategy:
    """One strategy with its knobs, as plain data.

    Attributes
    ----------
    spec : str
        As the user named it: ``fastest``, ``mine.py:PATIENCE=3``.
    name : str
        Name of the file without its suffix.
    text : str
        The whole source file.
    knobs : tuple of (str, int or float or bool)
        Constants that the spec sets, in alphabetical order.
    """

    spec: str
    name: str
    text: str
    knobs: tuple[tuple[str, Any], ...] = ()

    @property
    def summary(self) -> str:
        """First line of the docstring."""
        return (ast.get_docstring(ast.parse(self.text)) or "(no docstring)").splitlines()[0]

    @property
    def sha256(self) -> str:
        """Hash of the source text."""
        return hashlib.sha256(self.text.encode()).hexdigest()


@dataclass(frozen=True)
class Player:
    """A strategy ready to be called by the engine.

    Attributes
    ----------
    strategy : Strategy
    entries : tuple of int
        Addresses for take, throw and go out; 0 where the file does not define `go_out`.
    foreign : bool
        Whether it is interpreted and called back.
    reason : str
        Why it could not be compiled, "" if it was.
    failures : list of str
        Where a foreign strategy leaves what it raised.
    """

    strategy: Strategy
    entries: tuple[int, int, int]
    foreign: bool = False
    reason: str = ""
    failures: list[str] = field(default_factory=list)
    keep: tuple[Any, ...] = ()


# -- finding ---------------------------------------------------------------------------------


def shipped_directory() -> Path:
    """Return where our own strategies lie: in the package if installed, beside it in a checkout."""
    package = Path(__file__).parent
    inside = package / "strategies"
    return inside if inside.is_dir() else package.parent / "strategies"


def known_files() -> dict[str, Path]:
    """Map each strategy name that needs no path to its file, in the order of the search."""
    found: dict[str, Path] = {}
    for directory in (Path("strategies"), shipped_directory()):
        for path in sorted(directory.glob("*.py")):
            if not path.name.startswith("_"):
                found.setdefault(path.stem, path)
    for point in importlib.metadata.entry_points(group=ENTRY_POINTS):
        try:
            module = importlib.util.find_spec(point.module)
        except Exception:  # noqa: BLE001, S112 - another's package is broken, not this study
            continue
        if module is not None and module.origin is not None:
            found.setdefault(point.name, Path(module.origin))
    return found


def find_strategy(spec: str) -> Strategy:
    """Find the strategy that a spec names.

    Parameters
    ----------
    spec : str
        ``NAME`` or ``FILE``, then optionally ``:KNOB=VALUE,...``.

    Raises
    ------
    ContsimError
        If there is no such file or knob, or the file breaks the contract.
    """
    place, settings = _split(spec)
    if place.endswith(".py") or "/" in place:
        path = Path(place)
    else:
        files = known_files()
        if place not in files:
            near = difflib.get_close_matches(place, files, n=1)
            hint = f"did you mean {near[0]}?" if near else "see `contsim strategies list`"
            raise ContsimError(f"there is no strategy {place!r}: {hint}")
        path = files[place]
    try:
        text = path.read_text(encoding="utf-8-sig")  # editors may put a mark before the text
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise ContsimError(f"cannot read the strategy file {place}: {why}") from None
    return make_strategy(spec, path.stem, text, settings)


def _split(spec: str) -> tuple[str, str]:
    """Part a spec into name or path and settings; a path may hold a colon."""
    path, suffix, settings = spec.rpartition(".py:")
    if suffix:
        return f"{path}.py", settings
    if spec.endswith(".py"):
        return spec, ""
    place, _, settings = spec.partition(":")
    return place, settings


def make_strategy(spec: str, name: str, text: str, settings: str = "") -> Strategy:
    """Make a strategy from its text, checked against the contract; knobs as ``K=1,L=2``."""
    contract = read_contract(text, f"{name}.py")
    knobs = {}
    for setting in filter(None, settings.split(",")):
        knob, equals, value = (part.strip() for part in setting.partition("="))
        if knob not in contract.knobs:
            near = difflib.get_close_matches(knob, contract.knobs, n=1)
            has = ", ".join(contract.knobs) or "none"
            hint = f"did you mean {near[0]}?" if near else f"it has {has}"
            raise ContsimError(f"strategy {name} has no knob {knob!r}: {hint}")
        try:
            number = ast.literal_eval(value)
        except (SyntaxError, ValueError):
            number = None
        if not equals or not isinstance(number, int | float) or not math.isfinite(number):
            raise ContsimError(
                f"knob {knob} of {name} needs a number, not {value!r}: write {knob}=3"
            )
        knobs[knob] = number
    return Strategy(spec, name, text, tuple(sorted(knobs.items())))


def list_strategies() -> list[Strategy]:
    """Return the strategies that need no path, by name."""
    return [find_strategy(name) for name in sorted(known_files())]


def source_of(name: str) -> str:
    """Return the source text of a strategy."""
    return find_strategy(name).text


# -- loading ---------------------------------------------------------------------------------

_players: dict[tuple[str, str], Player] = {}


def load_player(strategy: Strategy, *, fresh: bool = False) -> Player:
    """Compile a strategy, or make it callable interpreted if it cannot be compiled.

    Parameters
    ----------
    strategy : Strategy
    fresh : bool
        Load an interpreted module anew, as for each block, so that its state cannot depend on the
        order of blocks. Compiled players have no state and are always kept.

    Raises
    ------
    ContsimError
        If the file breaks the contract.
    """
    key = (strategy.text, repr(strategy.knobs))  # as equals, 1, 1.0 and True would be one
    player = _players.get(key)
    if player is None:
        contract = read_contract(strategy.text, f"{strategy.name}.py")
        compiled = _compile(strategy, contract)
        player = load_interpreted(strategy, compiled) if isinstance(compiled, str) else compiled
        _players[key] = player
    elif player.foreign and fresh:
        player = load_interpreted(strategy, player.reason)
    return replace(player, strategy=strategy)


def _with_knobs(strategy: Strategy, contract: Contract) -> str:
    """Write the knobs' values into the source, in place, so that line numbers stay."""
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


def _compile(strategy: Strategy, contract: Contract) -> "Player | str":
    """Compile a strategy; return the player, or the reason why it cannot be compiled."""
    if contract.interpreted_only:
        return contract.interpreted_only
    text = _with_knobs(strategy, contract)
    helpers = "\n".join(f"{name} = _jit.author({name})" for name in contract.functions)
    asked = [name for name in QUESTIONS if name in contract.functions]
    text += _ENTRY.format(helpers=helpers)
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
    functions = [getattr(module, f"_enter_{name}") if name in asked else None for name in QUESTIONS]
    entries = tuple(_address(function) if function else 0 for function in functions)
    return Player(strategy, entries, keep=(module,))  # type: ignore[arg-type]


def _address(function: Any) -> int:
    """Return the address at which the engine calls a compiled entry point."""
    if not COMPILED:
        return register(id(function), function)
    compiled = next(iter(function.overloads.values()))
    name = compiled.fndesc.llvm_func_name
    return int(compiled.library.get_pointer_to_function(name))


def load_interpreted(strategy: Strategy, reason: str = "") -> Player:
    """Load a strategy as plain Python that the engine calls back.

    Parameters
    ----------
    strategy : Strategy
    reason : str
        Why it is not compiled.
    """
    path = Path(f"{strategy.name}.py")
    text = _with_knobs(strategy, read_contract(strategy.text, path.name))
    try:
        module = _module_of(text, path)
    except Exception as error:  # noqa: BLE001 - whatever an author's file raises
        raise ContsimError(
            f"strategy {strategy.name} cannot be loaded: {_where(error, strategy)}"
        ) from None
    failures: list[str] = []
    callbacks: list[Any] = []
    entries: list[int] = []
    for name in QUESTIONS:
        function = getattr(module, name, None)
        if function is None:
            entries.append(0)
            continue
        answer = _answering(function, name, strategy, failures)
        if COMPILED:
            callback = _FOREIGN(answer)
            callbacks.append(callback)
            entries.append(ctypes.cast(callback, ctypes.c_void_p).value or 0)
        else:
            entries.append(register(id(answer), answer))
            callbacks.append(answer)
    take, throw, go_out = entries
    return Player(strategy, (take, throw, go_out), True, reason, failures, (module, *callbacks))


def _answering(
    function: Callable[[Any], Any], name: str, strategy: Strategy, failures: list[str]
) -> Callable[[int, int, int], int]:
    """Wrap an interpreted function: what it raises ends the deal, not the process."""

    def answer(seat_at: int, public_at: int, rules_at: int) -> int:
        try:
            given = function(view_at(seat_at, public_at, rules_at))  # type: ignore[no-untyped-call]
            if isinstance(given, int | np.integer | np.bool_) and abs(int(given)) < ANSWER_LIMIT:
                return int(given)
            failures.append(f"{name} returned {given!r}, not a whole number of 64 bits")
        except KeyboardInterrupt:  # it cannot pass through the engine: the block raises it again
            failures.append(INTERRUPTED)
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
    unknown = re.search(r"Unknown attribute '(\w+)' of type View", message)
    if unknown:
        raise ContsimError(f"{place}: a view has no field {unknown[1]!r}")
    if "Cannot modify readonly array" in message:
        raise ContsimError(f"{place}: this array cannot be written: of a view only memo[...] can")
    answers = re.search(r"it answers with .*, which is no whole number", message)
    lines = [text.strip() for text in message.splitlines() if text.strip()]
    skip = ("Failed in", "During:", "File ", "def ", "<source", "- Resolution", "Overload")
    cause = next((text for text in lines if not text.startswith(skip)), "not compilable")
    return f"{answers[0] if answers else cause}{f' (line {line})' if line else ''}"


def new_strategy(name: str, directory: Path) -> Path:
    """Write a template that plays, to start from.

    Raises
    ------
    ContsimError
        If the name cannot be a file's or the file exists.
    """
    if not name.isidentifier():
        raise ContsimError(f"{name!r} cannot name a strategy: use letters, digits and _")
    path = directory / f"{name}.py"
    template = (Path(__file__).parent / "templates" / "strategy.py.txt").read_text(encoding="utf-8")
    try:
        directory.mkdir(parents=True, exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(template.replace("NAME", name))
    except FileExistsError:
        raise ContsimError(f"{path} exists already: choose another name") from None
    except OSError as error:
        raise ContsimError(f"cannot write {path}: {error.strerror}") from None
    return path
