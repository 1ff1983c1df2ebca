"""The host's console in a browser: short pages on phones, and commands for a table without leaving it."""

import re

import pytest
from playwright.sync_api import expect
from tests.web.helpers.browser_seasons import begin, tab
from tests.web.helpers.browsing import Person
from tests.web.helpers.casting import CAST

from pyramidion.web.features.seasons.console.tabs import TABS

pytestmark = pytest.mark.browser
SCREENS = 3


@pytest.mark.parametrize("height", [844, 640])
def test_no_tab_of_a_season_of_ten_is_longer_than_three_screens(server, browser, height):
    person = Person(browser, server.address, width=390 if height == 844 else 360)
    page = person.page
    page.set_viewport_size({"width": page.viewport_size["width"], "height": height})
    begin(page, CAST)
    for name in (*(one.id for one in TABS), "cast&who=c3", "more"):
        tab(page, name)
        expect(page.locator(".console-tabs")).to_be_visible()
        size = page.evaluate("() => [document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
        assert size[0] <= SCREENS * height, name
        assert size[1] <= page.viewport_size["width"], name
    assert person.problems == []


def test_a_host_pauses_and_extends_without_leaving_the_console(server, browser):
    host = Person(browser, server.address, reduced_motion="reduce", width=390)
    page = host.page
    begin(page, ("Ada", "Blaise"))
    tab(page, "cast")
    page.locator("#add summary").click()
    page.fill("#add [name=name]", "Nina")
    with page.expect_navigation():
        page.get_by_role("button", name="Add contestant").click()
    page.locator("#links summary").first.click()
    link = page.get_by_label("Personal link of Nina").input_value()
    nina = Person(browser, server.address, reduced_motion="reduce").page
    nina.goto(link)
    nina.get_by_role("button", name="Take part").click()
    tab(page, "now")
    page.locator("#next select[name=game]").select_option("pyramid-shambo")
    page.locator("#next select[name=clock]").select_option("3600")
    with page.expect_navigation():
        page.get_by_role("button", name="Start episode 1").click()
    expect(page.locator(".running")).to_have_count(1)
    expect(page.locator("[data-left]")).to_have_text(re.compile(r"^(59:\d\d|1:00:00)$"))
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("button", name="Resume")).to_be_visible()
    page.get_by_role("button", name="Resume").click()
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    page.locator(".running select[name=seconds]").select_option("3600")
    page.get_by_role("button", name="Add time").click()
    expect(page.locator("[data-left]")).to_have_text(re.compile(r"^1:59:\d\d$"))
    # What a contestant asks appears by itself, and disappears when it is answered.
    nina.goto(page.url.removesuffix("/host"))
    nina.locator("form:has([value=asked]) textarea").fill("May I pass?")
    # A form that removes somebody stays as it was opened, whatever else comes.
    page.get_by_text("Replace a player").click()
    page.evaluate(
        """() => {
            document.querySelector(".running select[name=seat]").dataset.opened = "yes";
            addEventListener("news", () => { window.came = true; });
        }"""
    )
    nina.locator("form:has([value=asked]) button").click()
    page.wait_for_function("() => window.came")
    expect(page.locator("#waiting")).to_contain_text("May I pass?")
    expect(page.locator("#latest")).to_contain_text("Nina asked a question.")
    expect(page.locator(".running select[data-opened]")).to_be_visible()
    page.get_by_text("Replace a player").click()
    page.locator("#waiting summary").first.click()
    page.get_by_label("Reply").fill("You may.")
    # What is being written stays, with its cursor, while the rest of the page changes.
    nina.locator("form:has([value=asked]) textarea").fill("And twice?")
    nina.locator("form:has([value=asked]) button").click()
    expect(page.locator("#waiting")).to_contain_text("And twice?")
    answer = page.get_by_label("Reply").and_(page.locator(":focus"))
    expect(answer).to_have_value("You may.")
    answer.fill("You may, once.")
    with page.expect_navigation():
        page.locator("#waiting form:has(textarea:focus)").get_by_role("button", name="Reply").click()
    expect(page.locator("#waiting")).to_contain_text("And twice?")
    expect(page.locator("#waiting")).not_to_contain_text("May I pass?")
    assert host.problems == []


