"""Long names without spaces, in several scripts, widen no page at 360 pixels."""

from contextlib import closing

import httpx
import pytest
from tests.web.accounts import Person as Visitor
from tests.web.browsing import Person
from tests.web.test_seasons import Host
from tests.web.test_tournaments import Cup

from pyramidion.web.names import profile_path

pytestmark = pytest.mark.browser
WIDTH = 360
NAMES = {"capitals": "W", "Chinese": "金", "Hebrew": "ש", "Arabic": "ي"}


def pages(server, sign):
    """Make one thing of each kind with long names, titles and texts; return the addresses of their pages."""
    name, other, title, text = sign * 40, sign * 39, sign * 60, sign * 400
    with closing(httpx.Client(base_url=server.address, timeout=60)) as client, closing(Visitor(server, name)) as owner:
        plan = {"game": "ponzi-scheme", "title": title, "host_name": name, "chat": {"watchers": True}}
        bot = {"kind": "bot", "bot": "random"}
        seats = [{"kind": "me", "name": name}, {**bot, "name": other}, bot]
        table = client.post("/api/tables", json={**plan, "seats": seats}).json()
        headers = {"authorization": f"Bearer {table['tokens']['0']}"}
        client.post(f"/api/tables/{table['id']}/chat", json={"text": text}, headers=headers)
        seats = [{"kind": "me", "name": name}, {"kind": "open"}, {"kind": "open"}]
        room = client.post("/api/tables", json={**plan, "seats": seats, "start": "when-ready", "open": True}).json()
        season = Host(client, title=title, about=text, audience="live")
        season.done("cast-added", name=name)
        season.done("cast-added", name=other)
        season.done("item-set", name=title, price=1, words=text)
        season.done("posted", text=text, reason=text)
        links = season.ask("GET", "/links").json()
        cup = Cup(client, title=title, about=text)
        for one in (name, other):
            cup.done("entries", event={"kind": "joined", "name": one, "bot": "random"})
        club = owner.api("POST", "/api/clubs", name=title, member=name, about=text, door="open").json()["id"]
        owner.api("POST", f"/api/clubs/{club}/posts", text=text)
        owner.form("/account/bots", name=sign)
        contestant = next(one["url"] for one in links if one["who"] == "c1")
        return [
            f"/t/{table['id']}", f"/t/{room['id']}", f"/seasons/{season.id}", contestant,
            f"/tournaments/{cup.id}", f"/clubs/{club}", profile_path(name),
            "/lobby", "/seasons", "/tournaments", "/clubs",
        ]  # fmt: skip


@pytest.mark.parametrize("script", NAMES)
def test_long_names_widen_no_page(server, browser, script):
    person = Person(browser, server.address, width=WIDTH, reduced_motion="reduce")
    page = person.page
    wide = []
    for address in pages(server, NAMES[script]):
        assert page.goto(address).status == 200, address
        if "/join/" in address:
            page.locator("main form button").first.click()
            page.wait_for_load_state()
        page.evaluate("() => document.querySelectorAll('details').forEach(panel => panel.open = true)")
        if (width := page.evaluate("() => document.documentElement.scrollWidth")) > WIDTH:
            wide.append((page.url, width))
    person.context.close()
    assert wide == []
