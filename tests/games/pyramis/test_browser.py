"""Whole games of Pyramis through the real browser."""

import random

import pytest
from playwright.sync_api import expect
from tests.web.helpers.browser_whole_games import HIDDEN
from tests.web.helpers.browsing import Person
from tests.web.helpers.midgame import Seated, SettledBot

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def overflow(page):
    return page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")


def test_a_person_plays_bots_to_the_end_on_a_phone(server, browser):
    width, seats = 390, ("me", "bot:policy", "bot:policy", "bot:random")
    person = Person(browser, server.address, width=width, color_scheme="dark", reduced_motion="reduce")
    page, chance, seen = person.page, random.Random(width), set()
    person.start(game="Pyramis", seats=seats, name="<b>Zoë & co")

    def choose(legal):
        family = legal[0].split()[0]
        seen.add(family)
        assert overflow(page) <= 0
        if family == "rotate":
            marked = page.locator("#own .may-turn").count()
            assert marked == len(legal)
        if family == "refill":
            expect(page.locator(".river-card.gap")).to_have_count(1)
        return chance.choice(legal)

    assert person.play(choose) >= 20
    assert seen >= {"place", "refill"}
    expect(page.locator("#own .space:not(.empty)")).to_have_count(10)
    expect(page.locator("#result tbody tr")).to_have_count(len(seats))
    expect(page.locator("#result").first).to_contain_text("PY 7.3", use_inner_text=True)
    assert person.headline.startswith(("You won", "You lost", "You share"))
    assert overflow(page) <= 0
    assert person.problems == []
    person.context.close()


def test_a_preview_shows_the_score_before_a_card_is_placed(server, browser):
    person = Person(browser, server.address, reduced_motion="reduce")
    page = person.page
    person.start(game="Pyramis", seats=("me", "bot:policy"), name="Ana")
    person.wait()
    action = person.legal()[0]
    _, slot, space = action.split()
    page.locator(f"[data-path='river:{slot}']").click()
    page.locator(f"[data-path='space:{space}']").hover()
    page.wait_for_function("() => document.getElementById('preview').innerText.includes('Score 0')")
    expect(page.locator("#preview").first).to_contain_text("Largest zone 0", use_inner_text=True)
    expect(page.locator("#commit")).to_be_hidden()
    person.context.close()


def test_a_space_that_touches_nothing_says_why(server, browser):
    person = Person(browser, server.address, reduced_motion="reduce")
    page = person.page
    person.start(game="Pyramis", seats=("me", "bot:policy"), name="Ana")
    person.wait()
    page.locator("[data-path='space:d1']").click(force=True)
    page.wait_for_selector("#refused:not([hidden])")
    expect(page.locator("#refused").first).to_contain_text("PY 4.3", use_inner_text=True)
    person.context.close()


PLACES = """() => {
    const parts = [...document.querySelectorAll(".river, .river-card, .deck, #board, #own")];
    const seen = window.seen = new Set();
    const look = () => {
        seen.add(parts.filter((part) => part.isConnected).map((part) => {
            const { x, y, width, height } = part.getBoundingClientRect();
            return [part.dataset.key ?? part.id ?? part.className, x, y, width, height].join(" ");
        }).filter((place) => !place.startsWith("card-")).join("\\n"));
        requestAnimationFrame(look);
    };
    look();
}"""


@pytest.mark.parametrize("height", [844, 640])
def test_river_and_decks_stay_where_they_are_when_another_turn_begins(server, browser, height):
    """Through the first turns of the lesson, whose coach says more at one step than at another."""
    person = Person(browser, server.address, width=390, reduced_motion="reduce")
    page = person.page
    page.set_viewport_size({"width": 390 if height > 700 else 360, "height": height})
    page.goto("/learn/pyramis")
    page.get_by_role("button", name="Start lesson").press("Enter")
    page.wait_for_selector("#coach-next:visible")
    page.evaluate(PLACES)
    for step in range(1, 8):
        page.locator("#coach-next:visible, #coach-show:visible").first.press("Enter")
        page.wait_for_function(
            "(step) => document.querySelector('#coach li:not([hidden])')?.id === `step-${step}`", arg=step
        )
    assert person.version > 3
    places = page.evaluate("() => [...window.seen]")
    assert len(places) == 1, "\n\n".join(places)
    assert person.problems == []
    person.context.close()


@pytest.mark.parametrize(("width", "height"), [(1440, 900), (1280, 720)])
def test_the_largest_zone_is_told_on_one_line_beside_the_fleet(server, browser, width, height):
    person = Person(browser, server.address, width=width, reduced_motion="reduce")
    page = person.page
    with Seated(server.address, "pyramis", 2, "zone on one line") as seated:
        assert seated.go_on(12)
        person.context.add_cookies([{**seated.cookie, "url": server.address}])
    page.set_viewport_size({"width": width, "height": height})
    page.goto(seated.path)
    chip = page.locator("#own .own-side .chip").bounding_box()
    assert chip["height"] < 36
    for space in page.locator("#own .fleet .space").all():
        box = space.bounding_box()
        beside = box["x"] >= chip["x"] + chip["width"]
        assert beside or box["y"] >= chip["y"] + chip["height"]
    assert person.problems == []
    person.context.close()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640)])
def test_a_phone_has_the_zone_and_the_star_cards_in_the_two_corners_beside_the_fleet(server, browser, width, height):
    person = Person(browser, server.address, width=width, reduced_motion="reduce")
    page = person.page
    with Seated(server.address, "pyramis", 2, "zone on one line") as seated:
        assert seated.go_on(12)
        person.context.add_cookies([{**seated.cookie, "url": server.address}])
    page.set_viewport_size({"width": width, "height": height})
    page.goto(seated.path)
    chip, hand = (page.locator(f"#own .own-side {one}").bounding_box() for one in (".chip", ".hand"))
    assert chip["x"] + chip["width"] < width / 2 < hand["x"]
    assert chip["height"] < 50
    assert person.problems == []
    person.context.close()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (360, 640), (1280, 720)])
def test_whose_star_card_is_taken_is_chosen_among_buttons_that_are_seen_whole(
    server, browser, monkeypatch, width, height
):
    monkeypatch.setattr("pyramidion.web.features.bots.runner.bot_of", lambda game, _name: SettledBot(game))
    person = Person(browser, server.address, width=width, reduced_motion="reduce")
    page = person.page
    with Seated(server.address, "pyramis", 3, "steal") as seated:
        while "steal" not in seated.due():
            assert seated.go_on(1), "The game has ended."
        person.context.add_cookies([{**seated.cookie, "url": server.address}])
    page.set_viewport_size({"width": width, "height": height})
    page.goto(seated.path)
    page.wait_for_selector("#others .can")
    assert page.locator("#others .can").count() == len(person.legal())
    assert page.evaluate(HIDDEN) == []
    page.evaluate("document.getElementById('main').dataset.sheet = 'others'")
    assert page.evaluate(HIDDEN) == []
    person.context.close()
