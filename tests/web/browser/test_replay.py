"""The replay of a finished game in a browser."""

import httpx
import pytest
from tests.web.helpers.browsing import Person

pytestmark = pytest.mark.browser


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
    page.wait_for_function("document.getElementById('position').dataset.plies")
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
