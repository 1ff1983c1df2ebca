"""A whole game of Pyramid Scheme in a real browser, on a large screen and on a phone."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import expect
from tests.games.pyramid_scheme.positions import position
from tests.web.helpers.browsing import Person

pytestmark = pytest.mark.browser


def eager(seed: int):
    """Somebody who flips what can be flipped, uses rewards, and otherwise acts by chance."""
    chance = random.Random(seed)

    def choose(legal: list[str]) -> str:
        useful = [action for action in legal if action.split()[0] in ("flip", "limit", "reserve", "remove")]
        return chance.choice(useful or [action for action in legal if action not in ("reset", "done")] or legal)

    return choose


def test_a_whole_game_is_played_on_a_phone(server, browser):
    person = Person(browser, server.address, width=390)
    person.start("Pyramid Scheme", ("me", "bot:random"))
    person.wait()
    expect(person.page.locator("#own .tree .badge.founder")).to_have_count(1)
    assert person.play(eager(390)) > 5
    assert person.headline.startswith(("You won", "You lost", "You share"))
    wide = person.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0
    assert person.problems == []
    person.context.close()


def test_a_card_in_hand_lights_up_its_places(server, browser):
    person = Person(browser, server.address)
    person.start("Pyramid Scheme", ("me", "bot:random"))
    person.wait()
    person.touch(person.page.locator("#own .hand [data-path]").first)
    place = person.page.locator("#own .tree [data-path].can")
    assert place.count() >= 1
    place.first.hover()
    expect(person.page.locator("#preview").first).to_contain_text("Room there", use_inner_text=True)
    assert person.problems == []
    person.context.close()


def seated_at(browser, server, match, **look):
    """Somebody whose table is at a position."""
    person = Person(browser, server.address, reduced_motion="reduce", **look)
    table = person.start("Pyramid Scheme", ("me", "open")).rsplit("/", 1)[1]
    server.config.app.server.tables.cached(table).action_log.match = match
    person.page.reload()
    person.wait()
    return person


def refused():
    """A green 3 in hand: the 2 has no room, a green 4 stands above the blue 5, the yellow 5 is free."""
    below = {
        "green-m": "founder",
        "blue-o": "green-m",
        "green-f": "founder",
        "yellow-o": "founder",
        "blue-a": "green-f",
    }
    return position(hands={0: ["green-j"]}, pyramids={0: below}, limits={"green-m": 3})


@pytest.mark.parametrize("way", ["mouse", "keyboard", "touch"])
def test_a_refused_place_shows_the_sum_or_the_victim_in_the_way(server, browser, way):
    person = seated_at(browser, server, refused(), width=390 if way == "touch" else 1280)
    page = person.page
    slot = lambda name: page.locator(f"#own .tree [data-path='card:{name}']")  # noqa: E731

    def point(name):
        if way == "mouse":
            slot(name).hover()
        elif way == "touch":
            slot(name).evaluate("(piece) => piece.scrollIntoView({ block: 'center' })")
            slot(name).tap(force=True)  # what cannot be taken says so, and is touched all the same
        else:
            slot(name).focus()  # the Tab key leaves out what cannot be taken; screen readers come to it
        page.wait_for_function(
            "(name) => document.querySelector('.not-here')?.dataset.path === name", arg=f"card:{name}"
        )

    in_hand = page.locator("#own .hand [data-path]").first
    if way == "keyboard":
        in_hand.focus()
        page.keyboard.press("Enter")
    else:
        person.touch(in_hand)
    expect(page.locator("#own .tree .can")).to_have_count(1)
    point("green-f")
    expect(page.locator("#refused").first).to_contain_text("PS 5.2", use_inner_text=True)
    assert page.locator("#refused .sum").get_attribute("aria-label") == "1 so far, 3 more, limit 2"
    expect(page.locator("#refused .sum .there")).to_have_count(1)
    expect(page.locator("#refused .sum .more.over")).to_have_count(2)
    expect(page.locator(".in-the-way")).to_have_count(0)
    point("blue-o")
    expect(page.locator("#refused").first).to_contain_text("PS 5.3", use_inner_text=True)
    assert page.locator(".in-the-way").get_attribute("data-path") == "card:green-m"
    expect(page.locator("#refused .sum")).to_have_count(0)
    expect(page.locator("#own .hand .held"), "the card is still held").to_have_count(1)
    if way == "mouse":
        slot("yellow-o").hover()
        page.wait_for_selector(".in-the-way", state="detached")
        expect(page.locator("#preview").first).to_contain_text("Room there: 5", use_inner_text=True)
    assert person.problems == []
    person.context.close()


def test_a_pyramid_grows_under_buttons_keys_and_fingers(server, browser):
    """A pyramid fits a phone 360 pixels wide, and is made larger in three ways; nothing else of the page moves."""
    below = {
        "green-o": "founder",
        "blue-m": "founder",
        "pink-a": "green-o",
        "yellow-f": "green-o",
        "pink-b": "blue-m",
    }
    person = seated_at(browser, server, position(hands={0: ["green-a"]}, pyramids={0: below}), width=360)
    page = person.page
    width = "document.querySelector('#own .tree').getBoundingClientRect().width"
    fits = page.evaluate(width)
    assert fits <= 360

    def is_grown(times):
        page.wait_for_function(f"(wanted) => Math.abs({width} - wanted) < 4", arg=times * fits)

    page.locator("#own [aria-label='Larger']").tap()
    is_grown(1.4)
    page.locator("#own [data-pan]").focus()
    page.keyboard.press("+")
    is_grown(1.96)
    page.keyboard.press("0")
    is_grown(1)
    box = page.locator("#own .tree").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + 40
    touch = page.context.new_cdp_session(page)
    for kind, apart in (("touchStart", 20), ("touchMove", 40), ("touchMove", 60)):
        points = [{"x": x - apart, "y": y, "id": 0}, {"x": x + apart, "y": y, "id": 1}]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    is_grown(3)
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    page.locator("#own [aria-label='Fit']").click()
    is_grown(1)
    assert person.problems == []
    person.context.close()


@pytest.mark.parametrize("language", ["en", "fr", "pt", "zh-Hant"])
def test_the_first_headline_and_the_one_long_button_fit_a_phone(server, browser, language):
    """Everybody begins with a token: spending it is the one button, and the headline says what else can be done."""
    match = position(hands={0: ["green-a", "blue-b"]}, tokens={0: 1})
    person = seated_at(browser, server, match, width=390)
    page = person.page
    person.context.add_cookies([{"name": "pyramidion_language", "value": language, "url": server.address}])
    page.reload()
    person.wait()
    assert page.get_attribute("html", "lang") == language
    expect(page.locator("#actions .prompt")).to_be_hidden()
    words = "(e) => [e.scrollWidth - e.clientWidth, e.scrollHeight - e.clientHeight]"
    for text in ("#headline", "#actions .quick .button:not([hidden])"):
        assert max(page.locator(text).evaluate(words)) <= 1, "a pixel may be rounded"
    bar, button = (page.locator(name).bounding_box() for name in ("#actions", "#actions .quick .button:not([hidden])"))
    assert bar["y"] <= button["y"]
    assert button["y"] + button["height"] <= bar["y"] + bar["height"]
    assert button["x"] + button["width"] <= 390
    assert person.problems == []
    person.context.close()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1024, 640)])
def test_three_cards_in_hand_stand_in_one_column(server, browser, width, height):
    below = {"green-o": "founder", "blue-m": "founder", "pink-a": "green-o", "yellow-f": "pink-a"}
    match = position(hands={0: ["green-a", "blue-b", "pink-b"]}, pyramids={0: below}, limits={"pink-a": 3})
    person = seated_at(browser, server, match, width=width)
    person.page.set_viewport_size({"width": width, "height": height})
    parts = person.page.locator("#own .hand > *").all()
    boxes = [part.bounding_box() for part in parts]
    assert len(boxes) == 4
    middles = [box["x"] + box["width"] / 2 for box in boxes]
    assert max(middles) - min(middles) < 2
    own = person.page.locator("#own").bounding_box()
    assert boxes[-1]["y"] + boxes[-1]["height"] <= own["y"] + own["height"]
    assert person.problems == []
    person.context.close()


@pytest.mark.parametrize("height", [844, 640])
def test_a_pyramid_of_four_levels_is_legible_and_goals_fold_on_a_phone(server, browser, height):
    below = {"green-o": "founder", "blue-m": "founder", "pink-a": "green-o", "yellow-f": "pink-a", "pink-b": "blue-m"}
    person = seated_at(
        browser, server, position(hands={0: ["green-a"]}, pyramids={0: below}, limits={"pink-a": 3}), width=390
    )
    page = person.page
    page.set_viewport_size({"width": 390 if height > 700 else 360, "height": height})
    cards = "[...document.querySelectorAll('#own .tree .badge, #own .hand .badge')]"
    # The code of the open seat has the room of the board at this table only.
    page.evaluate("document.querySelectorAll('.invite').forEach((one) => one.remove())")
    # A low phone draws the cards smaller, so that the whole pyramid is seen; their numbers can still be read.
    smallest = page.evaluate(f"Math.min(...{cards}.map((card) => card.getBoundingClientRect().width))")
    assert smallest >= (36 if height > 700 else 24)
    number = "parseFloat(getComputedStyle(document.querySelector('#own .tree .badge:not(.founder) .sign b')).fontSize)"
    assert page.evaluate(number) >= 11
    frame = "(({ clientHeight, scrollHeight }) => scrollHeight - clientHeight)(document.querySelector('#own .pan'))"
    assert page.evaluate(frame) <= 0
    cut = """() => [...document.querySelectorAll(".goal, .goal > *, .pill, .goal-words")]
        .filter((part) => part.checkVisibility())
        .filter((part) => part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 2)
        .map((part) => part.outerHTML)"""
    assert page.evaluate(cut) == []
    expect(page.locator(".goal-words").first).to_be_hidden()
    fold = page.locator(".goals-fold")
    place = fold.bounding_box()
    fold.tap()
    expect(page.locator(".goal-words")).to_have_count(6)
    for words in page.locator(".goal-words").all():
        expect(words).to_be_visible()
    assert page.evaluate(cut) == []
    assert fold.bounding_box() == place, "it closes where it opens"
    fold.tap()
    expect(page.locator(".goal-words").first).to_be_hidden()
    goal = page.locator(".goal > button").first
    goal.tap(force=True)  # it cannot be chosen
    expect(page.locator("#preview").first).to_contain_text("you have", use_inner_text=True)
    assert person.problems == []
    person.context.close()
