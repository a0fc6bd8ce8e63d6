"""The contract of a strategy file, as far as it can be read off the text without running it."""

import ast
import builtins
import difflib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

import numpy as np

from continental_sim import api
from continental_sim.errors import ContsimError
from continental_sim.kernels.fields import VIEW_FIELDS
from continental_sim.view_use import misuse

REQUIRED = ("take_discard", "choose_discard")
# What a strategy is asked in each game; the last may be left out.
QUESTIONS = {"continental": (*REQUIRED, "go_out"), "basic-rummy": (*REQUIRED, "lay_down")}
GAMES = "GAMES"  # the constant by which a file says what it is for
_ALL_FIELDS = {name for fields in VIEW_FIELDS.values() for name in fields.names}
_API = "continental_sim.api"
_TRIES = 10
COMPILABLE_IMPORTS = (_API, "math", "numpy")
_NAMES = {*dir(builtins), "__name__", "__file__", "__doc__"}
_BEHIND = {
    "__builtins__", "__import__", "breakpoint", "compile", "delattr", "dir", "eval", "exec",
    "getattr", "globals", "input", "setattr", "type", "vars",
}  # fmt: skip
_MODULES_BEHIND = {"builtins", "ctypes", "gc", "importlib", "inspect", "numba", "operator", "sys"}
_ATTRIBUTES_BEHIND = {
    "addresses", "as_strided", "base", "ctypes", "format", "format_map", "frombuffer", "getfield",
    "modules", "setfield", "sys",
}  # fmt: skip
_OTHER_DICE = {"random", "secrets", "numpy.random"}
# Compiled numpy writes to read-only arrays by way of `flat` or `nditer`, and `as_strided` reads
# beyond them: so only harmless names are compiled. Interpreted, the arrays of a view are tuples.
_COMPILABLE_NUMPY = {
    "abs", "arange", "array", "bool_", "ceil", "exp", "float64", "floor", "inf", "int8", "int32",
    "int64", "log", "maximum", "minimum", "nan", "ones", "pi", "sqrt", "uint64", "zeros",
}  # fmt: skip
_COMPILABLE_ARRAY = {*_ALL_FIELDS, "all", "any", "copy", "max", "min", "shape", "size", "sum"}
_UNCOMPILABLE_ARRAY = set(dir(np.ndarray)) - _COMPILABLE_ARRAY


@dataclass(frozen=True)
class Contract:
    """What a strategy file declares.

    Attributes
    ----------
    functions : tuple of str
        Its functions, helpers included, in their order.
    knobs : mapping of str to ast.expr
        Its UPPER_CASE constants that are numbers, with the place of the value.
    interpreted_only : str
        Why it cannot be compiled, "" if nothing is known against it.
    rolls_out : bool
        Whether it asks for rollouts, for which a table has to be prepared.
    games : tuple of str
        The games that it is for: those of its constant ``GAMES``, or Continental.
    """

    functions: tuple[str, ...]
    knobs: Mapping[str, ast.expr]
    interpreted_only: str
    rolls_out: bool
    games: tuple[str, ...]


def _parsed(text: str) -> ast.Module:
    """Parse a text; again where CPython miscounts, as other threads parse (its issue 106905)."""
    for _ in range(_TRIES - 1):
        with suppress(SystemError):
            return ast.parse(text)
    return ast.parse(text)


def read_contract(text: str, name: str) -> Contract:
    """Read a strategy file and refuse what cannot work.

    Parameters
    ----------
    text : str
        The source.
    name : str
        The file's name, for messages.

    Raises
    ------
    ContsimError
        With the line: it does not parse, lacks a function, has a misspelt field or an undefined
        name, writes to the view, or reaches for names with an underscore.
    """
    try:
        tree = _parsed(text)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None)
        place = f"line {line} of {name}" if line else name
        raise ContsimError(f"{place} is not Python: {getattr(error, 'msg', error)}") from None
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    for wanted in REQUIRED:
        if wanted not in functions:
            raise ContsimError(
                f"{name} does not define {wanted}(view): `contsim strategies new` shows how"
            )
    games = _games(tree, name)
    asked_in = {
        asked: tuple(game for game in games if asked in QUESTIONS[game])
        for asked in dict.fromkeys(asked for game in games for asked in QUESTIONS[game])
    }
    for asked in asked_in:
        if asked in functions and len(functions[asked].args.args) != 1:
            line = functions[asked].lineno
            raise ContsimError(f"line {line} of {name}: {asked} takes one argument, the view")
    for problem in (
        *_other_questions(functions, games),
        *_forbidden(tree, games),
        # A question that one of the games alone asks reads the view of that game alone.
        *(
            wrong
            for these in dict.fromkeys(asked_in.values())
            for wrong in misuse(
                tree,
                [
                    functions[each]
                    for each in asked_in
                    if each in functions and asked_in[each] == these
                ],
                these,
            )
        ),
        *_undefined(tree, games),
    ):
        line, message = problem
        raise ContsimError(f"line {line} of {name}: {message}")
    knobs = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and len(node.targets) == 1
        for target in node.targets
        if isinstance(target, ast.Name) and target.id.isupper() and _is_number(node.value)
    }
    rolls_out = _names(tree, "rollouts")
    return Contract(tuple(functions), knobs, _interpreted_only(tree), rolls_out, games)


