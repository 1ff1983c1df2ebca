"""What the pages of a season answer to somebody who follows it, and to contestants, without leaving the place."""

import httpx
import pytest
from playwright.sync_api import expect
from tests.web.helpers.browsing import Person
from tests.web.helpers.seasons import Host

pytestmark = pytest.mark.browser
VOTE = {"name": "Council", "fields": [{"name": "vote", "kind": "contestant"}], "hours": 24, "highest": "loses"}


@pytest.fixture
def host(server):
    with httpx.Client(base_url=server.address, timeout=60) as client:
        host = Host(client)
        host.done("settings", title="Code Red", gifts=True, audience="live")
        for name in ("Nina", "Felix", "Grace"):
            host.done("cast-added", name=name, garnets=5)
        host.done("item-set", name="Rope", price=2)
        yield host


def test_follow_is_answered_below_the_button(server, browser, host):
    page = browser.new_page(viewport={"width": 390, "height": 844})
    page.goto(f"{server.address}seasons/{host.id}")
    page.get_by_role("button", name="Follow").click()
    expect(page.locator("#followed")).to_contain_text("You follow this season.")
    expect(page.locator("#followed")).to_be_in_viewport()
    # Chromium without a window blocks notifications.
    expect(page.locator("#browser-state")).to_contain_text("Notifications are blocked for this site.")
    page.get_by_role("button", name="Stop following").click()
    expect(page.locator("#followed")).to_have_count(0)
    page.close()


def test_gifts_purchases_questions_and_votes_have_receipts(server, browser, host):
    host.done("own-match-set", score="count(vote == me)", **VOTE)
    host.step("open", own="Council")
    links = {link["name"]: link["url"] for link in host.ask("GET", "/links").json()}
    person = Person(browser, server.address, reduced_motion="reduce", width=390)
    page = person.page
    page.goto(links["Nina"])
    page.get_by_role("button", name="Take part").click()
    expect(page.locator("#newest h2")).to_have_text("3 contestants vote.")
    page.locator("#give > summary").click()
    page.locator("#give select").select_option(label="Felix")
    page.fill("#give [name=amount]", "2")
    page.get_by_role("button", name="Give").click()
    expect(page.locator("#give .receipt")).to_contain_text("You gave Felix 2 garnets.")
    page.get_by_role("button", name="Buy").click()
    expect(page.locator("#shop .receipt")).to_have_text("You have bought it.")
    page.locator("#ask > summary").click()
    page.fill("#ask textarea", "May we trade?")
    page.locator("#ask").get_by_role("button", name="Ask").click()
    expect(page.locator("#ask .receipt")).to_contain_text("Sent to the hosts")
    expect(page.locator("#ask textarea")).to_have_value("")
    page.locator("#due a").click()
    page.get_by_role("radio", name="Grace").check()
    page.get_by_role("button", name="Vote", exact=True).click()
    expect(page.locator("#status")).to_contain_text("You voted for Grace.")
    page.goto(f"{server.address}seasons/{host.id}")
    expect(page.locator("#due")).to_contain_text("You voted for Grace.")
    person.page.context.close()


def test_what_was_sent_is_confirmed_in_view_and_an_answer_that_was_read_is_not_news(server, browser, host):
    host.done("settings", title="Code Red", audience="live", talk="private")
    host.step("open")
    links = {link["name"]: link["url"] for link in host.ask("GET", "/links").json()}
    person = Person(browser, server.address, reduced_motion="reduce", width=390)
    page = person.page
    page.goto(links["Nina"])
    expect(page.get_by_text("Hosted by Hal.")).to_be_visible()
    page.get_by_role("button", name="Take part").click()
    page.locator("#ask > summary").click()
    page.fill("#ask textarea", "May we trade?")
    page.locator("#ask").get_by_role("button", name="Ask").click()
    expect(page.locator("#ask .receipt")).to_contain_text("May we trade?")
    expect(page.locator("#ask .receipt")).to_be_in_viewport()
    page.locator("#confessional > summary").click()
    page.fill("#confess textarea", "I trust nobody.")
    page.get_by_role("button", name="Record").click()
    expect(page.locator("#confessional .receipt")).to_contain_text("I trust nobody.")
    expect(page.locator("#confessional .receipt")).to_be_in_viewport()
    expect(page.locator("#confess textarea")).to_have_value("")
    page.evaluate("scrollTo(0, 0)")
    [question] = host.get()["posts"]
    host.done("answered", question=question["number"], text="You may.", to_all=False)
    news = page.locator("#own-answer")
    expect(news).to_contain_text("Your question was answered: You may.")
    page.reload()
    expect(news).to_be_visible()
    news.click()
    expect(page.locator("#ask .answer")).to_be_in_viewport()
    page.evaluate("() => new Promise(requestAnimationFrame)")
    page.reload()
    expect(page.locator("#mine")).to_be_visible()
    expect(news).to_be_hidden()
    person.page.context.close()


SIZES = {"phone": (390, 844), "small": (360, 640), "desktop": (1280, 720)}
COVERED = """() => {
    const box = (at) => document.querySelector(at).getBoundingClientRect();
    const [header, strip, table] = ["body > header", "#season-nudge", "#main"].map(box);
    const height = document.documentElement.scrollHeight;
    return [strip.height > 0, strip.top >= header.bottom - 1, strip.bottom <= table.top + 1,
            table.bottom <= innerHeight + 1, height <= innerHeight + 1];
}"""


@pytest.mark.parametrize("size", SIZES)
def test_a_nudge_at_the_table_covers_nothing(server, browser, host, size):
    host.done("cast-changed", contestant="c2", name="Felix", bot="random")
    host.done("withdrawn", contestant="c3", reason="No time.")
    links = {link["name"]: link["url"] for link in host.ask("GET", "/links").json()}
    width, height = SIZES[size]
    person = Person(browser, server.address, reduced_motion="reduce", width=width)
    page = person.page
    page.set_viewport_size({"width": width, "height": height})
    page.goto(links["Nina"])
    page.get_by_role("button", name="Take part").click()
    season = host.step("open", duel="pyramis")
    [table] = season["episodes"][-1]["tables"]
    page.route("**/now?own=1", lambda route: route.fulfill(json={"waiting": "The hosts are waiting for you."}))
    page.goto(f"{server.address}t/{table['table']}")
    page.wait_for_selector("#fragment")
    page.evaluate("() => dispatchEvent(new Event('talk'))")
    expect(page.locator("#season-nudge")).to_have_text("The hosts are waiting for you.")
    assert page.evaluate(COVERED) == [True] * 5
    page.locator("#season-nudge").click()
    expect(page.locator("#season-nudge")).to_be_hidden()
    person.page.context.close()
