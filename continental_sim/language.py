"""The language that pages speak: English stands in the code, others in catalogues beside this.

A function says a text with `tr`, a noun with `plural`, at once. What stands outside functions is
`marked` there, or belongs to records that `scripts/catalogue.py` knows (rules, columns, the words
of games), and is said where it is shown. Which language is spoken is set for a whole page,
`speaking("es")`, and not handed from call to call.
"""

import gettext
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, partial
from importlib import resources
from typing import Final, Literal, get_args

Code = Literal["en", "es"]  # as a page declares it, and as `contsim report --lang` takes it
LANGUAGES: Final[tuple[Code, ...]] = get_args(Code)
CATALOGUES: Final = "languages"  # folder of this package
_UNGROUPED: Final = 4  # digits of a whole number that are not separated, where `sparing`


@dataclass(frozen=True, slots=True)
class Language:
    """How a language writes sentences and numbers.

    Attributes
    ----------
    code : str
        As in `LANGUAGES`, and as a page declares it.
    catalogue : gettext.NullTranslations
        From the English sentences to its own.
    decimal, group : str
        Before the decimals, and between thousands.
    sparing : bool
        Whether whole numbers of four digits are not separated.
    """

    code: str
    catalogue: gettext.NullTranslations
    decimal: str = "."
    group: str = ","
    sparing: bool = False


_ENGLISH: Final = Language("en", gettext.NullTranslations())
# Real Academia Española, Ortografía (2010): comma, thin space, none in numbers of four digits.
_SIGNS: Final = {"es": partial(Language, decimal=",", group="\u202f", sparing=True)}
_spoken: Final = ContextVar("spoken", default=_ENGLISH)


@contextmanager
def speaking(code: Code) -> Iterator[Language]:
    """Speak a language for a while.

    Parameters
    ----------
    code : str
        One of `LANGUAGES`, which are those of the guides.
    """
    with using(_language(code)) as language:
        yield language


@contextmanager
def using(language: Language) -> Iterator[Language]:
    """Speak a language that need not be one of `LANGUAGES`, for a while."""
    token = _spoken.set(language)
    try:
        yield language
    finally:
        _spoken.reset(token)


def spoken() -> Language:
    """Return the language that is spoken."""
    return _spoken.get()


def tr(text: str, /, **values: object) -> str:
    """Say a sentence, or a word, in the language that is spoken.

    Parameters
    ----------
    text : str
        In English, as the catalogues have it; names in braces stand for values.
    **values
        What they stand for; without any the text is said as it is.
    """
    said = spoken().catalogue.gettext(text) if text else ""  # which would find the header
    return said.format(**values) if values else said


def marked(text: str) -> str:
    """Return a text as it is: the catalogues have it, and `tr` says it where it is shown."""
    return text


def plural(count: float, one: str, several: str) -> str:
    """Say a noun in the number that a count asks for."""
    return spoken().catalogue.ngettext(one, several, 1 if count == 1 else 2)


def again(text: str, sentences: Sequence[str]) -> str:
    """Say a text that a file keeps in English; one that is not known stays as it is.

    Parameters
    ----------
    text : str
    sentences : sequence of str
        What it may be, as `tr` says it, with names in braces.
    """
    if spoken() is _ENGLISH:
        return text
    for sentence in sentences:
        pattern = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(sentence))
        if found := re.fullmatch(pattern, text):
            values = found.groupdict()
            return tr(sentence, **{name: _value(values[name], sentences) for name in values})
    return text


def _value(text: str, sentences: Sequence[str]) -> str:
    """Say a value of a sentence: a number, a list, or a sentence in turn."""
    if re.fullmatch(r"[\d,]*\.?\d+( %)?", text):
        return numeral(text)
    first, both, last = text.rpartition(" and ")
    return f"{first} {tr('and')} {last}" if both else again(text, sentences)


def numeral(text: str) -> str:
    """Write a number, given as Python writes it (`1,234.5`), as the spoken language does."""
    language = spoken()
    if language is _ENGLISH:
        return text
    whole, point, decimals = text.partition(".")
    if language.sparing and sum(sign.isdigit() for sign in whole) <= _UNGROUPED:
        whole = whole.replace(",", "")
    return whole.replace(",", language.group) + (language.decimal if point else "") + decimals


@cache
def _language(code: Code) -> Language:
    return _ENGLISH if code == _ENGLISH.code else _SIGNS[code](code, _catalogue(code))


def _catalogue(code: str) -> gettext.GNUTranslations:
    # Pages in English, and all else that contsim does, need none of this.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    compiled = io.BytesIO()
    with (resources.files("continental_sim") / CATALOGUES / f"{code}.po").open("rb") as file:
        write_mo(compiled, read_po(file, locale=code))
    compiled.seek(0)
    return gettext.GNUTranslations(compiled)
