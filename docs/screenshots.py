# pyright: basic
"""Screenshots for the README and the documentation: `.venv/bin/python -m docs.screenshots`. Requires Chromium."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser
from tests.web.helpers.browser_season_talk import opened, seated
from tests.web.helpers.browsing import Person, browser_server, browsing
from tests.web.helpers.midgame import Seated

from pyramidion.web.http.uvicorn_server import UvicornServer

IMAGES = Path(__file__).parent / "images"
TABLES = {
    "ponzi-scheme": ("ponzi", 4, 12),
    "pyramid-scheme": ("pyramid-scheme", 3, 26),
    "pyramid-shambo": ("pyramid-shambo", 6, 6),
    "pyramis": ("pyramis", 3, 9),
    "upside-down": ("upside-down", 10, 6),
    "downside-up": ("downside-up", 10, 6),
}
"""For each game: prefix of its file names, number of seats, and number of decisions before the position."""
SCREENS = {
    "table": {"width": 1280, "color_scheme": "light"},
    "phone": {"width": 390, "color_scheme": "dark", "device_scale_factor": 2},
}


def main() -> None:
    """Play to a typical position and take screenshots of each screen size."""
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, browser_server(Path(folder)) as server, browsing() as browser:
        home = Person(browser, server.address, color_scheme="light")
        home.page.goto("/")
        home.page.screenshot(path=IMAGES / "home.png")
        home.context.close()
        for game in TABLES:
            _tables(browser, server.address, game)
        _room(browser, server.address)
        _console(browser, server.address)
        _season_talk(browser, server)


def _season_talk(browser: Browser, server: UvicornServer) -> None:
    """Take a picture of a season's conversation beside the board."""
    with httpx.Client(base_url=server.address, timeout=60) as client:
        _host, (ana, bo), _table = seated(client, server, browser, 1280, 1280, talk="private")
    ana.page.set_viewport_size({"width": 1280, "height": 720})
    for person, name, text in (
        (ana, "Bo", "If neither of us challenges the other, one of us wins this."),
        (bo, "Ana", "Agreed. Go for Blaise first?"),
        (ana, "Bo", "He suspects nothing."),
    ):
        talk = opened(person, name)
        talk.get_by_label("Message", exact=True).fill(text)
        talk.get_by_role("button", name="Send").click()
        talk.get_by_text(text).wait_for()
    ana.page.evaluate("() => document.activeElement.blur()")
    ana.page.wait_for_timeout(500)
    ana.page.screenshot(path=IMAGES / "season-talk.png")
    for person in (ana, bo):
        person.context.close()


def _console(browser: Browser, address: str) -> None:
    """Take a picture of the controls of a host who plays."""
    host = Person(browser, address, reduced_motion="reduce", color_scheme="light")
    host.page.set_viewport_size({"width": 1280, "height": 720})
    host.start(seats=("me", "open", "bot:policy"), name="Ana")
    host.menu()
    host.page.locator("#hosting > summary").click()
    host.page.wait_for_selector("#console")
    host.page.screenshot(path=IMAGES / "host-console.png")
    host.context.close()


def _room(browser: Browser, address: str) -> None:
    """Take screenshots of a waiting room with two players, and of answers in advance on a phone."""
    ana = Person(browser, address, reduced_motion="reduce", color_scheme="light")
    ben = Person(browser, address, width=390, device_scale_factor=2, reduced_motion="reduce", color_scheme="dark")
    ana.page.goto("/games/ponzi-scheme/new")
    ana.page.get_by_label("Your name").fill("Ana")
    ana.page.locator("select[name=seat-1]").select_option("open")
    ana.page.locator("select[name=seat-2]").select_option("open")
    ana.page.get_by_role("button", name="Create table").click()
    ana.page.wait_for_selector("#room-now")
    ben.page.goto(ana.page.url)
    ben.page.locator("#name").fill("Ben")
    ben.page.get_by_role("button", name="Join game").tap()
    ben.page.wait_for_selector("#ready")
    ana.page.wait_for_function("() => document.querySelectorAll('.places .person').length === 2")
    ana.page.screenshot(path=IMAGES / "room.png", full_page=True)
    ana.page.get_by_role("button", name="Start game").click()
    ana.page.wait_for_selector("#fragment")
    ben.page.goto(f"{ana.page.url}/premoves")
    ben.page.locator("[name=price]").fill("30")
    ben.page.get_by_role("button", name="Add", exact=True).tap()
    ben.page.wait_for_selector(".places")
    ben.page.screenshot(path=IMAGES / "premoves-phone.png")
    for person in (ana, ben):
        person.context.close()


def _tables(browser: Browser, address: str, game: str) -> None:
    """Take screenshots of a game in progress, on a desktop and a phone, and of a finished one."""
    name, seats, decisions = TABLES[game]
    for attempt in range(9):
        with Seated(address, game, seats, f"picture {attempt}") as seated:
            if seated.go_on(decisions):
                break
    for screen, look in SCREENS.items():
        person = Person(browser, address, reduced_motion="reduce", **look)
        if not person.phone:
            person.page.set_viewport_size({"width": 1280, "height": 720})
        cookie: Any = {**seated.cookie, "url": address}
        person.context.add_cookies([cookie])
        person.page.goto(seated.path)
        person.page.locator(".can:visible, #submit:visible").first.wait_for()
        person.page.wait_for_timeout(1500)
        person.page.screenshot(path=IMAGES / f"{name}-{screen}.png")
        person.context.close()


if __name__ == "__main__":
    main()
