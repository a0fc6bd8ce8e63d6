"""One browser for all tests of pages, and reports of every kind."""

import contextlib
import io

import pytest

from continental_sim.cli import main
from continental_sim.report import write_report
from continental_sim.strategy import find_strategy
from tests.browser import chromium
from tests.fakes import fake_study

EVIL = ("<script>alert(1)</script>", "fastest", '"><img src=x onerror=alert(2)>', "$x^2$")
LINES = {
    "rummy": "run --game basic-rummy --deals 400 --seed 1 -s holder -s low -s fastest -s random",
    "whatif": "whatif --set max_rounds=3 --set jokers=6 --deals 300 --seed 4",
    "compare": "compare fastest {script} --all --seats 3 --set jokers=4 --deals 40 --seed 6",
}
KINDS = ("continental", *LINES)


@pytest.fixture(scope="session")
def driver():
    """Chromium, without a window."""
    driver = chromium.start()
    yield driver
    driver.quit()


@pytest.fixture(scope="session")
def reports(driver, tmp_path_factory):
    """Directories of reports, by kind; in two of them a strategy is named as a script."""
    place = tmp_path_factory.mktemp("pages")
    fake_study(place / "continental", lineup=EVIL)
    script = place / "<script>alert(1)<" / "b>.py"
    script.parent.mkdir()
    script.write_text(find_strategy("stock").text, encoding="utf-8")
    for kind, line in LINES.items():
        words = [word.format(script=script) for word in line.split()]
        with contextlib.redirect_stdout(io.StringIO()):
            assert main([*words, "--quiet", "--out", str(place / kind)]) == 0
    return {kind: write_report(place / kind, place / f"{kind}-report").parent for kind in KINDS}
