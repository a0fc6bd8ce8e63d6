"""Reports: complete, escaped, reproducible, readable without seeing the charts."""

import base64
import csv
import hashlib
import re
from html.parser import HTMLParser

import pytest

from continental_sim.columns import CONTINENTAL
from continental_sim.cubes import StudyCubes
from continental_sim.errors import ContsimError
from continental_sim.figures import stats
from continental_sim.figures.inline_svg import themed
from continental_sim.figures.plots import charts
from continental_sim.figures.tabular import Number, Table
from continental_sim.files import store
from continental_sim.report import write_report
from continental_sim.report.exports import to_csv
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
    assert names == {"charts", "manifest.toml", "report.html", "report.md", "tables"}
    charts_of = {path.name for path in (report / "charts").iterdir()}
    begins = {"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF", "csv": b""}
    for name in ("payments", "exits-by-turn", "ledger", "seats", "ends"):
        for kind, start in begins.items():
            assert f"{name}.{kind}" in charts_of
            assert (report / "charts" / f"{name}.{kind}").read_bytes().startswith(start)
    assert len(charts_of) == 4 * len(list(report.glob("charts/*.png")))


def test_charts_say_what_they_show(page, report):
    drawn = [attributes for tag, attributes in page.elements if tag == "svg"]
    assert len(drawn) == 2 * len(list(report.glob("charts/*.png")))
    for attributes in drawn:
        assert attributes["role"] == "img"
        assert len(attributes["aria-label"]) > 20
    images = re.findall(r"!\[(.*?)\]\((charts/[\w-]+\.png)\)\n", (report / "report.md").read_text())
    assert {name for _, name in images} == {
        f"charts/{path.name}" for path in report.glob("charts/*.png")
    }
    assert all(len(alt) > 20 for alt, _ in images)


def test_names_of_strategies_are_text(page, report):
    assert [tag for tag, _ in page.elements].count("script") == 1  # ours
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
    assert not re.search(r'(?:src|href)="(?!#|data:text/csv)', text)
    assert "http" not in re.sub(r'xmlns(:xlink)?="[^"]*"|http-equiv', "", text)
    assert len(text) < 3e6


def test_a_page_runs_its_own_script_alone(report):
    text = (report / "report.html").read_text()
    (policy,) = re.findall(r'Security-Policy" content="([^"]*)"', text)
    (script,) = re.findall(r"<script>(.*?)</script>", text, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}';" in policy
    assert not re.search(r"<[^>]*\son\w+=", text)


def test_every_chart_has_a_headline_and_its_numbers(page, report):
    text = (report / "report.html").read_text()
    figures = re.findall(r"<figure.*?</figure>", text, re.DOTALL)
    assert len(figures) == len(list(report.glob("charts/*.png")))
    for figure in figures:
        assert re.search(r"<h3 [^>]*>[^<]{20,}</h3>", figure)
        assert figure.count('scope="row"') >= 1
    labels = [each["aria-label"] for _, each in page.elements if each.get("role") == "region"]
    assert len(labels) == len(set(labels)) == text.count("<table")


def test_colours_of_charts_are_set_by_the_page(report):
    text = (report / "report.html").read_text()
    svgs = re.findall(r"<svg.*?</svg>", text, re.DOTALL)
    tags = [tag for svg in svgs for tag in re.findall(r"<[^>]+>", svg)]
    used = {name for tag in tags for name in re.findall(r"var\(--chart-(\w+)\)", tag)}
    assert used >= {"blue", "ink", "grid", "paper", "grey"}
    assert not [tag for tag in tags if re.search(r"(?<=[:\"] )#[0-9a-f]{6}|=\"#[0-9a-f]{6}", tag)]
    assert all(f"--chart-{name}:" in text for name in used)


def test_tables_are_plain_numbers_as_csv(report):
    with (report / "tables" / "ends-of-all-deals.csv").open(newline="") as file:
        ends = {row["what"]: row for row in csv.DictReader(file)}
    study = store.read_study(report.parent / "study")
    exits = stats.summarise(study).ends["exit"]
    assert int(ends["exit"]["count"]) == exits.count
    assert float(ends["exit"]["rate"]) == exits.rate
    assert float(ends["exit"]["95 % interval low"]) == exits.low
    assert float(ends["exit"]["95 % interval high"]) == exits.high
    for path in report.rglob("*.csv"):
        with path.open(newline="") as file:
            lengths = {len(row) for row in csv.reader(file)}
        assert len(lengths) == 1, path


def test_words_among_numbers_are_notes():
    rows = [("a", Number("1 (0 .. 2)", 1.0, 0.0, 2.0)), ("b", "impossible: why"), ("c", "-")]
    assert to_csv(Table("t", ("what", "x"), rows)) == (
        "what,x,x low,x high,x note\na,1.0,0.0,2.0,\nb,,,,impossible: why\nc,,,,\n"
    )


def test_what_charts_say_is_no_colour_and_no_coordinate():
    svg = "<g style='fill: #0072b2'><path d='M 1.23456 2'/><text>#0072b2 1.23456 </text></g>"
    assert themed(svg) == (
        "<g style='fill: var(--chart-blue)'><path d='M 1.23 2'/><text>#0072b2 1.23456 </text></g>"
    )


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
    for path in report.rglob("*.*"):
        again = tmp_path / "again" / path.relative_to(report)
        assert again.read_bytes() == path.read_bytes(), path


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


def test_long_deals_are_drawn_several_turns_together(tmp_path):
    rules = ContinentalRules()
    study = fake_study(tmp_path / "study", rules)
    study.cubes.cube["turns"] *= 20
    chart = charts(stats.summarise(study))[1]
    axes = chart.figure.axes[0]
    assert "together" in axes.get_xlabel()
    assert max(len(line.get_xdata()) for line in axes.get_lines()) <= 101
    shown = sum(cell.value for row in chart.numbers.rows for cell in row[1::2] if cell != "-")
    assert shown == pytest.approx(stats.summarise(study).ends["exit"].rate, rel=0.01)


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
