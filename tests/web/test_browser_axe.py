"""What axe-core finds on the pages, at tables of every game, in light and dark, wide and narrow: nothing serious."""

import random
from pathlib import Path

import axe_playwright_python
import pytest
from tests.web.browsing import Person, house

import pyramidion

pytestmark = pytest.mark.browser
AXE = next(Path(axe_playwright_python.__file__).parent.rglob("axe.min.js")).read_text("utf-8")
# What stands at the edge of the window while one scrolls covers what axe looks at; and colours that are just changing
# are neither the old nor the new ones.
STILL = """async () => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(".status, .top, .acts, .dock, #start { position: static !important }");
    document.adoptedStyleSheets = [sheet];
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    await Promise.allSettled(document.getAnimations().map((one) => one.finished));
}"""
FOUND = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
    .filter((one) => ["serious", "critical"].includes(one.impact))
    .flatMap((one) => one.nodes.map((node) => `${one.id}: ${node.html.slice(0, 200)}: ${node.failureSummary}`))"""
GAMES = {
    "ponzi-scheme": 3,
    "pyramis": 3,
    "pyramid-scheme": 3,
    "pyramid-shambo": 4,
    "upside-down": 10,
    "downside-up": 10,
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with house(tmp_path_factory.mktemp("axe")) as server:
        yield server


def nothing_serious(page, where):
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE)
    for look in ("light", "dark"):
        page.emulate_media(color_scheme=look, reduced_motion="reduce")
        page.evaluate(STILL)
        assert page.evaluate(FOUND) == [], (where, look)


@pytest.mark.parametrize("width", [1280, 390])
def test_pages_without_a_table(server, browser, width):
    person = Person(browser, server.address, width=width)
    pages = [
        "/",
        "/lobby",
        "/account",
        "/games/ponzi-scheme/new",
        "/games/upside-down/new",
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


def test_a_room_and_what_is_said_in_advance(server, browser):
    person = Person(browser, server.address, width=360)
    page = person.page
    page.goto("/games/ponzi-scheme/new")
    page.get_by_label("Your name").fill("Ana")
    page.locator("select[name=seat-1]").select_option("open")
    page.get_by_role("button", name="Start the table").tap()
    page.wait_for_selector("#room-now")
    room = page.url
    nothing_serious(page, "a room")
    page.get_by_role("button", name="Begin the game").tap()
    page.wait_for_selector("#fragment")
    for address in ("orders", "seals"):
        page.goto(f"{room}/{address}")
        nothing_serious(page, address)
        assert page.evaluate("() => document.documentElement.scrollWidth") <= 360, address
    assert person.problems == []
    person.context.close()


def test_a_check_that_finds_something(server, browser):
    """A page with a fault is found out, so that nothing above passes for want of looking."""
    person = Person(browser, server.address)
    person.page.goto("/")
    person.page.evaluate("() => document.querySelector('h1').insertAdjacentHTML('afterend', '<button></button>')")
    with pytest.raises(AssertionError, match="button-name"):
        nothing_serious(person.page, "a page with a fault")
    person.context.close()


@pytest.mark.parametrize("game_id", GAMES)
def test_a_table_while_it_is_played_and_after(server, browser, game_id):
    assert set(GAMES) == {g.id for g in pyramidion.all_games().values() if g.folder.parent.name == "games"}
    count, chance = GAMES[game_id], random.Random(game_id)
    for width in (1280, 360):
        person = Person(browser, server.address, width=width, reduced_motion="reduce")
        page = person.page
        bots = () if count == 10 else ("me", *["bot:random"] * (count - 1))
        person.start(pyramidion.all_games()[game_id].name, bots)
        for position in range(3 if width == 1280 else 1):
            person.wait()
            assert not person.over
            if position != 1:
                nothing_serious(person.page, (game_id, width, person.headline))
            before = person.version
            legal = person.legal()
            if "confirm" in legal:
                person.touch(person.page.locator("#acts [data-steps='confirm']"))
                person.moved(before)
            else:
                low = chance.choice([one for one in legal if ".." not in one] or ["amount 1"])
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
    person.page.wait_for_selector("#fragment.over", state="attached", timeout=120_000)
    person.page.reload()
    nothing_serious(person.page, (game_id, "the end"))
    assert person.problems == []
    person.context.close()
