"""The template engine, as all pages use it."""

from collections.abc import Callable

from jinja2 import Environment, PackageLoader, StrictUndefined


def templates(*, autoescape: bool, finalize: Callable[[object], str] | None = None) -> Environment:
    """Return what finds and renders templates.

    Parameters
    ----------
    autoescape : bool
        Whether texts are escaped for HTML.
    finalize : callable or None
        What is done with each text else.
    """
    return Environment(
        loader=PackageLoader("continental_sim.report"),
        autoescape=autoescape,  # noqa: S701 (Markdown is escaped by `finalize`)
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
