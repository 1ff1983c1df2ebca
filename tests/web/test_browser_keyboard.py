"""Every game can be played from the home page to its end with no other device than a keyboard."""

import pytest
from tests.web.browsing import READY, Person, house

pytestmark = pytest.mark.browser
MOST_TABS = 120
DOABLE = "() => document.activeElement.matches('#acts button[data-steps], #acts input[type=number]')"
# (seats besides one's own, options that make it short)
GAMES = {
    "ponzi-scheme": (2, {"round_limit": 3}),
    "pyramis": (1, {}),
    "pyramid-scheme": (3, {}),
    "pyramid-shambo": (2, {}),
    "upside-down": (None, {}),
    "downside-up": (None, {}),
}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with house(tmp_path_factory.mktemp("keyboard")) as server:
        yield server


class Keys:
    """Somebody who has only keys. Whatever would use a pointer is not called from here."""

    def __init__(self, page):
        self.page = page
        self.pressed = 0

    def press(self, key):
        self.pressed += 1
        self.page.keyboard.press(key)

    def go_to(self, where, key="Tab"):
        for _ in range(MOST_TABS):
            if self.page.evaluate(where):
                return
            self.press(key)
        raise AssertionError(f"The keyboard does not get to {where}.")

    def on(self, selector):
        return f"() => document.activeElement.matches({selector!r})"


@pytest.mark.parametrize("game_id", GAMES)
def test_a_whole_game_by_keyboard_alone(server, browser, game_id):
    bots, options = GAMES[game_id]
    person = Person(browser, server.address, reduced_motion="reduce")
    page, keys = person.page, Keys(person.page)
    page.goto("/")
    keys.go_to(keys.on(f"a.button[href='/games/{game_id}/new']"))
    keys.press("Enter")
    page.wait_for_url("**/new")
    keys.go_to(keys.on("#me"))
    page.keyboard.type("Kay")
    if bots is not None:
        keys.go_to(keys.on("input[name=seats]"))
        while page.evaluate("document.activeElement.value") != str(bots + 1):
            keys.press("ArrowRight")
    for name, value in options.items():
        keys.go_to(keys.on(f"#option-{name}"))
        keys.press("Control+A")
        page.keyboard.type(str(value))
    keys.go_to("() => document.activeElement.matches('form#new button:not([type=button])')")
    keys.press("Enter")
    page.wait_for_url("**/t/*")
    acted = 0
    while True:
        page.wait_for_function(READY)
        if person.over:
            break
        before = person.version
        # A submission is made of parts that can be saved for ever; it is confirming that goes on.
        keys.go_to(keys.on("[data-steps=confirm]") if "confirm" in person.legal() else DOABLE)
        keys.press("Enter")
        page.wait_for_function("(v) => Number(document.getElementById('fragment').dataset.version) > v", arg=before)
        page.wait_for_function("() => document.activeElement !== document.body")
        acted += 1
        assert acted < 400
    assert acted > 3
    # The result is there to be read, and the replay to be gone through.
    keys.go_to(keys.on("#position"))
    keys.press("Home")
    page.wait_for_function("() => document.getElementById('fragment').dataset.version === '0'")
    assert person.problems == []
    person.context.close()