def _games(tree: ast.Module, name: str) -> tuple[str, ...]:
    """Read which games a file says that it is for."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(each, ast.Name) and each.id == GAMES for each in targets):
            try:
                value = ast.literal_eval(getattr(node, "value", None) or ast.Tuple([]))
            except (TypeError, ValueError):
                value = ()
            games = (value,) if isinstance(value, str) else value
            if isinstance(games, tuple) and games and all(each in [*QUESTIONS] for each in games):
                return games
            known = " or ".join(repr(game) for game in QUESTIONS)
            raise ContsimError(
                f"line {node.lineno} of {name}: {GAMES} names the games that a strategy is for, "
                f"{known}: write {GAMES} = ('basic-rummy',)"
            )
    return (next(iter(QUESTIONS)),)


def _other_questions(
    functions: Mapping[str, ast.FunctionDef], games: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """Find the question of a game that a file is not for, which would never be asked.

    One that some of its games do not ask is the file's for the others.
    """
    for game, (*_, last) in QUESTIONS.items():
        if game not in games and last in functions:
            yield (
                functions[last].lineno,
                (
                    f"{last} is asked in {game}, and this file is for {' and '.join(games)}: take "
                    f"it out, or write {GAMES} = ({game!r},)"
                ),
            )


def _names(tree: ast.Module, name: str) -> bool:
    """Tell whether a file names something, of a module or by itself."""
    return any(
        name in (getattr(node, "id", ""), getattr(node, "attr", ""), getattr(node, "name", ""))
        for node in ast.walk(tree)
    )


def _is_number(node: ast.expr) -> bool:
    try:
        return isinstance(ast.literal_eval(node), int | float)
    except ValueError:
        return False


def _forbidden(tree: ast.Module, games: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Find names that lead behind the view, and dice that are not the deal's own."""
    modules = _module_names(tree)
    yield from _shared_state(tree, modules)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            yield from _forbidden_attribute(node, modules, games)
        elif isinstance(node, ast.Name) and node.id in _BEHIND:
            yield node.lineno, f"{node.id}() is not for strategies: read the view's fields by name"
        elif isinstance(node, ast.Import):
            for alias in node.names:
                # Without "as" the whole package could be reached by its name.
                name = alias.name if alias.asname else alias.name.replace(_API, "continental_sim")
                yield from _forbidden_module(node.lineno, name)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                if node.module == _API:
                    yield from _not_in_api(node.lineno, alias.name, games)
                else:
                    yield from _forbidden_module(node.lineno, f"{node.module}.{alias.name}")
                    yield from _forbidden_module(node.lineno, alias.name)


