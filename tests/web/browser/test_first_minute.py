"""The first minute: a lesson, a game against bots and a game with a friend, two clicks from home; and the way back."""

import re

import pytest
from playwright.sync_api import expect
from tests.web.helpers.browsing import NEWER, Person

from pyramidion.web.table.seats.given_names import is_guest_name

pytestmark = pytest.mark.browser
WORDS = {
    "en": {
        "now": "Play Pyramis now",
        "play": "Play now",
        "friends": "Play with friends",
        "yours": "Your games",
        "learn": "Learn",
        "lesson": "Start lesson",
        "again": "Rematch",
    },
    "fr": {
        "now": "Jouer à Pyramis",
        "play": "Jouer",
        "friends": "Jouer entre amis",
        "yours": "Vos parties",
        "learn": "Apprendre",
        "lesson": "Commencer la leçon",
        "again": "Revanche",
    },
}
STEP = """() => {
    const shown = document.querySelector("#coach li:not([hidden])")?.id;
    return `${shown} ${document.getElementById("fragment").dataset.version}`;
}"""
FRAMES = """() => [...document.querySelectorAll("#showcase, #showcase *:has(.own), #showcase .own")]
    .filter((one) => parseFloat(getComputedStyle(one).borderTopWidth)).map((one) => one.classList[0])"""
ONE_LINE = 32  # pixels: what stands on one line is lower
WAYS = [(1280, 720, "en"), (390, 844, "fr")]


@pytest.fixture(params=WAYS, ids=["desktop-en", "phone-fr"])
def newcomer(request, server, browser):
    width, height, language = request.param
    person = Person(browser, server.address, width=width, locale=language, reduced_motion="reduce")
    person.page.set_viewport_size({"width": width, "height": height})
    person.words, person.height = WORDS[language], height
    yield person
    assert person.problems == []
    person.context.close()


def card(person, game="pyramis"):
    return person.page.locator(f"#game-{game}")


def fits(person):
    return person.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_the_game_on_the_home_page_stands_in_one_frame(newcomer):
    page = newcomer.page
    page.goto("/")
    page.wait_for_selector("#showcase .frame .chip")
    assert page.evaluate(FRAMES) == ["own"]
    if not newcomer.phone:
        assert page.locator("#showcase .chip").bounding_box()["height"] < ONE_LINE


def test_two_clicks_lead_from_home_to_a_game_against_bots_and_one_more_to_a_rematch(newcomer):
    page, words = newcomer.page, newcomer.words
    page.goto("/")
    first = page.locator(".games article").first
    assert first.get_attribute("id") == "game-pyramis", "what is easy alone comes first"
    button = page.get_by_role("button", name=words["now"], exact=True).first
    box = button.bounding_box()
    assert box["y"] + box["height"] <= newcomer.height, "it is seen without scrolling"
    assert fits(newcomer)
    newcomer.touch(button)
    page.wait_for_url("**/t/*")
    goal, line = page.url, page.locator("#goal-line")
    expect(line).to_have_text(re.compile(r"."))
    expect(line).to_be_visible()
    if newcomer.phone:
        newcomer.touch(line.get_by_role("button"))
        expect(line).to_be_hidden()
    newcomer.wait()
    newcomer.act(newcomer.legal()[0])
    expect(line, "whoever has played has read it").to_be_hidden()
    table = page.url
    assert goal == f"{table}#goal"
    # Home is where one finds the game again, and the tab says whose turn it is.
    newcomer.wait()
    page.goto("/")
    yours = page.get_by_role("region", name=words["yours"])
    expect(yours.locator("li.turn")).to_have_count(1)
    assert page.title().startswith("(1) ")
    page.wait_for_function("() => document.querySelector('link[rel=icon]').href.endsWith('icon-turn.svg')")
    assert fits(newcomer)
    newcomer.touch(yours.locator("li.turn a"))
    page.wait_for_selector("#fragment[data-mine]")
    newcomer.play(lambda legal: legal[0])
    newcomer.touch(page.get_by_role("button", name=words["again"], exact=True).filter(visible=True).first)
    page.wait_for_url(lambda url: "/t/" in url and url != table)
    newcomer.wait()
    assert not newcomer.over
    page.goto("/")
    expect(yours.locator("li.finished")).to_have_count(1)
    expect(yours.locator("li.finished .avatar"), "the opponents have their faces").to_have_count(2)
    assert fits(newcomer)
    newcomer.touch(yours.locator("li.finished").get_by_role("button", name=words["again"], exact=True))
    page.wait_for_url(lambda url: "/t/" in url and url != table)
    newcomer.wait()
    assert not newcomer.over


