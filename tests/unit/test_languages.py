"""Pages in other languages: nothing is left unsaid, numbers are written as the language does."""

import gettext
import re
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

import pytest

from continental_sim.cli import main
from continental_sim.columns import GAME_FILES
from continental_sim.figures import formats
from continental_sim.files.manifest import MANIFEST, read_manifest
from continental_sim.language import LANGUAGES, Language, again, numeral, speaking, tr, using
from continental_sim.report import findings, write_report
from continental_sim.report.tables import _flat, value_of
from continental_sim.rules import GAMES, rule_keys
from continental_sim.words import counted, reason_again
from tests.fakes import fake_study
from tests.script_files import load_script

OPEN, SHUT = "⟦", "⟧"
STRATEGIES = ("fastest", "stock", "neighbours")
VARIANTS = ("packs=3 jokers=4", "jokers=0", "ace=low")
STUDIES = ("continental", "basic-rummy", "whatif", "compare")
LIBRARIES = ("contsim", "python", "numpy", "numba", "pyarrow", "joblib", "pandas")
NAMES = re.compile("|".join((*VARIANTS, *STRATEGIES, *STUDIES, *LIBRARIES, "CSV", r"\bJK\b")))
# Names of rules with their values, and words for what columns hold.
CODE = re.compile(r"\w+ = \S+|\((?:exit|drawn|capped|dealt|first_turn|later|rummy|ordinary)\b")
WORD = re.compile(r"[^\W\d_]{2,}")
ENGLISH_NUMBER = re.compile(r"\d[.,]\d")


class Marks(gettext.NullTranslations):
    """Puts every text that is looked up between marks."""

    def gettext(self, message):
        return f"{OPEN}{message}{SHUT}"

    def ngettext(self, msgid1, msgid2, n):
        return f"{OPEN}{msgid1 if n == 1 else msgid2}{SHUT}"


MARKED = Language("xx", Marks(), decimal="!", group="'")


class Texts(HTMLParser):
    """What can be read or heard of a page: its texts, what tells of images, and charts.

    The text of a chart is drawn as paths, and stands in a comment before them.
    """

    def __init__(self, page):
        super().__init__()
        self.found, self.inside = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        if tag not in {"meta", "br", "link", "img"}:
            self.inside.append(tag)
        named = ("alt", "title", "aria-label", "content")
        self.found += [text for name, text in attrs if name in named and tag != "meta"]

    def handle_endtag(self, tag):
        while self.inside.pop() != tag:
            pass

    def handle_data(self, data):
        if not {"style", "code", "metadata", "script"} & set(self.inside):
            self.add(data.strip())

    def handle_comment(self, data):
        if "svg" in self.inside:
            self.add(data.strip())

    def add(self, text):
        """Keep a text; a label of a chart that is broken into lines is one."""
        if self.found and self.found[-1].count(OPEN) > self.found[-1].count(SHUT):
            self.found[-1] += f" {text}"
        else:
            self.found.append(text)


def texts_of_markdown(page):
    """Texts of a Markdown page: lines, or cells of tables, without code and file names."""
    text = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"\]\([\w/-]+\.png\)", "", text).replace("![", "")
    for line in text.splitlines():
        cells = re.split(r"(?<!\\)\|", line) if line.startswith("|") else [line]
        yield from (re.sub(r"\\(.)", r"\1", cell).strip("-#* ") for cell in cells)


def unmarked(text):
    """What of a text is not between marks."""
    while (left := re.sub(f"{OPEN}[^{OPEN}{SHUT}]*{SHUT}", "", text)) != text:
        text = left
    return text


