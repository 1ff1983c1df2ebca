"""Take the pictures of the README: `.venv/bin/python -m docs.screenshots`, where Chromium is installed."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path

from playwright.sync_api import Browser
from tests.games.pyramid_of_ten import boards
from tests.web.browsing import Person, browsing, careful, house

from pyramidion.engine import registry

IMAGES = Path(__file__).parent / "images"
SEATS = ("me", "bot:policy", "bot:policy", "bot:policy")
ROUND = 4
OTHERS = {"pyramid-scheme": 14, "pyramid-shambo": 4, "pyramis": 10}
"""Further games, and how many of one's own decisions lead to the position in the picture."""
TENS = ("upside-down", "downside-up")
"""Games whose decisions are submissions of several parts."""
PHONES = {"pyramid-scheme": 30, "pyramis": 13}
"""Games whose own area is taken on a phone as well, and after how many decisions."""


def main() -> None:
    """Play to a typical position on each kind of screen and take its picture."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, house(Path(folder)) as server, browsing() as browser:
        home = Person(browser, server.address, color_scheme="light")
        home.page.goto("/")
        home.page.screenshot(path=IMAGES / "home.png")
        home.context.close()
        _table(browser, server.address, "ponzi-table.png", width=1280, color_scheme="light")
        _table(browser, server.address, "ponzi-phone.png", width=390, color_scheme="dark", device_scale_factor=2)
        for game, decisions in OTHERS.items():
            _other(browser, server.address, game, decisions)
        for game in TENS:
            _ten(browser, server.address, game, "table", width=1280, color_scheme="light")
            _ten(browser, server.address, game, "phone", width=390, color_scheme="dark", device_scale_factor=2)
        for game, decisions in PHONES.items():
            _other(browser, server.address, game, decisions, phone=True)
        _room(browser, server.address)


def _room(browser: Browser, address: str) -> None:
    """Take a picture of a room with two who have come, and of answers in advance on a phone."""
    ana = Person(browser, address, reduced_motion="reduce", color_scheme="light")
    ben = Person(browser, address, width=390, device_scale_factor=2, reduced_motion="reduce", color_scheme="dark")
    ana.page.goto("/games/ponzi-scheme/new")
    ana.page.get_by_label("Your name").fill("Ana")
    ana.page.locator("select[name=seat-1]").select_option("open")
    ana.page.locator("select[name=seat-2]").select_option("open")
    ana.page.get_by_role("button", name="Start the table").click()
    ana.page.wait_for_selector("#room-now")
    ben.page.goto(ana.page.url)
    ben.page.locator("#name").fill("Ben")
    ben.page.get_by_role("button", name="Sit down as player 2").tap()
    ben.page.wait_for_selector("#mine")
    ana.page.wait_for_function("() => document.querySelectorAll('.places .person').length === 2")
    ana.page.screenshot(path=IMAGES / "room.png", full_page=True)
    ana.page.get_by_role("button", name="Begin the game").click()
    ana.page.wait_for_selector("#fragment")
    ben.page.goto(f"{ana.page.url}/orders")
    ben.page.locator("[name=price]").fill("30")
    ben.page.get_by_role("button", name="Add", exact=True).tap()
    ben.page.wait_for_selector(".places")
    ben.page.screenshot(path=IMAGES / "orders-phone.png")
    for person in (ana, ben):
        person.context.close()


def _other(browser: Browser, address: str, game: str, decisions: int, *, phone: bool = False) -> None:
    """Take a picture of a game at the turn after so many decisions of the person; anew where it is over before."""
    look = {"width": 390, "device_scale_factor": 2} if phone else {"width": 1280}
    person = Person(browser, address, reduced_motion="reduce", color_scheme="light", **look)
    person.start(registry.load(game).name)
    chance = random.Random(3)
    for _ in range(decisions):
        person.wait()
        if person.over:
            person.context.close()
            _other(browser, address, game, decisions, phone=phone)
            return
        person.act(_lively(chance, person.legal()) if phone else chance.choice(person.legal()))
    person.wait()
    person.page.wait_for_timeout(1500)
    if phone:
        person.page.evaluate("() => scrollTo(0, document.getElementById('own').offsetTop - 130)")
    else:
        person.page.evaluate("() => scrollTo(0, 0)")
    person.page.screenshot(path=IMAGES / f"{game}-{'phone' if phone else 'table'}.png")
    person.context.close()


def _ten(browser: Browser, address: str, game: str, kind: str, **look: object) -> None:
    """Take a picture of a filled-in submission: on a table of a battle, on a phone of the claims."""
    wanted = "battle phase" if kind == "table" else "claim phase"
    while True:
        person = Person(browser, address, reduced_motion="reduce", **look)
        page, chance = person.page, random.Random(5)
        person.start(registry.load(game).name, ("me", *["bot:policy"] * 9))
        page.wait_for_selector("#submit")
        while page.locator("#submit").count():
            boards.fill_in(person, chance)
            hint = page.inner_text("#hint").lower()
            if "round 2 of" in hint and wanted in hint and page.locator(".arrows line.own").count():
                page.wait_for_timeout(1500)
                page.evaluate("() => scrollTo(0, 0)")
                page.screenshot(path=IMAGES / f"{game}-{kind}.png")
                person.context.close()
                return
            boards.confirm(person)
            person.wait()
        person.context.close()


def _lively(chance: random.Random, legal: list[str]) -> str:
    """Choose what makes a table fill: mostly to place, to flip and to use what is gained."""
    useful = [action for action in legal if action.split()[0] in ("place", "flip", "limit", "reserve")]
    return chance.choice(useful if useful and chance.random() < 0.8 else legal)


def _table(browser: Browser, address: str, name: str, **look: object) -> None:
    """Take a picture of the funding of a later round, with a card in hand; starts anew where a game ended before."""
    while True:
        person = Person(browser, address, reduced_motion="reduce", **look)
        person.start(seats=SEATS)
        choose = careful(2)
        while not person.over:
            if "fund or pass" in person.headline and f"Round {ROUND} " in person.page.inner_text("#hint"):
                _take(person, name)
                person.context.close()
                return
            person.act(choose(person.legal()))
            person.wait()
        person.context.close()


def _take(person: Person, name: str) -> None:
    page = person.page
    page.wait_for_timeout(1500)
    cards = page.locator("#board .card.can")
    person.touch(cards.nth(cards.count() - 1))
    page.wait_for_timeout(500)
    page.evaluate("() => scrollTo(0, 0)")
    page.screenshot(path=IMAGES / name)


if __name__ == "__main__":
    main()
