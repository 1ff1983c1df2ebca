"""Every game can be played from the home page to its end with no other device than a keyboard."""

import pytest
from tests.every_game import limits
from tests.web.helpers.browser_whole_games import CAME
from tests.web.helpers.browsing import READY, Person

from pyramidion.engine import registry

pytestmark = pytest.mark.browser
MOST_TABS = 120
STOPS = """() => [...document.querySelectorAll("#main :is(a[href], button, input, summary, [tabindex='0'])")]
    .filter((one) => one.checkVisibility() && !one.disabled).length"""
"""How many presses of the Tab key lead through the table, so at most from one action to the next."""
DOABLE = """() => document.activeElement.matches(
    "#fragment [data-path].can, #actions .quick button[data-steps], #actions input[type=number], #commit")"""
ARMED = "() => document.querySelector('#commit:not([hidden])') !== null"
HELD = "() => document.querySelectorAll('.held').length"


class Keys:
    """Somebody who has only keys. Whatever would use a pointer is not called from here."""

    def __init__(self, page):
        self.page = page
        self.pressed = 0

    def press(self, key):
        self.pressed += 1
        self.page.keyboard.press(key)

    def go_to(self, where, key="Tab", most=MOST_TABS):
        for _ in range(most):
            if self.page.evaluate(where):
                return
            self.press(key)
        screen = self.page.inner_text("#main")
        raise AssertionError(f"The keyboard does not get to {where} on this page: {screen}")

    def on(self, selector):
        return f"() => document.activeElement.matches({selector!r})"


@pytest.mark.parametrize("game_id", registry.own_ids())
def test_a_whole_game_by_keyboard_alone(server, browser, game_id):
    game = registry.load(game_id)
    person = Person(browser, server.address, reduced_motion="reduce")
    page, keys = person.page, Keys(person.page)
    page.goto("/")
    keys.go_to(keys.on(f"a[href='/games/{game_id}/new']"))
    keys.press("Enter")
    page.wait_for_url("**/new")
    keys.go_to(keys.on("#me"))
    page.keyboard.type("Kay")
    if len(game.seats) > 1:
        keys.go_to(keys.on("input[name=seats]"))
        while page.evaluate("document.activeElement.value") != str(game.seats[0]):
            keys.press("ArrowLeft")
    if limits(game, 10):
        keys.go_to(keys.on("#more > summary"))
        keys.press("Enter")
    for name, value in limits(game, 10).items():
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
        before, held = person.version, page.evaluate(HELD)
        if page.locator("#sure[open]").count():
            # A move that loses the game is asked about.
            keys.go_to(keys.on("#sure [value=yes]"))
            keys.press("Enter")
            person.moved(before)
            continue
        # A submission is made of parts that can be saved for ever; it is confirming that goes on.
        confirms = "confirm" in person.legal()
        keys.go_to(
            keys.on("[data-steps=confirm]") if confirms else DOABLE,
            most=page.evaluate(STOPS) if acted and not confirms else MOST_TABS,
        )
        # The key that commits leads to another position; any other may also hold a piece or make a move ready.
        armed = page.evaluate(ARMED)
        keys.press("Enter")
        page.wait_for_function(CAME, arg=[before, held, armed])
        page.wait_for_function("() => document.activeElement !== document.body")
        acted += 1
        assert acted < 800
    assert acted > 1
    # The result is there to be read, and the replay to be gone through.
    keys.go_to(keys.on("#position"))
    keys.press("Home")
    page.wait_for_function("() => document.getElementById('fragment').dataset.version === '0'")
    assert person.problems == []
    person.context.close()


def test_the_list_of_moves_is_opened_and_a_move_chosen_in_it_by_keys(server, browser):
    person = Person(browser, server.address, reduced_motion="reduce")
    page, keys = person.page, Keys(person.page)
    while not page.locator("#fragment[data-mine]").count():
        person.start("Pyramis", ("me", "bot:random"))
    before = person.version
    keys.go_to(keys.on("#list > summary"))
    keys.press("Enter")
    page.wait_for_selector("#list[open]")
    keys.go_to(keys.on("#list .row"))
    keys.press("Enter")
    page.wait_for_selector("#commit:not([hidden])")
    assert person.version == before, "a row picks a move, and the button makes it"
    keys.go_to(keys.on("#commit"), key="Shift+Tab")
    keys.press("Enter")
    person.moved(before)
    assert person.problems == []
    person.context.close()
