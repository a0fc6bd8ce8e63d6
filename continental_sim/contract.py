"""The contract of a strategy file, as far as it can be read off the text without running it."""

import ast
import builtins
import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from continental_sim import api
from continental_sim.errors import ContsimError
from continental_sim.kernels.records import PUBLIC_FIELDS, RULES_FIELDS, SEAT_FIELDS

REQUIRED = ("take_discard", "choose_discard")
QUESTIONS = (*REQUIRED, "go_out")
VIEW_FIELDS = (*SEAT_FIELDS, *PUBLIC_FIELDS, *RULES_FIELDS)
COMPILABLE_IMPORTS = ("continental_sim.api", "math", "numpy")
_NAMES = {*dir(builtins), "__name__", "__file__", "__doc__"}


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
    """

    functions: tuple[str, ...]
    knobs: Mapping[str, ast.expr]
    interpreted_only: str


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
        tree = ast.parse(text)
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
    for asked in QUESTIONS:
        if asked in functions and len(functions[asked].args.args) != 1:
            line = functions[asked].lineno
            raise ContsimError(f"line {line} of {name}: {asked} takes one argument, the view")
    for problem in (
        *_forbidden(tree),
        *(
            found
            for asked in QUESTIONS
            if asked in functions
            for found in _view_misuse(functions[asked])
        ),
        *_undefined(tree),
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
    return Contract(tuple(functions), knobs, _interpreted_only(tree))


def _is_number(node: ast.expr) -> bool:
    try:
        return isinstance(ast.literal_eval(node), int | float)
    except ValueError:
        return False


def _forbidden(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Find names that lead behind the view."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            yield node.lineno, f"{node.attr} begins with an underscore and is not for strategies"
        if isinstance(node, ast.Name) and node.id in (
            "getattr",
            "setattr",
            "vars",
            "eval",
            "exec",
            "globals",
        ):
            yield node.lineno, f"{node.id}() is not for strategies: read the view's fields by name"
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names]
            module = node.module or "" if isinstance(node, ast.ImportFrom) else ""
            for full in [module] if module else names:
                if full.partition(".")[0] == "continental_sim" and full != "continental_sim.api":
                    yield (
                        node.lineno,
                        f"{full} is not for strategies: import from continental_sim.api",
                    )
            if module == "continental_sim.api":
                for wanted in names:
                    if wanted != "*" and not hasattr(api, wanted):
                        near = difflib.get_close_matches(wanted, api.__all__, n=1)
                        hint = f"; did you mean {near[0]}?" if near else ""
                        yield node.lineno, f"continental_sim.api has no {wanted!r}{hint}"


def _view_misuse(function: ast.FunctionDef) -> Iterator[tuple[int, str]]:
    """Find misspelt fields of the view, and writes to it."""
    view = function.args.args[0].arg
    for node in ast.walk(function):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == view
        ):
            if node.attr not in VIEW_FIELDS:
                near = difflib.get_close_matches(node.attr, VIEW_FIELDS, n=1)
                hint = f"did you mean {near[0]}?" if near else "see `contsim strategies new`"
                yield node.lineno, f"a view has no field {node.attr!r}: {hint}"
            if isinstance(node.ctx, ast.Store | ast.Del):
                yield node.lineno, f"view.{node.attr} cannot be written: only view.memo[...] can"
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            inner = node.value
            while isinstance(inner, ast.Subscript):
                inner = inner.value
            if (
                isinstance(inner, ast.Attribute)
                and isinstance(inner.value, ast.Name)
                and inner.value.id == view
                and inner.attr != "memo"
            ):
                yield node.lineno, f"view.{inner.attr} cannot be written: only view.memo[...] can"


def _undefined(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Find names that are read and nowhere bound."""
    bound = set(_NAMES)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            bound.add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            bound.add(node.name)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, ast.alias):
            if node.name == "*":
                bound.update(api.__all__)
            bound.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id not in bound:
            near = difflib.get_close_matches(node.id, [*bound - _NAMES, *api.__all__], n=1)
            hint = f": did you mean {near[0]}?" if near else ""
            yield node.lineno, f"the name {node.id!r} is not defined{hint}"


def _interpreted_only(tree: ast.Module) -> str:
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            return f"it defines a class, {node.name} (line {node.lineno})"
        if isinstance(node, ast.Import | ast.ImportFrom):
            module = node.module if isinstance(node, ast.ImportFrom) else node.names[0].name
            if module not in COMPILABLE_IMPORTS:
                return f"it imports {module} (line {node.lineno})"
    return ""
