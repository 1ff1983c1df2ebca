"""The chat in a browser, on a phone and beside it; and messages that the browser shows."""

import pytest
from tests.web.browsing import Person, house
from tests.web.test_browser_axe import nothing_serious

pytestmark = pytest.mark.browser
# The browser's own, without a window to show it in.
NOTIFIER = """
window.shown = [];
window.Notification = class {
    static permission = "default";
    static async requestPermission() { this.permission = "granted"; return "granted"; }
    constructor(title, more) { window.shown.push([title, more.body]); }
    addEventListener() {}
};
if (localStorage.getItem("alerts") === "on") window.Notification.permission = "granted";
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with house(tmp_path_factory.mktemp("chat"), notice_delay=0) as server:
        yield server


def started(ana, *others):
    """A table that Ana hosts, with private lines between two, where the others sit down."""
    page = ana.page
    page.goto("/games/ponzi-scheme/new")
    page.get_by_label("Your name").fill("Ana")
    page.locator("input[name=seats][value='3'] + span").click()
    for seat in (1, 2):
        page.locator(f"select[name=seat-{seat}]").select_option("open")
    page.locator("#chat-private").select_option("pairs")
    page.locator("#start-when").select_option("now")
    page.get_by_role("button", name="Start the table").click()
    page.wait_for_url("**/t/*")
    url = page.url
    for person, name in others:
        person.page.goto(url)
        person.page.get_by_label("Your name").fill(name)
        person.touch(person.page.get_by_role("button", name="Sit down").first)
    return url


def test_a_talk_between_two_and_what_the_third_sees_of_it(server, browser, monkeypatch):
    ana, bo, chi = (Person(browser, server.address, width=width) for width in (1280, 390, 1280))
    bo.page.add_init_script(NOTIFIER)
    url = started(ana, (bo, "Bo"), (chi, "Chi"))
    people = [ana, bo, chi]
    for person in people:
        person.page.wait_for_selector("#own")
    page = ana.page
    page.get_by_role("button", name="Chat").first.click()
    page.get_by_label("What you say").fill("Good luck")
    page.keyboard.press("Enter")
    page.wait_for_selector("#chat-lines .line")
    page.get_by_label("Who can read it").select_option(label="Only Bo")
    page.get_by_label("What you say").fill("Behind the locomotive")
    page.keyboard.press("Enter")
    page.wait_for_selector("#chat-lines .line.private")
    page.get_by_label("Notes to yourself").fill("Chi never counters")
    page.wait_for_function("() => document.getElementById('notes-state').textContent === 'Kept.'")
    # Bo hears of two lines, Chi of one, and of the other one nothing at all.
    bo.page.wait_for_function("() => document.querySelector('.chat-open .unread').textContent === '2'")
    chi.page.wait_for_function("() => document.querySelector('.chat-open .unread').textContent === '1'")
    bo.touch(bo.page.get_by_role("button", name="Chat, 2 new lines"))
    private = bo.page.locator("#chat-lines .line.private")
    private.wait_for()
    assert "only for you" in private.inner_text()
    chi.page.get_by_role("button", name="Chat, 1 new line").click()
    chi.page.wait_for_selector("#chat-lines .line")
    assert "locomotive" not in chi.page.content()
    assert chi.page.locator("#chat-lines .line").count() == 1
    bo.page.wait_for_function("() => document.querySelector('.chat-open .unread').hidden")
    nothing_serious(bo.page, "the chat")
    # The host removes a line, and everybody sees that.
    page.locator("#chat-lines .line").first.get_by_role("button", name="Remove").click()
    for person in people:
        person.page.locator("#chat-lines .line.removed").wait_for()
        assert "Good luck" not in person.page.content()
    page.wait_for_function("() => document.activeElement.id === 'chat-log'")
    page.keyboard.press("Escape")
    page.locator("#chat").wait_for(state="hidden")
    page.reload()
    page.get_by_role("button", name="Chat").first.click()
    assert page.get_by_label("Notes to yourself").input_value() == "Chi never counters"
    # Bo leaves the table, and is told in the browser.
    bo.page.goto("/alerts")
    bo.touch(bo.page.get_by_role("button", name="Tell me in this browser"))
    bo.page.get_by_text("You are told here.").wait_for()
    page.get_by_label("Who can read it").select_option(label="Only Bo")
    page.get_by_label("What you say").fill("Are you there?")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('#chat-lines .line.private').length === 2")
    for _ in range(60):
        with bo.page.expect_response("**/alerts/feed?*") as answer:
            bo.page.reload()
        if answer.value.json():
            break
    bo.page.wait_for_function("() => window.shown.length > 0")
    shown = dict(bo.page.evaluate("() => window.shown.map(([title, body]) => [body, title])"))
    assert "There is a private line for you at Ponzi Scheme (Ponzi Scheme)." in shown
    assert "there?" not in str(shown)
    assert [person.problems for person in people] == [[], [], []], url
    for person in people:
        person.context.close()
