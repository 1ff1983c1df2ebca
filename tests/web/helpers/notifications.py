"""Helpers of the tests in `test_notifications.py`, which other tests use, too."""

import json
from contextlib import asynccontextmanager

from tests.web.helpers.creating import with_settings

from pyramidion.web.application import create_app
from pyramidion.web.features.notifications.transports.webhooks import HookFailed
from pyramidion.web.settings import Settings
from pyramidion.web.table.seats.plans import SeatPlan

HOUR = 3600_000


START = 1_800_000_000_000  # 15 January 2027, 08:00 UTC


class Site:
    """A server in this process with an injected clock, and the messages received by its webhooks."""

    def __init__(self, app):
        self.app, self.tables, self.notifications = app, app.server.tables, app.server.notifications
        self.contacts, self.chats = self.notifications.contacts, app.server.chats
        self.now = START
        self.sent, self.broken = [], False
        self.tables._time = lambda: self.now
        self.notifications.webhooks.post = self.post

    async def post(self, url, body):
        if self.broken:
            raise HookFailed("broken")
        self.sent.append((url, json.loads(body)["text"]))

    async def table(self, names=("ana", "bo", "chi"), game="ponzi-scheme", **more):
        """Create a table at which everybody has a webhook with their name."""
        plans = [SeatPlan("me", names[0]), *[SeatPlan("open")] * (len(names) - 1)]
        table = await self.tables.create(
            game, plans, {}, title="Friday", seed="7", holder=names[0], **with_settings(more)
        )
        for seat, name in enumerate(names[1:], 1):
            await table.sit(seat, name, name)
        for name in names:
            await self.contacts.keep(name, webhook=f"https://{name}/")
        self.tables.moved(table)
        return table

    async def act(self, table, seat):
        await table.act(seat, table.visibility.legal_ids(seat)[0], table.version(seat))

    async def pass_(self, milliseconds):
        """Advance the clock; queue what has happened and send what is due."""
        await self.notifications.look()
        self.now += milliseconds
        while await self.notifications.sender.send():
            pass
        sent, self.sent = self.sent, []
        return [(url.removeprefix("https://").rstrip("/"), text.partition("\n")[0]) for url, text in sent]

    async def turns(self, milliseconds=60_000):
        return [who for who, text in await self.pass_(milliseconds) if "your turn" in text]


@asynccontextmanager
async def open_site(folder, **settings):
    app = create_app(Settings(data_dir=folder, warm=False, public_url="https://games.example.org", **settings))
    async with app.router.lifespan_context(app):
        site = Site(app)
        # The test looks and sends by itself.
        await site.notifications.close()
        yield site
