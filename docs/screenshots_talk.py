# pyright: basic
"""Screenshots for docs/messages.md: `.venv/bin/python -m docs.screenshots_talk`. Requires Chromium."""

from __future__ import annotations

import tempfile
from pathlib import Path

from tests.web.helpers.browsing import Person, browser_server, browsing

IMAGES = Path(__file__).parent / "images"


def main() -> None:
    """Let three people chat; take screenshots of one of them and of the notification settings."""
    with tempfile.TemporaryDirectory() as folder, browser_server(Path(folder)) as server, browsing() as browser:
        ana = Person(browser, server.address, color_scheme="light")
        bo = Person(browser, server.address, width=390, color_scheme="dark", device_scale_factor=2)
        chi = Person(browser, server.address)
        ana.page.goto("/games/ponzi-scheme/new")
        ana.page.get_by_label("Your name").fill("Ana")
        ana.page.locator("input[name=seats][value='3'] + span").click()
        for seat in (1, 2):
            ana.page.locator(f"select[name=seat-{seat}]").select_option("open")
        ana.page.locator("#more > summary").click()
        ana.page.locator("#chat-private").select_option("groups")
        ana.page.locator("#start-when").select_option("now")
        ana.page.get_by_role("button", name="Create table").click()
        ana.page.wait_for_url("**/t/*")
        for person, name in ((bo, "Bo"), (chi, "Chi")):
            person.page.goto(ana.page.url)
            person.page.get_by_label("Your name").fill(name)
            person.touch(person.page.get_by_role("button", name="Join as player").first)
            person.page.wait_for_selector("#own")
        for person in (ana, bo):
            person.touch(person.page.locator(".chat-open").first)
        _say(ana, "Good luck, everybody.")
        _say(bo, "And to you.")
        ana.page.locator("#talks").get_by_role("link", name="Bo").click()
        ana.page.locator("#talks [aria-current]", has_text="Bo").wait_for()
        _say(ana, "Shall we keep the price of media low?")
        ana.page.get_by_label("Private notes").fill("Chi never counters.")
        ana.page.get_by_text("Saved.").wait_for()
        bo.page.locator("#talks .unread").wait_for()
        ana.page.screenshot(path=IMAGES / "chat-table.png")
        bo.page.goto("/alerts")
        bo.page.screenshot(path=IMAGES / "messages-phone.png")


def _say(person: Person, text: str) -> None:
    lines = person.page.locator("#chat-lines > .own-line")
    before = lines.count()
    person.page.get_by_label("Message", exact=True).fill(text)
    person.touch(person.page.get_by_role("button", name="Send"))
    lines.nth(before).wait_for()


if __name__ == "__main__":
    main()
