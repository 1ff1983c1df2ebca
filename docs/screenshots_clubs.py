# pyright: basic
"""Take the picture of docs/clubs.md: `.venv/bin/python -m docs.screenshots_clubs`; it needs Chromium."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.web.helpers.browsing import Person, browser_server, browsing
from tests.web.helpers.casting import CAST

IMAGES = Path(__file__).parent / "images"
WORDS = "We meet on Fridays at eight. The spring season begins on the first of March; sign up for the cup before that."


def main() -> None:
    """Take a picture of a club with a table, a season, a tournament and members."""
    with tempfile.TemporaryDirectory() as folder, browser_server(Path(folder)) as server, browsing() as browser:
        page, link = founded(browser, server.address)
        for name in ("Felix", "Grace"):
            guest = Person(browser, server.address).page
            guest.goto(link)
            guest.fill("#join [name=name]", name)
            guest.get_by_role("button", name="Join").click()
            guest.get_by_text("members").first.wait_for()
        page.reload()
        whole = IMAGES / "club.png"
        page.screenshot(path=whole, clip={"x": 0, "y": 0, "width": 1280, "height": 1000}, full_page=True)


def founded(browser, address: str):
    """Return the page of a new club with its events, and its invitation link."""
    page = Person(browser, address, color_scheme="light", reduced_motion="reduce").page
    page.goto("/clubs")
    page.fill("[name=name]", "Pyramid builders")
    page.fill("[name=member]", "Nina")
    page.fill("[name=about]", "A friendly group that plays seasons of Upside Down, and cups in between.")
    page.get_by_role("button", name="Create club").click()
    club = page.url
    page.fill("#posts [name=text]", WORDS)
    page.get_by_role("button", name="Post").click()
    page.get_by_text("We meet on Fridays").wait_for()
    page.get_by_role("link", name="New tournament").click()
    page.fill("[name=title]", "Winter cup")
    page.fill("[name=host]", "Nina")
    page.select_option("[name=game]", "pyramid-shambo")
    page.get_by_role("button", name="Create tournament").click()
    for name in CAST[:4]:
        page.fill("#hosting [name=name]", name)
        page.get_by_role("button", name="Add bot").click()
        page.get_by_text(name).last.wait_for()
    page.get_by_role("button", name="Start tournament").click()
    page.get_by_text("has won the tournament").wait_for(timeout=120_000)
    page.goto(club)
    page.get_by_role("link", name="Host a season").click()
    page.fill("[name=title]", "Spring season")
    page.fill("[name=host]", "Nina")
    page.get_by_role("button", name="Create season").click()
    page.goto(club)
    page.select_option("#lobby [name=game]", "pyramis")
    page.get_by_role("button", name="Host a game").click()
    page.fill("#me", "Nina")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_url("**/t/**")
    page.goto(club)
    return page, page.locator("input[readonly]").first.input_value()


if __name__ == "__main__":
    main()
