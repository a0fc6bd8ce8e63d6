"""Reports: complete, escaped, reproducible, readable without seeing the charts."""

import re
from html.parser import HTMLParser

import pytest

from continental_sim.columns import CONTINENTAL
from continental_sim.cubes import StudyCubes
from continental_sim.errors import ContsimError
from continental_sim.figures import stats
from continental_sim.figures.plots import charts
from continental_sim.files import store
from continental_sim.report import write_report
from continental_sim.report.markdown import markdown_text
from continental_sim.rules import ContinentalRules, rule_keys
from tests.fakes import fake_manifest, fake_study

RULES = ContinentalRules()
EVIL = ("<script>alert(1)</script>", "a|b *c* [d](e) `f`", "$x^2$", "x&y\n# z")
VOID = {"meta", "br", "link", "img"}


class Page(HTMLParser):
    """Elements of a page; checks that they are closed in order."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.texts = [], [], []
        self.feed(text)
        assert not self.open

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    place = tmp_path_factory.mktemp("report")
    fake_study(place / "study", lineup=EVIL)
    return write_report(place / "study", place / "out").parent


@pytest.fixture(scope="module")
def page(report):
    return Page((report / "report.html").read_text())


def test_all_files_exist(report):
    names = {path.name for path in report.iterdir()}
    assert {"report.html", "report.md", "manifest.toml"} < names
    for name in ("payments", "exits-by-turn", "ledger", "seats", "ends"):
        assert f"{name}.png" in names
    for path in report.glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG")


def test_charts_say_what_they_show(page, report):
    drawn = [attributes for tag, attributes in page.elements if tag == "svg"]
    assert len(drawn) == len(list(report.glob("*.png")))
    for attributes in drawn:
        assert attributes["role"] == "img"
        assert len(attributes["aria-label"]) > 20
    images = re.findall(r"!\[(.*?)\]\(([\w-]+\.png)\)\n", (report / "report.md").read_text())
    assert {name for _, name in images} == {path.name for path in report.glob("*.png")}
    assert all(len(alt) > 20 for alt, _ in images)


def test_names_of_strategies_are_text(page, report):
    assert not any(tag == "script" for tag, _ in page.elements)
    assert "<script>alert(1)</script>" in "".join(page.texts)
    markdown = (report / "report.md").read_text()
    assert not re.search(r"(?<!\\)<script", markdown)
    assert r"a\|b \*c\* \[d\](e) \`f\`" in markdown
    assert "\n# z" not in markdown


def test_rows_of_markdown_tables_have_their_columns(report):
    for table in re.findall(r"(?:^\|.*\n)+", (report / "report.md").read_text(), re.MULTILINE):
        cells = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(cells) == 1


def test_identifiers_are_unique_and_references_meet_them(page, report):
    found = [attributes["id"] for _, attributes in page.elements if "id" in attributes]
    assert len(found) == len(set(found))
    used = re.findall(r'(?:href="|url\()#([^")]+)', (report / "report.html").read_text())
    assert used
    assert set(used) <= set(found)


def test_page_needs_nothing_from_elsewhere(report):
    text = (report / "report.html").read_text()
    assert not re.search(r'(?:src|href)="(?!#)', text)


def test_page_holds_rules_definitions_and_the_way_back(page):
    text = "".join(page.texts)
    for name in rule_keys(ContinentalRules):
        assert name in text
    for file in CONTINENTAL.all:
        for column in file.columns:
            assert column.meaning in text
    assert "contsim run manifest.toml --out NEW" in text


def test_same_study_gives_the_same_report(report, tmp_path):
    write_report(report.parent / "study", tmp_path / "again")
    for path in report.iterdir():
        assert (tmp_path / "again" / path.name).read_bytes() == path.read_bytes(), path.name


def test_a_report_of_the_same_study_is_replaced(report):
    assert write_report(report.parent / "study", report) == report / "report.html"


def test_other_directories_are_not_touched(report, tmp_path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(ContsimError, match="--out"):
        write_report(report.parent / "study", tmp_path)
    fake_study(tmp_path / "other", seed=2)
    with pytest.raises(ContsimError, match="no report of this study"):
        write_report(tmp_path / "other", report)
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["mine.txt"]


@pytest.mark.parametrize("ends", [(1, 0, 0), (0, 0, 1)], ids=["all exits", "all capped"])
def test_every_study_can_be_drawn(tmp_path, ends):
    fake_study(tmp_path / "study", deals=40, ends=ends)
    assert write_report(tmp_path / "study", tmp_path / "out").exists()


def test_a_study_without_deals_can_be_drawn(tmp_path):
    lineup = ("fastest",) * 4
    manifest = fake_manifest(RULES, lineup, 0)
    store.write_study(tmp_path / "study", StudyCubes.empty(CONTINENTAL, 4), manifest)
    assert write_report(tmp_path / "study", tmp_path / "out").exists()


def test_long_deals_are_drawn_in_wider_bars(tmp_path):
    rules = ContinentalRules()
    study = fake_study(tmp_path / "study", rules)
    study.cubes.cube["turns"] *= 20
    chart = charts(stats.summarise(study))[1]
    axes = chart.figure.axes[0]
    assert "bars of" in axes.get_xlabel()
    assert len(axes.patches) <= 300


def test_axes_have_labels_with_their_units(tmp_path):
    drawn = charts(stats.summarise(fake_study(tmp_path / "study")))
    assert len({chart.name for chart in drawn}) == len(drawn)
    for chart in drawn:
        axes = chart.figure.axes[0]
        assert axes.get_xlabel()
        assert axes.get_title(loc="left") == chart.title
    labels = " ".join(chart.figure.axes[0].get_xlabel() for chart in drawn)
    assert "[points a deal]" in labels
    assert "capped deals" in labels


def test_markdown_text_is_one_line():
    assert markdown_text("a\n b_c") == r"a b\_c"


def test_charts_of_hands_and_cards_draw_every_interval(tmp_path):
    summary = stats.summarise(fake_study(tmp_path / "s"))
    drawn = {chart.name: chart for chart in charts(summary)}
    fates = summary.openings.by_distance
    (lines,) = drawn["fates"].figure.axes[0].collections
    bounds = [segment[:, 1].tolist() for segment in lines.get_segments()]
    assert bounds == [[fate.wins.low, fate.wins.high] for fate in fates.values()]
    (bars,) = drawn["ranks"].figure.axes[0].containers
    assert [bar.get_height() for bar in bars] == [
        share.rate for share in summary.ranks_exposed.values()
    ]
    points = drawn["wilds"].figure.axes[0].collections
    spread = [fate for fate in summary.openings.by_wilds.values() if fate.points.low is not None]
    assert [line.get_segments()[0][:, 1].tolist() for line in points] == [
        [fate.points.low, fate.points.high] for fate in spread
    ]
