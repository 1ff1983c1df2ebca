"""The replay of a finished game in a browser."""

import httpx
import pytest
from playwright.sync_api import expect
from tests.web.helpers.browser_whole_games import GAMES
from tests.web.helpers.browsing import Person
from tests.web.helpers.midgame import Seated
from tests.web.helpers.one_screen import PHONES

pytestmark = pytest.mark.browser
MOST = 500


@pytest.fixture
def watcher(server, browser):
    person = Person(browser, server.address, reduced_motion="reduce")
    yield person
    assert person.problems == []
    person.context.close()


def finished_game(server, game="pyramid-shambo", bots=3, **options):
    """Let random bots play a game and return its id."""
    with httpx.Client(base_url=server.address, timeout=60) as client:
        order = {"game": game, "seats": [{"kind": "bot", "bot": "random"}] * bots, "options": options}
        table = client.post("/api/tables", json=order | {"settings": {"bot_pace": "instant"}}).json()
        with client.stream("GET", f"/api/tables/{table['id']}/stream") as stream:
            for line in stream.iter_lines():
                if line.startswith("data:") and '"over":true' in line.replace(" ", ""):
                    return table["id"]
    raise AssertionError("The stream has ended before the game.")


def test_a_spectator_stays_at_the_same_moment_when_it_is_seen_by_somebody_else(server, watcher):
    """Players see their own secret choices as positions, spectators do not."""
    page = watcher.page
    page.goto(f"/t/{finished_game(server, tie_limit=2, turn_limit=2)}")
    page.wait_for_function("() => document.getElementById('position').dataset.plies")
    for eyes in ("1", "spectator", "2"):
        page.locator("#eyes").select_option(eyes)
        page.wait_for_selector(f"#fragment.over:not([data-past]) #recent[data-eyes='{eyes}']", state="attached")
        assert page.input_value("#eyes") == eyes
        assert page.input_value("#position") == page.get_attribute("#position", "max")
    page.locator("#everything").check()
    page.wait_for_selector("#recent[data-eyes='all']", state="attached")
    # Whoever chooses a player wants to see what that player saw.
    page.locator("#eyes").select_option("0")
    page.wait_for_selector("#recent[data-eyes='0']", state="attached")
    assert not page.locator("#everything").is_checked()


KEPT = """() => ["board", "own"].map((id) => {
    const { width, height } = document.getElementById(id).getBoundingClientRect();
    return [width, height].map(Math.round);
})"""
UNCOVERED = """() => ["board", "own"].filter((id) => {
    const { left, top, right, bottom } = document.getElementById(id).getBoundingClientRect();
    return ![top + 2, bottom - 3].every((y) => document.elementFromPoint((left + right) / 2, y)?.closest(`#${id}`));
})"""


@pytest.mark.parametrize("game_id", GAMES)
def test_a_phone_shows_the_board_and_ones_own_area_beside_every_sheet_of_the_replay(server, browser, game_id):
    seats, options = GAMES[game_id]
    fields = {f"option-{name}": str(value) for name, value in options.items()}
    person = Person(browser, server.address, width=390, reduced_motion="reduce")
    page = person.page
    with Seated(server.address, game_id, seats, f"replay {game_id}", **fields) as seated:
        assert not seated.go_on(MOST)
        person.context.add_cookies([{**seated.cookie, "url": server.address}])
    page.goto(seated.path)
    page.wait_for_selector("#replay:visible")
    for width, height in PHONES:
        page.set_viewport_size({"width": width, "height": height})
        # A bar of one line: five buttons and the position in words, with the rest behind one button.
        for name in ("first", "back", "play", "on", "last"):
            expect(page.locator(f"#replay-{name}")).to_be_in_viewport(ratio=1)
        expect(page.locator("#at")).to_be_in_viewport(ratio=1)
        expect(page.locator("#rematch-again")).to_be_in_viewport(ratio=1)
        expect(page.locator("#chapters")).to_be_hidden()
        kept = page.evaluate(KEPT)
        for sheet in ("actions", "decision"):
            page.evaluate("(sheet) => { document.getElementById('main').dataset.sheet = sheet; }", sheet)
            now = zip(page.evaluate(KEPT), kept, strict=True)
            assert all(wide == before and high >= 0.9 * was for (wide, high), (before, was) in now)
            assert page.evaluate(UNCOVERED) == []
        page.evaluate("() => { delete document.getElementById('main').dataset.sheet; }")
        person.touch(page.locator("#aftermath .grow"))
        # What moves the replay stays in reach, however far the sheet is scrolled.
        page.locator("#replay-link").scroll_into_view_if_needed()
        expect(page.locator("#replay-last")).to_be_in_viewport(ratio=1)
        person.touch(page.locator("#replay-first"))
        expect(page.locator("#position")).to_have_js_property("value", "0")
        page.wait_for_selector("#fragment[data-past]")
        person.touch(page.locator("#replay-last"))
        expect(page.locator("#position")).to_have_js_property("value", page.get_attribute("#position", "max"))
        person.touch(page.locator("#aftermath .grow"))
    # One tap leads from a finished table to the rematch, which begins at once against bots.
    person.touch(page.locator("#rematch-again"))
    page.wait_for_url(lambda url: seated.path not in url and "/t/" in url)
    assert person.problems == []
    person.context.close()
