# pyright: basic
"""Take the picture of docs/tournaments.md: `.venv/bin/python -m docs.screenshots_tournaments`; it needs Chromium."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.web.helpers.browsing import Person, browser_server, browsing
from tests.web.helpers.casting import CAST

IMAGES = Path(__file__).parent / "images"


def main() -> None:
    """Take a picture of a tournament that is over."""
    with tempfile.TemporaryDirectory() as folder, browser_server(Path(folder)) as server, browsing() as browser:
        page = Person(browser, server.address, color_scheme="light", reduced_motion="reduce").page
        page.goto("/tournaments")
        page.fill("[name=title]", "Friday cup")
        page.fill("[name=host]", "Hal")
        page.select_option("[name=game]", "pyramid-shambo")
        page.select_option("[name=clock]", "60")
        page.get_by_role("button", name="Create tournament").click()
        for name in CAST[:7]:
            page.fill("#hosting [name=name]", name)
            page.get_by_role("button", name="Add bot").click()
            page.get_by_text(name).last.wait_for()
        page.get_by_role("button", name="Start tournament").click()
        page.get_by_text("has won the tournament").wait_for(timeout=120_000)
        whole = IMAGES / "tournament.png"
        page.screenshot(path=whole, clip={"x": 0, "y": 0, "width": 1280, "height": 1000}, full_page=True)


if __name__ == "__main__":
    main()
