"""Pages of the program in a real browser: Chromium by Playwright, where STAKES_BROWSER is its path.

Everything that the pages ask for and everything that the console says is kept; a test fails at the end if a page
asked for anything from elsewhere or complained.
"""

import csv
import json
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
STAKES = os.environ.get("STAKES_PROGRAM", str(ROOT / "target/debug/stakes"))

# Names that would do harm if they were not text, and names that upset layouts.
HOSTILE = [
    "</script><script>document.title='harm'</script>",
    "<img src=x onerror=document.title='harm'>",
    "\"' onclick=\"document.title='harm'",
    "\u202eright to left",
    "=1+1",
    'grün 😀, "quoted"',
    "x" * 10_000,
]


def stakes(folder: Path, *words: str) -> str:
    """Runs the program; what it prints."""
    done = subprocess.run([STAKES, *words], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


class Made:
    """A report as a page and as JSON."""

    def __init__(self, folder: Path, name: str, *words: str) -> None:
        self.path = folder / f"{name}.html"
        stakes(folder, "report", *words, "-o", self.path.name)
        self.json = json.loads(stakes(folder, "report", *words, "--json"))


def write_csv(path: Path, rows: list[dict[str, object]]) -> None:
    """Writes rows as a file."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Storms, a model of the older ones, and the newest ones."""
    folder = tmp_path_factory.mktemp("storms")
    roles = ["--list", "storm", "--impact", "customers_out", "--id", "network"]
    roles += ["--price", "crew_hours", "--time", "date"]
    stakes(folder, "generate", "storms", "--lists", "60", "--rows", "4000", "-o", "storms.csv")
    stakes(folder, "split", "storms.csv", *roles, "--hold-out", "30%", "-o", "older.csv", "newest.csv")
    train = ["train", "older.csv", *roles, "--drop", "settlement", "-k", "10", "--learner", "two-part"]
    stakes(folder, *train, "-o", "model.json", "--quiet")
    return folder


@pytest.fixture(scope="session")
def report(folder: Path) -> Made:
    """The newest storms, whose outcomes are known."""
    words = ["model.json", "newest.csv", "--current", "customers", "--unit", "customers", "--group", "settlement"]
    return Made(folder, "report", *words)


@pytest.fixture(scope="session")
def planned(folder: Path) -> Made:
    """Plans within a budget."""
    return Made(folder, "plan", "model.json", "newest.csv", "--plan", "budget=80", "--currency", "EUR", "--per", "12.5")


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Names of lists, items and columns that would do harm if they were not text."""
    folder = tmp_path_factory.mktemp("hostile")
    rows: list[dict[str, object]] = []
    for number, name in enumerate(HOSTILE * 4):
        for place, item in enumerate(HOSTILE):
            cost = (number * 7 + place * 3) % 11
            feature = "<b onmouseover=alert(1)>wind"
            rows.append(
                {
                    "list": f"{name}{number}",
                    "item": item,
                    "cost": cost,
                    feature: (cost + place * number) % 9,
                    "poles": place,
                }
            )
    write_csv(folder / "data.csv", rows)
    roles = ["--list", "list", "--impact", "cost", "--id", "item", "-k", "2"]
    stakes(folder, "train", "data.csv", *roles, "--learner", "ridge", "-o", "model.json", "--quiet")
    return Made(folder, "hostile", "model.json", "data.csv")


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium."""
    with sync_playwright() as playwright:
        path = os.environ.get("STAKES_BROWSER", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(browser: Browser, kind: str, home: str | None = None) -> Iterator[Page]:
    """A page of one of three kinds, which must not complain nor ask for anything but its home: its file."""
    width = 390 if kind == "phone" else 1280
    scheme = "dark" if kind == "dark" else "light"
    context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    page = context.new_page()
    complaints: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    yield page
    context.close()
    assert not complaints
    assert not [url for url in asked if not url.startswith((home or "file:", "blob:", "about:srcdoc"))]
    assert home or len([url for url in asked if url.startswith("file:")]) <= 1, "a page is one file"


@pytest.fixture(params=["wide", "phone", "dark"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    """A page of a file."""
    with opened(browser, request.param) as page:
        yield page
