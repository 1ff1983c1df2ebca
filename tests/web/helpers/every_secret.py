"""Helpers of the tests in `test_every_secret.py`, which other tests use, too."""

import re

import httpx

from pyramidion.web.play.streams import PageStream, ProgramStream, StreamPosition
from pyramidion.web.table.snapshots.snapshot import snapshot_of

ASKED = ("?version=0", "/log?since=2")
"""Further requests, in addition to every address with a GET."""


ANSWERS = ("/view?version=1", "/events?since=1", "/nothing")


STREAMS = ("/stream", "/screen")
"""Streams, whose first messages are checked separately."""


REFUSED = (
    {"action": "nonsense", "version": 0},
    {"action": 0, "version": -1},
    {"action": -5, "version": None},
    {"seat": 99, "action": 0, "version": 0},
)


def doors(app, begin):
    """Return every table address with a GET, so that new ones are covered as well."""
    found = []
    for route in routes_of(app.routes):
        path = getattr(route, "path", "")
        if path.startswith(begin) and path.count("{") == 1 and "GET" in route.methods and not path.endswith(STREAMS):
            found.append(path.removeprefix(begin))
    assert len(found) > 5
    return found


def routes_of(routes):
    for route in routes:
        inner = getattr(getattr(route, "original_router", None), "routes", None)
        yield from routes_of(inner) if inner is not None else [route]


class World:
    """A server in this process with one table."""

    def __init__(self, app, table_id, tokens):
        self.app, self.id, self.tokens = app, table_id, tokens
        self.tables = app.server.tables
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://test")

    def enter(self, deal=None):
        """Load the table again, optionally with another current state."""
        table = self.tables.rebuild(self.id)
        if deal is not None:
            vars(table.match).update(vars(table.match.with_state(deal)))
        self.tables._enter(table)
        return table

    def headers(self, viewer):
        return {"Authorization": f"Bearer {self.tokens[viewer]}"} if viewer is not None else {}

    async def said(self, viewer, deal=None):
        """Return everything that a viewer can get from the server."""
        table = self.enter(deal)
        headers, api = self.headers(viewer), f"/api/tables/{self.id}"
        if not self.client.cookies:  # a first visit differs from later ones: it sets a cookie
            await self.client.get(f"/t/{self.id}")
        answers = [*doors(self.app, "/api/tables/{table_id}"), *ANSWERS]
        told = [await self.client.get(f"{api}{what}", headers=headers) for what in answers]
        if viewer is None:
            pages = [*doors(self.app, "/t/{table_id}"), *ASKED]
            told += [await self.client.get(f"/t/{self.id}{what}") for what in pages]
        else:
            actions = table.game.actions
            legal = set(table.visibility.legal_ids(viewer))
            version = table.version(viewer)
            wrong = [n for n in range(0, len(actions), max(1, len(actions) // 12)) if n not in legal]
            orders = [{"action": n, "version": version} for n in wrong]
            for order in (*REFUSED, *orders, {"action": 0, "version": version + 1}):
                told.append(await self.client.post(f"{api}/actions", headers=headers, json=order))
            told.append(await self.client.post(f"{api}/seats/{viewer}"))
        said = [f"{one.status_code} {one.text}" for one in told]
        for kind in (PageStream, ProgramStream):
            table.viewers.channel(viewer, table.version(viewer))
            said.append((kind(table, viewer, StreamPosition()).make() or b"").decode())
        said.append(str([(snapshot := snapshot_of(table, viewer)).view, snapshot.acting, snapshot.legal]))
        return [re.sub(r'name="csrf" value="\w+"|content="\w{40}"', "CSRF", one) for one in said]
