"""A table with a clock in the browser: the countdown, saved and confirmed, phases that stay open, numbers by seat."""

import pytest
from playwright.sync_api import expect
from tests.games.pyramid_of_ten.boards import sheet
from tests.web.helpers.browsing import Person, browser_server

from pyramidion.web.db.store import now
from pyramidion.web.pages.assets import assets

pytestmark = pytest.mark.browser
LEFT = """() => {
    const [minutes, seconds] = document.getElementById("left").textContent.split(":").map(Number);
    return minutes * 60 + seconds;
}"""


@pytest.fixture
def server(tmp_path, outside):
    assets.cache_clear()
    with browser_server(tmp_path) as server:
        yield server
    assets.cache_clear()


def text(person, place):
    return " ".join(person.page.inner_text(place).split())


def test_saving_confirming_and_the_end_of_the_time(server, browser):
    tables = server.app.server.tables
    shift = [0]
    tables._time = lambda: now() + shift[0]
    ana = Person(browser, server.address, reduced_motion="reduce")
    # Her clock is years behind; the countdown does not mind.
    ana.page.clock.set_fixed_time("2001-02-03T04:05:06Z")
    page = ana.page
    page.goto("/games/silent-auction/new")
    page.get_by_label("Your name").fill("Ana")
    page.locator("select[name=seat-1]").select_option("open")
    page.locator("#start-when").select_option("now")
    page.locator("select[name=seat-2]").select_option("bot:policy")
    page.get_by_label("Time per decision").select_option("2 minutes")
    page.locator("#more > summary").click()
    page.get_by_label("Close early").uncheck()
    for seat, handicap in ((0, "-1"), (1, "2"), (2, "0")):
        page.fill(f"[name='option-handicap-{seat}']", handicap)
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/t/*")
    ana.menu()
    assert text(ana, "#pace") == "2 minutes per decision, fixed-length phases"
    ana.menu(shown=False)
    assert "Ana: -1. Open seat 2: 2." in text(ana, "#board")
    page.wait_for_function("() => document.getElementById('left').textContent.includes(':')")
    assert 0 < page.evaluate(LEFT) <= 120
    expect(page.locator("#live-clock").first).to_contain_text("Deadline:", use_inner_text=True)
    assert "Nothing saved yet" in text(ana, "#submission")

    ben = Person(browser, server.address, reduced_motion="reduce", width=390)
    ben.page.goto(page.url)
    ben.page.get_by_label("Your name").fill("Ben")
    ben.page.get_by_role("button", name="Join as player 2").click()
    ben.page.wait_for_selector("#submission", state="attached")
    sheet(ben, shown=True)
    seen = ben.page.inner_html("#board"), ben.version

    page.fill("#amount", "3")
    page.locator("#number .main").click()
    page.wait_for_function("() => document.getElementById('submission').innerText.includes('Saved: Bid 3')")
    assert "Not confirmed. Your saved choice counts when time runs out." in text(ana, "#submission")
    page.locator("#actions [data-steps=confirm]").click()
    page.wait_for_function("() => document.getElementById('submission').innerText.includes('Confirmed.')")
    assert "stays open until time runs out" in text(ana, "#submission")
    assert (ben.page.inner_html("#board"), ben.version) == seen
    ben.page.fill("#amount", "2")
    ben.page.locator("#number .main").tap()
    ben.page.wait_for_function("() => document.getElementById('submission').innerText.includes('Saved: Bid 2')")
    ben.page.locator("#actions [data-steps=confirm]").tap()
    ben.page.wait_for_function("() => document.getElementById('submission').innerText.includes('Confirmed.')")
    assert ben.page.evaluate("() => document.documentElement.scrollWidth") <= 390
    # One of them was the last, or the bot was; nobody sees that, and both may take it back and give something.
    for person in (ana, ben):
        expect(person.page.locator("#actions [data-steps=reopen]")).to_have_count(1)
    page.locator("#list summary").click() if not page.locator("#list[open]").count() else None
    page.locator("#list").get_by_role("button", name="A gift to Ben").click()
    page.locator("#commit").click()
    for person in (ana, ben):
        person.page.wait_for_function("() => document.getElementById('hint').innerText.includes('1 gifts')")
        assert "Round 1" in person.headline
    # The mouse rests where it clicked: what lies there is pointed at once more, and a single click takes it again.
    piece = page.locator("[data-path='seat:1'].can")
    for gifts in (2, 3):
        if gifts == 2:
            piece.hover()
        page.wait_for_function("() => document.getElementById('preview').innerText.includes('A gift to Ben')")
        page.mouse.down()
        page.mouse.up()
        page.wait_for_function("(n) => document.getElementById('hint').innerText.includes(`${n} gifts`)", arg=gifts)
    ben.page.locator("#actions [data-steps=reopen]").tap()
    ben.page.wait_for_function("() => document.getElementById('submission').innerText.includes('Not confirmed.')")
    shift[0] = 120_000
    for person in (ana, ben):
        person.page.wait_for_function("() => document.getElementById('headline').innerText.includes('Round 2')")
        assert ("You ran out of time" in person.page.locator("#log").text_content()) == (person is ben)
        person.page.wait_for_function("() => document.getElementById('left').textContent.startsWith('2:00')")
        assert person.problems == []
        person.context.close()


def test_a_server_whose_clock_is_put_back_shows_no_more_than_the_clock(server, browser):
    tables = server.app.server.tables
    shift = [0]
    tables._time = lambda: now() + shift[0]
    ana = Person(browser, server.address, reduced_motion="reduce")
    ana.page.goto("/games/pyramid-shambo/new")
    ana.page.locator("input[name=seats][value='2'] + span").click()
    ana.page.get_by_label("Time per decision").select_option("1 minute")
    ana.page.get_by_role("button", name="Create table").click()
    ana.page.wait_for_url("**/t/*")
    ana.wait()
    ana.page.wait_for_function("() => document.getElementById('left').textContent.includes(':')")
    assert ana.page.evaluate(LEFT) <= 60
    shift[0] = -3_600_000
    ana.page.reload()
    ana.page.wait_for_function("() => document.getElementById('left').textContent.includes(':')")
    assert 0 < ana.page.evaluate(LEFT) <= 60
    # An open page believes the server from the next position on.
    ana.act(ana.legal()[0])
    ana.wait()
    assert 0 < ana.page.evaluate(LEFT) <= 60
    assert ana.problems == []
    ana.context.close()
