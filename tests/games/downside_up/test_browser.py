"""Whole games of Downside Up in the real browser, through the board alone; and what two people and a spectator see."""

import random

import pytest
from playwright.sync_api import expect
from tests.games.pyramid_of_ten import boards
from tests.web.helpers.browsing import Person

pytestmark = pytest.mark.browser
NAME = "Downside Up Pyramid Scheme"


def test_a_person_plays_bots_to_the_end(server, browser):
    person = Person(browser, server.address, color_scheme="dark", reduced_motion="reduce")
    filled = boards.play_to_the_end(person, NAME, random.Random(1280), number="bid")
    assert filled["claim"] == 4
    assert filled.get("attack", 0) + filled.get("defend", 0) > 0
    boards.check_the_end(person, closings=9)
    boards.check_that_the_end_fits(person)
    assert person.problems == []
    person.context.close()


def test_priority_is_public_and_so_are_confirmations_if_the_table_says_so(server, browser):
    ana, ben, watcher = (Person(browser, server.address, reduced_motion="reduce") for _ in range(3))
    page = ana.page
    page.goto("/games/downside-up/new")
    page.locator("#more > summary").click()
    page.locator("[name=option-confirmations]").check()
    page.get_by_label("Your name").fill("Ana")
    page.locator("select[name=seat-1]").select_option("open")
    for seat in range(2, 10):
        page.locator(f"select[name=seat-{seat}]").select_option("bot:policy")
    page.locator("#start-when").select_option("now")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/t/*")
    ben.page.goto(page.url)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Join as player 2").click()
    ben.page.wait_for_selector("#own")
    watcher.page.goto(page.url)
    for person, others in ((ana, 9), (ben, 9), (watcher, 10)):
        # The bots confirm at once, and everybody sees it.
        person.page.wait_for_function("() => document.querySelectorAll('.stand .done').length === 8")
        numbers = boards.private_numbers(person)
        assert len(numbers) == 2 * others
        assert all(text.startswith("priority") for text in numbers)
    boards.save_number(ana, "bid", 3)
    boards.confirm(ana)
    for person in (ben, watcher):
        person.page.wait_for_function("() => document.querySelectorAll('.stand .done').length === 9")
        assert "3" not in "".join(person.page.locator(".story").all_inner_texts())
    boards.confirm(ben)
    for person, told in ((ana, 1), (ben, 1), (watcher, 0)):
        person.page.wait_for_selector(".story .e-top")
        expect(person.page.locator(".story .e-bid")).to_have_count(told)
        assert person.problems == []
        person.context.close()
