"""Pages as readers meet them: on a phone, in the dark, by keyboard, by ear, in print."""

import base64

import pytest

from tests.browser.chromium import SCHEMES, WIDTHS, open_page
from tests.browser.conftest import EVIL, KINDS

SERIOUS = {"serious", "critical"}
ORDERS = """
return Array.from(arguments[0].tBodies[0].rows, it => it.cells[arguments[1]].dataset.order)
"""
OPEN_ALL = "document.querySelectorAll('details').forEach(it => it.open = true)"
STICKING_OUT = """
return Array.from(document.querySelectorAll("main *"))
    .filter(it => !it.closest(".scroll, pre, svg, .unseen"))
    .filter(it => it.getBoundingClientRect().right > innerWidth)
    .map(it => it.outerHTML)
"""
SHOWN = """
return Array.from(document.querySelectorAll("figure"), figure =>
    Array.from(figure.querySelectorAll("svg"))
        .filter(it => it.clientWidth > 0)
        .map(it => it.className.baseVal))
"""
CUT = """
return Array.from(document.querySelectorAll("figure svg text")).filter(it => {
    const mine = it.getBoundingClientRect();
    const all = it.closest("svg").getBoundingClientRect();
    return mine.width && (mine.left < all.left - 4 || mine.right > all.right + 4);
}).map(it => it.textContent)
"""
FILLS = """
return Array.from(document.querySelectorAll("figure svg text"), it => getComputedStyle(it).fill)
"""
ALL_HIDDEN = """
return Array.from(document.querySelectorAll(".toc, .skip, .csv")).every(it => !it.offsetParent)
"""
every_kind = pytest.mark.parametrize("kind", KINDS)


def page_of(reports, kind):
    return reports[kind] / "report.html"


@every_kind
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_fits_and_loads_without_errors(driver, reports, kind, width, scheme):
    open_page(driver, page_of(reports, kind), width, scheme)
    assert driver.get_log("browser") == []
    driver.execute_script(OPEN_ALL)
    wide = driver.execute_script("return document.documentElement.scrollWidth")
    assert wide == width
    # What is wider than its place can be scrolled, and nothing else sticks out.
    out = driver.execute_script(STICKING_OUT)
    assert out == []
    paper = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert paper == {"light": "rgb(255, 255, 255)", "dark": "rgb(22, 24, 27)"}[scheme]


@every_kind
@pytest.mark.parametrize("scheme", SCHEMES)
def test_a_page_has_no_serious_barrier(driver, reports, kind, scheme):
    from axe_core_python.base import AXE_SCRIPT

    open_page(driver, page_of(reports, kind), 1280, scheme)
    driver.execute_script(OPEN_ALL)
    driver.set_script_timeout(120)
    driver.execute_script(AXE_SCRIPT)
    found = driver.execute_async_script("axe.run().then(arguments[arguments.length - 1])")
    assert len(found["passes"]) > 20
    barriers = [
        (each["id"], each["nodes"][0]["html"], len(each["nodes"]))
        for each in found["violations"]
        if each["impact"] in SERIOUS
    ]
    assert barriers == []


@every_kind
@pytest.mark.parametrize("width", WIDTHS)
def test_each_chart_is_drawn_once_and_its_letters_lie_inside(driver, reports, kind, width):
    open_page(driver, page_of(reports, kind), width)
    shown = driver.execute_script(SHOWN)
    assert shown
    assert all(each == ["narrow" if width < 600 else "wide"] for each in shown)
    # A little is left to fonts that are wider than the one the chart was laid out with.
    cut = driver.execute_script(CUT)
    assert cut == []


@every_kind
def test_colours_of_charts_follow_the_page(driver, reports, kind):
    seen = {}
    for scheme in SCHEMES:
        open_page(driver, page_of(reports, kind), 1280, scheme)
        seen[scheme] = set(driver.execute_script(FILLS))
    assert "rgb(34, 34, 34)" in seen["light"]
    assert "rgb(230, 228, 224)" in seen["dark"]
    assert not seen["light"] & seen["dark"]


def sortable(driver):
    """The first table whose second column has several numbers."""
    tables = driver.find_elements("css selector", "main table.sortable")
    return next(
        table
        for table in tables
        if table.is_displayed() and len({*driver.execute_script(ORDERS, table, 1)} - {None}) > 2
    )


@pytest.mark.parametrize("way", ["click", "keyboard"])
def test_tables_can_be_sorted(driver, reports, way):
    from selenium.webdriver.common.keys import Keys

    open_page(driver, page_of(reports, "continental"))
    table = sortable(driver)
    title = table.find_elements("css selector", "thead th")[1]
    button = title.find_element("css selector", "button")
    written = driver.execute_script(ORDERS, table, 1)

    def press(key):
        driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", button)
        if way == "click":
            button.click()
        else:
            driver.execute_script("arguments[0].focus()", button)
            driver.switch_to.active_element.send_keys(key)
        return [float(each) for each in driver.execute_script(ORDERS, table, 1)]

    numbers = [float(each) for each in written]
    assert press(Keys.ENTER) == sorted(numbers) != numbers
    assert title.get_attribute("aria-sort") == "ascending"
    told = driver.find_element("css selector", "#told")
    assert told.get_attribute("textContent") == "Sorted by count, smallest first."
    assert press(Keys.SPACE) == sorted(numbers, reverse=True)
    assert title.get_attribute("aria-sort") == "descending"
    assert press(Keys.ENTER) == numbers
    assert title.get_attribute("aria-sort") is None


def test_the_keyboard_reaches_the_content_first(driver, reports):
    from selenium.webdriver.common.keys import Keys

    open_page(driver, page_of(reports, "continental"))
    driver.find_element("css selector", "body").send_keys(Keys.TAB)
    skip = driver.switch_to.active_element
    assert skip.get_attribute("class") == "skip"
    assert skip.rect["y"] >= 0
    skip.send_keys(Keys.ENTER)
    assert driver.switch_to.active_element.get_attribute("id") == "content"


@pytest.mark.parametrize("kind", ["continental", "compare"])
def test_a_script_in_a_name_is_text(driver, reports, kind):
    open_page(driver, page_of(reports, kind))  # an alert would make the next command fail
    name = EVIL[0] if kind == "continental" else "<script>alert(1)<"
    text = driver.execute_script("return document.body.innerText")
    assert name in text
    assert driver.execute_script("return document.scripts.length") == 1
    assert driver.execute_script("return document.images.length") == 0


def test_the_policy_lets_no_other_script_run(driver, reports, tmp_path):
    text = page_of(reports, "continental").read_text(encoding="utf-8")
    wrong = tmp_path / "wrong.html"
    wrong.write_text(
        text.replace("</main>", "</main><script>document.title = 'ran'</script>"), "utf-8"
    )
    open_page(driver, wrong)
    assert driver.title != "ran"
    assert "Content Security Policy" in driver.get_log("browser")[0]["message"]


@every_kind
def test_a_page_prints_light_and_whole(driver, reports, kind):
    open_page(driver, page_of(reports, kind), 1280, "dark")
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]},
    )
    ink = driver.execute_script("return getComputedStyle(document.body).color")
    hidden = driver.execute_script(ALL_HIDDEN)
    printed = driver.execute_cdp_cmd("Page.printToPDF", {"paperWidth": 8.27, "paperHeight": 11.69})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    assert ink == "rgb(34, 34, 34)"
    assert hidden
    assert base64.b64decode(printed["data"]).startswith(b"%PDF")
