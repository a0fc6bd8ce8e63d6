"""Pieces of Markdown that the generated parts of the documentation are made of."""

import re
from collections.abc import Iterable, Sequence


def first_line(doc: str | None) -> str:
    """Return the first line of a docstring, which is one sentence."""
    return (doc or "").strip().splitlines()[0]


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table; a head that ends in ":" stands above numbers."""
    lines = [[head.rstrip(":") for head in heads]]
    lines.append(["---:" if head.endswith(":") else "---" for head in heads])
    lines += [[str(cell).replace("|", r"\|") for cell in row] for row in rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def code(text: object) -> str:
    """Set text as code."""
    return f"`{text}`"


def prose(text: str) -> str:
    """Let signs stand for themselves in text whose only mark-up is code between backquotes."""
    pieces = text.split("`")
    pieces[::2] = [re.sub(r"[\\*_<>\[\]~]", r"\\\g<0>", piece) for piece in pieces[::2]]
    return "`".join(pieces)


def fenced(text: str) -> str:
    """Set text as a block of its own."""
    return f"```text\n{text.rstrip()}\n```\n"


def measured_on(cores: int, versions: dict[str, str]) -> str:
    """Say what a benchmark ran on, in one sentence."""
    named = ", ".join(f"{name} {number}" for name, number in versions.items())
    return f"Measured on {cores} cores with {named}."
