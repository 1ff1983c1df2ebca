"""The forms for a new tournament or club on a phone: the visitor's name is filled in, and no choice is cut."""

import pytest
from playwright.sync_api import expect

pytestmark = pytest.mark.browser

CUT = """() => [...document.querySelectorAll("main select")].filter((select) => {
    const style = getComputedStyle(select), canvas = document.createElement("canvas").getContext("2d");
    canvas.font = style.font;
    const room = select.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight) - 20; // its arrow
    const cut = [...select.options].some((option) => canvas.measureText(option.text).width > room);
    return cut && select.checkVisibility();
}).map((select) => select.name)"""


@pytest.mark.parametrize("width", [360, 390, 768, 1280])
def test_no_choice_of_a_new_tournament_or_in_a_club_is_cut(server, browser, width):
    page = browser.new_page(viewport={"width": width, "height": 640})
    page.goto(f"{server.address}tournaments")
    assert page.evaluate(CUT) == []
    page.goto(f"{server.address}clubs")
    page.fill("[name=name]", f"Club {width}")
    page.fill("[name=member]", "Olga")
    page.get_by_role("button", name="Create club").click()
    page.wait_for_url("**/clubs/*")
    page.locator("#controls > summary").click()
    assert page.evaluate(CUT) == []
    page.close()


@pytest.mark.parametrize(("path", "field"), [("seasons", "host"), ("tournaments", "host"), ("clubs", "member")])
def test_a_name_that_the_browser_remembers_is_filled_in(server, browser, path, field):
    page = browser.new_page()
    page.goto(f"{server.address}{path}")
    expect(page.locator(f"[name={field}]")).to_have_value("")
    page.evaluate("localStorage.setItem('name', 'Nina')")
    page.reload()
    expect(page.locator(f"[name={field}]")).to_have_value("Nina")
    page.close()
