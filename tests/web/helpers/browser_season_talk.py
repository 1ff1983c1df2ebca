"""Helpers of the tests in `browser/test_season_talk.py`, which other tests use, too."""

from tests.web.helpers.browsing import Person
from tests.web.helpers.seasons import Host


def seated(client, server, browser, *widths, **settings):
    """Return the host of a season, a contestant for each width, all at the same table, and the table's address."""
    host = Host(client, audience="live", **settings)
    names = ("Ana", "Bo", "Chi")[: len(widths)]
    for name in names:
        host.done("cast-added", name=name)
    host.bots(("Ada", "Blaise"))
    links = {one["name"]: one["token"] for one in host.ask("GET", "/links").json()}
    people = [Person(browser, server.address, width=width, reduced_motion="reduce") for width in widths]
    for person, name in zip(people, names, strict=True):
        person.page.goto(f"/seasons/{host.id}/join/{links[name]}")
        person.page.get_by_role("button", name="Take part").click()
    [table] = host.step("open", game="pyramid-shambo")["episodes"][-1]["tables"]
    for person in people:
        person.page.goto(f"/t/{table['table']}")
        person.page.wait_for_selector("#fragment")
    return host, people, f"/t/{table['table']}"


def opened(person, name):
    """Open a conversation beside the board and return it."""
    page = person.page
    if page.get_attribute("#season-talk-open", "aria-expanded") != "true":
        person.touch(page.locator("#season-talk-open"))
    fold = page.locator("#talk-part > details", has_text=name).first
    if fold.get_attribute("open") is None:
        person.touch(fold.locator("summary"))
    return fold
