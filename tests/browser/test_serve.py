"""The page of `stakes serve`: choose a file, see its report, by mouse and by keyboard."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import HOSTILE, STAKES, Made, opened
from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """A service on a free port."""
    with (folder / "log").open("w+") as log:
        served = subprocess.Popen(
            [STAKES, "serve", "model.json", "--port", "0"], cwd=folder, stderr=subprocess.PIPE, text=True
        )
        assert served.stderr is not None
        line = ""
        while "listening on" not in line:
            line = served.stderr.readline()
            assert line, "the service ended"
        copy = subprocess.Popen(["cat"], stdin=served.stderr, stdout=log)
        yield line.split()[-1]
        served.terminate()
        assert served.wait(timeout=60) == 0
        served.stderr.close()
        copy.wait(timeout=60)


@pytest.fixture(params=["wide", "phone", "dark"])
def home(browser: Browser, request: pytest.FixtureRequest, address: str) -> Iterator[Page]:
    """The page, with its models."""
    with opened(browser, request.param, address) as page:
        page.goto(address)
        page.wait_for_function("document.getElementById('model').options.length > 0")
        yield page


def test_a_file_becomes_its_report(home: Page, folder: Path, report: Made) -> None:
    home.set_input_files("#file", folder / "newest.csv")
    home.get_by_role("button", name="Make the report").click()
    frame = home.frame_locator("#report")
    frame.locator("#slider").wait_for()
    assert "The report is below" in home.locator("#status").inner_text()
    # Its script runs: the slider moves what is shown.
    before = frame.locator("#amount").inner_text()
    frame.locator("#slider").focus()
    frame.locator("#slider").press("End")
    assert frame.locator("#amount").inner_text() != before
    assert "newest.csv" in frame.locator("header").first.inner_text()
    assert home.locator("#save").get_attribute("download") == "report.html"
    width = home.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert width <= 0, "nothing is beyond the screen"


def test_keyboard_and_screen_readers(home: Page) -> None:
    home.keyboard.press("Tab")
    assert home.evaluate("document.activeElement.id") == "model"
    found = Axe().run(home)
    assert found.violations_count == 0, found.generate_report()


def test_refusals_are_said(browser: Browser, address: str, folder: Path) -> None:
    page = browser.new_page()
    page.goto(address)
    page.wait_for_function("document.getElementById('model').options.length > 0")
    page.get_by_role("button", name="Make the report").click()
    assert "Choose a file" in page.locator("#status").inner_text()
    bad = folder / "bad.csv"
    bad.write_text(f"storm,network\n1,{HOSTILE[0]}\n")
    page.set_input_files("#file", bad)
    page.get_by_role("button", name="Make the report").click()
    page.locator("#status.bad").wait_for()
    assert "columns that the model reads are missing" in page.locator("#status").inner_text()
    assert page.title() != "harm"
    page.close()
