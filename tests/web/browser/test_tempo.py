"""The tempo of a table in a browser: a position is in place at once, and motion is a decoration that any input ends."""

import pytest
from tests.web.helpers.browsing import Person

pytestmark = [pytest.mark.browser, pytest.mark.server(bot_pause=60)]
MOVED = """(before) => {
    const { version } = document.getElementById("fragment").dataset;
    return Number(version) > before && document.body.dataset.telling && document.querySelector(".mover");
}"""


@pytest.fixture
def starter(server, browser):
    """Somebody who begins a game of Pyramis, in a browser whose clock stands still: no motion ends by itself."""
    person = Person(browser, server.address, speed="slow")
    while not person.page.locator("#fragment[data-mine]").count():
        person.start("Pyramis", ("me", "bot:random"))
    person.page.clock.install()
    person.page.clock.pause_at(person.page.evaluate("Date.now() + 1000"))
    yield person
    person.context.close()


@pytest.mark.parametrize("key", [None, " "])
def test_any_input_ends_all_motion_and_is_what_it_is(starter, key):
    page, before = starter.page, starter.version
    starter.act(starter.legal()[0])
    page.wait_for_function(MOVED, arg=before)
    assert "Margherita placed" in page.inner_text("#caption")
    log = page.locator("#log-open")
    log.click() if key is None else log.press(key)
    assert page.locator("#log.open").count() == 1
    assert page.get_attribute("body", "data-telling") is None
    assert page.locator(".mover, .lit").count() == 0
    assert starter.problems == []