@dataclass
class Pages:
    """Directories of studies by what they are of, and all that is data in their pages."""

    place: Path
    data: set[str]

    def texts(self, name, language):
        out = self.place / f"{name}-{language if isinstance(language, str) else language.code}"
        if not out.exists():
            if isinstance(language, str):
                write_report(self.place / name, out, language=language)
            else:
                self.write_marked(name, out)
        page = (out / "report.html").read_text(encoding="utf-8")
        markdown = (out / "report.md").read_text(encoding="utf-8")
        return [*Texts(page).found, *texts_of_markdown(markdown)]

    def write_marked(self, name, out):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("continental_sim.report.speaking", lambda _: using(MARKED))
            write_report(self.place / name, out)

    def unsaid(self, texts):
        """Texts of which something is neither said, nor a number, nor data."""
        return [
            text
            for text in texts
            if WORD.search(NAMES.sub("", unmarked(text)))
            and text not in self.data
            and not text.startswith("contsim replay ")
        ]

    def misspelt(self, texts):
        """Texts with a number that is written as in English."""
        return [text for text in texts if ENGLISH_NUMBER.search(text) and text not in self.data]


def data_of(place):
    """What pages show as it is: names of rules and columns, values, what manifests hold."""
    data = set()
    for game in GAMES.values():
        data |= set(rule_keys(game))
    for files in GAME_FILES.values():
        for file in files.all:
            data |= {text for column in file.columns for text in (column.name, column.stored)}
    for path in place.rglob(MANIFEST):
        manifest = read_manifest(path.parent)
        data |= {value_of(value) for value in manifest["rules"].values()}
        played = {**manifest["study"], **manifest["runs"][0]}
        data |= {value_of(value) for _, value in _flat(played)}
    return data


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    place = tmp_path_factory.mktemp("languages")
    lineup = ("fastest", "stock", "neighbours", "fastest")
    fake_study(place / "continental", lineup=lineup, deals=4000)
    line = ["--deals", "300", "--seed", "1", "-q"]
    rummy = ["run", "--game", "basic-rummy", *line, "--out", str(place / "basic-rummy")]
    assert main(rummy) == 0
    variants = [word for variant in VARIANTS for word in ("--set", variant)]
    assert main(["whatif", *variants, *line, "--out", str(place / "whatif")]) == 0
    compare = ["compare", *STRATEGIES, "--all", "--seats", "3", "--deals", "30", "--seed", "1"]
    assert main([*compare, "--out", str(place / "compare")]) == 0
    return Pages(place, data_of(place))


KINDS = pytest.mark.parametrize("name", STUDIES)


@KINDS
def test_no_text_is_left_unsaid(pages, name):
    texts = pages.texts(name, MARKED)
    assert len([text for text in texts if text.startswith(OPEN)]) > 100
    assert pages.unsaid(texts) == []


@KINDS
def test_all_numbers_are_written_as_the_language_does(pages, name):
    texts = pages.texts(name, MARKED)
    assert len([text for text in texts if "!" in text]) > 20
    assert pages.misspelt(texts) == []


def test_charts_are_looked_at(pages):
    pages.texts("basic-rummy", MARKED)
    page = (pages.place / "basic-rummy-xx" / "report.html").read_text(encoding="utf-8")
    charts = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert len(charts) > 8
    for chart in charts:
        drawn = Texts(chart).found
        assert any(OPEN in text for text in drawn[1:]), drawn
    assert any(re.search(r"^\d+!\d+$", text) for chart in charts for text in Texts(chart).found)


def test_what_is_not_looked_up_is_found(pages, monkeypatch):
    monkeypatch.setattr(findings, "tr", lambda text, **values: text.format(**values))
    pages.write_marked("continental", pages.place / "unsaid")
    found = pages.unsaid(Texts((pages.place / "unsaid" / "report.html").read_text()).found)
    assert any("ended in an exit" in text for text in found)


def test_a_number_as_in_english_is_found(pages, monkeypatch):
    monkeypatch.setattr(formats, "numeral", str)
    pages.write_marked("continental", pages.place / "misspelt")
    found = pages.misspelt(Texts((pages.place / "misspelt" / "report.html").read_text()).found)
    assert len(found) > 50


