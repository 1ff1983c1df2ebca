# pyright: basic
"""Take the pictures of docs/seasons.md: `.venv/bin/python -m docs.screenshots_seasons`, where Chromium is installed."""

from __future__ import annotations

import tempfile
from pathlib import Path

from playwright.sync_api import Page
from tests.web.helpers.browser_seasons import begin, episode, tab
from tests.web.helpers.browsing import Person, browser_server, browsing
from tests.web.helpers.casting import CAST

IMAGES = Path(__file__).parent / "images"


def main() -> None:
    """Take a picture of the host's page and of the season's page."""
    with tempfile.TemporaryDirectory() as folder, browser_server(Path(folder)) as server, browsing() as browser:
        page = Person(browser, server.address, color_scheme="light", reduced_motion="reduce").page
        begin(page, CAST)
        episode(page, "upside-down", "pyramid-shambo")
        tab(page, "cast")
        page.screenshot(
            path=IMAGES / "season-host.png", clip={"x": 0, "y": 0, "width": 1280, "height": 900}, full_page=True
        )
        arrange(page)
        page.locator("#schedule").screenshot(path=IMAGES / "season-schedule.png")
        tab(page, "now")
        episode(page, "pyramid-shambo", "pyramis")
        page.get_by_role("link", name="Season page").click()
        page.wait_for_url("**/seasons/*")
        page.screenshot(
            path=IMAGES / "season-page.png", clip={"x": 0, "y": 0, "width": 1280, "height": 1400}, full_page=True
        )
        page.get_by_role("link", name="Watch without spoilers").first.click()
        page.wait_for_url("**/show/1")
        page.goto(f"{page.url}?slide=7")  # challenges on the board
        page.screenshot(path=IMAGES / "season-show.png")


def arrange(page: Page) -> None:
    """Lay out a schedule."""
    tab(page, "timeline")
    page.fill("[name=starts]", "2027-03-01T20:00")
    page.fill("[name=phases]", "Main match, 48\nOpponent, 12\nDeath match, 36")
    with page.expect_navigation():
        page.get_by_role("button", name="Add phases").click()


if __name__ == "__main__":
    main()
