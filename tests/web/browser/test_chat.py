"""The chat in a browser, on a phone and beside it; and messages that the browser shows."""

import pytest
from playwright.sync_api import expect
from tests.web.helpers.axe import nothing_serious
from tests.web.helpers.browsing import Person

pytestmark = [pytest.mark.browser, pytest.mark.server(notice_delay=0)]
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


def started(ana, *others, private="pairs"):
    """A table that Ana hosts, with private lines, where the others sit down."""
    page = ana.page
    page.goto("/games/ponzi-scheme/new")
    page.get_by_label("Your name").fill("Ana")
    page.locator("input[name=seats][value='3'] + span").click()
    for seat in (1, 2):
        page.locator(f"select[name=seat-{seat}]").select_option("open")
    page.locator("#more > summary").click()
    page.locator("#chat-private").select_option(private)
    page.locator("#start-when").select_option("now")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/t/*")
    url = page.url
    for person, name in others:
        person.page.goto(url)
        person.page.get_by_label("Your name").fill(name)
        person.touch(person.page.get_by_role("button", name="Join as player").first)
    return url


def open_talk(page, name):
    """Opens a conversation; what is written there goes to those whom it names, and to nobody else."""
    page.locator("#talks").get_by_role("link", name=name).first.click()
    page.locator("#talks [aria-current]").get_by_text(name).wait_for()


def test_a_talk_between_two_and_what_the_third_sees_of_it(server, browser, monkeypatch):
    ana, bo, chi = (Person(browser, server.address, width=width) for width in (1280, 390, 1280))
    bo.page.add_init_script(NOTIFIER)
    url = started(ana, (bo, "Bo"), (chi, "Chi"))
    people = [ana, bo, chi]
    for person in people:
        person.page.wait_for_selector("#own")
    page = ana.page
    page.get_by_role("button", name="Chat").first.click()
    page.get_by_label("Message", exact=True).fill("Good luck")
    page.keyboard.press("Enter")
    page.wait_for_selector("#chat-lines .line")
    assert page.locator("#chat-to").inner_text() == "To everyone at the table"
    # What is being written stays in its conversation, and never goes to others.
    page.get_by_label("Message", exact=True).fill("For everyone")
    open_talk(page, "Bo")
    assert page.locator("#chat-to").inner_text() == "To Bo only"
    assert page.get_by_label("Message", exact=True).input_value() == ""
    page.get_by_label("Message", exact=True).fill("Behind the locomotive")
    page.keyboard.press("Enter")
    page.wait_for_selector("#chat-lines .line.private")
    open_talk(page, "Everyone")
    assert page.get_by_label("Message", exact=True).input_value() == "For everyone"
    assert page.locator("#chat-lines").inner_text().count("locomotive") == 0
    # While notes are on their way, another conversation may be opened.
    on_the_way = []
    page.route("**/notes", lambda route: on_the_way.append(route))  # noqa: PLW0108 - Playwright asks for a function
    with page.expect_request("**/notes"):
        page.get_by_label("Private notes").fill("Chi never counters")
    open_talk(page, "Bo")
    open_talk(page, "Everyone")
    on_the_way[0].continue_()
    page.unroute("**/notes")
    page.wait_for_function("() => document.getElementById('notes-state').textContent === 'Saved.'")
    # Bo hears of two lines, Chi of one, and of the other one nothing at all.
    bo.page.wait_for_function("() => document.querySelector('.chat-open .unread').textContent === '2'")
    chi.page.wait_for_function("() => document.querySelector('.chat-open .unread').textContent === '1'")
    bo.touch(bo.page.get_by_role("button", name="Chat, 2 new messages"))
    # Only what Bo has in view is seen; Ana's conversation keeps its count until it is opened.
    bo.page.wait_for_function("() => document.querySelector('.chat-open .unread').textContent === '1'")
    assert bo.page.locator("#talks .unread").inner_text().split() == ["1", "unread"]
    open_talk(bo.page, "Ana")
    private = bo.page.locator("#chat-lines .line.private")
    private.wait_for()
    assert "to you" in private.inner_text()
    chi.page.get_by_role("button", name="Chat, 1 new message").click()
    chi.page.wait_for_selector("#chat-lines .line")
    assert "locomotive" not in chi.page.content()
    expect(chi.page.locator("#chat-lines .line")).to_have_count(1)
    bo.page.wait_for_function("() => document.querySelector('.chat-open .unread').hidden")
    nothing_serious(bo.page, "the chat")
    # The host removes a line, and everybody sees that.
    open_talk(bo.page, "Everyone")
    page.locator("#chat-lines .line").first.get_by_role("button", name="Remove").click()
    for person in people:
        person.page.locator("#chat-lines .line.removed").wait_for()
        assert "Good luck" not in person.page.content()
    page.wait_for_function("() => document.activeElement.id === 'chat-log'")
    page.keyboard.press("Escape")
    page.locator("#chat").wait_for(state="hidden")
    page.reload()
    page.get_by_role("button", name="Chat").first.click()
    assert page.get_by_label("Private notes").input_value() == "Chi never counters"
    # Bo leaves the table, and is told in the browser.
    bo.page.goto("/alerts")
    bo.allowed = ("incognito",)  # where browsers have no push service, and say so
    bo.touch(bo.page.get_by_role("button", name="Turn on"))
    bo.page.get_by_text("You are notified while a page of this site is open in any tab.").wait_for()
    open_talk(page, "Bo")
    page.get_by_label("Message", exact=True).fill("Are you there?")
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('#chat-lines .line.private').length === 2")
    for _ in range(60):
        with bo.page.expect_response("**/alerts/feed?*") as answer:
            bo.page.reload()
        if answer.value.json():
            break
    bo.page.wait_for_function("() => window.shown.length > 0")
    shown = dict(bo.page.evaluate("() => window.shown.map(([title, body]) => [body, title])"))
    assert "Ponzi Scheme (Ponzi Scheme): you have a private message." in shown
    assert "there?" not in str(shown)
    assert [person.problems for person in people] == [[], [], []], url
    for person in people:
        person.context.close()


