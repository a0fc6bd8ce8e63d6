"""How a strategy file uses its view, as far as its text tells: what it reads of it, and writes."""

import ast
from collections.abc import Iterator, Sequence

from continental_sim.kernels.fields import VIEW_FIELDS, no_field

ARRAYS = {name for fields in VIEW_FIELDS.values() for name in fields.arrays}


def misuse(
    tree: ast.Module, asked: Sequence[ast.FunctionDef], games: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """Find fields that a view does not have, and writes to it.

    Parameters
    ----------
    tree : ast.Module
        Of the file.
    asked : sequence of ast.FunctionDef
        The functions that are called with the view. So are the helpers to which they pass it on.
    games : sequence of str
        That the file is for: it may read what the views of all of them have.

    Yields
    ------
    tuple of int and str
        The line, and what is wrong.
    """
    for function, names in _seen_by(tree, asked).items():
        for view in sorted(names):
            yield from _alias_misuse(function, view)
            yield from _field_misuse(function, view, games)


def _seen_by(tree: ast.Module, asked: Sequence[ast.FunctionDef]) -> dict[ast.FunctionDef, set[str]]:
    """Find the functions that get the view, and its names in each."""
    named: dict[str, list[ast.FunctionDef]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            named.setdefault(node.name, []).append(node)
    found: dict[ast.FunctionDef, set[str]] = {}
    ahead = [(function, function.args.args[0].arg) for function in asked]
    while ahead:
        function, name = ahead.pop()
        if name in found.setdefault(function, set()):
            continue
        found[function].add(name)
        for node in ast.walk(function):
            if isinstance(node, ast.Assign) and _is(node.value, name):
                targets = [each for each in node.targets if isinstance(each, ast.Name)]
                ahead += [(function, each.id) for each in targets]
            elif isinstance(node, ast.Call):
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                for helper in named.get(called, ()):
                    ahead += [(helper, each) for each in _passed_as(node, helper, name)]
    return found


def _passed_as(call: ast.Call, helper: ast.FunctionDef, name: str) -> Iterator[str]:
    """Yield the arguments of a helper that are the view in a call of it."""
    arguments = [each.arg for each in (*helper.args.posonlyargs, *helper.args.args)]
    if isinstance(call.func, ast.Attribute) and arguments[:1] == ["self"]:
        arguments = arguments[1:]
    for given, argument in zip(call.args, arguments, strict=False):
        if _is(given, name):
            yield argument
    for keyword in call.keywords:
        if keyword.arg and _is(keyword.value, name):
            yield keyword.arg


def _is(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _field_misuse(
    function: ast.FunctionDef, view: str, games: Sequence[str]
) -> Iterator[tuple[int, str]]:
    """Find fields that there are not, and writes to fields."""
    for node in ast.walk(function):
        if isinstance(node, ast.Attribute) and _is(node.value, view):
            lacking = [game for game in games if node.attr not in VIEW_FIELDS[game].names]
            if lacking and not node.attr.startswith("_"):
                yield node.lineno, no_field(node.attr, lacking)
            if isinstance(node.ctx, ast.Store | ast.Del):
                yield node.lineno, f"view.{node.attr} cannot be written: only view.memo[...] can"
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            inner = node.value
            while isinstance(inner, ast.Subscript):
                inner = inner.value
            if isinstance(inner, ast.Attribute) and _is(inner.value, view) and inner.attr != "memo":
                yield node.lineno, f"view.{inner.attr} cannot be written: only view.memo[...] can"


def _alias_misuse(function: ast.FunctionDef, view: str) -> Iterator[tuple[int, str]]:
    """Find writes to an array of the view under another name."""
    aliases = {
        target.id: node.value.attr
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Attribute)
        and _is(node.value.value, view)
        and node.value.attr in ARRAYS - {"memo"}
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(function):
        written: ast.expr | None = None
        if isinstance(node, ast.AugAssign):
            written = node.target
        elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            written = node.value
        if isinstance(written, ast.Name) and written.id in aliases:
            field = aliases[written.id]
            yield written.lineno, f"view.{field} cannot be written: only view.memo[...] can"
