"""A whole game at one phone that goes around, with the curtain between the players."""

import re

import pytest
from playwright.sync_api import expect
from tests.web.helpers.axe import nothing_serious
from tests.web.helpers.browsing import Person, careful

pytestmark = pytest.mark.browser
SHOWN = """() => ({
    closed: Boolean(document.querySelector("#hotseat.closed")), over: Boolean(document.querySelector("#fragment.over")),
    seat: document.getElementById("main").dataset.seat ?? null,
})"""
SETTLED = "(seat) => document.getElementById('main')?.dataset.seat !== seat"
BOARD = "() => document.getElementById('fragment').outerHTML.replace(/<time.*?<\\/time>/g, '')"


class Sofa(Person):
    """Everybody at one screen."""

    def moved(self, before):
        self.before = before

    def act(self, action):
        """Make an action as whoever's seat is open, and wait for the next position, or for the curtain."""
        seat = self.page.evaluate(SHOWN)["seat"]
        with self.page.expect_response(lambda answer: answer.url.endswith("/act")) as answer:
            super().act(action)
        if answer.value.header_value("set-cookie") is not None:
            self.page.wait_for_function(SETTLED, arg=seat)
        else:
            super().moved(self.before)


def looks_alike(page, other):
    """Both pages show the same, as soon as both have heard who is there."""
    for _ in range(60):
        if page.evaluate(BOARD) == other.evaluate(BOARD):
            return
        page.wait_for_timeout(50)
    assert page.evaluate(BOARD) == other.evaluate(BOARD)


def test_three_people_play_ponzi_scheme_at_one_phone(server, browser):
    sofa = Sofa(browser, server.address, width=390, reduced_motion="reduce")
    outside = Person(browser, server.address, width=390, reduced_motion="reduce")
    page, choose, turns = sofa.page, careful(3), []
    page.goto("/games/ponzi-scheme/new")
    page.locator("input[name=seats][value='3'] + span").tap()
    for seat, name in enumerate(("Ana", "Bo", "Maria")):
        page.locator(f"select[name=seat-{seat}]").select_option("here")
        page.locator(f"input[name=name-{seat}]").fill(name)
    page.locator("#more > summary").tap()
    page.fill("[name='option-round_limit']", "2")
    page.get_by_role("button", name="Create table").tap()
    page.wait_for_url("**/t/*")
    sofa.table = page.url
    for _ in range(80):
        now = page.evaluate(SHOWN)
        if now["over"]:
            break
        if now["closed"]:
            name = page.locator("#pass").inner_text().removeprefix("Pass to ")
            if not turns:
                nothing_serious(page, "the curtain")
                page.emulate_media(color_scheme="light", reduced_motion="reduce")
            if len(turns) < 3:
                # Nothing of anybody's own is there: it is the page of somebody who watches from elsewhere.
                outside.page.goto(sofa.table)
                looks_alike(page, outside.page)
                expect(page.locator("#own")).to_have_count(0)
            if len(turns) % 2:
                page.locator("#be-next").tap()
            else:
                # The button has the focus, so that whoever plays by keyboard only presses Enter.
                page.wait_for_function("() => document.activeElement?.id === 'be-next'")
                page.keyboard.press("Enter")
            page.locator("#own").wait_for()
            assert name in page.locator("#hotseat").inner_text()
            turns.append(name)
            continue
        if page.locator("#be-next").count():
            page.locator("#be-next").tap()
            page.wait_for_function(SETTLED, arg=now["seat"])
            continue
        sofa.wait()
        sofa.act(choose(sofa.legal()))
    assert now["over"]
    assert set(turns) == {"Ana", "Bo", "Maria"}
    page.locator("#hotseat").wait_for(state="detached")
    assert re.search("win|won|lost|Nobody", sofa.headline)
    assert sofa.problems == outside.problems == []
    for person in (sofa, outside):
        person.context.close()