def test_a_group_is_opened_first_and_its_members_stand_above_the_message(server, browser):
    ana, bo, chi = (Person(browser, server.address, width=width) for width in (1280, 390, 1280))
    started(ana, (bo, "Bo"), (chi, "Chi"), private="groups")
    page = ana.page
    page.set_viewport_size({"width": 1280, "height": 720})
    page.get_by_role("button", name="Chat").first.click()
    page.get_by_text("New group").click()
    for name in ("Bo", "Chi"):
        page.locator("#new-group").get_by_label(name).check()
    page.locator("#new-group").get_by_role("button", name="Open").click()
    page.locator("#talks [aria-current]").get_by_text("Bo and Chi").wait_for()
    page.get_by_label("Message", exact=True).fill("We three")
    for piece in ("#chat-to", "#chat-text", "#chat-say .button"):
        box = page.locator(piece).bounding_box()
        assert box["y"] + box["height"] <= 720, piece
    page.keyboard.press("Enter")
    page.wait_for_selector("#chat-lines .line.private")
    # The group has its name and its count for its members, on a phone as well.
    bo.page.wait_for_selector("#own")
    bo.touch(bo.page.get_by_role("button", name="Chat, 1 new message"))
    link = bo.page.locator("#talks").get_by_role("link", name="Ana and Chi")
    link.wait_for()
    assert "1" in link.inner_text()
    bo.touch(link)
    bo.page.get_by_text("We three").wait_for()
    assert bo.page.locator("#chat-to").inner_text() == "To Ana and Chi only"
    for piece in ("#chat-to", "#chat-text", "#chat-say .button"):
        box = bo.page.locator(piece).bounding_box()
        assert box["y"] + box["height"] <= 844 - 52, piece
    nothing_serious(bo.page, "a conversation")
    assert [person.problems for person in (ana, bo, chi)] == [[], [], []]
    for person in (ana, bo, chi):
        person.context.close()