def _shared_state(tree: ast.Module, modules: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """Find ways by which the seats of a table could share what they hold: writes to modules."""
    used_well = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and id(node) not in used_well:
            if modules.get(node.id) == _API and isinstance(node.ctx, ast.Load):
                yield node.lineno, f"{node.id} can only be used as {node.id}.name"
        elif isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
            root: ast.expr = node
            while isinstance(root, ast.Attribute | ast.Subscript):
                root = root.value
            own = isinstance(root, ast.Name) and root.id == "self"
            imported = isinstance(root, ast.Name) and root.id in modules
            if imported or (isinstance(node, ast.Attribute) and not own):
                name = ast.unparse(node)
                yield (
                    node.lineno,
                    f"{name} cannot be written: only view.memo[...] and own names can",
                )


def _forbidden_attribute(
    node: ast.Attribute, modules: Mapping[str, str], games: Sequence[str]
) -> Iterator[tuple[int, str]]:
    module = modules.get(node.value.id) if isinstance(node.value, ast.Name) else None
    if node.attr.startswith("_"):
        yield node.lineno, f"{node.attr} begins with an underscore and is not for strategies"
    elif node.attr in _ATTRIBUTES_BEHIND:
        yield node.lineno, f"{node.attr} is not for strategies: read the view's fields by name"
    elif module == _API:
        yield from _not_in_api(node.lineno, node.attr, games)
    elif module:
        yield from _forbidden_module(node.lineno, f"{module}.{node.attr}")


def _module_names(tree: ast.Module) -> dict[str, str]:
    """Map the names under which modules are imported to the modules."""
    return {
        alias.asname or alias.name: alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
    }


def _forbidden_module(line: int, name: str) -> Iterator[tuple[int, str]]:
    package = name.partition(".")[0]
    if package == "continental_sim" and name != _API:
        yield line, f"{name} is not for strategies: import from {_API}"
    if package in _MODULES_BEHIND:
        yield line, f"{package} is not for strategies: read the view's fields by name"
    if package in _OTHER_DICE or ".".join(name.split(".")[:2]) in _OTHER_DICE:
        yield line, f"{name} throws other dice in every run: use roll(view, n) of {_API}"


def _not_in_api(line: int, name: str, games: Sequence[str]) -> Iterator[tuple[int, str]]:
    missing = [game for game in games if name != "*" and name not in api.GAME_NAMES[game]]
    if missing and name in api.__all__:
        served = next(game for game, names in api.GAME_NAMES.items() if name in names)
        yield (
            line,
            (
                f"{name} is a function for {served}, and this file is for {' and '.join(games)}: "
                "docs/strategies.md lists those of each game"
            ),
        )
    elif missing:
        near = difflib.get_close_matches(name, _api_names(games), n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        yield line, f"{_API} has no {name!r}{hint}"


def _api_names(games: Sequence[str]) -> set[str]:
    """Return what files for some games may import."""
    return set.intersection(*(set(api.GAME_NAMES[game]) for game in games))


def _undefined(tree: ast.Module, games: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Find names that are read and nowhere bound."""
    bound, starred = set(_NAMES), False
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            if node.name == "*":
                bound.update(_api_names(games))
                starred = True
            bound.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in bound:
            if starred and node.id in api.__all__:
                yield from _not_in_api(node.lineno, node.id, games)
            near = difflib.get_close_matches(node.id, [*bound - _NAMES, *_api_names(games)], n=1)
            hint = f": did you mean {near[0]}?" if near else ""
            yield node.lineno, f"the name {node.id!r} is not defined{hint}"


def _interpreted_only(tree: ast.Module) -> str:
    """Say why a file is not to be compiled, "" if nothing is known against it."""
    modules = _module_names(tree)
    for node in ast.walk(tree):
        what = ""
        if isinstance(node, ast.ClassDef):
            what = f"it defines a class, {node.name}"
        elif isinstance(node, ast.Import):
            names = [alias.name for alias in node.names if alias.name not in COMPILABLE_IMPORTS]
            what = f"it imports {names[0]}" if names else ""
        elif isinstance(node, ast.ImportFrom):
            what = _uncompilable_import(node)
        elif isinstance(node, ast.Attribute):
            module = modules.get(node.value.id) if isinstance(node.value, ast.Name) else None
            if module == "numpy" and node.attr not in _COMPILABLE_NUMPY:
                what = f"it uses numpy.{node.attr}"
            elif module is None and node.attr in _UNCOMPILABLE_ARRAY:
                what = f"it uses .{node.attr}"
        if what:
            return f"{what} (line {node.lineno})"  # type: ignore[attr-defined]
    return _recursion(tree)


def _recursion(tree: ast.Module) -> str:
    """Say which function calls itself: compiled, one without an end would overrun the stack."""
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    calls = {
        name: {each.id for each in ast.walk(node) if isinstance(each, ast.Name)} & set(functions)
        for name, node in functions.items()
    }
    for name, node in functions.items():
        reached: set[str] = set()
        ahead = set(calls[name])
        while ahead:
            reached |= ahead
            ahead = {after for each in ahead for after in calls[each]} - reached
        if name in reached:
            return f"{name} calls itself (line {node.lineno})"
    return ""


def _uncompilable_import(node: ast.ImportFrom) -> str:
    if node.module not in COMPILABLE_IMPORTS:
        return f"it imports {node.module}"
    if node.module == "numpy":
        for alias in node.names:
            if alias.name not in _COMPILABLE_NUMPY:
                return f"it uses numpy.{alias.name}"
    return ""
