# pyright: basic
"""Screenshots for docs/people.md: `.venv/bin/python -m docs.screenshots_people`. Requires Chromium."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page
from tests.web.helpers.browsing import Person, browser_server, browsing

IMAGES = Path(__file__).parent / "images"


def main() -> None:
    """Take screenshots of the curtain, the lobby and an account."""
    with tempfile.TemporaryDirectory() as folder, browser_server(Path(folder)) as server, browsing() as browser:
        address = server.address.replace("127.0.0.1", "localhost")
        phone = Person(browser, address, width=390, color_scheme="dark", reduced_motion="reduce", device_scale_factor=2)
        page = phone.page
        _form(page, "ponzi-scheme", 3)
        for seat, name in enumerate(("Ana", "Bo", "Maria")):
            page.locator(f"select[name=seat-{seat}]").select_option("here")
            page.locator(f"input[name=name-{seat}]").fill(name)
        page.locator("#start").tap()
        page.locator("#be-next").wait_for()
        page.screenshot(path=IMAGES / "people-curtain.png", clip={"x": 0, "y": 0, "width": 390, "height": 620})

        desk = Person(browser, address, color_scheme="light", reduced_motion="reduce")
        page = desk.page
        tables = (("pyramis", 3, "A quiet evening", ""), ("pyramid-shambo", 4, "Rock, paper, pyramid", "120"))
        for game, seats, title, clock in tables:
            _form(page, game, seats)
            page.fill("#me", "Ada")
            page.locator("select[name=seat-1]").select_option("open")
            page.locator("#more > summary").click()
            page.select_option("#listed", "open")
            page.select_option("#clock", clock)
            page.get_by_text("Title").first.click()
            page.fill("input[name=title]", title)
            page.locator("#start").click()
            page.wait_for_url("**/t/*")
        page.goto("/lobby")
        page.screenshot(path=IMAGES / "people-lobby.png", clip={"x": 0, "y": 0, "width": 1280, "height": 560})
        phone.context.close()
        desk.context.close()


def _form(page: Page, game: str, seats: int) -> None:
    page.goto(f"/games/{game}/new")
    page.locator(f"input[name=seats][value='{seats}'] + span").click()


if __name__ == "__main__":
    main()
