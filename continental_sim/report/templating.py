"""The template engine, as all pages use it."""

from collections.abc import Callable

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from continental_sim.language import spoken, tr


def templates(*, autoescape: bool, finalize: Callable[[object], str] | None = None) -> Environment:
    """Return what finds and renders templates.

    Parameters
    ----------
    autoescape : bool
        Whether texts are escaped for HTML.
    finalize : callable or None
        What is done with each text else.
    """
    environment = Environment(
        loader=PackageLoader("continental_sim.report"),
        autoescape=autoescape,  # noqa: S701 (Markdown is escaped by `finalize`)
        finalize=finalize,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {"_": said, "language": spoken().code}
    return environment


def said(text: str, **values: object) -> Markup:
    """Say a text of a template, where lines may end anywhere; values are escaped, markup stays."""
    flat = " ".join(text.split())
    told = tr(flat)
    return Markup(text if told == flat else told).format(**values)  # noqa: S704 (our text)