def test_two_clicks_lead_from_home_into_a_lesson_which_leaves_the_learner_to_play_alone(newcomer):
    page, words = newcomer.page, newcomer.words
    page.goto("/")
    newcomer.touch(card(newcomer).get_by_role("link", name=words["learn"], exact=True))
    page.wait_for_url("**/learn/pyramis")
    start = page.get_by_role("button", name=words["lesson"], exact=True)
    box = start.bounding_box()
    assert box["y"] + box["height"] <= newcomer.height, "it is seen without scrolling"
    newcomer.touch(start)
    page.wait_for_selector("#coach-next:visible")
    assert fits(newcomer)
    # The coach is read to the first thing to do, which the learner then does.
    while page.locator("#coach-next").is_visible():
        newcomer.touch(page.locator("#coach-next"))
    before = newcomer.version
    newcomer.act("place 2 a1")
    assert newcomer.version > before
    # The coach shows the rest of it, until one can play on alone.
    alone = page.locator(".finished #coach-leave")
    while not alone.is_visible():
        page.wait_for_selector("#coach-next:visible, #coach-show:visible, .finished #coach-leave:visible")
        if not alone.is_visible():
            step = page.evaluate(STEP)
            newcomer.touch(page.locator("#coach-next, #coach-show").filter(visible=True).first)
            page.wait_for_function(f"(step) => ({STEP})() !== step", arg=step)
    newcomer.touch(alone)
    page.wait_for_selector("#coach", state="detached")
    newcomer.wait()
    newcomer.act(newcomer.legal()[0])


def test_two_clicks_lead_to_a_room_where_a_friend_joins_and_the_game_starts(newcomer, browser):
    page, words = newcomer.page, newcomer.words
    page.goto("/")
    page.evaluate("localStorage.setItem('name', 'Nina')")
    newcomer.touch(card(newcomer).get_by_role("button", name=words["friends"]))
    page.wait_for_selector("#room-now")
    url, code = page.inner_text("#link"), page.inner_text("#join-code")
    expect(page.locator(".share .qr")).to_be_visible()
    expect(page.locator(".begins .main"), "nobody has come yet").to_have_count(0)
    parts = (".places", ".invites", ".begins", ".about")
    tops = [page.locator(f".sides {part}").bounding_box()["y"] for part in parts]
    assert not newcomer.phone or tops == sorted(tops), "one invites before one starts"
    assert fits(newcomer)
    friend = Person(browser, newcomer.home, width=390, reduced_motion="reduce")
    phone = friend.page
    phone.goto("/")
    phone.locator("[name=code]").fill(code)
    phone.locator("[name=code]").press("Enter")
    phone.wait_for_url(url)
    assert phone.get_by_role("heading", level=1).inner_text() == "Nina invites you to play Pyramis"
    assert phone.title() == "Nina invites you to play Pyramis"
    expect(phone.locator(".goal li")).to_have_count(3)
    assert phone.locator("meta[property='og:title']").get_attribute("content") == phone.title()
    join = phone.get_by_role("button", name="Join game")
    box = join.bounding_box()
    assert box["y"] + box["height"] <= 844, "the one button is seen without scrolling"
    phone.locator("#name").fill("Ben")
    friend.touch(join)
    phone.wait_for_selector("#ready")
    friend.touch(phone.locator("#ready"))
    newcomer.touch(page.locator("#begin-these.main"))
    for person in (newcomer, friend):
        person.page.wait_for_selector("#fragment.seats-2")
        assert re.search("Nina", person.page.inner_text("#fragment"))
    # The third seat is gone. Both make a move, and see the other's.
    acted = set()
    while len(acted) < 2:
        for person in (newcomer, friend):
            if person.page.evaluate("() => document.getElementById('fragment').dataset.mine"):
                person.act(person.legal()[0])
                acted.add(person)
    newest = max(newcomer.version, friend.version)
    for person in (newcomer, friend):
        person.page.wait_for_function(NEWER, arg=newest - 1)
    assert friend.problems == []
    friend.context.close()


