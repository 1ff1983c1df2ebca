"""A whole game of Pyramid Scheme in a real browser, on a large screen and on a phone."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser
from tests.web.browsing import Person, browsing, house

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as opened:
        yield opened


def eager(seed: int):
    """Somebody who flips what can be flipped, uses rewards, and otherwise acts by chance."""
    chance = random.Random(seed)

    def choose(legal: list[str]) -> str:
        useful = [action for action in legal if action.split()[0] in ("flip", "limit", "reserve", "remove")]
        return chance.choice(useful or [action for action in legal if action not in ("reset", "done")] or legal)

    return choose


@pytest.mark.parametrize("width", [1280, 390])
def test_a_whole_game_is_played_on_the_board(browser, tmp_path, width):
    with house(tmp_path) as server:
        person = Person(browser, server.address, width=width)
        person.start("Pyramid Scheme", ("me", "bot:random"))
        person.wait()
        assert person.page.locator("#own .tree .badge.founder").count() == 1
        assert person.play(eager(width)) > 5
        assert "wins" in person.headline or "share" in person.headline
        wide = person.page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0
        assert person.problems == []
        person.context.close()


def test_a_card_in_hand_lights_up_its_places(browser, tmp_path):
    with house(tmp_path) as server:
        person = Person(browser, server.address)
        person.start("Pyramid Scheme", ("me", "bot:random"))
        person.wait()
        person.touch(person.page.locator("#own .hand [data-path]").first)
        place = person.page.locator("#own .tree [data-path].can")
        assert place.count() >= 1
        place.first.hover()
        assert "Room there" in person.page.inner_text("#preview")
        assert person.problems == []
        person.context.close()
