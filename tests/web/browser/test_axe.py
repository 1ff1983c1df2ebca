"""What axe-core finds on the pages, at tables of every game, in light and dark, wide and narrow: nothing serious."""

import random

import pytest
from tests.every_game import few_seats
from tests.web.helpers.axe import nothing_serious
from tests.web.helpers.browser_seasons import begin, episode, tab
from tests.web.helpers.browsing import Person

from pyramidion.engine import registry

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("width", [1280, 390])
def test_pages_without_a_table(server, browser, width):
    person = Person(browser, server.address, width=width)
    pages = [
        "/",
        "/lobby",
        "/account",
        "/games/ponzi-scheme/new",
        "/games/upside-down/new",
        "/games/pyramis",
        "/games/pyramis/rules",
        "/alerts",
        "/no",
    ]
    # The longest page by far, and the same at every width but for its tables.
    for address in [*pages, "/api/docs"] if width == 390 else pages:
        person.allowed = ("404",)
        person.page.goto(address)
        nothing_serious(person.page, address)
    assert person.problems == []
    person.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_pages_of_a_season(server, browser, scheme):
    person = Person(browser, server.address, color_scheme=scheme, width=390)
    page = person.page
    begin(page, ("Ada", "Blaise", "Clara"))
    for name in ("now", "cast&who=c1", "timeline", "posts", "episodes", "ledger", "log", "settings", "hosts", "more"):
        tab(page, name)
        nothing_serious(page, f"the host's page: {name}")
    tab(page, "now")
    episode(page, "pyramid-shambo", "pyramid-shambo")
    page.get_by_role("link", name="Season page").click()
    page.wait_for_url("**/seasons/*")
    nothing_serious(page, "the season's page")
    page.goto("/seasons")
    nothing_serious(page, "the list of seasons")
    assert person.problems == []
    person.context.close()


def test_a_room_and_what_is_said_in_advance(server, browser):
    person = Person(browser, server.address, width=360)
    page = person.page
    page.goto("/games/ponzi-scheme/new")
    page.get_by_label("Your name").fill("Ana")
    page.locator("select[name=seat-1]").select_option("open")
    page.get_by_role("button", name="Create table").tap()
    page.wait_for_selector("#room-now")
    room = page.url
    nothing_serious(page, "a room")
    page.get_by_role("button", name="Start game").tap()
    page.wait_for_selector("#fragment")
    for address in ("premoves", "seals"):
        page.goto(f"{room}/{address}")
        nothing_serious(page, address)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 360, address
    assert person.problems == []
    person.context.close()


@pytest.mark.parametrize("width", [1280, 390])
def test_the_hosts_console_the_device_page_and_the_pages_of_codes(server, browser, width):
    person = Person(browser, server.address, width=width)
    page = person.page
    url = person.start(seats=("me", "open", "bot:random"), name="Ada")
    person.menu()
    person.touch(page.locator("#hosting > summary"))
    page.wait_for_selector("#console form")
    nothing_serious(page, "the console, opened")
    page.locator("#console form:has([name=command][value=pause]) button").click()
    page.wait_for_selector("#paused")
    nothing_serious(page, "a paused table")
    page.goto(f"{url}/host")
    nothing_serious(page, "the console's page")
    page.goto(f"{url}/elsewhere")
    nothing_serious(page, "the device page")
    page.get_by_role("button", name="Create personal link").click()
    page.wait_for_selector("#code")
    nothing_serious(page, "the device page with a code")
    link = page.get_attribute("#personal", "href")
    other = Person(browser, server.address, width=width)
    other.allowed = ("404",)
    for address in (link, f"{url}/chat", f"{url}/seals", "/lobby?code=ABCDEF"):
        other.page.goto(address)
        nothing_serious(other.page, address)
        assert other.page.evaluate("() => document.documentElement.scrollWidth") <= width, address
    assert person.problems == other.problems == []
    for one in (person, other):
        one.context.close()


def test_a_check_that_finds_something(server, browser):
    """A page with a fault is found out, so that nothing above passes for want of looking."""
    person = Person(browser, server.address)
    person.page.goto("/")
    person.page.evaluate("() => document.querySelector('h1').insertAdjacentHTML('afterend', '<button></button>')")
    with pytest.raises(AssertionError, match="button-name"):
        nothing_serious(person.page, "a page with a fault")
    person.context.close()


@pytest.mark.parametrize("game_id", registry.own_ids())
def test_a_table_while_it_is_played_and_after(server, browser, game_id):
    game, chance = registry.load(game_id), random.Random(game_id)
    count = few_seats(game)
    for width in (1280, 360):
        person = Person(browser, server.address, width=width, reduced_motion="reduce")
        page = person.page
        bots = () if len(game.seats) == 1 else ("me", *["bot:random"] * (count - 1))
        person.start(game.name, bots)
        for position in range(3 if width == 1280 else 1):
            person.wait()
            assert not person.over
            if position != 1:
                nothing_serious(person.page, (game_id, width, person.headline))
            before = person.version
            legal = person.legal()
            if "confirm" in legal:
                person.touch(person.page.locator("#actions [data-steps='confirm']"))
                person.moved(before)
            else:
                low = chance.choice([one for one in legal if ".." not in one] or [legal[0].split("..")[0]])
                person.act(low)
        # Twice as large on a usual screen is half as wide.
        for wide in (360, 390) if width == 360 else (640, width):
            page.set_viewport_size({"width": wide, "height": 800})
            assert page.evaluate("() => document.documentElement.scrollWidth") <= wide, (game_id, wide)
        assert person.problems == []
        person.context.close()
    person = Person(browser, server.address, reduced_motion="reduce")
    made = person.page.request.post(
        "/api/tables", data={"game": game_id, "seats": [{"kind": "bot", "bot": "random"}] * count}
    ).json()
    person.page.goto(f"/t/{made['id']}")
    person.page.wait_for_selector("#fragment.over", state="attached")
    person.page.reload()
    nothing_serious(person.page, (game_id, "the end"))
    assert person.problems == []
    person.context.close()
