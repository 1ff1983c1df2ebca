"""A vote as a match of the host's own, through the browser: declared, submitted on a phone, late, tied, decided."""

import pytest
from playwright.sync_api import expect
from tests.web.helpers.browsing import Person

pytestmark = pytest.mark.browser


def press(page, name, within=None):
    with page.expect_navigation():
        (within or page).get_by_role("button", name=name, exact=True).click()


def test_an_episode_with_a_vote_a_late_contestant_and_a_tie(server, browser):
    host = Person(browser, server.address, reduced_motion="reduce")
    page = host.page
    page.goto("/seasons")
    page.fill("[name=title]", "Code Red")
    page.fill("[name=host]", "Hal")
    press(page, "Create season")
    season = page.url.removesuffix("/host")
    page.goto(f"{season}/host?tab=cast")
    page.get_by_text("Paste from a spreadsheet").click()
    page.fill("[name=csv]", "Ana;5;1\nBen;5;2\nCal;5;3")
    press(page, "Preview")
    press(page, "Apply")
    people = {}
    for name in ("Ana", "Ben", "Cal"):
        link = page.get_by_label(f"Personal link of {name}").input_value()
        people[name] = Person(browser, server.address, reduced_motion="reduce", width=390).page
        people[name].goto(link)
        people[name].get_by_role("button", name="Take part").click()
    page.goto(f"{season}/host?tab=episodes")
    page.locator("#declare-vote > summary").click()
    press(page, "Declare vote")
    expect(page.locator("#own-forms")).to_contain_text("votes received")
    page.goto(f"{season}/host")
    page.locator("#next [name=game]").select_option("own:Vote")
    page.locator("#next [name=duel]").select_option("")
    press(page, "Start episode 1")
    expect(page.locator("#own-match")).to_contain_text("Not voted yet")
    for name, whom in (("Ana", "Ben"), ("Ben", "Ana")):
        own = people[name]
        own.goto(season)
        own.locator("#due").get_by_role("link", name="Cast your vote").click()
        own.get_by_role("radio", name=whom).check()
        press(own, "Vote")
        expect(own.locator("#status")).to_contain_text(f"You voted for {whom}.")
    page.goto(f"{season}/host")
    states = page.locator(".own-progress li")
    expect(states).to_have_count(3)
    assert [states.nth(n).get_attribute("data-status") for n in range(3)] == ["confirmed", "confirmed", "missing"]
    assert "Ben" not in page.locator(".own-progress li").first.inner_text()
    # Cal is late: the form is open when the host has sealed the submissions.
    late = people["Cal"]
    late.goto(f"{season}/submit/m1")
    press(page, "Close the vote anyway")
    late.get_by_role("radio", name="Ana").check()
    press(late, "Vote")
    expect(late.get_by_role("alert")).to_contain_text("The submissions are sealed.")
    press(page, "Reveal Ana")
    expect(page.locator(".own-results")).to_contain_text("Ben")
    press(page, "Reveal all")
    expect(page.locator("#next")).to_contain_text("A tie between Ana and Ben.")
    expect(page.locator("#next select[name=candidate] option")).to_have_text(["Choose …", "Ana", "Ben", "Cal"])
    expect(page.locator("#next select[name=candidate] optgroup[label=Tied] option")).to_have_text(["Ana", "Ben"])
    # One vote each for Ana and Ben: the hosts decide.
    expect(page.locator("#next select[name=candidate]")).to_be_visible()
    page.locator("#next select[name=candidate]").select_option(label="Ana")
    press(page, "Enter result")
    people["Ana"].goto(season)
    opponents = people["Ana"].locator("#name-opponent").get_by_role("radio")
    expect(opponents).to_have_count(2)
    assert not opponents.first.evaluate("(radio) => radio.checkValidity()"), "Nobody is proposed."
    opponents.and_(people["Ana"].get_by_label("Cal")).check()
    press(people["Ana"], "Challenge")
    page.goto(f"{season}/host")
    page.locator("#next select[name=loser]").select_option(label="Cal")
    press(page, "Enter result")
    press(page, "Eliminate Cal and close episode")
    expect(page.locator("#next")).to_contain_text("The final can begin.")
    late.goto(f"{season}/submit/m1")
    expect(late.locator(".own-results")).to_contain_text("did not vote")
    assert host.problems == []