def test_guests_have_a_name_from_the_start_and_can_change_it_on_the_home_page(newcomer):
    page, words = newcomer.page, newcomer.words
    page.goto("/")
    guest = page.locator("#guest")
    given = guest.locator("b").inner_text()
    assert is_guest_name(given)
    newcomer.touch(card(newcomer).get_by_role("button", name=words["play"], exact=True))
    page.wait_for_url("**/t/*")
    newcomer.wait()
    assert given in page.inner_text("#fragment")
    page.goto("/")
    newcomer.touch(guest.locator("summary"))
    guest.locator("input").fill("Nina")
    guest.locator("input").press("Enter")
    assert guest.locator("b").inner_text() == "Nina"
    assert fits(newcomer)
    page.reload()
    assert guest.locator("b").inner_text() == "Nina"
    newcomer.touch(card(newcomer).get_by_role("button", name=words["play"], exact=True))
    page.wait_for_url("**/t/*")
    newcomer.wait()
    expect(page.locator("#fragment").first).to_contain_text("Nina", use_inner_text=True)


def test_a_host_and_a_friend_without_names_have_different_ones_and_can_change_them_in_the_room(server, browser):
    host, friend = (Person(browser, server.address) for _ in range(2))
    host.page.goto("/")
    card(host).get_by_role("button", name="Play with friends").click()
    host.page.wait_for_selector("#rename")
    friend.page.goto(host.page.inner_text("#link"))
    friend.page.get_by_role("button", name="Join game").click()
    friend.page.wait_for_selector("#rename")
    names = [name.removesuffix(" (you)") for name in friend.page.locator(".places .person .name").all_inner_texts()]
    assert len(set(names)) == 2
    assert all(map(is_guest_name, names))
    friend.context.close()
    host.page.locator("#rename [name=name]").fill("Olga")
    host.page.get_by_role("button", name="Save name").click()
    host.page.wait_for_selector("#rename", state="detached")
    expect(host.page.locator(".places").first).to_contain_text("Olga", use_inner_text=True)
    assert host.problems == friend.problems == []
    host.context.close()


def test_the_form_offers_master_only_where_it_differs_from_expert(server, browser):
    host = Person(browser, server.address)
    page = host.page
    page.goto("/games/pyramid-scheme/new")
    master = page.locator("[name=seat-1] option[value='bot:master']")
    page.locator("[name=seat-1]").select_option("bot:master")
    page.locator("input[name=seats][value='2'] + span").click()
    assert master.is_disabled()
    expect(page.locator("[name=seat-1]")).to_have_value("bot:expert")
    page.locator("input[name=seats][value='3'] + span").click()
    assert master.is_enabled()
    page.locator("#more > summary").click()
    page.uncheck("#option-recycle_crumbled")
    assert master.is_disabled(), "it was trained with the usual rules"
    assert host.problems == []
    host.context.close()


def test_everything_that_everybody_decides_is_on_one_screen_and_presets_fill_it(server, browser):
    host = Person(browser, server.address)
    page = host.page
    page.set_viewport_size({"width": 1280, "height": 720})
    for game in ("ponzi-scheme", "upside-down"):
        page.goto(f"/games/{game}/new")
        page.get_by_role("button", name="Live").click()
        box = page.locator("#start").bounding_box()
        assert box["y"] + box["height"] <= 720
        assert page.evaluate("() => document.documentElement.scrollHeight") <= 800
        expect(page.locator("#clock")).to_have_value("120")
        expect(page.locator("[name=seat-1]")).to_have_value("open")
        expect(page.locator("#starts")).to_be_visible()
    page.get_by_role("button", name="A phase a day").click()
    expect(page.locator("#clock")).to_have_value("pace-0")
    expect(page.locator("#start-when")).to_have_value("when-full")
    page.goto("/games/ponzi-scheme/new")
    page.get_by_role("button", name="Correspondence").click()
    expect(page.locator("#clock")).to_have_value("86400")
    page.locator("#more > summary").click()
    page.fill("#option-round_limit", "9")
    page.check("#option-advanced")
    page.fill("#preset-name", "Fridays")
    page.get_by_role("button", name="Save preset").click()
    page.get_by_role("button", name="Against bots").click()
    expect(page.locator("#option-round_limit")).to_have_value("60")
    page.reload()
    page.get_by_role("button", name="Fridays", exact=True).click()
    expect(page.locator("#clock")).to_have_value("86400")
    expect(page.locator("#option-round_limit")).to_have_value("9")
    expect(page.locator("#option-advanced")).to_be_checked()
    page.get_by_role("button", name="Delete preset Fridays").click()
    page.reload()
    expect(page.get_by_role("button", name="Fridays", exact=True)).to_have_count(0)
    assert host.problems == []
    host.context.close()
