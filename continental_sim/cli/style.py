"""Colour and weight: only where a terminal shows them, and nobody has refused them."""

import os
import sys
from typing import Any, TextIO

import typer


def painted(text: str, stream: TextIO | None = None, **style: Any) -> str:
    """Give a text a style, if the stream is a terminal that shows one.

    Parameters
    ----------
    text : str
    stream : text file, optional
        Where it will be written; standard output if left out.
    **style
        As `typer.style` takes it, such as ``bold=True`` or ``fg="red"``.
    """
    return typer.style(text, **style) if shows_style(stream or sys.stdout) else text


def shows_style(stream: TextIO) -> bool:
    """Tell whether a stream is a terminal with colours, and `NO_COLOR` is not set."""
    plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return stream.isatty() and not plain


def heading(text: str) -> str:
    """Make the head of a table on standard output stand out."""
    return painted(text, bold=True)
