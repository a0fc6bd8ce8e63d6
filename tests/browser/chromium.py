"""Pages in headless Chromium: opened at a width and in a colour scheme, asked by script."""

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

REQUIRED = "CONTSIM_BROWSER"  # if set, a browser that is missing is a failure
WIDTHS = (360, 1280)
SCHEMES = ("light", "dark")
BINARIES = ("chromium", "chromium-browser", "google-chrome")


def start():
    """Start Chromium, or skip the tests and say what is missing."""
    missing = _missing()
    if missing:
        (pytest.fail if os.environ.get(REQUIRED) else pytest.skip)(missing)
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = _found(BINARIES)
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service(_found(["chromedriver"])))


def _missing():
    if find_spec("selenium") is None:
        return "no selenium here: set up anew, ./scripts/test does it"
    for names in (BINARIES, ["chromedriver"]):
        if not _found(names):
            return (
                f"no {names[0]} here: on Debian, apt-get install chromium chromium-driver "
                "has the pages tried out in it"
            )
    return ""


def _found(names):
    return next(filter(None, map(shutil.which, names)), None)


def open_page(driver, page: Path, width=1280, scheme="light"):
    """Open a page in a window of a width, where light or dark is preferred."""
    driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {"features": [{"name": "prefers-color-scheme", "value": scheme}]},
    )
    driver.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    driver.get(page.resolve().as_uri())