@KINDS
def test_a_spanish_page_has_no_english(pages, name):
    texts = [
        CODE.sub("", text)
        for text in pages.texts(name, "es")
        if text not in pages.data and not text.startswith("contsim replay ")
    ]
    english = r"\b(the|of|with|and|which|from|that|are|share|deals?|hands?|exits?|seats?|points)\b"
    assert [text for text in texts if re.search(english, text)] == []
    assert len([text for text in texts if re.search(r"\d,\d", text)]) > 20
    assert [text for text in texts if re.search(r"\d\.\d", text)] == []
    page = (pages.place / f"{name}-es" / "report.html").read_text(encoding="utf-8")
    assert '<html lang="es">' in page


def test_an_english_page_is_what_it_was(pages):
    out = pages.place / "plain"
    write_report(pages.place / "continental", out)
    page = (out / "report.html").read_text(encoding="utf-8")
    assert '<html lang="en">' in page
    assert "Of 4,000 deals a share of" in page
    assert spoken_texts() == ("exit", "1,234.5")


def spoken_texts():
    return tr("exit"), numeral("1,234.5")


def test_what_is_spoken_ends_with_the_page(pages, tmp_path):
    with pytest.raises(Exception, match="no report of this study"):
        write_report(pages.place / "continental", pages.place / "whatif", language="es")
    assert spoken_texts() == ("exit", "1,234.5")


def test_spanish_counts_and_numbers():
    with speaking("es"):
        assert [counted(n, "deal") for n in (1, 2, 1500, 12345)] == [
            "1 reparto",
            "2 repartos",
            "1500 repartos",
            "12\u202f345 repartos",
        ]
        assert counted(1, "exit") == "1 salida"
        assert tr("exit") == "salida"
        assert numeral("-1,234.5") == "-1234,5"
        assert formats.percent(0.995) == "99,5 %"
        assert tr("") == ""


def test_what_files_keep_in_english_is_said_again():
    reason = "the most, 2,000 deals, are played: payment = 4.61 ± 0.19, wanted ± 0.1"
    assert reason_again(reason) == reason
    with speaking("es"):
        assert reason_again(reason) == (
            "se ha jugado el máximo, 2000 repartos: payment = 4,61 ± 0,19, se pedía ± 0,1"
        )
        assert reason_again("the time of 1 second was over") == "se acabó el tiempo de 1 segundo"
        assert reason_again("something else") == "something else"
        assert again("fastest weighs ace and melds", ["{strategy} weighs {rules}"]) == (
            "fastest tiene en cuenta ace y melds"
        )


@pytest.fixture(scope="module")
def catalogue():
    return load_script("catalogue")


@pytest.mark.parametrize("code", LANGUAGES[1:])
def test_catalogues_are_whole(catalogue, code):
    path = catalogue.PACKAGE / catalogue.CATALOGUES / f"{code}.po"
    assert catalogue.lacking(catalogue.read(path), catalogue.collected()) == []


def test_what_a_catalogue_lacks_is_told(catalogue):
    path = catalogue.PACKAGE / catalogue.CATALOGUES / "es.po"
    found, wanted = catalogue.read(path), catalogue.collected()
    found["distance {cards}"].string = "distancia {card}"
    found["distance"].string = ""
    found[("deal", "deals")].string = ("reparto", "")
    found.add("gone", "ido")
    told = catalogue.lacking(found, [*wanted, "new"])
    assert sorted(told) == sorted(
        [
            "not translated: ('deal', 'deals')",
            "not translated: 'distance'",
            "not translated: 'new'",
            "other names in braces: 'distance {cards}' -> 'distancia {card}'",
            "nothing says this any more: 'gone'",
        ]
    )


def test_languages_are_asked_for_by_name(pages, tmp_path, capsys):
    out = str(tmp_path / "page")
    assert main(["report", str(pages.place / "continental"), "--out", out, "--lang", "es"]) == 0
    assert "The report is in" in capsys.readouterr().out
    assert "De 4000 repartos" in (tmp_path / "page" / "report.md").read_text(encoding="utf-8")
    assert main(["report", str(pages.place / "continental"), "--lang", "fr"]) == 2
    assert "'fr' is not one of 'en', 'es'" in capsys.readouterr().err
