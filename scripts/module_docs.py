"""The generated parts about the modules of the package: what each is, and what it imports."""

import ast
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from markdown_parts import code, first_line, table

PACKAGE: Final = Path(__file__).resolve().parent.parent / "continental_sim"
OPEN_FOLDERS: Final = {
    "comparing",
    "exact",
    "figures",
    "files",
    "play",
    "rare",
}  # listed module by module


def rooms() -> str:
    """List the modules of the package, each after all that it imports."""
    graph: dict[str, set[str]] = {}
    lines: dict[str, str] = {}
    shown: dict[str, str] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        inits = {("__init__",), *((folder, "__init__") for folder in OPEN_FOLDERS)}
        if parts[-1] == "__main__" or parts in inits:
            continue
        name = _unit(parts)
        graph[name] = graph.get(name, set()) | _imported(path) - {name}
        if parts[-1] in (name, "__init__"):
            folder = path.name == "__init__.py"
            shown[name] = f"{name}/" if folder else path.relative_to(PACKAGE).as_posix()
            doc = first_line(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))))
            lines[name] = doc.removesuffix(".")
    levels: dict[str, int] = {}

    def level(name: str) -> int:
        if name not in levels:
            levels[name] = 1 + max((level(other) for other in graph[name]), default=-1)
        return levels[name]

    ordered = sorted(graph, key=lambda name: (level(name), name))
    return table(
        ("module", "what it is", "imports"),
        (
            (
                code(shown[name]),
                lines[name],
                ", ".join(sorted(graph[name], key=ordered.index)),
            )
            for name in ordered
        ),
    )


def folders() -> str:
    """List the folders whose modules are listed by themselves."""
    return table(
        ("folder", "what is in it"),
        (
            (
                code(f"{name}/"),
                first_line(
                    ast.get_docstring(
                        ast.parse((PACKAGE / name / "__init__.py").read_text(encoding="utf-8"))
                    )
                ).removesuffix("."),
            )
            for name in sorted(OPEN_FOLDERS)
        ),
    )


def _unit(parts: Sequence[str]) -> str:
    """Name what a module belongs to: itself, or its folder if that is listed as one."""
    return parts[1] if parts[0] in OPEN_FOLDERS and len(parts) > 1 else parts[0]


def _imported(path: Path) -> set[str]:
    """Modules of the package that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("continental_sim"):
            inside = str(node.module).split(".")[1:]
            if inside in ([], *([name] for name in OPEN_FOLDERS)):
                found |= {_unit([*inside, alias.name]) for alias in node.names}
            else:
                found.add(_unit(inside))
    return {name for name in found if not name.startswith("__")}


PARTS: Final[dict[str, Callable[[], str]]] = {"folders": folders, "rooms": rooms}
