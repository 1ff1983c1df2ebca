"""A whole game through the real browser: throws by key and by click, pieces by clicking them."""

import random

import pytest
from playwright.sync_api import expect
from tests.web.helpers.browsing import Person

pytestmark = pytest.mark.browser


def act(person, action):
    """Click what an action names; a throw is a key for whoever has a keyboard."""
    if action.startswith("throw") and not person.phone:
        before = person.version
        person.page.keyboard.press(action.split()[1][0])
        person.moved(before)
        return
    if not person.phone:
        # Whoever wants to point at the same piece again has to have left it.
        person.page.mouse.move(2, 2)
    person.act(action)


WATCH = """() => {
    window.seen = [];
    new MutationObserver(() => {
        const beat = document.querySelector(".call .now")?.textContent;
        const now = document.querySelector(".hands.shown") ? "shown" : beat;
        if (now && window.seen.at(-1) !== now) window.seen.push(now);
    }).observe(document.getElementById("main"), { subtree: true, childList: true, attributes: true });
}"""
# Once nothing is shown over them: both throws that decided, whole and large enough.
THROWS_SEEN = """() => {
    const hands = [...document.querySelectorAll(".reveal .hand")];
    return hands.length === 2 && hands.every((hand) => {
        hand.scrollIntoView({ block: "center" });
        const box = hand.getBoundingClientRect();
        const top = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
        const onTop = hand.contains(top) || top?.closest(".reveal");
        return box.width >= 20 && box.left >= 0 && box.right <= innerWidth && onTop;
    });
}"""


def test_a_person_plays_nine_bots_to_the_end_on_a_phone(server, browser):
    width, seats = 390, 10
    person = Person(browser, server.address, width=width, reduced_motion="reduce", color_scheme="dark")
    page, chance = person.page, random.Random(width)
    person.start("Pyramid-Sham-Bo", ("me", *["bot:policy"] * (seats - 1)), turn_limit=40)
    seen = set()
    for _ in range(300):
        person.wait()
        if person.over:
            break
        action = chance.choice(person.legal())
        seen.add(action.split()[0])
        if action.startswith("throw"):
            expect(page.locator(".duel .hands use[href='#g-unseen']")).to_have_count(2)
        elif action.split()[0] in ("pay", "change"):
            expect(page.locator(".due").first).to_contain_text("hoose", use_inner_text=True)
            # The throws that decided it stay in sight while it is paid.
            page.wait_for_function(THROWS_SEEN)
        act(person, action)
    assert person.over
    assert {"throw"} <= seen
    expect(page.locator("#result tbody tr")).to_have_count(seats)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert person.problems == []
    person.context.close()


def test_two_people_see_both_hands_at_once(server, browser):
    one, other = (Person(browser, server.address, reduced_motion="reduce") for _ in range(2))
    address = one.start("Pyramid-Sham-Bo", ("me", "open"), name="Ana")
    other.page.goto(address)
    other.page.get_by_label("Your name").fill("Ben")
    other.page.get_by_role("button", name="Join as player 2").click()
    other.page.wait_for_selector("#own")
    one.page.wait_for_function("() => !document.querySelector('.sit')")
    first, second = (one, other) if one.page.locator("#fragment[data-mine]").count() else (other, one)
    first.wait()
    first.act(first.legal()[0])
    second.wait()
    second.page.wait_for_function("() => !document.querySelector('#fragment .fresh')")
    second.page.wait_for_selector(".throw.can")
    second.page.wait_for_timeout(1200)  # what has moved stays outlined for a moment
    before = second.version, second.page.inner_html("#fragment")
    first.page.keyboard.press("r")
    first.page.wait_for_function("() => document.querySelector('#actions').innerText.includes('You threw rock')")
    second.page.wait_for_timeout(400)
    assert (second.version, second.page.inner_html("#fragment")) == before
    second.page.keyboard.press("p")
    for person in (one, other):
        person.page.wait_for_selector(".hands.shown use[href='#g-paper']")
        person.page.wait_for_selector(".hands.shown use[href='#g-rock']")
        assert person.problems == []
        person.context.close()


def test_everybody_counts_before_both_hands_are_shown(server, browser):
    one, other = (Person(browser, server.address, reduced_motion="no-preference", speed="normal") for _ in range(2))
    address = one.start("Pyramid-Sham-Bo", ("me", "open"), name="Ana")
    other.page.goto(address)
    other.page.get_by_label("Your name").fill("Ben")
    other.page.get_by_role("button", name="Join as player 2").click()
    other.page.wait_for_selector("#own")
    one.page.wait_for_function("() => !document.querySelector('.sit')")
    first, second = (one, other) if one.page.locator("#fragment[data-mine]").count() else (other, one)
    first.wait()
    first.act(first.legal()[0])
    for person in (first, second):
        person.page.wait_for_selector(".throw.can")
        # What each page shows from now on: which beat is lit, and whether hands are to be seen.
        person.page.evaluate(WATCH)
    first.page.keyboard.press("r")
    first.page.wait_for_function("() => document.querySelector('#actions').innerText.includes('You threw rock')")
    assert second.page.evaluate("() => window.seen") == []
    second.page.keyboard.press("p")
    for person in (first, second):
        person.page.wait_for_selector(".hands.shown use[href='#g-paper']")
        seen = person.page.evaluate("() => window.seen")
        assert seen[:2] == ["1", "2"]
        assert "shown" in seen[2:]
        assert "shown" not in seen[:2]
        assert person.problems == []
        person.context.close()
