"""Collect what pages say into the catalogues of other languages, or tell what these lack.

    python scripts/catalogue.py          # new sentences get an empty translation, gone ones go
    python scripts/catalogue.py --check  # change nothing; status 1 if a catalogue lacks something

Sentences are found in the code, as the arguments of `tr`, `marked`, `plural` and `counted`; in the
templates of reports; and in what is declared: rules, columns, what is compared, the words of games.
"""

import argparse
import ast
import io
import sys
from collections.abc import Iterable, Iterator
from dataclasses import astuple
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))  # this checkout, wherever it is called from

from continental_sim.columns import GAME_FILES  # noqa: E402
from continental_sim.figures.game_figures import GAME_FIGURES  # noqa: E402
from continental_sim.language import CATALOGUES, LANGUAGES  # noqa: E402
from continental_sim.rules import GAMES, rule_keys  # noqa: E402

PACKAGE: Final = ROOT / "continental_sim"
# Where pages are made; what the rest of the package says is for the terminal, in English.
SPEAKING: Final = ("comparing/*.py", "figures/*.py", "report/*.py", "rules/*.py", "words.py")
TEMPLATES: Final = [("**.j2", "jinja2"), ("**.txt", "jinja2")]
SAYING: Final = ("tr", "marked", "plural", "counted")
WIDTH: Final = 100
END_OF_HEADER: Final = "\n\n"

Text = str | tuple[str, str]  # a sentence, or a noun in both numbers


def collected() -> dict[Text, None]:
    """Return all sentences that pages may say, in the order in which they were found.

    What is a noun in both numbers, too, is not named again.
    """
    found = dict.fromkeys([*_in_code(), *_declared()])
    nouns = {text[0] for text in found if isinstance(text, tuple)}
    return {text: None for text in found if text not in nouns}


def _in_code() -> Iterator[Text]:
    for pattern in SPEAKING:
        for path in sorted(PACKAGE.glob(pattern)):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                    yield from _in_call(node.func.id, node, path)
    found = extract_from_dir(PACKAGE / "report", TEMPLATES, directory_filter=None)
    for _, _, message, _, _ in sorted(found, key=lambda each: each[:2]):
        yield " ".join(str(message).split())  # as `pages.said` looks it up


def _in_call(name: str, call: ast.Call, path: Path) -> Iterator[Text]:
    """Yield what a call says, if it says anything; a text that is `marked` may be handed on."""
    if name not in SAYING:
        return
    texts = [each.value for each in call.args if isinstance(each, ast.Constant)]
    said = [each for each in texts if isinstance(each, str)]
    if name == "plural":
        if len(said) > 1:
            yield said[0], said[1]
    elif name == "counted":
        yield from ((noun, f"{noun}s") for noun in said)
    elif any(isinstance(each, ast.JoinedStr) for each in call.args):
        raise SystemExit(f"{path}:{call.lineno}: values belong after the text, by their names")
    elif said:
        given = {each.arg for each in call.keywords if each.arg}
        if given and given != names_in(said[0]):
            raise SystemExit(f"{path}:{call.lineno}: {said[0]!r} has other names than {given}")
        yield said[0]


def _declared() -> Iterator[str]:
    for rules in GAMES.values():
        yield rules.title
        for key in rule_keys(rules).values():
            yield key.doc
    for figures in GAME_FIGURES.values():
        yield from astuple(figures.words)
        yield from (figure.label for figure in figures.compared)
        yield from (figure.unit for figure in figures.compared)
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
    """Write a catalogue; its header stays as it is, glossary and all."""
    header = path.read_text(encoding="utf-8").partition(END_OF_HEADER)[0]
    entries = io.BytesIO()
    write_po(entries, catalogue, width=WIDTH, omit_header=True)
    path.write_bytes(f"{header}{END_OF_HEADER}".encode() + entries.getvalue())


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
