"""The page of `stakes report`: what it shows is what the JSON says, at any position of the slider."""

import csv
import io
import math

import pytest
from axe_playwright_python.sync_playwright import Axe
from conftest import HOSTILE, Made
from playwright.sync_api import Page


def nice(value: float | None) -> str:
    """A number as the program shows it, written independently: four significant digits, thousands separated."""
    if value is None:
        return "-"
    if value == 0:
        return "0"
    size = abs(value)
    if size >= 1e9 or size < 1e-4:
        mantissa, exponent = f"{value:.3e}".split("e")
        return f"{mantissa}e{int(exponent)}"
    if size >= 1000:
        return f"{math.copysign(math.floor(size + 0.5), value):,.0f}"
    text = f"{value:.{max(3 - math.floor(math.log10(size)), 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def positions(made: Made) -> list[int]:
    """Ten positions of the slider, the ends among them."""
    last = len(made.json["slider"]["positions"]) - 1
    return sorted({round(last * step / 9) for step in range(10)})


def move(page: Page, position: int) -> None:
    """Moves the slider."""
    page.locator("#slider").evaluate(
        "(slider, to) => { slider.value = to; slider.dispatchEvent(new Event('input', { bubbles: true })); }", position
    )


def text(page: Page, element: str) -> str:
    """What an element says."""
    return page.locator(f"#{element}").inner_text()


def test_figures_follow_the_slider(page: Page, report: Made) -> None:
    page.goto(report.path.as_uri())
    curve, slider = report.json["curve"], report.json["slider"]
    newest = report.json["lists"][-1]
    seen = set()
    for at in positions(report):
        move(page, at)
        assert text(page, "amount") == nice(slider["positions"][at])
        assert text(page, "reached") == f"{nice(curve['model'][at])} customers"
        assert text(page, "more") == f"{nice(curve['more'][at])} customers"
        assert text(page, "next") == ("-" if curve["next"][at] is None else f"{nice(curve['next'][at])} customers")
        if curve["more_low"][at] is not None:
            low, high = nice(curve["more_low"][at]), nice(curve["more_high"][at])
            assert text(page, "more-range") == f"95 % interval {low} to {high}"
        count = min(int(slider["positions"][at]), newest["of"])
        assert text(page, "count").startswith(f"{count} of ")
        expected = newest["items"]["total"][count - 1] if count else 0
        assert text(page, "expected") == f"{nice(expected)} customers"
        assert page.locator("#table tr.act").count() == count
        seen.add(page.locator("#marker").get_attribute("x1"))
    assert len(seen) == len(positions(report)), "the marker moves"


def test_rows_are_the_items(page: Page, report: Made) -> None:
    page.goto(report.path.as_uri())
    items = report.json["lists"][-1]["items"]
    page.locator("#all").click()
    cells = page.locator("#table tbody tr td:nth-child(2)").all_inner_texts()
    assert cells == items["id"]
    shown = page.locator("#table tbody tr td:nth-child(3)").all_inner_texts()
    assert [cell.strip() for cell in shown] == [nice(value) for value in items["expected"]]
    # Sorted by what came, largest first; then searched; then only those to act on.
    page.locator("#table thead button", has_text="what came").evaluate("button => button.click()")
    came = [
        float(cell.replace(",", ""))
        for cell in page.locator("#table tbody td[data-label='what came']").all_inner_texts()
    ]
    assert came == sorted(came, reverse=True)
    page.locator("#search").fill(items["id"][3])
    assert page.locator("#table tbody tr").count() >= 1
    page.locator("#search").fill("no such item")
    assert page.locator("#table tbody tr").count() == 0
    page.locator("#search").fill("")
    page.locator("#only").check()
    assert page.locator("#table tbody tr").count() == page.locator("#table tr.act").count() == 10


def test_other_lists_and_the_keyboard(page: Page, report: Made) -> None:
    page.goto(report.path.as_uri())
    lists = report.json["lists"]
    page.locator("#before").click()
    assert page.locator("#table tbody tr td:nth-child(2)").first.inner_text() == lists[-2]["items"]["id"][0]
    page.locator("#list").select_option("0")
    assert page.locator("#table tbody tr td:nth-child(2)").first.inner_text() == lists[0]["items"]["id"][0]
    page.locator("#slider").focus()
    before = text(page, "amount")
    page.keyboard.press("ArrowRight")
    assert text(page, "amount") != before


def test_the_list_can_be_downloaded(page: Page, hostile: Made) -> None:
    page.goto(hostile.path.as_uri())
    with page.expect_download() as waiting:
        page.locator("#download").click()
    rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text(encoding="utf-8"))))
    ids = hostile.json["lists"][-1]["items"]["id"]
    # A spreadsheet must not take a name for a formula.
    assert [row["id"] for row in rows] == [f"'{name}" if name.startswith("=") else name for name in ids]
    assert {row["act"] for row in rows} == {"yes", "no"}


def test_all_lists_can_be_downloaded_at_once(page: Page, report: Made) -> None:
    page.goto(report.path.as_uri())
    move(page, 3)
    with page.expect_download() as waiting:
        page.locator("#download-all").click()
    rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text(encoding="utf-8"))))
    wanted = [(found["list"], item) for found in report.json["lists"] for item in found["items"]["id"][:3]]
    assert [(row["list"], row["id"]) for row in rows] == wanted and {row["act"] for row in rows} == {"yes"}


def test_hostile_names_stay_text(page: Page, hostile: Made) -> None:
    page.goto(hostile.path.as_uri())
    assert page.title() != "harm"
    shown = page.locator("#table tbody tr td:nth-child(2)").all_inner_texts()
    assert set(shown) == set(HOSTILE)
    assert page.locator("#main img, #main script, #main [onmouseover], #main [onclick]").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), "nothing is wider than the page"


def test_plans_follow_the_slider(page: Page, planned: Made) -> None:
    page.goto(planned.path.as_uri())
    slider, newest = planned.json["slider"], planned.json["lists"][-1]
    for at in positions(planned):
        move(page, at)
        plan = newest["plans"][at]
        worth = nice(round(plan["expected"], 9) * 12.5)
        assert text(page, "expected") == f"{nice(plan['expected'])} customers_out ({worth} EUR)"
        assert text(page, "spent") == f"for {nice(plan['spent'])}"
        assert plan["spent"] <= slider["positions"][at] + 1e-9
        assert text(page, "count").startswith(f"{len(plan['chosen'])} of ")


@pytest.mark.parametrize("name", ["report", "planned", "hostile"])
def test_no_barrier_is_found(page: Page, name: str, request: pytest.FixtureRequest) -> None:
    page.goto(request.getfixturevalue(name).path.as_uri())
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_nothing_is_wider_than_the_page_and_paper_has_no_controls(page: Page, report: Made) -> None:
    page.goto(report.path.as_uri())
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.emulate_media(media="print")
    assert not page.locator("#download").is_visible() and page.locator("#table").is_visible()
