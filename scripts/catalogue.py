"""Collect what pages say into the catalogues of other languages, or tell what these lack.

    python scripts/catalogue.py          # new sentences get an empty translation, gone ones go
    python scripts/catalogue.py --check  # change nothing; status 1 if a catalogue lacks something

Sentences are found in the code, as the arguments of `tr`, `plural` and `counted`; in the templates
of reports; and in what is declared: rules, columns and the words of the games.
"""

import argparse
import io
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # this checkout, wherever it is called from

from continental_sim.columns import GAME_FILES  # noqa: E402
from continental_sim.language import CATALOGUES, LANGUAGES  # noqa: E402
from continental_sim.rules import GAMES, rule_keys  # noqa: E402

PACKAGE: Final = ROOT / "continental_sim"
# Where pages are made; what the rest of the package says is for the terminal, in English.
SPEAKING: Final = ("comparing", "figures", "report", "rules", "words.py")
METHODS: Final = [("**.py", "python"), ("**.j2", "jinja2")]
KEYWORDS: Final = {"tr": None, "_": None, "plural": (2, 3), "counted": (2,)}
WIDTH: Final = 100
HEADER: Final = r"""# What the pages of contsim say. scripts/catalogue.py adds new sentences.
msgid ""
msgstr ""
"Language: {code}\n"
"Content-Type: text/plain; charset=utf-8\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\n"

"""

Text = str | tuple[str, str]  # a sentence, or a noun in both numbers


def collected() -> dict[Text, None]:
    """Return all sentences that pages may say, in the order in which they were found."""
    return dict.fromkeys([*_in_code(), *_declared()])


def _in_code() -> Iterator[Text]:
    for name in SPEAKING:
        place = PACKAGE / name
        folder = place if place.is_dir() else place.parent
        found = extract_from_dir(folder, METHODS, keywords=KEYWORDS, directory_filter=None)
        for path, _, message, _, _ in sorted(found, key=lambda each: each[:2]):
            if place.is_dir() or path == place.name:
                yield from _texts(message)


def _texts(message: str | tuple[str, ...]) -> Iterator[Text]:
    if isinstance(message, tuple):
        yield message[0], message[1]
    elif message:
        yield message


def _declared() -> Iterator[str]:
    for rules in GAMES.values():
        for key in rule_keys(rules).values():
            yield key.doc
    for files in GAME_FILES.values():
        for file in files.all:
            yield file.row
            for column in file.columns:
                yield from (text for text in (column.unit, column.meaning) if text)


def renew(catalogue: Catalog, wanted: Iterable[Text]) -> None:
    """Give a catalogue all wanted sentences, and no others; its translations stay."""
    template = Catalog()
    for text in wanted:
        template.add(text, flags=("python-brace-format",) if "{" in str(text) else ())
    catalogue.update(template, no_fuzzy_matching=True)
    catalogue.obsolete.clear()


def write(path: Path, catalogue: Catalog) -> None:
    """Write a catalogue with a header that says no more than what is needed to read it."""
    entries = io.BytesIO()
    write_po(entries, catalogue, width=WIDTH, omit_header=True)
    path.write_bytes(HEADER.format(code=path.stem).encode() + entries.getvalue())


def lacking(catalogue: Catalog, wanted: Iterable[Text]) -> list[str]:
    """Tell which of the wanted sentences a catalogue has no translation of, or has too many of."""
    entries = {message.id: message for message in catalogue if message.id}
    told = []
    for text in wanted:
        entry = entries.pop(text, None)
        if entry is None or not _said(entry):
            told.append(f"not translated: {text!r}")
        elif names_in(str(entry.id)) != names_in(str(entry.string)):
            told.append(f"other names in braces: {text!r} -> {entry.string!r}")
    return told + [f"nothing says this any more: {text!r}" for text in entries]


def _said(message: Message) -> bool:
    parts = message.string if isinstance(message.string, tuple | list) else [message.string]
    return all(parts) and not message.fuzzy


def names_in(text: str) -> set[str]:
    """Return the names that stand in braces."""
    return {part.split("}")[0].split(":")[0] for part in text.split("{")[1:] if part[:1] != "}"}


def read(path: Path) -> Catalog:
    """Read a catalogue; one that is not there yet has nothing."""
    data = path.read_bytes() if path.exists() else b""
    return read_po(io.BytesIO(data), locale=path.stem)


def main() -> int:
    """Renew or check all catalogues."""
    parser = argparse.ArgumentParser(description="Collect what pages say into the catalogues.")
    parser.add_argument("--check", action="store_true", help="change nothing, only tell")
    only_check = parser.parse_args().check
    wanted, told = collected(), []
    for code in LANGUAGES:
        path = PACKAGE / CATALOGUES / f"{code}.po"
        if code == "en":
            continue
        catalogue = read(path)
        if not only_check:
            renew(catalogue, wanted)
            write(path, catalogue)
        told += [f"{path.name}: {each}" for each in lacking(catalogue, wanted)]
    for line in told:
        print(line)
    return 1 if told else 0


if __name__ == "__main__":
    sys.exit(main())