def test_a_pasted_cast_is_previewed_in_view_and_its_links_are_copied_together(server, browser):
    person = Person(
        browser, server.address, reduced_motion="reduce", width=390, permissions=["clipboard-read", "clipboard-write"]
    )
    page = person.page
    begin(page, ("Ada", "Blaise"))
    tab(page, "cast")
    expect(page.locator("#c1 .bot-mark")).to_be_visible()
    page.get_by_text("Paste from a spreadsheet").click()
    page.fill("[name=csv]", "\n".join(["Nina", "Omar", "Pia", "Quentin"]))
    page.get_by_role("button", name="Preview").click()
    expect(page.get_by_role("button", name="Apply")).to_be_in_viewport()
    page.get_by_role("button", name="Apply").click()
    page.locator("#links > summary").click()
    page.get_by_role("button", name="Copy all links").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    lines = page.evaluate("() => navigator.clipboard.readText()").splitlines()
    assert [line.split(": ")[0] for line in lines] == ["Nina", "Omar", "Pia", "Quentin"]
    # The form asks in view, and what waits for the host comes before the table that runs.
    tab(page, "now")
    page.locator("#next select[name=game]").select_option("pyramid-shambo")
    with page.expect_navigation():
        page.get_by_role("button", name="Start episode 1").click()
    expect(page.locator("#asked")).to_be_in_viewport()
    expect(page.locator("#asked")).to_contain_text("Nina, Omar, Pia and Quentin")
    with page.expect_navigation():
        page.get_by_role("button", name="Start with bots for Nina, Omar, Pia and Quentin").click()
    waiting = page.locator("#waiting-for-contestants")
    expect(waiting).to_contain_text("have not opened their invitations")
    assert waiting.bounding_box()["y"] < page.locator(".running").first.bounding_box()["y"]


def test_a_time_is_entered_and_shown_in_the_zone_of_the_browser(server, browser):
    page = Person(browser, server.address, reduced_motion="reduce", timezone_id="America/New_York").page
    page.goto("/seasons")
    expect(page.locator("#new")).to_contain_text("First phase starts America/New_York")
    page.fill("[name=title]", "Code Red")
    page.fill("[name=host]", "Hal")
    page.locator("#new [name=template]").select_option("upside-down-episode")
    page.fill("#new [name=starts]", "2030-01-07T20:00")
    page.get_by_role("button", name="Create season").click()
    page.wait_for_url("**/host")
    tab(page, "timeline&phase=p1")
    expect(page.locator("#schedule .zone-line")).to_contain_text("America/New_York")
    expect(page.locator("#p1 .phase-head")).to_contain_text("Jan 7, 2030, 8:00")
    expect(page.locator("#p1 [name=starts]")).to_have_value("2030-01-07T20:00")
    page.fill("#p1 [name=ends]", "2030-01-09T21:00")
    page.get_by_role("button", name="Save phase").click()
    expect(page.locator("#p1 .phase-head")).to_contain_text("Jan 9, 2030, 9:00")
    # In another zone, the same phase has other times, in the field as in the text.
    abroad = Person(browser, server.address, reduced_motion="reduce", timezone_id="Asia/Tokyo")
    abroad.context.add_cookies(page.context.cookies())
    abroad.page.goto(page.url)
    tab(abroad.page, "timeline&phase=p1")
    expect(abroad.page.locator("#p1 .phase-head")).to_contain_text("Jan 8, 2030, 10:00")
    expect(abroad.page.locator("#p1 [name=starts]")).to_have_value("2030-01-08T10:00")
    abroad.page.get_by_role("button", name="Save phase").click()
    expect(abroad.page.locator("#p1 .phase-head")).to_contain_text("Jan 8, 2030, 10:00")


def test_the_form_of_an_episode_says_how_long_it_takes_live_and_at_most(server, browser):
    page = Person(browser, server.address, reduced_motion="reduce", width=390).page
    page.goto("/seasons")
    page.fill("[name=title]", "Code Red")
    page.fill("[name=host]", "Hal")
    page.locator("#new [name=template]").select_option("vote-episode")
    page.get_by_role("button", name="Create season").click()
    page.wait_for_url("**/host")
    tab(page, "cast")
    page.get_by_text("Paste from a spreadsheet").click()
    page.fill("[name=csv]", "Ada;8;1;easy\nBlaise;8;2;easy\nCarl;8;3;easy")
    page.get_by_role("button", name="Preview").click()
    page.get_by_role("button", name="Apply").click()
    page.wait_for_url("**/host?tab=cast#cast")
    tab(page, "now")
    line, duel = page.locator("#next [data-length]"), page.locator("#next [name=duel]")
    hours = 24 * int(duel.evaluate("(select) => select.selectedOptions[0].dataset.waits"))
    days = (hours + 24) // 24
    game = duel.evaluate("(select) => select.selectedOptions[0].text.trim()")
    why = "Vote: the clock gives 1 day to 1 decision. "
    why += f"{game}: the clock gives 1 day to each of {days - 1} decisions in a row."
    expect(line).to_have_text(f"At most about {days} days, if everyone takes all the time. {why}")
    page.locator("#next [name=clock]").select_option("3600")
    duel.select_option("")
    expect(line).to_contain_text("At most about 60 minutes, if everyone takes all the time.")
    # A game of ours has a length at which it is usually played live.
    duel.select_option("pyramis")
    page.locator("#next [name=game]").select_option("")
    expect(line).to_contain_text("About 15 minutes if everyone plays at once, at most about")
